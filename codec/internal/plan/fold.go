// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/tensor"
)

// maxUnrolled bounds the steps that a reduction is unrolled to.
const maxUnrolled = 64

// foldRule unrolls a reduction over axes within a block, or a running sum, into
// steps in index order, as eval takes them.
func foldRule(t *tracer, s *step) ([]*symbol, error) {
	x := s.in[0]
	op := map[string]string{"ReduceSum": "Add", "CumSum": "Add", "ReduceMax": "Max", "ReduceMin": "Min", "ReduceProd": "Mul"}[s.node.OpType]
	float := x.elem == tensor.Float || x.elem == tensor.Double
	if !x.elem.IsInteger() && !(float && op == "Add") {
		return nil, refuse("the order of a reduction of %v is not known to be exact", x.elem)
	}
	dims, err := t.infer(s)
	if err != nil {
		return nil, err
	}
	axes, err := foldAxes(s, len(x.dims))
	if err != nil {
		return nil, err
	}
	if len(axes) == 0 {
		return []*symbol{x}, nil
	}
	if float && len(axes) > 1 {
		return nil, refuse("a float sum over several axes")
	}
	if s.node.OpType == "CumSum" {
		return t.running(s, x, axes[0])
	}
	for _, a := range axes {
		if x, err = t.reduce(s.scope, op, x, a); err != nil {
			return nil, err
		}
	}
	return []*symbol{t.reshape(x, dims[0])}, nil
}

// foldAxes reads the axes of a reduction, or of CumSum.
func foldAxes(s *step, rank int) ([]int64, error) {
	axes, given := attributeInts(s.node, "axes")
	if in := s.at(1); in != nil {
		if in.known == nil {
			return nil, refuse("the axes depend on the payload")
		}
		list, err := tensor.Int64s(in.known)
		if err != nil {
			return nil, refuse("%v", err)
		}
		axes, given = slices.Clone(list), true
	}
	if (!given || len(axes) == 0) && attributeInt(s.node, "noop_with_empty_axes", 0) == 0 {
		for i := range rank {
			axes = append(axes, int64(i))
		}
	}
	for i, a := range axes {
		if a < 0 {
			axes[i] += int64(rank)
		}
	}
	slices.Sort(axes)
	return axes, nil
}

// reduce folds one axis, which stays with length 1.
func (t *tracer) reduce(s *scope, op string, x *symbol, axis int64) (*symbol, error) {
	steps, err := t.sections(x, axis)
	if err != nil {
		return nil, err
	}
	acc, err := t.first(s, op, steps[0])
	for _, next := range steps[1:] {
		if err != nil {
			return nil, err
		}
		acc, err = t.binary(op, s, acc, next)
	}
	return acc, err
}

// first is the first step of a fold: a float sum begins with +0, which turns a
// first -0 into +0.
func (t *tracer) first(s *scope, op string, x *symbol) (*symbol, error) {
	if op != "Add" || x.elem.IsInteger() {
		return x, nil
	}
	zero := known(fromCodes(x.elem, []uint64{0}))
	return t.binary(op, s, zero, x)
}

// sections cuts an axis within a block into its indices.
func (t *tracer) sections(x *symbol, axis int64) ([]*symbol, error) {
	at, err := t.innerAxis(x, axis)
	if err != nil {
		return nil, err
	}
	n := x.inner()[at]
	if n == 0 || n > maxUnrolled {
		return nil, refuse("a reduction of %d elements", n)
	}
	out := make([]*symbol, n)
	for i := range n {
		out[i] = section(x, at, i, 1, 1)
	}
	return out, nil
}

// running is CumSum, exclusive and reversed as the attributes say.
func (t *tracer) running(s *step, x *symbol, axis int64) ([]*symbol, error) {
	steps, err := t.sections(x, axis)
	if err != nil {
		return nil, err
	}
	reverse := attributeInt(s.node, "reverse", 0) != 0
	if attributeInt(s.node, "exclusive", 0) != 0 {
		return nil, refuse("an exclusive running sum")
	}
	if reverse {
		slices.Reverse(steps)
	}
	if steps[0], err = t.first(s.scope, "Add", steps[0]); err != nil {
		return nil, err
	}
	for i := 1; i < len(steps); i++ {
		if steps[i], err = t.binary("Add", s.scope, steps[i-1], steps[i]); err != nil {
			return nil, err
		}
	}
	if reverse {
		slices.Reverse(steps)
	}
	return []*symbol{t.join(x, axis, steps)}, nil
}

// join is the inverse of sections.
func (t *tracer) join(x *symbol, axis int64, steps []*symbol) *symbol {
	inner := x.inner()
	at := int(axis) - x.batch + x.lead()
	strides := rowMajor(inner)
	one := slices.Clone(inner)
	one[at] = 1
	place := make([]int32, count(inner))
	parts := make([]lanes, len(steps))
	total := int32(0)
	for k, part := range steps {
		for i, p := range strided(int64(k)*strides[at], one, strides) {
			place[p] = total + int32(i)
		}
		parts[k] = part.lanes
		total += int32(len(part.lanes.m))
	}
	return x.with(inner, t.g.concat(parts).pick(place))
}
