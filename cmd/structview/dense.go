// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/structview/structview"
	"github.com/structview/structview/internal/render"
	"github.com/structview/structview/tensor"
)

// denseTree shows an ordinary tensor, or the part of it that indices and ranges
// select.
func denseTree(t *tensor.Tensor, path string, limits render.Limits) (render.Node, error) {
	steps, err := structview.ParsePath(path)
	if err != nil {
		return render.Node{}, err
	}
	part, err := selected(t.Dims(), steps)
	if err != nil {
		return render.Node{}, err
	}
	total, width := part.len(), t.Type().Bits()
	node := render.Node{
		Type: denseType(t.Type(), part.dims), Offset: uint64(part.first) * width, Bits: uint64(total) * width,
		Spread: !part.contiguous(),
	}
	for i := range min(total, int64(limits.Values)) {
		node.Values = append(node.Values, render.Element(t, int(part.at(i))))
	}
	node.More = uint64(total) - uint64(len(node.Values))
	return node, nil
}

// selection is a part of a tensor, its positions counted in elements.
type selection struct {
	first         int64
	dims, strides []int64
}

// selected applies the steps of a path to dimensions.
func selected(dims []int64, steps structview.Path) (selection, error) {
	var s selection
	if len(steps) > len(dims) {
		return s, invalid("%s for a tensor of %s", plural(len(steps), "step"), plural(len(dims), "dimension"))
	}
	stride := int64(1)
	for _, d := range dims {
		stride *= d
	}
	for i, d := range dims {
		if d > 0 {
			stride /= d
		}
		step := structview.Step{IsRange: true, To: structview.ToEnd}
		if i < len(steps) {
			step = steps[i]
		}
		if err := s.add(step, i, d, stride); err != nil {
			return s, err
		}
	}
	return s, nil
}

// add applies one step to dimension i, of d elements.
func (s *selection) add(step structview.Step, i int, d, stride int64) error {
	to := step.To
	if to == structview.ToEnd {
		to = uint64(d)
	}
	switch {
	case step.Name != "":
		return invalid("an ordinary tensor takes indices and ranges, found the name %q", step.Name)
	case !step.IsRange && step.From >= uint64(d):
		return invalid("index %d of dimension %d, which has %d", step.From, i, d)
	case step.IsRange && (step.From > to || to > uint64(d)):
		return invalid("range %d to %d of dimension %d, which has %d", step.From, to, i, d)
	}
	s.first += int64(step.From) * stride
	if step.IsRange {
		s.dims = append(s.dims, int64(to-step.From))
		s.strides = append(s.strides, stride)
	}
	return nil
}

func (s selection) len() int64 {
	n := int64(1)
	for _, d := range s.dims {
		n *= d
	}
	return n
}

// at is where element i lies, counted row by row.
func (s selection) at(i int64) int64 {
	position := s.first
	for k := len(s.dims) - 1; k >= 0; k-- {
		position += i % s.dims[k] * s.strides[k]
		i /= s.dims[k]
	}
	return position
}

func (s selection) contiguous() bool {
	n := int64(1)
	for k := len(s.dims) - 1; k >= 0; k-- {
		if s.dims[k] != 1 && s.strides[k] != n {
			return false
		}
		n *= s.dims[k]
	}
	return true
}

func denseType(t tensor.Type, dims []int64) string {
	if len(dims) == 0 {
		return t.Text()
	}
	return t.Text() + shapeText(dims)
}

// window copies n elements from the first on into a tensor of one dimension.
func window(t *tensor.Tensor, first, n int64) (*tensor.Tensor, error) {
	width := int64(t.Type().Bits())
	switch {
	case t.Type() == tensor.String:
		return tensor.NewStrings([]int64{n}, t.Strings()[first:first+n])
	case width >= 8:
		return tensor.New(t.Type(), []int64{n}, t.Bytes()[first*width/8:(first+n)*width/8])
	case width > 0:
		perByte := 8 / width
		from := first / perByte
		to := min((first+n+perByte-1)/perByte, int64(len(t.Bytes())))
		whole, err := tensor.New(t.Type(), []int64{(to - from) * perByte}, t.Bytes()[from:to])
		if err != nil {
			return nil, err
		}
		codes := tensor.Unpack(whole)[first-from*perByte:]
		return tensor.Pack(t.Type(), []int64{n}, codes[:n])
	default:
		return nil, fmt.Errorf("element type %v has no width", t.Type())
	}
}
