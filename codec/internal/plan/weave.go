// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"
	"slices"

	"github.com/structview/structview/tensor"
)

// What placing lanes of several buffers costs per 32 of them: those of up to four as vectors, those of more by turns, or one by one.
const (
	costInterleave = 8
	costTurns      = 16
	costMoves      = 48
	mostInterleave = 4
	mostTurns      = 8
)

// maxWeaves bounds the lists of lanes that are looked at for one output.
const maxWeaves = 256

// woven is an output whose lanes are pieces in turns as one value in output order, if that costs less than to
// make each piece by itself and to put its lanes in their places.
func (g *graph) woven(l lanes) lanes {
	if l.v.elem != tensor.Float {
		return l
	}
	pieces, order := outputPieces(l)
	if order == nil || len(pieces) > maxPieces {
		return l
	}
	made, ok := (&weaver{merger: &merger{graph: g, known: map[uint64][]mergeOf{}}}).weave(pieces)
	if !ok {
		return l
	}
	whole := lanes{made.v, make([]int32, len(order))}
	for i, at := range order {
		whole.m[at] = made.m[i]
	}
	plan, ok := g.float(whole)
	if !ok || plan.columns || plan.cost >= g.piecesCost(pieces) {
		return l
	}
	return whole
}

// piecesCost is the cost of pieces, each by itself.
func (g *graph) piecesCost(pieces []lanes) float64 {
	cost, all := 0.0, 0
	for _, p := range pieces {
		plan, ok := g.float(p)
		if !ok {
			return math.Inf(1)
		}
		cost, all = cost+plan.cost*float64(len(p.m)), all+len(p.m)
	}
	cost = cost/float64(all) + costFloatBytes
	switch {
	case len(pieces) <= mostInterleave:
		return cost + costInterleave
	case len(pieces) <= mostTurns:
		return cost + costTurns
	}
	return cost + costMoves
}

// weaver makes one value of lanes of several formulas that are nearly the same: what a formula lacks is a step that
// changes nothing.
type weaver struct {
	*merger
	calls int
}

// weave puts parts end to end, as lanes of one value.
func (w *weaver) weave(parts []lanes) (lanes, bool) {
	if w.calls++; w.calls > maxWeaves || !w.spend(len(parts)) {
		return lanes{}, false
	}
	if made, ok := w.merge(slices.Clone(parts)); ok {
		return made, true
	}
	if !allOf(parts, func(p lanes) bool { return p.v.elem == tensor.Float }) {
		return lanes{}, false
	}
	switch {
	case anyOf(parts, named("Add", "Sub")):
		return w.steps("Add", parts, w.sum)
	case anyOf(parts, named("Mul", "Neg")):
		return w.steps("Mul", parts, w.product)
	case anyOf(parts, named("Cast")) && allOf(parts, func(p lanes) bool { return p.v.kind == kConst || named("Cast")(p) }):
		return w.integers(parts)
	}
	return lanes{}, false
}

func allOf(parts []lanes, is func(lanes) bool) bool {
	return !slices.ContainsFunc(parts, func(p lanes) bool { return !is(p) })
}

func anyOf(parts []lanes, is func(lanes) bool) bool { return slices.ContainsFunc(parts, is) }

// named reports whether lanes are one of some operators.
func named(names ...string) func(lanes) bool {
	return func(l lanes) bool { return l.v.kind == kOp && slices.Contains(names, l.v.run.node.OpType) }
}

// steps weaves operators of two operands.
func (w *weaver) steps(name string, parts []lanes, operands func(lanes) (x, y lanes)) (lanes, bool) {
	x, y := make([]lanes, len(parts)), make([]lanes, len(parts))
	for i, p := range parts {
		if x[i], y[i] = operands(p); x[i].v == nil || y[i].v == nil {
			return lanes{}, false
		}
	}
	for i := range x {
		other := func(l lanes) bool { return l.v == y[i].v }
		if x[i].v.kind == kConst && y[i].v.kind != kConst && !anyOf(y[:i], other) && !anyOf(y[i+1:], other) {
			x[i], y[i] = y[i], x[i]
		}
	}
	first, ok := w.weave(x)
	if !ok {
		return lanes{}, false
	}
	second, ok := w.weave(y)
	if !ok {
		return lanes{}, false
	}
	made := w.operator(name, first, second)
	return made, made.v != nil
}

// sum is lanes as a sum: x - y is x + -y, but for the sign of a NaN, and any x is x + -0.
func (w *weaver) sum(l lanes) (x, y lanes) {
	switch {
	case named("Add")(l):
		return l.operand(0), l.operand(1)
	case named("Sub")(l):
		return l.operand(0), w.negated(l.operand(1))
	}
	return l, w.same(l, math.Copysign(0, -1))
}

// product is lanes as a product: -x is x * -1, any x is x * 1.
func (w *weaver) product(l lanes) (x, y lanes) {
	switch {
	case named("Mul")(l):
		return l.operand(0), l.operand(1)
	case named("Neg")(l):
		return l.operand(0), w.same(l, -1)
	}
	return l, w.same(l, 1)
}

// same is one number for as many lanes.
func (g *graph) same(l lanes, x float64) lanes {
	return g.constant(fromCodes(tensor.Float, []uint64{uint64(math.Float32bits(float32(x)))})).pick(make([]int32, len(l.m)))
}

// integers weaves integers that are cast to FLOAT, and constants among them: whatever their types, they are payload bits of which the highest may be
// a sign, and more or less by a number, which FLOAT adds where nothing rounds.
func (w *weaver) integers(parts []lanes) (lanes, bool) {
	var rows []int32
	var offsets []uint64
	moved, exact := false, true
	for _, p := range parts {
		list, ok := w.whole(p)
		if !ok {
			return lanes{}, false
		}
		for _, x := range list {
			row, ok := x.word()
			if !ok {
				return lanes{}, false
			}
			rows = append(rows, row[:]...)
			offsets = append(offsets, uint64(math.Float32bits(float32(x.offset))))
			moved = moved || x.offset != 0
			bare := linear{terms: x.terms}
			exact = exact && x.span().within(1<<24) && bare.span().within(1<<24)
		}
	}
	if moved && !exact && w.demands(obRounding) {
		return lanes{}, false
	}
	made, ok := w.castTo(tensor.Float, w.signedBits(rows))
	if ok && moved {
		made = w.operator("Add", made, w.constant(fromCodes(tensor.Float, offsets)))
	}
	return made, ok && made.v != nil
}

// whole is lanes of FLOAT as sums: integers that are cast, and known ones that FLOAT adds exactly, which are no -0.
func (w *weaver) whole(l lanes) ([]linear, bool) {
	if l.v.kind != kConst {
		if inside := l.operand(0); inside.v.elem.IsInteger() {
			return w.linears(inside, 0)
		}
		return nil, false
	}
	list := make([]linear, len(l.m))
	for i, code := range l.codes() {
		x := float64(math.Float32frombits(uint32(code)))
		if x != math.Trunc(x) || math.Abs(x) > 1<<24 || x == 0 && code != 0 {
			return nil, false
		}
		list[i].offset = int64(x)
	}
	return list, true
}

// word is the sum, but for its offset, as an INT32's bits.
func (x linear) word() (row [maxLinearBits]int32, ok bool) {
	row, sign, top, ok := x.places()
	if sign == 0 {
		return row, ok && top < maxLinearBits
	}
	for j := sign; j < maxLinearBits; j++ {
		row[j] = row[sign-1]
	}
	return row, ok
}

// signedBits are rows of 32 bits as integers: INT32, or unsigned where no row has the highest.
func (g *graph) signedBits(rows []int32) lanes {
	made := g.payload(tensor.Uint32, rows, maxLinearBits)
	if made.v.width < maxLinearBits {
		return made
	}
	v := &value{kind: kLeaf, elem: tensor.Int32, n: made.v.n, args: []arg{{made.v, iota32(made.v.n)}}}
	return lanes{g.intern(v), made.m}
}
