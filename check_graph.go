// SPDX-License-Identifier: Apache-2.0

package structview

import "github.com/structview/structview/onnxpb"

// Domain is the domain of the operators Decode and Encode.
const Domain = "structview"

// scope is the names that a node sees: those of its graph or function, then those of
// the graphs around it. They are collected when the first node asks.
type scope struct {
	up     *scope
	values []*onnxpb.StructProto
	infos  [][]*onnxpb.ValueInfoProto
	nodes  []*onnxpb.NodeProto
	roots  map[string]*onnxpb.StructTypeProto // nil: a value whose root is not known
}

func (c *checker) graph(g *onnxpb.GraphProto, at *place, up *scope) {
	if g == nil {
		return
	}
	c.infos(g.Input, "input", at)
	c.infos(g.Output, "output", at)
	c.infos(g.ValueInfo, "value_info", at)
	c.values(g, at)
	here := &scope{
		up: up, values: g.StructInitializer, nodes: g.Node,
		infos: [][]*onnxpb.ValueInfoProto{g.Input, g.ValueInfo, g.Output},
	}
	c.nodes(g.Node, at, here)
}

func (c *checker) function(f *onnxpb.FunctionProto, at *place) {
	c.infos(f.GetValueInfo(), "value_info", at)
	here := &scope{nodes: f.GetNode(), infos: [][]*onnxpb.ValueInfoProto{f.GetValueInfo()}}
	for i, a := range f.GetAttributeProto() {
		c.attribute(a, at.at("attribute_proto", i), here)
	}
	c.nodes(f.GetNode(), at, here)
}

func (c *checker) infos(list []*onnxpb.ValueInfoProto, name string, at *place) {
	for i, v := range list {
		if v.GetType() != nil {
			c.static(v.Type, at.at(name, i).child("type"))
		}
	}
}

func (c *checker) nodes(list []*onnxpb.NodeProto, at *place, here *scope) {
	for i, n := range list {
		if n.GetDomain() == Domain {
			c.operator(n, at.at("node", i), here)
		}
		for k, a := range n.GetAttribute() {
			c.attribute(a, at.at("node", i).at("attribute", k), here)
		}
	}
}

// attribute checks the types and graphs in an attribute.
func (c *checker) attribute(a *onnxpb.AttributeProto, at *place, here *scope) {
	if a.GetTp() != nil {
		c.static(a.Tp, at.child("tp"))
	}
	for i, tp := range a.GetTypeProtos() {
		c.static(tp, at.at("type_protos", i))
	}
	c.graph(a.GetG(), at.child("g"), here)
	for i, g := range a.GetGraphs() {
		c.graph(g, at.at("graphs", i), here)
	}
}

// static checks a TypeProto of a graph: it looks for a structured type within
// sequences, maps and optionals (SV004).
func (c *checker) static(tp *onnxpb.TypeProto, at *place) {
	for {
		switch v := tp.GetValue().(type) {
		case *onnxpb.TypeProto_SequenceType:
			tp, at = v.SequenceType.GetElemType(), at.child("sequence_type").child("elem_type")
		case *onnxpb.TypeProto_MapType:
			tp, at = v.MapType.GetValueType(), at.child("map_type").child("value_type")
		case *onnxpb.TypeProto_OptionalType:
			tp, at = v.OptionalType.GetElemType(), at.child("optional_type").child("elem_type")
		case *onnxpb.TypeProto_StructType:
			c.staticStruct(v.StructType, at.child("struct_type"))
			return
		default:
			return
		}
	}
}

func (c *checker) staticStruct(p *onnxpb.StructTypeProto, at *place) {
	switch k := p.GetKind().(type) {
	case nil:
		c.staticExtras(p, at)
	case *onnxpb.StructTypeProto_TypeIndex:
		c.staticExtras(p, at)
		c.staticIndex(k.TypeIndex, at)
	default:
		c.add(ErrStaticForm, Error, at, "declare it in struct_types and refer to it",
			"a static type is a type_index or leaves kind unset; found an inline %s", kindName(p))
	}
}

// staticIndex checks the reference of a static type (SV008, SV021).
func (c *checker) staticIndex(i int32, at *place) {
	t := c.resolved.resolver.lookup(i, at, c.report)
	if t != nil && t.bits%8 != 0 {
		c.error(ErrAlignment, at, "the size of %s is %d bits, which is not a whole number of bytes: no value can have it", t.title(), t.bits)
	}
}

func kindName(p *onnxpb.StructTypeProto) string {
	switch p.GetKind().(type) {
	case *onnxpb.StructTypeProto_Array_:
		return "array"
	case *onnxpb.StructTypeProto_BitPacking_:
		return "bit_packing"
	case *onnxpb.StructTypeProto_Structure_:
		return "structure"
	case *onnxpb.StructTypeProto_TypeIndex:
		return "type_index"
	default:
		return "unset kind"
	}
}

// operator checks Decode and Encode (SV053).
func (c *checker) operator(n *onnxpb.NodeProto, at *place, here *scope) {
	switch n.GetOpType() {
	case "Decode":
		if len(n.Input) == 0 {
			return
		}
		if root := here.root(n.Input[0], c.decls); root != nil && root.Decoder == nil {
			c.error(ErrNoCodec, at, "Decode of %s, whose root %s has no decoder", quoteName(n.Input[0]), quoteName(root.Name))
		}
	case "Encode":
		i, ok := typeIndex(n)
		switch {
		case !ok:
			c.error(ErrNoCodec, at, "Encode has no attribute type_index (an INT)")
		case i < 0 || i >= int64(len(c.decls)):
			c.error(ErrReference, at, "type_index %d names no declaration: %s", i, have(len(c.decls)))
		default:
			c.resolved.resolver.used[i] = true
			if c.decls[i].GetEncoder() == nil {
				c.error(ErrNoCodec, at, "Encode to struct_types[%d] %s, which has no encoder", i, quoteName(c.decls[i].GetName()))
			}
		}
	}
}

// typeIndex returns the attribute of an Encode node. An attribute that a function's
// caller gives is not known here: it counts as absent only if there is none at all.
func typeIndex(n *onnxpb.NodeProto) (int64, bool) {
	for _, a := range n.GetAttribute() {
		if a.GetName() == "type_index" && (a.GetType() == onnxpb.AttributeProto_INT || a.GetType() == onnxpb.AttributeProto_UNDEFINED) {
			return a.GetI(), true
		}
	}
	return 0, false
}

// root returns the root of the structured value of a name, nil if it is not known.
func (s *scope) root(name string, decls []*onnxpb.StructTypeProto) *onnxpb.StructTypeProto {
	for ; s != nil; s = s.up {
		if s.roots == nil {
			s.collect(decls)
		}
		if p, ok := s.roots[name]; ok {
			return p
		}
	}
	return nil
}

func (s *scope) collect(decls []*onnxpb.StructTypeProto) {
	s.roots = map[string]*onnxpb.StructTypeProto{}
	entry := func(i int64) *onnxpb.StructTypeProto {
		if i < 0 || i >= int64(len(decls)) {
			return nil
		}
		return decls[i]
	}
	for _, list := range s.infos {
		for _, v := range list {
			p := v.GetType().GetStructType()
			if k, ok := p.GetKind().(*onnxpb.StructTypeProto_TypeIndex); ok {
				s.roots[v.GetName()] = entry(int64(k.TypeIndex))
			}
		}
	}
	for _, n := range s.nodes {
		if n.GetDomain() == Domain && n.GetOpType() == "Encode" && len(n.Output) > 0 {
			i, ok := typeIndex(n)
			if ok {
				s.roots[n.Output[0]] = entry(i)
			}
		}
	}
	for _, v := range s.values {
		if v.GetStructType() != nil {
			s.roots[v.GetName()] = v.StructType
		} else {
			s.roots[v.GetName()] = entry(int64(v.GetType()))
		}
	}
}
