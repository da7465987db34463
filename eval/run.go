// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// Run executes the program. inputs are positional; nil, or a shorter list, leaves an optional input or one with
// an initializer out. ctx bounds the time. The inputs are not changed; outputs may share memory with them.
// Exceeding a limit gives an error that wraps [ErrLimit].
func (p *Program) Run(ctx context.Context, inputs []Value) ([]Value, error) {
	if err := p.foresee(inputs); err != nil {
		return nil, err
	}
	return p.run(newMeter(ctx, p.limits), inputs)
}

// RunWithin is Run for one of several runs that share the limit of elements: left is what is left of it for this run and
// those that follow.
func (p *Program) RunWithin(ctx context.Context, left *int64, inputs []Value) ([]Value, error) {
	if err := p.foresee(inputs); err != nil {
		return nil, err
	}
	m := newMeter(ctx, p.limits)
	m.left.Elements = min(*left, m.left.Elements)
	out, err := p.run(m, inputs)
	*left = m.left.Elements
	return out, err
}

// foresee infers the types first, so that a program whose shapes alone exceed the limits does not begin. Other faults
// are left to the run: a branch that is never taken has none.
func (p *Program) foresee(inputs []Value) error {
	if len(inputs) > len(p.main.inputs) || p.main.single() {
		return nil
	}
	types, signature := make([]ValueType, len(inputs)), []byte(nil)
	for i, v := range inputs {
		types[i] = TypeOf(v)
		types[i] = types[i].valueless()
		signature = append(append(signature, types[i].String()...), ' ')
	}
	if seen := p.fits.Load(); seen != nil && *seen == string(signature) {
		return nil
	}
	m := newMeter(context.Background(), p.limits)
	m.strict = true
	if _, err := p.infer(m, types); errors.Is(err, ErrLimit) {
		return err
	}
	seen := string(signature)
	p.fits.Store(&seen)
	return nil
}

// single reports whether a graph is one operator, which reserves its outputs before it begins.
func (g *graph) single() bool {
	return len(g.nodes) == 1 && g.nodes[0].op != nil && !g.nodes[0].op.control
}

func (p *Program) run(m *meter, inputs []Value) ([]Value, error) {
	if len(inputs) > len(p.main.inputs) {
		return nil, fmt.Errorf("%d inputs given, there are %d", len(inputs), len(p.main.inputs))
	}
	return p.main.run(m, p.attr, inputs, nil)
}

// frame is one execution of a graph.
type frame struct {
	g      *graph
	m      *meter
	env    *attributes // attributes of the function that is running
	values []Value
	sizes  []int64 // bytes counted for each slot
}

// run executes g once. outer holds the values of the enclosing graph's slots.
func (g *graph) run(m *meter, env *attributes, inputs []Value, outer *frame) ([]Value, error) {
	if err := m.enter(); err != nil {
		return nil, err
	}
	defer m.leave()
	f := &frame{g: g, m: m, env: env, values: make([]Value, g.slots), sizes: make([]int64, g.slots)}
	defer f.releaseAll()
	for _, c := range g.consts {
		f.values[c.slot] = c.value
	}
	for i, v := range inputs {
		if v != nil {
			f.values[g.inputs[i]] = v
		}
	}
	for _, c := range g.captures {
		f.values[c.inner] = outer.values[c.outer]
	}
	for _, n := range g.nodes {
		if n.unused {
			continue
		}
		if err := f.node(n); err != nil {
			return nil, within(n.label, err)
		}
	}
	out := make([]Value, len(g.outputs))
	for i, slot := range g.outputs {
		out[i] = f.values[slot]
	}
	return out, nil
}

func (f *frame) releaseAll() {
	for _, size := range f.sizes {
		f.m.left.Bytes += size
	}
}

// node executes one node and releases what nobody reads any more.
func (f *frame) node(n *node) error {
	if err := f.m.node(); err != nil {
		return err
	}
	attr, err := n.bind(f.env)
	if err != nil {
		return err
	}
	values := make([]Value, len(n.in))
	for i, slot := range n.in {
		if slot >= 0 {
			values[i] = f.values[slot]
		}
	}
	var results []Value
	if n.fn != nil {
		results, err = n.fn.run(f.m, attr, values)
	} else {
		results, err = f.operator(n, attr, values)
	}
	if err != nil {
		return err
	}
	return f.store(n, results)
}

func (f *frame) store(n *node, results []Value) error {
	for i, slot := range n.out {
		if slot < 0 || i >= len(results) {
			continue
		}
		size := valueSize(results[i])
		if err := f.m.take(size); err != nil {
			return err
		}
		f.values[slot], f.sizes[slot] = results[i], size
	}
	for _, slot := range n.release {
		f.m.left.Bytes += f.sizes[slot]
		f.values[slot], f.sizes[slot] = nil, 0
	}
	return nil
}

// run calls a model function.
func (fn *function) run(m *meter, given *attributes, values []Value) ([]Value, error) {
	return fn.body.run(m, given, values, nil)
}

// bind returns a node's attributes with references replaced by the running function's attributes.
// For a call, the function's defaults fill in what the node does not give.
func (n *node) bind(env *attributes) (*attributes, error) {
	if len(n.refs) == 0 && n.fn == nil {
		return n.attr, nil
	}
	a := newAttributes()
	for name, p := range n.attr.protos {
		a.protos[name] = p
	}
	for name, t := range n.attr.tensors {
		a.tensors[name] = t
	}
	for name, g := range n.attr.graphs {
		a.graphs[name] = g
	}
	for _, ref := range n.refs {
		if err := n.bindRef(a, ref, env); err != nil {
			return nil, err
		}
	}
	if n.fn != nil {
		for name, p := range n.fn.defaults.protos {
			if !a.has(name) {
				a.protos[name], a.tensors[name] = p, n.fn.defaults.tensors[name]
			}
		}
		return a, nil
	}
	return a, n.op.complete(a)
}

func (n *node) bindRef(a *attributes, ref *onnxpb.AttributeProto, env *attributes) error {
	p := env.protos[ref.GetRefAttrName()]
	if p == nil {
		return nil
	}
	if n.op != nil {
		for i := range n.op.attrs {
			if n.op.attrs[i].name != ref.GetName() {
				continue
			}
			if err := checkKind(p, n.op.attrs[i].kind); err != nil {
				return err
			}
		}
	}
	a.protos[ref.GetName()] = p
	if t := env.tensors[ref.GetRefAttrName()]; t != nil {
		a.tensors[ref.GetName()] = t
	}
	return nil
}

// operator runs an operator of the table.
func (f *frame) operator(n *node, attr *attributes, values []Value) ([]Value, error) {
	in := make([]ValueType, len(values))
	for i, v := range values {
		in[i] = TypeOf(v)
		if err := f.m.elements(length(v)); err != nil {
			return nil, err
		}
	}
	t, err := n.typing(attr, in)
	if err != nil {
		return nil, err
	}
	if !n.op.control {
		if err := n.op.infer(t); err != nil {
			return nil, err
		}
	}
	c := &call{typing: *t, values: values, results: make([]Value, len(n.out)), meter: f.m}
	c.subgraph = func(g *graph, inputs []ValueType) ([]ValueType, error) {
		return g.infer(f.m, f.env, inputs, f.types())
	}
	c.run = func(g *graph, inputs []Value) ([]Value, error) { return g.run(f.m, f.env, inputs, f) }
	return c.results, c.execute()
}

// length returns the elements of a tensor or a sequence.
func length(v Value) int64 {
	switch v := v.(type) {
	case *tensor.Tensor:
		return v.Len()
	case *Sequence:
		return int64(len(v.Values))
	}
	return 1
}

// execute reserves the outputs, runs the kernel and checks that it kept what infer promised.
func (c *call) execute() error {
	for i := range c.out {
		if c.out[i].Static() {
			if err := c.reserve(c.out[i].Element, c.out[i].Dims); err != nil {
				return err
			}
		}
	}
	if err := c.op.run(c); err != nil {
		return err
	}
	for i := range c.out {
		if err := c.kept(i); err != nil {
			return err
		}
	}
	return nil
}

// kept guards the table: a kernel's result is what its infer function said.
func (c *call) kept(i int) error {
	if !c.wanted(i) {
		return nil
	}
	want := c.out[i]
	switch got := TypeOf(c.results[i]); {
	case got.Kind == KindAbsent:
		return fmt.Errorf("internal: output %d was not computed", i)
	case want.Static() && (got.Element != want.Element || !slices.Equal(got.Dims, want.Dims)):
		return fmt.Errorf("internal: output %d is %v, inferred %v", i, got, want)
	}
	return nil
}

// types describes the values of a running frame, to infer a subgraph that does not run.
func (f *frame) types() *inference {
	t := &inference{m: f.m, env: f.env, types: make([]ValueType, len(f.values))}
	for i, v := range f.values {
		t.types[i] = TypeOf(v)
	}
	return t
}
