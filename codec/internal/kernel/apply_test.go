// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"math"
	"slices"
	"testing"
)

// Functions of one and of two lanes, with operands of every rate.
func TestApply(t *testing.T) {
	minus := func(x, y float32) float32 { return x - y }
	root := func(x float32) float32 { return float32(math.Sqrt(float64(x))) }
	for _, c := range []struct {
		k    Apply
		want []float32
	}{
		{Apply{One: root, X: Parameter{Kind: Group, N: 1}}, []float32{1, 2, 3, 4, 5}},
		{Apply{One: root, X: Parameter{Kind: Group, N: 2}}, []float32{1, 1, 2, 2, 3}},
		{Apply{One: root, X: Parameter{Kind: Const, Value: 49}}, []float32{7, 7, 7, 7, 7}},
		{Apply{Two: minus, X: Parameter{Kind: Group, N: 1}, Y: Parameter{Kind: Period, N: 2}}, []float32{0, 0, 8, 12, 24}},
		{Apply{Two: minus, X: Parameter{Kind: Const, Value: 1}, Y: Parameter{Kind: Group, N: 4}}, []float32{0, 0, 0, 0, -3}},
	} {
		c.k.Name, c.k.Lanes, c.k.To = "test", 5, 1
		p := &Program{Stride: 1, Buffers: []Buffer{{F32, 5}, {F32, 5}}, Ops: []Op{&c.k}}
		f := p.NewFrame(2)
		for _, at := range []int{0, 8} {
			copy(f.f32[0][at:], []float32{1, 4, 9, 16, 25})
		}
		f.Run(make([]byte, 2+p.Over()), 2, nil)
		for _, at := range []int{0, 8} {
			if got := f.f32[1][at : at+5]; !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, not %v", &c.k, got, c.want)
			}
		}
	}
}

// Values that an operator gives without a loop of its own, specials included.
func TestApplySpecials(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	larger := func(x, y float32) float32 { return max(x, y) }
	k := &Apply{Name: "max", Two: larger, X: Parameter{Kind: Group, N: 1}, Y: Parameter{Kind: Const, Value: 0}, Lanes: 4, To: 1}
	f := (&Program{Stride: 1, Buffers: []Buffer{{F32, 4}, {F32, 4}}, Ops: []Op{k}}).NewFrame(1)
	copy(f.f32[0], []float32{-inf, inf, nan, -1})
	f.Run([]byte{0}, 1, nil)
	if got := f.f32[1]; got[0] != 0 || got[1] != inf || got[2] == got[2] || got[3] != 0 {
		t.Error(got[:4])
	}
}
