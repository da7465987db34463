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

func inferMatMulInteger(c *typing) error {
	if err := c.perRow(2, 0); err != nil {
		return err
	}
	if err := c.perColumn(3, 1); err != nil {
		return err
	}
	return inferMatMul(c)
}

func inferQLinearMatMul(c *typing) error {
	for _, i := range []int{1, 2} {
		if err := c.perRow(i, 0); err != nil {
			return err
		}
	}
	for _, i := range []int{4, 5} {
		if err := c.perColumn(i, 3); err != nil {
			return err
		}
	}
	a, okA := c.dims(0)
	b, okB := c.dims(3)
	if !okA || !okB {
		return nil
	}
	_, dims, err := matrixDims(a, b)
	if err != nil {
		return err
	}
	for _, i := range []int{6, 7} {
		d, ok := c.dims(i)
		if !ok {
			continue
		}
		if err := broadcastsTo(rowShape(d, dims), dims); err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
	}
	c.setDims(0, dims...)
	return nil
}

// rowShape is the shape under which a parameter of the left operand broadcasts to its matrices: a vector has one
// element for each row.
func rowShape(d, matrix []int64) []int64 {
	if len(d) == 1 && d[0] != 1 && len(matrix) >= 2 {
		return []int64{d[0], 1}
	}
	return d
}

// perRow checks the shape of a parameter (input i) of the left operand (input of).
func (c *typing) perRow(i, of int) error {
	d, ok := c.dims(i)
	m, okM := c.dims(of)
	if !ok || !okM {
		return nil
	}
	if err := broadcastsTo(rowShape(d, m), m); err != nil {
		return fmt.Errorf("input %d: %w", i, err)
	}
	return nil
}

// perColumn checks the shape of a parameter of the right operand: a vector has one element for each
// column.
func (c *typing) perColumn(i, of int) error {
	d, ok := c.dims(i)
	m, okM := c.dims(of)
	if !ok || !okM || len(m) == 1 && len(d) == 1 && d[0] == 1 {
		return nil
	}
	if err := broadcastsTo(d, m); err != nil {
		return fmt.Errorf("input %d: %w", i, err)
	}
	return nil
}

// spreadTo returns the elements of t, of shape from, broadcast to dims; zero if t is not given.
func spreadTo(t *tensor.Tensor, from, dims []int64, zero float64) ([]float64, error) {
	n, err := product(dims)
	if err != nil {
		return nil, err
	}
	out := make([]float64, n)
	if t == nil {
		for i := range out {
			out[i] = zero
		}
		return out, nil
	}
	v, err := tensor.Float64s(t)
	if err != nil {
		return nil, err
	}
	map2(out, v, []float64{0}, dims, from, nil, func(x, _ float64) float64 { return x })
	return out, nil
}

// centred returns the elements of t less their zero points. Both are small, so that float64 is exact.
func centred(c *call, t, zero *tensor.Tensor, byRow bool) ([]float64, error) {
	if err := c.reserve(tensor.Double, t.Dims()); err != nil {
		return nil, err
	}
	v, err := tensor.Float64s(t)
	if err != nil || zero == nil {
		return v, err
	}
	shape := zero.Dims()
	if byRow {
		shape = rowShape(shape, t.Dims())
	}
	z, err := spreadTo(zero, shape, t.Dims(), 0)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(v))
	for i := range v {
		out[i] = v[i] - z[i]
	}
	return out, nil
}

// centredProduct is the matrix product of two centred operands. Sums of integers are exact in float64 up to 2^53:
// 2^36 products of bytes.
func centredProduct(c *call, a, aZero, b, bZero *tensor.Tensor) ([]float64, error) {
	p, dims, err := matrixDims(a.Dims(), b.Dims())
	if err != nil {
		return nil, err
	}
	x, err := centred(c, a, aZero, true)
	if err != nil {
		return nil, err
	}
	y, err := centred(c, b, bZero, false)
	if err != nil {
		return nil, err
	}
	if err := c.reserve(tensor.Double, dims); err != nil {
		return nil, err
	}
	sums := make([]float64, c.outLen(0))
	return sums, multiply(c, p, sums, x, y)
}

func runMatMulInteger(c *call) error {
	sums, err := centredProduct(c, c.tensor(0), c.tensor(2), c.tensor(1), c.tensor(3))
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
	sums, err := centredProduct(c, c.tensor(0), c.tensor(2), c.tensor(3), c.tensor(5))
	if err != nil {
		return err
	}
	dims := c.outDims(0)
	columns := c.tensor(4).Dims()
	if c.tensor(3).Rank() == 1 {
		columns = nil // one column, which the result does not have
	}
	rows := func(i int) []int64 {
		if c.tensor(0).Rank() == 1 || c.tensor(i).Len() == 1 {
			return nil
		}
		return rowShape(c.tensor(i).Dims(), append(dims, 1)[:max(len(dims), 2)])
	}
	var parts [4][]float64
	for k, o := range []struct {
		input int
		shape []int64
	}{{1, rows(1)}, {4, columns}, {6, rows(6)}, {7, rows(7)}} {
		if parts[k], err = spreadTo(c.tensor(o.input), o.shape, dims, 1); err != nil {
			return err
		}
	}
	out := make([]float64, len(sums))
	low, high := codeRange(c.out[0].Element)
	for i, s := range sums {
		scale := float32(parts[0][i]) * float32(parts[1][i]) / float32(parts[2][i])
		out[i] = s * float64(scale)
		if high > 0 {
			out[i] = max(low, min(high, math.RoundToEven(out[i])+parts[3][i]))
		}
	}
	t, err := tensor.FromFloat64s(c.out[0].Element, dims, out, true, tensor.RoundNearest)
	if err != nil {
		return err
	}
	c.put(0, t)
	return nil
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
