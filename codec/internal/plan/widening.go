// SPDX-License-Identifier: Apache-2.0

package plan

import "github.com/structview/structview/tensor"

// isHalf reports whether arithmetic on a type is that of FLOAT, rounded.
func isHalf(elem tensor.Type) bool { return elem == tensor.Float16 || elem == tensor.BFloat16 }

// widening takes a cast of a half type to FLOAT in front of an operator whose result is not rounded: choices, limits,
// signs, and arithmetic on integers that the half type holds.
func (g *graph) widening(op operator, x []lanes) (lanes, bool) {
	if op.run.node.OpType != "Cast" || op.elem != tensor.Float || x[0].v.kind != kOp || !isHalf(x[0].v.elem) {
		return lanes{}, false
	}
	v, first := x[0].v, 0
	switch v.run.node.OpType {
	case "Cast":
		from := x[0].operand(0)
		s, ok := g.interval(from.v)
		if !ok || !from.v.elem.IsInteger() || !s.within(exactUpTo(v.elem)) && g.demands(obHalf) {
			return lanes{}, false
		}
		return g.castTo(tensor.Float, from)
	case "Where":
		first = 1
	case "Max", "Min", "Abs", "Neg", "Floor", "Ceil", "Round", "Sign", "Relu":
	case "Add", "Sub", "Mul":
		if !g.exact(v) {
			return lanes{}, false
		}
	default:
		return lanes{}, false
	}
	operands := make([]lanes, len(v.args))
	for i := range operands {
		if operands[i] = x[0].operand(i); i < first {
			continue
		}
		var ok bool
		if operands[i], ok = g.castTo(tensor.Float, operands[i]); !ok {
			return lanes{}, false
		}
	}
	made, err := g.apply(operator{tensor.Float, v.run}, operands)
	return made, err == nil
}
