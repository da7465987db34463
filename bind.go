// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/structview/structview/tensor"
)

// Bind returns what a codec sees at a canonical name path of v's type: the leaf's
// element type, or for a component the smallest unsigned integer that holds it, with
// the dimensions of the enclosing arrays and bit packings and of the leaf (SV042,
// SV043); a constant with its own dimensions alone (SV044).
//
// Elements that lie in the payload as they do in a tensor are not copied: the tensor
// then aliases the payload.
func Bind(v View, path string) (*tensor.Tensor, error) {
	if v.typ == nil {
		return nil, pathError(path, "the view is empty: make one with NewView")
	}
	leaf, err := v.typ.Layout().Leaf(path)
	if err != nil {
		return nil, err
	}
	return BindLeaf(v, leaf)
}

// BindLeaf is [Bind] of a leaf of v's type that has been looked up before. A leaf of
// another type is the caller's mistake: it gives an error or other elements of v.
func BindLeaf(v View, leaf Leaf) (*tensor.Tensor, error) {
	if leaf.Constant != nil {
		return leaf.Constant, nil
	}
	dims, err := leaf.TensorDims()
	if err != nil {
		return nil, err
	}
	if !within(leaf, v.typ) {
		return nil, pathError(leaf.Path, "the leaf does not belong to the value's type")
	}
	return v.pack(v.data, v.base+leaf.Offset, leaf, dims)
}

// within reports whether every element of the leaf lies within a value of t and has a
// width that its element type holds, which is so if it is a leaf of t.
func within(leaf Leaf, t *Type) bool {
	size := leaf.Element.Bits()
	if t == nil || leaf.Width == 0 || leaf.Width > size || leaf.Width < size && (!leaf.IsComponent || size < 8) {
		return false
	}
	if count(leaf.Dims) == 0 {
		return true
	}
	end, carry := bits.Add64(leaf.Offset, leaf.Width, 0)
	for _, d := range leaf.Dims {
		hi, lo := bits.Mul64(d.Len-1, d.Stride)
		var more uint64
		end, more = bits.Add64(end, lo, 0)
		carry |= more | hi
	}
	return carry == 0 && end <= t.bits
}

// TensorDims returns the dimensions of the tensor that binds to the leaf (SV042). A
// dimension of 2^63 or more is an error, and so is a component wider than 64 bits (SV011).
func (l Leaf) TensorDims() ([]int64, error) {
	if l.IsComponent && l.Element == tensor.Undefined {
		return nil, &Diagnostic{
			Rule: string(ErrWidth), Path: l.Path,
			Message: fmt.Sprintf("a component of %d bits cannot be bound: no element type holds more than 64", l.Width),
		}
	}
	return tensorDims(l.Dims, l.Path)
}

func tensorDims(dims []Dim, path string) ([]int64, error) {
	list := make([]int64, len(dims))
	for i, d := range dims {
		if d.Len > math.MaxInt64 {
			return nil, &Diagnostic{
				Rule: string(ErrDimension), Path: path,
				Message: fmt.Sprintf("dimension %d is %d: a tensor's dimension is below 2^63", i, d.Len),
			}
		}
		list[i] = int64(d.Len)
	}
	return list, nil
}

// Tensor returns the elements at r with the dimensions that r leaves open, as [Bind]
// does for a whole leaf.
func (v View) Tensor(r Ref) (*tensor.Tensor, error) {
	if err := v.owns(r); err != nil {
		return nil, err
	}
	if !r.info.leaf {
		return nil, v.notOne(r)
	}
	leaf := Leaf{Path: r.info.path, IsComponent: r.info.component, Element: r.info.element, Width: r.info.width, Dims: r.Dims()}
	dims, err := leaf.TensorDims()
	if err != nil {
		return nil, err
	}
	if c := r.info.constant; c != nil && c.Type() == tensor.String {
		return someStrings(c, r, dims)
	}
	data, offset := v.source(r)
	return v.pack(data, offset, leaf, dims)
}

// pack makes a tensor of the elements of a leaf, the first of which is at offset in data.
func (v View) pack(data []byte, offset uint64, l Leaf, dims []int64) (*tensor.Tensor, error) {
	size, n := l.Element.Bits(), count(l.Dims)
	if n == 0 {
		return tensor.New(l.Element, dims, nil)
	}
	if size == l.Width && offset%8 == 0 {
		if outer, run := contiguous(collapse(l.Dims), size); len(outer) == 0 && run%8 == 0 {
			return tensor.New(l.Element, dims, data[offset/8:offset/8+run/8:offset/8+run/8])
		}
	}
	// n is the bits of the payload at most, and an address space has far fewer than 2^58.
	total := (n*size + 7) / 8
	if total > math.MaxInt {
		return nil, pathError(l.Path, "%d elements of %v take %d bytes, more than this machine can address", n, l.Element, total)
	}
	dst := make([]byte, total)
	err := v.guard(func() error {
		if size == l.Width {
			gather(dst, data, offset, l.Dims, size)
		} else {
			widen(dst, data, offset, l.Dims, l.Width, size/8)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return tensor.New(l.Element, dims, dst)
}

func someStrings(c *tensor.Tensor, r Ref, dims []int64) (*tensor.Tensor, error) {
	all := c.Strings()
	picked := make([][]byte, 0, min(r.Len(), uint64(len(all))))
	if r.Len() > 0 {
		rows(r.Dims(), r.offset, func(offset uint64, inner Dim) {
			for range inner.Len {
				picked = append(picked, all[offset])
				offset += inner.Stride
			}
		})
	}
	return tensor.NewStrings(dims, picked)
}
