// SPDX-License-Identifier: Apache-2.0

package plan

import "github.com/structview/structview/codec/internal/kernel"

// Runs of blocks are merged so that vectors are whole, those of the smallest piece of the output that is made by itself
// too: vectorLanes lanes if that is not too many, and as many
// parameters as a vector has floats. A run has mergedMost lanes at most. Vectors of blocks of few lanes are
// whole too if their number is right, but then each block has a loop's overhead.
const (
	vectorLanes  = 32
	vectorFloats = 8
	mergedMost   = 2048
	mergedFew    = 64
)

// merge makes the program of runs of blocks and returns their number, 1 if the blocks are
// better off as they are. merged is its result, once for all runners.
func (p *Plan) merge() (*kernel.Program, int) {
	program, _ := p.floats()
	if !kernel.MergePays() || program == nil {
		return nil, 1
	}
	fewest := program.FewestPlaced()
	if fewest >= vectorLanes && p.Lanes%vectorLanes == 0 && (p.Lanes > mergedFew || !p.listed()) {
		return nil, 1
	}
	if p.Program.Stepped() {
		return nil, 1
	}
	n := vectorFloats
	for (n*p.Lanes%vectorLanes != 0 || n*fewest < vectorLanes) && 2*n*p.Lanes <= mergedMost {
		n *= 2
	}
	if n*p.Lanes > mergedMost || p.Blocks < int64(n) {
		return nil, 1
	}
	if merged := program.Merged(n); merged != nil {
		return merged, n
	}
	return nil, 1
}

// listed reports whether codes come from windows, whose descriptors a loop reads one after the other. Loops over
// rows keep theirs in registers as long as a block has few, and gain nothing.
func (p *Plan) listed() bool {
	windows := false
	for _, op := range p.Program.Ops {
		switch k := op.(type) {
		case *kernel.Spread:
			windows = windows || len(k.Bits) >= vectorLanes
		case *kernel.Plane:
			if len(k.Rows) > 0 && k.Rows[0].Len >= rowBytes {
				return false
			}
		}
	}
	return windows
}

// mergeRuns makes the frame for runs of blocks.
func (r *Runner) mergeRuns() {
	program, n := r.plan.merged()
	if r.run = n; program == nil || r.tile < n {
		return
	}
	r.tile = r.tile / n * n
	r.merged = program.NewFrame(r.tile / n)
	r.over = max(r.over, program.Over())
}

// tiled decodes a tile's blocks: whole runs, or fewer blocks than a run.
func (r *Runner) tiled(payload []byte, first, n int64, out []float32) int64 {
	lanes := int64(r.plan.Lanes)
	tile := min(n, int64(r.tile))
	if r.merged == nil || tile < int64(r.run) {
		tile = r.before(payload, first, tile, 1)
		r.frame.Run(r.blocks(payload, first, tile), int(tile), out[:tile*lanes])
		return tile
	}
	runs := r.before(payload, first, tile/int64(r.run)*int64(r.run), int64(r.run)) / int64(r.run)
	tile = runs * int64(r.run)
	r.merged.Run(r.blocks(payload, first, tile), int(runs), out[:tile*lanes])
	return tile
}
