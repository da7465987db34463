// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"math"

	"github.com/structview/structview/tensor"
)

// quantizedMatmulFamily has MatMulInteger (version 10) and QLinearMatMul (10, 21).
func quantizedMatmulFamily() []operator {
	bytes := tInt8 | tUint8
	list := []operator{{
		name: "MatMulInteger", since: 10, in: params("A:T1 B:T2 a_zero_point?:T1 b_zero_point?:T2"), out: params("Y:T3"),
		vars:  map[string]types{"T1": bytes, "T2": bytes, "T3": tInt32},
		infer: inferMatMulInteger, run: runMatMulInteger,
	}}
	op := operator{
		name:  "QLinearMatMul",
		infer: inferQLinearMatMul, run: runQLinearMatMul,
		in:  params("a:T1 a_scale:TS a_zero_point:T1 b:T2 b_scale:TS b_zero_point:T2 y_scale:TS y_zero_point:T3"),
		out: params("y:T3"),
	}
	sets := func(since int64, t, s types) version {
		return version{since, map[string]types{"T1": t, "T2": t, "T3": t, "TS": s}}
	}
	return append(list, versions(op, sets(10, bytes, tFloat), sets(21, bytes|tFloat8, tFloat|tFloat16|tBFloat16))...)
}

func inferMatMulInteger(c *typing) error { return c.inferQuantized(1, []int{2}, []int{3}, nil) }

func inferQLinearMatMul(c *typing) error {
	return c.inferQuantized(3, []int{1, 2}, []int{4, 5}, []int{6, 7})
}

// inferQuantized infers the product of inputs 0 and b, and checks the shapes of the scales and zero points: those
// of the left operand and of the result have one element or one a row, those of the right one a column.
func (c *typing) inferQuantized(b int, left, right, result []int) error {
	dimsA, okA := c.dims(0)
	dimsB, okB := c.dims(b)
	if !okA || !okB {
		return nil
	}
	p, dims, err := matrixDims(dimsA, dimsB)
	if err != nil {
		return err
	}
	for _, side := range []struct {
		inputs []int
		to     []int64
		rows   bool
	}{
		{left, oneAt(p.left, 1), true}, {right, oneAt(p.right, 2), false}, {result, oneAt(p.full(), 1), true},
	} {
		for _, i := range side.inputs {
			d, ok := c.dims(i)
			if !ok {
				continue
			}
			if err := broadcastsTo(parameterShape(d, side.rows), side.to); err != nil {
				return fmt.Errorf("input %d (%s): %w", i, c.op.in[i].name, err)
			}
		}
	}
	c.setDims(0, dims...)
	return nil
}

// oneAt returns dims with 1 for the dimension that is the n-th from the end.
func oneAt(dims []int64, n int) []int64 {
	out := append([]int64{}, dims...)
	out[len(out)-n] = 1
	return out
}

// full is the shape of the product with its rows and columns, also of vectors.
func (p product2) full() []int64 { return append(append([]int64{}, p.lead...), p.rows, p.columns) }

// parameterShape is the shape under which a scale or zero point of shape d broadcasts to its matrices: of one
// element to all, a vector by rows or by columns.
func parameterShape(d []int64, rows bool) []int64 {
	if n, err := product(d); err == nil && n == 1 {
		return nil
	}
	if len(d) == 1 && rows {
		return []int64{d[0], 1}
	}
	return d
}

// spreadTo returns the elements of a scale or zero point broadcast to dims.
func spreadTo(t *tensor.Tensor, rows bool, dims []int64) ([]float64, error) {
	n, err := product(dims)
	if err != nil {
		return nil, err
	}
	v, err := tensor.Float64s(t)
	if err != nil {
		return nil, err
	}
	out := make([]float64, n)
	map2(out, v, []float64{0}, dims, parameterShape(t.Dims(), rows), nil, func(x, _ float64) float64 { return x })
	return out, nil
}

// centred returns the elements of t, whose shape as a matrix is dims, less their zero points.
func centred(c *call, t, zero *tensor.Tensor, rows bool, dims []int64) ([]float64, error) {
	if err := c.reserve(tensor.Double, dims); err != nil {
		return nil, err
	}
	v, err := tensor.Float64s(t)
	if err != nil || zero == nil {
		return v, err
	}
	z, err := spreadTo(zero, rows, dims)
	if err != nil {
		return nil, err
	}
	for i := range z {
		z[i] = v[i] - z[i]
	}
	return z, nil
}

// centredProduct is the matrix product of two centred operands. Sums of integers are exact in float64 up to
// 2^53, which 2^36 products of bytes do not reach.
func centredProduct(c *call, a, aZero, b, bZero *tensor.Tensor) ([]float64, product2, error) {
	p, _, err := matrixDims(a.Dims(), b.Dims())
	if err != nil {
		return nil, p, err
	}
	x, err := centred(c, a, aZero, true, p.left)
	if err != nil {
		return nil, p, err
	}
	y, err := centred(c, b, bZero, false, p.right)
	if err != nil {
		return nil, p, err
	}
	if err := c.reserve(tensor.Double, p.full()); err != nil {
		return nil, p, err
	}
	sums := make([]float64, c.outLen(0))
	return sums, p, multiply(c, p, sums, x, y)
}

func runMatMulInteger(c *call) error {
	sums, _, err := centredProduct(c, c.tensor(0), c.tensor(2), c.tensor(1), c.tensor(3))
	if err != nil {
		return err
	}
	dst := make([]int32, len(sums))
	for i, s := range sums {
		dst[i] = int32(int64(s)) // wraps
	}
	return putSlice(c, 0, dst)
}

// runQLinearMatMul scales the exact product by a_scale b_scale / y_scale, rounds to even, adds the zero
// point and saturates. The scales are combined in float32.
func runQLinearMatMul(c *call) error {
	out, p, err := centredProduct(c, c.tensor(0), c.tensor(2), c.tensor(3), c.tensor(5))
	if err != nil {
		return err
	}
	var part [4][]float64 // scales of a, b, y, and the zero point of y
	for k, input := range []int{1, 4, 6, 7} {
		if part[k], err = spreadTo(c.tensor(input), input != 4, p.full()); err != nil {
			return err
		}
	}
	low, high := codeRange(c.out[0].Element)
	for i := range out {
		scale := float32(float32(part[0][i])*float32(part[1][i])) / float32(part[2][i])
		out[i] *= float64(scale)
		if high > 0 {
			out[i] = max(low, min(high, math.RoundToEven(out[i])+part[3][i]))
		}
	}
	t, err := codesOf(c.out[0].Element, c.outDims(0), out)
	if err != nil {
		return err
	}
	c.put(0, t)
	return nil
}

// codesOf makes a tensor of values that are integers in the range of an integer type, or that a float type
// rounds and saturates.
func codesOf(t tensor.Type, dims []int64, v []float64) (*tensor.Tensor, error) {
	if t.IsFloat() {
		return tensor.FromFloat64s(t, dims, v, true, tensor.RoundNearest)
	}
	codes := make([]int64, len(v))
	for i, x := range v {
		codes[i] = fromDouble[int64](x)
	}
	return tensor.FromInt64s(t, dims, codes, true, tensor.RoundNearest)
}

// codeRange returns the range of a quantized integer type; 0, 0 for float types.
func codeRange(t tensor.Type) (low, high float64) {
	switch t {
	case tensor.Int8:
		return -128, 127
	case tensor.Uint8:
		return 0, 255
	}
	return 0, 0
}
