// SPDX-License-Identifier: Apache-2.0

package strip

import (
	"encoding/binary"
	"math"
	"testing"
)

// TestProgram scales three floats of a block by the largest of them and packs codes of 5 bits.
func TestProgram(t *testing.T) {
	const scale, codes, at, zero = 3, 4, 7, 8
	p := &Program{
		Rows: 10, InBytes: 12, OutBytes: 2, Out: []Row{at}, Constants: []Constant{{zero, math.Float32bits(31)}},
		Ops: []Op{
			{Code: Copy, Steps: []Step{{Dst: scale, X: 0}}},
			{Code: MaxF, Steps: []Step{{Dst: scale, X: scale, Y: 1}, {Dst: scale, X: scale, Y: 2}}},
			{Code: DivF, Steps: []Step{{Dst: scale, X: zero, Y: scale}}},
			{Code: MulF, Steps: []Step{{Dst: codes, X: 0, Y: scale}, {Dst: codes + 1, X: 1, Y: scale}, {Dst: codes + 2, X: 2, Y: scale}}},
			{Code: Int, Steps: []Step{{Dst: codes, X: codes}, {Dst: codes + 1, X: codes + 1}, {Dst: codes + 2, X: codes + 2}}},
			{Code: Check, Steps: []Step{{X: codes, Mask: 31}, {X: codes + 1, Mask: 31}, {X: codes + 2, Mask: 31}}},
			{Code: Bits, Steps: []Step{
				{Dst: at, X: codes, Mask: 31, First: true}, {Dst: at, X: codes + 1, Mask: 31, Left: 5}, {Dst: at, X: codes + 2, Mask: 31, Left: 10},
			}},
		},
	}
	const n = 1000
	in, out := make([]byte, 12*n), make([]byte, 2*n)
	for i := range n {
		for j := range 3 {
			binary.LittleEndian.PutUint32(in[12*i+4*j:], math.Float32bits(float32(1+(7*i+11*j)%31)))
		}
	}
	if !p.NewFrame().Run(in, n, out) {
		t.Fatal("a check failed")
	}
	for i := range n {
		v := [3]float32{}
		for j := range v {
			v[j] = float32(1 + (7*i+11*j)%31)
		}
		s := 31 / max(v[0], v[1], v[2])
		want := uint16(v[0]*s) | uint16(v[1]*s)<<5 | uint16(v[2]*s)<<10
		if got := binary.LittleEndian.Uint16(out[2*i:]); got != want {
			t.Fatalf("block %d: %#x, expected %#x", i, got, want)
		}
	}
	binary.LittleEndian.PutUint32(in[12*999:], math.Float32bits(-1))
	if p.NewFrame().Run(in, n, out) {
		t.Error("a negative code passed the check")
	}
}

// TestLanesThatAreNotThere looks a table up, then leaves other words in the strip of the index: a tile that
// is not full finds them behind its last lane.
func TestLanesThatAreNotThere(t *testing.T) {
	p := (&Program{
		Rows: 3, In: 0, Out: []Row{1}, OutBytes: 4, Constants: []Constant{{2, 1 << 30}},
		Ops: []Op{
			{Code: Table, Table: []uint32{10, 20, 30}, Steps: []Step{{Dst: 1, X: 0}}},
			{Code: Copy, Steps: []Step{{Dst: 0, X: 2}}},
		},
	}).OfColumns([]Column{OfWords})
	words := make([]float32, 5+Spare)
	for i := range words {
		words[i] = math.Float32frombits(uint32(i % 3))
	}
	for _, f := range []*Frame{p.NewFrame(), p.PlainFrame()} {
		for range 2 {
			out := make([]float32, 5)
			f.Floats([]Source{{Words: words}}, len(out), out, false)
			for i, x := range out {
				if want := 10 * uint32(i%3+1); math.Float32bits(x) != want {
					t.Fatalf("lane %d is %d, want %d", i, math.Float32bits(x), want)
				}
			}
		}
	}
}
