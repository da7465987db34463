// SPDX-License-Identifier: Apache-2.0

package structview

import "github.com/structview/structview/onnxpb"

// Renumber changes every reference to an entry of struct_types in a model: of
// declarations and their codecs, of values, of static types in graphs, functions and
// attributes, and of Encode nodes. Entries themselves do not move. An index for which
// there is no entry is given to the function too.
func Renumber(m *onnxpb.ModelProto, to func(index int32) int32) {
	r := renumberer{to}
	for _, d := range m.GetStructTypes() {
		r.declaration(d)
	}
	r.graph(m.GetGraph())
	for _, t := range m.GetTrainingInfo() {
		r.graph(t.GetInitialization())
		r.graph(t.GetAlgorithm())
	}
	for _, f := range m.GetFunctions() {
		r.function(f)
	}
}

type renumberer struct{ to func(int32) int32 }

func (r renumberer) declaration(d *onnxpb.StructTypeProto) {
	switch k := d.GetKind().(type) {
	case *onnxpb.StructTypeProto_TypeIndex:
		k.TypeIndex = r.to(k.TypeIndex)
	case *onnxpb.StructTypeProto_Array_:
		r.typ(k.Array.GetElementType())
	case *onnxpb.StructTypeProto_Structure_:
		for _, f := range k.Structure.GetField() {
			r.typ(f.GetType())
		}
	}
	r.function(d.GetDecoder())
	r.function(d.GetEncoder())
}

// typ changes the references in a type, within sequences, maps and optionals too.
func (r renumberer) typ(tp *onnxpb.TypeProto) {
	for {
		switch v := tp.GetValue().(type) {
		case *onnxpb.TypeProto_SequenceType:
			tp = v.SequenceType.GetElemType()
		case *onnxpb.TypeProto_MapType:
			tp = v.MapType.GetValueType()
		case *onnxpb.TypeProto_OptionalType:
			tp = v.OptionalType.GetElemType()
		case *onnxpb.TypeProto_StructType:
			if v.StructType != nil {
				r.declaration(v.StructType)
			}
			return
		default:
			return
		}
	}
}

func (r renumberer) graph(g *onnxpb.GraphProto) {
	r.infos(g.GetInput())
	r.infos(g.GetOutput())
	r.infos(g.GetValueInfo())
	for _, v := range g.GetStructInitializer() {
		switch {
		case v.GetStructType() != nil:
			r.declaration(v.StructType)
		case v != nil:
			v.Type = r.to(v.Type)
		}
	}
	r.nodes(g.GetNode())
}

func (r renumberer) function(f *onnxpb.FunctionProto) {
	r.infos(f.GetValueInfo())
	r.attributes(f.GetAttributeProto())
	r.nodes(f.GetNode())
}

func (r renumberer) infos(list []*onnxpb.ValueInfoProto) {
	for _, v := range list {
		r.typ(v.GetType())
	}
}

func (r renumberer) nodes(list []*onnxpb.NodeProto) {
	for _, n := range list {
		r.attributes(n.GetAttribute())
		if n.GetDomain() != Domain || n.GetOpType() != "Encode" {
			continue
		}
		for _, a := range n.Attribute {
			if a.GetName() == "type_index" && a.GetRefAttrName() == "" && int64(int32(a.I)) == a.I {
				a.I = int64(r.to(int32(a.I)))
			}
		}
	}
}

func (r renumberer) attributes(list []*onnxpb.AttributeProto) {
	for _, a := range list {
		r.typ(a.GetTp())
		for _, tp := range a.GetTypeProtos() {
			r.typ(tp)
		}
		r.graph(a.GetG())
		for _, g := range a.GetGraphs() {
			r.graph(g)
		}
	}
}
