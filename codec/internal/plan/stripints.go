// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"

	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/tensor"
)

// large reports whether lanes may be 2^31 and more, which a comparison of signed words gets wrong.
func (s *stripper) large(v *value) bool {
	if v.elem.Bits() < 32 || v.elem == tensor.Int32 {
		return false
	}
	r, ok := s.g.interval(v)
	return !ok || r.hi > math.MaxInt32
}

// ordered prepares operands of one type for comparisons of signed words.
func (s *stripper) ordered(a, b *value, x, y []row) ([]row, []row, bool) {
	if !s.large(a) && !s.large(b) || !s.g.demands(obUnsigned) {
		return x, y, true
	}
	for _, v := range []*value{a, b} {
		if r, ok := s.g.interval(v); v.elem.IsSigned() && !(ok && r.lo >= 0) {
			return nil, nil, false
		}
	}
	top := one(s.constant(1 << 31))
	return s.op(strip.Xor, x, top), s.op(strip.Xor, y, top), true
}

// integers is an operator on integers, modulo 2^32 and then to the width of the type.
func (s *stripper) integers(v *value, in [][]row) ([]row, bool) {
	name := v.run.node.OpType
	if v.elem == tensor.Bool {
		return s.integerRelation(v, in)
	}
	if code, ok := map[string]strip.Code{
		"Add": strip.AddI, "Sub": strip.SubI, "Mul": strip.MulI,
		"BitwiseAnd": strip.And, "BitwiseOr": strip.Or, "BitwiseXor": strip.Xor,
	}[name]; ok {
		out := s.op(code, in[0], in[1])
		if r, ok := s.g.rawSpan(v); code >= strip.And || ok && s.stays(v.elem, r) {
			return out, true
		}
		return s.wrapped(v.elem, out), true
	}
	zero := one(s.constant(0))
	switch name {
	case "Max", "Min", "Clip":
		return s.bounded(v, in)
	case "BitwiseNot":
		return s.wrapped(v.elem, s.not(in[0])), true
	case "Neg":
		return s.wrapped(v.elem, s.op(strip.SubI, zero, in[0])), true
	case "Abs":
		if !v.elem.IsSigned() {
			return in[0], true
		}
		return s.wrapped(v.elem, s.op(strip.MaxI, in[0], s.op(strip.SubI, zero, in[0]))), true
	case "Sign":
		if s.large(v.args[0].v) {
			return nil, false
		}
		return s.op(strip.SubI, s.op(strip.LessI, in[0], zero), s.op(strip.LessI, zero, in[0])), v.elem.IsSigned()
	case "Relu":
		return s.op(strip.MaxI, in[0], zero), true
	case "BitShift":
		if attributeString(v.run.node, "direction") == "LEFT" {
			return s.wrapped(v.elem, s.op(strip.ShiftL, in[0], in[1])), true
		}
		return s.op(strip.ShiftR, in[0], in[1]), true
	case "Div", "Mod":
		return s.divided(v, in)
	}
	return nil, false
}

// stays reports whether a result lies within its type, so that nothing is to be cut off.
func (s *stripper) stays(elem tensor.Type, r span) bool {
	all, ok := typeSpan(elem)
	return ok && all.has(r.lo) && all.has(r.hi) || !s.g.demands(obStripWrap)
}

func (s *stripper) integerRelation(v *value, in [][]row) ([]row, bool) {
	x, y, ok := s.ordered(v.args[0].v, v.args[len(v.args)-1].v, in[0], in[len(in)-1])
	if !ok {
		return nil, false
	}
	switch v.run.node.OpType {
	case "Equal":
		return s.op(strip.EqualI, x, y), true
	case "Less":
		return s.op(strip.LessI, x, y), true
	case "Greater":
		return s.op(strip.LessI, y, x), true
	case "LessOrEqual":
		return s.not(s.op(strip.LessI, y, x)), true
	case "GreaterOrEqual":
		return s.not(s.op(strip.LessI, x, y)), true
	}
	return nil, false
}

// bounded is Max, Min and Clip.
func (s *stripper) bounded(v *value, in [][]row) ([]row, bool) {
	turned := false // to an order that signed words have
	for _, a := range v.args {
		turned = turned || s.large(a.v)
	}
	top := one(s.constant(1 << 31))
	for k, a := range v.args {
		if r, ok := s.g.interval(a.v); turned && a.v.elem.IsSigned() && !(ok && r.lo >= 0) {
			return nil, false
		}
		if turned {
			in[k] = s.op(strip.Xor, in[k], top)
		}
	}
	code := strip.MaxI
	if v.run.node.OpType == "Min" {
		code = strip.MinI
	}
	x, ok := in[0], true
	if v.run.node.OpType == "Clip" {
		x, ok = s.clipped(v, in, strip.MaxI, strip.MinI)
	} else {
		for _, y := range in[1:] {
			x = s.op(code, x, y)
		}
	}
	if turned && ok {
		x = s.op(strip.Xor, x, top)
	}
	return x, ok
}

// exactQuotients is below what a quotient of integers, computed in FLOAT and cut, is right: the next
// integer is further away than the rounding reaches.
const exactQuotients = 1<<24 - 2

// divided is a quotient towards zero or a remainder with the divisor's sign. A divisor of 0
// must be impossible, as it is an error.
func (s *stripper) divided(v *value, in [][]row) ([]row, bool) {
	x, y := v.args[0].v, v.args[1].v
	by, ok := s.g.interval(y)
	if !ok || by.lo <= 0 || by.hi > 1<<23 || s.large(x) {
		return nil, false
	}
	if v.run.node.OpType == "Mod" && attributeInt(v.run.node, "fmod", 0) != 0 {
		return nil, false
	}
	if v.run.node.OpType == "Mod" && powersOfTwo(y) {
		return s.op(strip.And, in[0], s.op(strip.SubI, in[1], one(s.constant(1)))), true
	}
	r, ok := s.g.interval(x)
	sign := s.op(strip.ShiftA, in[0], one(s.constant(31)))
	negative := !ok || r.lo < 0
	magnitude := in[0]
	if negative { // ^x of a negative x: the floor of x/y is ^(^x / y)
		magnitude = s.op(strip.Xor, in[0], sign)
	}
	small := ok && r.within(exactQuotients)
	quotient, rest := s.quotient(magnitude, in[1], small || !s.g.demands(obQuotient))
	if v.run.node.OpType == "Mod" {
		if !negative {
			return rest, true
		}
		floor := s.op(strip.Xor, quotient, sign)
		return s.wrapped(v.elem, s.op(strip.SubI, in[0], s.op(strip.MulI, floor, in[1]))), true
	}
	if !negative {
		return quotient, true
	}
	floor := s.op(strip.Xor, quotient, sign)
	whole := s.op(strip.EqualI, rest, s.op(strip.SubI, in[1], one(s.constant(1))))
	return s.op(strip.SubI, floor, s.op(strip.AndNot, sign, whole)), true
}

// quotient divides words from 0 to 2^31-1 by positive ones. FLOAT finds a quotient that is at most
// some hundred too large or too small, a second division finds by how much.
func (s *stripper) quotient(x, y []row, small bool) (quotient, rest []row) {
	by := s.op(strip.Float, y)
	divide := func(x []row) []row { return s.op(strip.Int, s.op(strip.DivF, s.op(strip.Float, x), by)) }
	left := func(x, q []row) []row { return s.op(strip.SubI, x, s.op(strip.MulI, q, y)) }
	quotient = divide(x)
	rest = left(x, quotient)
	if small {
		return quotient, rest
	}
	more := divide(rest)
	quotient, rest = s.op(strip.AddI, quotient, more), left(rest, more)
	below := s.op(strip.LessI, rest, one(s.constant(0)))
	return s.op(strip.AddI, quotient, below), s.op(strip.AddI, rest, s.op(strip.And, y, below))
}

// wide is what a word cannot hold on the way: a sum of unsigned integers that leaves 32 bits and is
// shifted back at once, and a clipped INT64 that comes from a float.
func (s *stripper) wide(v *value, m []int32) ([]row, bool, error) {
	switch v.run.node.OpType {
	case "BitShift":
		x := v.args[0].v
		if attributeString(v.run.node, "direction") != "RIGHT" || x.elem != tensor.Uint64 || s.holds(x) == nil {
			return nil, false, nil
		}
		by, ok := s.g.interval(v.args[1].v)
		if r, known := s.g.interval(x); !ok || !known || by.lo < 1 || r.lo < 0 || r.hi >= 1<<33 {
			return nil, false, nil
		}
		half, _, err := s.halves(x, v.args[0].pick(m).m)
		if err != nil {
			return nil, true, err
		}
		n, err := s.argument(v, 1, m)
		if err != nil {
			return nil, true, err
		}
		return s.op(strip.ShiftR, half, s.op(strip.SubI, n, one(s.constant(1)))), true, nil
	}
	return nil, false, nil
}

// halves are unsigned lanes below 2^33 as halves and last bits.
func (s *stripper) halves(v *value, m []int32) (half, last []row, err error) {
	bit := one(s.constant(1))
	if s.holds(v) == nil {
		x, err := s.of(v, m)
		if err != nil {
			return nil, nil, err
		}
		return s.op(strip.ShiftR, x, bit), s.op(strip.And, x, bit), nil
	}
	if v.kind != kOp || v.run.node.OpType != "Add" {
		return nil, nil, s.holds(v)
	}
	ah, al, err := s.halves(v.args[0].v, v.args[0].pick(m).m)
	if err != nil {
		return nil, nil, err
	}
	bh, bl, err := s.halves(v.args[1].v, v.args[1].pick(m).m)
	if err != nil {
		return nil, nil, err
	}
	half = s.op(strip.AddI, s.op(strip.AddI, ah, bh), s.op(strip.And, al, bl))
	return half, s.op(strip.Xor, al, bl), nil
}
