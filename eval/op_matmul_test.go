// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"
	"testing"

	"github.com/structview/structview/tensor"
)

func TestMatMul(t *testing.T) {
	a, b := f32s([]int64{2, 3}, 1, 2, 3, 4, 5, 6), f32s([]int64{3, 2}, 7, 8, 9, 10, 11, 12)
	wantNode(t, 13, "MatMul", []Value{a, b}, f32s([]int64{2, 2}, 58, 64, 139, 154))
	wantNode(t, 13, "MatMul", []Value{f32s([]int64{3}, 1, 2, 3), f32s([]int64{3}, 4, 5, 6)}, f32s(nil, 32))
	wantNode(t, 13, "MatMul", []Value{f32s([]int64{3}, 1, 2, 3), b}, f32s([]int64{2}, 58, 64))
	wantNode(t, 13, "MatMul", []Value{a, f32s([]int64{3}, 1, 0, -1)}, f32s([]int64{2}, -2, -2))
	// Leading dimensions [2,1] and [3] broadcast.
	wantNode(t, 13, "MatMul", []Value{f32s([]int64{2, 1, 1, 1}, 2, 3), f32s([]int64{3, 1, 2}, 1, 2, 3, 4, 5, 6)},
		f32s([]int64{2, 3, 1, 2}, 2, 4, 6, 8, 10, 12, 3, 6, 9, 12, 15, 18))
	wantNode(t, 13, "MatMul", []Value{f32s([]int64{2, 0}), f32s([]int64{0, 1})}, f32s([]int64{2, 1}, 0, 0))
	wantNode(t, 9, "MatMul", []Value{tensor.Of([]int64{1, 1}, uint32(1<<31)), tensor.Of([]int64{1, 1}, uint32(3))},
		tensor.Of([]int64{1, 1}, uint32(1<<31)))
	// In index order: (1e8 + 1) - 1e8 loses the 1.
	wantNode(t, 13, "MatMul", []Value{f32s([]int64{3}, 1e8, 1, -1e8), f32s([]int64{3}, 1, 1, 1)}, f32s(nil, 0))
	wantError(t, 13, "MatMul", []Value{a, a}, "node 0 (MatMul): shapes [2,3] and [2,3] do not fit a matrix product")
	wantError(t, 13, "MatMul", []Value{a, f32s(nil, 1)}, "node 0 (MatMul): shapes [2,3] and []: scalars have no matrix product")
}

func TestGemm(t *testing.T) {
	a, b := f32s([]int64{2, 3}, 1, 2, 3, 4, 5, 6), f32s([]int64{3, 2}, 7, 8, 9, 10, 11, 12)
	at, bt := f32s([]int64{3, 2}, 1, 4, 2, 5, 3, 6), f32s([]int64{2, 3}, 7, 9, 11, 8, 10, 12)
	ab := f32s([]int64{2, 2}, 58, 64, 139, 154)
	wantNode(t, 13, "Gemm", []Value{a, b}, ab)
	wantNode(t, 13, "Gemm", []Value{at, bt}, ab, intAttribute("transA", 1), intAttribute("transB", 1))
	wantNode(t, 13, "Gemm", []Value{a, b, f32s([]int64{2}, 1, 2)}, f32s([]int64{2, 2}, 31, 36, 71.5, 81),
		floatAttribute("alpha", 0.5), floatAttribute("beta", 2))
	wantNode(t, 7, "Gemm", []Value{a, b, f32s([]int64{2, 1}, 1, 2)}, f32s([]int64{2, 2}, 59, 65, 141, 156))
	wantNode(t, 13, "Gemm", []Value{a, b, f32s(nil, -58)}, f32s([]int64{2, 2}, 0, 6, 81, 96))
	i := tensor.Of[int64]
	wantNode(t, 13, "Gemm", []Value{i([]int64{1, 1}, 7), i([]int64{1, 1}, 3)}, i([]int64{1, 1}, 10), floatAttribute("alpha", 0.5))
	wantNode(t, 13, "Gemm", []Value{i([]int64{1, 1}, math.MaxInt64), i([]int64{1, 1}, 1)}, i([]int64{1, 1}, math.MaxInt64))
	wantError(t, 13, "Gemm", []Value{a, b, f32s([]int64{3}, 1, 2, 3)}, "node 0 (Gemm): input 2: [3] does not broadcast to [2,2]")
	wantError(t, 13, "Gemm", []Value{a, a}, "node 0 (Gemm): FLOAT[2,3] and FLOAT[2,3] have the depths 3 and 2")
	wantError(t, 13, "Gemm", []Value{a, f32s([]int64{3}, 1, 2, 3)}, "node 0 (Gemm): input 1 is FLOAT[3], expected a matrix")
}

func TestEinsum(t *testing.T) {
	m := f32s([]int64{2, 3}, 1, 2, 3, 4, 5, 6)
	s := f32s([]int64{2, 2, 2}, 1, 2, 3, 4, 5, 6, 7, 8)
	for _, o := range []struct {
		equation string
		in       []Value
		want     *tensor.Tensor
	}{
		{"ij->ji", []Value{m}, f32s([]int64{3, 2}, 1, 4, 2, 5, 3, 6)},
		{"ij->i", []Value{m}, f32s([]int64{2}, 6, 15)},
		{"ij->", []Value{m}, f32s(nil, 21)},
		{"ji", []Value{m}, f32s([]int64{3, 2}, 1, 4, 2, 5, 3, 6)},
		{"i,i", []Value{f32s([]int64{2}, 3, 4), f32s([]int64{2}, 5, 6)}, f32s(nil, 39)},
		{"i,j->ij", []Value{f32s([]int64{2}, 3, 4), f32s([]int64{2}, 5, 6)}, f32s([]int64{2, 2}, 15, 18, 20, 24)},
		{"... i i -> ... i", []Value{s}, f32s([]int64{2, 2}, 1, 4, 5, 8)},
		{"ii...->...", []Value{s}, f32s([]int64{2}, 8, 10)},
		{"...jk,...kl", []Value{s, f32s([]int64{2, 1}, 1, 10)}, f32s([]int64{2, 2, 1}, 21, 43, 65, 87)},
		{"bij,bjk->bik", []Value{s, s}, f32s([]int64{2, 2, 2}, 7, 10, 15, 22, 67, 78, 91, 106)},
		{"ij,ij,ij->j", []Value{m, m, m}, f32s([]int64{3}, 65, 133, 243)},
		{"Zi->iZ", []Value{m}, f32s([]int64{3, 2}, 1, 4, 2, 5, 3, 6)},
		{"aB", []Value{m}, f32s([]int64{3, 2}, 1, 4, 2, 5, 3, 6)},
		{",->", []Value{f32s(nil, 3), f32s(nil, 5)}, f32s(nil, 15)},
		{"ij,jk->ik", []Value{f32s([]int64{1, 0}), f32s([]int64{0, 2})}, f32s([]int64{1, 2}, 0, 0)},
	} {
		wantNode(t, 12, "Einsum", o.in, o.want, stringAttribute("equation", o.equation))
	}
	wantNode(t, 12, "Einsum", []Value{tensor.Of([]int64{2}, int8(100), 100)}, tensor.Of(nil, int8(-56)),
		stringAttribute("equation", "i->"))
	for equation, want := range map[string]string{
		"ij,jk->ik": "node 0 (Einsum, which gives \"u\"): the equation has 2 terms, there are 1 inputs",
		"i->i":      "node 0 (Einsum, which gives \"u\"): input 0 is [2,3], its term has 1 subscripts",
		"ij->k":     `node 0 (Einsum, which gives "u"): equation "ij->k": 'k' of the result is in no term`,
		"ij->ii":    `node 0 (Einsum, which gives "u"): equation "ij->ii": the result has 'i' twice`,
		"i1->i":     `node 0 (Einsum, which gives "u"): equation "i1->i": '1' is no subscript, expected a letter or an ellipsis`,
		"ii->i":     "node 0 (Einsum, which gives \"u\"): input 0 is [2,3]: its dimension 1 is 2 elsewhere",
	} {
		wantError(t, 12, "Einsum", []Value{m}, want, stringAttribute("equation", equation))
	}
}

func TestMatMulInteger(t *testing.T) {
	a := tensor.Of([]int64{2, 2}, uint8(11), 7, 3, 255)
	b := tensor.Of([]int64{2, 2}, int8(1), -4, 2, 5)
	wantNode(t, 10, "MatMulInteger", []Value{a, b}, tensor.Of([]int64{2, 2}, int32(25), -9, 513, 1263))
	wantNode(t, 10, "MatMulInteger", []Value{a, b, tensor.Of(nil, uint8(10)), tensor.Of([]int64{1}, int8(1))},
		tensor.Of([]int64{2, 2}, int32(-3), -17, 245, 1015))
	// A vector of zero points goes by rows on the left, by columns on the right.
	wantNode(t, 10, "MatMulInteger", []Value{a, b, tensor.Of([]int64{2}, uint8(11), 3), tensor.Of([]int64{2}, int8(1), 5)},
		tensor.Of([]int64{2, 2}, int32(-4), 0, 252, 0))
	wantNode(t, 10, "MatMulInteger", []Value{a, b, nil, tensor.Of([]int64{1, 2}, int8(0), 5)},
		tensor.Of([]int64{2, 2}, int32(25), -99, 513, -27))
	wantNode(t, 10, "MatMulInteger", []Value{tensor.Of([]int64{2}, uint8(2), 3), tensor.Of([]int64{2}, uint8(5), 7)},
		tensor.Of(nil, int32(31)))
	wantError(t, 10, "MatMulInteger", []Value{a, b, tensor.Of([]int64{3}, uint8(1), 2, 3)},
		"node 0 (MatMulInteger): input 2 (a_zero_point): [3,1] does not broadcast to [2,1]")
}

func TestQLinearMatMul(t *testing.T) {
	a := tensor.Of([]int64{2, 2}, uint8(130), 126, 128, 255)
	b := tensor.Of([]int64{2, 2}, uint8(1), 4, 2, 5)
	s, z := func(v ...float32) *tensor.Tensor { return f32s([]int64{int64(len(v))}, v...) }, tensor.Of(nil, uint8(128))
	one, zero := s(1), tensor.Of(nil, uint8(0))
	// Centred: [[2,-2],[0,127]] times [[1,4],[2,5]] = [[-2,-2],[254,635]].
	wantNode(t, 10, "QLinearMatMul", []Value{a, one, z, b, one, zero, s(4), z}, tensor.Of([]int64{2, 2}, uint8(128), 128, 192, 255))
	wantNode(t, 10, "QLinearMatMul", []Value{a, s(1, 0.5), tensor.Of([]int64{2}, uint8(128), 128), b, s(1, 2), tensor.Of([]int64{2}, uint8(0), 0), one, zero},
		tensor.Of([]int64{2, 2}, uint8(0), 0, 127, 255))
	signed := tensor.Of(nil, int8(0))
	wantNode(t, 21, "QLinearMatMul", []Value{
		tensor.Of([]int64{2}, int8(-128), 127), one, signed, tensor.Of([]int64{2, 1}, int8(1), 0), s(0.5), signed, s(1), signed,
	}, tensor.Of([]int64{1}, int8(-64)))
	codes, err := tensor.FromFloat64s(tensor.Float8E4M3FN, []int64{1, 1}, []float64{1.5}, true, tensor.RoundNearest)
	if err != nil {
		t.Fatal(err)
	}
	want, err := tensor.FromFloat64s(tensor.Float8E4M3FN, []int64{1, 1}, []float64{448}, true, tensor.RoundNearest)
	if err != nil {
		t.Fatal(err)
	}
	origin, err := tensor.FromFloat64s(tensor.Float8E4M3FN, nil, []float64{0}, true, tensor.RoundNearest)
	if err != nil {
		t.Fatal(err)
	}
	wantNode(t, 21, "QLinearMatMul", []Value{codes, one, origin, codes, one, origin, s(0.001), origin}, want)
}
