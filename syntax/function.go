// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"strings"

	"github.com/structview/structview/onnxpb"
)

// function reads a model function, of which lead was read.
func (p *parser) function(lead leading) {
	f := &onnxpb.FunctionProto{}
	f.DocString = p.attach(f, lead)
	p.model.Functions = append(p.model.Functions, f)
	if p.is('<') {
		p.functionHeader(f)
	}
	f.Name = p.quotable("the function's name")
	p.signature(f)
}

func (p *parser) functionHeader(f *onnxpb.FunctionProto) {
	p.properties("domain, overload, opset_import", f, &f.DocString, &f.MetadataProps, func(key string) bool {
		switch key {
		case "domain":
			f.Domain = p.string("a domain in quotes")
		case "overload":
			f.Overload = p.string("an overload in quotes")
		case "opset_import":
			f.OpsetImport = p.opsets()
		default:
			return false
		}
		return true
	})
}

// signature reads <attributes>? (inputs) => (outputs) <value infos>? {nodes}.
func (p *parser) signature(f *onnxpb.FunctionProto) {
	if p.accept('<') {
		p.list('>', func() { p.functionAttribute(f) })
	}
	p.expect('(')
	p.list(')', func() { f.Input = append(f.Input, p.parameter(f)) })
	p.arrow()
	p.expect('(')
	p.list(')', func() { f.Output = append(f.Output, p.parameter(f)) })
	if p.accept('<') {
		p.list('>', func() { f.ValueInfo = append(f.ValueInfo, p.valueInfo()) })
	}
	f.Node = p.nodes()
}

func (p *parser) arrow() {
	if p.tok.kind != kindArrow {
		p.fail("`=>`")
		return
	}
	p.next()
}

// functionAttribute reads the name of an attribute, or an attribute with its default.
func (p *parser) functionAttribute(f *onnxpb.FunctionProto) {
	lead := p.leading()
	if next := p.peek(); lead.doc == "" && isQuotable(p.tok) && next.kind == kindMark && (next.mark == ',' || next.mark == '>') {
		p.attach(f, lead)
		f.Attribute = append(f.Attribute, p.quotable("an attribute's name"))
		return
	}
	a := p.attribute()
	a.DocString = p.attach(a, lead)
	f.AttributeProto = append(f.AttributeProto, a)
}

// namesValue reports whether the current token is a value's name and not the type before it.
func (p *parser) namesValue() bool {
	if !isQuotable(p.tok) {
		return false
	}
	next := p.peek()
	return next.kind == kindMark && strings.IndexByte(",)><", next.mark) >= 0
}

// parameter reads an input or output of a function; a type before it is a value_info.
func (p *parser) parameter(f *onnxpb.FunctionProto) string {
	if p.namesValue() {
		return p.quotable("a value's name")
	}
	v := p.valueInfo()
	f.ValueInfo = append(f.ValueInfo, v)
	return v.GetName()
}

func (p *parser) valueInfo() *onnxpb.ValueInfoProto {
	v := &onnxpb.ValueInfoProto{}
	v.DocString = p.attach(v, p.leading())
	if !p.namesValue() {
		v.Type = p.typ("a type or a value's name")
	}
	p.valueRest(v)
	return v
}

// valueRest reads the name and properties of a value whose type was read.
func (p *parser) valueRest(v *onnxpb.ValueInfoProto) {
	v.Name = p.quotable("a value's name")
	if p.is('<') {
		p.properties("", v, &v.DocString, &v.MetadataProps, noKeys)
	}
}

func (p *parser) nodes() []*onnxpb.NodeProto {
	var nodes []*onnxpb.NodeProto
	p.expect('{')
	for p.err == nil && !p.accept('}') {
		nodes = append(nodes, p.node())
	}
	return nodes
}

func (p *parser) node() *onnxpb.NodeProto {
	n := &onnxpb.NodeProto{}
	n.DocString = p.attach(n, p.leading())
	if p.accept('[') {
		n.Name = p.optionalName()
		if p.is('<') {
			p.properties("", n, &n.DocString, &n.MetadataProps, noKeys)
		}
		p.expect(']')
	}
	if !p.accept('=') {
		n.Output = p.outputs()
	}
	p.operator(n)
	attributes := p.accept('<')
	if attributes {
		n.Attribute = p.attributes()
	}
	p.expect('(')
	n.Input = p.inputs()
	if !attributes && p.accept('<') {
		n.Attribute = p.attributes()
	}
	return n
}

// outputs reads a node's outputs and the = after them.
func (p *parser) outputs() []string {
	out := []string{p.quotable("a node's output or `}`")}
	for !p.accept('=') {
		if !p.accept(',') {
			p.fail("`,` or `=`")
			return nil
		}
		out = append(out, p.quotable("a node's output"))
	}
	return out
}

// inputs reads a node's inputs; nothing before a comma is an omitted one.
func (p *parser) inputs() []string {
	var in []string
	for !p.accept(')') {
		if p.accept(',') {
			in = append(in, "")
			continue
		}
		in = append(in, p.quotable("a node's input or `)`"))
		if !p.accept(',') && !p.is(')') {
			p.fail("`,` or `)`")
			return nil
		}
	}
	return in
}

// operator reads domain, operator and overload.
func (p *parser) operator(n *onnxpb.NodeProto) {
	const what = "an operator"
	if p.tok.kind == kindString {
		n.Domain = p.string(what)
		p.expect('.')
		n.OpType = p.quotable(what)
	} else {
		n.OpType = p.quotable(what)
		if i := strings.LastIndexByte(n.GetOpType(), '.'); i >= 0 {
			n.Domain, n.OpType = n.GetOpType()[:i], n.GetOpType()[i+1:]
		}
	}
	if p.accept(':') {
		n.Overload = p.quotable("an overload")
	}
}
