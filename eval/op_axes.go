// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"slices"
)

// axesFamily has Squeeze, Unsqueeze (versions 11; 13, 21, 23, 24, 25 with axes as an input), Transpose (1, 13, 21, …, 25),
// Flatten (9, 13, 21, …, 25), Expand (8, 13) and Tile (6, 13).
func axesFamily() []operator {
	var list []operator
	list = append(list, squeeze()...)
	list = append(list, unsqueeze()...)
	list = append(list, transpose()...)
	list = append(list, flatten()...)
	list = append(list, expand()...)
	return append(list, tile()...)
}

// sinceIR10 are the versions of operators that take every element type and changed with opset 21 first.
func sinceIR10(first ...version) []version { return append(first, allTypes(21)...) }

func squeeze() []operator {
	old := operator{
		name: "Squeeze", in: params("data:T"), out: params("squeezed:T"), attrs: []attribute{optionalAttr("axes", aInts)},
		infer: inferSqueeze, run: runReshape,
	}
	list := versions(old, at(11, tAll))
	op := old
	op.in, op.attrs = params("data:T axes?:I"), nil
	return append(list, versions(op, with(sinceIR10(at(13, tAllBF)), "I", tInt64)...)...)
}

// axesOf returns the axes of an operator that has them as input 1 or, in older versions, as an attribute. known is false
// if the values are not there yet.
func (c *typing) axesOf() (list []int64, given, known bool) {
	if c.given(1) {
		list, known = c.ints(1)
		return list, true, known
	}
	return c.attr.ints("axes"), c.attr.has("axes"), true
}

func inferSqueeze(c *typing) error {
	d, ok := c.dims(0)
	list, given, known := c.axesOf()
	if !ok || !known || !given && hasUnknown(d) {
		if n := c.count(1); ok && n >= 0 && n <= int64(len(d)) {
			c.setRank(0, int64(len(d))-n)
		}
		return nil
	}
	drop, err := axes(list, len(d))
	if err != nil {
		return err
	}
	dims := []int64{}
	for i, n := range d {
		switch chosen := slices.Contains(drop, i); {
		case given && chosen && n >= 0 && n != 1:
			return fmt.Errorf("dimension %d of %s is not 1", i, dimsText(true, d))
		case given && chosen || !given && n == 1:
		default:
			dims = append(dims, n)
		}
	}
	c.setDims(0, dims...)
	c.passPartly()
	return nil
}

func unsqueeze() []operator {
	old := operator{
		name: "Unsqueeze", in: params("data:T"), out: params("expanded:T"), attrs: []attribute{requiredAttr("axes", aInts)},
		infer: inferUnsqueeze, run: runReshape,
	}
	list := versions(old, at(11, tAll))
	op := old
	op.in, op.attrs = params("data:T axes:I"), nil
	return append(list, versions(op, with(sinceIR10(at(13, tAllBF)), "I", tInt64)...)...)
}

func inferUnsqueeze(c *typing) error {
	d, ok := c.dims(0)
	list, _, known := c.axesOf()
	if !ok || !known {
		if n := c.count(1); ok && n >= 0 {
			c.setRank(0, int64(len(d))+n)
		}
		return nil
	}
	added, err := axes(list, len(d)+len(list))
	if err != nil {
		return err
	}
	dims := make([]int64, len(d)+len(list))
	for _, i := range added {
		dims[i] = 1
	}
	next := 0
	for i, n := range dims {
		if n == 0 {
			dims[i] = d[next]
			next++
		}
	}
	c.setDims(0, dims...)
	c.passPartly()
	return nil
}

func transpose() []operator {
	return versions(operator{
		name: "Transpose", in: params("data:T"), out: params("transposed:T"), attrs: []attribute{optionalAttr("perm", aInts)},
		infer: inferTranspose, run: runTranspose,
	}, sinceIR10(at(1, tAll), at(13, tAllBF))...)
}

// perm returns the permutation, reversed axes by default.
func (c *typing) perm(rank int) ([]int, error) {
	if !c.attr.has("perm") {
		p := make([]int, rank)
		for i := range p {
			p[i] = rank - 1 - i
		}
		return p, nil
	}
	list := c.attr.ints("perm")
	if len(list) != rank {
		return nil, fmt.Errorf("attribute \"perm\" has %d entries, the input has rank %d", len(list), rank)
	}
	return axes(list, rank)
}

func inferTranspose(c *typing) error {
	d, ok := c.dims(0)
	if !ok {
		if c.attr.has("perm") {
			c.setRank(0, int64(len(c.attr.ints("perm"))))
		}
		return nil
	}
	p, err := c.perm(len(d))
	if err != nil {
		return err
	}
	dims := make([]int64, len(d))
	for i, k := range p {
		dims[i] = d[k]
	}
	c.setDims(0, dims...)
	return nil
}

func runTranspose(c *call) error {
	from := c.tensor(0).Dims()
	p, err := c.perm(len(from))
	if err != nil {
		return err
	}
	own, strides := contiguous(from), make([]int64, len(p))
	for i, k := range p {
		strides[i] = own[k]
	}
	return c.putView(strides, 0)
}

func flatten() []operator {
	return versions(operator{
		name: "Flatten", in: params("input:T"), out: params("output:T"), attrs: []attribute{intAttr("axis", 1)},
		infer: inferFlatten, run: runReshape,
	}, sinceIR10(at(9, tAll), at(13, tAllBF))...)
}

func inferFlatten(c *typing) error {
	c.setRank(0, 2)
	d, ok := c.dims(0)
	if !ok {
		return nil
	}
	at := c.attr.int("axis")
	if at < -int64(len(d)) || at > int64(len(d)) {
		return fmt.Errorf("axis %d is not in [%d, %d]", at, -len(d), len(d))
	}
	if at < 0 {
		at += int64(len(d))
	}
	outer, err := product(d[:at])
	if err != nil {
		return err
	}
	inner, err := product(d[at:])
	c.setDims(0, outer, inner)
	return err
}

func expand() []operator {
	op := operator{
		name: "Expand", in: params("input:T shape:I"), out: params("output:T"), infer: inferExpand,
		run: func(c *call) error {
			return c.putView(broadcastStrides(c.outDims(0), c.tensor(0).Dims()), 0)
		},
	}
	return versions(op, with([]version{at(8, tAll), at(13, tAllBF)}, "I", tInt64)...)
}

func inferExpand(c *typing) error {
	if err := c.vector(1, "shape"); err != nil {
		return err
	}
	d, ok := c.dims(0)
	shape, known, err := c.partlyShape(1)
	if err != nil {
		return err
	}
	if !known {
		if n := c.count(1); ok && n >= 0 {
			c.setRank(0, max(n, int64(len(d))))
		}
		return nil
	}
	shape = append([]int64{}, shape...)
	for i, n := range shape {
		if n == open {
			shape[i] = unknown
		} else if n < 0 {
			return fmt.Errorf("shape %v has a negative dimension", shape)
		}
	}
	if !ok {
		return nil
	}
	dims, err := broadcast(d, shape)
	if err != nil {
		return err
	}
	c.setDims(0, dims...)
	return nil
}

func tile() []operator {
	op := operator{
		name: "Tile", in: params("input:T repeats:I"), out: params("output:T"), infer: inferTile, run: runTile,
	}
	return versions(op, with([]version{at(6, tAll), at(13, tAllBF)}, "I", tInt64)...)
}

func inferTile(c *typing) error {
	if err := c.vector(1, "repeats"); err != nil {
		return err
	}
	d, ok := c.dims(0)
	repeats, known := c.ints(1)
	switch {
	case !known && ok:
		c.setRank(0, int64(len(d)))
		return nil
	case !known || !ok:
		c.setRank(0, c.count(1))
		return nil
	case len(repeats) != len(d):
		return fmt.Errorf("%d repeats for the input %s", len(repeats), dimsText(true, d))
	}
	dims := make([]int64, len(d))
	for i, n := range repeats {
		if n < 0 {
			return fmt.Errorf("repeats %v has a negative number", repeats)
		}
		dims[i] = unknown
		if d[i] >= 0 {
			var err error
			if dims[i], err = product([]int64{d[i], n}); err != nil {
				return err
			}
		}
	}
	c.setDims(0, dims...)
	return nil
}

// runTile views the output as [r0, d0, r1, d1, …], with stride 0 along each r.
func runTile(c *call) error {
	from := c.tensor(0).Dims()
	repeats, _ := c.ints(1)
	strides := contiguous(from)
	dims, steps := make([]int64, 0, 2*len(from)), make([]int64, 0, 2*len(from))
	for i := range from {
		dims = append(dims, repeats[i], from[i])
		steps = append(steps, 0, strides[i])
	}
	src := cellsOf(c.tensor(0))
	dst := src.fresh(c.outLen(0))
	dst.view(src, dims, steps, 0)
	return c.putCells(0, dst, c.outDims(0))
}
