// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"math"

	"github.com/structview/structview/tensor"
)

// allTypes are the versions of operators that take every element type, from the version of opset 13 on.
func allTypes(since int64) []version {
	sets := []struct {
		since int64
		t     types
	}{{13, tAllBF}, {19, tAllIR9}, {21, tAllIR10}, {23, tAllIR11}, {24, tAllIR12}, {25, tAllIR13}}
	list := []version{}
	for _, s := range sets {
		if s.since >= since {
			list = append(list, at(s.since, s.t))
		}
	}
	return list
}

// shapeFamily has Reshape, Shape, Size and Concat.
func shapeFamily() []operator {
	var list []operator
	list = append(list, reshape()...)
	list = append(list, shape()...)
	return append(list, concat()...)
}

// with adds a type variable that every version has.
func with(list []version, name string, t types) []version {
	for i := range list {
		list[i].vars[name] = t
	}
	return list
}

// reshape has Reshape in versions 5, 13, 14 (allowzero), 19, 21, 23, 24, 25.
func reshape() []operator {
	old := operator{
		name: "Reshape", in: params("data:T shape:I"), out: params("reshaped:T"),
		infer: inferReshape, run: runReshape,
	}
	list := versions(old, with([]version{at(5, tAll), at(13, tAllBF)}, "I", tInt64)...)
	allow := old
	allow.attrs = []attribute{intAttr("allowzero", 0)}
	sets := append([]version{at(14, tAllBF)}, allTypes(19)...)
	return append(list, versions(allow, with(sets, "I", tInt64)...)...)
}

func inferReshape(c *typing) error {
	if err := c.vector(1, "shape"); err != nil {
		return err
	}
	shape, ok, err := c.partlyShape(1)
	if err != nil {
		return err
	}
	if !ok {
		c.setRank(0, c.count(1))
		return nil
	}
	from, ranked := c.dims(0)
	dims, err := reshaped(from, ranked, shape, c.attr.flag("allowzero"))
	if err != nil {
		return err
	}
	c.setDims(0, dims...)
	c.passPartly()
	return nil
}

// reshaped returns the dimensions that the shape input of Reshape asks for: 0 keeps a dimension (unless
// allowzero), one -1 takes what is left.
func reshaped(from []int64, ranked bool, shape []int64, allowZero bool) ([]int64, error) {
	dims := append([]int64{}, shape...)
	rest, partly := -1, false
	for i, d := range dims {
		switch {
		case d == open:
			dims[i], partly = unknown, true
		case d == -1 && rest >= 0:
			return nil, fmt.Errorf("shape %v has more than one -1", shape)
		case d == -1:
			rest = i
		case d < 0:
			return nil, fmt.Errorf("shape %v has the dimension %d", shape, d)
		case d == 0 && !allowZero && !ranked:
			dims[i] = unknown
		case d == 0 && !allowZero && i >= len(from):
			return nil, fmt.Errorf("dimension %d of shape %v is 0, but the input is %s", i, shape, dimsText(true, from))
		case d == 0 && !allowZero:
			dims[i] = from[i]
		}
	}
	if !ranked || partly {
		return dims, nil
	}
	return dims, fillRest(dims, rest, from)
}

// fillRest computes the dimension that was -1 and checks the number of elements.
func fillRest(dims []int64, at int, from []int64) error {
	have, err := product(from)
	if err != nil || have < 0 {
		return err
	}
	if at < 0 {
		n, err := product(dims)
		if err == nil && n >= 0 && n != have {
			err = fmt.Errorf("%d elements %s do not fit the shape %s of %d", have, dimsText(true, from), dimsText(true, dims), n)
		}
		return err
	}
	dims[at] = 1
	rest, err := product(dims)
	dims[at] = unknown
	switch {
	case err != nil || rest < 0:
		return err
	case rest == 0 && have == 0:
		return fmt.Errorf("the dimension -1 of %s is not determined", dimsText(true, dims))
	case rest == 0 || have%rest != 0:
		return fmt.Errorf("%d elements %s do not fit the shape %s", have, dimsText(true, from), dimsText(true, dims))
	}
	dims[at] = have / rest
	return nil
}

func runReshape(c *call) error {
	t, err := c.tensor(0).Reshape(c.outDims(0))
	if err != nil {
		return err
	}
	c.put(0, t)
	return nil
}

// shape has Shape in versions 1, 13, 15 (start, end), 19, 21, 23, 24, 25 and Size in 1, 13, 19, 21, 23, 24, 25.
func shape() []operator {
	s := operator{
		name: "Shape", in: params("data:T"), out: params("shape:T1"), infer: inferShape,
		run: func(c *call) error { c.put(0, c.out[0].Known); return nil },
	}
	list := versions(s, with([]version{at(1, tAll), at(13, tAllBF)}, "T1", tInt64)...)
	size := s
	size.name, size.infer = "Size", inferSize
	list = append(list, versions(size, with(append([]version{at(1, tAll)}, allTypes(13)...), "T1", tInt64)...)...)
	s.attrs = []attribute{intAttr("start", 0), optionalAttr("end", aInt)}
	return append(list, versions(s, with(append([]version{at(15, tAllBF)}, allTypes(19)...), "T1", tInt64)...)...)
}

func inferShape(c *typing) error {
	d, ok := c.dims(0)
	if !ok {
		return nil
	}
	end := int64(len(d))
	if c.attr.has("end") {
		end = clampAxis(c.attr.int("end"), len(d))
	}
	start := clampAxis(c.attr.int("start"), len(d))
	d = d[start:max(start, end)]
	c.setDims(0, int64(len(d)))
	c.setPartly(0, openDims(d))
	return nil
}

func hasUnknown(dims []int64) bool {
	for _, d := range dims {
		if d < 0 {
			return true
		}
	}
	return false
}

// clampAxis returns a possibly negative position between 0 and rank.
func clampAxis(a int64, rank int) int64 {
	if a < 0 {
		a += int64(rank)
	}
	return max(0, min(a, int64(rank)))
}

func inferSize(c *typing) error {
	c.setDims(0)
	d, ok := c.dims(0)
	if !ok {
		return nil
	}
	n, err := product(d)
	c.setPartly(0, openDims([]int64{n}))
	return err
}

// concat has Concat in versions 11 and 13.
func concat() []operator {
	return versions(operator{
		name: "Concat", in: params("inputs...:T"), out: params("concat_result:T"),
		attrs: []attribute{requiredAttr("axis", aInt)},
		infer: inferConcat, run: runConcat,
	}, at(11, tAll), at(13, tAllBF))
}

func inferConcat(c *typing) error {
	var dims []int64
	at := 0
	for i := range c.in {
		d, ok := c.dims(i)
		if !ok {
			return nil
		}
		if i == 0 {
			var err error
			if at, err = axis(c.attr.int("axis"), len(d)); err != nil {
				return err
			}
			dims = append(dims, d...)
			continue
		}
		if err := joinDims(dims, d, at); err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
	}
	c.setDims(0, dims...)
	if len(dims) == 1 {
		c.joinPartly()
	}
	return nil
}

// joinPartly joins what is known of one-dimensional inputs.
func (c *typing) joinPartly() {
	var v []int64
	for i := range c.in {
		part, ok := c.partly(i)
		if !ok || len(v)+len(part) > foldElements {
			return
		}
		v = append(v, part...)
	}
	c.setPartly(0, v)
}

// joinDims adds d to dims along one axis; the others must agree.
func joinDims(dims, d []int64, at int) error {
	if len(d) != len(dims) {
		return fmt.Errorf("%s has another rank than %s", dimsText(true, d), dimsText(true, dims))
	}
	for k := range d {
		switch {
		case k == at && (d[k] < 0 || dims[k] < 0):
			dims[k] = unknown
		case k == at && d[k] > math.MaxInt64-dims[k]:
			return fmt.Errorf("%s and %s are too long together", dimsText(true, dims), dimsText(true, d))
		case k == at:
			dims[k] += d[k]
		case dims[k] < 0:
			dims[k] = d[k]
		case d[k] >= 0 && d[k] != dims[k]:
			return fmt.Errorf("%s and %s differ in dimension %d", dimsText(true, d), dimsText(true, dims), k)
		}
	}
	return nil
}

func runConcat(c *call) error {
	dims := c.outDims(0)
	at, err := axis(c.attr.int("axis"), len(dims))
	if err != nil {
		return err
	}
	parts := make([]*tensor.Tensor, len(c.values))
	for i := range parts {
		parts[i] = c.tensor(i)
	}
	t, err := concatenate(parts, dims, at)
	if err != nil {
		return err
	}
	c.put(0, t)
	return nil
}

// concatenate joins tensors of one type along an axis; dims is the result's shape.
func concatenate(parts []*tensor.Tensor, dims []int64, at int) (*tensor.Tensor, error) {
	rows, _ := product(dims[:at])
	inner, _ := product(dims[at+1:])
	all, _ := product(dims)
	dst := freshCells(parts[0].Type(), all)
	if all == 0 {
		return dst.tensor(dims)
	}
	done := int64(0)
	for _, t := range parts {
		n := t.Dims()[at] * inner
		src := cellsOf(t)
		for r := range rows {
			dst.copy(r*dims[at]*inner+done, src, r*n, n)
		}
		done += n
	}
	return dst.tensor(dims)
}
