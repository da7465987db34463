// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

func strs(dims []int64, v ...string) *tensor.Tensor {
	list := make([][]byte, len(v))
	for i, s := range v {
		list[i] = []byte(s)
	}
	t, err := tensor.NewStrings(dims, list)
	if err != nil {
		panic(err)
	}
	return t
}

func TestTriangles(t *testing.T) {
	m := i64s([]int64{2, 3}, 1, 2, 3, 4, 5, 6)
	lower := intAttribute("upper", 0)
	for _, o := range []struct {
		k    int64
		want []int64
		up   bool
	}{
		{0, []int64{1, 2, 3, 0, 5, 6}, true},
		{1, []int64{0, 2, 3, 0, 0, 6}, true},
		{-1, []int64{1, 2, 3, 4, 5, 6}, true},
		{math.MaxInt64, []int64{0, 0, 0, 0, 0, 0}, true},
		{0, []int64{1, 0, 0, 4, 5, 0}, false},
		{1, []int64{1, 2, 0, 4, 5, 6}, false},
		{-1, []int64{0, 0, 0, 4, 0, 0}, false},
		{math.MinInt64, []int64{0, 0, 0, 0, 0, 0}, false},
	} {
		attrs := []*onnxpb.AttributeProto{lower}[:1]
		if o.up {
			attrs = nil
		}
		wantNode(t, 14, "Trilu", []Value{m, i64s(nil, o.k)}, i64s([]int64{2, 3}, o.want...), attrs...)
	}
	wantNode(t, 14, "Trilu", []Value{strs([]int64{1, 2, 2}, "a", "b", "c", "d")}, strs([]int64{1, 2, 2}, "a", "b", "", "d"))
	wantError(t, 14, "Trilu", []Value{i64s([]int64{2}, 1, 2)}, "node 0 (Trilu): the input is INT64[2], expected two dimensions or more")
	wantNode(t, 9, "EyeLike", []Value{m}, i64s([]int64{2, 3}, 0, 1, 0, 0, 0, 1), intAttribute("k", 1))
	wantNode(t, 22, "EyeLike", []Value{m}, tensor.Of([]int64{2, 3}, false, false, false, true, false, false),
		intAttribute("k", -1), intAttribute("dtype", int64(tensor.Bool)))
	wantNode(t, 22, "EyeLike", []Value{m}, i64s([]int64{2, 3}, 0, 0, 0, 0, 0, 0), intAttribute("k", math.MaxInt64))
	wantError(t, 9, "EyeLike", []Value{f32s([]int64{2}, 1, 2)}, "node 0 (EyeLike): the input is FLOAT[2], expected a matrix")
}

func TestDepth(t *testing.T) {
	x := i64s([]int64{1, 4, 1, 2}, 0, 1, 10, 11, 20, 21, 30, 31)
	two := intAttribute("blocksize", 2)
	y := i64s([]int64{1, 1, 2, 4}, 0, 10, 1, 11, 20, 30, 21, 31)
	wantNode(t, 13, "DepthToSpace", []Value{x}, y, two)
	wantNode(t, 1, "DepthToSpace", []Value{x}, y, two)
	wantNode(t, 13, "SpaceToDepth", []Value{y}, x, two)
	deep := i64s([]int64{1, 8, 1, 1}, 0, 1, 2, 3, 4, 5, 6, 7)
	wantNode(t, 13, "DepthToSpace", []Value{deep}, i64s([]int64{1, 2, 2, 2}, 0, 2, 4, 6, 1, 3, 5, 7), two)
	wantNode(t, 11, "DepthToSpace", []Value{deep}, i64s([]int64{1, 2, 2, 2}, 0, 1, 2, 3, 4, 5, 6, 7), two, stringAttribute("mode", "CRD"))
	wantError(t, 13, "DepthToSpace", []Value{x}, "node 0 (DepthToSpace): the depth 4 is no multiple of 9", intAttribute("blocksize", 3))
	wantError(t, 13, "SpaceToDepth", []Value{x}, "node 0 (SpaceToDepth): the height 1 is no multiple of 2", two)
	wantError(t, 13, "SpaceToDepth", []Value{x}, "node 0 (SpaceToDepth): attribute blocksize is 0, expected at least 1", intAttribute("blocksize", 0))
}

func TestOneHot(t *testing.T) {
	off := i64s([]int64{2}, 7, 9)
	wantNode(t, 11, "OneHot", []Value{i64s([]int64{3}, 0, -1, 5), i64s(nil, 3), off},
		i64s([]int64{3, 3}, 9, 7, 7, 7, 7, 9, 7, 7, 7))
	wantNode(t, 11, "OneHot", []Value{f32s([]int64{1, 2}, 1.9, 0), f32s([]int64{1}, 2), strs([]int64{2}, "no", "yes")},
		strs([]int64{1, 2, 2}, "no", "yes", "yes", "no"), intAttribute("axis", 1))
	wantNode(t, 9, "OneHot", []Value{i64s([]int64{2}, 1, 0), i64s(nil, 2), off}, i64s([]int64{2, 2}, 7, 9, 9, 7), intAttribute("axis", 0))
	wantNode(t, 11, "OneHot", []Value{i64s(nil, 1), i64s(nil, 2), off}, i64s([]int64{2}, 7, 9))
	wantError(t, 11, "OneHot", []Value{i64s(nil, 1), i64s(nil, -2), off}, "node 0 (OneHot): depth is -2, expected 0 or more")
	wantError(t, 11, "OneHot", []Value{i64s(nil, 1), i64s(nil, 2), i64s([]int64{1}, 1)}, "node 0 (OneHot): values is INT64[1], expected [off, on]")
}

func TestCompress(t *testing.T) {
	m := strs([]int64{3, 2}, "a", "b", "c", "d", "e", "f")
	pick := func(v ...bool) *tensor.Tensor { return tensor.Of([]int64{int64(len(v))}, v...) }
	wantNode(t, 11, "Compress", []Value{m, pick(false, true, true)}, strs([]int64{2, 2}, "c", "d", "e", "f"), intAttribute("axis", 0))
	wantNode(t, 11, "Compress", []Value{m, pick(false, true)}, strs([]int64{3, 1}, "b", "d", "f"), intAttribute("axis", -1))
	wantNode(t, 9, "Compress", []Value{m, pick(false, true, false, false, true)}, strs([]int64{2}, "b", "e"))
	wantNode(t, 9, "Compress", []Value{m, pick()}, strs([]int64{0}))
	wantError(t, 11, "Compress", []Value{m, pick(false, false, true)}, "node 0 (Compress): condition selects element 2 of 2", intAttribute("axis", 1))
}

func TestNonZero(t *testing.T) {
	zero := float32(math.Copysign(0, -1))
	wantNode(t, 13, "NonZero", []Value{f32s([]int64{2, 3}, 0, 1, zero, float32(nan), 0, -2)}, i64s([]int64{2, 3}, 0, 1, 1, 1, 0, 2))
	wantNode(t, 9, "NonZero", []Value{strs([]int64{3}, "", "0", "x")}, i64s([]int64{1, 2}, 1, 2))
	wantNode(t, 13, "NonZero", []Value{tensor.Of([]int64{3}, 0, complex(0, 1), complex(math.Copysign(0, -1), 0))}, i64s([]int64{1, 1}, 1))
	wantNode(t, 13, "NonZero", []Value{codes16(t, tensor.BFloat16, []uint16{0x8000, 1})}, i64s([]int64{1, 1}, 1))
	wantNode(t, 13, "NonZero", []Value{tensor.Of([]int64{2}, int32(math.MinInt32), 0)}, i64s([]int64{1, 1}, 0))
	wantNode(t, 13, "NonZero", []Value{f32s(nil, 5)}, i64s([]int64{0, 1}))
	wantNode(t, 13, "NonZero", []Value{f32s([]int64{2, 0})}, i64s([]int64{2, 0}))
}

func TestReverseSequence(t *testing.T) {
	m := i64s([]int64{3, 2}, 0, 1, 10, 11, 20, 21)
	wantNode(t, 10, "ReverseSequence", []Value{m, i64s([]int64{2}, 3, 2)}, i64s([]int64{3, 2}, 20, 11, 10, 1, 0, 21))
	wantNode(t, 10, "ReverseSequence", []Value{m, i64s([]int64{3}, 2, 1, 0)}, i64s([]int64{3, 2}, 1, 0, 10, 11, 20, 21),
		intAttribute("batch_axis", 0), intAttribute("time_axis", 1))
	wantError(t, 10, "ReverseSequence", []Value{m, i64s([]int64{3}, 1, 1, 1)}, "node 0 (ReverseSequence): sequence_lens is INT64[3], expected [2]")
	wantError(t, 10, "ReverseSequence", []Value{m, i64s([]int64{2}, 4, 1)}, "node 0 (ReverseSequence): sequence length 4 is not in [0, 3]")
	wantError(t, 10, "ReverseSequence", []Value{m, i64s([]int64{2}, 1, 1)},
		"node 0 (ReverseSequence): batch_axis 1 and time_axis 1, expected 0 and 1 in some order", intAttribute("time_axis", 1))
}

func TestCenterCropPad(t *testing.T) {
	m := i64s([]int64{3, 4}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	wantNode(t, 18, "CenterCropPad", []Value{m, i64s([]int64{2}, 2, 1)}, i64s([]int64{2, 1}, 2, 6))
	wantNode(t, 18, "CenterCropPad", []Value{m, i64s([]int64{2}, 1, 5)}, i64s([]int64{1, 5}, 5, 6, 7, 8, 0))
	wantNode(t, 18, "CenterCropPad", []Value{strs([]int64{1, 1}, "x"), tensor.Of([]int64{1}, int32(4))},
		strs([]int64{4, 1}, "", "x", "", ""), intsAttribute("axes", -2))
	wantError(t, 18, "CenterCropPad", []Value{m, i64s([]int64{1}, 1)}, "node 0 (CenterCropPad): shape is INT64[1], expected [2]")
}
