// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"
	"testing"

	"github.com/structview/structview/tensor"
)

func TestQuantizeKnown(t *testing.T) {
	f, u8, i8 := tensor.Of[float32], tensor.Of[uint8], tensor.Of[int8]
	x := f([]int64{2, 4}, 0, 1, 3, -5, 1000, -1000, 7, float32(math.NaN()))
	wantNode(t, 25, "QuantizeLinear", []Value{x, f(nil, 2), u8(nil, 128)}, u8([]int64{2, 4}, 128, 128, 130, 126, 255, 0, 132, 128))
	wantNode(t, 25, "QuantizeLinear", []Value{x, f([]int64{2}, 2, 1), i8([]int64{2}, 10, -1)},
		i8([]int64{2, 4}, 10, 10, 12, 8, 127, -128, 6, -1), intAttribute("axis", 0))
	blocks := f([]int64{2, 2}, 2, 1, 10, 0.5)
	wantNode(t, 25, "QuantizeLinear", []Value{x, blocks}, mustPack(t, tensor.Int4, []int64{2, 4}, 0, 0, 3, 11, 7, 8, 7, 0),
		intAttribute("block_size", 2), intAttribute("output_dtype", to(tensor.Int4)))
	wantNode(t, 25, "QuantizeLinear", []Value{f([]int64{3}, 1, 5, 100), f(nil, 2)}, mustPack(t, tensor.Float4E2M1, []int64{3}, 1, 4, 7),
		intAttribute("output_dtype", to(tensor.Float4E2M1)))
	h := halves(tensor.Float16, []int64{1}, 2049.0/3) // 683 exactly, the quotient 227.67 is rounded to FLOAT16 first
	wantNode(t, 25, "QuantizeLinear", []Value{h, halves(tensor.Float16, nil, 3)}, u8([]int64{1}, 228))
}

func TestDequantizeKnown(t *testing.T) {
	f, u8 := tensor.Of[float32], tensor.Of[uint8]
	x := u8([]int64{2, 4}, 0, 1, 3, 5, 7, 250, 9, 11)
	wantNode(t, 25, "DequantizeLinear", []Value{x, f(nil, 2), u8(nil, 3)}, f([]int64{2, 4}, -6, -4, 0, 4, 8, 494, 12, 16))
	wantNode(t, 25, "DequantizeLinear", []Value{x, f([]int64{4}, 1, 2, 3, 4)}, f([]int64{2, 4}, 0, 2, 9, 20, 7, 500, 27, 44))
	wantNode(t, 25, "DequantizeLinear", []Value{x, f([]int64{2, 2}, 1, 2, 3, 4), u8([]int64{2, 2}, 0, 1, 2, 3)},
		f([]int64{2, 4}, 0, 1, 4, 8, 15, 744, 24, 32), intAttribute("block_size", 2))
	wantNode(t, 25, "DequantizeLinear", []Value{mustPack(t, tensor.Int2, []int64{4}, 0, 1, 2, 3), halves(tensor.BFloat16, nil, 1.5)},
		halves(tensor.BFloat16, []int64{4}, 0, 1.5, -3, -1.5))
	wantNode(t, 23, "DequantizeLinear", []Value{x, f(nil, 0.5)}, halves(tensor.Float16, []int64{2, 4}, 0, 0.5, 1.5, 2.5, 3.5, 125, 4.5, 5.5),
		intAttribute("output_dtype", to(tensor.Float16)))
	e8, err := tensor.New(tensor.Float8E8M0, nil, []byte{129})
	if err != nil {
		t.Fatal(err)
	}
	wantNode(t, 25, "DequantizeLinear", []Value{x, e8}, f([]int64{2, 4}, 0, 4, 12, 20, 28, 1000, 36, 44), intAttribute("output_dtype", 1))
}

func TestDynamicQuantize(t *testing.T) {
	x := tensor.Of([]int64{4}, float32(-1), 0, 2, 1.55)
	out, err := runNode(t, 13, "DynamicQuantizeLinear", []Value{x}, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []*tensor.Tensor{tensor.Of([]int64{4}, uint8(0), 85, 255, 217), tensor.Of(nil, float32(3)/255), tensor.Of(nil, uint8(85))} {
		if !tensor.Equal(out[i].(*tensor.Tensor), want) {
			t.Errorf("output %d: got %s, want %s", i, text(out[i]), text(want))
		}
	}
}

func TestQuantizeErrors(t *testing.T) {
	f, u8 := tensor.Of[float32], tensor.Of[uint8]
	x := f([]int64{2, 3}, 1, 2, 3, 4, 5, 6)
	wantError(t, 25, "QuantizeLinear", []Value{x, f([]int64{2}, 1, 2)},
		"node 0 (QuantizeLinear): the scale is [2], expected [3] for axis 1 of [2,3]")
	wantError(t, 25, "QuantizeLinear", []Value{x, f(nil, 1), u8([]int64{2}, 1, 2)},
		"node 0 (QuantizeLinear): the scale is [], the zero point [2]: both must have one shape")
	wantError(t, 25, "QuantizeLinear", []Value{x, f([]int64{2, 1}, 1, 2)},
		"node 0 (QuantizeLinear): the scale is [2,1], expected [2,2] for blocks of 2 in axis 1 of [2,3]", intAttribute("block_size", 2))
	wantError(t, 25, "QuantizeLinear", []Value{x, f(nil, 1), u8(nil, 1)},
		"node 0 (QuantizeLinear): output_dtype is INT8, y_zero_point UINT8", intAttribute("output_dtype", 3))
	wantError(t, 21, "QuantizeLinear", []Value{x, halves(tensor.Float16, nil, 1)},
		"node 0 (QuantizeLinear): x is FLOAT, y_scale FLOAT16: both must be of one type")
}
