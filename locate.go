// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"iter"
	"sort"

	"github.com/structview/structview/tensor"
)

// Element is one element of the payload: of a tensor leaf or a component.
type Element struct {
	Offset      uint64      // bits
	Width       uint64      // bits
	Type        tensor.Type // as in [Leaf]
	IsComponent bool
}

// End returns the first bit after the element.
func (e Element) End() uint64 { return e.Offset + e.Width }

// At returns the element that a bit of the payload belongs to, and its path with an
// index for every dimension. Every bit belongs to exactly one.
func (l *Layout) At(bit uint64) (Path, Element, error) {
	if bit >= l.root.bits {
		return nil, Element{}, pathError("", "bit %d lies outside the value: it has %d bits", bit, l.root.bits)
	}
	w := descent{bit: bit}
	for t := l.root; t != nil; {
		t = w.into(t)
	}
	return w.path, w.found, nil
}

// descent is the way down to one bit.
type descent struct {
	bit   uint64 // within the type that the way has come to
	base  uint64 // where that type begins
	path  Path
	found Element
}

// into steps into the part of t that holds the bit, and returns its type; nil at the element.
func (w *descent) into(t *Type) *Type {
	switch t.kind {
	case KindArray:
		w.repeat(t.stride)
		return t.elem
	case KindStructure:
		f := &t.fields[t.fieldAt(w.bit)]
		w.path = append(w.path, Name(f.Name))
		w.skip(f.Offset)
		return f.Type
	case KindBitPacking:
		if !t.row {
			w.repeat(t.stride)
		}
		c := &t.parts[t.partAt(w.bit)]
		w.path = append(w.path, Name(c.Name))
		w.found = Element{w.base + c.Offset, uint64(c.Width), holder(c.Width), true}
		return nil
	default:
		w.leaf(t)
		return nil
	}
}

func (w *descent) leaf(t *Type) {
	if len(w.path) == 0 {
		w.path = append(w.path, Name("value"))
	}
	for _, d := range shapeDims(nil, t.shape, t.element.Bits()) {
		w.repeat(d.Stride)
	}
	w.found = Element{w.base, t.element.Bits(), t.element, false}
}

// repeat steps into one of the elements that lie stride bits apart.
func (w *descent) repeat(stride uint64) {
	i := w.bit / stride
	w.path = append(w.path, Index(i))
	w.skip(i * stride)
}

func (w *descent) skip(bits uint64) {
	w.base, w.bit = w.base+bits, w.bit-bits
}

// fieldAt returns the field that holds a bit of a structure: the last one that begins
// at it or before, since those without bits stand before those with some.
func (t *Type) fieldAt(bit uint64) int {
	return sort.Search(len(t.fields), func(i int) bool { return t.fields[i].Offset > bit }) - 1
}

func (t *Type) partAt(bit uint64) int {
	return sort.Search(len(t.parts), func(i int) bool { return t.parts[i].Offset > bit }) - 1
}

// Elements yields the elements that have a bit in the range from to to, in the order
// of the payload. It needs memory by the depth of the declaration alone and begins at
// once, wherever the range lies. The path of an element is [Layout.At] of its offset.
func (l *Layout) Elements(from, to uint64) iter.Seq[Element] {
	return func(yield func(Element) bool) {
		w := elementWalk{from: from, to: min(to, l.root.bits), yield: yield}
		w.walk(l.root, 0)
	}
}

type elementWalk struct {
	from, to uint64
	yield    func(Element) bool
}

// walk yields the elements of t, which begins at base; false: the caller wants no more.
func (w *elementWalk) walk(t *Type, base uint64) bool {
	if t.bits == 0 || base >= w.to || base+t.bits <= w.from {
		return true
	}
	switch t.kind {
	case KindArray:
		return w.each(base, t.length, t.stride, func(at uint64) bool { return w.walk(t.elem, at) })
	case KindBitPacking:
		return w.each(base, t.length, t.stride, func(at uint64) bool { return w.row(t, at) })
	case KindTensor:
		width := t.element.Bits()
		return w.each(base, t.bits/width, width, func(at uint64) bool {
			return w.yield(Element{at, width, t.element, false})
		})
	}
	first := 0
	if w.from > base {
		first = t.fieldAt(w.from - base)
	}
	for i := first; i < len(t.fields); i++ {
		f := &t.fields[i]
		if f.Type != nil && f.Type.bits > 0 && !w.walk(f.Type, base+f.Offset) {
			return false
		}
	}
	return true
}

// each calls fn with the offset of each of n parts that the range touches.
func (w *elementWalk) each(base, n, stride uint64, fn func(at uint64) bool) bool {
	i := uint64(0)
	if w.from > base {
		i = (w.from - base) / stride
	}
	for ; i < n && base+i*stride < w.to; i++ {
		if !fn(base + i*stride) {
			return false
		}
	}
	return true
}

func (w *elementWalk) row(t *Type, at uint64) bool {
	for i := range t.parts {
		c := &t.parts[i]
		e := Element{at + c.Offset, uint64(c.Width), holder(c.Width), true}
		if e.End() > w.from && e.Offset < w.to && !w.yield(e) {
			return false
		}
	}
	return true
}

// String writes the element for a message: "UINT8 (4 bits) at bit 12".
func (e Element) String() string {
	return fmt.Sprintf("%v (%d bits) at bit %d", e.Type, e.Width, e.Offset)
}
