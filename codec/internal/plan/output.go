// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"

	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/tensor"
)

// form is how far an epilogue has come, from the inside out.
type form int

const (
	bare_    form = iota // x
	shifted_             // x - Z
	scaled_              // … * A or / A
	offset_              // … + B
	signed_              // … * S
)

// costDear is a cost from which on epilogues in a row are looked for: that of a gather from a large table.
const costDear = 128

// costColumns is a cost from which on operators by themselves are looked at as well.
const costColumns = 112

// longChain is how many operators in a row are looked at as a whole before their operands are searched.
const longChain = 10

// float matches lanes of FLOAT as one epilogue: ((source - Z) * A + B) * S, with
// parameters at their own rates.
func (g *graph) float(l lanes) (floatPlan, bool) { return g.floatAt(l, signed_, 0) }

func (g *graph) floatAt(l lanes, upTo form, depth int) (floatPlan, bool) {
	if depth > maxMatch || l.v.elem != tensor.Float {
		return floatPlan{}, false
	}
	matches := g.floats[upTo]
	if g.fusedOnly {
		matches = g.fused[upTo]
	}
	if known, ok := matches.find(l); ok {
		return known, known.emit != nil
	}
	if !g.spend(4*len(l.m) + 32) {
		return floatPlan{}, false
	}
	plan, ok := g.findChain(l, upTo, depth)
	if upTo == signed_ && (!ok || plan.cost > costGrouped || plan.columns && plan.cost > costTabled) {
		if p, fits := g.grouped(l, depth); fits && (!ok || p.cost < plan.cost) {
			plan, ok = p, true
		}
	}
	matches.keep(l, plan)
	return plan, ok
}

// findChain is findFloat. A long chain that one pass can make is that pass, or one epilogue: all else would do a part of it.
func (g *graph) findChain(l lanes, upTo form, depth int) (floatPlan, bool) {
	if g.fusedOnly || upTo < signed_ || l.v.depth < longChain {
		return g.findFloat(l, upTo, depth)
	}
	g.fusedOnly = true
	plan, fused := g.floatAt(l, upTo, depth)
	g.fusedOnly = false
	if fused && plan.cost <= costColumns {
		return plan, true
	}
	pass, ok := g.columns(l, depth)
	switch {
	case !ok:
		return g.findFloat(l, upTo, depth)
	case !fused || pass.cost < plan.cost:
		return pass, true
	}
	return plan, true
}

func (g *graph) findFloat(l lanes, upTo form, depth int) (floatPlan, bool) {
	var plans []floatPlan
	if p, ok := g.source(l); ok {
		plans = append(plans, p)
	}
	if p, ok := g.held(l, depth); ok {
		plans = append(plans, p)
	}
	if l.v.kind == kOp && len(l.v.args) == 2 {
		if upTo > bare_ {
			for _, v := range g.spellings(l) {
				plans = append(plans, g.peel(v, upTo, depth)...)
			}
		}
		if best, ok := cheapestFloat(plans); !g.fusedOnly && (!ok || best.cost > costDear) {
			if p, ok := g.stored(l, upTo, depth); ok {
				plans = append(plans, p)
			}
		}
	}
	best, ok := cheapestFloat(plans)
	switch {
	case g.fusedOnly:
		return best, ok
	case !ok:
		return g.lanewise(l, depth)
	case best.columns || best.apart || best.cost > costColumns && len(l.m) >= 8 && l.v.kind == kOp && l.v.run.node.OpType != "Cast":
		if p, ok := g.columns(l, depth); ok && p.cost < best.cost {
			return p, true
		}
	}
	return best, true
}

// stored is an epilogue of its own, whose floats another goes on with: for steps that come in another order
// than one epilogue has them, or twice.
func (g *graph) stored(l lanes, upTo form, depth int) (floatPlan, bool) {
	if upTo == signed_ {
		return floatPlan{}, false
	}
	whole, ok := g.floatAt(l, signed_, depth+1)
	if !ok {
		return floatPlan{}, false
	}
	plan := from(len(l.m), whole.cost+costFloatBytes, func(e *emitter) kernel.Source {
		return kernel.Source{Kind: kernel.FromF32, From: whole.buffer(e, l)}
	})
	plan.apart, plan.pair = !whole.product, whole.product
	return plan, true
}

// peel takes the outermost operator as a step of the epilogue, in every way that
// fits what may still come.
func (g *graph) peel(l lanes, upTo form, depth int) []floatPlan {
	if l.v.kind != kOp || len(l.v.args) != 2 {
		return nil
	}
	x, y := l.operand(0), l.operand(1)
	var plans []floatPlan
	try := func(at form, inside, with lanes, set func(*kernel.Epilogue, kernel.Parameter)) {
		if at > upTo || with.v == nil || at != signed_ && !fewOrAll(rate(with), len(l.m)) {
			return
		}
		if p, ok := g.step(inside, with, at, depth, set); ok {
			p.product = p.product && l.v.run.node.OpType == "Mul"
			plans = append(plans, p)
		}
	}
	switch l.v.run.node.OpType {
	case "Add":
		try(offset_, x, y, setB)
		try(offset_, y, x, setB)
		if g.negatedPays(y, upTo) {
			try(shifted_, x, g.negated(y), setZ)
		}
		if g.negatedPays(x, upTo) {
			try(shifted_, y, g.negated(x), setZ)
		}
	case "Sub":
		try(offset_, x, y, setSubtrahend)
		try(shifted_, x, y, setZ)
	case "Mul":
		for _, pair := range [][2]lanes{{x, y}, {y, x}} {
			try(scaled_, pair[0], pair[1], setA)
			if g.isSign(pair[1]) {
				try(signed_, pair[0], pair[1], setS)
			}
		}
	case "Div":
		if by, ok := g.inverted(l); ok {
			try(scaled_, x, by, setA)
			break
		}
		try(scaled_, x, y, setDivisor)
	}
	return plans
}

// negatedPays reports whether -x may be subtracted for less than x is added. If more may come than a sum, both can be, and then
// only a table or a constant is negated for nothing.
func (g *graph) negatedPays(x lanes, upTo form) bool {
	return upTo < offset_ || x.v.kind != kOp || g.tabulate(x.v, smallTable) != nil
}

// fewOrAll reports whether loops have operands of so many values for so many lanes: groups of four lanes and
// more share one, or each lane has its own.
func fewOrAll(values, lanes int) bool { return values <= max(lanes/4, 1) || values == lanes }

func setZ(k *kernel.Epilogue, p kernel.Parameter)          { k.Z = p }
func setA(k *kernel.Epilogue, p kernel.Parameter)          { k.A = p }
func setDivisor(k *kernel.Epilogue, p kernel.Parameter)    { k.A, k.Div = p, true }
func setB(k *kernel.Epilogue, p kernel.Parameter)          { k.B = p }
func setSubtrahend(k *kernel.Epilogue, p kernel.Parameter) { k.B, k.SubB = p, true }

func setS(k *kernel.Epilogue, p kernel.Parameter) { k.S = p }

// step matches what is inside a step and the step's parameter.
func (g *graph) step(inside, with lanes, at form, depth int, set func(*kernel.Epilogue, kernel.Parameter)) (floatPlan, bool) {
	parameter, cost, ok := g.parameter(with, depth)
	if !ok {
		return floatPlan{}, false
	}
	body, ok := g.floatAt(inside, at-1, depth+1)
	if !ok || body.rows && rate(with) == len(inside.m) && at != signed_ {
		return floatPlan{}, false
	}
	if body.columns {
		cost += costEpilogue + costFloatBytes
	}
	_, known := uniform(with)
	apart := body.apart || body.columns || !known && rate(with) == len(inside.m) && len(inside.m) > 1
	plan := floatPlan{cost: body.cost + costStep + cost, steps: body.steps + 1, rows: body.rows, apart: apart, emit: func(e *emitter) *kernel.Epilogue {
		k := body.emit(e)
		set(k, parameter(e))
		return k
	}}
	switch plan.product = at == scaled_ && plan.steps == 1; {
	case body.pair && plan.product: // one loop
		plan.cost, plan.joined = plan.cost-costPair, true
	case body.pair:
		plan.apart = true
	case body.joined:
		plan.cost, plan.apart = plan.cost+costPair, true
	}
	return plan, true
}

// parameter matches an operand of an epilogue at its own rate: one value, one per
// group of lanes, or one per column.
func (g *graph) parameter(l lanes, depth int) (func(*emitter) kernel.Parameter, float64, bool) {
	if code, ok := uniform(l); ok {
		value := math.Float32frombits(uint32(code))
		return func(*emitter) kernel.Parameter { return kernel.Parameter{Kind: kernel.Const, Value: value} }, 0, true
	}
	kind, n := kernel.Group, groupOf(l.m)
	own := l.every(n)
	if n < 8 && !inOrder(l.m) {
		if p := period(l.m); p < len(own.m) {
			kind, n, own = kernel.Period, p, l.pick(iota32(p))
		}
	}
	if own.v.kind == kConst {
		return func(e *emitter) kernel.Parameter {
			to := e.buffer(kernel.F32, len(own.m))
			e.op(&kernel.Fill{Values: floatsOf(own.codes()), To: to})
			return kernel.Parameter{Kind: kind, N: n, Buffer: to}
		}, float64(len(own.m)) / float64(len(l.m)), true
	}
	was := g.fusedOnly
	g.fusedOnly = was && 4*len(own.m) > len(l.m)
	plan, ok := g.floatAt(own, signed_, depth+1)
	g.fusedOnly = was
	if !ok {
		return nil, 0, false
	}
	if plan.buffered {
		plan.cost -= costEpilogue
	}
	cost := plan.cost*float64(len(own.m))/float64(len(l.m)) + 32/float64(n)
	return func(e *emitter) kernel.Parameter {
		return kernel.Parameter{Kind: kind, N: n, Buffer: plan.buffer(e, own)}
	}, cost, true
}

// buffer emits float lanes into a buffer, once for equal lanes.
func (p floatPlan) buffer(e *emitter, l lanes) kernel.BufferID {
	if known, ok := e.floats.find(l); ok {
		return known
	}
	k := p.emit(e)
	to := k.Source.From
	if k.Form() != "f32" {
		to = e.buffer(kernel.F32, len(l.m))
		k.To = to
		e.op(k)
	}
	e.floats.keep(l, to)
	return to
}

// negated is -x, which is exact. x - b is x + (-b), bit for bit but for the sign of
// a NaN.
func (g *graph) negated(x lanes) lanes { return g.operator("Neg", x) }

func (g *graph) times(x, y lanes) lanes { return g.operator("Mul", x, y) }

// operator applies an operator without attributes that every opset has.
func (g *graph) operator(name string, operands ...lanes) lanes {
	run, err := g.literals.plain(name, len(operands), 0)
	if err != nil {
		return lanes{}
	}
	made, err := g.apply(operator{tensor.Float, run}, operands)
	if err != nil {
		return lanes{}
	}
	return made
}
