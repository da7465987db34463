// SPDX-License-Identifier: Apache-2.0

package plan

// flipped takes an operator that only moves or masks bits into an exclusive or with a constant: all of them are sums
// of bits without carries. So fields of flipped bytes are flipped fields, and those of several operators meet.
func (g *graph) flipped(op operator, x []lanes) (lanes, bool) {
	if op.elem.IsSigned() || !op.elem.IsInteger() || len(x) != 2 || x[1].v.kind != kConst {
		return lanes{}, false
	}
	inner := x[0].v
	if inner.kind != kOp || inner.run.node.OpType != "BitwiseXor" || inner.elem != op.elem || !movesBits(op, x[1]) {
		return lanes{}, false
	}
	bits, with := x[0].operand(0), x[0].operand(1)
	if bits.v.kind == kConst {
		bits, with = with, bits
	}
	if bits.v.kind != kBits || with.v.kind != kConst {
		return lanes{}, false
	}
	moved, err := g.apply(op, []lanes{bits, x[1]})
	if err != nil {
		return lanes{}, false
	}
	flips, err := g.apply(op, []lanes{with, x[1]})
	if err != nil {
		return lanes{}, false
	}
	made, err := g.apply(operator{op.elem, inner.run}, []lanes{moved, flips})
	return made, err == nil
}

// movesBits reports whether an operator of an unsigned type keeps each bit where it is, moves it or drops it.
func movesBits(op operator, by lanes) bool {
	switch op.run.node.OpType {
	case "BitwiseAnd", "BitShift":
		return true
	case "Div", "Mod", "Mul":
		for _, c := range by.codes() {
			if c == 0 || c&(c-1) != 0 {
				return false
			}
		}
		return true
	}
	return false
}
