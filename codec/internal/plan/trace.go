// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// tracer executes a decoder on symbols instead of tensors: views move lane
// numbers, elementwise operators make values, constants are computed.
type tracer struct {
	g         *graph
	functions []*onnxpb.FunctionProto
	blocks    int64
	fold      int64 // array elements that make a block
	stride    int64 // bits of one of them
	depth     int
	traced    int     // nodes so far
	encoding  bool    // an encoder's value is in the place of the payload
	proposed  []int64 // how many blocks Reshapes took together; see propose
}

// scope is the names of one function or subgraph.
type scope struct {
	names      map[string]*symbol
	outer      *scope
	opsets     []*onnxpb.OperatorSetIdProto
	attributes map[string]*onnxpb.AttributeProto
}

func (s *scope) find(name string) *symbol {
	for ; s != nil; s = s.outer {
		if found, ok := s.names[name]; ok {
			return found
		}
	}
	return nil
}

// maxDepth bounds calls within calls.
const maxDepth = 64

// function traces a function on its inputs.
func (t *tracer) function(fn *onnxpb.FunctionProto, inputs []*symbol, attributes map[string]*onnxpb.AttributeProto) ([]*symbol, error) {
	if t.depth++; t.depth > maxDepth {
		return nil, refuse("calls nest deeper than %d", maxDepth)
	}
	defer func() { t.depth-- }()
	s := &scope{names: map[string]*symbol{}, opsets: fn.OpsetImport, attributes: attributes}
	for i, name := range fn.Input {
		if i < len(inputs) {
			s.names[name] = inputs[i]
		}
	}
	if err := t.nodes(fn.Node, s); err != nil {
		return nil, err
	}
	return s.outputs(fn.Output)
}

func (s *scope) outputs(names []string) ([]*symbol, error) {
	out := make([]*symbol, len(names))
	for i, name := range names {
		if out[i] = s.find(name); out[i] == nil {
			return nil, refuse("output %q is not produced", name)
		}
	}
	return out, nil
}

// nodes traces nodes in order; an error names the node that it is from.
func (t *tracer) nodes(nodes []*onnxpb.NodeProto, s *scope) error {
	for i, n := range nodes {
		if t.traced++; t.traced > maxNodes {
			return refuse("more than %d nodes, loops unrolled", maxNodes)
		}
		if err := t.node(n, s); err != nil {
			var known *noTrace
			if errors.As(err, &known) && known.node == "" {
				return &noTrace{nodeName(i, n), known.reason}
			}
			return err
		}
	}
	return nil
}

func nodeName(i int, n *onnxpb.NodeProto) string {
	if n.Name != "" {
		return fmt.Sprintf("node %d %q (%s)", i, n.Name, n.OpType)
	}
	if len(n.Output) > 0 {
		return fmt.Sprintf("node %d (%s, output %s)", i, n.OpType, n.Output[0])
	}
	return fmt.Sprintf("node %d (%s)", i, n.OpType)
}

// node traces one node.
func (t *tracer) node(n *onnxpb.NodeProto, s *scope) error {
	n, err := s.substitute(n)
	if err != nil {
		return err
	}
	inputs := make([]*symbol, len(n.Input))
	constant := true
	for i, name := range n.Input {
		if name == "" {
			continue
		}
		if inputs[i] = s.find(name); inputs[i] == nil {
			return refuse("input %q is not there", name)
		}
		constant = constant && inputs[i].known != nil
	}
	outputs, err := t.outputs(n, inputs, s, constant)
	if err != nil {
		return err
	}
	if err := t.handled(inputs, outputs); err != nil {
		return err
	}
	for i, name := range n.Output {
		if name != "" && i < len(outputs) {
			s.names[name] = outputs[i]
		}
	}
	return nil
}

func (t *tracer) outputs(n *onnxpb.NodeProto, inputs []*symbol, s *scope, constant bool) ([]*symbol, error) {
	if fn := t.model(n); fn != nil {
		return t.call(fn, n, inputs)
	}
	if by := control(n.OpType); by != nil && standard(n.Domain) {
		return by(t, &step{n, inputs, s})
	}
	if constant && !hasSubgraph(n) {
		return t.constant(n, inputs, s)
	}
	rule := ruleFor(n.OpType)
	if rule == nil || !standard(n.Domain) {
		return nil, refuse("there is no rule for the operator")
	}
	return rule(t, &step{n, inputs, s})
}

// step is a node with its inputs, as rules see it.
type step struct {
	node  *onnxpb.NodeProto
	in    []*symbol
	scope *scope
}

// at returns an input, nil where it is not given.
func (s *step) at(i int) *symbol {
	if i < len(s.in) {
		return s.in[i]
	}
	return nil
}

// present are the inputs that are given.
func (s *step) present() []*symbol {
	return slices.DeleteFunc(slices.Clone(s.in), func(x *symbol) bool { return x == nil })
}

// model finds the model function that a node calls.
func (t *tracer) model(n *onnxpb.NodeProto) *onnxpb.FunctionProto {
	for _, fn := range t.functions {
		if fn.Name == n.OpType && fn.Domain == n.Domain && fn.Overload == n.Overload {
			return fn
		}
	}
	return nil
}

// call traces a model function with the attributes that the node gives.
func (t *tracer) call(fn *onnxpb.FunctionProto, n *onnxpb.NodeProto, inputs []*symbol) ([]*symbol, error) {
	attributes := map[string]*onnxpb.AttributeProto{}
	for _, a := range fn.AttributeProto {
		attributes[a.Name] = a
	}
	for _, a := range n.Attribute {
		attributes[a.Name] = a
	}
	return t.function(fn, inputs, attributes)
}

// constant computes a node whose inputs are all known.
func (t *tracer) constant(n *onnxpb.NodeProto, inputs []*symbol, s *scope) ([]*symbol, error) {
	run, err := t.g.literals.node(n, s.opsets, t.functions)
	if err != nil {
		return nil, refuse("%v", err)
	}
	var present []*tensor.Tensor
	for _, in := range inputs {
		if in != nil {
			present = append(present, in.known)
		}
	}
	results, err := run.call(present...)
	if err != nil {
		return nil, refuse("%v", err)
	}
	out := make([]*symbol, len(n.Output))
	next := 0
	for i, name := range n.Output {
		if name != "" {
			out[i] = known(results[next])
			next++
		}
	}
	return out, nil
}

func hasSubgraph(n *onnxpb.NodeProto) bool {
	for _, a := range n.Attribute {
		if a.G != nil || len(a.Graphs) > 0 {
			return true
		}
	}
	return false
}

// substitute replaces references to the function's attributes by their values.
func (s *scope) substitute(n *onnxpb.NodeProto) (*onnxpb.NodeProto, error) {
	references := false
	for _, a := range n.Attribute {
		references = references || a.RefAttrName != ""
	}
	if !references {
		return n, nil
	}
	out := &onnxpb.NodeProto{
		OpType: n.OpType, Domain: n.Domain, Overload: n.Overload, Name: n.Name,
		Input: n.Input, Output: n.Output,
	}
	for _, a := range n.Attribute {
		if a.RefAttrName == "" {
			out.Attribute = append(out.Attribute, a)
			continue
		}
		value, ok := s.attributes[a.RefAttrName]
		if !ok {
			continue // an optional attribute that the caller does not give
		}
		out.Attribute = append(out.Attribute, renamed(value, a.Name))
	}
	return out, nil
}

func renamed(a *onnxpb.AttributeProto, name string) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{
		Name: name, Type: a.Type, F: a.F, I: a.I, S: a.S, T: a.T, G: a.G, Floats: a.Floats, Ints: a.Ints,
		Strings: a.Strings, Tensors: a.Tensors, Graphs: a.Graphs,
	}
}

// leaf makes the symbol of a payload leaf: cut dimensions of the root count
// blocks, the others and the leaf's own are within a block.
func (t *tracer) leaf(l structview.Leaf, cut int) (*symbol, error) {
	dims := make([]int64, len(l.Dims))
	for i, d := range l.Dims {
		dims[i] = int64(d.Len)
	}
	inner, strides := []int64{t.fold}, []int64{t.stride}
	for i, d := range l.Dims[cut:] {
		inner, strides = append(inner, dims[cut+i]), append(strides, int64(d.Stride))
	}
	if n := count(inner); n == 0 {
		return nil, errEmpty
	} else if multiplied(n, int64(l.Width)) > maxConstant*8 {
		return nil, refuse("a block has %d elements of %s, each of %d bits; at most %d bytes are planned", n, l.Path, l.Width, maxConstant)
	} else if err := t.room(n * int64(l.Width) / 8); err != nil {
		return nil, err
	}
	offsets := strided(int64(l.Offset), inner, strides)
	width := int(l.Width)
	list := make([]stretch, len(offsets))
	for i, o := range offsets {
		list[i] = stretch{o, o + int32(width)}
	}
	made := t.g.read(l.Element, t.g.fields(unsigned(l.Width), list, width))
	x := &symbol{elem: l.Element, dims: dims, batch: cut, lanes: made}
	if t.fold > 1 {
		x.fold = t.fold
	}
	return x, nil
}

// read gives payload bits their element type.
func (g *graph) read(elem tensor.Type, made lanes) lanes {
	if elem == made.v.elem {
		return made
	}
	v := &value{kind: kLeaf, elem: elem, n: made.v.n, args: []arg{{made.v, iota32(made.v.n)}}}
	return lanes{g.intern(v), made.m}
}

// unsigned is the smallest unsigned type of at least 8 bits that holds a width.
func unsigned(width uint64) tensor.Type {
	switch {
	case width <= 8:
		return tensor.Uint8
	case width <= 16:
		return tensor.Uint16
	case width <= 32:
		return tensor.Uint32
	default:
		return tensor.Uint64
	}
}

// standard reports whether a domain is that of ONNX's own operators.
func standard(domain string) bool { return domain == "" || domain == "ai.onnx" }
