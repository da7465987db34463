// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"math"

	"github.com/structview/structview/tensor"
)

// sliceFamily has Slice (versions 10, 11, 13) and Split (2, 11, 13, 18).
func sliceFamily() []operator {
	op := operator{
		name: "Slice", in: params("data:T starts:I ends:I axes?:I steps?:I"), out: params("output:T"),
		infer: inferSlice, run: runSlice,
	}
	sets := with([]version{at(10, tAll), at(11, tAll), at(13, tAllBF)}, "I", tInt32|tInt64)
	return append(versions(op, sets...), split()...)
}

// slice is the part of one axis that Slice takes.
type slice struct{ start, step, count int64 }

// slices returns the part of each axis; known is false if the values are not there yet.
func (c *typing) slices(d []int64) (list []slice, known bool, err error) {
	starts, ok1 := c.ints(1)
	ends, ok2 := c.ints(2)
	at, steps := upTo(len(starts)), ones(len(starts))
	ok3, ok4 := true, true
	if c.given(3) {
		at, ok3 = c.ints(3)
	}
	if c.given(4) {
		steps, ok4 = c.ints(4)
	}
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return nil, false, nil
	}
	if len(starts) != len(ends) || len(starts) != len(at) || len(starts) != len(steps) {
		return nil, true, fmt.Errorf("%d starts, %d ends, %d axes and %d steps", len(starts), len(ends), len(at), len(steps))
	}
	chosen, err := axes(at, len(d))
	if err != nil {
		return nil, true, err
	}
	list = make([]slice, len(d))
	for i := range list {
		list[i] = slice{0, 1, d[i]}
	}
	for i, k := range chosen {
		if list[k], err = cut(d[k], starts[i], ends[i], steps[i]); err != nil {
			return nil, true, err
		}
	}
	return list, true, nil
}

// cut clamps start and end as Slice says; an unknown dimension gives an unknown count.
func cut(d, start, end, step int64) (slice, error) {
	switch {
	case step == 0:
		return slice{}, fmt.Errorf("a step is 0")
	case d < 0 && !(start >= 0 && step == 1 && end == start):
		return slice{0, 1, unknown}, nil
	}
	low, high := int64(0), d // of start, for positive steps
	if step < 0 {
		low, high = -1, d-1
	}
	clamp := func(v, low, high int64) int64 {
		if v < 0 {
			v += d
		}
		return max(low, min(v, high))
	}
	start = clamp(start, max(low, 0), high)
	end = clamp(end, low, d)
	if d == 0 {
		return slice{0, step, 0}, nil
	}
	span, stride := end-start, step
	if step < 0 {
		step = max(step, -math.MaxInt64) // its negation is a number then
		span, stride = -span, -step
	}
	if span <= 0 {
		return slice{start, step, 0}, nil
	}
	return slice{start, step, (span-1)/stride + 1}, nil
}

func upTo(n int) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = int64(i)
	}
	return list
}

func ones(n int) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = 1
	}
	return list
}

func inferSlice(c *typing) error {
	for i, name := range []string{1: "starts", 2: "ends", 3: "axes", 4: "steps"} {
		if err := c.vector(i, name); i > 0 && err != nil {
			return err
		}
	}
	d, ok := c.dims(0)
	if !ok {
		return nil
	}
	list, known, err := c.slices(d)
	if err != nil {
		return err
	}
	if !known {
		c.setRank(0, int64(len(d)))
		return nil
	}
	dims := make([]int64, len(d))
	for i, s := range list {
		dims[i] = s.count
	}
	c.setDims(0, dims...)
	if v, ok := c.partly(0); ok && len(list) == 1 && list[0].count >= 0 {
		part := make([]int64, list[0].count)
		for i := range part {
			part[i] = v[list[0].start+int64(i)*list[0].step]
		}
		c.setPartly(0, part)
	}
	return nil
}

func runSlice(c *call) error {
	from := c.tensor(0).Dims()
	list, _, err := c.slices(from)
	if err != nil {
		return err
	}
	strides, base := contiguous(from), int64(0)
	for i, s := range list {
		base += s.start * strides[i]
		if s.count > 1 {
			strides[i] *= s.step
		}
	}
	return c.putView(strides, base)
}

// split has Split: sizes as an attribute (11), as an input (13), or num_outputs (18).
func split() []operator {
	op := operator{
		name: "Split", in: params("input:T"), out: params("outputs...:T"),
		attrs: []attribute{intAttr("axis", 0), optionalAttr("split", aInts)}, infer: inferSplit, run: runSplit,
	}
	list := versions(op, at(2, tAll), at(11, tAll))
	op.in, op.attrs = params("input:T split?:I"), []attribute{intAttr("axis", 0)}
	list = append(list, versions(op, with([]version{at(13, tAllBF)}, "I", tInt64)...)...)
	op.attrs = []attribute{intAttr("axis", 0), optionalAttr("num_outputs", aInt)}
	return append(list, versions(op, with([]version{at(18, tAllBF)}, "I", tInt64)...)...)
}

// splitSizes returns the size of each output along an axis of n elements.
func (c *typing) splitSizes(n int64) (sizes []int64, known bool, err error) {
	count := int64(len(c.out))
	switch {
	case c.given(1):
		if sizes, known = c.ints(1); !known {
			return nil, false, nil
		}
	case c.attr.has("split"):
		sizes = c.attr.ints("split")
	default:
		return c.equalSizes(n, count)
	}
	if int64(len(sizes)) != count {
		return nil, true, fmt.Errorf("%d sizes for %d outputs", len(sizes), count)
	}
	sum := int64(0)
	for _, s := range sizes {
		if s < 0 || s > math.MaxInt64-sum {
			return nil, true, fmt.Errorf("split %v has a negative size", sizes)
		}
		sum += s
	}
	if n >= 0 && sum != n {
		return nil, true, fmt.Errorf("split %v does not add up to the dimension %d", sizes, n)
	}
	return sizes, true, nil
}

// equalSizes splits evenly; since version 18 the last part may be smaller.
func (c *typing) equalSizes(n, count int64) ([]int64, bool, error) {
	if c.attr.has("num_outputs") && c.attr.int("num_outputs") != count {
		return nil, true, fmt.Errorf("num_outputs is %d, the node has %d outputs", c.attr.int("num_outputs"), count)
	}
	if n < 0 {
		return nil, false, nil
	}
	size := (n + count - 1) / count
	last := n - size*(count-1)
	if last < 0 || last != size && c.op.since < 18 {
		return nil, true, fmt.Errorf("the dimension %d does not split into %d parts", n, count)
	}
	sizes := make([]int64, count)
	for i := range sizes {
		sizes[i] = size
	}
	sizes[count-1] = last
	return sizes, true, nil
}

func inferSplit(c *typing) error {
	d, ok := c.dims(0)
	if !ok {
		return nil
	}
	at, err := axis(c.attr.int("axis"), len(d))
	if err != nil {
		return err
	}
	sizes, known, err := c.splitSizes(d[at])
	if err != nil {
		return err
	}
	for i := range c.out {
		dims := append([]int64{}, d...)
		dims[at] = unknown
		if known {
			dims[at] = sizes[i]
		}
		c.setDims(i, dims...)
	}
	return nil
}

func runSplit(c *call) error {
	t := c.tensor(0)
	from := t.Dims()
	at, err := axis(c.attr.int("axis"), len(from))
	if err != nil {
		return err
	}
	sizes, _, err := c.splitSizes(from[at])
	if err != nil {
		return err
	}
	src, begin := cellsOf(t), int64(0)
	for i, size := range sizes {
		if c.wanted(i) {
			if err := c.splitOff(i, src, t, at, begin); err != nil {
				return err
			}
		}
		begin += size
	}
	return nil
}

// splitOff copies output i, which begins at index begin of the axis.
func (c *call) splitOff(i int, src cells, t *tensor.Tensor, at int, begin int64) error {
	strides := contiguous(t.Dims())
	dst := src.fresh(c.outLen(i))
	dst.view(src, c.outDims(i), strides, begin*strides[at])
	return c.putCells(i, dst, c.outDims(i))
}
