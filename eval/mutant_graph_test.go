// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// mutateGraphs changes the subgraphs of a function.
func mutateGraphs(fn *onnxpb.FunctionProto, in []Value, yield func(Mutant) bool) bool {
	for i, g := range graphsOf(fn.Node) {
		for _, e := range graphEdits(g) {
			f := proto.CloneOf(fn)
			e.apply(graphsOf(f.Node)[i])
			if !yield(Mutant{fmt.Sprintf("graph %d: %s", i, e.what), f, in}) {
				return false
			}
		}
	}
	return true
}

type graphEdit struct {
	what  string
	apply func(g *onnxpb.GraphProto)
}

func graphEdits(g *onnxpb.GraphProto) []graphEdit {
	extra := &onnxpb.ValueInfoProto{Name: "further"}
	list := []graphEdit{
		{"nothing", func(g *onnxpb.GraphProto) { g.Reset() }},
		{"no nodes", func(g *onnxpb.GraphProto) { g.Node = nil }},
		{"no inputs", func(g *onnxpb.GraphProto) { g.Input = nil }},
		{"no outputs", func(g *onnxpb.GraphProto) { g.Output = nil }},
		{"an input more", func(g *onnxpb.GraphProto) { g.Input = append(g.Input, extra) }},
		{"an initializer without anything", func(g *onnxpb.GraphProto) { g.Initializer = append(g.Initializer, &onnxpb.TensorProto{}) }},
		{"a sparse initializer without anything", func(g *onnxpb.GraphProto) {
			g.SparseInitializer = append(g.SparseInitializer, &onnxpb.SparseTensorProto{})
		}},
	}
	for i := range g.Output {
		list = append(list,
			graphEdit{fmt.Sprintf("output %d twice", i), func(g *onnxpb.GraphProto) { g.Output = append(g.Output, g.Output[i]) }},
			graphEdit{fmt.Sprintf("output %d dropped", i), func(g *onnxpb.GraphProto) { g.Output = append(g.Output[:i], g.Output[i+1:]...) }},
			graphEdit{fmt.Sprintf("output %d without a name", i), func(g *onnxpb.GraphProto) { g.Output[i].Name = "" }})
	}
	for i := range g.Input {
		list = append(list,
			graphEdit{fmt.Sprintf("input %d dropped", i), func(g *onnxpb.GraphProto) { g.Input = append(g.Input[:i], g.Input[i+1:]...) }},
			graphEdit{fmt.Sprintf("input %d twice", i), func(g *onnxpb.GraphProto) { g.Input = append(g.Input, g.Input[i]) }},
			graphEdit{fmt.Sprintf("input %d initialized", i), func(g *onnxpb.GraphProto) {
				g.Initializer = append(g.Initializer, tensor.Of([]int64{2}, int64(3), 4).Proto(g.Input[i].GetName()))
			}},
			graphEdit{fmt.Sprintf("input %d is an output", i), func(g *onnxpb.GraphProto) { g.Output = append(g.Output, g.Input[i]) }})
		for k, typ := range otherDeclarations() {
			list = append(list, graphEdit{fmt.Sprintf("input %d of type %d", i, k), func(g *onnxpb.GraphProto) { g.Input[i].Type = typ }})
		}
	}
	for i := range g.Output {
		for k, typ := range otherDeclarations() {
			list = append(list, graphEdit{fmt.Sprintf("output %d of type %d", i, k), func(g *onnxpb.GraphProto) { g.Output[i].Type = typ }})
		}
	}
	return list
}

// otherDeclarations are types that graphs may declare: none, broken ones, and all kinds.
func otherDeclarations() []*onnxpb.TypeProto {
	tensorOf := func(element int32, dims ...int64) *onnxpb.TypeProto {
		shape := &onnxpb.TensorShapeProto{}
		for _, d := range dims {
			shape.Dim = append(shape.Dim, &onnxpb.TensorShapeProto_Dimension{Value: &onnxpb.TensorShapeProto_Dimension_DimValue{DimValue: d}})
		}
		return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_TensorType{TensorType: &onnxpb.TypeProto_Tensor{ElemType: element, Shape: shape}}}
	}
	sequence := func(t *onnxpb.TypeProto) *onnxpb.TypeProto {
		return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_SequenceType{SequenceType: &onnxpb.TypeProto_Sequence{ElemType: t}}}
	}
	optional := func(t *onnxpb.TypeProto) *onnxpb.TypeProto {
		return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_OptionalType{OptionalType: &onnxpb.TypeProto_Optional{ElemType: t}}}
	}
	return []*onnxpb.TypeProto{
		nil,
		{},
		tensorOf(8), tensorOf(1, -5), tensorOf(1, 1<<40, 1<<40), tensorOf(99, 1), tensorOf(7, 0),
		sequence(nil), sequence(tensorOf(1)), sequence(sequence(tensorOf(7))), optional(nil), optional(tensorOf(1)), optional(optional(nil)),
		{Value: &onnxpb.TypeProto_TensorType{}},
		{Value: &onnxpb.TypeProto_MapType{}},
	}
}
