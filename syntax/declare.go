// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"slices"
	"strconv"

	"github.com/structview/structview/internal/nearest"
	"github.com/structview/structview/onnxpb"
)

// reference is a type written as a name, which may be declared later.
type reference struct {
	name string
	tok  token
	to   *onnxpb.StructTypeProto_TypeIndex
}

// valueType is a structured value whose type is a reference by name.
type valueType struct {
	value *onnxpb.StructProto
	from  *onnxpb.StructTypeProto_TypeIndex
}

// resolve gives every reference by name the index of its declaration.
func (p *parser) resolve() {
	const twice = -1
	index := make(map[string]int, len(p.model.GetStructTypes()))
	for i, d := range p.model.GetStructTypes() {
		if _, ok := index[d.GetName()]; ok {
			i = twice
		}
		index[d.GetName()] = i
	}
	for _, r := range p.references {
		if p.err != nil {
			return
		}
		i, ok := index[r.name]
		switch {
		case !ok:
			p.failAt(r.tok, p.knownTypes(r.name))
		case i == twice:
			p.failAt(r.tok, "a name that one declaration has, or struct(index)")
		default:
			r.to.TypeIndex = int32(i)
		}
	}
	for _, v := range p.values {
		v.value.Type = v.from.TypeIndex
	}
}

// knownTypes says what a type may be where a name is none.
func (p *parser) knownTypes(name string) string {
	names := make([]string, 0, len(p.model.GetStructTypes())+len(prims))
	for _, d := range p.model.GetStructTypes() {
		names = append(names, d.GetName())
	}
	for prim := range prims {
		names = append(names, prim)
	}
	slices.Sort(names[len(p.model.GetStructTypes()):])
	if near, ok := nearest.Of(name, names); ok {
		return "a type; the nearest is `" + near + "`"
	}
	return "a type"
}

// declaration reads a struct or type item with its codecs.
func (p *parser) declaration(lead leading) {
	d := &onnxpb.StructTypeProto{}
	d.DocString = p.attach(d, lead)
	p.model.StructTypes = append(p.model.StructTypes, d)
	structure := p.isWord("struct")
	p.next()
	d.Name = p.optionalName()
	if p.is('<') {
		p.properties("", d, &d.DocString, &d.MetadataProps, noKeys)
	}
	if structure {
		d.Kind = p.fields()
	} else {
		p.expect('=')
		p.structKind(d)
	}
	p.codecs(d)
}

// codecs reads the decoder and encoder that follow a declaration.
func (p *parser) codecs(d *onnxpb.StructTypeProto) {
	for p.err == nil {
		t := p.tok
		if t.kind == kindDoc {
			t = p.peek()
		}
		if t.kind != kindName {
			return
		}
		switch p.text(t) {
		case "decoder":
			p.codec(t, &d.Decoder)
		case "encoder":
			p.codec(t, &d.Encoder)
		default:
			return
		}
	}
}

func (p *parser) codec(t token, to **onnxpb.FunctionProto) {
	if *to != nil {
		p.failAt(t, "one "+p.text(t)+" for a declaration")
		return
	}
	f := &onnxpb.FunctionProto{}
	f.DocString = p.attach(f, p.leading())
	p.next()
	p.functionRest(f)
	*to = f
}

func (p *parser) fields() *onnxpb.StructTypeProto_Structure_ {
	s := &onnxpb.StructTypeProto_Structure{}
	k := &onnxpb.StructTypeProto_Structure_{Structure: s}
	p.expect('{')
	for p.err == nil && !p.accept('}') {
		s.Field = append(s.Field, p.field())
	}
	return k
}

func (p *parser) field() *onnxpb.StructTypeProto_Field {
	f := &onnxpb.StructTypeProto_Field{}
	f.DocString = p.attach(f, p.leading())
	if f.DocString != "" && p.is('}') {
		p.fail("the field that the documentation before is for")
	}
	if p.acceptWord("unset") {
		f.Name = p.quotable("the field's name")
		return f
	}
	t := p.tok
	typ := p.typ("a field's type or `}`")
	f.Name = p.quotable("the field's name")
	if !p.is('=') {
		f.Content = &onnxpb.StructTypeProto_Field_Type{Type: typ}
		return f
	}
	p.next()
	constant := p.tensorOf(typ, t)
	p.tensorData(constant)
	f.Content = &onnxpb.StructTypeProto_Field_Constant{Constant: constant}
	return f
}

// structKind reads a structured type into d, whose other members the caller has set.
func (p *parser) structKind(d *onnxpb.StructTypeProto) {
	const what = "a structured type: array, bits, struct or a declaration's name"
	if p.tok.kind != kindName && p.tok.kind != kindString {
		p.fail(what)
		return
	}
	if p.tok.kind == kindName {
		if typeWords[p.text(p.tok)] || p.isPrim() {
			p.fail(what)
			return
		}
		switch p.text(p.tok) {
		case "array":
			p.array(d)
			return
		case "bits":
			p.bits(d)
			return
		case "struct":
			p.structForm(d)
			return
		}
	}
	to := &onnxpb.StructTypeProto_TypeIndex{}
	d.Kind = to
	t := p.tok
	p.references = append(p.references, reference{name: p.quotable(what), tok: t, to: to})
}

func (p *parser) array(d *onnxpb.StructTypeProto) {
	a := &onnxpb.StructTypeProto_Array{}
	d.Kind = &onnxpb.StructTypeProto_Array_{Array: a}
	p.next()
	p.expect('(')
	if p.tok.kind != kindNumber {
		a.ElementType = p.typ("an element type")
		p.expect(',')
	}
	a.Dimension = p.uint("the array's length")
	p.expect(')')
}

func (p *parser) bits(d *onnxpb.StructTypeProto) {
	b := &onnxpb.StructTypeProto_BitPacking{}
	d.Kind = &onnxpb.StructTypeProto_BitPacking_{BitPacking: b}
	p.next()
	p.expect('(')
	p.list(')', func() {
		c := &onnxpb.StructTypeProto_BitPacking_Component{Name: p.quotable("a component's name")}
		p.expect(':')
		t := p.tok
		w := p.uint("a width in bits")
		if uint64(uint32(w)) != w {
			p.failAt(t, "a width in bits, in 32 bits")
		}
		c.BitWidth = uint32(w)
		b.Component = append(b.Component, c)
	})
	p.expect('[')
	b.Dimension = p.uint("how often the components repeat")
	p.expect(']')
}

// structForm reads what begins with the word struct inside a type.
func (p *parser) structForm(d *onnxpb.StructTypeProto) {
	p.next()
	switch {
	case p.is('{'):
		d.Kind = p.fields()
	case p.accept('('):
		d.Kind = &onnxpb.StructTypeProto_TypeIndex{TypeIndex: p.int32("the index of a declaration")}
		p.expect(')')
	}
}

// inline reads the rest of inline(<…> type codec…).
func (p *parser) inline() *onnxpb.StructTypeProto {
	d := &onnxpb.StructTypeProto{}
	p.next()
	p.expect('(')
	if p.is('<') {
		p.properties("name", d, &d.DocString, &d.MetadataProps, func(key string) bool {
			if key == "name" {
				d.Name = p.string("a string")
			}
			return key == "name"
		})
	}
	p.structKind(d)
	p.codecs(d)
	p.expect(')')
	return d
}

// uint reads an integer that fits in 64 bits without sign.
func (p *parser) uint(what string) uint64 {
	if p.tok.kind != kindNumber {
		p.fail(what)
		return 0
	}
	text, base := p.text(p.tok), 10
	if len(text) > 2 && text[1]|0x20 == 'x' {
		text, base = text[2:], 16
	}
	v, err := strconv.ParseUint(text, base, 64)
	if err != nil {
		p.fail(what + ", an integer from 0 in 64 bits")
		return 0
	}
	p.next()
	return v
}
