// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// Bounds of what is unrolled: steps of one loop, and nodes traced in all.
const (
	maxSteps = 256
	maxNodes = 1 << 14
)

// control is an operator with subgraphs, which are traced as often as they run.
func control(op string) func(t *tracer, s *step) ([]*symbol, error) {
	switch op {
	case "If":
		return (*tracer).branch
	case "Loop":
		return (*tracer).loop
	case "Scan":
		return (*tracer).scan
	}
	return nil
}

// body traces a subgraph with its inputs, in the scope of its node.
func (t *tracer) body(g *onnxpb.GraphProto, s *scope, inputs []*symbol) ([]*symbol, error) {
	if g == nil || len(g.Input) != len(inputs) {
		return nil, refuse("the subgraph does not take %d inputs", len(inputs))
	}
	if len(g.SparseInitializer) > 0 || len(g.StructInitializer) > 0 {
		return nil, refuse("subgraph %q has initializers that are no tensors", g.Name)
	}
	if t.depth++; t.depth > maxDepth {
		return nil, refuse("subgraphs nest deeper than %d", maxDepth)
	}
	defer func() { t.depth-- }()
	inside := &scope{names: map[string]*symbol{}, outer: s, opsets: s.opsets, attributes: s.attributes}
	for _, p := range g.Initializer {
		value, err := tensor.FromProto(p)
		if err != nil {
			return nil, refuse("initializer %q: %v", p.Name, err)
		}
		inside.names[p.Name] = known(value)
	}
	for i, in := range g.Input {
		inside.names[in.Name] = inputs[i]
	}
	if err := t.nodes(g.Node, inside); err != nil {
		return nil, err
	}
	names := make([]string, len(g.Output))
	for i, o := range g.Output {
		names[i] = o.Name
	}
	return inside.outputs(names)
}

// truth is the element of a known BOOL.
func truth(x *symbol) (bool, error) {
	if x == nil || x.known == nil || x.elem != tensor.Bool || x.known.Len() != 1 {
		return false, refuse("the condition depends on the payload")
	}
	return codeAt(x.known.Bytes(), 8, 0) != 0, nil
}

// branch follows an If whose condition is known.
func (t *tracer) branch(s *step) ([]*symbol, error) {
	cond, err := truth(s.at(0))
	if err != nil {
		return nil, err
	}
	name := "else_branch"
	if cond {
		name = "then_branch"
	}
	return t.body(attribute(s.node, name).GetG(), s.scope, nil)
}

// loop unrolls a Loop as long as its condition is known.
func (t *tracer) loop(s *step) ([]*symbol, error) {
	trips, cond := int64(maxSteps)+1, true
	if m := s.at(0); m != nil {
		if m.known == nil || m.elem != tensor.Int64 || m.known.Len() != 1 {
			return nil, refuse("the number of iterations depends on the payload")
		}
		trips = max(tensor.Slice[int64](m.known)[0], 0)
	}
	var err error
	if c := s.at(1); c != nil {
		if cond, err = truth(c); err != nil {
			return nil, err
		}
	}
	state := slices.Clone(s.in[min(2, len(s.in)):])
	scans := &stacks{t: t, s: s, parts: make([][]*symbol, max(len(s.node.Output)-len(state), 0))}
	for i := int64(0); cond && i < trips; i++ {
		if i == maxSteps {
			return nil, refuse("a loop of more than %d iterations", maxSteps)
		}
		in := append([]*symbol{known(tensor.Of([]int64{}, i)), known(tensor.Of([]int64{}, true))}, state...)
		out, err := t.body(attribute(s.node, "body").GetG(), s.scope, in)
		if err != nil {
			return nil, err
		}
		if len(out) != 1+len(state)+len(scans.parts) {
			return nil, refuse("the body has %d outputs", len(out))
		}
		if cond, err = truth(out[0]); err != nil {
			return nil, err
		}
		copy(state, out[1:])
		scans.add(out[1+len(state):])
	}
	return scans.behind(state)
}

// scan unrolls a Scan over axes within a block.
func (t *tracer) scan(s *step) ([]*symbol, error) {
	for _, o := range s.scope.opsets {
		if standard(o.Domain) && o.Version < 9 {
			return nil, refuse("a version of Scan with a batch of its own")
		}
	}
	n := len(s.in) - int(attributeInt(s.node, "num_scan_inputs", 0))
	if n < 0 || n >= len(s.in) || len(s.node.Output) < n || slices.Contains(s.in, nil) {
		return nil, refuse("it does not have the inputs that its attributes say")
	}
	state, inputs := slices.Clone(s.in[:n]), s.in[n:]
	axes, directions := listed(s.node, "scan_input_axes", len(inputs)), listed(s.node, "scan_input_directions", len(inputs))
	scans := &stacks{t: t, s: s, parts: make([][]*symbol, len(s.node.Output)-n)}
	scans.axes = listed(s.node, "scan_output_axes", len(scans.parts))
	scans.reverse = listed(s.node, "scan_output_directions", len(scans.parts))
	if axes == nil || directions == nil || scans.axes == nil || scans.reverse == nil {
		return nil, refuse("an attribute does not have an entry for each input or output")
	}
	steps, err := scanLength(inputs, axes)
	if err != nil {
		return nil, err
	}
	for i := range steps {
		in := slices.Clone(state)
		for k, x := range inputs {
			at := i
			if directions[k] != 0 {
				at = steps - 1 - i
			}
			part, err := t.index(s.scope, x, axes[k], at)
			if err != nil {
				return nil, err
			}
			in = append(in, part)
		}
		out, err := t.body(attribute(s.node, "body").GetG(), s.scope, in)
		if err != nil {
			return nil, err
		}
		if len(out) != len(s.node.Output) {
			return nil, refuse("the body has %d outputs", len(out))
		}
		copy(state, out)
		scans.add(out[n:])
	}
	return scans.behind(state)
}

// scanLength is how many steps a Scan has.
func scanLength(inputs []*symbol, axes []int64) (int64, error) {
	steps := int64(-1)
	for k, x := range inputs {
		axis := axes[k]
		if axis < 0 {
			axis += int64(len(x.dims))
		}
		if axis < 0 || axis >= int64(len(x.dims)) || steps >= 0 && x.dims[axis] != steps {
			return 0, refuse("axis %d of shape %v is not %d steps long", axes[k], x.dims, steps)
		}
		steps = x.dims[axis]
	}
	if steps > maxSteps {
		return 0, refuse("a scan of %d steps; at most %d are unrolled", steps, maxSteps)
	}
	return steps, nil
}

// listed reads an attribute with a number for each of n things, by default zeros; nil
// if their count is another.
func listed(n *onnxpb.NodeProto, name string, count int) []int64 {
	list, _ := attributeInts(n, name)
	if len(list) == 0 {
		return make([]int64, count)
	}
	if len(list) != count {
		return nil
	}
	return list
}

// stacks collects what the iterations of a loop put out.
type stacks struct {
	t             *tracer
	s             *step
	parts         [][]*symbol // per scan output
	axes, reverse []int64     // nil: all 0
}

func (c *stacks) add(out []*symbol) {
	for i, x := range out {
		c.parts[i] = append(c.parts[i], x)
	}
}

// behind returns the last state, and behind it the stacked outputs.
func (c *stacks) behind(state []*symbol) ([]*symbol, error) {
	for i, parts := range c.parts {
		if name := c.s.node.Output[len(state)]; name == "" {
			state = append(state, nil)
			continue
		}
		axis := int64(0)
		if c.axes != nil {
			axis = c.axes[i]
		}
		if c.reverse != nil && c.reverse[i] != 0 {
			slices.Reverse(parts)
		}
		made, err := c.t.stack(c.s.scope, parts, axis)
		if err != nil {
			return nil, err
		}
		state = append(state, made)
	}
	return state, nil
}

// stack puts tensors of one shape side by side along a new axis.
func (t *tracer) stack(s *scope, parts []*symbol, axis int64) (*symbol, error) {
	if len(parts) == 0 {
		return nil, refuse("an output of no iterations")
	}
	rank := int64(len(parts[0].dims)) + 1
	if axis < 0 {
		axis += rank
	}
	if axis < 0 || axis >= rank {
		return nil, refuse("axis %d of %d", axis, rank)
	}
	n := &onnxpb.NodeProto{OpType: "Concat", Output: []string{"y"}, Attribute: []*onnxpb.AttributeProto{integer64("axis", axis)}}
	in := make([]*symbol, len(parts))
	for i, x := range parts {
		if !slices.Equal(x.dims, parts[0].dims) {
			return nil, refuse("shapes %v and %v of one output", parts[0].dims, x.dims)
		}
		in[i] = t.reshape(x, slices.Insert(slices.Clone(x.dims), int(axis), 1))
		n.Input = append(n.Input, "x")
	}
	return t.one(concatRule, n, s, in)
}

// index is one index of an axis, which is left out of the result.
func (t *tracer) index(s *scope, x *symbol, axis, at int64) (*symbol, error) {
	n := &onnxpb.NodeProto{
		OpType: "Gather", Input: []string{"x", "i"}, Output: []string{"y"},
		Attribute: []*onnxpb.AttributeProto{integer64("axis", axis)},
	}
	return t.one(gatherRule, n, s, []*symbol{x, known(tensor.Of([]int64{}, at))})
}

// one traces a node with one output by its rule, or computes it.
func (t *tracer) one(by rule, n *onnxpb.NodeProto, s *scope, in []*symbol) (*symbol, error) {
	trace := func() ([]*symbol, error) { return by(t, &step{n, in, s}) }
	if !slices.ContainsFunc(in, func(x *symbol) bool { return x != nil && x.known == nil }) {
		trace = func() ([]*symbol, error) { return t.constant(n, in, s) }
	}
	out, err := trace()
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

func integer64(name string, i int64) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_INT, I: i}
}
