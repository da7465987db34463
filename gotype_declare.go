// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// goMember is a field, or the whole of a Go type: a number or a struct within arrays.
type goMember struct {
	goTag
	offset  uintptr // in its struct
	dims    []goDim // Go's arrays, outermost first
	element reflect.Type
	inner   *goStruct // nil: a number
	number  tensor.Type
	width   uint64 // bits of a number
	blank   bool
	packed  bool // in a row of a bit packing
}

// elementBits returns the bits of one element, within all arrays.
func (m *goMember) elementBits() uint64 {
	if m.inner != nil {
		return m.inner.bits
	}
	return m.width
}

// goDim is one dimension: how many elements, and how far apart they are in Go; the
// distance in the payload is filled in by moves.
type goDim struct {
	n     uint64
	bits  uint64
	bytes uintptr
}

// goStruct is a struct type. It is described once, however often it is used.
type goStruct struct {
	typ     reflect.Type
	fields  []goMember
	ignored string // the path of a field that takes memory, but no bits
	row     bool   // single bit fields only
	bits    uint64
	decl    int32
}

// goTypes describes Go types and declares them.
type goTypes struct {
	structs map[reflect.Type]*goStruct
	decls   []*onnxpb.StructTypeProto
}

// declareGo returns the declarations of t, the root last.
func declareGo(t reflect.Type) ([]*onnxpb.StructTypeProto, error) {
	g := goTypes{structs: map[reflect.Type]*goStruct{}}
	m, err := g.member(t, goTag{}, goName(t))
	if err != nil {
		return nil, err
	}
	switch {
	case len(m.dims) == 0 && m.inner == nil:
		return nil, fmt.Errorf("structview: Go type %v is one number, which is no root: write [1]%v, or a struct with a field of it", t, t)
	case len(m.dims) == 0 && !m.inner.row:
		return g.decls, nil // the last one
	case m.inner == nil:
		g.decls = append(g.decls, goArray(g.leaf(m.number, m.dims[1:]), m.dims[0].n))
	default:
		g.decls = append(g.decls, g.content(&m).GetStructType())
	}
	return g.decls, nil
}

// goName begins the paths in errors.
func goName(t reflect.Type) string {
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if t.Name() == "" {
		return t.Kind().String()
	}
	return t.Name()
}

func goError(path, format string, args ...any) error {
	return fmt.Errorf("structview: Go type %s: %w", path, fmt.Errorf(format, args...))
}

// member describes a type with a field's tag.
func (g *goTypes) member(t reflect.Type, tag goTag, path string) (goMember, error) {
	m := goMember{goTag: tag}
	for ; t.Kind() == reflect.Array; t = t.Elem() {
		m.dims = append(m.dims, goDim{n: uint64(t.Len()), bytes: t.Elem().Size()})
	}
	m.element = t
	own, isNumber := goElement(t)
	var err error
	switch {
	case isNumber:
		if m.number, m.width, err = tag.number(t, own); err != nil {
			err = goError(path, "%w", err)
		}
	case t.Kind() != reflect.Struct:
		err = goError(path, "%s", instead(t))
	case tag.bits != 0:
		err = goError(path, "bits=%d belongs to the fields of the struct, not to the struct", tag.bits)
	case tag.element != tensor.Undefined:
		err = goError(path, "type=%s belongs to a number, not to a struct", tag.element.Text())
	default:
		m.inner, err = g.structure(t, path)
	}
	return m, err
}

// instead says why a type has no place in a payload, and what to write.
func instead(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "an int has another size on other machines: write int32 or int64"
	case reflect.Uint:
		return "a uint has another size on other machines: write uint32 or uint64"
	case reflect.Uintptr:
		return "a uintptr has another size on other machines: write uint32 or uint64"
	case reflect.String:
		return "a string has no fixed size: write [N]byte"
	case reflect.Slice:
		return fmt.Sprintf("a slice has no fixed size: write an array, [N]%v", t.Elem())
	case reflect.Map:
		return fmt.Sprintf("a map has no fixed size: write an array of pairs, [N]struct{ Key %v; Value %v }", t.Key(), t.Elem())
	case reflect.Pointer:
		return fmt.Sprintf("a pointer is an address, which means nothing in a payload: write %v", t.Elem())
	case reflect.Interface:
		return "an interface holds any type: write the type that the payload has"
	default:
		return fmt.Sprintf("a %v is not data: remove it, or tag it `structview:\"-\"`", t.Kind())
	}
}

// structure describes and declares a struct type.
func (g *goTypes) structure(t reflect.Type, path string) (*goStruct, error) {
	if s := g.structs[t]; s != nil {
		return s, nil
	}
	s := &goStruct{typ: t}
	used := map[string]string{}
	for i := range t.NumField() {
		f := t.Field(i)
		m, err := g.field(f, path+"."+f.Name)
		if err != nil {
			return nil, err
		}
		if m.skip {
			if f.Type.Size() > 0 && s.ignored == "" {
				s.ignored = f.Name
			}
			continue
		}
		if m.name == "" {
			m.name = freeName(f.Name, used)
		}
		if other, taken := used[m.name]; taken {
			return nil, goError(path+"."+f.Name, "the name %s is taken by the field %s: give it another with `structview:\"name=…\"`", quoteName(m.name), other)
		}
		used[m.name] = f.Name
		s.fields = append(s.fields, m)
	}
	s.finish()
	g.structs[t] = s
	if !s.row {
		g.declare(s)
	}
	return s, nil
}

// finish sums up the fields.
func (s *goStruct) finish() {
	s.row = len(s.fields) > 0
	for i := range s.fields {
		m := &s.fields[i]
		s.row = s.row && m.bits != 0 && len(m.dims) == 0
		bits := m.elementBits()
		for _, d := range m.dims {
			bits *= d.n // if it overflows, so does the declaration, which is then refused
		}
		s.bits += bits
	}
	for i := range s.fields {
		s.fields[i].packed = s.row
	}
}

// freeName is the name of a field without a name= option: blank fields are counted.
func freeName(name string, used map[string]string) string {
	if name != "_" {
		return name
	}
	for n := 2; ; n++ {
		if _, taken := used[name]; !taken {
			return name
		}
		name = "_" + strconv.Itoa(n)
	}
}

func (g *goTypes) field(f reflect.StructField, path string) (goMember, error) {
	tag, err := parseGoTag(f.Tag)
	if err != nil {
		return goMember{}, goError(path, "%w", err)
	}
	if tag.skip {
		return goMember{goTag: tag}, nil
	}
	if !f.IsExported() && f.Name != "_" {
		return goMember{}, goError(path, "the field is not exported, so that its value cannot move: export it, tag it `structview:\"-\"`, or call it _ if it is padding")
	}
	m, err := g.member(f.Type, tag, path)
	m.offset, m.blank = f.Offset, f.Name == "_"
	return m, err
}

// declare appends the declaration of a struct whose field types are declared.
func (g *goTypes) declare(s *goStruct) {
	p := &onnxpb.StructTypeProto_Structure{}
	for i := range s.fields {
		p.Field = append(p.Field, &onnxpb.StructTypeProto_Field{
			Name: s.fields[i].name, Content: &onnxpb.StructTypeProto_Field_Type{Type: g.content(&s.fields[i])},
		})
	}
	s.decl = int32(len(g.decls))
	g.decls = append(g.decls, &onnxpb.StructTypeProto{
		Name: s.typ.Name(), Kind: &onnxpb.StructTypeProto_Structure_{Structure: p},
	})
}

// content returns the type of a member.
func (g *goTypes) content(m *goMember) *onnxpb.TypeProto {
	dims := m.dims
	var p *onnxpb.StructTypeProto
	switch {
	case m.inner == nil && m.bits == 0:
		return g.leaf(m.number, dims)
	case m.inner == nil:
		p, dims = goPacking(dims, []goMember{{goTag: goTag{name: "value"}, width: m.width}})
	case m.inner.row:
		p, dims = goPacking(dims, m.inner.fields)
	default:
		p = &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_TypeIndex{TypeIndex: m.inner.decl}}
	}
	for i := len(dims) - 1; i >= 0; i-- {
		p = goArray(structType(p), dims[i].n)
	}
	return structType(p)
}

func structType(p *onnxpb.StructTypeProto) *onnxpb.TypeProto {
	return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_StructType{StructType: p}}
}

func goArray(of *onnxpb.TypeProto, n uint64) *onnxpb.StructTypeProto {
	return &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Array_{
		Array: &onnxpb.StructTypeProto_Array{ElementType: of, Dimension: n},
	}}
}

// goPacking returns a bit packing, whose dimension is the innermost of dims, and the others.
func goPacking(dims []goDim, fields []goMember) (*onnxpb.StructTypeProto, []goDim) {
	p := &onnxpb.StructTypeProto_BitPacking{Dimension: 1}
	if n := len(dims); n > 0 {
		p.Dimension, dims = dims[n-1].n, dims[:n-1]
	}
	for i := range fields {
		p.Component = append(p.Component, &onnxpb.StructTypeProto_BitPacking_Component{
			Name: fields[i].name, BitWidth: uint32(fields[i].width),
		})
	}
	return &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_BitPacking_{BitPacking: p}}, dims
}

func (g *goTypes) leaf(e tensor.Type, dims []goDim) *onnxpb.TypeProto {
	shape := &onnxpb.TensorShapeProto{}
	for _, d := range dims {
		shape.Dim = append(shape.Dim, &onnxpb.TensorShapeProto_Dimension{
			Value: &onnxpb.TensorShapeProto_Dimension_DimValue{DimValue: int64(d.n)},
		})
	}
	return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_TensorType{
		TensorType: &onnxpb.TypeProto_Tensor{ElemType: int32(e), Shape: shape},
	}}
}
