// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/structview/structview/tensor"
)

// otherValues yields values that are not what an operator expects where v stands, with what each is.
func otherValues(v Value) iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		x, ok := v.(*tensor.Tensor)
		if !ok {
			x = tensor.Of([]int64{2, 3}, float32(1), 2, 3, 4, 5, 6)
			if !yield("a tensor", x) {
				return
			}
		}
		_ = yield("absent", nil) && yield("opaque", struct{}{}) &&
			otherKinds(x, yield) && otherShapes(x, yield) && otherTypes(x, yield) && otherElements(x, yield)
	}
}

func otherKinds(x *tensor.Tensor, yield func(string, Value) bool) bool {
	elem := UnrankedType(x.Type())
	other := zeros(tensor.Uint8, 3)
	for _, s := range []*Sequence{
		{},
		{Elem: elem},
		{Elem: elem, Values: []Value{x}},
		{Elem: elem, Values: []Value{x, zeros(x.Type()), zeros(x.Type(), 0), x}},
		{Elem: elem, Values: []Value{x, other}},
		{Elem: SequenceType(elem), Values: []Value{&Sequence{Elem: elem, Values: []Value{x}}}},
	} {
		if !yield(fmt.Sprintf("a sequence of %d", len(s.Values)), s) {
			return false
		}
	}
	for _, o := range []*Optional{{}, {Elem: elem}, {Elem: elem, Value: x}, {Elem: OptionalType(elem), Value: &Optional{Elem: elem, Value: x}}} {
		if !yield(fmt.Sprintf("an optional of %v", o.Elem), o) {
			return false
		}
	}
	return true
}

func otherShapes(x *tensor.Tensor, yield func(string, Value) bool) bool {
	dims := x.Dims()
	shapes := [][]int64{
		{},
		{0},
		{1},
		{2},
		{0, 1 << 40},
		{1 << 40, 0},
		{1 << 62, 0},
		{0, math.MaxInt64, math.MaxInt64},
		make([]int64, 65),
		slices.Repeat([]int64{1}, 1025), append([]int64{1}, dims...), append(slices.Clone(dims), 1), append([]int64{0}, dims...),
	}
	for i, d := range dims {
		for _, n := range []int64{0, d + 1, 1} {
			s := slices.Clone(dims)
			s[i] = n
			shapes = append(shapes, s)
		}
		shapes = append(shapes, slices.Delete(slices.Clone(dims), i, i+1))
	}
	for _, s := range shapes {
		if n, err := product(s); err != nil || n > 1<<16 {
			continue
		}
		if !yield(fmt.Sprintf("of shape %v", s), zeros(x.Type(), s...)) {
			return false
		}
	}
	return true
}

func otherTypes(x *tensor.Tensor, yield func(string, Value) bool) bool {
	for _, typ := range []tensor.Type{
		tensor.Bool, tensor.Int64, tensor.Int32, tensor.Int8, tensor.Uint8, tensor.Uint64, tensor.Int4, tensor.Uint2, tensor.Float,
		tensor.Double, tensor.Float16, tensor.BFloat16, tensor.Float8E4M3FN, tensor.Float4E2M1, tensor.Float8E8M0, tensor.String, tensor.Complex64,
	} {
		if typ != x.Type() && !yield(typ.String(), zeros(typ, x.Dims()...)) {
			return false
		}
	}
	return true
}

// otherElements puts the extremes of integers and floats everywhere, and in the first and in the last place.
func otherElements(x *tensor.Tensor, yield func(string, Value) bool) bool {
	n := x.Len()
	if n == 0 || n > 1<<12 || !x.Type().IsInteger() && !x.Type().IsFloat() {
		return true
	}
	before, err := tensor.Float64s(x)
	if err != nil {
		return true
	}
	extremes := []float64{math.MinInt64, 1 - 1<<53, -1, 0, 1, 2, 7, 1 << 31, 1 << 40, math.MaxInt64}
	if x.Type().IsFloat() {
		extremes = []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, 1e38, 1e300, math.SmallestNonzeroFloat64}
	}
	for _, e := range extremes {
		for _, where := range []int64{-1, 0, n - 1} {
			v := slices.Clone(before)
			for i := range v {
				if where < 0 || int64(i) == where {
					v[i] = e
				}
			}
			y, err := withElements(x, v)
			if err == nil && !yield(fmt.Sprintf("%v at %d", e, where), y) {
				return false
			}
		}
	}
	return true
}

// withElements is x with other elements; integers of 64 bits saturate.
func withElements(x *tensor.Tensor, v []float64) (*tensor.Tensor, error) {
	if !x.Type().IsInteger() {
		return tensor.Convert(tensor.Of(x.Dims(), v...), x.Type(), false, tensor.RoundNearest)
	}
	ints := make([]int64, len(v))
	for i, f := range v {
		switch {
		case f >= math.MaxInt64:
			ints[i] = math.MaxInt64
		default:
			ints[i] = int64(f)
		}
	}
	return tensor.Convert(tensor.Of(x.Dims(), ints...), x.Type(), false, tensor.RoundNearest)
}

// zeros is a tensor of zeros, or of empty strings.
func zeros(typ tensor.Type, dims ...int64) *tensor.Tensor {
	n, err := product(dims)
	if err != nil {
		panic(err)
	}
	return freshCells(typ, n).mustTensor(dims)
}
