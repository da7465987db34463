// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	"math"
	"testing"

	"github.com/structview/structview/tensor"
)

// TestBound checks what the comparison itself lets pass.
func TestBound(t *testing.T) {
	f := func(v ...float32) *tensor.Tensor { return tensor.Of([]int64{int64(len(v))}, v...) }
	nan, negativeNaN := float32(math.NaN()), math.Float32frombits(0xffc00001)
	negativeZero := math.Float32frombits(1 << 31)
	up := func(x float32, n uint32) float32 { return math.Float32frombits(math.Float32bits(x) + n) }
	for _, c := range []struct {
		name      string
		bound     bound
		got, want *tensor.Tensor
		same      bool
	}{
		{"equal", bound{}, f(1, -2), f(1, -2), true},
		{"one ulp, exact", bound{}, f(1, 2), f(1, up(2, 1)), false},
		{"zeros of both signs, exact", bound{}, f(0), f(negativeZero), false},
		{"NaN for NaN", bound{}, f(nan), f(negativeNaN), true},
		{"NaN for a number", bound{ulps: 1 << 40, error: []float64{math.Inf(1)}}, f(nan), f(1), false},
		{"four ulp", transcendental, f(-1), f(-up(1, 4)), true},
		{"five ulp", transcendental, f(-1), f(-up(1, 5)), false},
		{"four ulp across zero", transcendental, f(up(0, 2)), f(-up(0, 2)), true},
		{"ulp before infinity", transcendental, f(math.MaxFloat32), f(float32(math.Inf(1))), true},
		{"within the error", bound{error: []float64{0, 0.25}}, f(1, 2), f(1, 2.25), true},
		{"beyond the error", bound{error: []float64{0.25, 0}}, f(1, 2), f(1, 2.25), false},
		{"integers have no bound", transcendental, tensor.Of(nil, int8(1)), tensor.Of(nil, int8(2)), false},
		{"other dimensions", bound{}, f(1), tensor.Of([]int64{1, 1}, float32(1)), false},
		{"other type", bound{}, f(1), tensor.Of([]int64{1}, float64(1)), false},
	} {
		if err := c.bound.compare(c.got, c.want); (err == nil) != c.same {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
