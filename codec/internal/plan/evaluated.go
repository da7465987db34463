// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"
	"strings"

	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/tensor"
)

// Costs of what works lane by lane, per 32 lanes.
const (
	costEvaluated = 400
	costByLane    = 40
	maxByLane     = 1 << 12 // elements of the tables: 16 KiB
)

// carried reports whether FLOAT holds every element that a value can have, so that a
// buffer of floats can stand for it.
func (g *graph) carried(v *value) bool {
	switch {
	case v.elem == tensor.Double || v.elem.IsComplex() || v.elem.Bits() == 0:
		return false
	case v.elem.IsFloat() || v.elem == tensor.Bool:
		return true
	}
	s, ok := g.interval(v)
	return ok && (s.within(1<<24) || !g.demands(obCarried))
}

// evaluated is an operator by itself that has no loop of its own: eval computes it,
// many lanes at a time. Its operands are carried as FLOAT, whatever their type.
func (g *graph) evaluated(l lanes, depth int) (floatPlan, bool) {
	if known, ok := g.eval.find(l); ok {
		return known, known.emit != nil
	}
	plan, ok := g.findEvaluated(l, depth)
	g.eval.keep(l, plan)
	return plan, ok
}

func (g *graph) findEvaluated(l lanes, depth int) (floatPlan, bool) {
	inside := l
	if l.v.kind == kOp && l.v.run.node.OpType == "Cast" && l.v.args[0].v.elem != tensor.Float {
		if inside = l.operand(0); inside.v.kind != kOp {
			return floatPlan{}, false
		}
	}
	v := inside.v
	if v.kind != kOp || !g.carried(v) || !total(v) {
		return floatPlan{}, false
	}
	cost := float64(costEvaluated)
	emits, types := make([]func(*emitter) kernel.Parameter, len(v.args)), make([]tensor.Type, len(v.args))
	for i := range v.args {
		x := inside.operand(i)
		types[i] = x.v.elem
		ok := g.carried(x.v)
		if ok && x.v.elem != tensor.Float {
			x, ok = g.castTo(tensor.Float, x)
		}
		if !ok {
			return floatPlan{}, false
		}
		emit, each, ok := g.parameter(x, depth+1)
		if !ok {
			return floatPlan{}, false
		}
		emits[i], cost = emit, cost+each
	}
	call := v.run.floats(v.elem, types)
	if !g.spend(leastEffort/effortUnits) || !works(call, len(types)) {
		return floatPlan{}, false
	}
	return from(len(l.m), cost, func(e *emitter) kernel.Source {
		k := &kernel.Evaluate{Name: strings.ToLower(v.run.node.OpType), Func: call, Lanes: len(l.m)}
		for _, emit := range emits {
			k.In = append(k.In, emit(e))
		}
		k.To = e.buffer(kernel.F32, len(l.m))
		e.op(k)
		return kernel.Source{Kind: kernel.FromF32, From: k.To}
	}), true
}

// total reports whether an operator has a result for all elements of its operands'
// types: eval ends with an error where an integer is divided by 0.
func total(v *value) bool {
	integers := v.elem.IsInteger()
	for _, a := range v.args {
		integers = integers || a.v.elem.IsInteger()
	}
	name := v.run.node.OpType
	if !integers {
		return name != "Mod" && name != "BitCast"
	}
	return slices.Contains([]string{
		"Abs", "Add", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "Cast", "Clip", "Equal", "Greater", "GreaterOrEqual",
		"Less", "LessOrEqual", "Max", "Mean", "Min", "Mul", "Neg", "Sign", "Sub", "Sum", "Where",
	}, name)
}

// floats is the operator as a function of float32, exact where FLOAT carries its
// operands and its result.
func (l *literal) floats(result tensor.Type, types []tensor.Type) func(out []float32, in [][]float32) {
	return func(out []float32, in [][]float32) {
		operands := make([]*tensor.Tensor, len(in))
		for i, x := range in {
			operands[i] = uncarried(x, types[i])
		}
		results, err := l.decode(operands...)
		if err != nil || results[0].Type() != result || results[0].Len() != int64(len(out)) {
			panic("plan: an operator failed that has a result for all operands: " + l.node.OpType)
		}
		floats, err := tensor.Convert(results[0], tensor.Float, true, tensor.RoundNearest)
		if err != nil {
			panic(err) // both are real types
		}
		copy(out, tensor.Slice[float32](floats))
	}
}

// uncarried gives floats their element type back.
func uncarried(x []float32, to tensor.Type) *tensor.Tensor {
	t, err := tensor.FromSlice(tensor.Float, []int64{int64(len(x))}, x)
	if err == nil {
		t, err = tensor.Convert(t, to, false, tensor.RoundNearest)
	}
	if err != nil {
		panic(err) // both are real types
	}
	return t
}

// works tries a function once, at the size at which it will be called.
func works(call func(out []float32, in [][]float32), operands int) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	in := make([][]float32, operands)
	for i := range in {
		in[i] = make([]float32, kernel.MostEvaluated)
	}
	call(make([]float32, kernel.MostEvaluated), in)
	return true
}

// byLane is lanes that are functions of at most 8 payload bits, but not all of the same.
func (g *graph) byLane(l lanes) (floatPlan, bool) {
	t := g.tabulate(l.v, smallTable)
	if t == nil || t.width == 0 || len(t.cells)<<t.width > maxByLane {
		return floatPlan{}, false
	}
	begin := make([]int32, len(l.m))
	for i, k := range l.m {
		begin[i] = t.class[k] << t.width
	}
	codes, ok := unpack(t.support.rows(l.m, t.width), kernel.Post{})
	if !ok {
		return floatPlan{}, false
	}
	table := make([]float32, 0, len(t.cells)<<t.width)
	for _, cells := range t.cells {
		table = append(table, floatsOf(cells)...)
	}
	return from(len(l.m), codes.cost+costByLane, func(e *emitter) kernel.Source {
		k := &kernel.ByLane{From: inBuffer(e, codes.emit(e), len(l.m)), Begin: begin, Table: table}
		k.To = e.buffer(kernel.F32, len(l.m))
		e.op(k)
		return kernel.Source{Kind: kernel.FromF32, From: k.To}
	}), true
}
