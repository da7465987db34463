// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/tensor"
)

// reading treats a BitCast of payload bits as a leaf: the same bits, read as
// another type.
func (g *graph) reading(op operator, x []lanes) (lanes, bool) {
	if op.run.node.OpType != "BitCast" || op.elem.Bits() != x[0].v.elem.Bits() {
		return lanes{}, false
	}
	from := x[0]
	if from.v.kind == kLeaf {
		from = lanes{from.v.args[0].v, from.v.args[0].m}.pick(from.m)
	}
	if from.v.kind != kBits {
		return lanes{}, false
	}
	plain := unsigned(op.elem.Bits())
	bits := g.payloadAs(plain, from)
	if op.elem == plain {
		return bits, true
	}
	v := &value{kind: kLeaf, elem: op.elem, n: bits.v.n, args: []arg{{bits.v, iota32(bits.v.n)}}}
	return lanes{g.intern(v), bits.m}, true
}

// payloadAs gives bits another integer type that holds them.
func (g *graph) payloadAs(elem tensor.Type, x lanes) lanes {
	if x.v.elem == elem {
		return x
	}
	if made, ok := g.cutFields(elem, x, nil, nil, x.v.width); ok {
		return made
	}
	return g.payload(elem, x.v.bits, x.v.width).pick(x.m)
}

// integerFloats computes sums and products of integers in a float type on their
// bits: below 2^24 both are exact, and none of them is -0.
func (g *graph) integerFloats(op operator, x []lanes) (lanes, bool) {
	limit := exactUpTo(op.elem)
	if limit == 0 {
		return lanes{}, false
	}
	if op.run.node.OpType == "Cast" {
		// One integer type for all, so that they merge.
		if x[0].v.kind != kBits || x[0].v.elem == tensor.Uint32 || x[0].v.width > 24 {
			return lanes{}, false
		}
		made, err := g.apply(op, []lanes{g.payloadAs(tensor.Uint32, x[0])})
		return made, err == nil
	}
	if name := op.run.node.OpType; name != "Add" && name != "Mul" {
		return lanes{}, false
	}
	operands := make([]lanes, len(x))
	for i, o := range x {
		bits, ok := g.integerBits(o)
		if !ok {
			return lanes{}, false
		}
		operands[i] = bits
	}
	return g.onBits(op, operands, limit)
}

// integerBits returns the bits of lanes that are nonnegative integers cast to a
// float type.
func (g *graph) integerBits(l lanes) (lanes, bool) {
	if l.v.kind == kConst {
		s, ok := g.interval(l.v)
		if !ok || s.lo < 0 || s.hi >= 1<<24 {
			return lanes{}, false
		}
		list := l.codes()
		for i, c := range list {
			n, _ := integer(l.v.elem, c)
			list[i] = uint64(n)
		}
		return g.constant(fromCodes(tensor.Uint32, list)), true
	}
	if l.v.kind != kOp || l.v.run.node.OpType != "Cast" {
		return lanes{}, false
	}
	from := l.operand(0)
	return from, from.v.kind == kBits && from.v.elem == tensor.Uint32 && from.v.width <= 24
}

// onBits applies the integer operator and casts the result.
func (g *graph) onBits(op operator, x []lanes, limit int64) (lanes, bool) {
	made, ok := lanes{}, false
	if op.run.node.OpType == "Add" {
		made, ok = g.combineBits(tensor.Uint32, x, disjointBit)
	} else {
		made, ok = g.powerOfTwo(operator{tensor.Uint32, op.run}, x)
	}
	if !ok || made.v.kind != kBits {
		return lanes{}, false
	}
	s, ok := bitSpan(made.v)
	if !ok || s.hi > limit || g.lost(op, x, s.hi) {
		return lanes{}, false
	}
	cast, ok := g.castTo(op.elem, made)
	return cast, ok
}

// lost reports whether a product left the type in which it was computed.
func (g *graph) lost(op operator, x []lanes, high int64) bool {
	if op.run.node.OpType != "Mul" {
		return false
	}
	a, ok1 := g.interval(x[0].v)
	b, ok2 := g.interval(x[1].v)
	product, ok := multiply(a, b, false)
	return !ok1 || !ok2 || !ok || product.hi >= 1<<32
}

func (g *graph) castTo(to tensor.Type, x lanes) (lanes, bool) {
	run, err := g.literals.plain("Cast", 1, to)
	if err != nil {
		return lanes{}, false
	}
	made, err := g.apply(operator{to, run}, []lanes{x})
	return made, err == nil
}

// signChoice writes c ? x : -x as x * (c ? 1 : -1), which is the same for every x
// (a NaN for a NaN).
func (g *graph) signChoice(op operator, x []lanes) (lanes, bool) {
	if op.run.node.OpType != "Where" || op.elem != tensor.Float || x[1].v.kind == kConst || x[2].v.kind == kConst {
		return lanes{}, false
	}
	plus, minus := uint64(0x3f800000), uint64(0xbf800000)
	base := x[1]
	switch {
	case isNegation(x[2], x[1]):
	case isNegation(x[1], x[2]):
		base, plus, minus = x[2], minus, plus
	default:
		return lanes{}, false
	}
	one := g.constant(fromCodes(tensor.Float, []uint64{plus})).pick(make([]int32, len(x[0].m)))
	other := g.constant(fromCodes(tensor.Float, []uint64{minus})).pick(make([]int32, len(x[0].m)))
	sign, err := g.apply(op, []lanes{x[0], one, other})
	if err != nil {
		return lanes{}, false
	}
	product := g.times(base, sign)
	return product, product.v != nil
}

// isNegation reports whether a is Neg of b, lane by lane.
func isNegation(a, b lanes) bool {
	if a.v.kind != kOp || a.v.run.node.OpType != "Neg" {
		return false
	}
	inside := a.operand(0)
	return inside.v == b.v && slices.Equal(inside.m, b.m)
}
