// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/structview/structview"
	"github.com/structview/structview/internal/render"
	"github.com/structview/structview/tensor"
)

// denseTree shows an ordinary tensor, or the part of it that indices select.
func denseTree(t *tensor.Tensor, path string, limits render.Limits) (render.Node, error) {
	steps, err := structview.ParsePath(path)
	if err != nil {
		return render.Node{}, err
	}
	dims := t.Dims()
	first, count := int64(0), t.Len()
	for i, step := range steps {
		switch {
		case step.Name != "" || step.IsRange:
			return render.Node{}, invalid("an ordinary tensor takes indices, found %s", structview.Path{step})
		case i >= len(dims):
			return render.Node{}, invalid("%d indices, but the tensor has %d dimensions", len(steps), len(dims))
		case step.From >= uint64(dims[i]):
			return render.Node{}, invalid("index %d of dimension %d, which has %d", step.From, i, dims[i])
		}
		count /= dims[i]
		first += int64(step.From) * count
	}
	part, err := window(t, first, min(count, int64(limits.Values)))
	if err != nil {
		return render.Node{}, err
	}
	width := t.Type().Bits()
	return render.Node{
		Type:   denseType(t.Type(), dims[len(steps):]),
		Offset: uint64(first) * width,
		Bits:   uint64(count) * width,
		Values: render.Elements(part, int(part.Len())),
		More:   uint64(count - part.Len()),
	}, nil
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
