// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/structview/structview/tensor"
)

// matmulFamily has MatMul (versions 1, 9, 13) and Gemm (7, 9, 11, 13). Products are added in index
// order from +0, in the element type as written; integers wrap.
func matmulFamily() []operator {
	k := kernels{
		f32: matmul[float32], f64: matmul[float64], i32: matmul[int32], i64: matmul[int64],
		u32: matmul[uint32], u64: matmul[uint64],
	}
	list := versions(operator{
		name: "MatMul", in: params("A:T B:T"), out: params("Y:T"), infer: inferMatMul, run: viaFloat(k.run),
	}, at(1, tFloats), at(9, tFloats|tWide), at(13, tHighBF))
	return append(list, gemm()...)
}

// product2 is a matrix product of rows x depth and depth x columns, repeated over leading dimensions.
type product2 struct {
	rows, depth, columns int64
	lead                 []int64 // broadcast leading dimensions
	a, b                 []int64 // their strides in elements for either operand
	left, right          []int64 // the operands' shapes, a vector as a row or column
}

// matrixDims splits shapes as numpy.matmul does and returns the shape of the product. Vectors are a row on the left
// and a column on the right, and that dimension is left out again.
func matrixDims(a, b []int64) (product2, []int64, error) {
	var p product2
	if len(a) == 0 || len(b) == 0 {
		return p, nil, fmt.Errorf("shapes %s and %s: scalars have no matrix product", dimsText(true, a), dimsText(true, b))
	}
	full := fmt.Errorf("shapes %s and %s do not fit a matrix product", dimsText(true, a), dimsText(true, b))
	row, column := len(a) == 1, len(b) == 1
	if row {
		a = []int64{1, a[0]}
	}
	if column {
		b = []int64{b[0], 1}
	}
	na, nb := len(a)-2, len(b)-2
	p.rows, p.depth, p.columns = a[na], a[na+1], b[nb+1]
	if p.depth != b[nb] && p.depth != unknown && b[nb] != unknown {
		return p, nil, full
	}
	lead, err := broadcast(a[:na], b[:nb])
	if err != nil {
		return p, nil, full
	}
	p.lead = lead
	p.a, p.b, p.left, p.right = leadStrides(lead, a), leadStrides(lead, b), a, b
	dims := append([]int64{}, lead...)
	if !row {
		dims = append(dims, p.rows)
	}
	if !column {
		dims = append(dims, p.columns)
	}
	return p, dims, nil
}

// leadStrides returns the strides of the leading dimensions lead in a stack of matrices of shape dims.
func leadStrides(lead, dims []int64) []int64 {
	n := len(dims) - 2
	strides := broadcastStrides(lead, dims[:n])
	for i := range strides {
		strides[i] *= dims[n] * dims[n+1]
	}
	return strides
}

func inferMatMul(c *typing) error {
	a, okA := c.dims(0)
	b, okB := c.dims(1)
	if !okA || !okB {
		return nil
	}
	_, dims, err := matrixDims(a, b)
	if err != nil {
		return err
	}
	c.setDims(0, dims...)
	return nil
}

// each calls f for each pair of matrices: the offsets of the result, of a and of b.
func (p product2) each(f func(at, a, b int64) error) error {
	s := spread{dims: p.lead, strides: [][]int64{p.a, p.b}}
	var err error
	s.runs(func(at int64, offs []int64, n int64) {
		a, b := offs[0], offs[1]
		for i := range n {
			if err != nil {
				return
			}
			err = f((at+i)*p.rows*p.columns, a, b)
			a, b = a+s.step(0), b+s.step(1)
		}
	})
	return err
}

func matmul[T number](c *call) error {
	p, _, err := matrixDims(c.tensor(0).Dims(), c.tensor(1).Dims())
	if err != nil {
		return err
	}
	dst := make([]T, c.outLen(0))
	if err := multiply(c, p, dst, tensor.Slice[T](c.tensor(0)), tensor.Slice[T](c.tensor(1))); err != nil {
		return err
	}
	return putSlice(c, 0, dst)
}

// multiply adds the products of all pairs of matrices to dst.
func multiply[T number](c *call, p product2, dst, a, b []T) error {
	if len(dst) == 0 {
		return nil // however many empty rows there are
	}
	return p.each(func(at, aAt, bAt int64) error {
		for i := range p.rows {
			if err := c.steps(p.depth * p.columns); err != nil {
				return err
			}
			row := dst[at+i*p.columns:][:p.columns]
			for k := range p.depth {
				x := a[aAt+i*p.depth+k]
				for j, y := range b[bAt+k*p.columns:][:p.columns] {
					row[j] += T(x * y)
				}
			}
		}
		return nil
	})
}

// gemm has Gemm: alpha A' B' + beta C. Version 11 made C optional.
func gemm() []operator {
	k := kernels{
		f32: gemmOf[float32], f64: gemmOf[float64], i32: gemmOf[int32], i64: gemmOf[int64],
		u32: gemmOf[uint32], u64: gemmOf[uint64],
	}
	op := operator{
		name: "Gemm", in: params("A:T B:T C:T"), out: params("Y:T"),
		attrs: []attribute{floatAttr("alpha", 1), floatAttr("beta", 1), intAttr("transA", 0), intAttr("transB", 0)},
		infer: inferGemm, run: viaFloat(k.run),
	}
	list := versions(op, at(7, tFloats), at(9, tFloats|tWide))
	op.in = params("A:T B:T C?:T")
	return append(list, versions(op, at(11, tFloats|tWide), at(13, tHighBF))...)
}

// gemmDims returns the rows, depth and columns of the product, -1 where unknown.
func (c *typing) gemmDims() (rows, depth, columns int64, err error) {
	sides := [2][2]int64{{unknown, unknown}, {unknown, unknown}}
	for i, trans := range []string{"transA", "transB"} {
		d, ok := c.dims(i)
		if !ok {
			continue
		}
		if len(d) != 2 {
			return 0, 0, 0, fmt.Errorf("input %d is %v, expected a matrix", i, c.in[i])
		}
		sides[i] = [2]int64{d[0], d[1]}
		if c.attr.flag(trans) {
			sides[i] = [2]int64{d[1], d[0]}
		}
	}
	a, b := sides[0], sides[1]
	if a[1] != b[0] && a[1] != unknown && b[0] != unknown {
		return 0, 0, 0, fmt.Errorf("%v and %v have the depths %d and %d", c.in[0], c.in[1], a[1], b[0])
	}
	return a[0], max(a[1], b[0]), b[1], nil
}

func inferGemm(c *typing) error {
	rows, _, columns, err := c.gemmDims()
	if err != nil {
		return err
	}
	if d, ok := c.dims(2); ok {
		if err := broadcastsTo(d, []int64{rows, columns}); err != nil {
			return fmt.Errorf("input 2: %w", err)
		}
	}
	c.setDims(0, rows, columns)
	return nil
}

func gemmOf[T number](c *call) error {
	rows, depth, columns, err := c.gemmDims()
	if err != nil {
		return err
	}
	a, b := tensor.Slice[T](c.tensor(0)), tensor.Slice[T](c.tensor(1))
	if c.attr.flag("transA") {
		a = transposed(a, depth, rows)
	}
	if c.attr.flag("transB") {
		b = transposed(b, columns, depth)
	}
	dst := make([]T, rows*columns)
	if err := multiply(c, product2{rows: rows, depth: depth, columns: columns}, dst, a, b); err != nil {
		return err
	}
	alpha, beta := c.attr.float("alpha"), c.attr.float("beta")
	for i, x := range dst {
		dst[i] = scaled(x, alpha)
	}
	if t := c.tensor(2); t != nil {
		map2(dst, dst, tensor.Slice[T](t), c.outDims(0), c.outDims(0), t.Dims(), func(x, y T) T {
			return x + scaled(y, beta)
		})
	}
	return putSlice(c, 0, dst)
}

// scaled is x times a factor in the type of x; an integer is truncated.
func scaled[T number](x T, factor float32) T {
	switch {
	case factor == 1:
		return x
	case isFloat[T]():
		return T(x * T(factor)) // rounded: never fused with the addition that follows
	}
	return fromDouble[T](float64(x) * float64(factor))
}

// transposed returns the transpose of a matrix of the given size.
func transposed[T any](m []T, rows, columns int64) []T {
	out := make([]T, len(m))
	if len(m) == 0 {
		return out
	}
	for i := range rows {
		for j := range columns {
			out[j*rows+i] = m[i*columns+j]
		}
	}
	return out
}
