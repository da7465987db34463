// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math/bits"
	"slices"

	"github.com/structview/structview/tensor"
)

// linear is an integer as a sum: an offset, and a weight for each payload bit that is 1.
type linear struct {
	offset int64
	terms  []weighted // by bit, ascending; no weight is 0. They are not to be changed
}

type weighted struct {
	bit    int32
	weight int64
}

// Bounds of sums.
const (
	maxLinearDepth = 12
	maxLinearBits  = 32
	linearLimit    = 1 << 40
)

// span is what the sum can be.
func (x linear) span() span {
	s := span{x.offset, x.offset}
	for _, t := range x.terms {
		s.lo, s.hi = s.lo+min(t.weight, 0), s.hi+max(t.weight, 0)
	}
	return s
}

// room is memory for the terms of many sums.
type room struct {
	free []weighted
	size int
}

// take returns an empty list for up to n terms.
func (r *room) take(n int) []weighted {
	if len(r.free) < n {
		r.size = max(n, min(2*r.size, 1<<12))
		r.free = make([]weighted, r.size)
	}
	list := r.free[:0:n]
	r.free = r.free[n:]
	return list
}

// plus is x + factor*y.
func (x linear) plus(y linear, factor int64, in *room) linear {
	out := linear{offset: x.offset + factor*y.offset}
	switch {
	case len(y.terms) == 0:
		out.terms = x.terms
		return out
	case len(x.terms) == 0 && factor == 1:
		out.terms = y.terms
		return out
	}
	out.terms = in.take(len(x.terms) + len(y.terms))
	i, j := 0, 0
	for i < len(x.terms) || j < len(y.terms) {
		switch {
		case j == len(y.terms) || i < len(x.terms) && x.terms[i].bit < y.terms[j].bit:
			out.terms, i = append(out.terms, x.terms[i]), i+1
		case i == len(x.terms) || y.terms[j].bit < x.terms[i].bit:
			out.terms, j = append(out.terms, weighted{y.terms[j].bit, factor * y.terms[j].weight}), j+1
		default:
			if w := x.terms[i].weight + factor*y.terms[j].weight; w != 0 {
				out.terms = append(out.terms, weighted{x.terms[i].bit, w})
			}
			i, j = i+1, j+1
		}
	}
	return out
}

// over is x / divisor, if that divides every part of the sum.
func (x linear) over(divisor int64) (linear, bool) {
	if divisor <= 0 || x.offset%divisor != 0 {
		return linear{}, false
	}
	if divisor == 1 {
		return x, true
	}
	out := linear{x.offset / divisor, slices.Clone(x.terms)}
	for i := range out.terms {
		if out.terms[i].weight%divisor != 0 {
			return linear{}, false
		}
		out.terms[i].weight /= divisor
	}
	return out, true
}

// rest is the remainder of x, 0 at least, if the sum of what is left of its parts is one.
func (x linear) rest(divisor int64, demanded bool) (linear, bool) {
	positive := func(n int64) int64 { return (n%divisor + divisor) % divisor }
	out := linear{offset: positive(x.offset)}
	most := out.offset
	for _, t := range x.terms {
		if w := positive(t.weight); w != 0 {
			out.terms = append(out.terms, weighted{t.bit, w})
			if most += w; most >= divisor && demanded {
				return linear{}, false
			}
		}
	}
	return out, true
}

// sumsOf is what has been found out about lanes, that many operators below the first: their sums, nil if there are
// none. Operands may meet again in many ways.
type sumsOf struct {
	list  []linear
	depth int
}

// linears are lanes as sums, if each is an integer that its operator computes without
// rounding and without leaving its type.
func (g *graph) linears(l lanes, depth int) ([]linear, bool) {
	known, found := g.sums.find(l)
	switch {
	case !found:
		known = &sumsOf{}
		g.sums.keep(l, known)
	case known.list != nil || depth >= known.depth:
		return known.list, known.list != nil
	}
	if known.depth = depth; depth > maxLinearDepth || !g.spend(4*len(l.m)) {
		return nil, false
	}
	list, ok := g.structure(l, depth)
	if !ok || !g.holds(l.v, list) {
		if list, ok = g.linearTable(l); !ok {
			list = nil
		}
	}
	known.list = list
	return list, list != nil
}

// holds reports whether sums are numbers of a value's type, without rounding.
func (g *graph) holds(v *value, list []linear) bool {
	t, ok := typeSpan(v.elem)
	if limit := exactUpTo(v.elem); limit > 0 {
		t, ok = span{-limit, limit}, true
		if v.kind == kOp {
			_, ok = g.interval(v) // none is -0
		}
	}
	for _, x := range list {
		s := x.span()
		ok = ok && len(x.terms) <= maxLinearBits && s.within(linearLimit) && t.has(s.lo) && t.has(s.hi)
	}
	return ok
}

func (g *graph) structure(l lanes, depth int) ([]linear, bool) {
	switch l.v.kind {
	case kBits, kLeaf:
		return bitSums(l)
	case kConst:
		out := make([]linear, len(l.m))
		for i, k := range l.m {
			n, ok := integer(l.v.elem, codeAt(l.v.data.Bytes(), int(l.v.elem.Bits()), int(k)))
			if !ok {
				return nil, false
			}
			out[i].offset = n
		}
		return out, l.v.elem != tensor.Bool
	case kSel:
		return g.sumsOfPieces(l, depth)
	case kOp:
		return g.sumsOfOperator(l, depth)
	}
	return nil, false
}

// bitSums are bits with their weights: the highest of a signed leaf counts down.
func bitSums(l lanes) ([]linear, bool) {
	v, m, elem := l.v, l.m, l.v.elem
	if v.kind == kLeaf {
		from := lanes{v.args[0].v, v.args[0].m}.pick(m)
		v, m = from.v, from.m
	}
	if v.kind != kBits || !elem.IsInteger() || elem.Bits() > maxLinearBits {
		return nil, false
	}
	out := make([]linear, len(m))
	all := make([]weighted, len(m)*v.width) // terms of all lanes
	for i, k := range m {
		out[i].terms = all[:0:v.width]
		all = all[v.width:]
		for j, bit := range v.row(k) {
			weight := int64(1) << j
			if elem.IsSigned() && j == int(elem.Bits())-1 {
				weight = -weight
			}
			switch bit {
			case zeroBit:
			case oneBit:
				out[i].offset += weight
			default:
				out[i].terms = append(out[i].terms, weighted{bit, weight})
			}
		}
		out[i].sort()
	}
	return out, true
}

// sort brings terms into order; a bit that is there twice has the sum of its weights.
func (x *linear) sort() {
	ordered := true
	for i := 1; i < len(x.terms) && ordered; i++ {
		ordered = x.terms[i-1].bit < x.terms[i].bit
	}
	if ordered {
		return
	}
	slices.SortFunc(x.terms, func(a, b weighted) int { return int(a.bit - b.bit) })
	kept := x.terms[:0]
	for _, t := range x.terms {
		if n := len(kept); n > 0 && kept[n-1].bit == t.bit {
			kept[n-1].weight += t.weight
			continue
		}
		kept = append(kept, t)
	}
	x.terms = slices.DeleteFunc(kept, func(t weighted) bool { return t.weight == 0 })
}

func (g *graph) sumsOfPieces(l lanes, depth int) ([]linear, bool) {
	of, places := make([][]int32, len(l.v.args)), make([][]int, len(l.v.args))
	for i, k := range l.m {
		p, lane := l.v.piece(k)
		of[p], places[p] = append(of[p], lane), append(places[p], i)
	}
	out := make([]linear, len(l.m))
	for p, m := range of {
		if m == nil {
			continue
		}
		list, ok := g.linears(lanes{l.v.args[p].v, m}, depth+1)
		if !ok {
			return nil, false
		}
		for i, x := range list {
			out[places[p][i]] = x
		}
	}
	return out, true
}

// sumsOfOperator are the sums that an operator makes of its operands' sums.
func (g *graph) sumsOfOperator(l lanes, depth int) ([]linear, bool) {
	name := l.v.run.node.OpType
	if name == "Where" {
		return g.sumsOfChoice(l, depth)
	}
	if len(l.v.args) > 2 || name == "Mod" && attributeInt(l.v.run.node, "fmod", 0) != 0 {
		return nil, false
	}
	x, ok := g.linears(l.operand(0), depth+1)
	if !ok || name == "Cast" || name == "BitCast" && l.v.elem.IsInteger() && l.operand(0).v.elem.IsInteger() {
		return x, ok && l.v.elem != tensor.Bool && g.zeroOrOne(l.operand(0).v)
	}
	if len(l.v.args) != 2 {
		return nil, false
	}
	y, ok := g.linears(l.operand(1), depth+1)
	if !ok {
		return nil, false
	}
	out, in := make([]linear, len(x)), &room{}
	for i := range out {
		if out[i], ok = g.combined(name, x[i], y[i], l.v.elem, in); !ok {
			return nil, false
		}
	}
	return out, true
}

// combined is one operator on sums.
func (g *graph) combined(name string, x, y linear, elem tensor.Type, in *room) (linear, bool) {
	switch name {
	case "Add":
		return x.plus(y, 1, in), true
	case "Sub":
		return x.plus(y, -1, in), true
	case "Mul":
		if len(x.terms) == 0 {
			x, y = y, x
		}
		return linear{}.plus(x, y.offset, in), len(y.terms) == 0 && y.offset != 0
	case "Div":
		if len(y.terms) > 0 {
			return linear{}, false
		}
		return x.over(y.offset)
	case "Mod":
		if len(y.terms) > 0 || y.offset <= 0 {
			return linear{}, false
		}
		return x.rest(y.offset, g.demands(obRemainder))
	case "BitwiseXor":
		if len(x.terms) == 0 {
			x, y = y, x
		}
		return flipped(x, y, elem, in)
	}
	return linear{}, false
}

// flipped is the bits of x, some of them turned round, if x is bits at their places.
func flipped(x, mask linear, elem tensor.Type, in *room) (linear, bool) {
	if len(mask.terms) > 0 || x.offset != 0 || !elem.IsInteger() || elem.Bits() > maxLinearBits {
		return linear{}, false
	}
	weights, there := func(j int) int64 {
		if elem.IsSigned() && j == int(elem.Bits())-1 {
			return -1 << j
		}
		return 1 << j
	}, uint64(0)
	out := linear{terms: append(in.take(len(x.terms)), x.terms...)}
	for i, t := range out.terms {
		j := bits.TrailingZeros64(uint64(t.weight))
		if j >= int(elem.Bits()) || t.weight != weights(j) || there>>j&1 != 0 {
			return linear{}, false
		}
		if there |= 1 << j; mask.offset>>j&1 == 1 {
			out.terms[i].weight = -t.weight
		}
	}
	for j := range int(elem.Bits()) {
		if mask.offset>>j&1 == 1 {
			out.offset += weights(j)
		}
	}
	return out, true
}

// linearTable reads sums off tables.
func (g *graph) linearTable(l lanes) ([]linear, bool) {
	f := g.functions(l.v, maxTable)
	if f == nil {
		return nil, false
	}
	known := map[int32]*linear{}
	out := make([]linear, len(l.m))
	for i, k := range l.m {
		c := f.class[k]
		if c == unknown {
			return nil, false
		}
		x := known[c]
		if x == nil {
			made, ok := sumOfCells(l.v.elem, f.cells[c])
			if !ok {
				return nil, false
			}
			x = &made
			known[c] = x
		}
		out[i] = linear{offset: x.offset, terms: slices.Clone(x.terms)}
		for j := range out[i].terms {
			out[i].terms[j].bit = f.support.of(k)[x.terms[j].bit]
		}
	}
	return out, true
}

// sumOfCells is a table as a sum; bits are by their places in the support.
func sumOfCells(elem tensor.Type, cells []uint64) (linear, bool) {
	values := make([]int64, len(cells))
	for i, c := range cells {
		n, ok := integer(elem, c)
		if !ok || !(span{n, n}).within(linearLimit) {
			return linear{}, false
		}
		values[i] = n
	}
	x := linear{offset: values[0]}
	for j := 0; 1<<j < len(cells); j++ {
		if w := values[1<<j] - values[0]; w != 0 {
			x.terms = append(x.terms, weighted{int32(j), w})
		}
	}
	for i, n := range values {
		sum := x.offset
		for _, t := range x.terms {
			sum += int64(i>>t.bit&1) * t.weight
		}
		if sum != n {
			return linear{}, false
		}
	}
	return x, true
}
