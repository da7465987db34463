// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/internal/fault"
	"github.com/structview/structview/tensor"
)

// kernels is a decoder that runs as tile kernels, with the memory of those who run it.
type kernels struct {
	plan    *plan.Plan
	workers int       // goroutines for one value
	runners sync.Pool // *plan.Runner
	perRow  int64     // blocks of one index of the output's first dimension; 0: rows are not independent
}

// chunkLanes is how many elements a goroutine decodes at most before it looks at its context and
// takes the next piece: a fraction of a millisecond's work, and 1 MiB of output.
const chunkLanes = 1 << 18

// pieceLanes is how many a worker takes at least: some tens of microseconds' work, as waking another one takes some of them.
const pieceLanes = 1 << 16

// streamBytes is the size of an output from which on it is written past the caches: more
// than the last-level cache of one core's share holds.
const streamBytes = 16 << 20

// fused plans the decoder when that is first asked for. It is nil if the decoder runs through
// eval, for the reasons of explain.
func (d *decoder) fused() *kernels {
	d.planned.Do(func() { d.kernels, d.reasons = d.makePlan() })
	return d.kernels
}

func (d *decoder) makePlan() (*kernels, []string) {
	if d.env.Literal {
		return nil, []string{"the caller asked for the literal evaluator"}
	}
	if size, _ := d.root.Bytes(); size == 0 || !d.output.Static() || slices.Contains(d.output.Dims, 0) {
		return nil, []string{"the value has no elements, or its dimensions are not known before it runs"}
	}
	p, err := plan.Decoder(d.root, d.root.Decoder(), plan.Env{
		Functions: d.env.Functions, Opsets: d.env.Opsets, Limits: d.env.Limits,
	})
	switch {
	case err != nil:
		return nil, append(p.Reasons, err.Error())
	case !p.Runs():
		return nil, p.Reasons
	case !d.matches(p):
		return nil, append(p.Reasons, "the plan does not have the size of the value")
	}
	k := &kernels{plan: p, workers: d.env.Parallelism}
	if k.workers <= 0 {
		k.workers = runtime.GOMAXPROCS(0)
	}
	if p.RowIndependent() {
		k.perRow = p.Blocks / p.Dims[0]
	}
	return k, p.Reasons
}

// matches compares a plan's account of the value with the inferred one, before memory is
// reached through it.
func (d *decoder) matches(p *plan.Plan) bool {
	size, whole := d.root.Bytes()
	n, err := tensor.Count(d.output.Dims)
	return whole && err == nil && d.output.Static() && p.Element == d.output.Element &&
		slices.Equal(p.Dims, d.output.Dims) && p.Blocks > 0 && p.Lanes > 0 &&
		n/p.Blocks == int64(p.Lanes) && n%p.Blocks == 0 &&
		size/uint64(p.Blocks) == uint64(p.Stride) && size%uint64(p.Blocks) == 0
}

// elements is memory for output: of floats for FLOAT, of bytes for every other type.
type elements struct {
	floats []float32
	bytes  []byte
}

// elements makes memory for n blocks.
func (k *kernels) elements(n int64) elements {
	if k.plan.Element != tensor.Float || k.plan.Strips != nil {
		return elements{bytes: make([]byte, k.plan.Bytes(n))}
	}
	return elements{floats: make([]float32, n*int64(k.plan.Lanes))}
}

// cut is the memory of n blocks from block at on.
func (k *kernels) cut(e elements, at, n int64) elements {
	if e.bytes != nil {
		return elements{bytes: e.bytes[k.plan.Bytes(at):k.plan.Bytes(at+n)]}
	}
	lanes := int64(k.plan.Lanes)
	return elements{floats: e.floats[at*lanes : (at+n)*lanes]}
}

// tensor takes the memory over.
func (k *kernels) tensor(e elements, dims []int64) (*tensor.Tensor, error) {
	if e.bytes != nil {
		return tensor.New(k.plan.Element, dims, e.bytes)
	}
	return tensor.FromSlice(tensor.Float, dims, e.floats)
}

// run decodes n blocks from first on into out.
func (k *kernels) run(ctx context.Context, payload []byte, first, n int64, out elements) error {
	lanes := int64(k.plan.Lanes)
	stream := k.plan.Bytes(n) > streamBytes
	chunk, piece := pieces(k.workers, n, lanes, pieceLanes)
	if piece == n {
		return k.blocks(ctx, payload, first, n, chunk, out, stream)
	}
	return inParallel(k.workers, n, piece, func(at, m int64) error {
		return k.blocks(ctx, payload, first+at, m, chunk, k.cut(out, at, m), stream)
	})
}

// pieces is how many blocks of the given lanes are decoded between looks at the context, and how many a worker takes at a time: all, if
// there is not enough for two with at least so many lanes. Of some pieces for each worker the last ones end at about the same time.
func pieces(workers int, n, lanes, least int64) (chunk, piece int64) {
	chunk = max(chunkLanes/lanes, 1)
	count := min(n/max(least/lanes, 1), int64(4*workers))
	if workers == 1 || count < 2 {
		return chunk, n
	}
	if count > int64(workers) {
		count -= count % int64(workers)
	}
	return chunk, min((n+count-1)/count, chunk)
}

// inParallel hands out pieces of n blocks to workers, of which the caller is one, until all are done or one fails.
func inParallel(workers int, n, piece int64, run func(at, m int64) error) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	var failed atomic.Pointer[error]
	work := func() {
		for failed.Load() == nil {
			at := next.Add(piece) - piece
			if at >= n {
				return
			}
			if err := run(at, min(piece, n-at)); err != nil {
				failed.CompareAndSwap(nil, &err)
			}
		}
	}
	for range min(int64(workers), (n+piece-1)/piece) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// blocks decodes in this goroutine, some blocks at a time.
func (k *kernels) blocks(ctx context.Context, payload []byte, first, n, chunk int64, out elements, stream bool) error {
	r, _ := k.runners.Get().(*plan.Runner)
	if r == nil {
		r = k.plan.NewRunner()
	}
	defer k.runners.Put(r)
	r.Stream(stream)
	return fault.Guard(func() error {
		for at := int64(0); at < n; at += chunk {
			if err := ctx.Err(); err != nil {
				return err
			}
			m := min(chunk, n-at)
			if part := k.cut(out, at, m); part.bytes != nil {
				r.DecodeBytes(payload, first+at, m, part.bytes)
			} else {
				r.Decode(payload, first+at, m, part.floats)
			}
		}
		return nil
	})
}

// fresh decodes n blocks from first on, which have the given dimensions, into new memory.
func (d *decoder) fresh(ctx context.Context, k *kernels, payload []byte, dims []int64, first, n int64) (*tensor.Tensor, error) {
	count, err := tensor.Count(dims)
	if err != nil {
		return nil, err
	}
	width := int64(max(k.plan.Element.Bits()/8, 1))
	if most := min(d.env.bytes(), math.MaxInt); count > most/width {
		return nil, fmt.Errorf("decoder: %w: %v takes more than %d bytes", eval.ErrLimit, eval.TensorType(k.plan.Element, dims...), most)
	}
	out := k.elements(n)
	if err := k.run(ctx, payload, first, n, out); err != nil {
		return nil, err
	}
	return k.tensor(out, dims)
}

// bytes is the limit of bytes that are alive at one time.
func (e Env) bytes() int64 {
	if e.Limits.Bytes > 0 {
		return e.Limits.Bytes
	}
	return eval.DefaultBytes
}

// elements is the limit of elements that one run reads and writes.
func (e Env) elements() int64 {
	if e.Limits.Elements > 0 {
		return e.Limits.Elements
	}
	return eval.DefaultElements
}
