// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"errors"
	"fmt"

	"github.com/structview/structview/tensor"
)

// controlFamily has If (versions 11, 13, 16, 19, 21, 23, 24, 25), Loop (the same) and Scan (9, 11, 16, 19, 21, 23, 24, 25).
func controlFamily() []operator {
	values := func(t types) map[string]types {
		return map[string]types{"V": t | tOpaque, "B": tBool, "I": tInt64}
	}
	sets := []version{{11, values(tAll)}, {13, values(tAllBF | tSequence)}, {16, values(tAllBF | tSequence | tOptional)}}
	for _, v := range allTypes(19) {
		sets = append(sets, version{v.since, values(v.vars["T"] | tSequence | tOptional)})
	}
	list := versions(operator{
		name: "If", in: params("cond:B"), out: params("outputs...:*V"), control: true,
		attrs: []attribute{requiredAttr("then_branch", aGraph), requiredAttr("else_branch", aGraph)},
		infer: inferIf, run: runIf,
	}, sets...)
	list = append(list, versions(operator{
		name: "Loop", in: params("M?:I cond?:B v_initial?...:*V"), out: params("v_final_and_scan_outputs...:*V"), control: true,
		attrs: []attribute{requiredAttr("body", aGraph)}, infer: inferLoop, run: runLoop,
	}, sets...)...)
	sets = append([]version{{9, values(tAll)}}, sets...)
	return append(list, versions(scan(), sets...)...)
}

// truth returns the one element of a BOOL tensor.
func truth(v Value) (bool, error) {
	t, ok := v.(*tensor.Tensor)
	if !ok || t.Type() != tensor.Bool || t.Len() != 1 {
		return false, fmt.Errorf("the condition is %v, expected one BOOL", TypeOf(v))
	}
	return tensor.Slice[bool](t)[0], nil
}

func branch(a *attributes, cond bool) *graph {
	if cond {
		return a.graph("then_branch")
	}
	return a.graph("else_branch")
}

func inferIf(c *typing) error {
	if t := c.known(0); t != nil {
		cond, err := truth(t)
		if err != nil {
			return err
		}
		return c.inferBranch(branch(c.attr, cond), func(_, b ValueType) (ValueType, error) { return b, nil })
	}
	first := func(_, b ValueType) (ValueType, error) { return b, nil }
	if err := c.inferBranch(c.attr.graph("then_branch"), first); err != nil {
		return err
	}
	return c.inferBranch(c.attr.graph("else_branch"), merge)
}

// inferBranch combines the outputs so far with those of a branch.
func (c *typing) inferBranch(g *graph, combine func(a, b ValueType) (ValueType, error)) error {
	out, err := c.subgraph(g, nil)
	if err != nil {
		return within(g.name, err)
	}
	if len(out) != len(c.out) {
		return fmt.Errorf("the branch %q has %d outputs, the node %d", g.name, len(out), len(c.out))
	}
	for i := range out {
		if !c.wanted(i) {
			continue
		}
		t, err := combine(c.out[i], out[i])
		if err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
		c.set(i, t)
	}
	return nil
}

func runIf(c *call) error {
	cond, err := truth(c.values[0])
	if err != nil {
		return err
	}
	g := branch(c.attr, cond)
	out, err := c.run(g, nil)
	if err != nil {
		return within(g.name, err)
	}
	if len(out) != len(c.results) {
		return fmt.Errorf("the branch %q has %d outputs, the node %d", g.name, len(out), len(c.results))
	}
	for i, v := range out {
		c.put(i, v)
	}
	return nil
}

// carried infers a body that runs again and again: state goes in, behind the inputs before it, and comes out behind
// skip outputs. It returns what holds for the state in every iteration, and the outputs.
func (c *typing) carried(g *graph, before, state, after []ValueType, skip int) (fixed, out []ValueType, err error) {
	fixed = make([]ValueType, len(state))
	for i, t := range state {
		fixed[i] = g.wrapType(len(before)+i, t.valueless())
	}
	for pass := 0; ; pass++ {
		in := append(append(append([]ValueType{}, before...), fixed...), after...)
		if out, err = c.subgraph(g, in); err != nil {
			return nil, nil, within(g.name, err)
		}
		if len(out) < skip+len(state) {
			return nil, nil, fmt.Errorf("the body %q has %d outputs, expected at least %d", g.name, len(out), skip+len(state))
		}
		stable := true
		for i := range fixed {
			t, err := merge(fixed[i], g.wrapType(len(before)+i, out[skip+i]))
			if err != nil {
				return nil, nil, fmt.Errorf("the body %q changes the type of state %d: %w", g.name, i, err)
			}
			if pass > 2 {
				t.Ranked, t.Dims = false, nil
			}
			stable = stable && t.String() == fixed[i].String()
			fixed[i] = t
		}
		if stable || pass > 3 {
			return fixed, out, nil
		}
	}
}

// wrapType makes a type that meets an input of g declared as an optional an optional, as Loop-16 lets a body turn an
// optional state into what it holds.
func (g *graph) wrapType(i int, t ValueType) ValueType {
	if i < len(g.declared) && g.declared[i].Kind == KindOptional && t.Kind != KindOptional && t.Kind != KindUnknown {
		return OptionalType(t.valueless())
	}
	return t
}

// wrapState is wrapType for values: it returns the inputs of an iteration, which begin with first.
func (g *graph) wrapState(first, state []Value) []Value {
	in := first
	for _, v := range state {
		t := g.wrapType(len(in), TypeOf(v))
		if _, ok := v.(*Optional); !ok && t.Kind == KindOptional {
			v = &Optional{Elem: *t.Elem, Value: v}
		}
		in = append(in, v)
	}
	return in
}

// stacked is the type of scan outputs: the element's, with a further dimension.
func stacked(t ValueType, at int64, n int64) (ValueType, error) {
	t = t.valueless()
	if t.Kind == KindUnknown || t.Kind == KindTensor && !t.Ranked {
		t.Kind, t.Ranked, t.Dims = KindTensor, false, nil
		return t, nil
	}
	if t.Kind != KindTensor {
		return t, fmt.Errorf("a scan output is %v, expected a tensor", t)
	}
	k, err := axis(at, len(t.Dims)+1)
	if err != nil {
		return t, err
	}
	dims := append([]int64{}, t.Dims[:k]...)
	t.Dims = append(append(dims, n), t.Dims[k:]...)
	return t, nil
}

func inferLoop(c *typing) error {
	g := c.attr.graph("body")
	var state []ValueType
	if len(c.in) > 2 {
		state = c.in[2:]
	}
	fixed, out, err := c.carried(g, loopInputs(), state, nil, 1)
	if err != nil {
		return err
	}
	if len(out) != 1+len(c.out) {
		return fmt.Errorf("the body %q has %d outputs, expected %d", g.name, len(out), 1+len(c.out))
	}
	for i := range c.out {
		if i < len(fixed) {
			if out[1+i].Kind != fixed[i].Kind {
				fixed[i] = ValueType{} // an optional if the body never runs
			}
			c.set(i, fixed[i])
			continue
		}
		t, err := stacked(out[1+i], 0, unknown)
		if err != nil {
			return err
		}
		c.set(i, t)
	}
	return nil
}

func runLoop(c *call) error {
	g := c.attr.graph("body")
	trips, cond, err := c.loopBounds()
	if err != nil {
		return err
	}
	var state []Value
	if len(c.values) > 2 {
		state = c.values[2:]
	}
	if len(g.inputs) != 2+len(state) || len(g.outputs) != 1+len(c.results) || len(c.results) < len(state) {
		return fmt.Errorf("the body %q has %d inputs and %d outputs, expected %d and %d",
			g.name, len(g.inputs), len(g.outputs), 2+len(state), 1+len(c.results))
	}
	scans := newCollector(c, len(c.results)-len(state))
	defer scans.release()
	for i := int64(0); cond && (trips < 0 || i < trips); i++ {
		if err := c.meter.node(); err != nil {
			return err
		}
		out, err := c.run(g, g.wrapState([]Value{tensor.Of(nil, i), tensor.Of(nil, cond)}, state))
		if err != nil {
			return fmt.Errorf("iteration %d: %w", i, err)
		}
		if cond, err = truth(out[0]); err != nil {
			return err
		}
		state = out[1 : 1+len(state)]
		if err := scans.hold(state); err != nil {
			return err
		}
		if err := scans.add(out[1+len(state):]); err != nil {
			return err
		}
	}
	for i, v := range state {
		c.put(i, v)
	}
	return c.putScans(scans, len(state), func(int) scanOutput { return scanOutput{} }, func() ([]ValueType, error) {
		_, out, err := c.carried(g, loopInputs(), typesOf(state), nil, 1)
		return out[min(len(out), 1+len(state)):], err
	})
}

// loopInputs are the types of the inputs of a Loop's body before its state: the iteration and the condition.
func loopInputs() []ValueType { return []ValueType{TensorType(tensor.Int64), TensorType(tensor.Bool)} }

func typesOf(values []Value) []ValueType {
	list := make([]ValueType, len(values))
	for i, v := range values {
		list[i] = TypeOf(v)
	}
	return list
}

// loopBounds returns the largest number of iterations, -1 if there is none, and the first condition.
func (c *call) loopBounds() (trips int64, cond bool, err error) {
	trips, cond = -1, true
	if m := c.tensor(0); m != nil {
		if m.Len() != 1 {
			return 0, false, fmt.Errorf("the trip count M is %v, expected a scalar", TypeOf(m))
		}
		trips = max(0, tensor.Slice[int64](m)[0])
	}
	if len(c.values) > 1 && c.values[1] != nil {
		cond, err = truth(c.values[1])
	}
	return trips, cond, err
}

// collector gathers the scan outputs of all iterations, and counts them and the state against the limits.
type collector struct {
	c     *call
	parts [][]*tensor.Tensor
	bytes int64 // of the scan outputs
	state int64 // bytes of the present state
}

func newCollector(c *call, n int) *collector {
	return &collector{c: c, parts: make([][]*tensor.Tensor, n)}
}

func (s *collector) release() { s.c.meter.left.Bytes += s.bytes + s.state }

// hold counts the state that one iteration leaves to the next, in place of the one before.
func (s *collector) hold(state []Value) error {
	s.c.meter.left.Bytes += s.state
	s.state = 0
	for _, v := range state {
		size := valueSize(v)
		if err := s.c.meter.take(size); err != nil {
			return err
		}
		s.state += size
	}
	return nil
}

func (s *collector) add(values []Value) error {
	for i, v := range values {
		t, ok := v.(*tensor.Tensor)
		if !ok {
			return fmt.Errorf("scan output %d is %v, expected a tensor", i, TypeOf(v))
		}
		size := valueSize(t)
		if err := s.c.meter.take(size); err != nil {
			return err
		}
		s.bytes += size
		s.parts[i] = append(s.parts[i], t)
	}
	return nil
}

// scanOutput says how the parts of a scan output are put together.
type scanOutput struct {
	axis    int64
	reverse bool
}

// putScans stacks the collected outputs; where there was no iteration, the body's inferred types give
// the other dimensions.
func (c *call) putScans(s *collector, first int, how func(i int) scanOutput, empty func() ([]ValueType, error)) error {
	for i, parts := range s.parts {
		if !c.wanted(first + i) {
			continue
		}
		var t *tensor.Tensor
		var err error
		if len(parts) > 0 {
			t, err = c.stack(parts, how(i))
		} else {
			t, err = emptyScan(i, how(i), empty)
		}
		if err != nil {
			return fmt.Errorf("scan output %d: %w", i, err)
		}
		c.put(first+i, t)
	}
	return nil
}

func emptyScan(i int, how scanOutput, empty func() ([]ValueType, error)) (*tensor.Tensor, error) {
	types, err := empty()
	if err != nil {
		return nil, err
	}
	if i >= len(types) || types[i].Kind != KindTensor || types[i].Element == tensor.Undefined {
		return nil, errors.New("its type is not known")
	}
	t, err := stacked(types[i], how.axis, 0)
	if err != nil {
		return nil, err
	}
	dims := t.Dims
	if !t.Ranked {
		dims = []int64{0}
	}
	for k, d := range dims {
		dims[k] = max(d, 0)
	}
	return freshCells(t.Element, 0).tensor(dims)
}

// stack joins tensors of one type and shape along a new axis.
func (c *call) stack(parts []*tensor.Tensor, how scanOutput) (*tensor.Tensor, error) {
	first := parts[0]
	t, err := stacked(TypeOf(first), how.axis, int64(len(parts)))
	if err != nil {
		return nil, err
	}
	if err := c.reserve(t.Element, t.Dims); err != nil {
		return nil, err
	}
	k, _ := axis(how.axis, len(t.Dims))
	n, _ := product(t.Dims)
	rows, _ := product(t.Dims[:k])
	inner, _ := product(t.Dims[k+1:])
	dst := freshCells(t.Element, n)
	for i, p := range parts {
		if n == 0 {
			rows = 0
		}
		if p.Type() != first.Type() || !sameDims(p.Dims(), first.Dims()) {
			return nil, fmt.Errorf("iteration %d gives %v, the first %v", i, TypeOf(p), TypeOf(first))
		}
		if how.reverse {
			i = len(parts) - 1 - i
		}
		src := cellsOf(p)
		for r := range rows {
			dst.copy((r*int64(len(parts))+int64(i))*inner, src, r*inner, inner)
		}
	}
	return dst.tensor(t.Dims)
}
