// SPDX-License-Identifier: Apache-2.0

package syntax

import "github.com/structview/structview/onnxpb"

// graph reads a graph from its name on.
func (p *parser) graph() *onnxpb.GraphProto {
	g := &onnxpb.GraphProto{}
	if !p.enter() {
		return g
	}
	defer p.leave()
	g.Name = p.quotable("a graph's name")
	if p.is('<') {
		p.properties("", g, &g.DocString, &g.MetadataProps, noKeys)
	}
	p.expect('(')
	p.list(')', func() { p.graphInput(g) })
	p.arrow()
	p.expect('(')
	p.list(')', func() { g.Output = append(g.Output, p.valueInfo()) })
	if p.accept('<') {
		p.list('>', func() { p.graphEntry(g) })
	}
	g.Node = p.nodes()
	return g
}

// graphInput reads an input; with a value it is an initializer too.
func (p *parser) graphInput(g *onnxpb.GraphProto) {
	t := p.tok
	v := p.valueInfo()
	g.Input = append(g.Input, v)
	if p.accept('=') {
		p.initializer(g, v, t)
	}
}

func (p *parser) initializer(g *onnxpb.GraphProto, v *onnxpb.ValueInfoProto, t token) {
	c := p.tensorOf(v.GetType(), t)
	c.Name = v.GetName()
	p.tensorData(c)
	g.Initializer = append(g.Initializer, c)
}

// graphEntry reads what stands between a graph's outputs and nodes: a value_info, an
// initializer of any of the three kinds.
func (p *parser) graphEntry(g *onnxpb.GraphProto) {
	lead := p.leading()
	if p.isSparse() {
		if lead.doc != "" {
			p.fail("an entry that can be documented")
		}
		s := p.sparse()
		p.attach(s, lead)
		g.SparseInitializer = append(g.SparseInitializer, s)
		return
	}
	v := &onnxpb.ValueInfoProto{DocString: lead.doc}
	t := p.tok
	wrapped := p.isWord("inline")
	if !p.namesValue() {
		v.Type = p.typ("a type or a value's name")
	}
	v.Name = p.quotable("a value's name")
	switch {
	case !p.is('='):
		if p.is('<') {
			p.properties("", v, &v.DocString, &v.MetadataProps, noKeys)
		}
		p.attach(v, lead)
		g.ValueInfo = append(g.ValueInfo, v)
	case v.GetType().GetStructType() != nil:
		p.next()
		s := p.structValue(v, wrapped)
		p.attach(s, lead)
		g.StructInitializer = append(g.StructInitializer, s)
	default:
		p.next()
		n := len(g.GetInitializer())
		p.initializer(g, v, t)
		if p.err == nil {
			p.setDoc(&g.Initializer[n].DocString, p.attach(g.GetInitializer()[n], lead))
		}
	}
}

// structValue reads the data of a structured value. Its type is a reference unless it
// is written out, or wrapped in inline(…).
func (p *parser) structValue(v *onnxpb.ValueInfoProto, wrapped bool) *onnxpb.StructProto {
	s := &onnxpb.StructProto{Name: v.GetName(), DocString: v.GetDocString(), Type: -1}
	d := v.GetType().GetStructType()
	if p.err == nil && v.GetType().GetDenotation() != "" {
		p.fail("a value whose type has no denotation, since data follows")
	}
	if index, ok := d.GetKind().(*onnxpb.StructTypeProto_TypeIndex); ok && !wrapped {
		p.valueProperties(s, false)
		s.Type = index.TypeIndex
		p.values = append(p.values, valueType{value: s, from: index})
	} else {
		s.StructType = d
		p.valueProperties(s, true)
	}
	if !p.isHex() && !p.is('[') {
		p.fail("bytes: `hex \"…\"` or `[\"location\": …]`")
	}
	if p.isHex() {
		s.RawData = p.hex()
	}
	if p.is('[') {
		s.ExternalData = p.pairs()
	}
	return s
}

// valueProperties reads <type: n>, an index beside a type that is written out (invalid, SV002). A reference is the
// index itself.
func (p *parser) valueProperties(s *onnxpb.StructProto, written bool) {
	if !p.is('<') {
		return
	}
	p.properties("type", s, &s.DocString, nil, func(key string) bool {
		switch {
		case key != "type":
			return false
		case !written:
			p.fail("no index beside a reference, which is one itself; it stands beside a type that is written out")
		default:
			s.Type = p.int32("an index")
		}
		return true
	})
}

// isSparse reports whether a sparse tensor's value follows, and not its type.
func (p *parser) isSparse() bool {
	if !p.isWord("sparse_tensor") {
		return false
	}
	next := p.peek()
	return next.kind == kindMark && next.mark == '['
}

// sparse reads sparse_tensor[dims](values, indices).
func (p *parser) sparse() *onnxpb.SparseTensorProto {
	s := &onnxpb.SparseTensorProto{}
	p.next()
	p.expect('[')
	p.list(']', func() { s.Dims = append(s.Dims, p.int("a dimension")) })
	p.expect('(')
	if !p.is(',') {
		s.Values = p.tensor()
	}
	p.expect(',')
	if !p.is(')') {
		s.Indices = p.tensor()
	}
	p.expect(')')
	return s
}
