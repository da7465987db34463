// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// Value is what flows through a graph that has structured types: a [Struct], a
// *tensor.Tensor, or a [Sequence], [Map] or [Optional] of values. Sequences and maps of
// structured values exist in memory only: no message holds them.
type Value any

// Struct is a structured value.
type Struct struct{ Proto *onnxpb.StructProto }

// Sequence is values in an order. Of an unconstrained static type, they may differ in
// their declarations.
type Sequence []Value

// Map is values by key; Keys is a tensor of integers or strings with one element for
// each value.
type Map struct {
	Keys   *tensor.Tensor
	Values []Value
}

// Optional is a value or none.
type Optional struct{ Value Value }

// Walk yields the structured values and tensors in v, each with its path: indices of
// sequences, keys of maps. What is absent in an optional is not yielded.
func Walk(v Value) iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) { walkValue("", v, yield) }
}

func walkValue(path string, v Value, yield func(string, Value) bool) bool {
	switch v := v.(type) {
	case Sequence:
		for i, e := range v {
			if !walkValue(fmt.Sprintf("%s[%d]", path, i), e, yield) {
				return false
			}
		}
		return true
	case Map:
		for i, e := range v.Values {
			if !walkValue(path+"["+keyText(v.Keys, i)+"]", e, yield) {
				return false
			}
		}
		return true
	case Optional:
		return v.Value == nil || walkValue(path, v.Value, yield)
	case nil:
		return true
	default:
		return yield(path, v)
	}
}

// keyText writes a key of a map: a number or a JSON string.
func keyText(keys *tensor.Tensor, i int) string {
	if keys == nil || int64(i) >= keys.Len() {
		return "?"
	}
	if keys.Type() == tensor.String {
		return string(appendQuoted(nil, string(keys.Strings()[i])))
	}
	bits := readBits(keys.Bytes(), uint64(i)*keys.Type().Bits(), keys.Type().Bits())
	if shift := 64 - keys.Type().Bits(); keys.Type().IsSigned() {
		return strconv.FormatInt(int64(bits<<shift)>>shift, 10)
	}
	return strconv.FormatUint(bits, 10)
}

// String describes the sequence and its values.
func (s Sequence) String() string { return describeAll("sequence", s) }

// String describes the map and its values.
func (m Map) String() string { return describeAll("map", m) }

// String describes the optional and its value.
func (o Optional) String() string { return describeAll("optional", o) }

// String describes the value by its name.
func (s Struct) String() string { return ValueName(s) }

func describeAll(what string, v Value) string {
	var b strings.Builder
	b.WriteString(what + " {")
	for path, leaf := range Walk(v) {
		b.WriteString(" " + path + ": " + ValueName(leaf) + ";")
	}
	b.WriteString(" }")
	return b.String()
}

// Accepts reports whether a static type of a graph accepts a value (SV051): an exact
// reference those whose StructProto.type is its index, and no equal inline
// declaration; the unconstrained category every structured value that selects a valid
// root; sequences, maps and optionals by their elements. nil means yes.
func (d *Declarations) Accepts(static *onnxpb.TypeProto, v Value) error {
	return d.accepts(static, v, nil)
}

func refuse(at *place, format string, args ...any) error {
	return &Diagnostic{Rule: string(ErrNotAccepted), Path: at.String(), Message: fmt.Sprintf(format, args...)}
}

func (d *Declarations) accepts(static *onnxpb.TypeProto, v Value, at *place) error {
	switch s := static.GetValue().(type) {
	case *onnxpb.TypeProto_StructType:
		return d.acceptsStruct(s.StructType, v, at)
	case *onnxpb.TypeProto_SequenceType:
		list, ok := v.(Sequence)
		if !ok {
			return refuse(at, "expected a sequence, found %s", ValueName(v))
		}
		return d.acceptsAll(s.SequenceType.GetElemType(), list, at)
	case *onnxpb.TypeProto_MapType:
		return d.acceptsMap(s.MapType, v, at)
	case *onnxpb.TypeProto_OptionalType:
		o, ok := v.(Optional)
		switch {
		case !ok:
			return refuse(at, "expected an optional, found %s", ValueName(v))
		case o.Value == nil:
			return nil
		}
		return d.accepts(s.OptionalType.GetElemType(), o.Value, at)
	case *onnxpb.TypeProto_TensorType:
		return acceptsTensor(s.TensorType, v, at)
	default:
		return refuse(at, "a static type that is %s accepts no value here", valueName(static))
	}
}

func (d *Declarations) acceptsAll(static *onnxpb.TypeProto, list []Value, at *place) error {
	for i, v := range list {
		if err := d.accepts(static, v, at.at("", i)); err != nil {
			return err
		}
	}
	return nil
}

func (d *Declarations) acceptsMap(static *onnxpb.TypeProto_Map, v Value, at *place) error {
	m, ok := v.(Map)
	if !ok {
		return refuse(at, "expected a map, found %s", ValueName(v))
	}
	if want := tensor.Type(static.GetKeyType()); m.Keys == nil || m.Keys.Type() != want || m.Keys.Len() != int64(len(m.Values)) {
		return refuse(at, "expected %d keys of type %v, found %s", len(m.Values), want, ValueName(m.Keys))
	}
	return d.acceptsAll(static.GetValueType(), m.Values, at)
}

func (d *Declarations) acceptsStruct(static *onnxpb.StructTypeProto, v Value, at *place) error {
	s, ok := v.(Struct)
	if !ok {
		return refuse(at, "expected a structured value, found %s", ValueName(v))
	}
	switch k := static.GetKind().(type) {
	case nil:
	case *onnxpb.StructTypeProto_TypeIndex:
		if got := s.Proto.GetType(); got != k.TypeIndex {
			return refuse(at, "expected a value of type %d, found %s", k.TypeIndex, selection(s.Proto))
		}
	default:
		return refuse(at, "a static type is a type_index or leaves kind unset; found an inline %s", kindName(static))
	}
	if _, err := d.TypeOf(s.Proto); err != nil {
		return refuse(at, "the value has no valid type: %v", err)
	}
	return nil
}

func selection(p *onnxpb.StructProto) string {
	if p.GetType() == -1 {
		return "one of an inline type"
	}
	return fmt.Sprintf("one of type %d", p.GetType())
}

// acceptsTensor compares element type and shape; a dimension that is not static
// accepts every length.
func acceptsTensor(static *onnxpb.TypeProto_Tensor, v Value, at *place) error {
	t, ok := v.(*tensor.Tensor)
	if !ok || t == nil {
		return refuse(at, "expected a tensor, found %s", ValueName(v))
	}
	if want := tensor.Type(static.GetElemType()); t.Type() != want {
		return refuse(at, "expected a tensor of %v, found %s", want, ValueName(v))
	}
	if static.GetShape() == nil {
		return nil
	}
	dims := static.Shape.GetDim()
	if len(dims) != len(t.Dims()) {
		return refuse(at, "expected a tensor of rank %d, found %s", len(dims), ValueName(v))
	}
	for i, dim := range dims {
		if s, ok := dim.GetValue().(*onnxpb.TensorShapeProto_Dimension_DimValue); ok && s.DimValue != t.Dims()[i] {
			return refuse(at, "expected dimension %d to be %d, found %s", i, s.DimValue, ValueName(v))
		}
	}
	return nil
}

// ValueName describes a value in a few words, as messages do.
func ValueName(v Value) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case Struct:
		return "a structured value " + quoteName(v.Proto.GetName())
	case Sequence:
		return fmt.Sprintf("a sequence of %d values", len(v))
	case Map:
		return fmt.Sprintf("a map of %d values", len(v.Values))
	case Optional:
		return "an optional"
	case *tensor.Tensor:
		if v == nil {
			return "nothing"
		}
		return fmt.Sprintf("a tensor %v%v", v.Type(), v.Dims())
	default:
		return fmt.Sprintf("a Go %T, which is no value", v)
	}
}
