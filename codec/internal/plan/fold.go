// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/tensor"
)

// maxUnrolled bounds the steps that a reduction is unrolled to.
const maxUnrolled = 64

// foldOperators are the reductions and running results whose steps are operators.
var foldOperators = map[string]string{
	"ReduceSum": "Add", "ReduceMean": "Add", "ReduceL1": "Add", "ReduceSumSquare": "Add", "CumSum": "Add",
	"ReduceProd": "Mul", "CumProd": "Mul", "ReduceMax": "Max", "ReduceMin": "Min",
}

// foldRule unrolls a reduction over axes within a block, or a running result, into
// steps in index order, as eval takes them. Half types are added up in FLOAT and
// rounded at the end.
func foldRule(t *tracer, s *step) ([]*symbol, error) {
	x := s.in[0]
	if x.known != nil {
		return nil, refuse("the axes depend on the payload")
	}
	half := isHalf(x.elem)
	if !half && !x.elem.IsInteger() && x.elem != tensor.Float && x.elem != tensor.Double {
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
	if half {
		if x, err = t.cast(s.scope, x, tensor.Float); err != nil {
			return nil, err
		}
	}
	if s.node.OpType == "CumSum" || s.node.OpType == "CumProd" {
		x, err = t.running(s, x, axes[0])
	} else if x, err = t.reduce(s, x, axes); err == nil {
		x = t.reshape(x, dims[0])
	}
	if err == nil && half {
		x, err = t.cast(s.scope, x, s.in[0].elem)
	}
	return []*symbol{x}, err
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
		axes, given = list, true
	}
	axes = slices.Clone(axes)
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
	return slices.Compact(axes), nil
}

// reduce folds some axes, which stay with length 1. Elements are taken in the order in
// which they lie, the last axis fastest.
func (t *tracer) reduce(s *step, x *symbol, axes []int64) (*symbol, error) {
	name := s.node.OpType
	op := foldOperators[name]
	n := int64(1)
	steps := []*symbol{x}
	for _, a := range axes {
		var finer []*symbol
		for _, part := range steps {
			cut, err := t.sections(part, a)
			if err != nil {
				return nil, err
			}
			if finer = append(finer, cut...); len(finer) > maxUnrolled {
				return nil, refuse("a reduction of more than %d elements", maxUnrolled)
			}
		}
		steps, n = finer, n*x.dims[a]
	}
	var acc *symbol
	for i, next := range steps {
		next, err := t.term(s.scope, name, next)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			acc, err = t.first(s.scope, op, next)
		} else {
			acc, err = t.binary(op, s.scope, acc, next)
		}
		if err != nil {
			return nil, err
		}
	}
	if name != "ReduceMean" {
		return acc, nil
	}
	number, err := tensor.Convert(tensor.Of([]int64{}, n), x.elem, true, tensor.RoundMode(0))
	if err != nil {
		return nil, refuse("%v", err)
	}
	return t.binary("Div", s.scope, acc, known(number))
}

// term is what a reduction does to each element.
func (t *tracer) term(s *scope, name string, x *symbol) (*symbol, error) {
	switch name {
	case "ReduceL1":
		return t.unary("Abs", s, x)
	case "ReduceSumSquare":
		return t.binary("Mul", s, x, x)
	}
	return x, nil
}

// first is the first step of a fold: a float sum begins with +0, which turns a
// first -0 into +0.
func (t *tracer) first(s *scope, op string, x *symbol) (*symbol, error) {
	if op != "Add" || x.elem.IsInteger() || !t.g.demands(obPlusZero) {
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
		return nil, refuse("a reduction of %d elements; at most %d are unrolled", n, maxUnrolled)
	}
	out := make([]*symbol, n)
	for i := range n {
		out[i] = section(x, at, i, 1, 1)
	}
	return out, nil
}

// running is CumSum or CumProd, exclusive and reversed as the attributes say.
func (t *tracer) running(s *step, x *symbol, axis int64) (*symbol, error) {
	op := foldOperators[s.node.OpType]
	steps, err := t.sections(x, axis)
	if err != nil {
		return nil, err
	}
	reverse := attributeInt(s.node, "reverse", 0) != 0
	if reverse {
		slices.Reverse(steps)
	}
	results := make([]*symbol, len(steps))
	for i, next := range steps {
		if i == 0 {
			results[i], err = t.first(s.scope, op, next)
		} else {
			results[i], err = t.binary(op, s.scope, results[i-1], next)
		}
		if err != nil {
			return nil, err
		}
	}
	if attributeInt(s.node, "exclusive", 0) != 0 {
		begin := steps[0].with(steps[0].inner(), t.filled(x.elem, op == "Mul", len(steps[0].lanes.m)))
		results = append([]*symbol{begin}, results[:len(results)-1]...)
	}
	if reverse {
		slices.Reverse(results)
	}
	return t.join(x, axis, results), nil
}

// filled is n lanes of 1 or of 0.
func (t *tracer) filled(elem tensor.Type, one bool, n int) lanes {
	number := int64(0)
	if one {
		number = 1
	}
	c, err := tensor.Convert(tensor.Of([]int64{1}, number), elem, true, tensor.RoundMode(0))
	if err != nil {
		c = fromCodes(elem, []uint64{0}) // no number: the zero of an element type is its zero bits
	}
	return t.g.constant(c).pick(make([]int32, n))
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
