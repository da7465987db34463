// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// Part is what an array or a field consists of: a [*Declaration], which is then nested
// inline, or what [Tensor], [Scalar], [RefTo] and [RefIndex] return.
type Part interface {
	// static returns the part as a message; index gives the entries of declarations.
	static(index map[*Declaration]int32) *onnxpb.TypeProto
	// uses calls visit for each declaration that the part refers to.
	uses(visit func(*Declaration))
}

// Declaration is a declaration that is built in Go: made by [Structure], [Array] or [Bits],
// then given a name, documentation and codecs. Its methods change it and return it.
// Whether it is valid shows when it is resolved ([Declaration.Type]) or a model with it is
// built ([ModelBuilder.Build]): the rules and findings are those of every declaration.
type Declaration struct {
	length     uint64
	form       Kind
	elem       Part
	components []Component
	fields     []FieldDeclaration
	proto      onnxpb.StructTypeProto // name, documentation, metadata and codecs
}

// FieldDeclaration is a field or a constant of a structure that is built in Go.
type FieldDeclaration struct {
	name, doc string
	part      Part
	constant  *tensor.Tensor
}

// Structure declares fields that lie one after the other, without gaps.
func Structure(fields ...FieldDeclaration) *Declaration {
	return &Declaration{form: KindStructure, fields: fields}
}

// FieldOf returns a field for [Structure].
func FieldOf(name string, part Part) FieldDeclaration {
	return FieldDeclaration{name: name, part: part}
}

// Constant returns a field that occupies no bits: every value of the structure has it.
func Constant(name string, value *tensor.Tensor) FieldDeclaration {
	return FieldDeclaration{name: name, constant: value}
}

// Doc returns the field with documentation.
func (f FieldDeclaration) Doc(text string) FieldDeclaration {
	f.doc = text
	return f
}

// Array declares n parts that lie one after the other, without gaps.
func Array(n uint64, of Part) *Declaration {
	return &Declaration{form: KindArray, length: n, elem: of}
}

// Bits declares n rows of bit fields, of which the first stands in the lowest bits. The
// Offset of a component is not looked at.
func Bits(n uint64, components ...Component) *Declaration {
	return &Declaration{form: KindBitPacking, length: n, components: components}
}

// ComponentOf returns a bit field for [Bits]: an unsigned number of width bits.
func ComponentOf(name string, width uint32) Component {
	return Component{Name: name, Width: width}
}

// Named gives the declaration its name, such as "ggml.q4_0".
func (d *Declaration) Named(name string) *Declaration {
	d.proto.Name = name
	return d
}

// Doc gives the declaration its documentation.
func (d *Declaration) Doc(text string) *Declaration {
	d.proto.DocString = text
	return d
}

// Metadata adds an entry to the declaration's metadata.
func (d *Declaration) Metadata(key, value string) *Declaration {
	d.proto.MetadataProps = append(d.proto.MetadataProps, &onnxpb.StringStringEntryProto{Key: key, Value: value})
	return d
}

// Decoder gives the declaration the function that turns a value of it into a tensor. Its
// inputs are named by the paths of leaves (SV040, SV041). syntax.ParseFunction reads one from
// text. The message is kept, not copied.
func (d *Declaration) Decoder(f *onnxpb.FunctionProto) *Declaration {
	d.proto.Decoder = f
	return d
}

// Encoder gives the declaration the function that turns a tensor into a value of it (SV047).
// The message is kept, not copied.
func (d *Declaration) Encoder(f *onnxpb.FunctionProto) *Declaration {
	d.proto.Encoder = f
	return d
}

// Type resolves the declaration and those that it refers to. The error is that of the
// first rule that one of them breaks, see [Errors].
func (d *Declaration) Type() (*Type, error) {
	entries := Declare(d)
	resolved, findings := Resolve(entries)
	if err := Errors(findings); err != nil {
		return nil, err
	}
	return resolved.At(len(entries) - 1)
}

// Declare returns declarations as the entries of ModelProto.struct_types, for [Resolve] or
// a model: in the order given, each once, those that it refers to before it.
func Declare(declarations ...*Declaration) []*onnxpb.StructTypeProto {
	var c collector
	for _, d := range declarations {
		c.add(d)
	}
	return c.entries
}

// collector numbers declarations.
type collector struct {
	entries []*onnxpb.StructTypeProto
	index   map[*Declaration]int32
}

// add returns the index of a declaration, which is added after those that it refers to.
func (c *collector) add(d *Declaration) int32 {
	if i, ok := c.index[d]; ok {
		return i
	}
	d.uses(func(other *Declaration) { c.add(other) })
	if c.index == nil {
		c.index = map[*Declaration]int32{}
	}
	i := int32(len(c.entries))
	c.index[d] = i
	c.entries = append(c.entries, d.message(c.index))
	return i
}

func (d *Declaration) uses(visit func(*Declaration)) {
	if d == nil {
		return
	}
	if d.elem != nil {
		d.elem.uses(visit)
	}
	for _, f := range d.fields {
		if f.part != nil {
			f.part.uses(visit)
		}
	}
}

func (d *Declaration) static(index map[*Declaration]int32) *onnxpb.TypeProto {
	if d == nil {
		return &onnxpb.TypeProto{}
	}
	return staticType(d.message(index))
}

func staticType(p *onnxpb.StructTypeProto) *onnxpb.TypeProto {
	return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_StructType{StructType: p}}
}

// message returns the declaration as a message of its own.
func (d *Declaration) message(index map[*Declaration]int32) *onnxpb.StructTypeProto {
	if d == nil {
		return &onnxpb.StructTypeProto{}
	}
	p := &onnxpb.StructTypeProto{
		Name: d.proto.Name, DocString: d.proto.DocString, MetadataProps: d.proto.MetadataProps,
		Decoder: d.proto.Decoder, Encoder: d.proto.Encoder,
	}
	switch d.form {
	case KindArray:
		p.Kind = &onnxpb.StructTypeProto_Array_{Array: &onnxpb.StructTypeProto_Array{
			Dimension: d.length, ElementType: static(d.elem, index),
		}}
	case KindBitPacking:
		packing := &onnxpb.StructTypeProto_BitPacking{Dimension: d.length}
		for _, c := range d.components {
			packing.Component = append(packing.Component, &onnxpb.StructTypeProto_BitPacking_Component{Name: c.Name, BitWidth: c.Width})
		}
		p.Kind = &onnxpb.StructTypeProto_BitPacking_{BitPacking: packing}
	default:
		structure := &onnxpb.StructTypeProto_Structure{}
		for _, f := range d.fields {
			structure.Field = append(structure.Field, f.message(index))
		}
		p.Kind = &onnxpb.StructTypeProto_Structure_{Structure: structure}
	}
	return p
}

// static returns a part, which is nil by mistake perhaps, as a message.
func static(part Part, index map[*Declaration]int32) *onnxpb.TypeProto {
	if part == nil {
		return nil
	}
	return part.static(index)
}

func (f FieldDeclaration) message(index map[*Declaration]int32) *onnxpb.StructTypeProto_Field {
	p := &onnxpb.StructTypeProto_Field{Name: f.name, DocString: f.doc}
	switch {
	case f.constant != nil:
		p.Content = &onnxpb.StructTypeProto_Field_Constant{Constant: f.constant.Proto("")}
	case f.part != nil:
		p.Content = &onnxpb.StructTypeProto_Field_Type{Type: f.part.static(index)}
	}
	return p
}

// Tensor returns a leaf: a dense tensor of a fixed shape, row-major, packed without gaps.
func Tensor(element tensor.Type, shape ...int64) Part { return leafPart{element, shape} }

// Scalar returns a leaf of one element.
func Scalar(element tensor.Type) Part { return leafPart{element, nil} }

type leafPart struct {
	element tensor.Type
	shape   []int64
}

func (p leafPart) uses(func(*Declaration)) {}

func (p leafPart) static(map[*Declaration]int32) *onnxpb.TypeProto {
	shape := &onnxpb.TensorShapeProto{}
	for _, d := range p.shape {
		shape.Dim = append(shape.Dim, &onnxpb.TensorShapeProto_Dimension{
			Value: &onnxpb.TensorShapeProto_Dimension_DimValue{DimValue: d},
		})
	}
	leaf := &onnxpb.TypeProto_Tensor{ElemType: int32(p.element), Shape: shape}
	return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_TensorType{TensorType: leaf}}
}

// RefTo returns a reference to a declaration, which becomes an entry of the model that
// others refer to: declared once, used anywhere.
func RefTo(d *Declaration) Part { return refPart{d} }

type refPart struct{ to *Declaration }

func (p refPart) uses(visit func(*Declaration)) {
	if p.to != nil {
		visit(p.to)
	}
}

func (p refPart) static(index map[*Declaration]int32) *onnxpb.TypeProto {
	i, ok := index[p.to]
	if !ok {
		i = -1 // a reference to nil, which no entry is
	}
	return indexPart(i).static(index)
}

// RefIndex returns a reference to an entry of the model by its index, such as one that a
// model had before ([ExtendModel]).
func RefIndex(i int32) Part { return indexPart(i) }

type indexPart int32

func (p indexPart) uses(func(*Declaration)) {}

func (p indexPart) static(map[*Declaration]int32) *onnxpb.TypeProto {
	return staticType(&onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_TypeIndex{TypeIndex: int32(p)}})
}
