// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/structview/structview/codec/internal/kernel"
)

// Step is how well a decoder can be run: the lower the better.
type Step int

// The steps of the ladder. Plan knows the first three; below them a decoder runs
// through eval, by ranges of rows or as a whole.
const (
	Fused    Step = iota + 1 // codes and parameters, joined by one epilogue
	LowRate                  // operators by themselves make parameters, the epilogue is fused
	Lanewise                 // operators by themselves work on every lane
	ByRows                   // eval, on ranges of rows
	Whole                    // eval, on the whole value
)

// Step returns the step of a plan with a program, and the operators that stand by
// themselves, each with the number of its lanes in a block.
func (p *Plan) Step() (Step, []string) {
	step, alone := Fused, []string{}
	for _, op := range p.Program.Ops {
		name, n := "", 0
		switch k := op.(type) {
		case *kernel.Lanewise:
			name, n = k.Op.String(), k.Lanes
		case *kernel.Apply:
			name, n = k.Name, k.Lanes
		case *kernel.Evaluate:
			name, n = k.Name, k.Lanes
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
	return step, slices.Compact(alone)
}

// Kernels lists kernels and stores in the order in which they run, one a line.
func (p *Plan) Kernels() []string {
	var out []string
	for _, op := range p.Program.Ops {
		out = append(out, op.String())
	}
	for _, s := range p.Stores {
		out = append(out, s.String())
	}
	return out
}
