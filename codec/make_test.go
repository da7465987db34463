// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// Declarations and functions, short.

func leaf(t tensor.Type, dims ...int64) *onnxpb.TypeProto {
	shape := &onnxpb.TensorShapeProto{}
	for _, d := range dims {
		shape.Dim = append(shape.Dim, &onnxpb.TensorShapeProto_Dimension{
			Value: &onnxpb.TensorShapeProto_Dimension_DimValue{DimValue: d},
		})
	}
	return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_TensorType{
		TensorType: &onnxpb.TypeProto_Tensor{ElemType: int32(t), Shape: shape},
	}}
}

func inline(p *onnxpb.StructTypeProto) *onnxpb.TypeProto {
	return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_StructType{StructType: p}}
}

func ref(i int32) *onnxpb.TypeProto {
	return inline(&onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_TypeIndex{TypeIndex: i}})
}

func array(n uint64, elem *onnxpb.TypeProto) *onnxpb.StructTypeProto {
	return &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Array_{
		Array: &onnxpb.StructTypeProto_Array{ElementType: elem, Dimension: n},
	}}
}

type part struct {
	name  string
	width uint32
}

func packing(n uint64, parts ...part) *onnxpb.StructTypeProto {
	p := &onnxpb.StructTypeProto_BitPacking{Dimension: n}
	for _, c := range parts {
		p.Component = append(p.Component, &onnxpb.StructTypeProto_BitPacking_Component{Name: c.name, BitWidth: c.width})
	}
	return &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_BitPacking_{BitPacking: p}}
}

func structure(fields ...*onnxpb.StructTypeProto_Field) *onnxpb.StructTypeProto {
	return &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Structure_{
		Structure: &onnxpb.StructTypeProto_Structure{Field: fields},
	}}
}

func field(name string, t *onnxpb.TypeProto) *onnxpb.StructTypeProto_Field {
	return &onnxpb.StructTypeProto_Field{Name: name, Content: &onnxpb.StructTypeProto_Field_Type{Type: t}}
}

func constant(name string, t *tensor.Tensor) *onnxpb.StructTypeProto_Field {
	return &onnxpb.StructTypeProto_Field{Name: name, Content: &onnxpb.StructTypeProto_Field_Constant{Constant: t.Proto("")}}
}

const opset = 26

func opsets(version int64) []*onnxpb.OperatorSetIdProto {
	return []*onnxpb.OperatorSetIdProto{{Version: version}}
}

func function(in, out []string, nodes ...*onnxpb.NodeProto) *onnxpb.FunctionProto {
	return &onnxpb.FunctionProto{Input: in, Output: out, Node: nodes, OpsetImport: opsets(opset)}
}

func names(list ...string) []string { return list }

func node(op string, in, out []string, attrs ...*onnxpb.AttributeProto) *onnxpb.NodeProto {
	return &onnxpb.NodeProto{OpType: op, Input: in, Output: out, Attribute: attrs}
}

func value(name string, t *tensor.Tensor) *onnxpb.NodeProto {
	return node("Constant", nil, names(name), &onnxpb.AttributeProto{
		Name: "value", Type: onnxpb.AttributeProto_TENSOR, T: t.Proto(""),
	})
}

func cast(to tensor.Type, in, out string) *onnxpb.NodeProto {
	return node("Cast", names(in), names(out), integer("to", int64(to)))
}

func bitCast(to tensor.Type, in, out string) *onnxpb.NodeProto {
	return node("BitCast", names(in), names(out), integer("to", int64(to)))
}

func integer(name string, v int64) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_INT, I: v}
}

func with(p *onnxpb.StructTypeProto, decoder, encoder *onnxpb.FunctionProto) *onnxpb.StructTypeProto {
	p.Decoder, p.Encoder = decoder, encoder
	return p
}

// root resolves the last of the declarations.
func root(t testing.TB, decls ...*onnxpb.StructTypeProto) *structview.Type {
	t.Helper()
	all, findings := structview.Resolve(decls)
	if err := structview.Errors(findings); err != nil {
		t.Fatal(err)
	}
	r, err := all.At(len(decls) - 1)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// build makes the codec of the last of the declarations.
func build(t testing.TB, decls ...*onnxpb.StructTypeProto) *codec.Codec {
	t.Helper()
	c, err := codec.New(root(t, decls...), codec.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func decode(t testing.TB, c *codec.Codec, payload []byte) *tensor.Tensor {
	t.Helper()
	out, err := c.Decode(t.Context(), payload)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func equal(t testing.TB, got, want *tensor.Tensor) {
	t.Helper()
	if !tensor.Equal(got, want) {
		t.Errorf("got %v%v % x, want %v%v % x", got.Type(), got.Dims(), got.Bytes(), want.Type(), want.Dims(), want.Bytes())
	}
}
