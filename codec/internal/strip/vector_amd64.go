// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package strip

import (
	"sync/atomic"

	"golang.org/x/sys/cpu"
)

// vectors reports whether the processor runs the assembly.
func vectors() bool { return cpu.X86.HasAVX2 && cpu.X86.HasF16C && cpu.X86.HasBMI2 }

// prepared is a program's vector code once a frame has asked for it.
type prepared struct{ stream atomic.Pointer[stream] }

// executeArgs are the arguments of execute.
type executeArgs struct {
	code, rows      *byte
	in, out         *byte
	tiles           int
	inStep, outStep int // from tile to tile
	inSize, outSize int // of a block
	wrong           [8]uint32
}

// vectorFrame is what a frame needs for vector code.
type vectorFrame struct {
	stream      *stream
	args        executeArgs
	memory      []uint32
	input       []byte // of the last tile, and what is read behind it
	output      []byte
	moreIn      int // bytes that are read behind a tile
	moreOut     int // and written
	tilesInCall int
}

// vectorFrame makes the frame's vector code; nil if there is none.
func (p *Program) vectorFrame() *vectorFrame {
	if !vectors() {
		return nil
	}
	s := p.prepared.stream.Load()
	if s == nil {
		s = assemble(p)
		p.prepared.stream.Store(s)
	}
	v := &vectorFrame{
		stream: s, memory: aligned(len(s.tables) + s.rows*tileBlocks),
		moreIn: more(p.InBytes), moreOut: more(p.OutBytes), tilesInCall: max(mostCost/s.cost, 1),
	}
	v.input = make([]byte, tileBlocks*p.InBytes+v.moreIn)
	v.output = make([]byte, tileBlocks*p.OutBytes+v.moreOut)
	copy(v.memory, s.tables)
	for _, c := range s.filled {
		row := v.memory[len(s.tables)+int(c.Row)*tileBlocks:][:tileBlocks]
		for i := range row {
			row[i] = c.Word
		}
	}
	v.args = executeArgs{
		rows: address(v.memory), inStep: tileBlocks * p.InBytes, outStep: tileBlocks * p.OutBytes, inSize: p.InBytes, outSize: p.OutBytes,
	}
	return v
}

// more is how many bytes behind the last block of a tile are touched.
func more(bytes int) int {
	if narrow(bytes) {
		return 0
	}
	return 16*groups(bytes) - bytes
}

// run is Frame.Run.
func (v *vectorFrame) run(in []byte, n int, out []byte) bool {
	p := v.stream.program
	v.args.wrong = [8]uint32{}
	tiles := n / tileBlocks
	for tiles > 0 && (tiles*v.args.inStep+v.moreIn > len(in) || tiles*v.args.outStep+v.moreOut > len(out)) {
		tiles--
	}
	v.tiles(in, tiles, out)
	in, out = in[tiles*v.args.inStep:], out[tiles*v.args.outStep:]
	for rest := n - tiles*tileBlocks; rest > 0; rest -= tileBlocks {
		m := min(rest, tileBlocks)
		v.last(in[:m*p.InBytes], out[:m*p.OutBytes])
		in, out = in[m*p.InBytes:], out[m*p.OutBytes:]
	}
	v.args.in, v.args.out = nil, nil
	var wrong uint32
	for _, w := range v.args.wrong {
		wrong |= w
	}
	return wrong == 0
}

// tiles runs whole tiles in place.
func (v *vectorFrame) tiles(in []byte, tiles int, out []byte) {
	for tiles > 0 {
		n := min(tiles, v.tilesInCall)
		v.args.in, v.args.out = address(in), address(out)
		for _, piece := range v.stream.pieces {
			v.args.code, v.args.tiles = address(v.stream.code[piece:]), n
			execute(&v.args)
		}
		in, out, tiles = in[n*v.args.inStep:], out[n*v.args.outStep:], tiles-n
	}
}

// last runs a tile that is not whole, or at whose end nothing may be touched, on copies. The
// blocks that are not there are like the last one.
func (v *vectorFrame) last(in, out []byte) {
	size := v.args.inSize
	n := copy(v.input, in)
	for end := v.args.inStep; n < end; n += size {
		copy(v.input[n:], v.input[n-size:n])
	}
	v.tiles(v.input, 1, v.output)
	copy(out, v.output)
}
