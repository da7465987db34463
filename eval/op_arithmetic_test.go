// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"
	"testing"

	"github.com/structview/structview/tensor"
)

// halves returns a tensor of a 16-bit float type.
func halves(t tensor.Type, dims []int64, v ...float32) *tensor.Tensor {
	out, err := tensor.FromFloat32s(t, dims, v, false, tensor.RoundNearest)
	if err != nil {
		panic(err)
	}
	return out
}

func TestArithmeticKnown(t *testing.T) {
	f, i32, u8 := tensor.Of[float32], tensor.Of[int32], tensor.Of[uint8]
	wantNode(t, 14, "Add", []Value{f([]int64{2, 3}, 1, 2, 3, 4, 5, 6), f([]int64{3}, 10, 20, 30)},
		f([]int64{2, 3}, 11, 22, 33, 14, 25, 36))
	wantNode(t, 14, "Sub", []Value{f([]int64{2, 1}, 1, 2), f([]int64{1, 3}, 10, 20, 40)},
		f([]int64{2, 3}, -9, -19, -39, -8, -18, -38))
	wantNode(t, 14, "Mul", []Value{u8([]int64{2}, 100, 3), u8(nil, 3)}, u8([]int64{2}, 44, 9))
	wantNode(t, 14, "Div", []Value{i32([]int64{4}, 7, -7, 9, math.MinInt32), i32([]int64{4}, 2, 2, -4, -1)},
		i32([]int64{4}, 3, -3, -2, math.MinInt32))
	wantNode(t, 13, "Mod", []Value{i32([]int64{4}, 7, -7, 7, -7), i32([]int64{4}, 5, 5, -5, -5)}, i32([]int64{4}, 2, 3, -3, -2))
	wantNode(t, 13, "Mod", []Value{i32([]int64{4}, 7, -7, 7, -7), i32([]int64{4}, 5, 5, -5, -5)},
		i32([]int64{4}, 2, -2, 2, -2), intAttribute("fmod", 1))
	wantNode(t, 13, "Mod", []Value{f([]int64{2}, 5.5, -5.5), f(nil, 2)}, f([]int64{2}, 1.5, -1.5), intAttribute("fmod", 1))
	wantNode(t, 13, "Min", []Value{f([]int64{3}, 1, 5, 3), f([]int64{3}, 4, 2, 9), f(nil, 2.5)}, f([]int64{3}, 1, 2, 2.5))
	wantNode(t, 13, "Max", []Value{u8([]int64{2, 1}, 1, 200), u8([]int64{2}, 100, 3)}, u8([]int64{2, 2}, 100, 3, 200, 200))
	wantNode(t, 13, "Mean", []Value{f([]int64{2}, 1, 2), f([]int64{2}, 3, 5), f(nil, 8)}, f([]int64{2}, 4, 5))
	wantNode(t, 13, "Clip", []Value{i32([]int64{4}, -9, 1, 2, 30), i32(nil, 0), nil}, i32([]int64{4}, 0, 1, 2, 30))
	wantNode(t, 13, "Clip", []Value{f([]int64{3}, -9, 1, 30), f(nil, 5), f(nil, 3)}, f([]int64{3}, 3, 3, 3))
	wantNode(t, 13, "Neg", []Value{tensor.Of([]int64{2}, int8(-128), 5)}, tensor.Of([]int64{2}, int8(-128), -5))
	wantNode(t, 13, "Abs", []Value{tensor.Of([]int64{3}, int8(-128), 5, -6)}, tensor.Of([]int64{3}, int8(-128), 5, 6))
	wantNode(t, 22, "Round", []Value{f([]int64{4}, 0.5, 1.5, -2.5, -0.25)}, f([]int64{4}, 0, 2, -2, float32(math.Copysign(0, -1))))
	wantNode(t, 13, "Sign", []Value{f([]int64{3}, -0.5, float32(math.Copysign(0, -1)), 9)}, f([]int64{3}, -1, 0, 1))
}

func TestPowKnown(t *testing.T) {
	f, i32, i64 := tensor.Of[float32], tensor.Of[int32], tensor.Of[int64]
	wantNode(t, 15, "Pow", []Value{f([]int64{3}, 2, 3, 4), i64([]int64{3}, 3, 2, -1)}, f([]int64{3}, 8, 9, 0.25))
	wantNode(t, 15, "Pow", []Value{i32([]int64{5}, 3, -1, -1, 2, 7), i64([]int64{5}, 21, -3, -4, -1, 0)},
		i32([]int64{5}, 1870418611, -1, 1, 0, 1))
	wantNode(t, 15, "Pow", []Value{i64([]int64{2}, 9, 10), f([]int64{2}, 0.5, 2.5)}, i64([]int64{2}, 3, 316))
}

// TestSumRoundsOnce adds three values whose partial sums are not FLOAT16 numbers.
func TestSumRoundsOnce(t *testing.T) {
	for _, typ := range []tensor.Type{tensor.Float16, tensor.BFloat16} {
		a, b := halves(typ, nil, 256), halves(typ, nil, 0.75)
		wantNode(t, 13, "Sum", []Value{a, b, b}, halves(typ, nil, 257.5))
		wantNode(t, 14, "Mul", []Value{halves(typ, []int64{2}, 3, 5), halves(typ, nil, 1.5)}, halves(typ, []int64{2}, 4.5, 7.5))
	}
}

func TestArithmeticErrors(t *testing.T) {
	f, i32 := tensor.Of[float32], tensor.Of[int32]
	wantError(t, 14, "Add", []Value{f([]int64{2}, 1, 2), f([]int64{3}, 1, 2, 3)}, "node 0 (Add): shapes [2] and [3] do not broadcast")
	wantError(t, 14, "Add", []Value{f(nil, 1), i32(nil, 1)},
		"node 0 (Add): input 1 (B): INT32, but an earlier input is FLOAT: both must be of one type")
	wantError(t, 14, "Add", []Value{tensor.Of(nil, true), tensor.Of(nil, true)},
		"node 0 (Add): input 0 (A): BOOL[] is not allowed, expected one of FLOAT, UINT8, INT8, UINT16, INT16, INT32, INT64, FLOAT16, DOUBLE, UINT32, UINT64, BFLOAT16")
	wantError(t, 14, "Div", []Value{i32([]int64{2}, 1, 2), i32([]int64{2}, 1, 0)}, "node 0 (Div): integer division by zero")
	wantError(t, 13, "Mod", []Value{f(nil, 1), f(nil, 1)}, "node 0 (Mod): FLOAT inputs need the attribute fmod 1")
	wantError(t, 13, "Clip", []Value{f(nil, 1), f([]int64{2}, 1, 2)}, "node 0 (Clip): min has the shape [2], expected a scalar")
	wantError(t, 14, "Add", []Value{f(nil, 1)}, "node 0 (Add): input 1 (B) is missing")
	wantError(t, 14, "Neg", []Value{f(nil, 1)}, "node 0 (Neg): the operator has no attribute \"alpha\"", intAttribute("alpha", 1))
	wantError(t, 14, "Round", []Value{halves(tensor.BFloat16, nil, 1)},
		"node 0 (Round): input 0 (X): BFLOAT16[] is not allowed, expected one of FLOAT, FLOAT16, DOUBLE")
}
