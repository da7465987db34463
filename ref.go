// SPDX-License-Identifier: Apache-2.0

package structview

import "github.com/structview/structview/tensor"

// Ref is a prepared path: a position within every value of one root type.
type Ref struct {
	info   *refInfo
	offset uint64
	dims   []Dim
}

type refInfo struct {
	root     *Type
	typ      *Type
	constant *tensor.Tensor
	path     string
	width    uint64
	element  tensor.Type
}

// Path returns the path that the reference was made from.
func (r Ref) Path() string { return r.info.path }

// Offset returns the first bit.
func (r Ref) Offset() uint64 { return r.offset }

// Width returns the bits of one element.
func (r Ref) Width() uint64 { return r.info.width }

// Element returns the element type of a leaf.
func (r Ref) Element() tensor.Type { return r.info.element }

// Dims returns the dimensions that are left.
func (r Ref) Dims() []Dim { return r.dims }

// Type returns the type at the position, nil for a component or a constant.
func (r Ref) Type() *Type { return r.info.typ }

// Constant returns the constant at the position, nil otherwise.
func (r Ref) Constant() *tensor.Tensor { return r.info.constant }

// Index fixes the first of the dimensions that are left.
func (r Ref) Index(i uint64) (Ref, error) { panic("not yet") }
