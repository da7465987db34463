// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"fmt"

	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
)

// flow is a function as one list of operators: calls are inlined, attribute references are
// resolved, values have numbers instead of names, and their types are inferred.
type flow struct {
	functions functions
	types     []eval.ValueType
	steps     []step
	inputs    []int
	outputs   []int
}

// step is one operator.
type step struct {
	node    *onnxpb.NodeProto // operator and attributes; not its names
	opsets  []*onnxpb.OperatorSetIdProto
	in, out []int  // values; -1: not given
	what    string // for messages
}

// newFlow traces fn for inputs of the given types.
func newFlow(fn *onnxpb.FunctionProto, fs functions, inputs []eval.ValueType) (*flow, error) {
	f := &flow{functions: fs}
	for _, t := range inputs {
		f.inputs = append(f.inputs, f.value(t))
	}
	var err error
	f.outputs, err = f.function(fn, f.inputs, nil, "")
	return f, err
}

func (f *flow) value(t eval.ValueType) int {
	f.types = append(f.types, t)
	return len(f.types) - 1
}

// function traces a body. given are the attributes of the call.
func (f *flow) function(fn *onnxpb.FunctionProto, inputs []int, given []*onnxpb.AttributeProto, within string) ([]int, error) {
	names := map[string]int{"": -1}
	for i, name := range fn.GetInput() {
		names[name] = -1
		if i < len(inputs) {
			names[name] = inputs[i]
		}
	}
	attributes := map[string]*onnxpb.AttributeProto{}
	for _, a := range append(append([]*onnxpb.AttributeProto{}, fn.GetAttributeProto()...), given...) {
		attributes[a.GetName()] = a
	}
	for _, n := range fn.GetNode() {
		in := make([]int, len(n.GetInput()))
		for i, name := range n.GetInput() {
			in[i] = names[name]
		}
		s := step{
			node:   &onnxpb.NodeProto{OpType: n.GetOpType(), Domain: n.GetDomain(), Attribute: resolved(n.GetAttribute(), attributes)},
			opsets: fn.GetOpsetImport(), in: in, what: describe(n) + within,
		}
		out, err := f.node(n, &s)
		if err != nil {
			return nil, err
		}
		for i, name := range n.GetOutput() {
			if i < len(out) {
				names[name] = out[i]
			}
		}
		names[""] = -1
	}
	out := make([]int, len(fn.GetOutput()))
	for i, name := range fn.GetOutput() {
		out[i] = names[name]
	}
	return out, nil
}

// resolved replaces references to attributes of the running function; one that has no value is
// not given.
func resolved(list []*onnxpb.AttributeProto, have map[string]*onnxpb.AttributeProto) []*onnxpb.AttributeProto {
	var out []*onnxpb.AttributeProto
	for _, a := range list {
		if name := a.GetRefAttrName(); name != "" {
			value := have[name]
			if value == nil {
				continue
			}
			a = &onnxpb.AttributeProto{
				Name: a.GetName(), Type: value.GetType(), F: value.GetF(), I: value.GetI(), S: value.GetS(), T: value.GetT(),
				Floats: value.GetFloats(), Ints: value.GetInts(), Strings: value.GetStrings(), Tp: value.GetTp(),
			}
		}
		out = append(out, a)
	}
	return out
}

func (f *flow) node(n *onnxpb.NodeProto, s *step) ([]int, error) {
	if i, ok := f.functions.called(n); ok {
		return f.function(f.functions.list[i], s.in, s.node.Attribute, ", in function "+f.functions.name(i))
	}
	subgraph := false
	subgraphs(n, "", func(*onnxpb.GraphProto, string) { subgraph = true })
	if subgraph {
		return nil, fmt.Errorf("%s: runs a subgraph", s.what)
	}
	types, err := f.infer(n, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.what, err)
	}
	s.out = make([]int, len(types))
	for i, t := range types {
		s.out[i] = f.value(t)
	}
	f.steps = append(f.steps, *s)
	return s.out, nil
}

// infer gives the types of the outputs of one node.
func (f *flow) infer(n *onnxpb.NodeProto, s *step) ([]eval.ValueType, error) {
	fn := &onnxpb.FunctionProto{OpsetImport: s.opsets}
	node := &onnxpb.NodeProto{OpType: s.node.OpType, Domain: s.node.Domain, Attribute: s.node.Attribute}
	var in []eval.ValueType
	for i, v := range s.in {
		name := ""
		if v >= 0 {
			name = fmt.Sprintf("in %d", i)
			fn.Input = append(fn.Input, name)
			in = append(in, f.types[v])
		}
		node.Input = append(node.Input, name)
	}
	for i := range n.GetOutput() {
		node.Output = append(node.Output, fmt.Sprintf("out %d", i))
	}
	fn.Node, fn.Output = []*onnxpb.NodeProto{node}, node.Output
	p, err := eval.Compile(fn, eval.Env{})
	if err != nil {
		return nil, err
	}
	return p.Infer(in)
}
