// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/tensor"
)

// narrowedLanes is how many floats are narrowed at a time, about: they stay in the first-level cache.
const narrowedLanes = 4096

// floatProgram is the program that makes the output as FLOAT, and how its elements become those of the output; nil if
// stores do more than that. floats is its result, once for all runners.
func (p *Plan) floatProgram() (*kernel.Program, kernel.Narrowing) {
	if p.Program == nil || p.Element == tensor.Float {
		return p.Program, kernel.Narrowing{}
	}
	if !p.Arrange.Plain() {
		return nil, kernel.Narrowing{}
	}
	return p.Program.Floats(p.Stores, p.Lanes)
}

// narrowing prepares for an output whose elements are narrowed floats.
func (r *Runner) narrowing() *kernel.Program {
	p := r.plan
	program, how := p.floats()
	if program == nil {
		return p.Program
	}
	if p.Element != tensor.Float {
		r.tile = max(min(r.tile, narrowedLanes/p.Lanes), 1)
		r.narrowed, r.floats = how.Narrow, make([]float32, r.tile*p.Lanes)
	}
	return program
}

// decodeNarrowed is DecodeBytes by way of floats, a tile at a time.
func (r *Runner) decodeNarrowed(payload []byte, first, n int64, out []byte) {
	lanes, width := int64(r.plan.Lanes), r.plan.Bytes(1)
	for n > 0 {
		tile := r.tiled(payload, first, n, r.floats)
		r.narrowed(r.floats[:tile*lanes], out, r.stream)
		first, n, out = first+tile, n-tile, out[tile*width:]
	}
	if r.stream {
		kernel.Fence()
	}
}
