// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/tensor"
)

// operator is an elementwise ONNX operator ready to be applied.
type operator struct {
	elem tensor.Type // of the result
	run  *literal
}

// apply makes the lanes of an elementwise operator over operands of equal length.
// A lane of the result exists once per distinct tuple of operand lanes: a scale
// that is expanded to every lane is still worked on once a group.
func (g *graph) apply(op operator, operands []lanes) (lanes, error) {
	if len(operands[0].m) == 0 {
		return lanes{}, errEmpty
	}
	if !g.spend(len(operands) * len(operands[0].m)) {
		return lanes{}, errWork
	}
	if split := firstSel(operands); split >= 0 {
		return g.distribute(op, operands, split)
	}
	tuples, inverse := distinct(operands)
	if allConst(tuples) {
		return g.fold(op, tuples, inverse)
	}
	if made, ok := g.rewrite(op, tuples); ok {
		return made.pick(inverse), nil
	}
	v := &value{kind: kOp, elem: op.elem, n: len(tuples[0].m), args: tuples, run: op.run}
	return lanes{g.intern(v), inverse}, nil
}

// rewrite applies the rules that bring different ways of writing one thing
// together.
func (g *graph) rewrite(op operator, x []lanes) (lanes, bool) {
	if made, ok := g.bitRule(op, x); ok {
		return made, true
	}
	if made, ok := g.reading(op, x); ok {
		return made, true
	}
	if made, ok := g.flipped(op, x); ok {
		return made, true
	}
	if made, ok := g.integerFloats(op, x); ok {
		return made, true
	}
	if made, ok := g.onceRounded(op, x); ok {
		return made, true
	}
	if made, ok := g.widening(op, x); ok {
		return made, true
	}
	return g.signChoice(op, x)
}

// distinct keeps one lane per tuple of operand lanes, in order of first use, and
// says for each lane which one it became.
func distinct(operands []lanes) ([]lanes, []int32) {
	for _, o := range operands {
		if inOrder(o.m) {
			return slices.Clone(operands), o.m
		}
	}
	inverse, first := operands[0].renumbered()
	for _, o := range operands[1:] {
		if len(first) < len(inverse) && !constantOver(o.m) {
			inverse, first = combine(inverse, o.m, len(first), o.v.n)
		}
	}
	tuples := make([]lanes, len(operands))
	for i, o := range operands {
		tuples[i] = o.pick(first)
	}
	return tuples, inverse
}

func constantOver(m []int32) bool {
	for _, k := range m {
		if k != m[0] {
			return false
		}
	}
	return true
}

func allConst(operands []lanes) bool {
	for _, o := range operands {
		if o.v.kind != kConst {
			return false
		}
	}
	return true
}

// fold evaluates an operator on constants.
func (g *graph) fold(op operator, tuples []lanes, inverse []int32) (lanes, error) {
	inputs := make([]*tensor.Tensor, len(tuples))
	for i, t := range tuples {
		inputs[i] = gather(t)
	}
	results, err := op.run.call(inputs...)
	if err != nil {
		return lanes{}, err
	}
	return g.constant(results[0]).pick(inverse), nil
}

// gather lists the elements of constant lanes.
func gather(l lanes) *tensor.Tensor {
	return fromCodes(l.v.elem, l.codes())
}

// codes lists the element bits of constant lanes.
func (l lanes) codes() []uint64 {
	data, width := l.v.data.Bytes(), int(l.v.elem.Bits())
	out := make([]uint64, len(l.m))
	for i, k := range l.m {
		out[i] = codeAt(data, width, int(k))
	}
	return out
}
