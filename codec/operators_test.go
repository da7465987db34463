// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

var structviewImport = &onnxpb.OperatorSetIdProto{Domain: structview.Domain, Version: codec.Version}

// model has the declarations, the values w (of type 0, inline) and a graph.
func model(decls []*onnxpb.StructTypeProto, g *onnxpb.GraphProto) *onnxpb.ModelProto {
	return &onnxpb.ModelProto{
		IrVersion: 13, StructTypes: decls, Graph: g,
		OpsetImport: append(opsets(opset), structviewImport),
	}
}

func structured(name string, typ int32, data ...byte) *onnxpb.StructProto {
	return &onnxpb.StructProto{Name: name, Type: typ, RawData: data}
}

func sv(op, in, out string, attrs ...*onnxpb.AttributeProto) *onnxpb.NodeProto {
	n := node(op, names(in), names(out), attrs...)
	n.Domain = structview.Domain
	return n
}

func info(name string, t *onnxpb.TypeProto) *onnxpb.ValueInfoProto {
	return &onnxpb.ValueInfoProto{Name: name, Type: t}
}

func TestGraph(t *testing.T) {
	m := model([]*onnxpb.StructTypeProto{linear(2)}, &onnxpb.GraphProto{
		Input:             []*onnxpb.ValueInfoProto{info("bias", leaf(tensor.Float))},
		StructInitializer: []*onnxpb.StructProto{structured("w", 0, 0x00, 0x3c, 0x91, 0x5a, 0x00, 0x3c, 0xf0, 0x1e)},
		Node: []*onnxpb.NodeProto{
			sv("Decode", "w", "plain"),
			node("Add", names("plain", "bias"), names("moved")),
			sv("Encode", "moved", "packed", integer(typeIndex, 0)),
			sv("Decode", "packed", "again"),
		},
		Output: []*onnxpb.ValueInfoProto{info("plain", leaf(tensor.Float, 2, 4)), info("packed", ref(0)), info("again", leaf(tensor.Float, 2, 4))},
	})
	p, err := eval.CompileModel(m, codec.Operators(m, nil))
	if err != nil {
		t.Fatal(err)
	}
	types, err := p.Infer([]eval.ValueType{eval.TensorType(tensor.Float)})
	if err != nil {
		t.Fatal(err)
	}
	if types[0].String() != "FLOAT[2,4]" || types[1].Kind != eval.KindOpaque || types[2].String() != "FLOAT[2,4]" {
		t.Errorf("types %v", types)
	}
	out, err := p.Run(t.Context(), []eval.Value{tensor.Of([]int64{}, float32(0))})
	if err != nil {
		t.Fatal(err)
	}
	want := tensor.Of([]int64{2, 4}, float32(-7), 2, 1, -3, -8, 6, 7, -7)
	equal(t, out[0].(*tensor.Tensor), want)
	equal(t, out[2].(*tensor.Tensor), want)
	if v := out[1].(*codec.Value); v.Type.Index() != 0 || !bytes.Equal(v.Payload, m.Graph.StructInitializer[0].RawData) {
		t.Errorf("packed % x", v.Payload)
	}
}

const typeIndex = "type_index"

// A value chosen at run time decodes by its own type.
func TestHeterogeneous(t *testing.T) {
	branch := func(name string) *onnxpb.GraphProto {
		return &onnxpb.GraphProto{
			Node:   []*onnxpb.NodeProto{node("Identity", names(name), names(name+" out"))},
			Output: []*onnxpb.ValueInfoProto{info(name+" out", inline(&onnxpb.StructTypeProto{}))},
		}
	}
	m := model([]*onnxpb.StructTypeProto{linear(1), byteAnd(identity("alpha", "y"), nil)}, &onnxpb.GraphProto{
		Input: []*onnxpb.ValueInfoProto{info("which", leaf(tensor.Bool))},
		StructInitializer: []*onnxpb.StructProto{
			structured("a", 0, 0x00, 0x3c, 0x91, 0x5a),
			structured("b", 1, 0x2a),
		},
		Node: []*onnxpb.NodeProto{
			node("If", names("which"), names("v"),
				&onnxpb.AttributeProto{Name: "then_branch", Type: onnxpb.AttributeProto_GRAPH, G: branch("a")},
				&onnxpb.AttributeProto{Name: "else_branch", Type: onnxpb.AttributeProto_GRAPH, G: branch("b")}),
			sv("Decode", "v", "y"),
		},
		Output: []*onnxpb.ValueInfoProto{info("y", leaf(tensor.Float))},
	})
	p, err := eval.CompileModel(m, codec.Operators(m, nil))
	if err != nil {
		t.Fatal(err)
	}
	for which, want := range map[bool]*tensor.Tensor{
		true:  tensor.Of([]int64{1, 4}, float32(-7), 2, 1, -3),
		false: tensor.Of([]int64{}, uint8(42)),
	} {
		out, err := p.Run(t.Context(), []eval.Value{tensor.Of([]int64{}, which)})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, out[0].(*tensor.Tensor), want)
	}
}

func TestGraphRefuses(t *testing.T) {
	external := structured("w", 0)
	external.ExternalData = []*onnxpb.StringStringEntryProto{{Key: "location", Value: "w.bin"}, {Key: "length", Value: "8"}}
	for _, test := range []struct {
		name  string
		decl  *onnxpb.StructTypeProto
		value *onnxpb.StructProto
		nodes []*onnxpb.NodeProto
		want  string
	}{
		{
			"no decoder", structure(field("x", leaf(tensor.Uint8))), structured("w", 0, 1),
			[]*onnxpb.NodeProto{sv("Decode", "w", "y")},
			`node 0 (structview.Decode, which gives "y"): codec: the declaration has no decoder: declaration 0`,
		},
		{
			"no encoder", byteAnd(identity("alpha", "y"), nil), structured("w", 0, 1),
			[]*onnxpb.NodeProto{sv("Decode", "w", "x"), sv("Encode", "x", "y", integer(typeIndex, 0))},
			`node 1 (structview.Encode, which gives "y"): codec: the declaration has no encoder: declaration 0`,
		},
		{
			"no type", byteAnd(nil, identity("x", "alpha")), structured("w", 0, 1),
			[]*onnxpb.NodeProto{value("x", tensor.Of([]int64{}, uint8(1))), sv("Encode", "x", "y")},
			`node 1 (structview.Encode, which gives "y"): attribute type_index is missing`,
		},
		{
			"no such type", byteAnd(nil, identity("x", "alpha")), structured("w", 0, 1),
			[]*onnxpb.NodeProto{value("x", tensor.Of([]int64{}, uint8(1))), sv("Encode", "x", "y", integer(typeIndex, 1<<32))},
			`node 1 (structview.Encode, which gives "y"): type_index 4294967296 names none of the model's 1 declarations`,
		},
		{
			"no structured value", byteAnd(identity("alpha", "y"), nil), structured("w", 0, 1),
			[]*onnxpb.NodeProto{value("x", tensor.Of([]int64{}, uint8(1))), sv("Decode", "x", "y")},
			`node 1 (structview.Decode, which gives "y"): expected a structured value, found UINT8[]`,
		},
		{
			"other shape", linear(2), structured("w", 0, make([]byte, 8)...),
			[]*onnxpb.NodeProto{value("x", tensor.Of([]int64{2}, float32(1), 2)), sv("Encode", "x", "y", integer(typeIndex, 0))},
			`node 1 (structview.Encode, which gives "y"): the encoder of declaration 0 takes FLOAT[2,4], found FLOAT[2]`,
		},
		{
			"wrong length", linear(2), structured("w", 0, 1, 2, 3),
			[]*onnxpb.NodeProto{sv("Decode", "w", "y")},
			`struct_initializer "w": `,
		},
		{
			"external", linear(2), external,
			[]*onnxpb.NodeProto{sv("Decode", "w", "y")},
			`struct_initializer "w": the payload is external data, and no reader of it was given`,
		},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			m := model([]*onnxpb.StructTypeProto{test.decl}, &onnxpb.GraphProto{
				StructInitializer: []*onnxpb.StructProto{test.value}, Node: test.nodes,
				Output: []*onnxpb.ValueInfoProto{info("y", leaf(tensor.Float))},
			})
			p, err := eval.CompileModel(m, codec.Operators(m, nil))
			if err == nil {
				_, err = p.Infer(nil)
			}
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}
