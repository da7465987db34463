// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"fmt"

	"github.com/structview/structview/onnxpb"
)

// Traced is a value of a program under inference. Values with the same ID are the same value.
type Traced struct {
	ID   int
	Type ValueType // Known where the value itself is known
}

// Step is one operator of a program, calls of model functions inlined.
type Step struct {
	Path       string // where: the labels of the calls and of the node
	Node       *onnxpb.NodeProto
	Domain, Op string
	Since      int64    // version of the schema
	Inputs     []Traced // an ID of -1 where an input is not given
	Outputs    []Traced // an ID of -1 where nobody reads an output
	Captured   []Traced // what the subgraphs of a control operator read from outside; they are not entered
	attr       *attributes
}

// Attribute returns an attribute with references resolved and the schema's default filled in, nil
// if there is none.
func (s *Step) Attribute(name string) *onnxpb.AttributeProto { return s.attr.protos[name] }

// Trace infers as [Program.Infer] does and calls visit for each operator in order of execution. The inputs
// have the IDs 0, 1, …; initializers have IDs that no step puts out. It returns the outputs.
func (p *Program) Trace(inputs []ValueType, visit func(Step) error) ([]Traced, error) {
	if len(inputs) > len(p.main.inputs) {
		return nil, fmt.Errorf("%d inputs given, there are %d", len(inputs), len(p.main.inputs))
	}
	all := append([]ValueType{}, p.main.declared...)
	copy(all, inputs)
	in := make([]Traced, len(all))
	t := &tracer{visit: visit}
	for i := range all {
		in[i] = Traced{t.next(), all[i]}
	}
	f := &inference{m: newMeter(context.Background(), p.limits), env: p.attr, tracer: t}
	return p.main.trace(f, in)
}

// tracer hands out IDs and reports steps.
type tracer struct {
	visit func(Step) error
	last  int
	path  string
}

func (t *tracer) next() int {
	t.last++
	return t.last - 1
}

// trace infers g with the IDs of its inputs.
func (g *graph) trace(f *inference, inputs []Traced) ([]Traced, error) {
	f.ids = make([]int, g.slots)
	types := make([]ValueType, len(inputs))
	for i, in := range inputs {
		types[i] = in.Type
		f.ids[g.inputs[i]] = in.ID
	}
	for _, c := range g.consts {
		f.ids[c.slot] = f.tracer.next()
	}
	out, err := g.inferIn(f, types, nil)
	if err != nil {
		return nil, err
	}
	list := make([]Traced, len(out))
	for i, slot := range g.outputs {
		list[i] = Traced{f.ids[slot], out[i]}
	}
	return list, nil
}

// traced describes slots, -1 for those not given.
func (f *inference) traced(slots []int) []Traced {
	list := make([]Traced, len(slots))
	for i, slot := range slots {
		list[i] = Traced{-1, ValueType{Kind: KindAbsent}}
		if slot >= 0 {
			list[i] = Traced{f.ids[slot], f.types[slot]}
		}
	}
	return list
}

// call traces a model function.
func (f *inference) call(n *node, attr *attributes, in []ValueType) ([]ValueType, error) {
	if f.tracer == nil {
		return n.fn.body.infer(f.m, attr, in, nil)
	}
	inner := &inference{m: f.m, env: attr, tracer: f.tracer}
	path := f.tracer.path
	f.tracer.path += n.label + ": "
	defer func() { f.tracer.path = path }()
	out, err := n.fn.body.trace(inner, f.traced(n.in))
	types := make([]ValueType, len(out))
	for i, o := range out {
		types[i] = o.Type
		if i < len(n.out) && n.out[i] >= 0 {
			f.ids[n.out[i]] = o.ID
		}
	}
	return types, err
}

// report tells the visitor about an operator whose outputs are inferred.
func (f *inference) report(n *node, attr *attributes) error {
	if f.tracer == nil || n.fn != nil {
		return nil
	}
	for _, slot := range n.out {
		if slot >= 0 {
			f.ids[slot] = f.tracer.next()
		}
	}
	return f.tracer.visit(Step{
		Path: f.tracer.path + n.label, Node: n.proto, Domain: n.op.domain, Op: n.op.name, Since: n.op.since,
		Inputs: f.traced(n.in), Outputs: f.traced(n.out), Captured: f.traced(n.captured), attr: attr,
	})
}
