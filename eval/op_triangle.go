// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/structview/structview/tensor"
)

// triangleFamily has Trilu (version 14) and EyeLike (9, 22).
func triangleFamily() []operator {
	list := versions(operator{
		name: "Trilu", in: params("input:T k?:I"), out: params("output:T"), attrs: []attribute{intAttr("upper", 1)},
		infer: inferTrilu, run: runTrilu,
	}, with([]version{at(14, tAllBF)}, "I", tInt64)...)
	eye := operator{
		name: "EyeLike", in: params("input:T1"), out: params("output:T2"),
		attrs: []attribute{optionalAttr("dtype", aInt), intAttr("k", 0)},
		infer: inferEyeLike, run: runEyeLike,
	}
	for _, v := range []version{at(9, tNumeric|tBool), at(22, tNumericBF|tBool)} {
		eye.since, eye.vars = v.since, map[string]types{"T1": v.vars["T"], "T2": v.vars["T"]}
		list = append(list, eye)
	}
	return list
}

func inferTrilu(c *typing) error {
	if d, ok := c.dims(1); ok {
		if n, err := product(d); err == nil && n >= 0 && n != 1 {
			return fmt.Errorf("k is %v, expected a scalar", c.in[1])
		}
	}
	if d, ok := c.dims(0); ok && len(d) < 2 {
		return fmt.Errorf("the input is %v, expected two dimensions or more", c.in[0])
	}
	return inferSame(c)
}

// runTrilu keeps the triangle above (or below) the k-th diagonal, zeros the rest.
func runTrilu(c *call) error {
	k := int64(0)
	if v, ok := c.ints(1); ok {
		k = v[0]
	}
	dims := c.outDims(0)
	rows, columns := dims[len(dims)-2], dims[len(dims)-1]
	src := cellsOf(c.tensor(0))
	dst := src.fresh(c.outLen(0))
	k = max(-rows, min(k, columns)) // farther away makes no difference and could overflow
	matrices, _ := product(dims[:len(dims)-2])
	if c.outLen(0) == 0 {
		matrices = 0
	}
	for m := range matrices * rows {
		// In row r, the k-th diagonal is at column r+k.
		from, to := int64(0), max(0, min(m%rows+k+1, columns))
		if c.attr.flag("upper") {
			from, to = max(0, min(m%rows+k, columns)), columns
		}
		dst.copy(m*columns+from, src, m*columns+from, to-from)
	}
	return c.putCells(0, dst, dims)
}

func inferEyeLike(c *typing) error {
	element := c.element(0)
	if c.attr.has("dtype") {
		element = tensor.Type(c.attr.int("dtype"))
		if !c.op.vars["T2"].has(element) {
			return fmt.Errorf("attribute dtype is %v, expected one of %v", element, c.op.vars["T2"])
		}
	}
	c.setElement(0, element)
	d, ok := c.dims(0)
	if !ok {
		c.setRank(0, 2)
		return nil
	}
	if len(d) != 2 {
		return fmt.Errorf("the input is %v, expected a matrix", c.in[0])
	}
	c.setDims(0, d...)
	return nil
}

func runEyeLike(c *call) error {
	dims, k := c.outDims(0), c.attr.int("k")
	one, err := oneCell(c.out[0].Element)
	if err != nil {
		return err
	}
	dst := one.fresh(c.outLen(0))
	k = max(-dims[0], min(k, dims[1])) // farther away makes no difference and could overflow
	for r := max(0, -k); r < min(dims[0], dims[1]-k); r++ {
		dst.copy(r*dims[1]+r+k, one, 0, 1)
	}
	return c.putCells(0, dst, dims)
}

// oneCell is the element 1.
func oneCell(t tensor.Type) (cells, error) {
	if t == tensor.Bool {
		return cellsOf(tensor.Of(nil, true)), nil
	}
	one, err := codesOf(t, nil, []float64{1})
	if err != nil {
		return cells{}, err
	}
	return cellsOf(one), nil
}
