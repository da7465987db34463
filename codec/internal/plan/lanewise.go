// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"

	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/tensor"
)

// costLanewise is the cost of an operator by itself per 32 lanes.
const costLanewise = 12

// lanewise is an operator on float lanes by itself: what no epilogue takes. Its
// operands are made at their own rates.
func (g *graph) lanewise(l lanes, depth int) (floatPlan, bool) {
	if l.v.kind == kConst {
		return filling(floatsOf(codes(gather(l)))), true
	}
	if p, ok := g.byLane(l); ok {
		return p, true
	}
	if p, ok := g.loop(l, depth); ok {
		return p, true
	}
	return g.evaluated(l, depth)
}

// loop is an operator that has a loop of its own.
func (g *graph) loop(l lanes, depth int) (floatPlan, bool) {
	if l.v.kind != kOp || len(l.v.args) > 2 {
		return floatPlan{}, false
	}
	make, ok := lanewiseOp(l.v.run.node.OpType, len(l.v.args))
	if !ok {
		return floatPlan{}, false
	}
	cost := float64(costLanewise)
	for _, a := range l.v.args {
		if a.v.elem != tensor.Float {
			return floatPlan{}, false
		}
	}
	operands := [2]func(*emitter) kernel.Parameter{1: func(*emitter) kernel.Parameter { return kernel.Parameter{} }}
	for i := range l.v.args {
		emit, each, ok := g.parameter(l.operand(i), depth+1)
		if !ok {
			return floatPlan{}, false
		}
		operands[i], cost = emit, cost+each+costFloatBytes
	}
	return from(len(l.m), cost, func(e *emitter) kernel.Source {
		x, y := operands[0](e), operands[1](e)
		to := e.buffer(kernel.F32, len(l.m))
		e.op(make(x, y, len(l.m), to))
		return kernel.Source{Kind: kernel.FromF32, From: to}
	}), true
}

// filling is floats that are the same in every block.
func filling(values []float32) floatPlan {
	return from(len(values), 0, func(e *emitter) kernel.Source {
		to := e.buffer(kernel.F32, len(values))
		e.op(&kernel.Fill{Values: values, To: to})
		return kernel.Source{Kind: kernel.FromF32, From: to}
	})
}

type makeLanewise func(x, y kernel.Parameter, lanes int, to kernel.BufferID) kernel.Op

// lanewiseOp finds the loop of an operator on FLOAT that computes what eval does, bit
// for bit but for the payloads of NaN.
func lanewiseOp(name string, operands int) (makeLanewise, bool) {
	if op, ok := map[string]kernel.FloatOp{
		"Add": kernel.FAdd, "Sub": kernel.FSub, "Mul": kernel.FMul, "Div": kernel.FDiv,
		"Neg": kernel.FNeg, "Abs": kernel.FAbs, "Sqrt": kernel.FSqrt,
	}[name]; ok {
		return func(x, y kernel.Parameter, lanes int, to kernel.BufferID) kernel.Op {
			return &kernel.Lanewise{Op: op, X: x, Y: y, Lanes: lanes, To: to}
		}, true
	}
	apply := kernel.Apply{Name: name}
	switch {
	case operands == 1:
		apply.One = unary(name)
	case name == "Max":
		apply.Two = greater
	case name == "Min":
		apply.Two = lesser
	}
	return func(x, y kernel.Parameter, lanes int, to kernel.BufferID) kernel.Op {
		k := apply
		k.X, k.Y, k.Lanes, k.To = x, y, lanes, to
		return &k
	}, apply.One != nil || apply.Two != nil
}

func unary(name string) func(float32) float32 {
	switch name {
	case "Floor":
		return func(x float32) float32 { return float32(math.Floor(float64(x))) }
	case "Ceil":
		return func(x float32) float32 { return float32(math.Ceil(float64(x))) }
	case "Round":
		return func(x float32) float32 { return float32(math.RoundToEven(float64(x))) }
	case "Reciprocal":
		return func(x float32) float32 { return 1 / x }
	}
	return nil
}

// greater and lesser give NaN if an operand is NaN, and the first of two zeros.
func greater(x, y float32) float32 {
	if y > x || y != y {
		return y
	}
	return x
}

func lesser(x, y float32) float32 {
	if y < x || y != y {
		return y
	}
	return x
}
