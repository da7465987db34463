// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/structview/structview/tensor"
)

// gatherFamily has Gather (versions 1, 11, 13), GatherElements (11, 13) and GatherND (11, 12, 13). Negative indices
// count from the end; an index out of range is an error.
func gatherFamily() []operator {
	op := operator{in: params("data:T indices:Tind"), out: params("output:T"), attrs: []attribute{intAttr("axis", 0)}}
	sets := func(since ...version) []version { return with(since, "Tind", tInt32|tInt64) }
	op.name, op.infer, op.run = "Gather", inferGather, runGather
	list := versions(op, sets(at(1, tAll), at(11, tAll), at(13, tAllBF))...)
	op.name, op.infer, op.run = "GatherElements", inferGatherElements, runGatherElements
	list = append(list, versions(op, sets(at(11, tAll), at(13, tAllBF))...)...)
	op.name, op.infer, op.run, op.attrs = "GatherND", inferGatherND, runGatherND, nil
	list = append(list, versions(op, with([]version{at(11, tAll)}, "Tind", tInt64)...)...)
	op.attrs = []attribute{intAttr("batch_dims", 0)}
	return append(list, versions(op, with([]version{at(12, tAll), at(13, tAllBF)}, "Tind", tInt64)...)...)
}

// indices returns the elements of the index tensor i, each moved into 0 to n-1.
func (c *call) indices(i int, n int64) ([]int64, error) {
	list, err := c.int64s(c.tensor(i))
	if err != nil {
		return nil, err
	}
	out := make([]int64, len(list))
	for k, v := range list {
		if v < -n || v >= n {
			return nil, fmt.Errorf("index %d at position %d is not in [%d, %d]", v, k, -n, n-1)
		}
		if v < 0 {
			v += n
		}
		out[k] = v
	}
	return out, nil
}

func inferGather(c *typing) error {
	d, ok := c.dims(0)
	if !ok {
		return nil
	}
	at, err := axis(c.attr.int("axis"), len(d))
	if err != nil {
		return err
	}
	if index, ok := c.dims(1); ok {
		dims := append(append(append([]int64{}, d[:at]...), index...), d[at+1:]...)
		c.setDims(0, dims...)
	}
	c.gatherPartly(d)
	return nil
}

// gatherPartly picks what is known of a one-dimensional input.
func (c *typing) gatherPartly(d []int64) {
	v, ok := c.partly(0)
	index, ok1 := c.ints(1)
	if !ok || !ok1 || len(d) != 1 || len(index) > foldElements || len(c.out[0].Dims) > 1 {
		return
	}
	part := make([]int64, len(index))
	for i, k := range index {
		if k < 0 {
			k += int64(len(v))
		}
		if k < 0 || k >= int64(len(v)) {
			return
		}
		part[i] = v[k]
	}
	c.setPartly(0, part)
}

func runGather(c *call) error {
	t := c.tensor(0)
	from := t.Dims()
	at, err := axis(c.attr.int("axis"), len(from))
	if err != nil {
		return err
	}
	index, err := c.indices(1, from[at])
	if err != nil {
		return err
	}
	rows, _ := product(from[:at])
	inner, _ := product(from[at+1:])
	src := cellsOf(t)
	dst := src.fresh(c.outLen(0))
	switch {
	case c.outLen(0) == 0:
		return c.putCells(0, dst, c.outDims(0))
	case inner == 1 && rows == 1:
		dst.pick(0, src, index)
		return c.putCells(0, dst, c.outDims(0))
	}
	for r := range rows {
		for k, v := range index {
			dst.copy((r*int64(len(index))+int64(k))*inner, src, (r*from[at]+v)*inner, inner)
		}
	}
	return c.putCells(0, dst, c.outDims(0))
}

func inferGatherElements(c *typing) error {
	d, ok := c.dims(0)
	index, ok2 := c.dims(1)
	if ok2 {
		c.setDims(0, index...)
	}
	if !ok || !ok2 {
		return nil
	}
	at, err := axis(c.attr.int("axis"), len(d))
	if err != nil {
		return err
	}
	return checkIndexShape(d, index, at)
}

// checkIndexShape checks that each index of an elements operator stays inside the data.
func checkIndexShape(d, index []int64, at int) error {
	if len(index) != len(d) {
		return fmt.Errorf("indices %s and data %s differ in rank", dimsText(true, index), dimsText(true, d))
	}
	for i := range d {
		if i != at && d[i] >= 0 && index[i] > d[i] {
			return fmt.Errorf("indices %s exceed the data %s in dimension %d", dimsText(true, index), dimsText(true, d), i)
		}
	}
	return nil
}

// elementPositions returns the position in a tensor of shape d that each element of an index tensor of shape dims
// names: its own coordinates, with the index in place of that along the axis.
func elementPositions(index []int64, dims, d []int64, at int) []int64 {
	strides := contiguous(d)
	own := append([]int64{}, strides...)
	own[at] = 0
	out := make([]int64, len(index))
	s := newStrided(dims, own)
	step := s.step(0)
	s.runs(func(i int64, offs []int64, n int64) {
		for k := range n {
			out[i+k] = offs[0] + k*step + index[i+k]*strides[at]
		}
	})
	return out
}

func runGatherElements(c *call) error {
	t := c.tensor(0)
	from := t.Dims()
	at, err := axis(c.attr.int("axis"), len(from))
	if err != nil {
		return err
	}
	index, err := c.indices(1, from[at])
	if err != nil {
		return err
	}
	src := cellsOf(t)
	dst := src.fresh(c.outLen(0))
	dst.pick(0, src, elementPositions(index, c.outDims(0), from, at))
	return c.putCells(0, dst, c.outDims(0))
}

// tuples describes an index tensor of GatherND or ScatterND: its last dimension holds tuples.
type tuples struct {
	batch int // leading dimensions that data and indices share
	size  int // of a tuple
}

func (c *typing) tuples(d, index []int64) (tuples, error) {
	t := tuples{batch: int(min(max(c.attr.int("batch_dims"), -1), 64))}
	if len(index) == 0 || len(d) == 0 {
		return t, fmt.Errorf("data %s and indices %s must have dimensions", dimsText(true, d), dimsText(true, index))
	}
	if t.batch < 0 || t.batch >= len(index) || t.batch > len(d) {
		return t, fmt.Errorf("batch_dims %d does not fit data %s and indices %s", t.batch, dimsText(true, d), dimsText(true, index))
	}
	for i := range t.batch {
		if d[i] != index[i] && d[i] >= 0 && index[i] >= 0 {
			return t, fmt.Errorf("data %s and indices %s differ in batch dimension %d", dimsText(true, d), dimsText(true, index), i)
		}
	}
	last := index[len(index)-1]
	if last > int64(len(d)-t.batch) {
		return t, fmt.Errorf("tuples of %d indices exceed the rank of the data %s", last, dimsText(true, d))
	}
	t.size = int(last)
	return t, nil
}

func inferGatherND(c *typing) error {
	d, ok := c.dims(0)
	index, ok2 := c.dims(1)
	if !ok || !ok2 {
		return nil
	}
	t, err := c.tuples(d, index)
	if err != nil || t.size < 0 {
		return err
	}
	dims := append([]int64{}, index[:len(index)-1]...)
	c.setDims(0, append(dims, d[t.batch+t.size:]...)...)
	return nil
}

// offsets returns, for each tuple, where in the data (of shape d) its slice begins.
func (t tuples) offsets(list []int64, index, d []int64) ([]int64, error) {
	strides := contiguous(d)
	count, _ := product(index[:len(index)-1])
	perBatch, _ := product(index[t.batch : len(index)-1])
	inBatch, _ := product(d[t.batch:])
	out := make([]int64, count)
	for k := range out {
		tuple := list[k*t.size : (k+1)*t.size]
		if t.batch > 0 {
			out[k] = int64(k) / perBatch * inBatch
		}
		for i, v := range tuple {
			n := d[t.batch+i]
			if v < -n || v >= n {
				return nil, fmt.Errorf("index %d of tuple %d is not in [%d, %d]", v, k, -n, n-1)
			}
			if v < 0 {
				v += n
			}
			out[k] += v * strides[t.batch+i]
		}
	}
	return out, nil
}

func runGatherND(c *call) error {
	data, indices := c.tensor(0), c.tensor(1)
	t, err := c.tuples(data.Dims(), indices.Dims())
	if err != nil {
		return err
	}
	if t.size == 0 && c.outLen(0) == 0 { // any number of tuples without an index
		return c.putCells(0, cellsOf(data).fresh(0), c.outDims(0))
	}
	offsets, err := t.offsets(tensor.Slice[int64](indices), indices.Dims(), data.Dims())
	if err != nil {
		return err
	}
	inner, _ := product(data.Dims()[t.batch+t.size:])
	src := cellsOf(data)
	dst := src.fresh(c.outLen(0))
	for k, from := range offsets {
		dst.copy(int64(k)*inner, src, from, inner)
	}
	return c.putCells(0, dst, c.outDims(0))
}
