// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"errors"
	"fmt"

	"github.com/structview/structview/tensor"
)

// sequenceTensors has ConcatFromSequence (version 11) and SplitToSequence (11, 24).
func sequenceTensors() []operator {
	list := versions(operator{
		name: "ConcatFromSequence", in: params("input_sequence:S"), out: params("concat_result:T"),
		attrs: []attribute{requiredAttr("axis", aInt), intAttr("new_axis", 0)},
		infer: inferConcatFromSequence, run: runConcatFromSequence,
	}, version{11, map[string]types{"S": tSequence, "T": tAllIR13}})
	op := operator{
		name: "SplitToSequence", in: params("input:T split?:I"), out: params("output_sequence:S"),
		attrs: []attribute{intAttr("axis", 0), intAttr("keepdims", 1)}, infer: inferSplitToSequence, run: runSplitToSequence,
	}
	set := func(since int64, t types) version {
		return version{since, map[string]types{"T": t, "I": tInt32 | tInt64, "S": tSequence}}
	}
	return append(list, versions(op, set(11, tAll), set(24, tAllBF))...)
}

func inferConcatFromSequence(c *typing) error {
	e := c.in[0].Elem
	if e == nil || e.Kind != KindTensor {
		return nil
	}
	c.setElement(0, e.Element)
	if !e.Ranked {
		return nil
	}
	if c.attr.flag("new_axis") {
		t, err := stacked(*e, c.attr.int("axis"), unknown)
		c.set(0, t)
		return err
	}
	k, err := axis(c.attr.int("axis"), len(e.Dims))
	if err != nil {
		return err
	}
	dims := append([]int64{}, e.Dims...)
	dims[k] = unknown
	c.setDims(0, dims...)
	return nil
}

func runConcatFromSequence(c *call) error {
	var parts []*tensor.Tensor
	for _, v := range c.sequence(0).Values {
		t, ok := v.(*tensor.Tensor)
		if !ok {
			return errors.New("the sequence does not hold tensors")
		}
		if err := c.meter.elements(t.Len()); err != nil {
			return err
		}
		parts = append(parts, t)
	}
	if len(parts) == 0 {
		return errors.New("the sequence is empty")
	}
	var t *tensor.Tensor
	var err error
	if c.attr.flag("new_axis") {
		t, err = c.stack(parts, scanOutput{axis: c.attr.int("axis")})
	} else {
		t, err = c.joinParts(parts)
	}
	if err != nil {
		return err
	}
	c.put(0, t)
	return nil
}

// joinParts concatenates along an axis that all parts have.
func (c *call) joinParts(parts []*tensor.Tensor) (*tensor.Tensor, error) {
	dims := append([]int64{}, parts[0].Dims()...)
	k, err := axis(c.attr.int("axis"), len(dims))
	if err != nil {
		return nil, err
	}
	for i, p := range parts[1:] {
		if p.Type() != parts[0].Type() {
			return nil, fmt.Errorf("element %d is %v, the first %v", i+1, p.Type(), parts[0].Type())
		}
		if err := joinDims(dims, p.Dims(), k); err != nil {
			return nil, fmt.Errorf("element %d: %w", i+1, err)
		}
	}
	if err := c.reserve(parts[0].Type(), dims); err != nil {
		return nil, err
	}
	return concatenate(parts, dims, k)
}

func inferSplitToSequence(c *typing) error {
	t := c.in[0]
	if t.Kind != KindTensor {
		return nil
	}
	t = t.valueless()
	if t.Ranked {
		k, err := axis(c.attr.int("axis"), len(t.Dims))
		if err != nil {
			return err
		}
		dims := append([]int64{}, t.Dims...)
		dims[k] = unknown
		if !c.given(1) {
			if dims[k] = 1; !c.attr.flag("keepdims") {
				dims = append(dims[:k], dims[k+1:]...)
			}
		}
		t.Dims = dims
	}
	c.set(0, SequenceType(t))
	return nil
}

func runSplitToSequence(c *call) error {
	t := c.tensor(0)
	k, err := axis(c.attr.int("axis"), len(t.Dims()))
	if err != nil {
		return err
	}
	sizes, err := c.sequenceSizes(t.Dims()[k])
	if err != nil {
		return err
	}
	src, strides := cellsOf(t), contiguous(t.Dims())
	s := &Sequence{Elem: *c.out[0].Elem}
	begin := int64(0)
	for _, size := range sizes {
		dims := append([]int64{}, t.Dims()...)
		dims[k] = size
		if err := c.reserve(t.Type(), dims); err != nil {
			return err
		}
		n, _ := product(dims)
		dst := src.fresh(n)
		dst.view(src, dims, strides, begin*strides[k])
		begin += size
		if !c.given(1) && !c.attr.flag("keepdims") {
			dims = append(dims[:k], dims[k+1:]...)
		}
		part, err := dst.tensor(dims)
		if err != nil {
			return err
		}
		s.Values = append(s.Values, part)
	}
	c.put(0, s)
	return nil
}

// sequenceSizes returns the parts of n elements: of size 1, of one given size (the last may be smaller), or of
// given sizes.
func (c *call) sequenceSizes(n int64) ([]int64, error) {
	size, given := int64(1), c.tensor(1)
	if given != nil {
		list, err := tensor.Int64s(given)
		if err != nil {
			return nil, err
		}
		if len(given.Dims()) > 0 {
			return list, checkSizes(list, n)
		}
		if size = list[0]; size < 1 {
			return nil, fmt.Errorf("split is %d", size)
		}
	}
	var sizes []int64
	for at := int64(0); at < n; at += size {
		if err := c.meter.node(); err != nil {
			return nil, err
		}
		sizes = append(sizes, min(size, n-at))
	}
	return sizes, nil
}

func checkSizes(list []int64, n int64) error {
	sum := int64(0)
	for _, s := range list {
		if s < 0 || s > n-sum {
			return fmt.Errorf("split %v does not add up to the dimension %d", list, n)
		}
		sum += s
	}
	if sum != n {
		return fmt.Errorf("split %v does not add up to the dimension %d", list, n)
	}
	return nil
}
