// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"fmt"

	"github.com/structview/structview/tensor"
)

// mostDims is the highest rank of an input: operators may take the square of a rank's time without being counted for it.
const mostDims = 1 << 10

// foldElements is the size up to which known values are followed statically.
const foldElements = 4096

// Infer returns the types of the outputs for inputs of the given types: element types, dimensions as far as
// they are known, and values where shape arithmetic makes them known. Types or shapes that do not fit
// are errors that name the node. A program of CompileModel may leave inputs out: what the graph declares counts then.
func (p *Program) Infer(inputs []ValueType) ([]ValueType, error) {
	return p.infer(newMeter(context.Background(), p.limits), inputs)
}

func (p *Program) infer(m *meter, inputs []ValueType) ([]ValueType, error) {
	if len(inputs) > len(p.main.inputs) {
		return nil, fmt.Errorf("%d inputs given, there are %d", len(inputs), len(p.main.inputs))
	}
	all := append([]ValueType{}, p.main.declared...)
	copy(all, inputs)
	return p.main.infer(m, p.attr, all, nil)
}

// inference is one pass over a graph.
type inference struct {
	m      *meter
	env    *attributes
	types  []ValueType
	tracer *tracer // nil unless steps are reported
	ids    []int   // of the slots, for the tracer
}

func (g *graph) infer(m *meter, env *attributes, inputs []ValueType, outer *inference) ([]ValueType, error) {
	return g.inferIn(&inference{m: m, env: env}, inputs, outer)
}

func (g *graph) inferIn(f *inference, inputs []ValueType, outer *inference) ([]ValueType, error) {
	if err := f.m.enter(); err != nil {
		return nil, err
	}
	defer f.m.leave()
	f.types = make([]ValueType, g.slots)
	for i, t := range inputs {
		f.types[g.inputs[i]] = t
	}
	for i := len(inputs); i < len(g.inputs); i++ {
		f.types[g.inputs[i]] = ValueType{Kind: KindAbsent}
	}
	for _, c := range g.consts {
		f.types[c.slot] = c.typ
		if k := c.slot; k < len(g.inputs) { // a default, which a run may replace
			f.types[c.slot] = f.types[c.slot].valueless()
			if k < len(inputs) && inputs[k].Kind != KindUnknown && inputs[k].Kind != KindAbsent {
				f.types[c.slot] = inputs[k]
			}
		}
	}
	for _, c := range g.captures {
		f.types[c.inner] = outer.types[c.outer]
	}
	for _, n := range g.nodes {
		if err := f.node(n); err != nil {
			return nil, within(n.label, err)
		}
	}
	out := make([]ValueType, len(g.outputs))
	for i, slot := range g.outputs {
		out[i] = f.types[slot]
	}
	return out, nil
}

func (f *inference) node(n *node) error {
	if err := f.m.node(); err != nil {
		return err
	}
	attr, err := n.bind(f.env)
	if err != nil {
		return err
	}
	in := make([]ValueType, len(n.in))
	for i, slot := range n.in {
		in[i].Kind = KindAbsent
		if slot >= 0 {
			in[i] = f.types[slot]
		}
	}
	out, err := f.outputs(n, attr, in)
	if err != nil {
		return err
	}
	for i, slot := range n.out {
		if slot >= 0 && i < len(out) {
			f.types[slot] = out[i]
		}
	}
	return f.report(n, attr)
}

func (f *inference) outputs(n *node, attr *attributes, in []ValueType) ([]ValueType, error) {
	if n.fn != nil {
		return f.call(n, attr, in)
	}
	t, err := n.typing(attr, in)
	if err != nil {
		return nil, err
	}
	t.subgraph = func(g *graph, inputs []ValueType) ([]ValueType, error) {
		if len(inputs) != len(g.inputs) {
			return nil, fmt.Errorf("the subgraph %q has %d inputs, expected %d", g.name, len(g.inputs), len(inputs))
		}
		return g.infer(f.m, f.env, inputs, f)
	}
	if err := n.op.infer(t); err != nil {
		return nil, err
	}
	if err := f.impossible(t); err != nil {
		return nil, err
	}
	return t.out, f.fold(t)
}

// impossible refuses outputs of 2^63 elements and more and, if the meter is strict, those that its limits would never
// let pass.
func (f *inference) impossible(t *typing) error {
	for i := range t.out {
		if !t.out[i].Static() {
			continue
		}
		n, err := product(t.out[i].Dims)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrLimit, err)
		}
		if !f.m.strict {
			continue
		}
		size, err := sizeOf(t.out[i].Element, n)
		if err != nil {
			return err
		}
		if size > f.m.limits.Bytes || n > f.m.limits.Elements {
			return fmt.Errorf("%w: output %d would be %v", ErrLimit, i, t.out[i])
		}
	}
	return nil
}

// fold runs an operator whose inputs are all known, and small, so that values that shapes depend
// on are known too.
func (f *inference) fold(t *typing) error {
	if t.op.control || !foldable(t) {
		return nil
	}
	values := make([]Value, len(t.in))
	for i := range t.in {
		if t.in[i].Known != nil {
			values[i] = t.in[i].Known
		}
	}
	c := &call{typing: *t, values: values, results: make([]Value, len(t.out)), meter: newMeter(f.m.ctx, Limits{
		Elements: 1 << 20, Bytes: 1 << 24, Nodes: 1,
	})}
	switch err := c.execute(); {
	case errors.Is(err, ErrLimit):
		return nil
	case err != nil:
		return err
	}
	for i, v := range c.results {
		if v, ok := v.(*tensor.Tensor); ok && v.Len() <= foldElements {
			t.out[i] = TypeOf(v)
		}
	}
	return nil
}

// foldable reports whether every input is known and small, and every output a tensor that is not
// known yet and may be small.
func foldable(t *typing) bool {
	for i := range t.in {
		if t.given(i) && (t.in[i].Known == nil || t.in[i].Known.Len() > foldElements) {
			return false
		}
	}
	open := false
	for i := range t.out {
		if !t.wanted(i) {
			continue
		}
		n, err := product(t.out[i].Dims)
		if t.out[i].Kind != KindTensor || err != nil || n > foldElements {
			return false
		}
		open = open || t.out[i].Known == nil
	}
	return open
}

// typing checks the inputs against the operator's schema and fills in the outputs as far as the type
// variables tell them.
func (n *node) typing(attr *attributes, in []ValueType) (*typing, error) {
	t := &typing{op: n.op, attr: attr, in: in, out: make([]ValueType, len(n.out))}
	bound := map[string]ValueType{}
	for i := range in {
		p := n.op.in[min(i, len(n.op.in)-1)]
		if len(in[i].Dims) > mostDims {
			return nil, fmt.Errorf("input %d (%s): %w: %d dimensions (%d at most)", i, p.name, ErrLimit, len(in[i].Dims), mostDims)
		}
		if err := bindType(n.op, bound, p, in[i]); err != nil {
			return nil, fmt.Errorf("input %d (%s): %w", i, p.name, err)
		}
	}
	// An output without a name is computed like the others: kernels rely on its type.
	for i := range n.out {
		p := n.op.out[min(i, len(n.op.out)-1)]
		t.out[i] = n.op.outType(bound, p)
	}
	return t, nil
}

func bindType(op *operator, bound map[string]ValueType, p param, v ValueType) error {
	if v.Kind == KindAbsent {
		if p.optional {
			return nil
		}
		return errors.New("is required")
	}
	allowed := op.vars[p.typ]
	if v.Kind == KindUnknown {
		return nil
	}
	if !allowed.allows(v) {
		return fmt.Errorf("%v is not allowed, expected one of %v", v, allowed)
	}
	if p.mixed || v.Kind == KindTensor && v.Element == tensor.Undefined {
		return nil
	}
	b, ok := bound[p.typ]
	if ok && (b.Kind != v.Kind || b.Element != v.Element) {
		return fmt.Errorf("%v, but an earlier input is %v: both must be of one type", elementOf(v), elementOf(b))
	}
	v = v.valueless()
	v.Ranked, v.Dims = false, nil
	bound[p.typ] = v
	return nil
}

func elementOf(v ValueType) string {
	if v.Kind == KindTensor {
		return elementText(v.Element)
	}
	return v.String()
}

func (op *operator) outType(bound map[string]ValueType, p param) ValueType {
	if b, ok := bound[p.typ]; ok && !p.mixed {
		return b
	}
	allowed := op.vars[p.typ]
	if allowed&(tSequence|tOptional|tOpaque) != 0 {
		return ValueType{}
	}
	return ValueType{Kind: KindTensor, Element: allowed.single()}
}
