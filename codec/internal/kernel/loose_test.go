// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"math"
	"testing"
)

// placed is a payload of size bytes with the bits of a number in its parts.
func placed(number uint64, size int, parts []Segment) []byte {
	out := make([]byte, size)
	for _, s := range parts {
		for i := range s.Width {
			bit := s.Bit + i
			out[bit/8] |= byte(number>>(s.Left+i)&1) << (bit % 8)
		}
	}
	return out
}

// Every format, in one part that begins at any bit and in two that are the wrong way round.
func TestLoose(t *testing.T) {
	for _, c := range []struct {
		format Format
		bits   uint64
		want   float32
	}{
		{F16, 0xc100, -2.5},
		{BF16, 0x3f80, 1},
		{Float32, uint64(math.Float32bits(-0.3)), -0.3},
		{Float64, math.Float64bits(1e10), 1e10},
		{Int32, uint64(uint32(0xfffffff0)), -16},
		{Uint32, 0xfffffff0, 0xfffffff0},
		{Int64, 0xffffffff00000000, -0x1p32},
		{Uint64, 0xffffffff00000000, 0xffffffff00000000},
	} {
		width := 8 * c.format.size()
		for _, parts := range [][]Segment{
			{{Bit: 0, Width: width}},
			{{Bit: 5, Width: width}},
			{{Bit: 11, Width: width / 2, Left: width / 2}, {Bit: 1 + 11 + width/2, Width: width / 2}},
		} {
			p := &Program{Stride: 12, Buffers: []Buffer{{F32, 2}}, Ops: []Op{&Loose{Parts: [][]Segment{parts, {}}, Format: c.format}}}
			f := p.NewFrame(2)
			one := placed(c.bits, 12, parts)
			payload := append(append(make([]byte, 12), one...), make([]byte, p.Over())...)
			f.Run(payload, 2, nil)
			if got := f.f32[0]; got[0] != 0 || got[1] != 0 || got[8] != c.want || got[9] != 0 {
				t.Errorf("%v in %v: %v", c.format, parts, got[:10])
			}
		}
	}
}

// A block's number ends where the payload does.
func TestLooseOver(t *testing.T) {
	k := &Loose{Parts: [][]Segment{{{Bit: 3, Width: 16}}}, Format: F16}
	if p := (&Program{Stride: 3, Ops: []Op{k}}); p.Over() != 5 {
		t.Error(p.Over(), "bytes: a word of eight is read")
	}
}
