// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// prims are ONNX's names of element types.
var prims = makePrims()

func makePrims() map[string]tensor.Type {
	m := map[string]tensor.Type{"undefined": tensor.Undefined}
	for t := tensor.Float; t.Valid(); t++ {
		m[t.Text()] = t
	}
	return m
}

// typeWords begin a type that is neither a tensor nor structured.
var typeWords = map[string]bool{
	"sparse_tensor": true, "seq": true, "optional": true, "map": true, "opaque": true, "none": true,
	"inline": true, "unset": true,
}

// structWords begin a structured type.
var structWords = map[string]bool{"array": true, "bits": true, "struct": true}

// isPrim reports whether the current token begins a tensor type.
func (p *parser) isPrim() bool {
	if p.tok.kind != kindName {
		return false
	}
	word := p.text(p.tok)
	_, ok := prims[word]
	return ok || word == "elem"
}

// isTypeWord reports whether a name cannot refer to a declaration unless quoted.
func isTypeWord(word string) bool {
	_, ok := prims[word]
	return ok || word == "elem" || typeWords[word] || structWords[word]
}

// typ reads a type; what says in an error what is missing.
func (p *parser) typ(what string) *onnxpb.TypeProto {
	t := &onnxpb.TypeProto{}
	if !isQuotable(p.tok) {
		p.fail(what)
		return t
	}
	if !p.enter() {
		return t
	}
	p.typeForm(t)
	p.leave()
	if p.accept('~') {
		t.Denotation = p.string("a denotation in quotes")
	}
	return t
}

func (p *parser) typeForm(t *onnxpb.TypeProto) {
	switch {
	case p.isPrim():
		e, shape := p.tensorType()
		t.Value = &onnxpb.TypeProto_TensorType{TensorType: &onnxpb.TypeProto_Tensor{ElemType: e, Shape: shape}}
	case p.isWord("seq"):
		v := &onnxpb.TypeProto_Sequence{ElemType: p.typeArgument()}
		t.Value = &onnxpb.TypeProto_SequenceType{SequenceType: v}
	case p.isWord("optional"):
		v := &onnxpb.TypeProto_Optional{ElemType: p.typeArgument()}
		t.Value = &onnxpb.TypeProto_OptionalType{OptionalType: v}
	case p.isWord("map"):
		t.Value = p.mapType()
	case p.isWord("sparse_tensor"):
		t.Value = p.sparseType()
	case p.isWord("opaque"):
		t.Value = p.opaqueType()
	case p.acceptWord("none"):
	case p.isWord("inline"):
		t.Value = &onnxpb.TypeProto_StructType{StructType: p.inline()}
	default:
		d := &onnxpb.StructTypeProto{}
		p.structKind(d)
		t.Value = &onnxpb.TypeProto_StructType{StructType: d}
	}
}

// typeArgument reads (type) or ().
func (p *parser) typeArgument() (t *onnxpb.TypeProto) {
	p.next()
	p.expect('(')
	if !p.is(')') {
		t = p.typ("a type or `)`")
	}
	p.expect(')')
	return t
}

func (p *parser) mapType() *onnxpb.TypeProto_MapType {
	p.next()
	p.expect('(')
	m := &onnxpb.TypeProto_Map{KeyType: p.prim()}
	if p.accept(',') {
		m.ValueType = p.typ("a type")
	}
	p.expect(')')
	return &onnxpb.TypeProto_MapType{MapType: m}
}

func (p *parser) sparseType() *onnxpb.TypeProto_SparseTensorType {
	p.next()
	p.expect('(')
	e, shape := p.tensorType()
	p.expect(')')
	return &onnxpb.TypeProto_SparseTensorType{SparseTensorType: &onnxpb.TypeProto_SparseTensor{ElemType: e, Shape: shape}}
}

func (p *parser) opaqueType() *onnxpb.TypeProto_OpaqueType {
	o := &onnxpb.TypeProto_Opaque{}
	p.next()
	p.expect('(')
	if !p.is(')') {
		o.Name = p.quotable("a name or `)`")
		if p.accept(',') {
			o.Domain, o.Name = o.Name, p.quotable("a name")
		}
	}
	p.expect(')')
	return &onnxpb.TypeProto_OpaqueType{OpaqueType: o}
}

// prim reads the name of an element type.
func (p *parser) prim() int32 {
	if p.tok.kind == kindName {
		if t, ok := prims[p.text(p.tok)]; ok {
			p.next()
			return int32(t)
		}
		if p.acceptWord("elem") {
			p.expect('(')
			t := p.int32("the number of an element type")
			p.expect(')')
			return t
		}
	}
	p.fail("an element type, such as `float`")
	return 0
}

// tensorType reads an element type and shape: none is a scalar, [] unknown rank (nil).
func (p *parser) tensorType() (int32, *onnxpb.TensorShapeProto) {
	elem := p.prim()
	if !p.accept('[') {
		return elem, &onnxpb.TensorShapeProto{}
	}
	if p.accept(']') {
		return elem, nil
	}
	shape := &onnxpb.TensorShapeProto{}
	p.list(']', func() { shape.Dim = append(shape.Dim, p.dim()) })
	return elem, shape
}

func (p *parser) dim() *onnxpb.TensorShapeProto_Dimension {
	d := &onnxpb.TensorShapeProto_Dimension{}
	switch {
	case p.accept('?'):
	case isQuotable(p.tok):
		d.Value = &onnxpb.TensorShapeProto_Dimension_DimParam{DimParam: p.quotable("a dimension")}
	default:
		d.Value = &onnxpb.TensorShapeProto_Dimension_DimValue{DimValue: p.int("a dimension: an integer, a name or `?`")}
	}
	if p.accept('~') {
		d.Denotation = p.string("a denotation in quotes")
	}
	return d
}
