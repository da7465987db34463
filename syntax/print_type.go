// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"fmt"
	"strings"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

func hasDot(s string) bool { return strings.IndexByte(s, '.') >= 0 }

// primText returns the name of an element type's number.
func primText(number int32) string {
	t := tensor.Type(number)
	switch {
	case t.Valid():
		return t.Text()
	case t == tensor.Undefined:
		return "undefined"
	default:
		return fmt.Sprintf("elem(%d)", number)
	}
}

func (p *printer) typ(t *onnxpb.TypeProto) {
	if p.depth++; p.depth > maxDepth {
		p.fail("a type: more than %d levels of nesting", maxDepth)
	}
	if !p.stopped() {
		p.typeForm(t)
	}
	p.depth--
	if t.GetDenotation() != "" {
		p.str(" ~ ")
		p.quoted(t.GetDenotation())
	}
}

func (p *printer) typeForm(t *onnxpb.TypeProto) {
	switch v := t.GetValue().(type) {
	case nil:
		p.str("none")
	case *onnxpb.TypeProto_TensorType:
		p.tensorType(v.TensorType.GetElemType(), v.TensorType.GetShape())
	case *onnxpb.TypeProto_SparseTensorType:
		p.str("sparse_tensor(")
		p.tensorType(v.SparseTensorType.GetElemType(), v.SparseTensorType.GetShape())
		p.str(")")
	case *onnxpb.TypeProto_SequenceType:
		p.typeArgument("seq(", v.SequenceType.GetElemType())
	case *onnxpb.TypeProto_OptionalType:
		p.typeArgument("optional(", v.OptionalType.GetElemType())
	case *onnxpb.TypeProto_MapType:
		p.str("map(" + primText(v.MapType.GetKeyType()))
		p.typeArgumentAfter(v.MapType.GetValueType())
	case *onnxpb.TypeProto_OpaqueType:
		p.opaque(v.OpaqueType)
	case *onnxpb.TypeProto_StructType:
		p.structType(v.StructType)
	}
}

func (p *printer) typeArgument(opening string, t *onnxpb.TypeProto) {
	p.str(opening)
	if t != nil {
		p.typ(t)
	}
	p.str(")")
}

func (p *printer) typeArgumentAfter(t *onnxpb.TypeProto) {
	if t == nil {
		p.str(")")
		return
	}
	p.typeArgument(", ", t)
}

func (p *printer) opaque(o *onnxpb.TypeProto_Opaque) {
	p.str("opaque(")
	if o.GetDomain() != "" {
		p.quotable(o.GetDomain())
		p.str(", ")
	}
	if o.GetDomain() != "" || o.GetName() != "" {
		p.quotable(o.GetName())
	}
	p.str(")")
}

func (p *printer) tensorType(elem int32, shape *onnxpb.TensorShapeProto) {
	p.str(primText(elem))
	switch {
	case shape == nil:
		p.str("[]")
	case len(shape.GetDim()) > 0:
		p.group("[", "]", len(shape.GetDim()), func(i int) { p.dim(shape.GetDim()[i]) })
	}
}

func (p *printer) dim(d *onnxpb.TensorShapeProto_Dimension) {
	switch v := d.GetValue().(type) {
	case *onnxpb.TensorShapeProto_Dimension_DimValue:
		p.int(v.DimValue)
	case *onnxpb.TensorShapeProto_Dimension_DimParam:
		p.quotable(v.DimParam)
	default:
		p.str("?")
	}
	if d.GetDenotation() != "" {
		p.str(" ~ ")
		p.quoted(d.GetDenotation())
	}
}

// structType writes a structured type inside a TypeProto.
func (p *printer) structType(d *onnxpb.StructTypeProto) {
	if d.GetName() == "" && d.GetDocString() == "" && len(d.GetMetadataProps()) == 0 &&
		d.GetDecoder() == nil && d.GetEncoder() == nil && len(d.ProtoReflect().GetUnknown()) == 0 {
		p.structKind(d)
		return
	}
	p.inline(d)
}

// inline writes a structured type with whatever it has of its own.
func (p *printer) inline(d *onnxpb.StructTypeProto) {
	p.str("inline(")
	var own []property
	if d.GetName() != "" {
		own = append(own, p.text("name", d.GetName()))
	}
	if list := p.properties(d, d.GetDocString(), d.GetMetadataProps(), own...); len(list) > 0 {
		p.propertyList(list)
		p.str(" ")
	}
	p.structKind(d)
	p.codecs(d)
	p.str(")")
}

// structKind writes what a declaration selects, and nothing else of it.
func (p *printer) structKind(d *onnxpb.StructTypeProto) {
	switch v := d.GetKind().(type) {
	case nil:
		p.str("struct")
	case *onnxpb.StructTypeProto_TypeIndex:
		p.reference(v.TypeIndex)
	case *onnxpb.StructTypeProto_Structure_:
		p.str("struct ")
		p.fields(v.Structure)
	case *onnxpb.StructTypeProto_BitPacking_:
		p.bits(v.BitPacking)
	case *onnxpb.StructTypeProto_Array_:
		p.str("array(")
		if t := v.Array.GetElementType(); t != nil {
			p.typ(t)
			p.str(", ")
		}
		p.uint(v.Array.GetDimension())
		p.str(")")
	}
}

// reference writes the name of a declaration, or its index.
func (p *printer) reference(index int32) {
	if index >= 0 && int(index) < len(p.types) && p.types[index] != "" {
		p.wordless(p.types[index])
		return
	}
	p.str(fmt.Sprintf("struct(%d)", index))
}

func (p *printer) bits(b *onnxpb.StructTypeProto_BitPacking) {
	list := b.GetComponent()
	p.group("bits(", ")", len(list), func(i int) {
		p.quotable(list[i].GetName())
		p.str(": ")
		p.uint(uint64(list[i].GetBitWidth()))
	})
	p.str("[")
	p.uint(b.GetDimension())
	p.str("]")
}

func (p *printer) fields(s *onnxpb.StructTypeProto_Structure) {
	p.str("{")
	if len(s.GetField()) == 0 {
		p.str("}")
		return
	}
	p.inner("}", len(s.GetField()), func(i int) { p.field(s.GetField()[i]) })
}

func (p *printer) field(f *onnxpb.StructTypeProto_Field) {
	p.lead(f, f.GetDocString())
	switch v := f.GetContent().(type) {
	case nil:
		p.str("unset ")
		p.quotable(f.GetName())
	case *onnxpb.StructTypeProto_Field_Type:
		p.typ(v.Type)
		p.str(" ")
		p.quotable(f.GetName())
	case *onnxpb.StructTypeProto_Field_Constant:
		p.constantType(v.Constant)
		p.str(" ")
		p.quotable(f.GetName())
		p.str(" = ")
		p.tensorData(v.Constant, true)
	}
}
