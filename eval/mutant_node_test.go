// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// nodesOf lists nodes and those of their subgraphs.
func nodesOf(list []*onnxpb.NodeProto) []*onnxpb.NodeProto {
	var all []*onnxpb.NodeProto
	for _, n := range list {
		all = append(all, n)
		for _, a := range n.Attribute {
			all = append(all, nodesOf(a.GetG().GetNode())...)
		}
	}
	return all
}

func graphsOf(list []*onnxpb.NodeProto) []*onnxpb.GraphProto {
	var all []*onnxpb.GraphProto
	for _, n := range nodesOf(list) {
		for _, a := range n.Attribute {
			if a.GetG() != nil {
				all = append(all, a.GetG())
			}
		}
	}
	return all
}

// edit is one change to a node.
type edit struct {
	what  string
	apply func(n *onnxpb.NodeProto)
}

func mutateNodes(fn *onnxpb.FunctionProto, in []Value, yield func(Mutant) bool) bool {
	for i, n := range nodesOf(fn.Node) {
		if n.GetOpType() == "Constant" {
			continue
		}
		for _, e := range slices.Concat(wireEdits(n), attributeEdits(n, fn)) {
			f := proto.CloneOf(fn)
			e.apply(nodesOf(f.Node)[i])
			if !yield(Mutant{fmt.Sprintf("node %d (%s): %s", i, n.GetOpType(), e.what), f, in}) {
				return false
			}
		}
	}
	return true
}

func wireEdits(n *onnxpb.NodeProto) []edit {
	list := []edit{
		{"no inputs", func(n *onnxpb.NodeProto) { n.Input = nil }},
		{"no outputs", func(n *onnxpb.NodeProto) { n.Output = nil }},
		{"outputs without names", func(n *onnxpb.NodeProto) { n.Output = make([]string, len(n.Output)) }},
		{"an unknown input", func(n *onnxpb.NodeProto) { n.Input = append(n.Input, "nobody") }},
		{"one output more", func(n *onnxpb.NodeProto) { n.Output = append(n.Output, "further") }},
		{"an unnamed output more", func(n *onnxpb.NodeProto) { n.Output = append(n.Output, "") }},
		{"40 outputs more", func(n *onnxpb.NodeProto) {
			for i := range 40 {
				n.Output = append(n.Output, fmt.Sprint("further", i))
			}
		}},
		{"an absent input more", func(n *onnxpb.NodeProto) { n.Input = append(n.Input, "") }},
		{"another domain", func(n *onnxpb.NodeProto) { n.Domain = "ai.onnx.ml" }},
		{"an output is an input", func(n *onnxpb.NodeProto) { n.Output = append(n.Output, n.Input...) }},
	}
	for i := range n.Input {
		list = append(list,
			edit{fmt.Sprintf("input %d dropped", i), func(n *onnxpb.NodeProto) { n.Input[i] = "" }},
			edit{fmt.Sprintf("inputs from %d on dropped", i), func(n *onnxpb.NodeProto) { n.Input = n.Input[:i] }},
			edit{fmt.Sprintf("input %d removed", i), func(n *onnxpb.NodeProto) { n.Input = append(n.Input[:i], n.Input[i+1:]...) }},
			edit{fmt.Sprintf("input %d is input 0", i), func(n *onnxpb.NodeProto) { n.Input[i] = n.Input[0] }},
			edit{fmt.Sprintf("input %d again", i), func(n *onnxpb.NodeProto) { n.Input = append(n.Input, n.Input[i]) }},
			edit{fmt.Sprintf("input %d 70 times", i), func(n *onnxpb.NodeProto) {
				n.Input = append(n.Input, slices.Repeat(n.Input[i:i+1], 70)...)
			}})
	}
	for i := range n.Output {
		list = append(list,
			edit{fmt.Sprintf("output %d without a name", i), func(n *onnxpb.NodeProto) { n.Output[i] = "" }},
			edit{fmt.Sprintf("outputs from %d on dropped", i), func(n *onnxpb.NodeProto) { n.Output = n.Output[:i] }},
			edit{fmt.Sprintf("output %d twice", i), func(n *onnxpb.NodeProto) { n.Output = append(n.Output, n.Output[i]) }})
	}
	return list
}

// attributeEdits give each attribute that the operator declares other values, and take it away.
func attributeEdits(n *onnxpb.NodeProto, fn *onnxpb.FunctionProto) []edit {
	var list []edit
	for _, op := range builtin()[key{normal(n.GetDomain()), n.GetOpType()}] {
		if op.since > fn.OpsetImport[0].GetVersion() {
			continue
		}
		for _, d := range op.attrs {
			before := &onnxpb.AttributeProto{}
			for _, a := range n.Attribute {
				if a.GetName() == d.name {
					before = a
				}
			}
			for k, a := range otherAttributes(d, before) {
				list = append(list, edit{fmt.Sprintf("attribute %q, variant %d: %.200v", d.name, k, a), func(n *onnxpb.NodeProto) {
					n.Attribute = slices.DeleteFunc(n.Attribute, func(a *onnxpb.AttributeProto) bool { return a.GetName() == d.name })
					if a != nil {
						n.Attribute = append(n.Attribute, a)
					}
				}})
			}
		}
		break
	}
	return append(list,
		edit{"no attributes", func(n *onnxpb.NodeProto) { n.Attribute = nil }},
		edit{"attributes twice", func(n *onnxpb.NodeProto) { n.Attribute = append(n.Attribute, n.Attribute...) }},
		edit{"an attribute without anything", func(n *onnxpb.NodeProto) { n.Attribute = append(n.Attribute, &onnxpb.AttributeProto{}) }})
}

// otherAttributes are values for an attribute; the first is nil, for none.
func otherAttributes(d attribute, before *onnxpb.AttributeProto) []*onnxpb.AttributeProto {
	list := []*onnxpb.AttributeProto{
		nil, {}, {Type: d.kind}, {Type: aInt, I: 1}, {Type: aString, S: []byte("x")}, {Type: aGraph}, {Type: d.kind, RefAttrName: "nobody"},
	}
	switch d.kind {
	case aInt:
		for _, v := range []int64{math.MinInt64, -1 << 40, -3, -2, -1, 0, 1, 2, 3, 7, 27, 1 << 31, 1 << 40, 1 << 62, math.MaxInt64} {
			list = append(list, &onnxpb.AttributeProto{Type: aInt, I: v})
		}
	case aFloat:
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, 0.5, 1, 1e38, 1e-45} {
			list = append(list, &onnxpb.AttributeProto{Type: aFloat, F: float32(v)})
		}
	case aInts:
		list = append(list, otherLists(before.GetInts())...)
	case aString:
		for _, v := range []string{
			"", "x", "\xff\x00", string(before.GetS()) + "x", "...", "->", "i->", "ij->j", "i,i->ii", "ij,jk,kl->il", "...ij->...", strings.Repeat("a,", 500),
			"none", "add", "mul", "max", "min", "LEFT", "reflect", "wrap", "edge", "DCR", "tanh", "up", "down", "UPPER",
		} {
			list = append(list, &onnxpb.AttributeProto{Type: aString, S: []byte(v)})
		}
	case aFloats:
		list = append(list, &onnxpb.AttributeProto{Type: aFloats, Floats: []float32{1, float32(math.NaN())}})
	case aStrings:
		list = append(list, &onnxpb.AttributeProto{Type: aStrings, Strings: [][]byte{nil, []byte("b"), []byte("b")}})
	case aTensor:
		list = append(list, otherTensors()...)
	case aGraph:
		list = append(list, &onnxpb.AttributeProto{Type: aGraph, G: &onnxpb.GraphProto{}}, &onnxpb.AttributeProto{G: before.GetG()})
	case aType:
		list = append(list, &onnxpb.AttributeProto{Type: aType, Tp: &onnxpb.TypeProto{}})
	}
	for _, a := range list {
		if a != nil {
			a.Name = d.name
		}
	}
	return list
}

func otherLists(before []int64) []*onnxpb.AttributeProto {
	lists := [][]int64{{}, {math.MinInt64}, {math.MaxInt64}, {-1}, {0}, {1}, {0, 0}, {1, 0}, {0, 1, 2}, {-2, -1}, {1 << 40, 1 << 40}, make([]int64, 300)}
	for _, v := range []int64{math.MinInt64, -1, 0, 1, 1 << 40, math.MaxInt64} {
		for i := range before {
			l := slices.Clone(before)
			l[i] = v
			lists = append(lists, l)
		}
	}
	var list []*onnxpb.AttributeProto
	for _, l := range lists {
		list = append(list, &onnxpb.AttributeProto{Type: aInts, Ints: l})
	}
	return list
}

func otherTensors() []*onnxpb.AttributeProto {
	var list []*onnxpb.AttributeProto
	for _, t := range []*onnxpb.TensorProto{
		{},
		{DataType: 1, Dims: []int64{-1}},
		{DataType: 1, Dims: []int64{1 << 40}},
		{DataType: 7, Dims: []int64{0, 1 << 62}},
		{DataType: 1, DataLocation: onnxpb.TensorProto_EXTERNAL},
		{DataType: 99, Dims: []int64{1}},
		tensor.Of(nil, int64(math.MinInt64)).Proto(""), tensor.Of([]int64{2}, true, false).Proto(""), zeros(tensor.String, 1).Proto(""),
		zeros(tensor.Int4, 1).Proto(""), zeros(tensor.Complex128, 1).Proto(""), zeros(tensor.Float, 0).Proto(""),
	} {
		list = append(list, &onnxpb.AttributeProto{Type: aTensor, T: t})
	}
	return list
}
