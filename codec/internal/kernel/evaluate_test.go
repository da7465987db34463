// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestEvaluate: results that are kept are those of the same bits, in every block and run.
func TestEvaluate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	list := []float32{0, float32(math.Copysign(0, -1)), 1, -1, float32(math.NaN()), float32(math.Inf(1)), 0x1p-149}
	number := func() float32 {
		if r.IntN(3) == 0 {
			return math.Float32frombits(r.Uint32())
		}
		return list[r.IntN(len(list))]
	}
	function := func(x, y float32) float32 { return math.Float32frombits(math.Float32bits(x)*3 + math.Float32bits(y)) }
	for operands := 1; operands <= 3; operands++ {
		const blocks = 40
		lanes := 1 + r.IntN(70)
		k := &Evaluate{Name: "test", Lanes: lanes, Func: func(out []float32, in [][]float32) {
			for i := range out {
				out[i] = function(in[0][i], in[len(in)-1][i])
			}
		}}
		p := &Program{}
		buffer := func(n int) BufferID {
			p.Buffers = append(p.Buffers, Buffer{F32, n})
			return BufferID(len(p.Buffers) - 1)
		}
		for i := range operands {
			in := Parameter{Kind: Group, N: 1 + i, Buffer: buffer(lanes)}
			if i == 1 {
				in.Kind = Period
			}
			k.In = append(k.In, in)
		}
		k.To = buffer(lanes)
		p.Ops = []Op{k}
		f := p.NewFrame(blocks)
		for range 50 {
			for _, in := range k.In {
				for i := range f.f32[in.Buffer] {
					f.f32[in.Buffer][i] = number()
				}
			}
			n := 1 + r.IntN(blocks)
			f.Run(nil, n, nil)
			for i := range n * lanes {
				b, l := i/lanes, i%lanes
				x, y := k.In[0], k.In[operands-1]
				want := function(x.at(x.values(f, b), l), y.at(y.values(f, b), l))
				if got := f.f32[k.To][b*f.pitch[k.To]+l]; math.Float32bits(got) != math.Float32bits(want) {
					t.Fatalf("%d operands, block %d, lane %d: %#x, want %#x", operands, b, l, got, want)
				}
			}
		}
	}
}
