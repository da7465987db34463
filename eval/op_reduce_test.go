// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

func f32s(dims []int64, v ...float32) *tensor.Tensor { return tensor.Of(dims, v...) }
func i64s(dims []int64, v ...int64) *tensor.Tensor   { return tensor.Of(dims, v...) }

// cube is [2,3,4] with distinct values.
func cube() *tensor.Tensor {
	v := make([]float32, 24)
	for i := range v {
		v[i] = float32(i*i%31) - 7
	}
	return f32s([]int64{2, 3, 4}, v...)
}

// naive reduces the axes of cube in index order.
func naive(keep [3]bool, init float64, step func(a, x float64) float64) []float64 {
	v := tensor.Slice[float32](cube())
	var order []int
	acc := map[int]float64{}
	for i, x := range v {
		key := 0
		for k, c := range []int{i / 12, i / 4 % 3, i % 4} {
			if keep[k] {
				key = key*10 + c + 1
			}
		}
		if _, ok := acc[key]; !ok {
			acc[key] = init
			order = append(order, key)
		}
		acc[key] = step(acc[key], float64(x))
	}
	out := make([]float64, len(order))
	for i, key := range order {
		out[i] = acc[key]
	}
	return out
}

// TestReduceAxes checks every set of axes, also negative and unsorted, with and without kept dimensions, against
// a plain loop.
func TestReduceAxes(t *testing.T) {
	for set := range 8 {
		var keep [3]bool
		var list, kept, gone []int64
		for k, d := range []int64{2, 3, 4} {
			if keep[k] = set>>k&1 == 0; keep[k] {
				kept, gone = append(kept, d), append(gone, d)
				continue
			}
			kept = append(kept, 1)
			list = append([]int64{int64(k) - int64(k%2)*3}, list...)
		}
		for _, o := range []struct {
			op   string
			init float64
			step func(a, x float64) float64
		}{
			{"ReduceSum", 0, func(a, x float64) float64 { return a + x }},
			{"ReduceMax", -inf, math.Max},
			{"ReduceMin", inf, math.Min},
			{"ReduceL1", 0, func(a, x float64) float64 { return a + math.Abs(x) }},
			{"ReduceSumSquare", 0, func(a, x float64) float64 { return a + x*x }},
		} {
			want := make([]float32, 0)
			for _, x := range naive(keep, o.init, o.step) {
				want = append(want, float32(x))
			}
			axes := i64s([]int64{int64(len(list))}, list...)
			noop := intAttribute("noop_with_empty_axes", 1)
			wantNode(t, 20, o.op, []Value{cube(), axes}, f32s(kept, want...), noop)
			wantNode(t, 20, o.op, []Value{cube(), axes}, f32s(gone, want...), noop, intAttribute("keepdims", 0))
			if len(list) > 0 {
				wantNode(t, 12, o.op, []Value{cube()}, f32s(kept, want...), intsAttribute("axes", list...))
			}
		}
	}
}

func TestReduceKnown(t *testing.T) {
	m := f32s([]int64{2, 2}, 3, -4, 6, 8)
	last := i64s([]int64{1}, -1)
	flat := intAttribute("keepdims", 0)
	for _, o := range []struct {
		op   string
		want *tensor.Tensor
	}{
		{"ReduceSum", f32s([]int64{2}, -1, 14)},
		{"ReduceMean", f32s([]int64{2}, -0.5, 7)},
		{"ReduceProd", f32s([]int64{2}, -12, 48)},
		{"ReduceL1", f32s([]int64{2}, 7, 14)},
		{"ReduceL2", f32s([]int64{2}, 5, 10)},
		{"ReduceSumSquare", f32s([]int64{2}, 25, 100)},
		{"ReduceLogSum", f32s([]int64{2}, float32(nan), 2.6390573)},
		{"ReduceLogSumExp", f32s([]int64{2}, 3.0009115, 8.126928)},
	} {
		wantNode(t, 18, o.op, []Value{m, last}, o.want, flat)
	}
	wantNode(t, 18, "ReduceMean", []Value{tensor.Of([]int64{2}, int32(-4), -3)}, tensor.Of([]int64{1}, int32(-3)))
	wantNode(t, 18, "ReduceL2", []Value{i64s([]int64{2}, 3, 5)}, i64s([]int64{1}, 5))
	wantNode(t, 20, "ReduceMax", []Value{tensor.Of([]int64{2, 2}, false, true, false, false), last},
		tensor.Of([]int64{2}, true, false), flat)
	wantNode(t, 20, "ReduceMin", []Value{tensor.Of([]int64{2, 2}, true, true, false, true), last},
		tensor.Of([]int64{2}, true, false), flat)
	wantNode(t, 13, "ReduceMax", []Value{tensor.Of([]int64{3}, int8(-128), 127, 5)}, tensor.Of([]int64{1}, int8(127)))
	wantNode(t, 18, "ReduceSum", []Value{f32s(nil, 5)}, f32s(nil, 5))
	wantNode(t, 18, "ReduceLogSumExp", []Value{f32s([]int64{2}, 1000, 1000)}, f32s([]int64{1}, 1000.69318))
	wantNode(t, 18, "ReduceLogSumExp", []Value{f32s([]int64{3}, float32(-inf), float32(inf), 1)}, f32s([]int64{1}, float32(inf)))
	wantNode(t, 18, "ReduceLogSumExp", []Value{f32s([]int64{1}, float32(-inf))}, f32s([]int64{1}, float32(-inf)))
}

// TestReduceNothing reduces empty sets, and an empty set of axes.
func TestReduceNothing(t *testing.T) {
	empty, axis := f32s([]int64{2, 0, 3}), i64s([]int64{1}, 1)
	for op, want := range map[string]float64{
		"ReduceSum": 0, "ReduceProd": 1, "ReduceMax": -inf, "ReduceMin": inf, "ReduceL1": 0, "ReduceL2": 0,
		"ReduceSumSquare": 0, "ReduceLogSum": -inf, "ReduceLogSumExp": -inf, "ReduceMean": nan,
	} {
		w := float32(want)
		wantNode(t, 20, op, []Value{empty, axis}, f32s([]int64{2, 1, 3}, w, w, w, w, w, w))
		wantNode(t, 20, op, []Value{empty, i64s([]int64{1}, 0)}, f32s([]int64{1, 0, 3}))
		wantNode(t, 20, op, []Value{empty}, f32s(nil, w), intAttribute("keepdims", 0))
	}
	none, m := i64s([]int64{0}), f32s([]int64{2}, -3, 2)
	for op, want := range map[string]*tensor.Tensor{
		"ReduceSum": m, "ReduceL1": f32s([]int64{2}, 3, 2), "ReduceSumSquare": f32s([]int64{2}, 9, 4),
		"ReduceLogSum": f32s([]int64{2}, float32(nan), float32(math.Log(2))),
	} {
		wantNode(t, 18, op, []Value{m, none}, want, intAttribute("noop_with_empty_axes", 1))
		wantNode(t, 18, op, []Value{m, nil}, want, intAttribute("noop_with_empty_axes", 1))
	}
	wantNode(t, 20, "ReduceMax", []Value{tensor.Of([]int64{0}, []uint8{}...)}, tensor.Of([]int64{1}, uint8(0)))
	wantNode(t, 20, "ReduceMin", []Value{tensor.Of([]int64{0}, []int64{}...)}, i64s([]int64{1}, math.MaxInt64))
	wantNode(t, 20, "ReduceMin", []Value{tensor.Of([]int64{0}, []bool{}...)}, tensor.Of([]int64{1}, true))
}

// TestReduceOrder pins what ONNX leaves open (SV055): the order of sums, the first of equal zeros.
func TestReduceOrder(t *testing.T) {
	zero := float32(math.Copysign(0, -1))
	big := f32s([]int64{4}, 1e8, 1, -1e8, 1)
	wantNode(t, 13, "ReduceSum", []Value{big}, f32s([]int64{1}, 1))
	wantNode(t, 14, "CumSum", []Value{big, i64s(nil, 0)}, f32s([]int64{4}, 1e8, 1e8, 0, 1))
	for op, v := range map[string]*tensor.Tensor{
		"ReduceSum": f32s([]int64{2}, zero, zero),
		"ReduceMax": f32s([]int64{2}, 0, zero),
		"ReduceMin": f32s([]int64{2}, 0, zero),
	} {
		out, err := runNode(t, 18, op, []Value{v}, 1)
		if err != nil || !tensor.Equal(out[0].(*tensor.Tensor), f32s([]int64{1}, 0)) {
			t.Errorf("%s: %v %v, want +0", op, err, text(out[0]))
		}
	}
	out, err := runNode(t, 18, "ReduceMax", []Value{f32s([]int64{2}, zero, 0)}, 1)
	if err != nil || !tensor.Equal(out[0].(*tensor.Tensor), f32s([]int64{1}, zero)) {
		t.Errorf("ReduceMax: %v %v, want -0", err, text(out[0]))
	}
	wantNode(t, 18, "ReduceMin", []Value{f32s([]int64{3}, 1, float32(nan), 0)}, f32s([]int64{1}, float32(nan)))
}

func TestReduceErrors(t *testing.T) {
	wantError(t, 18, "ReduceSum", []Value{cube(), i64s([]int64{1}, 3)}, "node 0 (ReduceSum): axis 3 is not in [-3, 2]")
	wantError(t, 18, "ReduceSum", []Value{cube(), i64s([]int64{2}, 1, -2)}, "node 0 (ReduceSum): axis -2 occurs twice")
	wantError(t, 18, "ReduceMax", []Value{cube(), i64s([]int64{1, 1}, 1)}, "node 0 (ReduceMax): axes has rank 2, expected 1")
	wantError(t, 18, "ReduceMax", []Value{tensor.Of([]int64{1}, true)},
		"node 0 (ReduceMax): input 0 (data): BOOL[1] is not allowed, expected one of FLOAT, UINT8, INT8, INT32, INT64, FLOAT16, DOUBLE, UINT32, UINT64, BFLOAT16")
}

func TestArg(t *testing.T) {
	m := f32s([]int64{2, 3}, 1, 5, 5, 2, 2, -1)
	at := func(name string, v int64) *onnxpb.AttributeProto { return intAttribute(name, v) }
	wantNode(t, 13, "ArgMax", []Value{m}, i64s([]int64{1, 3}, 1, 0, 0))
	wantNode(t, 13, "ArgMax", []Value{m}, i64s([]int64{2}, 1, 0), at("axis", -1), at("keepdims", 0))
	wantNode(t, 13, "ArgMax", []Value{m}, i64s([]int64{2}, 2, 1), at("axis", 1), at("keepdims", 0), at("select_last_index", 1))
	wantNode(t, 13, "ArgMin", []Value{m}, i64s([]int64{2, 1}, 0, 2), at("axis", 1))
	wantNode(t, 1, "ArgMin", []Value{tensor.Of([]int64{3}, uint8(7), 3, 3)}, i64s([]int64{1}, 1))
	wantNode(t, 12, "ArgMin", []Value{tensor.Of([]int64{3}, uint8(7), 3, 3)}, i64s([]int64{1}, 2), at("select_last_index", 1))
	wantNode(t, 13, "ArgMax", []Value{f32s([]int64{4}, 1, float32(nan), 9, float32(nan))}, i64s([]int64{1}, 1))
	wantNode(t, 13, "ArgMax", []Value{f32s([]int64{3}, 0, float32(math.Copysign(0, -1)), 0)}, i64s([]int64{1}, 0))
	wantNode(t, 13, "ArgMax", []Value{codes16(t, tensor.BFloat16, []uint16{0x3f80, 0x4000})}, i64s([]int64{1}, 1))
	wantError(t, 13, "ArgMax", []Value{f32s([]int64{2, 0})},
		"node 0 (ArgMax): axis 1 of [2,0] is empty: there is no extreme element", at("axis", 1))
	wantNode(t, 13, "ArgMax", []Value{f32s([]int64{2, 0})}, i64s([]int64{1, 0}))
}

func TestCumulative(t *testing.T) {
	m := f32s([]int64{2, 3}, 1, 2, 3, 4, 5, 6)
	one, set := i64s(nil, 1), func(names ...string) (list []*onnxpb.AttributeProto) {
		for _, n := range names {
			list = append(list, intAttribute(n, 1))
		}
		return list
	}
	wantNode(t, 14, "CumSum", []Value{m, i64s([]int64{1}, 0)}, f32s([]int64{2, 3}, 1, 2, 3, 5, 7, 9))
	wantNode(t, 14, "CumSum", []Value{m, one}, f32s([]int64{2, 3}, 1, 3, 6, 4, 9, 15))
	wantNode(t, 14, "CumSum", []Value{m, one}, f32s([]int64{2, 3}, 0, 1, 3, 0, 4, 9), set("exclusive")...)
	wantNode(t, 14, "CumSum", []Value{m, one}, f32s([]int64{2, 3}, 6, 5, 3, 15, 11, 6), set("reverse")...)
	wantNode(t, 14, "CumSum", []Value{m, one}, f32s([]int64{2, 3}, 5, 3, 0, 11, 6, 0), set("reverse", "exclusive")...)
	wantNode(t, 26, "CumProd", []Value{m, tensor.Of(nil, int32(-1))}, f32s([]int64{2, 3}, 1, 2, 6, 4, 20, 120))
	wantNode(t, 26, "CumProd", []Value{m, one}, f32s([]int64{2, 3}, 6, 3, 1, 30, 6, 1), set("reverse", "exclusive")...)
	wantNode(t, 11, "CumSum", []Value{tensor.Of([]int64{2}, uint32(math.MaxUint32), 2), i64s(nil, 0)},
		tensor.Of([]int64{2}, uint32(math.MaxUint32), 1))
	wantError(t, 14, "CumSum", []Value{m, i64s(nil, 2)}, "node 0 (CumSum): axis 2 is not in [-2, 1]")
	wantError(t, 14, "CumSum", []Value{m, i64s([]int64{2}, 0, 1)}, "node 0 (CumSum): axis is INT64[2], expected a scalar")
}

func TestSoftmaxFamily(t *testing.T) {
	m := f32s([]int64{1, 2, 2}, 0, float32(math.Log(3)), 1000, 1000)
	wantNode(t, 13, "Softmax", []Value{m}, f32s([]int64{1, 2, 2}, 0.25, 0.75, 0.5, 0.5))
	wantNode(t, 13, "LogSoftmax", []Value{f32s([]int64{2}, 5, 5)}, f32s([]int64{2}, -float32(math.Ln2), -float32(math.Ln2)))
	wantNode(t, 13, "Hardmax", []Value{m}, f32s([]int64{1, 2, 2}, 0, 1, 1, 0))
	wantNode(t, 13, "Hardmax", []Value{m}, f32s([]int64{1, 2, 2}, 0, 0, 1, 1), intAttribute("axis", 1))
	// Before version 13 the axes from one on count as one row.
	wantNode(t, 11, "Hardmax", []Value{m}, f32s([]int64{1, 2, 2}, 0, 0, 1, 0))
	wantNode(t, 11, "Softmax", []Value{f32s([]int64{2, 1, 2}, 0, 0, 7, 7)}, f32s([]int64{2, 1, 2}, .5, .5, .5, .5))
	wantNode(t, 1, "Softmax", []Value{f32s([]int64{2, 2}, 1, 1, 1, 1)}, f32s([]int64{2, 2}, .25, .25, .25, .25), intAttribute("axis", 0))
	wantNode(t, 13, "Softmax", []Value{f32s([]int64{0, 3})}, f32s([]int64{0, 3}))
	wantError(t, 13, "Softmax", []Value{m}, "node 0 (Softmax): axis 3 is not in [-3, 2]", intAttribute("axis", 3))
}
