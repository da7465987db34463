// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"math/bits"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

// values shows a run of elements: a leaf, a component or a constant.
func (r *reader) values(v structview.View, ref structview.Ref) (Node, error) {
	node := Node{Type: elementType(ref)}
	if c := ref.Constant(); c != nil {
		node.Type = "constant " + node.Type
		node.Offset = ref.Offset()
	} else {
		node.Offset = v.Offset() + ref.Offset()
		node.Bits = ref.Len() * ref.Width()
		node.Spread = !dense(ref.Dims(), ref.Width())
	}
	for i := range min(ref.Len(), uint64(r.limits.Values)) {
		text, err := one(v, ref, i)
		if err != nil {
			return node, err
		}
		node.Values = append(node.Values, text)
	}
	node.More = ref.Len() - uint64(len(node.Values))
	return node, nil
}

// one writes element i of a run, counted row by row.
func one(v structview.View, ref structview.Ref, i uint64) (string, error) {
	dims := ref.Dims()
	for k := range dims {
		inner := count(dims[k+1:])
		var err error
		if ref, err = ref.Index(i / inner); err != nil {
			return "", err
		}
		i %= inner
	}
	if ref.Width() > 64 && ref.Element() == tensor.Undefined {
		bytes, err := v.AppendBits(nil, ref)
		return Bits(bytes), err
	}
	t, err := v.Tensor(ref)
	if err != nil {
		return "", err
	}
	return Element(t, 0), nil
}

// elementType names the elements of a run with its dimensions: a component's by
// their width, all others by their element type.
func elementType(ref structview.Ref) string {
	text := ref.Element().Text()
	if ref.IsComponent() {
		text = fmt.Sprintf("bits %d", ref.Width())
	}
	shape := make([]uint64, len(ref.Dims()))
	for i, d := range ref.Dims() {
		shape[i] = d.Len
	}
	if len(shape) > 0 {
		text += dims(shape)
	}
	return text
}

// count is the number of elements, saturated: elements without bits may be more
// than 2^64.
func count(dims []structview.Dim) uint64 {
	n := uint64(1)
	saturated := false
	for _, d := range dims {
		if d.Len == 0 {
			return 0
		}
		high, low := bits.Mul64(n, d.Len)
		saturated = saturated || high != 0
		n = low
	}
	if saturated {
		return 1<<64 - 1
	}
	return n
}
