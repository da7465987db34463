// SPDX-License-Identifier: Apache-2.0

package plan

import "github.com/structview/structview/codec/internal/kernel"

// lanewise is an operator on float lanes by itself: what no epilogue takes. Its
// operands are made at their own rates.
func (g *graph) lanewise(l lanes, depth int) (floatPlan, bool) {
	if l.v.kind == kConst {
		return filling(l), true
	}
	if p, ok := g.columns(l, depth); ok {
		return p, true
	}
	return g.alone(l, depth)
}

// alone is lanes that are looked up, each in a table of its own, or that eval computes.
func (g *graph) alone(l lanes, depth int) (floatPlan, bool) {
	if p, ok := g.byLane(l); ok {
		return p, true
	}
	return g.evaluated(l, depth)
}

// filling is floats that are the same in every block.
func filling(l lanes) floatPlan {
	return from(len(l.m), 0, func(e *emitter) kernel.Source {
		to := e.buffer(kernel.F32, len(l.m))
		e.op(&kernel.Fill{Values: floatsOf(l.codes()), To: to})
		return kernel.Source{Kind: kernel.FromF32, From: to}
	})
}
