// SPDX-License-Identifier: Apache-2.0

package structview

import "github.com/structview/structview/tensor"

// View overlays a type on the bytes of a payload.
type View struct {
	typ  *Type
	data []byte
	base uint64 // bits
}

// NewView returns the view of payload as a value of t. The payload has exactly t's size.
func NewView(t *Type, payload []byte) (View, error) { panic("not yet") }

// Type returns the type of the value.
func (v View) Type() *Type { return v.typ }

// At prepares a path in the type of v (see ParsePath).
func (v View) At(path string) (Ref, error) { panic("not yet") }

// Sub returns the view of the value at r.
func (v View) Sub(r Ref) (View, error) { panic("not yet") }

// Uint64 reads the bits of one element of up to 64 bits.
func (v View) Uint64(r Ref) (uint64, error) { panic("not yet") }

// Int64 reads one integer element.
func (v View) Int64(r Ref) (int64, error) { panic("not yet") }

// Float64 reads one element as a number.
func (v View) Float64(r Ref) (float64, error) { panic("not yet") }

// AppendBits appends the bits of one element of any width, little-endian, to dst.
func (v View) AppendBits(dst []byte, r Ref) ([]byte, error) { panic("not yet") }

// Tensor copies the elements at r into a tensor (SV042, SV043).
func (v View) Tensor(r Ref) (*tensor.Tensor, error) { panic("not yet") }

// Bind returns what a codec sees at a canonical name path of v's type (SV042, SV043).
func Bind(v View, path string) (*tensor.Tensor, error) { panic("not yet") }
