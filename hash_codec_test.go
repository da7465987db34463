// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"fmt"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

func attribute(kind onnxpb.AttributeProto_AttributeType, set func(*onnxpb.AttributeProto)) *onnxpb.AttributeProto {
	a := &onnxpb.AttributeProto{Name: "a", Type: kind}
	set(a)
	return a
}

// TestHashOfAttributes: attributes that differ in any value give different hashes.
func TestHashOfAttributes(t *testing.T) {
	type ap = onnxpb.AttributeProto
	types := func(tp *typ) *ap {
		return attribute(onnxpb.AttributeProto_TYPE_PROTO, func(a *ap) { a.Tp = tp })
	}
	graphOf := func(g *graph) *ap { return attribute(onnxpb.AttributeProto_GRAPH, func(a *ap) { a.G = g }) }
	one := tensor.Of([]int64{1}, int8(1)).Proto("one")
	two := tensor.Of([]int64{1}, int8(2)).Proto("two")
	away := &onnxpb.TensorProto{DataType: 3, DataLocation: onnxpb.TensorProto_EXTERNAL, ExternalData: pairs("location", "x")}
	unknown := leaf(tensor.Int8, 3)
	unknown.GetTensorType().Shape.Dim[0].Value = &onnxpb.TensorShapeProto_Dimension_DimParam{DimParam: "N"}
	list := []*ap{
		attribute(onnxpb.AttributeProto_FLOAT, func(a *ap) { a.F = 1 }),
		attribute(onnxpb.AttributeProto_FLOAT, func(a *ap) { a.F = 2 }),
		attribute(onnxpb.AttributeProto_INT, func(a *ap) { a.I = -1 }),
		attribute(onnxpb.AttributeProto_INT, func(a *ap) { a.RefAttrName = "r" }),
		attribute(onnxpb.AttributeProto_STRING, func(a *ap) { a.S = []byte("s") }),
		attribute(onnxpb.AttributeProto_TENSOR, func(a *ap) { a.T = one }),
		attribute(onnxpb.AttributeProto_TENSOR, func(a *ap) { a.T = two }),
		attribute(onnxpb.AttributeProto_TENSOR, func(a *ap) { a.T = away }),
		attribute(onnxpb.AttributeProto_TENSOR, func(*ap) {}),
		attribute(onnxpb.AttributeProto_SPARSE_TENSOR, func(a *ap) { a.SparseTensor = &onnxpb.SparseTensorProto{Values: one, Dims: []int64{9}} }),
		attribute(onnxpb.AttributeProto_SPARSE_TENSOR, func(a *ap) { a.SparseTensor = &onnxpb.SparseTensorProto{Indices: one, Dims: []int64{9}} }),
		attribute(onnxpb.AttributeProto_FLOATS, func(a *ap) { a.Floats = []float32{1} }),
		attribute(onnxpb.AttributeProto_INTS, func(a *ap) { a.Ints = []int64{1} }),
		attribute(onnxpb.AttributeProto_STRINGS, func(a *ap) { a.Strings = [][]byte{[]byte("s")} }),
		attribute(onnxpb.AttributeProto_TENSORS, func(a *ap) { a.Tensors = []*onnxpb.TensorProto{one} }),
		attribute(onnxpb.AttributeProto_GRAPHS, func(a *ap) { a.Graphs = []*graph{{}} }),
		attribute(onnxpb.AttributeProto_TYPE_PROTOS, func(a *ap) { a.TypeProtos = []*typ{leaf(tensor.Int8)} }),
		graphOf(&graph{Input: []*onnxpb.ValueInfoProto{info("x", nil)}}),
		graphOf(&graph{Output: []*onnxpb.ValueInfoProto{info("x", nil)}}),
		graphOf(&graph{Initializer: []*onnxpb.TensorProto{one}}),
		graphOf(&graph{SparseInitializer: []*onnxpb.SparseTensorProto{{Values: one}}}),
		graphOf(&graph{StructInitializer: []*value{{Name: "v"}}}),
		graphOf(&graph{StructInitializer: []*value{{Name: "v", Type: 7}}}),
		graphOf(&graph{StructInitializer: []*value{{Name: "v", ExternalData: pairs("location", "x")}}}),
		types(leaf(tensor.Int8)), types(leaf(tensor.Int8, 3)), types(unknown), types(&typ{}),
		types(sequence(leaf(tensor.Int8))), types(optional(leaf(tensor.Int8))), types(mapping(tensor.Int64, leaf(tensor.Int8))),
		types(ref(0)), types(ref(5)), types(inline(&decl{})),
		types(&typ{Value: &onnxpb.TypeProto_OpaqueType{OpaqueType: &onnxpb.TypeProto_Opaque{Name: "o"}}}),
		types(&typ{Value: &onnxpb.TypeProto_SparseTensorType{SparseTensorType: &onnxpb.TypeProto_SparseTensor{ElemType: 3}}}),
	}
	seen := map[[32]byte]int{}
	for i, a := range list {
		h := hashOf(t, coded(node("", "Op", "d", "y", a)))
		if first, ok := seen[h]; ok {
			t.Errorf("attributes %d and %d have one hash: %v, %v", first, i, list[first], a)
		}
		seen[h] = i
	}
}

// TestHashOfMovedEntry: a codec that names an entry has the same hash wherever it stands.
func TestHashOfMovedEntry(t *testing.T) {
	of := func(before []*decl) [32]byte {
		n := int32(len(before))
		d := coded(node("", "Op", "d", "y", &onnxpb.AttributeProto{Name: "t", Type: onnxpb.AttributeProto_TYPE_PROTO, Tp: ref(n)}))
		return structview.Hash(resolved(t, append(before, array(leaf(tensor.Int8), 3), d)...), nil)
	}
	if of(nil) != of([]*decl{structure(), structure()}) {
		t.Error("an index counts")
	}
}

func TestOverlapWithOrdinaryTensors(t *testing.T) {
	m := valued(external("v", "location", "x", "length", "18", "offset", "4"))
	tensorAt := func(kv ...string) *onnxpb.TensorProto {
		return &onnxpb.TensorProto{Name: fmt.Sprint(kv), DataLocation: onnxpb.TensorProto_EXTERNAL, ExternalData: pairs(kv...)}
	}
	m.Graph.Initializer = []*onnxpb.TensorProto{
		tensorAt("location", "x", "length", "6"), tensorAt("location", "x", "length", "5"),
		tensorAt("location", "x", "length", "?"), tensorAt("location", "x", "offset", "22", "length", "5"),
		{Name: "inline"},
	}
	want := `SV052 warning: graph.struct_initializer[0]: bytes 4 to 22 of "x" overlap bytes 0 to 6 of graph.initializer[0]`
	if got := lines(structview.Check(m, structview.CheckOptions{})); got != want {
		t.Errorf("got %s", got)
	}
}
