// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"

	"github.com/structview/structview/tensor"
)

// matMulRule unrolls a matrix product over its depth: products of columns and rows are
// added up from +0 in index order, as eval adds them. Half types are multiplied in
// FLOAT and rounded at the end.
func matMulRule(t *tracer, s *step) ([]*symbol, error) {
	dims, err := t.infer(s)
	if err != nil {
		return nil, err
	}
	a, b := s.in[0], s.in[1]
	elem := a.elem
	if isHalf(elem) {
		if a, err = t.cast(s.scope, a, tensor.Float); err == nil {
			b, err = t.cast(s.scope, b, tensor.Float)
		}
		if err != nil {
			return nil, err
		}
	}
	depth := a.dims[len(a.dims)-1]
	if depth == 0 || depth > maxUnrolled {
		return nil, refuse("a matrix product of depth %d; at most %d is unrolled", depth, maxUnrolled)
	}
	if len(a.dims) == 1 {
		a = t.reshape(a, []int64{1, depth})
	}
	if len(b.dims) == 1 {
		b = t.reshape(b, []int64{depth, 1})
	}
	var sum *symbol
	for k := range depth {
		term, err := t.outer(s.scope, a, b, k)
		if err != nil {
			return nil, err
		}
		if k == 0 {
			sum, err = t.first(s.scope, "Add", term)
		} else {
			sum, err = t.binary("Add", s.scope, sum, term)
		}
		if err != nil {
			return nil, err
		}
	}
	if sum, err = t.cast(s.scope, sum, elem); err != nil {
		return nil, err
	}
	return []*symbol{t.reshape(sum, dims[0])}, nil
}

// outer is the product of column k of a and row k of b.
func (t *tracer) outer(s *scope, a, b *symbol, k int64) (*symbol, error) {
	column, err := t.slab(s, a, len(a.dims)-1, k)
	if err != nil {
		return nil, err
	}
	row, err := t.slab(s, b, len(b.dims)-2, k)
	if err != nil {
		return nil, err
	}
	return t.binary("Mul", s, column, row)
}

// slab is one index of an axis, which stays with length 1.
func (t *tracer) slab(s *scope, x *symbol, axis int, at int64) (*symbol, error) {
	if x.known == nil {
		inner, err := t.innerAxis(x, int64(axis))
		if err != nil {
			return nil, err
		}
		return section(x, inner, at, 1, 1), nil
	}
	part, err := t.index(s, x, int64(axis), at)
	if err != nil {
		return nil, err
	}
	dims := append([]int64{}, x.dims...)
	dims[axis] = 1
	return t.reshape(part, dims), nil
}

// clipRule writes Clip as comparisons with its bounds, which eval takes as scalars alone:
// the lower first, so that the upper wins where they cross. Encoders have it as it is.
func clipRule(t *tracer, s *step) ([]*symbol, error) {
	if t.encoding {
		return elementwiseRule(t, s)
	}
	x := s.in[0]
	for i, by := range []struct{ extreme, beyond string }{{"Max", "Less"}, {"Min", "Greater"}} {
		bound := s.at(i + 1)
		if bound == nil {
			continue
		}
		if count(bound.dims) != 1 {
			return nil, refuse("a bound of shape %v", bound.dims)
		}
		var err error
		if bound.known != nil && !isNaN(bound) {
			x, err = t.binary(by.extreme, s.scope, x, t.reshape(bound, nil))
		} else {
			x, err = t.unlessBeyond(s.scope, by.beyond, x, bound)
		}
		if err != nil {
			return nil, err
		}
	}
	return []*symbol{x}, nil
}

// isNaN reports whether a known scalar is NaN, which bounds nothing.
func isNaN(x *symbol) bool {
	return x.elem.IsFloat() && math.IsNaN(tensor.ToFloat(x.elem, codes(x.known)[0]))
}

// unlessBeyond is x, or the bound where x is beyond it.
func (t *tracer) unlessBeyond(s *scope, beyond string, x, bound *symbol) (*symbol, error) {
	if bound.known != nil {
		bound = t.reshape(bound, nil)
	}
	over, err := t.binary(beyond, s, x, bound)
	if err != nil {
		return nil, err
	}
	return t.choose(s, over, bound, x)
}

// oneHotRule compares indices, counted from the end where they are negative, with every
// index along a new axis.
func oneHotRule(t *tracer, s *step) ([]*symbol, error) {
	x, values := s.in[0], s.in[2]
	if x.known != nil || s.in[1].known == nil || values.known == nil || values.known.Len() != 2 {
		return nil, refuse("the depth or the values depend on the payload")
	}
	if !x.elem.IsInteger() || x.elem == tensor.Uint64 {
		return nil, refuse("indices of type %v", x.elem)
	}
	dims, err := t.infer(s)
	if err != nil {
		return nil, err
	}
	axis := attributeInt(s.node, "axis", -1)
	if axis < 0 {
		axis += int64(len(dims[0]))
	}
	depth := dims[0][axis]
	if depth > maxConstant || depth == 0 {
		return nil, refuse("a depth of %d", depth)
	}
	if x, err = t.cast(s.scope, x, tensor.Int64); err == nil {
		x, err = t.wrapped(s.scope, x, []int64{depth}, 0)
	}
	if err != nil {
		return nil, err
	}
	one := append([]int64{}, dims[0]...)
	one[axis] = 1
	places := append([]int64{}, one[axis:]...)
	for i := range places {
		places[i] = 1
	}
	places[0] = depth
	on, err := t.binary("Equal", s.scope, t.reshape(x, one), known(numbers(places, 0)))
	if err != nil {
		return nil, err
	}
	out, err := t.choose(s.scope, on, t.element(values, 1), t.element(values, 0))
	return []*symbol{out}, err
}

// element is one element of a known tensor.
func (t *tracer) element(x *symbol, i int) *symbol {
	return t.reshape(known(fromCodes(x.elem, codes(x.known)[i:i+1])), nil)
}

// eyeRule is EyeLike, which needs no more of its input than the shape.
func eyeRule(t *tracer, s *step) ([]*symbol, error) {
	x := s.in[0]
	n := count(x.dims)
	if n > maxConstant {
		return nil, refuse("a constant of %d elements", n)
	}
	zeros := known(fromCodes(x.elem, make([]uint64, n)))
	return t.constant(s.node, []*symbol{t.reshape(zeros, x.dims)}, s.scope)
}
