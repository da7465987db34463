// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

func (c *compiler) initializer(t *onnxpb.TensorProto) (*tensor.Tensor, error) {
	if c.env.Tensor != nil {
		return c.env.Tensor(t)
	}
	return tensor.FromProto(t)
}

func newAttributes() *attributes {
	return &attributes{
		protos:  map[string]*onnxpb.AttributeProto{},
		tensors: map[string]*tensor.Tensor{},
		graphs:  map[string]*graph{},
	}
}

// nodes resolves a list of nodes, which must be in topological order.
func (s *scope) nodes(list []*onnxpb.NodeProto) error {
	for i, p := range list {
		n, err := s.node(p, label(i, p))
		if err != nil {
			return err
		}
		s.g.nodes = append(s.g.nodes, n)
	}
	return nil
}

// label names a node in messages. Few nodes have names of their own; their outputs have, and lead to the line.
func label(i int, p *onnxpb.NodeProto) string {
	const longest = 100
	op := opText(key{normal(p.GetDomain()), p.GetOpType()})
	if p.GetName() != "" {
		return fmt.Sprintf("node %d %q (%s)", i, p.GetName(), op)
	}
	gives := ""
	for _, name := range p.GetOutput() {
		if name != "" && len(name) <= longest {
			gives = ", which gives " + strconv.Quote(name)
			break
		}
	}
	return "node " + strconv.Itoa(i) + " (" + op + gives + ")"
}

func (s *scope) node(p *onnxpb.NodeProto, label string) (*node, error) {
	n := &node{proto: p, label: label, attr: &attributes{}}
	if err := s.target(n, p); err != nil {
		return nil, err
	}
	if err := s.wire(n, p); err != nil {
		return nil, fmt.Errorf("%s: %w", label, err)
	}
	if err := s.attributes(n, p); err != nil {
		return nil, within(label, err)
	}
	for _, name := range p.GetOutput() {
		slot := -1
		if name != "" {
			var err error
			if slot, err = s.define(name); err != nil {
				return nil, fmt.Errorf("%s: %w", label, err)
			}
		}
		n.out = append(n.out, slot)
	}
	return n, nil
}

// target finds the model function or operator that a node names.
func (s *scope) target(n *node, p *onnxpb.NodeProto) error {
	k := key{normal(p.GetDomain()), p.GetOpType()}
	version, imported := s.opsets[k.domain]
	if !imported {
		return fmt.Errorf("%s: domain %s is not imported", n.label, domainText(k.domain))
	}
	fk := functionKey{k.domain, k.name, p.GetOverload()}
	if f := s.c.protos[fk]; f != nil {
		fn, err := s.c.called(fk, f, n.label, s.depth)
		n.fn = fn
		return err
	}
	if n.op = s.c.added.find(k, version); n.op != nil {
		return nil
	}
	if err := s.c.known(k, version, n.label); err != nil {
		return err
	}
	n.op = s.c.table.find(k, version)
	return s.sameVersion(n.op, version, n.label)
}

// known refuses operators that the table lacks at this version: as unsupported if ONNX has them.
func (c *compiler) known(k key, version int64, label string) error {
	newest, domainKnown := newestOpset(k.domain)
	op := c.table.find(k, version)
	if op != nil && op.run != nil && version >= 1 && (!domainKnown || version <= newest) {
		return nil
	}
	unsupported := &UnsupportedError{Domain: k.domain, Op: k.name, Version: version, Node: label}
	switch {
	case version < 1:
		return fmt.Errorf("%s: opset %s has no version %d", label, domainText(k.domain), version)
	case domainKnown && version > newest:
		unsupported.Reason = fmt.Sprintf("is newer than opset %d, the newest known here", newest)
		return unsupported
	case op != nil: // removed at this version
		return fmt.Errorf("%s: operator %s is not in opset %s %d", label, opText(k), domainText(k.domain), version)
	case random(k):
		return fmt.Errorf("%s: random operators are not allowed", label)
	case !domainKnown:
		return unsupported
	}
	return c.lacking(k, version, unsupported)
}

// lacking tells operators of ONNX that are not implemented from those that do not exist. The table has every version
// that an import of 13 or more resolves to.
func (c *compiler) lacking(k key, version int64, unsupported *UnsupportedError) error {
	first := int64(0)
	if list := c.table[k]; list != nil {
		first = list[len(list)-1].since
	} else if list := lackingVersions()[k.name]; list != nil {
		first = list[0]
	}
	switch {
	case first == 0:
		return fmt.Errorf("%s: unknown operator %s of opset %s %d", unsupported.Node, opText(k), domainText(k.domain), version)
	case first <= version:
		return unsupported
	case version < 13 && c.table[k] != nil:
		unsupported.Reason = fmt.Sprintf("is implemented from version %d on", first)
		return unsupported
	}
	return fmt.Errorf("%s: operator %s is not in opset %s %d: it begins with version %d",
		unsupported.Node, opText(k), domainText(k.domain), version, first)
}

// sameVersion checks that the model's imports resolve to the same entry (SV054). A domain that the model does
// not import is no fault.
func (s *scope) sameVersion(op *operator, version int64, label string) error {
	if len(s.c.env.Opsets) == 0 {
		return nil
	}
	model := s.c.imports[op.domain]
	if model != 0 && s.c.table.find(key{op.domain, op.name}, model) != op {
		return &OpsetError{Domain: op.domain, Op: op.name, Function: version, Model: model, Node: label}
	}
	return nil
}

// wire resolves a node's inputs and checks the numbers of inputs and outputs.
func (s *scope) wire(n *node, p *onnxpb.NodeProto) error {
	for i, name := range p.GetInput() {
		slot := -1
		if name != "" {
			var ok bool
			if slot, ok = s.lookup(name); !ok {
				return fmt.Errorf("input %d, %q, is not defined before the node", i, name)
			}
		}
		n.in = append(n.in, slot)
	}
	if n.fn != nil {
		return checkCall(n.fn, len(p.GetInput()), len(p.GetOutput()))
	}
	if err := checkCount("input", n.op.in, n.in); err != nil {
		return err
	}
	outputs := make([]int, len(p.GetOutput()))
	return checkCount("output", n.op.out, outputs)
}

func checkCall(fn *function, in, out int) error {
	if in > len(fn.body.inputs) {
		return fmt.Errorf("%d inputs, the function has %d", in, len(fn.body.inputs))
	}
	if out > len(fn.body.outputs) {
		return fmt.Errorf("%d outputs, the function has %d", out, len(fn.body.outputs))
	}
	return nil
}

// checkCount checks a number of inputs or outputs, and that those which are required are given.
func checkCount(what string, declared []param, given []int) error {
	variadic := len(declared) > 0 && declared[len(declared)-1].variadic
	if len(given) > len(declared) && !variadic {
		return fmt.Errorf("%d %ss, the operator has %d", len(given), what, len(declared))
	}
	for i, p := range declared {
		if p.optional || what == "output" && i > 0 {
			continue
		}
		if i >= len(given) || given[i] < 0 {
			return fmt.Errorf("%s %d (%s) is missing", what, i, p.name)
		}
	}
	return nil
}

// attributes resolves a node's attributes: subgraphs, references to the function's attributes, defaults.
func (s *scope) attributes(n *node, p *onnxpb.NodeProto) error {
	for _, a := range p.GetAttribute() {
		if n.attr.has(a.GetName()) {
			return fmt.Errorf("attribute %q is given twice", a.GetName())
		}
		if err := n.checkAttribute(a); err != nil {
			return err
		}
		if a.GetRefAttrName() != "" {
			if a.GetType() == aGraph {
				return fmt.Errorf("attribute %q: a graph cannot be a reference", a.GetName())
			}
			n.refs = append(n.refs, a)
			continue
		}
		if err := n.attr.set(a, a.GetName()); err != nil {
			return err
		}
		if a.GetG() != nil {
			g, err := s.subgraph(n, a)
			if err != nil {
				return err
			}
			if n.attr.graphs == nil {
				n.attr.graphs = map[string]*graph{}
			}
			n.attr.graphs[a.GetName()] = g
		}
	}
	if len(n.refs) > 0 || n.op == nil {
		return nil
	}
	return n.op.complete(n.attr)
}

// checkAttribute refuses attributes that the operator or function does not declare.
func (n *node) checkAttribute(a *onnxpb.AttributeProto) error {
	if n.fn != nil {
		if n.fn.defaults.has(a.GetName()) {
			return nil
		}
		for _, name := range n.fn.proto.GetAttribute() {
			if name == a.GetName() {
				return nil
			}
		}
		return fmt.Errorf("the function has no attribute %q", a.GetName())
	}
	for i := range n.op.attrs {
		if n.op.attrs[i].name == a.GetName() {
			return checkKind(a, n.op.attrs[i].kind)
		}
	}
	return fmt.Errorf("the operator has no attribute %q", a.GetName())
}

// complete fills in defaults and refuses required attributes that are missing or hold nothing.
func (op *operator) complete(a *attributes) error {
	for i := range op.attrs {
		d := &op.attrs[i]
		switch {
		case a.has(d.name):
			if err := a.filled(d); err != nil {
				return err
			}
		case d.required:
			return fmt.Errorf("attribute %q is missing", d.name)
		case d.value != nil:
			a.give(d.name, d.value)
		}
	}
	return nil
}

// subgraph resolves a graph attribute; names that it does not define come from the graphs around it.
func (s *scope) subgraph(n *node, a *onnxpb.AttributeProto) (*graph, error) {
	if s.depth >= s.c.limits.Depth {
		return nil, fmt.Errorf("%w: nesting deeper than %d", ErrLimit, s.c.limits.Depth)
	}
	inner := &scope{c: s.c, g: &graph{}, outer: s, opsets: s.opsets, slots: map[string]int{}, depth: s.depth + 1}
	if err := inner.graph(a.GetG()); err != nil {
		return nil, within(a.GetName(), err)
	}
	for _, c := range inner.g.captures {
		n.captured = append(n.captured, c.outer)
	}
	return inner.g, nil
}

// random reports whether ONNX's operator k draws random numbers.
func random(k key) bool {
	return k.domain == "" && (strings.HasPrefix(k.name, "Random") || k.name == "Multinomial" || k.name == "Bernoulli")
}
