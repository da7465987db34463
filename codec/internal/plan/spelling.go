// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"
	"math/bits"

	"github.com/structview/structview/tensor"
)

// spellings returns the lanes and equal ways to write their outermost product:
// with factors of ±1 moved onto another factor, and with factors of low rate
// multiplied first where that is exact.
func (g *graph) spellings(l lanes) []lanes {
	out := []lanes{l}
	if l.v.run.node.OpType != "Mul" {
		return out
	}
	x, y := l.operand(0), l.operand(1)
	for _, pair := range [][2]lanes{{x, y}, {y, x}} {
		inside, factor := pair[0], pair[1]
		if inside.v.kind != kOp || inside.v.run.node.OpType != "Mul" || len(inside.v.args) != 2 {
			continue
		}
		p, q := inside.operand(0), inside.operand(1)
		if g.isSign(factor) {
			out = append(out, g.migrated(p, q, factor)...)
			out = append(out, g.migrated(q, p, factor)...)
			continue
		}
		out = append(out, g.reassociated(p, q, factor)...)
		out = append(out, g.reassociated(q, p, factor)...)
	}
	return out
}

// migrated writes (p*q)*sign as p*(q*sign), which rounds alike since rounding is
// symmetric. Whether q*sign is a code (0 times -1 is -0, which is none) or a table
// of floats is decided by the facts about it.
func (g *graph) migrated(p, q, sign lanes) []lanes {
	if _, ok := g.interval(q.v); !ok {
		return nil
	}
	code := g.times(q, sign)
	if code.v == nil {
		return nil
	}
	whole := g.times(p, code)
	if whole.v == nil || whole.v.kind != kOp {
		return nil
	}
	return []lanes{whole}
}

// reassociated writes (x*p)*q as x*(p*q), if p and q have a low rate and neither x*p nor p*q
// rounds: then both are the one product of three, rounded once. Zeros, infinities and NaN agree,
// since no product of finite numbers becomes one of them before the last.
func (g *graph) reassociated(x, p, q lanes) []lanes {
	n := len(x.m)
	if rate(p) > n/4 || rate(q) > n/4 {
		return nil
	}
	px, ok1 := g.precision(x.v)
	pp, ok2 := g.precision(p.v)
	pq, ok3 := g.precision(q.v)
	exact := ok1 && ok2 && ok3 && px.times(pp).exact() && pp.times(pq).exact()
	if !exact && g.demands(obReassociate) {
		return nil
	}
	scale := g.times(p, q)
	if scale.v == nil {
		return nil
	}
	whole := g.times(x, scale)
	if whole.v == nil || whole.v.kind != kOp {
		return nil
	}
	return []lanes{whole}
}

// precision bounds the finite values of float lanes: at most digits significant
// bits, the lowest of weight 2^low or more, all below 2^high.
type precision struct{ digits, low, high int }

func (a precision) times(b precision) precision {
	return precision{a.digits + b.digits, a.low + b.low, a.high + b.high}
}

// exact reports whether FLOAT holds every such value.
func (a precision) exact() bool { return a.digits <= 24 && a.low >= -149 && a.high <= 127 }

// precision returns the bound of a value, if there is one.
func (g *graph) precision(v *value) (precision, bool) {
	if !v.facts.measured {
		v.facts.measured = true
		if p, ok := g.findPrecision(v); ok {
			v.facts.precision = &p
		}
	}
	if v.facts.precision == nil {
		return precision{}, false
	}
	return *v.facts.precision, true
}

func (g *graph) findPrecision(v *value) (precision, bool) {
	if s, ok := g.interval(v); ok && s.within(1<<53) {
		n := bits.Len64(uint64(max(-s.lo, s.hi)))
		return precision{n, 0, n}, true
	}
	switch {
	case v.kind == kConst:
		return precisionOf(v.elem, codes(v.data))
	case v.kind == kTab:
		return precisionOf(v.elem, codes(v.data))
	case v.kind == kLeaf && v.elem == tensor.Float16:
		return precision{11, -24, 16}, true
	case v.kind == kLeaf && v.elem == tensor.BFloat16:
		return precision{8, -133, 128}, true
	case v.kind == kLeaf && v.elem == tensor.Float:
		return precision{24, -149, 128}, true
	}
	if t := g.tabulate(v, smallTable); t != nil {
		var all []uint64
		for _, cells := range t.cells {
			all = append(all, cells...)
		}
		return precisionOf(v.elem, all)
	}
	if v.kind != kOp {
		return precision{}, false
	}
	switch v.run.node.OpType {
	case "Cast":
		from := v.args[0].v
		if from.elem != tensor.Float16 && from.elem != tensor.BFloat16 || v.elem != tensor.Float {
			return precision{}, false
		}
		return g.precision(from)
	case "Mul":
		a, ok := g.precision(v.args[0].v)
		b, ok2 := g.precision(v.args[1].v)
		return a.times(b), ok && ok2 && a.times(b).exact()
	}
	return precision{}, false
}

// precisionOf reads a bound off float elements.
func precisionOf(elem tensor.Type, list []uint64) (precision, bool) {
	if !elem.IsFloat() {
		return precision{}, false
	}
	out := precision{0, 1 << 20, -(1 << 20)}
	for _, code := range list {
		x := tensor.ToFloat(elem, code)
		if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		fraction, exponent := math.Frexp(math.Abs(x))
		mantissa := uint64(fraction * (1 << 53))
		zeros := bits.TrailingZeros64(mantissa)
		out.digits = max(out.digits, 53-zeros)
		out.low = min(out.low, exponent-53+zeros)
		out.high = max(out.high, exponent)
	}
	if out.digits == 0 {
		return precision{0, 0, 0}, true
	}
	return out, true
}
