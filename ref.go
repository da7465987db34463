// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/structview/structview/tensor"
)

// Ref is a prepared [Path]: where it leads within every value of one root type. Making
// it costs time by the length of the path; reading through it costs none of that.
// A Ref is immutable; the zero Ref leads nowhere and every use of it is an error.
type Ref struct {
	info   *refInfo
	offset uint64
	fixed  int // dimensions of info that Index has fixed
}

// refInfo is what the elements of a reference have in common.
type refInfo struct {
	root      *Type
	typ       *Type
	constant  *tensor.Tensor
	width     uint64 // bits of one element, or of the type at the end of the path
	mask      uint64 // as many ones if a word holds an element of the payload, else 0
	narrow    bool   // at most 57 bits: within 8 bytes wherever the element begins
	rank      int    // open dimensions when the path was prepared
	names     int    // fields and components that the path enters
	dims      []Dim
	path      string
	element   tensor.Type
	component bool
	leaf      bool
}

// Resolve prepares a path for reading. Dimensions that the path gives no index for
// stay open: the reference then leads to many elements.
func (l *Layout) Resolve(p Path) (Ref, error) {
	s, err := l.find(p, false)
	if err != nil {
		return Ref{}, err
	}
	info := &refInfo{root: l.root, typ: s.typ, constant: s.constant, path: p.String(), names: s.names}
	switch {
	case s.part != nil:
		info.leaf, info.component = true, true
		info.element, info.width = holder(s.part.Width), uint64(s.part.Width)
	case s.typ.innermost().kind == KindTensor:
		if len(s.dims) > 0 {
			info.typ = nil
		}
		s.strip()
		info.leaf, info.element, info.width = true, s.typ.element, s.typ.element.Bits()
		s.dims = shapeDims(s.dims, s.typ.shape, s.typ.elementWidth())
	default:
		info.width = s.typ.bits
	}
	return info.ref(s.offset, s.dims), nil
}

func (info *refInfo) ref(offset uint64, dims []Dim) Ref {
	info.dims, info.rank = dims, len(dims)
	if info.leaf && info.constant == nil && info.width >= 1 && info.width <= 64 {
		info.mask, info.narrow = mask(info.width), info.width <= 57
	}
	return Ref{info, offset, 0}
}

// Ref prepares the path of a leaf (see [Layout.Leaf]) with all its dimensions.
func (l *Layout) Ref(leaf Leaf) Ref {
	info := &refInfo{
		root: l.root, constant: leaf.Constant, path: leaf.Path, width: leaf.Width,
		element: leaf.Element, component: leaf.IsComponent, leaf: true,
	}
	return info.ref(leaf.Offset, leaf.Dims)
}

// Path returns the path that the reference was made from, without later indices.
func (r Ref) Path() string {
	if r.info == nil {
		return ""
	}
	return r.info.path
}

// Offset returns the first bit of the first element: within the payload, or within
// the elements of a constant.
func (r Ref) Offset() uint64 { return r.offset }

// Width returns the bits of one element; of something that is no leaf, its size.
func (r Ref) Width() uint64 {
	if r.info == nil {
		return 0
	}
	return r.info.width
}

// Element returns the element type of a leaf (SV043), Undefined for anything else and
// for components wider than 64 bits.
func (r Ref) Element() tensor.Type {
	if r.info == nil {
		return tensor.Undefined
	}
	return r.info.element
}

// IsLeaf reports whether the reference leads to elements: of a tensor leaf, a
// component or a constant.
func (r Ref) IsLeaf() bool { return r.info != nil && r.info.leaf }

// IsComponent reports whether the reference leads to a component of a bit packing.
func (r Ref) IsComponent() bool { return r.info != nil && r.info.component }

// Dims returns the dimensions that are open. It is shared: read only.
func (r Ref) Dims() []Dim {
	if r.info == nil {
		return nil
	}
	return r.info.dims[r.fixed:]
}

// Type returns the type that stands at the end of the path: nil for a component, and
// for a leaf where dimensions outside it are open or some were fixed by [Ref.Index].
func (r Ref) Type() *Type {
	if r.info == nil || r.info.leaf && r.fixed > 0 {
		return nil
	}
	return r.info.typ
}

// Constant returns the constant that the path leads into, nil if it leads to the payload.
func (r Ref) Constant() *tensor.Tensor {
	if r.info == nil {
		return nil
	}
	return r.info.constant
}

// Len returns the number of elements: the product of the open dimensions. Elements
// of no bits may be more than 2^64-1; that is then the answer.
func (r Ref) Len() uint64 { return count(r.Dims()) }

func count(dims []Dim) uint64 {
	n, over := uint64(1), false
	for _, d := range dims {
		if d.Len == 0 {
			return 0
		}
		hi, lo := bits.Mul64(n, d.Len)
		n, over = lo, over || hi != 0
	}
	if over {
		return math.MaxUint64
	}
	return n
}

// Index fixes the first open dimension. It does not allocate.
func (r Ref) Index(i uint64) (Ref, error) {
	if r.info != nil && r.fixed < len(r.info.dims) {
		if d := &r.info.dims[r.fixed]; i < d.Len {
			return Ref{r.info, r.offset + i*d.Stride, r.fixed + 1}, nil
		}
	}
	return Ref{}, r.noIndex(i)
}

// noIndex explains why Index cannot fix a dimension.
func (r Ref) noIndex(i uint64) error {
	if dims := r.Dims(); len(dims) > 0 {
		return r.errorf("index %d does not exist: %s", i, elements(dims[0].Len))
	}
	return r.errorf("there is no open dimension to index")
}

func (r Ref) errorf(format string, args ...any) error {
	return &Diagnostic{Rule: string(ErrPath), Path: r.Path(), Message: fmt.Sprintf(format, args...)}
}
