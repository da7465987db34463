// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

func ints(v ...int64) *tensor.Tensor { return tensor.Of([]int64{int64(len(v))}, v...) }

// six is [[1,2,3],[4,5,6]].
func six() *tensor.Tensor { return tensor.Of([]int64{2, 3}, int16(1), 2, 3, 4, 5, 6) }

func TestShapeOperators(t *testing.T) {
	i16 := tensor.Of[int16]
	for _, c := range []struct {
		op      string
		version int64
		in      []Value
		want    *tensor.Tensor
		attrs   []*onnxpb.AttributeProto
	}{
		{"Reshape", 21, []Value{six(), ints(-1, 2)}, i16([]int64{3, 2}, 1, 2, 3, 4, 5, 6), nil},
		{"Reshape", 21, []Value{six(), ints(0, 1, -1)}, i16([]int64{2, 1, 3}, 1, 2, 3, 4, 5, 6), nil},
		{"Reshape", 21, []Value{i16([]int64{0, 3}), ints(3, 0)}, i16([]int64{3, 0}), []*onnxpb.AttributeProto{intAttribute("allowzero", 1)}},
		{"Shape", 21, []Value{six()}, ints(2, 3), nil},
		{"Shape", 21, []Value{six()}, ints(3), []*onnxpb.AttributeProto{intAttribute("start", -1)}},
		{"Shape", 21, []Value{six()}, ints(2), []*onnxpb.AttributeProto{intAttribute("end", -1)}},
		{"Size", 21, []Value{six()}, tensor.Of(nil, int64(6)), nil},
		{"Concat", 21, []Value{six(), i16([]int64{2, 1}, 7, 8)}, i16([]int64{2, 4}, 1, 2, 3, 7, 4, 5, 6, 8), []*onnxpb.AttributeProto{intAttribute("axis", -1)}},
		{"Squeeze", 21, []Value{i16([]int64{1, 2, 1}, 5, 6), ints(-1)}, i16([]int64{1, 2}, 5, 6), nil},
		{"Squeeze", 21, []Value{i16([]int64{1, 2, 1}, 5, 6)}, i16([]int64{2}, 5, 6), nil},
		{"Unsqueeze", 21, []Value{i16([]int64{2}, 5, 6), ints(0, -1)}, i16([]int64{1, 2, 1}, 5, 6), nil},
		{"Transpose", 21, []Value{six()}, i16([]int64{3, 2}, 1, 4, 2, 5, 3, 6), nil},
		{"Transpose", 21, []Value{i16([]int64{2, 1, 3}, 1, 2, 3, 4, 5, 6)}, i16([]int64{1, 3, 2}, 1, 4, 2, 5, 3, 6), []*onnxpb.AttributeProto{intsAttribute("perm", 1, 2, 0)}},
		{"Flatten", 21, []Value{i16([]int64{2, 1, 3}, 1, 2, 3, 4, 5, 6)}, six(), []*onnxpb.AttributeProto{intAttribute("axis", -1)}},
		{"Expand", 13, []Value{i16([]int64{2, 1}, 1, 2), ints(2, 1, 3)}, i16([]int64{2, 2, 3}, 1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2), nil},
		{"Tile", 13, []Value{i16([]int64{2, 2}, 1, 2, 3, 4), ints(2, 2)}, i16([]int64{4, 4}, 1, 2, 1, 2, 3, 4, 3, 4, 1, 2, 1, 2, 3, 4, 3, 4), nil},
		{"Slice", 13, []Value{six(), ints(1), ints(1 << 40), ints(-1)}, i16([]int64{2, 2}, 2, 3, 5, 6), nil},
		{"Slice", 13, []Value{six(), ints(-1, 1), ints(-99, -99), ints(1, 0), ints(-2, -1)}, i16([]int64{2, 2}, 6, 4, 3, 1), nil},
		{"Slice", 13, []Value{six(), ints(2), ints(1), ints(1)}, i16([]int64{2, 0}), nil},
		{"Gather", 13, []Value{six(), tensor.Of([]int64{2, 2}, int32(0), -1, 1, 0)}, i16([]int64{2, 2, 2}, 1, 3, 2, 1, 4, 6, 5, 4), []*onnxpb.AttributeProto{intAttribute("axis", 1)}},
		{"GatherElements", 13, []Value{six(), tensor.Of([]int64{1, 3}, int64(1), 0, -1)}, i16([]int64{1, 3}, 4, 2, 6), nil},
		{"GatherND", 13, []Value{six(), tensor.Of([]int64{2, 2}, int64(0), 2, -1, 0)}, i16([]int64{2}, 3, 4), nil},
		{"GatherND", 13, []Value{six(), tensor.Of([]int64{2, 1}, int64(2), 1)}, i16([]int64{2}, 3, 5), []*onnxpb.AttributeProto{intAttribute("batch_dims", 1)}},
		{"ScatterElements", 18, []Value{six(), tensor.Of([]int64{1, 3}, int64(1), 0, 1), i16([]int64{1, 3}, 7, 8, 9)}, i16([]int64{2, 3}, 1, 8, 3, 7, 5, 9), nil},
		{
			"ScatterElements", 18,
			[]Value{six(), tensor.Of([]int64{2, 2}, int64(0), 0, 2, 2), i16([]int64{2, 2}, 7, 8, 9, 1)},
			i16([]int64{2, 3}, 8, 2, 3, 4, 5, 9),
			[]*onnxpb.AttributeProto{intAttribute("axis", 1), stringAttribute("reduction", "max")},
		},
		{"ScatterND", 18, []Value{six(), tensor.Of([]int64{1, 1}, int64(1)), i16([]int64{1, 3}, 7, 8, 9)}, i16([]int64{2, 3}, 1, 2, 3, 11, 13, 15), []*onnxpb.AttributeProto{stringAttribute("reduction", "add")}},
		{"Pad", 21, []Value{six(), ints(0, 1, 1, -1), i16(nil, 9)}, i16([]int64{3, 3}, 9, 1, 2, 9, 4, 5, 9, 9, 9), nil},
		{"Pad", 21, []Value{six(), ints(2, 1), nil, ints(-1)}, i16([]int64{2, 6}, 3, 2, 1, 2, 3, 2, 6, 5, 4, 5, 6, 5), []*onnxpb.AttributeProto{stringAttribute("mode", "reflect")}},
		{"Pad", 21, []Value{six(), ints(2, 1), nil, ints(-1)}, i16([]int64{2, 6}, 1, 1, 1, 2, 3, 3, 4, 4, 4, 5, 6, 6), []*onnxpb.AttributeProto{stringAttribute("mode", "edge")}},
		{"Pad", 21, []Value{six(), ints(2, 1), nil, ints(-1)}, i16([]int64{2, 6}, 2, 3, 1, 2, 3, 1, 5, 6, 4, 5, 6, 4), []*onnxpb.AttributeProto{stringAttribute("mode", "wrap")}},
		{"ConstantOfShape", 21, []Value{ints(2, 1)}, i16([]int64{2, 1}, 7, 7), []*onnxpb.AttributeProto{tensorAttribute("value", i16([]int64{1}, 7))}},
		{"ConstantOfShape", 21, []Value{ints()}, tensor.Of(nil, float32(0)), nil},
		{"Range", 13, []Value{i16(nil, 3), i16(nil, 10), i16(nil, 3)}, i16([]int64{3}, 3, 6, 9), nil},
		{"Range", 13, []Value{tensor.Of(nil, 1.5), tensor.Of(nil, -1.0), tensor.Of(nil, -1.0)}, tensor.Of([]int64{3}, 1.5, 0.5, -0.5), nil},
	} {
		wantNode(t, c.version, c.op, c.in, c.want, c.attrs...)
	}
}

func TestSplitKnown(t *testing.T) {
	i16 := tensor.Of[int16]
	x := i16([]int64{5}, 1, 2, 3, 4, 5)
	out, err := runNode(t, 18, "Split", []Value{x}, 2, intAttribute("num_outputs", 2))
	if err != nil || !tensor.Equal(out[0].(*tensor.Tensor), i16([]int64{3}, 1, 2, 3)) || !tensor.Equal(out[1].(*tensor.Tensor), i16([]int64{2}, 4, 5)) {
		t.Errorf("%v %v", out, err)
	}
	out, err = runNode(t, 13, "Split", []Value{six(), ints(1, 2)}, 2, intAttribute("axis", 1))
	if err != nil || !tensor.Equal(out[1].(*tensor.Tensor), i16([]int64{2, 2}, 2, 3, 5, 6)) {
		t.Errorf("%v %v", out, err)
	}
}

// TestMovesSubByteAndStrings moves elements that are no whole bytes, and strings.
func TestMovesSubByteAndStrings(t *testing.T) {
	x := mustPack(t, tensor.Uint4, []int64{2, 3}, 1, 2, 3, 4, 5, 6)
	wantNode(t, 21, "Transpose", []Value{x}, mustPack(t, tensor.Uint4, []int64{3, 2}, 1, 4, 2, 5, 3, 6))
	y := mustPack(t, tensor.Int2, []int64{5}, 0, 1, 2, 3, 1)
	wantNode(t, 25, "Reshape", []Value{y, ints(5, 1)}, mustPack(t, tensor.Int2, []int64{5, 1}, 0, 1, 2, 3, 1))
	wantNode(t, 25, "Pad", []Value{y, ints(1, 1)}, mustPack(t, tensor.Int2, []int64{7}, 0, 0, 1, 2, 3, 1, 0))
	s := mustStrings(t, []int64{3}, "a", "bc", "")
	wantNode(t, 13, "Gather", []Value{s, ints(2, 1)}, mustStrings(t, []int64{2}, "", "bc"))
	wantNode(t, 13, "Concat", []Value{s, s}, mustStrings(t, []int64{6}, "a", "bc", "", "a", "bc", ""), intAttribute("axis", 0))
	wantNode(t, 13, "Slice", []Value{s, ints(-1), ints(-9), ints(0), ints(-1)}, mustStrings(t, []int64{3}, "", "bc", "a"))
	wantNode(t, 13, "Pad", []Value{s, ints(0, 1)}, mustStrings(t, []int64{4}, "a", "bc", "", ""))
}

func TestShapeErrors(t *testing.T) {
	for _, c := range []struct {
		op    string
		in    []Value
		want  string
		attrs []*onnxpb.AttributeProto
	}{
		{"Reshape", []Value{six(), ints(4, -1)}, "6 elements [2,3] do not fit the shape [4,?]", nil},
		{"Reshape", []Value{six(), ints(5)}, "6 elements [2,3] do not fit the shape [5] of 5", nil},
		{"Reshape", []Value{six(), ints(-1, -1)}, "shape [-1 -1] has more than one -1", nil},
		{"Reshape", []Value{six(), ints(2, 3, 0)}, "dimension 2 of shape [2 3 0] is 0, but the input is [2,3]", nil},
		{"Concat", []Value{six(), tensor.Of([]int64{1, 1}, int16(1))}, "input 1: [1,1] and [2,3] differ in dimension 0", []*onnxpb.AttributeProto{intAttribute("axis", 1)}},
		{"Squeeze", []Value{six(), ints(0)}, "dimension 0 of [2,3] is not 1", nil},
		{"Unsqueeze", []Value{six(), ints(1, 1)}, "axis 1 occurs twice", nil},
		{"Transpose", []Value{six()}, "axis 2 is not in [-2, 1]", []*onnxpb.AttributeProto{intsAttribute("perm", 0, 2)}},
		{"Expand", []Value{six(), ints(2, 2)}, "shapes [2,3] and [2,2] do not broadcast", nil},
		{"Tile", []Value{six(), ints(2)}, "1 repeats for the input [2,3]", nil},
		{"Slice", []Value{six(), ints(0), ints(1), ints(0), ints(0)}, "a step is 0", nil},
		{"Gather", []Value{six(), ints(2)}, "index 2 at position 0 is not in [-2, 1]", nil},
		{"GatherElements", []Value{six(), tensor.Of([]int64{1, 4}, int64(0), 0, 0, 0)}, "indices [1,4] exceed the data [2,3] in dimension 1", nil},
		{"GatherND", []Value{six(), tensor.Of([]int64{1, 3}, int64(0), 0, 0)}, "tuples of 3 indices exceed the rank of the data [2,3]", nil},
		{"ScatterND", []Value{six(), tensor.Of([]int64{1, 1}, int64(0)), tensor.Of([]int64{1, 2}, int16(1), 2)}, "updates have the shape [1,2], expected [1,3]", nil},
		{"Pad", []Value{six(), ints(0, -2, 0, -2)}, "dimension 1: pads -2 and -2 take more away than the 3 elements", nil},
		{"ConstantOfShape", []Value{ints(-1)}, "shape [-1] has a negative dimension", nil},
		{"Range", []Value{tensor.Of(nil, int16(1)), tensor.Of(nil, int16(5)), tensor.Of(nil, int16(0))}, "no range in steps of 0", nil},
		{"Split", []Value{six(), ints(1, 3)}, "2 sizes for 1 outputs", []*onnxpb.AttributeProto{intAttribute("axis", 1)}},
		{"Scatter", []Value{six(), ints(0), ints(0)}, "operator Scatter is not in opset ai.onnx 21", nil},
	} {
		op := c.op
		wantError(t, 21, op, c.in, "node 0 ("+op+"): "+c.want, c.attrs...)
	}
}
