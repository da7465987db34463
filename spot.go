// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"

	"github.com/structview/structview/internal/nearest"
	"github.com/structview/structview/tensor"
)

// spot is where a path has led to so far.
type spot struct {
	typ      *Type          // nil at a component; at a constant, a leaf of its shape
	part     *Component     // at a component
	constant *tensor.Tensor // offset and dims are within its elements
	offset   uint64         // bits
	dims     []Dim          // passed without an index, or with a range
	named    bool
	names    int  // fields and components that it entered
	quiet    bool // errors need no explanation
}

// errNotFound is the error of a quiet search.
var errNotFound = pathError("", "no such path")

// find follows a path from the root.
func (l *Layout) find(p Path, quiet bool) (spot, error) {
	s := spot{typ: l.root, quiet: quiet}
	for i, step := range p {
		var err error
		switch {
		case step.Name != "":
			err = s.name(p, i)
		default:
			err = s.index(p, i)
		}
		if err != nil {
			return spot{}, err
		}
	}
	return s, nil
}

func pathError(path, format string, args ...any) error {
	return &Diagnostic{Rule: string(ErrPath), Path: path, Message: fmt.Sprintf(format, args...)}
}

// name enters a field, constant or component. Arrays on the way keep their dimensions.
func (s *spot) name(p Path, i int) error {
	if s.typ == nil || s.typ.innermost().kind == KindTensor {
		if s.typ != nil && !s.named && p[i].Name == "value" {
			s.named = true
			return nil
		}
		return s.notFound(p, i)
	}
	s.strip()
	s.named = true
	s.names++
	if s.typ.kind == KindBitPacking {
		return s.component(p, i)
	}
	f := s.typ.field(p[i].Name)
	switch {
	case f == nil:
		return s.notFound(p, i)
	case f.Constant != nil:
		*s = spot{typ: constantType(f.Constant), constant: f.Constant, named: true, quiet: s.quiet}
	default:
		s.typ, s.offset = f.Type, s.offset+f.Offset
	}
	return nil
}

func (s *spot) component(p Path, i int) error {
	c := s.typ.part(p[i].Name)
	if c == nil {
		return s.notFound(p, i)
	}
	if !s.typ.row {
		s.keep(Dim{s.typ.length, s.typ.stride})
	}
	s.typ, s.part, s.offset = nil, c, s.offset+c.Offset
	return nil
}

func (s *spot) keep(d Dim) { s.dims = append(s.dims[:len(s.dims):len(s.dims)], d) }

// strip passes all arrays.
func (s *spot) strip() {
	for s.typ.kind == KindArray {
		s.keep(Dim{s.typ.length, s.typ.stride})
		s.typ = s.typ.elem
	}
}

// innermost returns the element type within all arrays.
func (t *Type) innermost() *Type {
	for t.kind == KindArray {
		t = t.elem
	}
	return t
}

// index fixes the outermost dimension of what the path has led to, or limits it to a range.
func (s *spot) index(p Path, i int) error {
	d, inner, ok := s.typ.outermost()
	if !ok {
		return pathError(p[:i+1].String(), "%s has no index here%s", s.what(), s.indexHelp())
	}
	from, to := p[i].From, p[i].To
	if p[i].IsRange {
		if to == ToEnd {
			to = d.Len
		}
		if from > to || to > d.Len {
			return pathError(p[:i+1].String(), "range %d to %d does not fit: %s", from, to, elements(d.Len))
		}
		s.keep(Dim{to - from, d.Stride})
	} else if from >= d.Len {
		return pathError(p[:i+1].String(), "index %d does not exist: %s", from, elements(d.Len))
	}
	s.offset += from * d.Stride
	s.typ = inner
	return nil
}

// outermost returns the outermost dimension of t, and the type of one element of it.
func (t *Type) outermost() (Dim, *Type, bool) {
	switch {
	case t == nil:
	case t.kind == KindArray:
		return Dim{t.length, t.stride}, t.elem, true
	case t.kind == KindBitPacking && !t.row:
		row := *t
		row.row, row.length, row.bits, row.layout.root = true, 1, t.stride, &row
		return Dim{t.length, t.stride}, &row, true
	case t.kind == KindTensor && len(t.shape) > 0:
		d := shapeDims(nil, t.shape, t.elementWidth())[0]
		return d, newLeaf(t.element, t.shape[1:], d.Stride), true
	}
	return Dim{}, nil, false
}

// elementWidth is the distance of the elements of a leaf: in bits, but one for the
// STRING constants, whose elements have no width.
func (t *Type) elementWidth() uint64 { return max(1, t.element.Bits()) }

func newLeaf(element tensor.Type, shape []uint64, bits uint64) *Type {
	t := &Type{kind: KindTensor, element: element, index: -1, shape: shape, bits: bits, leaves: 1}
	t.layout.root = t
	return t
}

// constantType returns a leaf with the dimensions of a constant.
func constantType(c *tensor.Tensor) *Type {
	shape := make([]uint64, len(c.Dims()))
	for i, d := range c.Dims() {
		shape[i] = uint64(d)
	}
	return newLeaf(c.Type(), shape, uint64(c.Len())*max(1, c.Type().Bits()))
}

func elements(n uint64) string {
	switch n {
	case 0:
		return "there are no elements"
	case 1:
		return "there is one element, 0"
	default:
		return fmt.Sprintf("there are %d elements, 0 to %d", n, n-1)
	}
}

// what names what the path has led to.
func (s *spot) what() string {
	switch {
	case s.part != nil:
		return "a component"
	case s.constant != nil:
		return "a constant"
	case s.typ.kind == KindTensor && len(s.typ.shape) == 0:
		return "a scalar"
	default:
		return s.typ.describeOne()
	}
}

// describeOne describes t with an article.
func (t *Type) describeOne() string {
	if t.kind == KindArray {
		return "an array"
	}
	return "a " + t.describe()
}

func (t *Type) describe() string {
	switch {
	case t.kind == KindBitPacking:
		return "bit packing"
	case t.kind == KindStructure && t.Name() != "":
		return "structure " + quoteName(t.Name())
	default:
		return t.kind.String()
	}
}

func (s *spot) indexHelp() string {
	if s.part != nil {
		return ": the index of a bit packing stands before the component's name"
	}
	if s.constant == nil && len(s.dims) > 0 {
		return ": the arrays outside it are indexed before its name"
	}
	return ""
}

// notFound explains why there is no name p[i] here.
func (s *spot) notFound(p Path, i int) error {
	if s.quiet {
		return errNotFound
	}
	name := p[i].Name
	path := p[:i+1].String()
	if s.typ == nil || s.typ.innermost().kind == KindTensor {
		help := ""
		if !s.named {
			help = `; its path is "value"`
		}
		return pathError(path, "no %s here: the path has led to %s, which has no names%s", quoteName(name), s.what(), help)
	}
	inner := s.typ.innermost()
	if near, ok := nearest.Of(name, inner.someNames()); ok {
		return pathError(path, "no %s in the %s; the nearest name is %s", quoteName(name), inner.describe(),
			append(p[:i:i], Name(near)).String())
	}
	return pathError(path, "no %s in the %s, which has %s", quoteName(name), inner.describe(), inner.listNames())
}

// leaf returns the whole leaf that the names of a path lead to.
func (s *spot) leaf(p Path) (Leaf, error) {
	names := Path(nil)
	for _, step := range p {
		if step.Name == "" {
			return Leaf{}, pathError(p.String(), "a leaf is named without indices")
		}
		names = append(names, step)
	}
	text := []byte(names.String())
	switch {
	case s.constant != nil:
		return constantLeaf(s.constant, text), nil
	case s.part != nil:
		leaf := Leaf{Path: string(text), Element: holder(s.part.Width), Width: uint64(s.part.Width), IsComponent: true}
		leaf.Offset, leaf.Dims = s.offset, s.dims
		return leaf, nil
	}
	s.strip()
	if s.typ.kind != KindTensor {
		return Leaf{}, pathError(p.String(), "%s is no leaf; it has %s", s.typ.describeOne(), s.typ.listNames())
	}
	return tensorLeaf(s.typ, s.offset, s.dims, text), nil
}
