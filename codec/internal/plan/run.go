// SPDX-License-Identifier: Apache-2.0

package plan

import "github.com/structview/structview/codec/internal/kernel"

// tileLanes is how many output elements a tile has, about: its buffers then fit
// the first-level cache.
const tileLanes = 4096

// Runner is the memory of one goroutine that runs a plan's kernels.
type Runner struct {
	plan  *Plan
	frame *kernel.Frame
	tile  int // blocks
	over  int
	tail  []byte
}

// NewRunner allocates what running takes; Decode allocates nothing.
func (p *Plan) NewRunner() *Runner {
	tile := max(tileLanes/max(p.Lanes, 1), 1)
	over := p.Program.Over()
	return &Runner{
		plan: p, tile: tile, over: over, frame: p.Program.NewFrame(tile),
		tail: make([]byte, tile*p.Stride+over),
	}
}

// Decode decodes blocks first to first+n-1 of a payload into out, which has n times
// Lanes elements. payload is the whole payload.
func (r *Runner) Decode(payload []byte, first, n int64, out []float32) {
	stride, lanes := int64(r.plan.Stride), int64(r.plan.Lanes)
	for n > 0 {
		tile := min(n, int64(r.tile))
		from, to := first*stride, (first+tile)*stride
		part := out[:tile*lanes]
		if to+int64(r.over) <= int64(len(payload)) {
			r.frame.Run(payload[from:to+int64(r.over)], int(tile), part)
		} else {
			// The kernels may read past the last block: give them a copy that goes on.
			copied := copy(r.tail, payload[from:to])
			clear(r.tail[copied:])
			r.frame.Run(r.tail, int(tile), part)
		}
		first, n, out = first+tile, n-tile, out[tile*lanes:]
	}
}
