// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"
	"math/bits"

	"github.com/structview/structview/tensor"
)

// span is the fact that every lane is an integer in [lo, hi], finite, and not -0.
type span struct{ lo, hi int64 }

func (s span) has(x int64) bool { return s.lo <= x && x <= s.hi }

// within reports whether the span lies in [-limit, limit]. It negates no end: the
// least integer has no opposite.
func (s span) within(limit int64) bool { return -limit <= s.lo && s.hi <= limit && s.lo <= s.hi }

// negated is the span of -x; ok is false if some -x is no int64.
func (s span) negated() (span, bool) { return span{-s.hi, -s.lo}, s.lo != math.MinInt64 }

// exactUpTo is the magnitude up to which a type's integers and their sums,
// differences and products are exact.
func exactUpTo(t tensor.Type) int64 {
	switch t {
	case tensor.Float:
		return 1 << 24
	case tensor.Double:
		return 1 << 53
	case tensor.Float16:
		return 1 << 11
	case tensor.BFloat16:
		return 1 << 8
	default:
		return 0
	}
}

// interval returns the span of a value, if its lanes are known to be integers.
func (g *graph) interval(v *value) (span, bool) {
	if !v.facts.ranged {
		v.facts.ranged = true
		if s, ok := g.findSpan(v); ok && v.n > 0 {
			v.facts.span = &s
		}
	}
	if v.facts.span == nil {
		return span{}, false
	}
	return *v.facts.span, true
}

func (g *graph) findSpan(v *value) (span, bool) {
	switch v.kind {
	case kConst:
		return spanOf(v.elem, codes(v.data))
	case kBits:
		return bitSpan(v)
	case kTab:
		return spanOf(v.elem, codes(v.data))
	case kSel:
		return g.pieceSpan(v)
	case kFold:
		return g.foldSpan(v)
	case kPick:
		return g.interval(v.args[0].v)
	}
	if t := g.tabulate(v, smallTable); t != nil {
		all := span{math.MaxInt64, math.MinInt64}
		for _, cells := range t.cells {
			s, ok := spanOf(v.elem, cells)
			if !ok {
				return span{}, false
			}
			all = span{min(all.lo, s.lo), max(all.hi, s.hi)}
		}
		return all, true
	}
	if v.kind == kLeaf {
		return typeSpan(v.elem)
	}
	return g.operatorSpan(v)
}

// spanOf reads a span off elements.
func spanOf(elem tensor.Type, list []uint64) (span, bool) {
	all := span{math.MaxInt64, math.MinInt64}
	if elem == tensor.Bool || elem.IsInteger() && !elem.IsSigned() && elem.Bits() < 64 {
		for _, code := range list {
			all = span{min(all.lo, int64(code)), max(all.hi, int64(code))}
		}
		return all, true
	}
	for _, code := range list {
		n, ok := integer(elem, code)
		if !ok {
			return span{}, false
		}
		all = span{min(all.lo, n), max(all.hi, n)}
	}
	return all, true
}

// integer returns the integer that an element is; -0 is none.
func integer(elem tensor.Type, code uint64) (int64, bool) {
	switch {
	case elem == tensor.Float:
		x := math.Float32frombits(uint32(code))
		n := int64(x)
		return n, x >= -1<<53 && x <= 1<<53 && float32(n) == x && !(n == 0 && code != 0)
	case elem.IsFloat():
		x := tensor.ToFloat(elem, code)
		if x != math.Trunc(x) || math.Abs(x) > 1<<53 || x == 0 && math.Signbit(x) {
			return 0, false
		}
		return int64(x), true
	case elem.IsSigned():
		shift := 64 - elem.Bits()
		return int64(code<<shift) >> shift, true
	default:
		return int64(code), code <= math.MaxInt64
	}
}

func bitSpan(v *value) (span, bool) {
	all := span{math.MaxInt64, 0}
	if v.runs != nil {
		return span{0, 1<<v.width - 1}, v.width < 64
	}
	for l := range int32(v.n) {
		lo, hi := uint64(0), uint64(0)
		for j, bit := range v.row(l) {
			if bit == oneBit {
				lo |= 1 << j
			}
			if bit != zeroBit {
				hi |= 1 << j
			}
		}
		if hi > math.MaxInt64 {
			return span{}, false
		}
		all = span{min(all.lo, int64(lo)), max(all.hi, int64(hi))}
	}
	return all, true
}

func (g *graph) pieceSpan(v *value) (span, bool) {
	all := span{math.MaxInt64, math.MinInt64}
	for _, p := range v.args {
		s, ok := g.interval(p.v)
		if !ok {
			return span{}, false
		}
		all = span{min(all.lo, s.lo), max(all.hi, s.hi)}
	}
	return all, true
}

// typeSpan is what an integer type can hold.
func typeSpan(t tensor.Type) (span, bool) {
	w := t.Bits()
	switch {
	case t == tensor.Bool:
		return span{0, 255}, true
	case !t.IsInteger():
		return span{}, false
	case t.IsSigned():
		return span{-1 << (w - 1), 1<<(w-1) - 1}, true
	case w == 64:
		return span{}, false
	default:
		return span{0, 1<<w - 1}, true
	}
}

// operatorSpan computes with spans. An integer result that leaves its type has
// the type's span; a float one is a fact only while it is exact.
func (g *graph) operatorSpan(v *value) (span, bool) {
	if isTruth(v) {
		return span{0, 1}, true
	}
	s, ok := g.rawSpan(v)
	if v.elem == tensor.Uint64 && ok && s.lo >= 0 { // its own span is none of int64
		return s, true
	}
	if v.elem.IsInteger() || v.elem == tensor.Bool {
		if t, fits := typeSpan(v.elem); !ok || (!t.has(s.lo) || !t.has(s.hi)) && g.demands(obWrap) {
			return t, fits
		}
		return s, true
	}
	limit := exactUpTo(v.elem)
	return s, ok && limit > 0 && (s.within(limit) || !g.demands(obExactFloat)) // a type without integers may lack 0
}

// exact reports whether a float operator on known integers is computed without
// rounding. The span of its result does not say so: a table may hold rounded
// results.
func (g *graph) exact(v *value) bool {
	s, ok := g.rawSpan(v)
	limit := exactUpTo(v.elem)
	return ok && limit > 0 && s.within(limit) || !g.demands(obRounding)
}

func (g *graph) rawSpan(v *value) (span, bool) {
	if v.kind != kOp {
		return span{}, false
	}
	in := make([]span, len(v.args))
	for i, a := range v.args {
		s, ok := g.interval(a.v)
		// Where takes its condition as any BOOL.
		if !ok && !(v.run.node.OpType == "Where" && i == 0) {
			return span{}, false
		}
		in[i] = s
	}
	float := v.elem.IsFloat()
	switch v.run.node.OpType {
	case "Cast":
		return in[0], v.elem != tensor.Bool
	case "Add":
		return add(in[0], in[1])
	case "Sub":
		minus, ok := in[1].negated()
		sum, fits := add(in[0], minus)
		return sum, ok && fits
	case "Mul":
		return multiply(in[0], in[1], float && g.demands(obMinusZeroMul))
	case "Neg":
		if float && in[0].has(0) {
			return span{}, false
		}
		return in[0].negated()
	case "Where":
		return span{min(in[1].lo, in[2].lo), max(in[1].hi, in[2].hi)}, true
	case "Max":
		return extreme(in, func(a, b int64) int64 { return max(a, b) }), true
	case "Min":
		return extreme(in, func(a, b int64) int64 { return min(a, b) }), true
	case "Clip":
		if len(in) != 3 {
			return span{}, false // which bound is given is not known here
		}
		return span{min(max(in[0].lo, in[1].lo), in[2].lo), min(max(in[0].hi, in[1].hi), in[2].hi)}, true
	case "BitwiseAnd":
		return andSpan(in[0], in[1])
	case "BitwiseOr", "BitwiseXor":
		return orSpan(in[0], in[1])
	case "Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "And", "Or", "Xor", "Not", "IsNaN", "IsInf":
		return span{0, 1}, true
	}
	return movedSpan(v, in)
}

const spanLimit = 1 << 60

func add(a, b span) (span, bool) {
	if !a.within(spanLimit) || !b.within(spanLimit) {
		return span{}, false
	}
	return span{a.lo + b.lo, a.hi + b.hi}, true
}

// multiply refuses a float product that may be -0.
func multiply(a, b span, float bool) (span, bool) {
	if !a.within(1<<30) || !b.within(1<<30) {
		return span{}, false
	}
	if float && (a.has(0) && b.lo < 0 || b.has(0) && a.lo < 0) {
		return span{}, false
	}
	p := []int64{a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi}
	return span{min(p[0], p[1], p[2], p[3]), max(p[0], p[1], p[2], p[3])}, true
}

func extreme(in []span, f func(a, b int64) int64) span {
	out := in[0]
	for _, s := range in[1:] {
		out = span{f(out.lo, s.lo), f(out.hi, s.hi)}
	}
	return out
}

func andSpan(a, b span) (span, bool) {
	if a.lo < 0 || b.lo < 0 {
		return span{}, false
	}
	return span{0, min(a.hi, b.hi)}, true
}

func orSpan(a, b span) (span, bool) {
	if a.lo < 0 || b.lo < 0 {
		return span{}, false
	}
	return span{0, 1<<bits.Len64(uint64(max(a.hi, b.hi))) - 1}, true
}
