// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"testing"

	"github.com/structview/structview/tensor"
)

func TestLayerNormalization(t *testing.T) {
	// Mean 3 and variance 4; mean 0 and variance 1 with epsilon 3 gives a deviation of 2.
	x := f32s([]int64{2, 2}, 1, 5, 1, -1)
	none := floatAttribute("epsilon", 0)
	out, err := runNode(t, 17, "LayerNormalization", []Value{x, f32s([]int64{2}, 1, 10), f32s([]int64{2}, 0, 100)}, 3, none)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []*tensor.Tensor{
		f32s([]int64{2, 2}, -1, 110, 1, 90), f32s([]int64{2, 1}, 3, 0), f32s([]int64{2, 1}, 0.5, 1),
	} {
		if !tensor.EqualValues(out[i].(*tensor.Tensor), want) {
			t.Errorf("output %d is %s, want %s", i, text(out[i]), text(want))
		}
	}
	wantNode(t, 17, "LayerNormalization", []Value{f32s([]int64{1, 2}, 1, -1), f32s([]int64{2}, 1, 1)},
		f32s([]int64{1, 2}, 0.5, -0.5), floatAttribute("epsilon", 3))
	// Axis 0 of [2,2]: mean 1.5, variance 4.75.
	out, err = runNode(t, 17, "LayerNormalization", []Value{x, f32s(nil, 1)}, 2, intAttribute("axis", 0))
	if err != nil || text(out[1]) != "FLOAT[1,1] [1.5]" {
		t.Errorf("%v %v", err, text(out[1]))
	}
	half := codes16(t, tensor.Float16, []uint16{0x3c00, 0xbc00})
	out, err = runNode(t, 17, "LayerNormalization", []Value{half, half}, 2, none)
	if err != nil || text(out[0]) != "FLOAT16[2] [1 1]" || text(out[1]) != "FLOAT[1] [0]" {
		t.Errorf("%v %v", err, out)
	}
	wantError(t, 17, "LayerNormalization", []Value{x, f32s([]int64{3}, 1, 2, 3)},
		"node 0 (LayerNormalization): input 1 (Scale): [3] does not broadcast to [2,2]")
	wantError(t, 17, "LayerNormalization", []Value{x, f32s(nil, 1)},
		"node 0 (LayerNormalization): attribute stash_type is INT8, expected FLOAT or BFLOAT16", intAttribute("stash_type", 3))
}

func TestOtherNormalizations(t *testing.T) {
	x := f32s([]int64{2, 2}, 1, 7, 3, -4)
	none := floatAttribute("epsilon", 0)
	wantNode(t, 23, "RMSNormalization", []Value{x, f32s([]int64{2}, 5, 10)},
		f32s([]int64{2, 2}, 1, 14, 4.2426405, -11.313708), none)
	out, err := runNode(t, 23, "RMSNormalization", []Value{codes16(t, tensor.Float16, []uint16{0x3c00, 0xbc00}), f32s([]int64{2}, 3, 5)}, 1, none)
	if err != nil || text(out[0]) != "FLOAT[2] [3 -5]" {
		t.Errorf("%v %v", err, out)
	}
	wantNode(t, 22, "LpNormalization", []Value{f32s([]int64{2, 2}, 3, 4, 0, 0)}, f32s([]int64{2, 2}, .6, .8, 0, 0))
	wantNode(t, 1, "LpNormalization", []Value{f32s([]int64{2, 2}, 3, 4, -1, 4)}, f32s([]int64{2, 2}, .75, .5, -.25, .5),
		intAttribute("axis", 0), intAttribute("p", 1))
	wantError(t, 22, "LpNormalization", []Value{x}, "node 0 (LpNormalization): attribute p is 3, expected 1 or 2", intAttribute("p", 3))
	wantNode(t, 13, "MeanVarianceNormalization", []Value{f32s([]int64{2, 2}, 1, 5, 7, -1)}, f32s([]int64{2, 2}, -1, 1, 1, -1),
		intsAttribute("axes", 1))
	wantNode(t, 13, "MeanVarianceNormalization", []Value{f32s([]int64{1, 2, 1, 2}, 1, 5, 7, -1)}, f32s([]int64{1, 2, 1, 2}, -1, 1, 1, -1))
	wantError(t, 13, "MeanVarianceNormalization", []Value{x}, "node 0 (MeanVarianceNormalization): axis 2 is not in [-2, 1]")
}
