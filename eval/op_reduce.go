// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"math"

	"github.com/structview/structview/tensor"
)

// reduceFamily has the reductions over axes. Elements are taken in index order (SV055): FLOAT in float32 as
// written, FLOAT16 and BFLOAT16 in float32 and rounded once. ReduceL2, ReduceLogSum and ReduceLogSumExp of
// FLOAT end in float64, and integers there are truncated.
//
//   - ReduceSum (versions 1, 13)
//   - ReduceMean, ReduceProd, ReduceL1, ReduceL2, ReduceSumSquare, ReduceLogSum, ReduceLogSumExp (1, 13, 18)
//   - ReduceMax, ReduceMin (1, 12, 13, 18, 20)
//
// Version 11 of each only adds negative axes, which we take before, too.
func reduceFamily() []operator {
	var list []operator
	for _, r := range []struct {
		name string
		k    kernels
	}{
		{"ReduceMean", kernels{
			f32: reduceMean[float32], f64: reduceMean[float64], i32: reduceMean[int32],
			i64: reduceMean[int64], u32: reduceMean[uint32], u64: reduceMean[uint64],
		}},
		{"ReduceProd", kernels{
			f32: reduceProd[float32], f64: reduceProd[float64], i32: reduceProd[int32],
			i64: reduceProd[int64], u32: reduceProd[uint32], u64: reduceProd[uint64],
		}},
		{"ReduceL1", kernels{
			f32: reduceL1[float32], f64: reduceL1[float64], i32: reduceL1[int32],
			i64: reduceL1[int64], u32: reduceL1[uint32], u64: reduceL1[uint64],
		}},
		{"ReduceL2", kernels{
			f32: reduceL2[float32], f64: reduceL2[float64], i32: reduceL2[int32],
			i64: reduceL2[int64], u32: reduceL2[uint32], u64: reduceL2[uint64],
		}},
		{"ReduceSumSquare", kernels{
			f32: reduceSquares[float32], f64: reduceSquares[float64], i32: reduceSquares[int32],
			i64: reduceSquares[int64], u32: reduceSquares[uint32], u64: reduceSquares[uint64],
		}},
		{"ReduceLogSum", kernels{
			f32: reduceLogSum[float32], f64: reduceLogSum[float64], i32: reduceLogSum[int32],
			i64: reduceLogSum[int64], u32: reduceLogSum[uint32], u64: reduceLogSum[uint64],
		}},
		{"ReduceLogSumExp", kernels{
			f32: reduceLogSumExp[float32], f64: reduceLogSumExp[float64], i32: reduceLogSumExp[int32],
			i64: reduceLogSumExp[int64], u32: reduceLogSumExp[uint32], u64: reduceLogSumExp[uint64],
		}},
	} {
		list = append(list, reduceByAttribute(r.name, r.k, at(1, tFloats|tWide), at(13, tHighBF))...)
		list = append(list, reduceByInput(r.name, r.k, at(18, tHighBF))...)
	}
	return append(append(list, reduceSums()...), reduceExtremes()...)
}

func reduceSums() []operator {
	k := kernels{
		f32: reduceSum[float32], f64: reduceSum[float64], i32: reduceSum[int32],
		i64: reduceSum[int64], u32: reduceSum[uint32], u64: reduceSum[uint64],
	}
	return append(reduceByAttribute("ReduceSum", k, at(1, tFloats|tWide)), reduceByInput("ReduceSum", k, at(13, tHighBF))...)
}

func reduceExtremes() []operator {
	const small = tInt8 | tUint8
	var list []operator
	for _, r := range []struct {
		name string
		k    kernels
	}{
		{"ReduceMax", kernels{
			f32: reduceMax[float32], f64: reduceMax[float64], i8: reduceMax[int8], i32: reduceMax[int32],
			i64: reduceMax[int64], u8: reduceMax[uint8], u32: reduceMax[uint32], u64: reduceMax[uint64],
			b: func(c *call) error { return fold(c, false, func(a, x bool) bool { return a || x }, unscaled[bool]) },
		}},
		{"ReduceMin", kernels{
			f32: reduceMin[float32], f64: reduceMin[float64], i8: reduceMin[int8], i32: reduceMin[int32],
			i64: reduceMin[int64], u8: reduceMin[uint8], u32: reduceMin[uint32], u64: reduceMin[uint64],
			b: func(c *call) error { return fold(c, true, func(a, x bool) bool { return a && x }, unscaled[bool]) },
		}},
	} {
		list = append(list, reduceByAttribute(r.name, r.k,
			at(1, tFloats|tWide), at(12, tFloats|tWide|small), at(13, tHighBF|small))...)
		list = append(list, reduceByInput(r.name, r.k, at(18, tHighBF|small), at(20, tHighBF|small|tBool))...)
	}
	return list
}

// reduceByAttribute are the versions with the axes in an attribute.
func reduceByAttribute(name string, k kernels, sets ...version) []operator {
	return versions(operator{
		name: name, in: params("data:T"), out: params("reduced:T"),
		attrs: []attribute{optionalAttr("axes", aInts), intAttr("keepdims", 1)},
		infer: inferReduce, run: viaFloat(k.run),
	}, sets...)
}

// reduceByInput are the versions with the axes in an input.
func reduceByInput(name string, k kernels, sets ...version) []operator {
	return versions(operator{
		name: name, in: params("data:T axes?:I"), out: params("reduced:T"),
		attrs: []attribute{intAttr("keepdims", 1), intAttr("noop_with_empty_axes", 0)},
		infer: inferReduce, run: viaFloat(k.run),
	}, with(sets, "I", tInt64)...)
}

// reducedAxes marks the axes of a rank that are reduced; nil if they are not known.
func (c *typing) reducedAxes(rank int) ([]bool, error) {
	list := c.attr.ints("axes")
	if c.given(1) {
		if d, ok := c.dims(1); ok && len(d) != 1 {
			return nil, fmt.Errorf("axes has rank %d, expected 1", len(d))
		}
		var known bool
		if list, known = c.ints(1); !known && c.count(1) != 0 {
			return nil, nil
		}
	}
	marks := make([]bool, rank)
	if len(list) == 0 {
		for i := range marks {
			marks[i] = !c.attr.flag("noop_with_empty_axes")
		}
		return marks, nil
	}
	found, err := axes(list, rank)
	for _, k := range found {
		marks[k] = true
	}
	return marks, err
}

func inferReduce(c *typing) error {
	dims, ok := c.dims(0)
	if !ok {
		return nil
	}
	marks, err := c.reducedAxes(len(dims))
	if err != nil {
		return err
	}
	keep := c.attr.flag("keepdims")
	switch {
	case marks != nil || len(dims) == 0:
		c.setDims(0, reducedDims(dims, marks, keep)...)
	case keep:
		c.setRank(0, int64(len(dims)))
	case c.count(1) > 0:
		c.setRank(0, int64(len(dims))-c.count(1))
	}
	return nil
}

func reducedDims(dims []int64, marks []bool, keep bool) []int64 {
	out := []int64{}
	for i, d := range dims {
		switch {
		case !marks[i]:
			out = append(out, d)
		case keep:
			out = append(out, 1)
		}
	}
	return out
}

// reduceRuns walks input 0 in index order: n elements from index at on belong to the outputs o, o+step, ….
// It returns how many elements are reduced to one.
func reduceRuns(c *call, f func(at, o, step, n int64)) (int64, error) {
	dims := c.tensor(0).Dims()
	marks, err := c.reducedAxes(len(dims))
	if err != nil {
		return 0, err
	}
	count := int64(1)
	strides := contiguous(reducedDims(dims, marks, true))
	for i, d := range dims {
		if marks[i] {
			strides[i] = 0
			count *= d
		}
	}
	s := newStrided(dims, strides)
	step := s.step(0)
	s.runs(func(at int64, offs []int64, n int64) { f(at, offs[0], step, n) })
	return count, nil
}

// fold computes each output from init by one step per element, and a last step.
func fold[T, A tensor.Native](c *call, init A, step func(acc A, x T) A, last func(acc A, count int64) T) error {
	src, acc := tensor.Slice[T](c.tensor(0)), make([]A, c.outLen(0))
	for i := range acc {
		acc[i] = init
	}
	count, err := reduceRuns(c, func(at, o, k, n int64) {
		if k == 0 {
			a := acc[o]
			for _, x := range src[at : at+n] {
				a = step(a, x)
			}
			acc[o] = a
			return
		}
		for _, x := range src[at : at+n] {
			acc[o] = step(acc[o], x)
			o += k
		}
	})
	if err != nil {
		return err
	}
	dst := make([]T, len(acc))
	for i, a := range acc {
		dst[i] = last(a, count)
	}
	return putSlice(c, 0, dst)
}

func unscaled[T any](acc T, _ int64) T { return acc }

func reduceSum[T number](c *call) error { return fold(c, T(0), add[T], unscaled[T]) }

func reduceProd[T number](c *call) error { return fold(c, T(1), mul[T], unscaled[T]) }

func reduceL1[T number](c *call) error {
	return fold(c, T(0), func(a, x T) T {
		if x < 0 {
			x = -x
		}
		return a + x
	}, unscaled[T])
}

// reduceMean of no elements is NaN, for integers 0.
func reduceMean[T number](c *call) error {
	return fold(c, T(0), add[T], func(sum T, count int64) T {
		if count == 0 {
			return fromDouble[T](math.NaN())
		}
		return sum / T(count)
	})
}

func square[T number](a, x T) T { return a + T(x*x) }

func reduceSquares[T number](c *call) error { return fold(c, T(0), square[T], unscaled[T]) }

func reduceL2[T number](c *call) error {
	return fold(c, T(0), square[T], func(sum T, _ int64) T { return fromDouble[T](math.Sqrt(float64(sum))) })
}

func reduceLogSum[T number](c *call) error {
	return fold(c, T(0), add[T], func(sum T, _ int64) T { return fromDouble[T](math.Log(float64(sum))) })
}

// reduceLogSumExp subtracts the maximum first, so that no exponential overflows.
func reduceLogSumExp[T number](c *call) error {
	src, n := tensor.Slice[T](c.tensor(0)), c.outLen(0)
	top, sum := make([]float64, n), make([]float64, n)
	for i := range top {
		top[i] = math.Inf(-1)
	}
	each := func(f func(o int64, x float64)) error {
		_, err := reduceRuns(c, func(at, o, k, n int64) {
			for _, x := range src[at : at+n] {
				f(o, float64(x))
				o += k
			}
		})
		return err
	}
	if err := each(func(o int64, x float64) { top[o] = higher(top[o], x) }); err != nil {
		return err
	}
	if err := each(func(o int64, x float64) {
		if x != top[o] || !math.IsInf(x, 0) {
			x -= top[o]
		} else {
			x = 0 // the infinite maximum itself
		}
		sum[o] += math.Exp(x)
	}); err != nil {
		return err
	}
	dst := make([]T, n)
	for i := range dst {
		dst[i] = fromDouble[T](top[i] + math.Log(sum[i]))
		if math.IsInf(top[i], -1) {
			dst[i] = fromDouble[T](top[i])
		}
	}
	return putSlice(c, 0, dst)
}

// higher keeps the first of equals and NaN.
func higher[T number](a, x T) T {
	if x > a || x != x {
		return x
	}
	return a
}

func lower[T number](a, x T) T {
	if x < a || x != x {
		return x
	}
	return a
}

// reduceMax of no elements is -infinity, for integers the least one.
func reduceMax[T number](c *call) error { return fold(c, lowest[T](), higher[T], unscaled[T]) }

// reduceMin of no elements is infinity, for integers the greatest one.
func reduceMin[T number](c *call) error { return fold(c, highest[T](), lower[T], unscaled[T]) }
