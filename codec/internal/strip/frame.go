// SPDX-License-Identifier: Apache-2.0

package strip

import "encoding/binary"

// Frame is the memory of one goroutine that runs a program.
type Frame struct {
	program *Program
	tile    int      // blocks, a multiple of 32
	memory  []uint32 // strip r begins at r*tile
	wrong   uint32   // bits that Check found in this run
	vector  *vectorFrame
}

// scratchWords is the size of a frame's memory that is aimed at: strips that the first caches hold.
const scratchWords = 1 << 14

// NewFrame allocates the strips and fills in the constants. The program must not change any more.
func (p *Program) NewFrame() *Frame {
	if v := p.vectorFrame(); v != nil {
		return &Frame{program: p, vector: v}
	}
	return p.PlainFrame()
}

// PlainFrame is NewFrame without vector code.
func (p *Program) PlainFrame() *Frame {
	return p.portableFrame(min(max(scratchWords/max(p.Rows, 1)&^31, 32), 1024))
}

func (p *Program) portableFrame(tile int) *Frame {
	f := &Frame{program: p, tile: tile, memory: make([]uint32, p.Rows*tile)}
	for _, c := range p.Constants {
		s := f.strip(c.Row)
		for i := range s {
			s[i] = c.Word
		}
	}
	for _, d := range p.Doubles {
		d.fill(f.strip(d.Row))
	}
	return f
}

func (f *Frame) strip(r Row) []uint32 { return f.memory[int(r)*f.tile:][:f.tile] }

// Run turns n blocks from in, n*InBytes bytes, into n*OutBytes bytes of out. It touches nothing
// outside of them and reports whether every Check held; if not, out is undefined.
func (f *Frame) Run(in []byte, n int, out []byte) bool {
	p := f.program
	in, out = in[:n*p.InBytes], out[:n*p.OutBytes]
	if f.vector != nil {
		return f.vector.run(in, n, out)
	}
	f.wrong = 0
	for n > 0 {
		m := min(n, f.tile)
		f.load(in, m)
		for i := range p.Ops {
			f.op(&p.Ops[i])
		}
		f.store(out, m)
		in, out, n = in[m*p.InBytes:], out[m*p.OutBytes:], n-m
	}
	return f.wrong == 0
}

// load reads the words of m blocks. Blocks that are not there are like the last one, so that
// no check fails for them.
func (f *Frame) load(in []byte, m int) {
	size := f.program.InBytes
	for w := range words(size) {
		s := f.strip(f.program.In + Row(w))
		if at := 4 * w; at+4 <= size {
			for t := range s[:m] {
				s[t] = binary.LittleEndian.Uint32(in[at : at+4 : at+4])
				at += size
			}
		} else {
			for t := range s[:m] {
				s[t] = word(in[t*size+at : t*size+size])
			}
		}
		for t := m; t < len(s); t++ {
			s[t] = s[m-1]
		}
	}
}

// word is a word of less than four bytes.
func word(b []byte) uint32 {
	var w uint32
	for i, c := range b {
		w |= uint32(c) << (8 * i)
	}
	return w
}

func (f *Frame) store(out []byte, m int) {
	size := f.program.OutBytes
	for w, r := range f.program.Out {
		s, at := f.strip(r)[:m], 4*w
		if at+4 <= size {
			for _, x := range s {
				binary.LittleEndian.PutUint32(out[at:at+4:at+4], x)
				at += size
			}
			continue
		}
		for t, x := range s {
			to := out[t*size+at : t*size+size]
			for i := range to {
				to[i] = byte(x >> (8 * i))
			}
		}
	}
}
