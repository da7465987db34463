// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// value is a value of the function in the making, with what eval computes for it.
type value struct {
	name  string
	t     *tensor.Tensor
	exact bool // it may be the input of further nodes
}

// result is an output of the function: every output of every node is one.
type result struct {
	cell  cell
	node  *onnxpb.NodeProto
	t     *tensor.Tensor
	bound bound
}

// generator makes one function, node by node. Each node runs at once, so that the next ones can be
// fitted to its values.
type generator struct {
	*rand.Rand
	opset   int64
	cell    cell // the one that is being used
	nodes   []*onnxpb.NodeProto
	inputs  []value
	values  []value
	results []result
	used    map[string]bool // values that a node reads
}

// shape is a random shape of rank lo to hi; dimensions of 0 are rare.
func (g *generator) shape(lo, hi int) []int64 {
	dims := make([]int64, lo+g.IntN(hi-lo+1))
	for i := range dims {
		dims[i] = int64(1 + g.IntN(4))
		if g.IntN(24) == 0 {
			dims[i] = 0
		}
	}
	return dims
}

// fresh is a further input of the function.
func (g *generator) fresh(typ tensor.Type, dims []int64, n numbers) value {
	return g.input(random(g.Rand, typ, dims, n))
}

func (g *generator) input(t *tensor.Tensor) value {
	v := value{fmt.Sprintf("x%d", len(g.inputs)), t, true}
	g.inputs = append(g.inputs, v)
	g.values = append(g.values, v)
	return v
}

// ints is an INT64 vector as a further input.
func (g *generator) ints(v ...int64) value {
	return g.input(tensor.Of([]int64{int64(len(v))}, v...))
}

func (g *generator) scalar(v int64) value { return g.input(tensor.Of(nil, v)) }

// take is a value that is there and fits, mostly, or a fresh one.
func (g *generator) take(typ tensor.Type, lo, hi int, n numbers) value {
	return g.takeIf(typ, n, func(t *tensor.Tensor) bool {
		return t.Rank() >= lo && t.Rank() <= hi
	}, func() []int64 { return g.shape(lo, hi) })
}

// like is a value of exactly these dimensions.
func (g *generator) like(typ tensor.Type, dims []int64, n numbers) value {
	return g.takeIf(typ, n, func(t *tensor.Tensor) bool { return slices.Equal(t.Dims(), dims) },
		func() []int64 { return dims })
}

func (g *generator) takeIf(typ tensor.Type, n numbers, fits func(*tensor.Tensor) bool, dims func() []int64) value {
	if g.IntN(5) > 0 {
		from := g.IntN(len(g.values) + 1)
		for i := range g.values {
			v := g.values[(from+i)%len(g.values)]
			if v.exact && v.t.Type() == typ && v.t.Len() < 200 && fits(v.t) && n.fit(v.t) {
				return v
			}
		}
	}
	return g.fresh(typ, dims(), n)
}

// partner is a value that broadcasts with dims.
func (g *generator) partner(typ tensor.Type, dims []int64, n numbers) value {
	other := slices.Clone(dims[g.IntN(len(dims)+1):])
	if g.IntN(2) == 0 {
		other = slices.Clone(dims)
	}
	for i := range other {
		if g.IntN(4) == 0 {
			other[i] = 1
		}
	}
	if len(dims) < 4 && g.IntN(6) == 0 && len(other) == len(dims) {
		other = append([]int64{int64(1 + g.IntN(3))}, other...)
	}
	return g.like(typ, other, n)
}

func names(in []value) []string {
	var list []string
	for _, v := range in {
		list = append(list, v.name)
	}
	return list
}

// one is emit for nodes with one output.
func (g *generator) one(b bound, in []value, attrs ...*onnxpb.AttributeProto) error {
	return g.emit(1, b, in, nil, attrs...)
}

// emit adds a node of the current cell's operator. captured are the values that its subgraphs read.
func (g *generator) emit(outputs int, b bound, in, captured []value, attrs ...*onnxpb.AttributeProto) error {
	n := &onnxpb.NodeProto{OpType: g.cell.operator(), Input: names(in), Attribute: attrs}
	for range outputs {
		n.Output = append(n.Output, fmt.Sprintf("y%d", len(g.results)+len(n.Output)))
	}
	out, err := runNode(n, g.opset, append(slices.Clone(in), captured...))
	if err != nil {
		return err
	}
	g.nodes = append(g.nodes, n)
	for _, v := range append(slices.Clone(in), captured...) {
		g.used[v.name] = true
	}
	for i, t := range out {
		exact := b.exact() && !(t.Type() == tensor.Float16 && rounds(n.OpType))
		g.values = append(g.values, value{n.Output[i], t, exact})
		g.results = append(g.results, result{g.cell, n, t, b})
	}
	return nil
}

// rounds tells the operators whose FLOAT16 results no further node may read: the peer computes in FLOAT and sometimes hands
// the value on as it was before it was rounded.
func rounds(op string) bool {
	return slices.Contains([]string{"Add", "Sub", "Mul", "Div", "Mod", "Sqrt", "Cast", "DequantizeLinear"}, op)
}

// runNode runs one node in eval. Values without a name are inputs that are not given.
func runNode(n *onnxpb.NodeProto, opset int64, in []value) ([]*tensor.Tensor, error) {
	f := &onnxpb.FunctionProto{
		Name: "f", Output: n.Output, Node: []*onnxpb.NodeProto{n},
		OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: opset}},
	}
	var inputs []*tensor.Tensor
	for _, v := range in {
		if v.name != "" && !slices.Contains(f.Input, v.name) {
			f.Input = append(f.Input, v.name)
			inputs = append(inputs, v.t)
		}
	}
	return runFunction(f, inputs)
}

func runFunction(f *onnxpb.FunctionProto, inputs []*tensor.Tensor) ([]*tensor.Tensor, error) {
	p, err := eval.Compile(f, eval.Env{})
	if err != nil {
		return nil, err
	}
	in := make([]eval.Value, len(inputs))
	types := make([]eval.ValueType, len(inputs))
	for i, t := range inputs {
		in[i] = t
		types[i] = eval.TensorType(t.Type(), t.Dims()...)
	}
	if _, err := p.Infer(types); err != nil {
		return nil, err
	}
	values, err := p.Run(context.Background(), in)
	if err != nil {
		return nil, err
	}
	out := make([]*tensor.Tensor, len(values))
	for i, v := range values {
		out[i] = v.(*tensor.Tensor)
	}
	return out, nil
}

// function is what was made.
func (g *generator) function() Function {
	f := Function{Proto: &onnxpb.FunctionProto{
		Name: "f", Node: g.nodes,
		OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: g.opset}},
	}}
	for _, v := range g.inputs {
		if g.used[v.name] { // the peer gives the others a type that excludes some
			f.Proto.Input = append(f.Proto.Input, v.name)
			f.Inputs = append(f.Inputs, v.t)
		}
	}
	for _, n := range g.nodes {
		f.Proto.Output = append(f.Proto.Output, n.Output...)
	}
	for _, r := range g.results {
		f.Outputs = append(f.Outputs, r.t.Type())
	}
	return f
}

func intAttr(name string, v int64) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_INT, I: v}
}

func intsAttr(name string, v ...int64) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_INTS, Ints: v}
}

func floatAttr(name string, v float32) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_FLOAT, F: v}
}

func stringAttr(name, v string) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_STRING, S: []byte(v)}
}

func tensorAttr(name string, t *tensor.Tensor) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_TENSOR, T: t.Proto("")}
}

func graphAttr(name string, g *onnxpb.GraphProto) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_GRAPH, G: g}
}
