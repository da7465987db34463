// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/tensor"
)

// tileLanes is how many output elements a tile has, about: its code buffers then
// fit the first-level cache, and what a tile costs beside its elements is small.
const tileLanes = 8192

// manyOps is how many kernels make up for a tile twice as large: each does a part of the lanes, and calling it takes
// as long as some dozens of them.
const manyOps = 32

// tileBytes bounds the memory of a tile: programs of thousands of kernels, or with blocks of which few
// bytes become lanes, have smaller tiles.
const tileBytes = 16 << 20

// Runner is the memory of one goroutine that runs a plan's kernels.
type Runner struct {
	plan   *Plan
	frame  *kernel.Frame
	strips *strip.Frame  // in its place
	merged *kernel.Frame // for runs of so many blocks; nil: none
	run    int
	tile   int // blocks
	over   int
	tail   []byte
	block  []byte // of elements that are not written into the output as they are

	floats   []float32 // a tile of the output before it is narrowed
	narrowed func(from []float32, out []byte, stream bool)
	stream   bool // narrowed elements bypass the caches
}

// NewRunner allocates what running takes; Decode allocates nothing.
func (p *Plan) NewRunner() *Runner {
	tile := p.tile()
	if p.Strips != nil {
		return p.newStripRunner(tile)
	}
	r := &Runner{plan: p, tile: tile}
	program := r.narrowing()
	r.over = program.Over()
	r.mergeRuns()
	if tile = r.tile; r.merged != nil {
		tile = r.run
	}
	r.frame = program.NewFrame(tile)
	r.tail = make([]byte, r.tile*p.Stride+r.over)
	if p.Element != tensor.Float && !p.Arrange.Plain() {
		r.block = make([]byte, p.Lanes*p.Arrange.Width)
	}
	return r
}

// tile is how many blocks are worked on at a time.
func (p *Plan) tile() int {
	each := p.Stride
	if p.Program != nil {
		for _, b := range p.Program.Buffers {
			each += 4 * b.Pitch()
		}
	}
	lanes := tileLanes
	if p.Program != nil && len(p.Program.Ops) >= manyOps {
		lanes *= 2
	}
	n := min(lanes/max(p.Lanes, 1), tileBytes/max(each, 1))
	return int(min(int64(max(n, 1)), p.Blocks)) // a small value takes little memory
}

// Bytes is the size of n blocks of the output. Blocks begin at whole bytes.
func (p *Plan) Bytes(n int64) int64 {
	if p.Strips != nil {
		return n * int64(p.Strips.OutBytes)
	}
	return n * int64(p.Arrange.Bytes())
}

// Stream asks for stores that bypass the caches, for values much larger than they
// are: what is written is then not read again soon, and reading the old contents
// first would be half of the work.
func (r *Runner) Stream(on bool) {
	if r.narrowed != nil {
		r.stream = on
		return
	}
	if r.frame != nil {
		r.frame.Stream = on
	}
	if r.merged != nil {
		r.merged.Stream = on
	}
}

// Decode decodes blocks first to first+n-1 of a payload into out, which has n times
// Lanes elements. payload is the whole payload. The output is FLOAT.
func (r *Runner) Decode(payload []byte, first, n int64, out []float32) {
	if r.strips != nil {
		r.decodeStrips(payload, first, n, out)
		return
	}
	lanes := int64(r.plan.Lanes)
	for n > 0 {
		tile := r.tiled(payload, first, n, out)
		first, n, out = first+tile, n-tile, out[tile*lanes:]
	}
	if r.frame.Stream {
		kernel.Fence()
	}
}

// DecodeBytes is Decode for every other element type, into little-endian elements;
// those of less than a byte are packed from the low bits on.
func (r *Runner) DecodeBytes(payload []byte, first, n int64, out []byte) {
	if r.strips != nil {
		r.stripTile(payload, first, n, out)
		return
	}
	if r.narrowed != nil {
		r.decodeNarrowed(payload, first, n, out)
		return
	}
	width := r.plan.Bytes(1)
	for n > 0 {
		tile := r.before(payload, first, min(n, int64(r.tile)), 1)
		from, to := r.blocks(payload, first, tile), out[:tile*width]
		if r.block != nil {
			r.frame.Arrange(from, int(tile), r.plan.Stores, r.plan.Arrange, r.block, to)
		} else {
			r.frame.RunStores(from, int(tile), r.plan.Stores, int(width), to)
		}
		first, n, out = first+tile, n-tile, out[tile*width:]
	}
}

// Copying so many bytes, and so many more for each kernel, takes as long as calling the kernels once more.
const (
	copiedBytes = 4096
	copiedEach  = 2048
)

// before is how many blocks of a tile, in whole runs, are decoded where they lie, if kernels may read behind the payload's
// end for the others: then those alone are copied. It is the whole tile if copying it is no more than another call.
func (r *Runner) before(payload []byte, first, tile, run int64) int64 {
	stride := int64(r.plan.Stride)
	if tile*stride < copiedBytes+copiedEach*int64(len(r.plan.Program.Ops)) {
		return tile
	}
	fit := ((int64(len(payload))-int64(r.over))/stride - first) / run * run
	if fit <= 0 || fit >= tile {
		return tile
	}
	return fit
}

// blocks returns a tile of the payload with the bytes that kernels may read behind it.
// At the payload's end they get a copy that goes on.
func (r *Runner) blocks(payload []byte, first, tile int64) []byte {
	stride, over := int64(r.plan.Stride), int64(r.over)
	from, to := first*stride, (first+tile)*stride
	if to+over <= int64(len(payload)) {
		return payload[from : to+over]
	}
	copied := copy(r.tail, payload[from:to])
	clear(r.tail[copied : to-from+over])
	return r.tail[:to-from+over]
}
