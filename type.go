// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// Kind is the form of a [Type].
type Kind uint8

const (
	KindTensor     Kind = iota // a leaf: one ONNX scalar or an ordinary tensor
	KindArray                  // one type, repeated
	KindBitPacking             // a row of named bit fields, repeated
	KindStructure              // named fields, one after the other
)

// String returns the kind as the proposal spells it: "tensor", "array", "bit_packing", "structure".
func (k Kind) String() string {
	return [...]string{"tensor", "array", "bit_packing", "structure"}[k&3]
}

// Type is a resolved declaration, or a part of one: its size, and where each part
// lies relative to its own first bit. Types are immutable, shared wherever a
// reference names them, and safe for concurrent use. They are made by [Resolve].
type Type struct {
	kind    Kind
	element tensor.Type
	index   int32
	levels  int32 // nesting below and with this one (SV025); 0 for a leaf
	bits    uint64
	leaves  uint64   // named leaves, constants included; at most 2^64-1 is counted
	length  uint64   // array, bit packing
	stride  uint64   // bits of one element of an array, of one row of a bit packing
	shape   []uint64 // leaf
	elem    *Type
	parts   []Component
	fields  []Field
	order   []int32 // of many fields or components: their indices sorted by name
	proto   *onnxpb.StructTypeProto
	layout  Layout
	entries []*Type // of a root: what its references and those of its codecs lead to
	row     bool    // one row of a bit packing, which has no index
}

// Component is one bit field of a bit packing.
type Component struct {
	Name   string
	Width  uint32 // bits
	Offset uint64 // bits from the beginning of the row
}

// Field is one member of a structure. Exactly one of Type and Constant is set; a
// constant occupies no bits of the payload.
type Field struct {
	Name     string
	Doc      string
	Type     *Type
	Constant *tensor.Tensor
	Offset   uint64 // bits from the beginning of the structure
}

// Kind returns the form of t.
func (t *Type) Kind() Kind { return t.kind }

// Bits returns the size of a value of t in bits.
func (t *Type) Bits() uint64 { return t.bits }

// Bytes returns the size of a value of t in whole bytes, and whether there is such
// a size: only values of a root need one (SV021).
func (t *Type) Bytes() (uint64, bool) { return t.bits / 8, t.bits%8 == 0 }

// Name returns the declaration's name; "" for a leaf and often for an inline declaration.
func (t *Type) Name() string { return t.proto.GetName() }

// Index returns the place in ModelProto.struct_types, -1 for inline declarations and leaves.
func (t *Type) Index() int { return int(t.index) }

// Proto returns the declaration, nil for a leaf. It is shared: read only.
func (t *Type) Proto() *onnxpb.StructTypeProto { return t.proto }

// Element returns the element type of a leaf, Undefined for other kinds.
func (t *Type) Element() tensor.Type { return t.element }

// Shape returns the dimensions of a leaf, none for a scalar. It is shared: read only.
func (t *Type) Shape() []uint64 { return t.shape }

// Elem returns the element type of an array, nil for other kinds.
func (t *Type) Elem() *Type { return t.elem }

// Len returns the dimension of an array or a bit packing, 0 for other kinds.
func (t *Type) Len() uint64 { return t.length }

// Components returns the components of a bit packing. They are shared: read only.
func (t *Type) Components() []Component { return t.parts }

// Fields returns the fields of a structure. They are shared: read only.
func (t *Type) Fields() []Field { return t.fields }

// Decoder returns the declaration's own decoder, nil if it has none. Only that of a
// value's root runs.
func (t *Type) Decoder() *onnxpb.FunctionProto { return t.proto.GetDecoder() }

// Encoder returns the declaration's own encoder, nil if it has none.
func (t *Type) Encoder() *onnxpb.FunctionProto { return t.proto.GetEncoder() }

// Layout returns where the leaves of t lie. It costs nothing.
func (t *Type) Layout() *Layout { return &t.layout }
