// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/codec/internal/strip"
)

// Step is how well a decoder can be run: the lower the better.
type Step int

// The steps of the ladder. Plan knows the first four; below them a decoder runs
// through eval, by ranges of rows or as a whole.
const (
	Fused    Step = iota + 1 // codes and parameters, joined by one epilogue
	LowRate                  // operators by themselves make parameters, the epilogue is fused
	Strips                   // a program of strips: every operator by itself, on many blocks
	Lanewise                 // operators by themselves work on every lane
	ByRows                   // eval, on ranges of rows
	Whole                    // eval, on the whole value
)

// Step returns the step of a plan with a program, and the operators that stand by
// themselves, each with the number of its lanes in a block.
func (p *Plan) Step() (Step, []string) {
	if p.Strips != nil {
		return Strips, nil
	}
	step, alone := Fused, []string{}
	for _, op := range p.Program.Ops {
		name, n := "", 0
		switch k := op.(type) {
		case *kernel.Evaluate:
			name, n = k.Name+", which the evaluator computes,", k.Lanes
		case *kernel.Expression:
			if name, n = k.Operations(), k.Lanes; name == "" {
				name = "conversion"
			}
		default:
			continue
		}
		alone = append(alone, fmt.Sprintf("%s on %d of %d lanes", strings.ToLower(name), n, p.Lanes))
		if 4*n > p.Lanes {
			step = Lanewise
		} else {
			step = max(step, LowRate)
		}
	}
	return step, onceEach(alone)
}

// Evaluates reports whether the evaluator makes some of what kernels work on.
func (p *Plan) Evaluates() bool {
	return p.Program != nil && slices.ContainsFunc(p.Program.Ops, func(op kernel.Op) bool { _, ok := op.(*kernel.Evaluate); return ok })
}

// calls reports whether a kernel on many lanes calls a function for each.
func (p *Plan) calls() bool {
	for _, op := range p.Program.Ops {
		if k, ok := op.(*kernel.Evaluate); ok && 4*k.Lanes > p.Lanes {
			return true
		}
	}
	return false
}

// Kernels lists kernels and stores, or the operations of strips, in the order in which they run,
// one a line.
func (p *Plan) Kernels() []string {
	var out []string
	if p.Strips != nil {
		return append(out, Operations(p.Strips)...)
	}
	for _, op := range p.Program.Ops {
		out = append(out, op.String())
	}
	for _, s := range p.Stores {
		out = append(out, s.String())
	}
	return out
}

// Operations counts the steps of a program by operation, in the order of first use.
func Operations(p *strip.Program) []string {
	var order []strip.Code
	count := map[strip.Code]int{}
	for _, op := range p.Ops {
		if count[op.Code] == 0 {
			order = append(order, op.Code)
		}
		count[op.Code] += len(op.Steps)
	}
	list := make([]string, len(order))
	for i, code := range order {
		list[i] = fmt.Sprintf("%s x%d", code, count[code])
	}
	return list
}
