// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package strip

import (
	"sync/atomic"

	"golang.org/x/sys/cpu"
)

// vectors reports whether the processor runs the assembly.
func vectors() bool { return cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasF16C && cpu.X86.HasBMI2 }

// prepared is a program's vector code once a frame has asked for it: for the usual values, and for all.
type prepared struct{ stream, exact atomic.Pointer[stream] }

// executeArgs are the arguments of execute.
type executeArgs struct {
	code, rows      *byte
	in, out         *byte
	tiles           int
	inStep, outStep int // from tile to tile
	inSize, outSize int // of a block
	columns         *byte
	first           int // lane, where there are columns
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
	columns     []columnArgs
	past        bool // stores bypass the caches

	double *vectorFrame // for as many lanes as it has whole tiles of; nil: none

	exact *vectorFrame // for what stream, if it guesses, is not right for
	calls int          // of exact to come, since values are not the usual ones
	next  int          // how many there will be the next time
}

// mostCalls is how many calls go by, when values are unusual, until a guess is made again.
const mostCalls = 64

// vectorFrame makes the frame's vector code; nil if there is none.
func (p *Program) vectorFrame() *vectorFrame {
	if !vectors() {
		return nil
	}
	return p.frameOf(prepare(&p.prepared.stream, p, true))
}

// prepare assembles a program, once.
func prepare(to *atomic.Pointer[stream], p *Program, guess bool) *stream {
	s := to.Load()
	if s == nil {
		s = assemble(p, guess)
		to.Store(s)
	}
	return s
}

func (p *Program) frameOf(s *stream) *vectorFrame {
	v := &vectorFrame{
		stream: s, memory: aligned(len(s.tables) + s.rows*s.tile),
		moreIn: more(p.InBytes), moreOut: more(p.OutBytes), tilesInCall: max(mostCost/s.cost, 1),
	}
	v.input = make([]byte, s.tile*p.InBytes+v.moreIn)
	v.output = make([]byte, s.tile*p.OutBytes+v.moreOut)
	copy(v.memory, s.tables)
	for _, c := range s.filled {
		row := v.memory[len(s.tables)+int(c.Row)*s.tile:][:s.tile]
		for i := range row {
			row[i] = c.Word
		}
	}
	for _, d := range s.pairs {
		d.fill(v.memory[len(s.tables)+int(d.Row)*s.tile:][:s.tile])
	}
	v.args = executeArgs{
		rows: address(v.memory), inStep: s.tile * p.InBytes, outStep: s.tile * p.OutBytes, inSize: p.InBytes, outSize: p.OutBytes,
	}
	if p.Columns != nil {
		v.moreOut, v.output = 0, v.output[:s.tile*p.OutBytes]
		v.columns = make([]columnArgs, len(p.Columns))
		v.args.columns, v.args.inStep = address(v.columns), s.tile
	}
	if s.double != nil {
		v.double = p.frameOf(s.double)
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
	tiles := n / tileBlocks
	for tiles > 0 && (tiles*v.args.inStep+v.moreIn > len(in) || tiles*v.args.outStep+v.moreOut > len(out)) {
		tiles--
	}
	ok := v.tiles(in, tiles, out)
	in, out = in[tiles*v.args.inStep:], out[tiles*v.args.outStep:]
	for rest := n - tiles*tileBlocks; rest > 0 && ok; rest -= tileBlocks {
		m := min(rest, tileBlocks)
		ok = v.last(in[:m*p.InBytes], out[:m*p.OutBytes])
		in, out = in[m*p.InBytes:], out[m*p.OutBytes:]
	}
	return ok
}

// tiles runs whole tiles in place, some for each call, until a check fails.
func (v *vectorFrame) tiles(in []byte, tiles int, out []byte) bool {
	for tiles > 0 {
		n := min(tiles, v.tilesInCall)
		if !v.some(in, n, out) {
			return false
		}
		in, out, tiles = in[n*v.args.inStep:], out[n*v.args.outStep:], tiles-n
	}
	return true
}

// some runs n tiles, as for the usual values if they seem to be such.
func (v *vectorFrame) some(in []byte, n int, out []byte) bool {
	switch {
	case v.calls > 0:
		v.calls--
	case v.execute(in, n, out):
		v.next = 0
		return true
	case !v.stream.guessed:
		return false
	default:
		v.unusual()
	}
	return v.other().tiles(in, n, out)
}

// unusual makes the next calls be those that are right for all values.
func (v *vectorFrame) unusual() {
	v.next = min(2*v.next+1, mostCalls)
	v.calls = v.next
}

// other is the frame that is right for all values.
func (v *vectorFrame) other() *vectorFrame {
	if v.exact == nil {
		p := v.stream.program
		v.exact = p.frameOf(prepare(&p.prepared.exact, p, false))
	}
	return v.exact
}

// execute runs n tiles and reports whether all checks held.
func (v *vectorFrame) execute(in []byte, n int, out []byte) bool {
	v.args.in, v.args.out, v.args.wrong = address(in), address(out), [8]uint32{}
	code := v.stream.code
	if v.past && v.stream.past != nil {
		code = v.stream.past
	}
	for _, piece := range v.stream.pieces {
		v.args.code, v.args.tiles = address(code[piece:]), n
		execute(&v.args)
	}
	v.args.in, v.args.out = nil, nil
	return v.args.wrong == [8]uint32{}
}

// last runs a tile that is not whole, or at whose end nothing may be touched, on copies. The
// blocks that are not there are like the last one.
func (v *vectorFrame) last(in, out []byte) bool {
	size := v.args.inSize
	n := copy(v.input, in)
	for end := v.args.inStep; n < end; n += size {
		copy(v.input[n:], v.input[n-size:n])
	}
	ok := v.tiles(v.input, 1, v.output)
	copy(out, v.output)
	return ok
}
