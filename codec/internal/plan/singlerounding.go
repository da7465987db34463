// SPDX-License-Identifier: Apache-2.0

package plan

import "github.com/structview/structview/tensor"

// onceRounded is a DOUBLE that is cast to FLOAT and made of numbers that FLOAT holds, by one operator: that operator in FLOAT. Of
// numbers of 24 bits, a sum, difference, product, quotient or root is either one of 25 bits, or further away from all of those than
// 2^-49 of itself, and DOUBLE rounds by 2^-53 at most: so it stays on its side of what FLOAT rounds at, denormal numbers included, where
// that is fewer bits. Products are exact in DOUBLE. An integer of 32 bits is exact as well.
func (g *graph) onceRounded(op operator, x []lanes) (lanes, bool) {
	if op.elem != tensor.Float || op.run.node.OpType != "Cast" || x[0].v.elem != tensor.Double || x[0].v.kind != kOp {
		return lanes{}, false
	}
	inside := x[0]
	name := inside.v.run.node.OpType
	switch name {
	case "Cast":
		from := inside.operand(0)
		if s, ok := g.interval(from.v); !from.v.elem.IsFloat() && !(ok && s.within(1<<53)) && g.demands(obDouble) {
			return lanes{}, false
		}
		if from.v.elem == tensor.Float {
			return from, true
		}
		return g.castTo(tensor.Float, from)
	case "Add", "Sub", "Mul", "Div", "Sqrt":
	default:
		return lanes{}, false
	}
	operands := make([]lanes, len(inside.v.args))
	for i := range operands {
		var ok bool
		if operands[i], ok = g.heldByFloat(inside.operand(i)); !ok {
			return lanes{}, false
		}
	}
	made := g.operator(name, operands...)
	return made, made.v != nil && made.v.elem == tensor.Float
}

// heldByFloat is lanes of DOUBLE as FLOAT, if that holds each.
func (g *graph) heldByFloat(l lanes) (lanes, bool) {
	held := !g.demands(obDouble)
	if s, ok := g.interval(l.v); ok && s.within(1<<24) {
		held = true
	}
	switch {
	case held:
	case l.v.kind == kConst:
		for _, code := range codes(gather(l)) {
			if x := tensor.ToFloat(tensor.Double, code); float64(float32(x)) != x && x == x {
				return lanes{}, false
			}
		}
	case l.v.kind != kOp || l.v.run.node.OpType != "Cast":
		return lanes{}, false
	case !l.v.args[0].v.elem.IsFloat() || l.v.args[0].v.elem == tensor.Double:
		return lanes{}, false
	}
	return g.castTo(tensor.Float, l) // which takes a Cast to DOUBLE away
}
