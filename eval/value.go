// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/structview/structview/tensor"
)

// Value is what a name of a graph stands for: a *[tensor.Tensor], a *[Sequence],
// an *[Optional], or an opaque value of the caller. An input that is not given is nil.
type Value any

// Sequence is an immutable list of values of one type.
type Sequence struct {
	Elem   ValueType // of the elements; the unknown type if not stated
	Values []Value
}

// Optional holds a value or none.
type Optional struct {
	Elem  ValueType // of the value that it may hold
	Value Value     // nil: none
}

// Kind tells the sorts of values apart.
type Kind uint8

// The kinds of values.
const (
	KindUnknown  Kind = iota // nothing is known statically
	KindAbsent               // an optional input or output that is not given
	KindTensor               // *tensor.Tensor
	KindSequence             // *Sequence
	KindOptional             // *Optional
	KindOpaque               // a value of the caller
)

// ValueType is what is known about a value before it is there.
type ValueType struct {
	Kind    Kind
	Element tensor.Type // KindTensor: Undefined if unknown
	Ranked  bool        // KindTensor: Dims counts
	Dims    []int64     // KindTensor: a dimension of -1 is unknown
	Elem    *ValueType  // KindSequence, KindOptional: nil if unknown
	Opaque  any         // KindOpaque: what the caller knows about it, for its own operators

	// Known is the value itself where it is known: shape arithmetic is followed statically.
	Known *tensor.Tensor

	partial []int64 // an integer tensor of rank 0 or 1 of which some elements are known
}

// TensorType is the type of tensors of an element type and of dimensions, -1 where unknown.
func TensorType(element tensor.Type, dims ...int64) ValueType {
	return ValueType{Kind: KindTensor, Element: element, Ranked: true, Dims: dims}
}

// UnrankedType is the type of tensors of an element type and any dimensions.
func UnrankedType(element tensor.Type) ValueType {
	return ValueType{Kind: KindTensor, Element: element}
}

// SequenceType is the type of sequences of elem.
func SequenceType(elem ValueType) ValueType { return ValueType{Kind: KindSequence, Elem: &elem} }

// OptionalType is the type of optionals of elem.
func OptionalType(elem ValueType) ValueType { return ValueType{Kind: KindOptional, Elem: &elem} }

// OpaqueType is the type of the caller's values that info describes.
func OpaqueType(info any) ValueType { return ValueType{Kind: KindOpaque, Opaque: info} }

// TypeOf returns the type of a value; a tensor is its own known value.
func TypeOf(v Value) ValueType {
	switch v := v.(type) {
	case nil:
		return ValueType{Kind: KindAbsent}
	case *tensor.Tensor:
		return ValueType{Kind: KindTensor, Element: v.Type(), Ranked: true, Dims: v.Dims(), Known: v}
	case *Sequence:
		return ValueType{Kind: KindSequence, Elem: &v.Elem}
	case *Optional:
		return ValueType{Kind: KindOptional, Elem: &v.Elem}
	}
	return ValueType{Kind: KindOpaque, Opaque: v}
}

// Static reports whether t is a tensor type of known element type and dimensions.
func (t ValueType) Static() bool {
	if t.Kind != KindTensor || t.Element == tensor.Undefined || !t.Ranked {
		return false
	}
	for _, d := range t.Dims {
		if d < 0 {
			return false
		}
	}
	return true
}

// String writes the type as in "FLOAT[2,?]", "INT64[...]", "sequence(FLOAT[])".
func (t ValueType) String() string {
	switch t.Kind {
	case KindUnknown:
		return "unknown"
	case KindAbsent:
		return "absent"
	case KindTensor:
		return elementText(t.Element) + dimsText(t.Ranked, t.Dims)
	case KindSequence:
		return "sequence(" + elemText(t.Elem) + ")"
	case KindOptional:
		return "optional(" + elemText(t.Elem) + ")"
	}
	return "opaque"
}

func elemText(t *ValueType) string {
	if t == nil {
		return "unknown"
	}
	return t.String()
}

func elementText(t tensor.Type) string {
	if t == tensor.Undefined {
		return "tensor"
	}
	return t.String()
}

func dimsText(ranked bool, dims []int64) string {
	if !ranked {
		return "[...]"
	}
	parts := make([]string, len(dims))
	for i, d := range dims {
		parts[i] = "?"
		if d >= 0 {
			parts[i] = strconv.FormatInt(d, 10)
		}
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// merge returns what is common to two types that meet, as the two branches of If do.
func merge(a, b ValueType) (ValueType, error) {
	switch {
	case a.Kind == KindUnknown || b.Kind == KindUnknown:
		return ValueType{}, nil
	case a.Kind != b.Kind:
		return ValueType{}, fmt.Errorf("%v and %v differ", a, b)
	case a.Kind == KindTensor:
		return mergeTensors(a, b)
	case a.Elem != nil && b.Elem != nil:
		elem, err := merge(*a.Elem, *b.Elem)
		return ValueType{Kind: a.Kind, Elem: &elem}, err
	case a.Kind == KindOpaque && a.Opaque == b.Opaque:
		return a, nil
	}
	return ValueType{Kind: a.Kind}, nil
}

func mergeTensors(a, b ValueType) (ValueType, error) {
	out := ValueType{Kind: KindTensor, Element: a.Element}
	switch {
	case a.Element == tensor.Undefined || b.Element == tensor.Undefined:
		out.Element = tensor.Undefined
	case a.Element != b.Element:
		return out, fmt.Errorf("%v and %v differ", a, b)
	}
	if !a.Ranked || !b.Ranked || len(a.Dims) != len(b.Dims) {
		return out, nil
	}
	out.Ranked, out.Dims = true, make([]int64, len(a.Dims))
	for i, d := range a.Dims {
		out.Dims[i] = d
		if d != b.Dims[i] {
			out.Dims[i] = -1
		}
	}
	return out, nil
}

// valueless returns t without what is known of the value itself.
func (t ValueType) valueless() ValueType {
	t.Known, t.partial = nil, nil
	return t
}
