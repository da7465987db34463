// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// concrete builds an array, a bit packing or a structure. It returns nil if it, or
// what it refers to, is invalid.
func (r *resolver) concrete(p *onnxpb.StructTypeProto, index int32, level int, at *place) *Type {
	if level > maxLevels {
		r.error(ErrNesting, at, "declarations nest deeper than %d levels", maxLevels)
		return nil
	}
	t := &Type{index: index, proto: p, levels: 1}
	t.layout.root = t
	var ok bool
	switch k := p.Kind.(type) {
	case *onnxpb.StructTypeProto_Array_:
		ok = r.array(t, k.Array, level, at.child("array"))
	case *onnxpb.StructTypeProto_BitPacking_:
		ok = r.bitPacking(t, k.BitPacking, at.child("bit_packing"))
	case *onnxpb.StructTypeProto_Structure_:
		ok = r.structure(t, k.Structure, level, at.child("structure"))
	}
	if !ok {
		return nil
	}
	return t
}

func (r *resolver) array(t *Type, p *onnxpb.StructTypeProto_Array, level int, at *place) bool {
	t.kind, t.length = KindArray, p.GetDimension()
	if p.GetElementType() == nil {
		r.error(ErrContent, at, "element_type is missing")
		return false
	}
	t.elem = r.nested(p.ElementType, level, at.child("element_type"))
	if t.elem == nil {
		return false
	}
	t.levels += t.elem.levels
	t.leaves = t.elem.leaves
	t.stride = t.elem.bits
	return r.times(t, at)
}

// times sets the size of a type that repeats its stride.
func (r *resolver) times(t *Type, at *place) bool {
	hi, lo := bits.Mul64(t.length, t.stride)
	if hi != 0 {
		r.error(ErrOverflow, at, "%d elements of %d bits are 2^64 bits or more", t.length, t.stride)
		return false
	}
	t.bits = lo
	return true
}

func (r *resolver) bitPacking(t *Type, p *onnxpb.StructTypeProto_BitPacking, at *place) bool {
	t.kind, t.length = KindBitPacking, p.GetDimension()
	t.parts = make([]Component, len(p.GetComponent()))
	t.leaves = uint64(len(t.parts))
	ok := true
	for i, c := range p.GetComponent() {
		t.parts[i] = Component{Name: c.GetName(), Width: c.GetBitWidth(), Offset: t.stride}
		if c.GetBitWidth() == 0 {
			r.error(ErrWidth, at.at("component", i), "component %s has no width: bit_width is at least 1", quoteName(c.GetName()))
			ok = false
		}
		t.stride += uint64(c.GetBitWidth()) // below 2^63: fewer than 2^31 components
	}
	t.order = sortedNames(len(t.parts), t.partName)
	ok = r.names("component", len(t.parts), t.partName, t.order, at) && ok
	return r.times(t, at) && ok
}

func (r *resolver) structure(t *Type, p *onnxpb.StructTypeProto_Structure, level int, at *place) bool {
	t.kind = KindStructure
	t.fields = make([]Field, len(p.GetField()))
	ok, fits := true, true
	for i, f := range p.GetField() {
		field := &t.fields[i]
		field.Name, field.Doc, field.Offset = f.GetName(), f.GetDocString(), t.bits
		if !r.content(field, f, level, at.at("field", i)) {
			ok = false
			continue
		}
		t.leaves = addSaturating(t.leaves, field.leaves())
		if field.Type == nil || !fits {
			continue
		}
		t.levels = max(t.levels, 1+field.Type.levels)
		var carry uint64
		if t.bits, carry = bits.Add64(t.bits, field.Type.bits, 0); carry != 0 {
			r.error(ErrOverflow, at.at("field", i), "the structure is 2^64 bits or more with field %s", quoteName(f.GetName()))
			ok, fits = false, false
		}
	}
	t.order = sortedNames(len(t.fields), t.fieldName)
	return r.names("field", len(t.fields), t.fieldName, t.order, at) && ok
}

func (f *Field) leaves() uint64 {
	if f.Type == nil {
		return 1
	}
	return f.Type.leaves
}

func addSaturating(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return math.MaxUint64
	}
	return sum
}

// content resolves the type or the constant of a field.
func (r *resolver) content(field *Field, f *onnxpb.StructTypeProto_Field, level int, at *place) bool {
	switch c := f.GetContent().(type) {
	case *onnxpb.StructTypeProto_Field_Type:
		field.Type = r.nested(c.Type, level, at.child("type"))
		return field.Type != nil
	case *onnxpb.StructTypeProto_Field_Constant:
		constant, err := tensor.FromProto(c.Constant)
		if err != nil {
			r.error(ErrConstant, at.child("constant"), "field %s: %s", quoteName(f.GetName()), strings.TrimPrefix(err.Error(), "tensor: "))
			return false
		}
		field.Constant = constant
		return true
	default:
		r.error(ErrContent, at, "field %s has neither type nor constant", quoteName(f.GetName()))
		return false
	}
}

// nested resolves a TypeProto below a concrete root of the given level (SV005, SV012).
func (r *resolver) nested(tp *onnxpb.TypeProto, level int, at *place) *Type {
	switch v := tp.GetValue().(type) {
	case *onnxpb.TypeProto_TensorType:
		return r.leaf(v.TensorType, at.child("tensor_type"))
	case *onnxpb.TypeProto_StructType:
		return r.nestedStruct(v.StructType, level+1, at.child("struct_type"))
	case nil:
		r.error(ErrContent, at, "the type selects no value")
	default:
		r.error(ErrLeaf, at, "a leaf is a tensor of fixed size; found %s", valueName(tp))
	}
	return nil
}

func (r *resolver) nestedStruct(p *onnxpb.StructTypeProto, level int, at *place) *Type {
	switch k := p.GetKind().(type) {
	case nil:
		r.error(ErrNestedForm, at, "kind is unset, which has no size: below a root a type is a type_index or concrete")
		r.staticExtras(p, at)
		return nil
	case *onnxpb.StructTypeProto_TypeIndex:
		ok := r.staticExtras(p, at)
		if t := r.reference(k.TypeIndex, at); ok {
			return t
		}
		return nil
	}
	if p.Decoder != nil || p.Encoder != nil {
		r.warn(ErrIdleCodec, at, "a decoder or encoder below a root never runs")
	}
	return r.concrete(p, -1, level, at)
}

// reference returns the type of an entry (SV008), nil if it is invalid.
func (r *resolver) reference(i int32, at *place) *Type {
	t := r.lookup(i, at, r.report)
	if t == nil && i >= 0 && int(i) < len(r.types) {
		r.needs = i
	}
	return t
}

// lookup reports an index that names no entry, and marks the entry as used.
func (r *resolver) lookup(i int32, at *place, to *report) *Type {
	if i < 0 || int(i) >= len(r.types) {
		to.error(ErrReference, at, "type_index %d names no declaration: %s", i, have(len(r.types)))
		return nil
	}
	if r.used != nil {
		r.used[i] = true
	}
	return r.types[i]
}

// have says which indices exist.
func have(n int) string {
	switch n {
	case 0:
		return "struct_types is empty"
	case 1:
		return "struct_types has only entry 0"
	default:
		return fmt.Sprintf("struct_types has entries 0 to %d", n-1)
	}
}

// staticExtras checks what a static form carries beside its kind (SV006).
func (r *report) staticExtras(p *onnxpb.StructTypeProto, at *place) bool {
	ok, what := true, "a static type without kind carries nothing else"
	if p.GetKind() != nil {
		what = "a reference carries nothing but its type_index"
	}
	for _, extra := range []struct {
		name string
		have bool
	}{
		{"decoder", p.GetDecoder() != nil},
		{"encoder", p.GetEncoder() != nil},
		{"name", p.GetName() != ""},
		{"metadata_props", len(p.GetMetadataProps()) > 0},
	} {
		if extra.have {
			r.error(ErrStaticExtras, at, "%s; found %s", what, extra.name)
			ok = false
		}
	}
	if p.GetDocString() != "" {
		r.warn(ErrStaticExtras, at, "the doc_string of a reference is lost")
	}
	return ok
}

// leaf resolves a tensor of fixed size (SV012 to SV014).
func (r *resolver) leaf(p *onnxpb.TypeProto_Tensor, at *place) *Type {
	element := tensor.Type(p.GetElemType())
	width := element.Bits()
	ok := width != 0
	if !ok {
		r.error(ErrLeaf, at, "a leaf has an element type of fixed width; found %v", element)
	}
	shape, shaped := r.shape(p.GetShape(), at)
	if !ok || !shaped {
		return nil
	}
	if t := r.scalars[element]; len(shape) == 0 && t != nil {
		return t
	}
	size, ok := product(width, shape)
	if !ok {
		r.error(ErrOverflow, at, "%v%v is 2^64 bits or more", element, shape)
		return nil
	}
	t := newLeaf(element, shape, size)
	if len(shape) == 0 {
		r.scalars[element] = t
	}
	return t
}

func (r *resolver) shape(p *onnxpb.TensorShapeProto, at *place) ([]uint64, bool) {
	if p == nil {
		r.add(ErrLeaf, Error, at, "a scalar has an empty shape", "a leaf has a static shape; shape is missing")
		return nil, false
	}
	ok := true
	shape := make([]uint64, 0, len(p.GetDim()))
	for i, dim := range p.GetDim() {
		switch d := dim.GetValue().(type) {
		case *onnxpb.TensorShapeProto_Dimension_DimValue:
			if d.DimValue >= 0 {
				shape = append(shape, uint64(d.DimValue))
				continue
			}
			r.error(ErrLeaf, at.child("shape").at("dim", i), "dimension %d is negative: %d", i, d.DimValue)
		case *onnxpb.TensorShapeProto_Dimension_DimParam:
			r.error(ErrLeaf, at.child("shape").at("dim", i), "dimension %d is not static: %s", i, quoteName(d.DimParam))
		default:
			r.error(ErrLeaf, at.child("shape").at("dim", i), "dimension %d has no dim_value", i)
		}
		ok = false
	}
	return shape, ok
}

// product multiplies width by every dimension; a 0 makes it 0, whatever the others are.
func product(width uint64, shape []uint64) (uint64, bool) {
	for _, d := range shape {
		if d == 0 {
			return 0, true
		}
	}
	for _, d := range shape {
		hi, lo := bits.Mul64(width, d)
		if hi != 0 {
			return 0, false
		}
		width = lo
	}
	return width, true
}

// valueName names what a TypeProto selects.
func valueName(tp *onnxpb.TypeProto) string {
	switch tp.GetValue().(type) {
	case *onnxpb.TypeProto_SequenceType:
		return "sequence_type"
	case *onnxpb.TypeProto_MapType:
		return "map_type"
	case *onnxpb.TypeProto_OptionalType:
		return "optional_type"
	case *onnxpb.TypeProto_SparseTensorType:
		return "sparse_tensor_type"
	case *onnxpb.TypeProto_OpaqueType:
		return "opaque_type"
	case *onnxpb.TypeProto_TensorType:
		return "tensor_type"
	case *onnxpb.TypeProto_StructType:
		return "struct_type"
	default:
		return "no type"
	}
}
