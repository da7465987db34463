// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math/bits"

	"github.com/structview/structview/tensor"
)

// bitRule applies integer operators that only move bits: masks, shifts, products,
// quotients and remainders by powers of two, sums without carries, casts. The
// result is again made of payload bits, so that ways of writing one field meet.
func (g *graph) bitRule(op operator, x []lanes) (lanes, bool) {
	if !op.elem.IsInteger() && op.elem != tensor.Bool {
		return lanes{}, false
	}
	for _, o := range x {
		if o.v.kind != kBits && !(o.v.kind == kConst && g.nonNegative(o.v)) {
			return lanes{}, false
		}
	}
	switch op.run.node.OpType {
	case "Cast":
		return g.castBits(op.elem, x[0])
	case "BitwiseAnd":
		if made, ok := g.masked(op.elem, x); ok {
			return made, true
		}
		return g.combineBits(op.elem, x, andBit)
	case "BitwiseOr":
		return g.combineBits(op.elem, x, orBit)
	case "BitwiseXor", "Add":
		return g.combineBits(op.elem, x, disjointBit)
	case "BitShift":
		return g.shiftBits(op, x)
	case "Mul", "Div", "Mod":
		return g.powerOfTwo(op, x)
	}
	return lanes{}, false
}

// valueBits is how many low bits of an integer type hold nonnegative values.
func valueBits(t tensor.Type) int {
	switch {
	case t == tensor.Bool:
		return 1
	case t.IsSigned():
		return int(t.Bits()) - 1
	default:
		return int(t.Bits())
	}
}

// nonNegative reports whether a constant is made of integers from 0 on.
func (g *graph) nonNegative(v *value) bool {
	if !v.elem.IsInteger() && v.elem != tensor.Bool {
		return false
	}
	limit := valueBits(v.elem)
	for _, c := range codes(v.data) {
		if bits.Len64(c) > limit {
			return false
		}
	}
	return true
}

// asBits writes nonnegative constants as bits.
func (g *graph) asBits(l lanes) lanes {
	if l.v.kind == kBits {
		return l
	}
	all := codes(l.v.data)
	width := 1
	for _, c := range all {
		width = max(width, bits.Len64(c))
	}
	rows := make([]int32, 0, len(all)*width)
	for _, c := range all {
		for j := range width {
			rows = append(rows, zeroBit-int32(c>>j&1))
		}
	}
	made := g.payload(l.v.elem, rows, width)
	return made.pick(l.m)
}

// castBits keeps the bits if the target type holds them. An unsigned target
// drops the others, as the cast does; a signed one would read its sign from them.
func (g *graph) castBits(to tensor.Type, x lanes) (lanes, bool) {
	x = g.asBits(x)
	limit := valueBits(to)
	switch {
	case x.v.width <= limit:
	case (to.IsSigned() || to == tensor.Bool) && g.demands(obSignBit):
		return lanes{}, false
	}
	width := min(x.v.width, limit)
	if made, ok := g.cutFields(to, x, nil, nil, width); ok {
		return made, true
	}
	return g.remake(to, x, width, func(row []int32, out []int32) { copy(out, row) }), true
}

// remake builds lanes of a given width from each lane's row.
func (g *graph) remake(elem tensor.Type, x lanes, width int, fill func(row, out []int32)) lanes {
	rows := make([]int32, len(x.m)*width)
	for i := range rows {
		rows[i] = zeroBit
	}
	for i, l := range x.m {
		fill(x.v.row(l), rows[i*width:(i+1)*width])
	}
	return g.payload(elem, rows, width)
}

// bitFunc combines two bits; ok is false if the result is no bit of the payload.
type bitFunc func(a, b int32) (bit int32, ok bool)

func andBit(a, b int32) (int32, bool) {
	switch {
	case a == zeroBit || b == zeroBit:
		return zeroBit, true
	case a == oneBit:
		return b, true
	default:
		return a, b == oneBit || a == b
	}
}

func orBit(a, b int32) (int32, bool) {
	switch {
	case a == oneBit || b == oneBit:
		return oneBit, true
	case a == zeroBit:
		return b, true
	default:
		return a, b == zeroBit || a == b
	}
}

// disjointBit is Xor and Add where no carry arises.
func disjointBit(a, b int32) (int32, bool) {
	if a == zeroBit {
		return b, true
	}
	return a, b == zeroBit
}

func (g *graph) combineBits(elem tensor.Type, x []lanes, f bitFunc) (lanes, bool) {
	a, b := g.asBits(x[0]), g.asBits(x[1])
	common, width := min(a.v.width, b.v.width), max(a.v.width, b.v.width)
	if zero, _ := f(zeroBit, 0); zero == zeroBit { // a mask
		width = common
	}
	rows := make([]int32, 0, len(a.m)*width)
	for i := range a.m {
		p, q := a.v.row(a.m[i]), b.v.row(b.m[i])
		for j := range common {
			bit, ok := f(p[j], q[j])
			if !ok && g.demands(obDisjoint) {
				return lanes{}, false
			}
			rows = append(rows, bit)
		}
		if len(p) < len(q) {
			p = q
		}
		rows = append(rows, p[common:width]...) // beside zeros they stay
	}
	return g.payload(elem, rows, width), true
}

// shiftBits is BitShift by constants, which may differ from lane to lane.
func (g *graph) shiftBits(op operator, x []lanes) (lanes, bool) {
	if x[1].v.kind != kConst {
		return lanes{}, false
	}
	left := attributeString(op.run.node, "direction") == "LEFT"
	return g.shifted(op.elem, x[0], x[1].codes(), left), true
}

// shifted moves lane i by by[i] bits; what leaves the type is dropped.
func (g *graph) shifted(elem tensor.Type, x lanes, by []uint64, left bool) lanes {
	x = g.asBits(x)
	width := valueBits(elem)
	if !left {
		if made, ok := g.cutFields(elem, x, by, nil, width); ok {
			return made
		}
	}
	i := 0
	return g.remake(elem, x, width, func(row, out []int32) {
		shift := int(min(by[i], 64))
		i++
		for j, bit := range row {
			to := j - shift
			if left {
				to = j + shift
			}
			if to >= 0 && to < len(out) {
				out[to] = bit
			}
		}
	})
}

// powerOfTwo is Mul, Div and Mod of bits by powers of two.
func (g *graph) powerOfTwo(op operator, x []lanes) (lanes, bool) {
	name := op.run.node.OpType
	if name == "Mul" && x[0].v.kind == kConst {
		x = []lanes{x[1], x[0]}
	}
	if x[1].v.kind != kConst {
		return lanes{}, false
	}
	by := x[1].codes()
	for i, c := range by {
		if bits.OnesCount64(c) != 1 {
			return lanes{}, false
		}
		by[i] = uint64(bits.TrailingZeros64(c))
	}
	switch name {
	case "Div":
		return g.shifted(op.elem, x[0], by, false), true
	case "Mod":
		return g.low(op.elem, x[0], by), true
	default:
		return g.product(op.elem, x[0], by)
	}
}

// product shifts left; a signed type must hold every bit, an unsigned one wraps.
func (g *graph) product(elem tensor.Type, x lanes, by []uint64) (lanes, bool) {
	x = g.asBits(x)
	if elem.IsSigned() && g.demands(obPushedOut) {
		for i, l := range x.m {
			row := x.v.row(l)
			for j, bit := range row {
				if bit != zeroBit && uint64(j)+by[i] >= uint64(valueBits(elem)) {
					return lanes{}, false
				}
			}
		}
	}
	return g.shifted(elem, x, by, true), true
}

// low keeps the low by[i] bits of lane i.
func (g *graph) low(elem tensor.Type, x lanes, by []uint64) lanes {
	x = g.asBits(x)
	if made, ok := g.cutFields(elem, x, nil, by, x.v.width); ok {
		return made
	}
	i := 0
	return g.remake(elem, x, x.v.width, func(row, out []int32) {
		copy(out, row[:min(int(by[i]), len(row))])
		i++
	})
}
