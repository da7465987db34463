// SPDX-License-Identifier: Apache-2.0

package syntax

import "github.com/structview/structview/onnxpb"

func (p *printer) model(m *onnxpb.ModelProto) {
	p.lead(m, m.GetDocString())
	p.header(m)
	for _, d := range m.GetStructTypes() {
		p.blank()
		p.declaration(d)
	}
	if m.GetGraph() != nil {
		p.blank()
		g := m.GetGraph()
		p.lead(g, g.GetDocString())
		p.itemGraph(g)
	}
	for _, f := range m.GetFunctions() {
		p.blank()
		p.function(f)
	}
}

func (p *printer) header(m *onnxpb.ModelProto) {
	var list []property
	if v := m.GetIrVersion(); v != 0 {
		list = append(list, property{"ir_version", func() { p.int(v) }})
	}
	if len(m.GetOpsetImport()) > 0 {
		list = append(list, p.opsets(m.GetOpsetImport()))
	}
	for _, t := range []struct{ key, value string }{
		{"producer_name", m.GetProducerName()},
		{"producer_version", m.GetProducerVersion()},
		{"domain", m.GetDomain()},
	} {
		if t.value != "" {
			list = append(list, p.text(t.key, t.value))
		}
	}
	if v := m.GetModelVersion(); v != 0 {
		list = append(list, property{"model_version", func() { p.int(v) }})
	}
	list = p.properties(m, "", m.GetMetadataProps(), list...)
	p.propertyList(list)
}

func (p *printer) declaration(d *onnxpb.StructTypeProto) {
	p.lead(d, d.GetDocString())
	_, structure := d.GetKind().(*onnxpb.StructTypeProto_Structure_)
	if structure {
		p.str("struct")
	} else {
		p.str("type")
	}
	if d.GetName() != "" {
		p.str(" ")
		p.quotable(d.GetName())
	}
	p.optional(p.properties(d, "", d.GetMetadataProps()))
	if structure {
		p.str(" ")
		p.fields(d.GetStructure())
	} else {
		p.str(" = ")
		p.structKind(d)
	}
	p.codecs(d)
}

// codecs writes decoder and encoder, each on a new line.
func (p *printer) codecs(d *onnxpb.StructTypeProto) {
	if f := d.GetDecoder(); f != nil {
		p.codec("decoder", f)
	}
	if f := d.GetEncoder(); f != nil {
		p.codec("encoder", f)
	}
}

func (p *printer) codec(word string, f *onnxpb.FunctionProto) {
	p.newline()
	p.lead(f, f.GetDocString())
	p.str(word)
	list := p.functionProperties(f, f.GetDomain() != "")
	if len(list) > 0 {
		p.optional(list)
	} else if len(f.GetAttribute())+len(f.GetAttributeProto()) > 0 {
		p.str(" <>")
	}
	if f.GetName() != "" {
		p.str(" ")
		p.quotable(f.GetName())
	}
	p.signature(f)
}

// functionProperties returns a function's header but for its documentation.
func (p *printer) functionProperties(f *onnxpb.FunctionProto, domain bool) []property {
	var list []property
	if domain {
		list = append(list, p.text("domain", f.GetDomain()))
	}
	if f.GetOverload() != "" {
		list = append(list, p.text("overload", f.GetOverload()))
	}
	if len(f.GetOpsetImport()) > 0 {
		list = append(list, p.opsets(f.GetOpsetImport()))
	}
	return p.properties(f, "", f.GetMetadataProps(), list...)
}

func (p *printer) function(f *onnxpb.FunctionProto) {
	p.lead(f, f.GetDocString())
	list := p.functionProperties(f, true)
	p.propertyList(list)
	p.newline()
	p.quotable(f.GetName())
	p.signature(f)
}

// signature writes everything after a function's name.
func (p *printer) signature(f *onnxpb.FunctionProto) {
	names, defaults := f.GetAttribute(), f.GetAttributeProto()
	if n := len(names) + len(defaults); n > 0 {
		p.group(" <", ">", n, func(i int) {
			if i < len(names) {
				p.quotable(names[i])
				return
			}
			p.attribute(defaults[i-len(names)])
		})
	}
	p.fill(" (", ")", f.GetInput())
	p.fill(" => (", ")", f.GetOutput())
	if v := f.GetValueInfo(); len(v) > 0 {
		p.group(" <", ">", len(v), func(i int) { p.valueInfo(v[i]) })
	}
	p.str(" ")
	p.nodes(f.GetNode())
}

func (p *printer) valueInfo(v *onnxpb.ValueInfoProto) {
	p.lead(v, v.GetDocString())
	if v.GetType() != nil {
		p.typ(v.GetType())
		p.str(" ")
	}
	p.quotable(v.GetName())
	p.optional(p.properties(v, "", v.GetMetadataProps()))
}

func (p *printer) nodes(nodes []*onnxpb.NodeProto) {
	p.str("{")
	if len(nodes) == 0 {
		p.str("}")
		return
	}
	p.inner("}", len(nodes), func(i int) { p.node(nodes[i]) })
}

func (p *printer) node(n *onnxpb.NodeProto) {
	p.lead(n, n.GetDocString())
	if list := p.properties(n, "", n.GetMetadataProps()); n.GetName() != "" || len(list) > 0 {
		p.str("[")
		p.quotable(n.GetName())
		p.optional(list)
		p.str("] ")
	}
	p.names("", "", n.GetOutput())
	if len(n.GetOutput()) > 0 {
		p.str(" ")
	}
	p.str("= ")
	p.operator(n)
	late := hasGraph(n.GetAttribute())
	if !late {
		p.attributes(n.GetAttribute())
	}
	p.fill(" (", ")", n.GetInput())
	if late {
		p.attributes(n.GetAttribute())
	}
}

func (p *printer) operator(n *onnxpb.NodeProto) {
	domain, op := n.GetDomain(), n.GetOpType()
	name := op
	if domain != "" {
		name = domain + "." + op
	}
	plain := isName(name) && (domain == "" || isName(domain)) && !hasDot(op) && op != ""
	if plain {
		p.str(name)
	} else {
		p.quoted(domain)
		p.str(".")
		p.quotable(op)
	}
	if n.GetOverload() != "" {
		p.str(":")
		p.quotable(n.GetOverload())
	}
}

// graph writes a graph but for documentation that stands before it.
func (p *printer) graph(g *onnxpb.GraphProto, doc string) {
	if p.depth++; p.depth > maxDepth {
		p.fail("graph %q: more than %d levels of nesting", g.GetName(), maxDepth)
	}
	defer func() { p.depth-- }()
	if p.stopped() {
		return
	}
	p.wordless(g.GetName())
	p.graphRest(g, doc)
}

// itemGraph writes the model's graph, whose name must not begin another item.
func (p *printer) itemGraph(g *onnxpb.GraphProto) {
	switch g.GetName() {
	case "struct", "type", "decoder", "encoder":
		p.quoted(g.GetName())
	default:
		p.quotable(g.GetName())
	}
	p.graphRest(g, "")
}

// graphRest writes everything after a graph's name.
func (p *printer) graphRest(g *onnxpb.GraphProto, doc string) {
	p.optional(p.properties(g, doc, g.GetMetadataProps()))
	p.group(" (", ")", len(g.GetInput()), func(i int) { p.valueInfo(g.GetInput()[i]) })
	p.group(" => (", ")", len(g.GetOutput()), func(i int) { p.valueInfo(g.GetOutput()[i]) })
	p.entries(g)
	p.str(" ")
	p.nodes(g.GetNode())
}

// entries writes initializers of all kinds and value infos.
func (p *printer) entries(g *onnxpb.GraphProto) {
	var list []func()
	for _, t := range g.GetInitializer() {
		list = append(list, func() { p.initializer(t) })
	}
	for _, s := range g.GetSparseInitializer() {
		list = append(list, func() {
			p.lead(s, "")
			p.sparse(s)
		})
	}
	for _, s := range g.GetStructInitializer() {
		list = append(list, func() { p.structValue(s) })
	}
	for _, v := range g.GetValueInfo() {
		list = append(list, func() { p.valueInfo(v) })
	}
	if len(list) > 0 {
		p.lines(" <", ">", len(list), func(i int) { list[i]() })
	}
}
