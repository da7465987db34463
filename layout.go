// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"iter"

	"github.com/structview/structview/tensor"
)

// Layout answers where the leaves of a type lie. It is symbolic: an array of a
// million structures is one entry with a dimension of a million, so that every
// answer takes time and memory by the depth of the declaration alone.
type Layout struct{ root *Type }

// Dim is one dimension of a leaf: how many, and how many bits apart.
type Dim struct {
	Len    uint64
	Stride uint64 // bits
}

// Leaf says where one named leaf lies within a value of its root.
type Leaf struct {
	Path        string      // canonical (SV041): "qs.lo", "value"
	Element     tensor.Type // ONNX element type; of a component the smallest UINT that holds it (SV043), Undefined above 64 bits
	Width       uint64      // bits of one element; 0 for a STRING constant
	IsComponent bool
	Offset      uint64         // bits, of the first element; meaningless if there is none
	Dims        []Dim          // enclosing arrays and bit packings outermost first, then the leaf's own shape
	Constant    *tensor.Tensor // not nil: no bits of the payload; Dims is the constant's own shape
}

// Root returns the type whose layout this is.
func (l *Layout) Root() *Type { return l.root }

// Len returns the number of leaves, constants included; 2^64-1 stands for all numbers
// from there on. It is known without counting.
func (l *Layout) Len() uint64 { return l.root.leaves }

// Leaves returns the leaves in the order of declaration, constants included, each
// once however often it is repeated. They are made one by one: declarations that use
// each other may have astronomically many (see [Layout.Len]), so callers stop somewhere.
func (l *Layout) Leaves() iter.Seq[Leaf] {
	return func(yield func(Leaf) bool) {
		w := leafWalk{yield: yield}
		w.walk(l.root, 0, nil, nil)
	}
}

type leafWalk struct{ yield func(Leaf) bool }

// walk yields the leaves of t, which begins at a bit offset below the given
// dimensions and names; false: the caller wants no more.
func (w *leafWalk) walk(t *Type, offset uint64, dims []Dim, names []byte) bool {
	if t.leaves == 0 {
		return true // as many empty structures as there may be
	}
	for t.kind == KindArray {
		dims = append(dims, Dim{t.length, t.stride})
		t = t.elem
	}
	dims = dims[:len(dims):len(dims)]
	names = names[:len(names):len(names)]
	switch t.kind {
	case KindTensor:
		return w.yield(tensorLeaf(t, offset, dims, names))
	case KindBitPacking:
		for i := range t.parts {
			if !w.yield(componentLeaf(t, &t.parts[i], offset, dims, names)) {
				return false
			}
		}
		return true
	default:
		return w.fields(t, offset, dims, names)
	}
}

func (w *leafWalk) fields(t *Type, offset uint64, dims []Dim, names []byte) bool {
	for i := range t.fields {
		f := &t.fields[i]
		path := appendName(names, f.Name)
		if f.Constant != nil {
			if !w.yield(constantLeaf(f.Constant, path)) {
				return false
			}
		} else if !w.walk(f.Type, offset+f.Offset, dims, path) {
			return false
		}
	}
	return true
}

func tensorLeaf(t *Type, offset uint64, dims []Dim, names []byte) Leaf {
	path := string(names)
	if path == "" {
		path = "value"
	}
	return Leaf{
		Path: path, Element: t.element, Width: t.element.Bits(), Offset: offset,
		Dims: shapeDims(dims, t.shape, t.element.Bits()),
	}
}

func componentLeaf(t *Type, c *Component, offset uint64, dims []Dim, names []byte) Leaf {
	if !t.row {
		dims = append(dims[:len(dims):len(dims)], Dim{t.length, t.stride})
	}
	return Leaf{
		Path: string(appendName(names, c.Name)), Element: holder(c.Width), Width: uint64(c.Width), IsComponent: true,
		Offset: offset + c.Offset, Dims: dims,
	}
}

func constantLeaf(c *tensor.Tensor, names []byte) Leaf {
	return Leaf{
		Path: string(names), Element: c.Type(), Width: c.Type().Bits(), Constant: c,
		Dims: constantDims(c),
	}
}

// constantDims returns the dimensions of a constant; elements of a STRING constant
// are one apart.
func constantDims(c *tensor.Tensor) []Dim {
	shape := make([]uint64, len(c.Dims()))
	for i, d := range c.Dims() {
		shape[i] = uint64(d)
	}
	return shapeDims(nil, shape, max(1, c.Type().Bits()))
}

// shapeDims appends the dimensions of a row-major tensor to dims. Strides of a shape
// with a 0 are of no use and may wrap around.
func shapeDims(dims []Dim, shape []uint64, width uint64) []Dim {
	if len(shape) == 0 {
		return dims
	}
	n := len(dims)
	all := append(dims[:n:n], make([]Dim, len(shape))...)
	for i := len(shape) - 1; i >= 0; i-- {
		all[n+i] = Dim{shape[i], width}
		width *= shape[i]
	}
	return all
}

// holder returns the smallest unsigned type that holds a component (SV043).
func holder(width uint32) tensor.Type {
	switch {
	case width <= 8:
		return tensor.Uint8
	case width <= 16:
		return tensor.Uint16
	case width <= 32:
		return tensor.Uint32
	case width <= 64:
		return tensor.Uint64
	default:
		return tensor.Undefined
	}
}

// Leaf returns the leaf of a canonical name path (SV041), as codecs name them. The
// error names the nearest existing path, or the canonical spelling of a path that is
// spelled otherwise.
func (l *Layout) Leaf(path string) (Leaf, error) { return l.leaf(path, false) }

// Find is [Layout.Leaf] without an explanation: for a caller who asks for many names,
// most of which may be wrong, since to find the nearest name takes far longer.
func (l *Layout) Find(path string) (Leaf, bool) {
	leaf, err := l.leaf(path, true)
	return leaf, err == nil
}

func (l *Layout) leaf(path string, quiet bool) (Leaf, error) {
	p, err := ParsePath(path)
	if err != nil {
		return Leaf{}, err
	}
	s, err := l.find(p, quiet)
	if err != nil {
		return Leaf{}, err
	}
	leaf, err := s.leaf(p)
	if err == nil && leaf.Path != path {
		err = pathError(path, "a leaf is named by its canonical path %s", leaf.Path)
	}
	if err != nil {
		return Leaf{}, err
	}
	return leaf, nil
}
