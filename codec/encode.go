// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/structview/structview"
	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/internal/fault"
	"github.com/structview/structview/tensor"
)

// strips is an encoder that runs as a program of strips, with the memory of those who run it.
type strips struct {
	plan    *plan.Encoding
	workers int       // goroutines for one value
	frames  sync.Pool // *strip.Frame
}

// pieceValues is pieceLanes for encoders, which do more for each value.
const pieceValues = pieceLanes / 2

// strips plans the encoder when that is first asked for. It is nil if the encoder runs through eval,
// for the reasons of explain.
func (e *encoder) strips() *strips {
	e.planned.Do(func() { e.fast, e.reasons = e.makePlan() })
	return e.fast
}

func (e *encoder) makePlan() (*strips, []string) {
	if e.env.Literal {
		return nil, []string{"the caller asked for the literal evaluator"}
	}
	if e.input.Kind != eval.KindTensor || !e.input.Static() || slices.Contains(e.input.Dims, 0) {
		return nil, []string{"the value has no elements, or its dimensions are not known before it runs"}
	}
	p, err := plan.Encoder(e.root, e.root.Encoder(), e.input, plan.Env{
		Functions: e.env.Functions, Opsets: e.env.Opsets, Limits: e.env.Limits,
	})
	switch {
	case err != nil:
		return nil, append(p.Reasons, err.Error())
	case p.Program == nil:
		return nil, p.Reasons
	case !e.matches(p):
		return nil, append(p.Reasons, "the plan does not have the size of the value")
	}
	s := &strips{plan: p, workers: e.env.Parallelism}
	if s.workers <= 0 {
		s.workers = runtime.GOMAXPROCS(0)
	}
	return s, p.Reasons
}

// matches compares a plan's account of value and payload with the types, before memory is
// reached through it.
func (e *encoder) matches(p *plan.Encoding) bool {
	size, whole := e.root.Bytes()
	n, err := tensor.Count(e.input.Dims)
	return whole && err == nil && p.Blocks > 0 && p.Values > 0 &&
		n/p.Blocks == int64(p.Values) && n%p.Blocks == 0 &&
		p.Program.InBytes == p.Values*int(e.input.Element.Bits()/8) && p.Program.OutBytes == p.Stride &&
		size/uint64(p.Blocks) == uint64(p.Stride) && size%uint64(p.Blocks) == 0
}

// errMisfit says that some component's value does not fit: eval says which.
var errMisfit = errors.New("a component's value does not fit its width")

// run encodes n blocks from first on into dst.
func (s *strips) run(ctx context.Context, x []byte, first, n int64, dst []byte) error {
	chunk, piece := pieces(s.workers, n, int64(s.plan.Values), pieceValues)
	if piece == n {
		return s.blocks(ctx, x, first, n, chunk, dst)
	}
	stride := int64(s.plan.Stride)
	return inParallel(s.workers, n, piece, func(at, m int64) error {
		return s.blocks(ctx, x, first+at, m, chunk, dst[at*stride:(at+m)*stride])
	})
}

// blocks encodes in this goroutine, some blocks at a time.
func (s *strips) blocks(ctx context.Context, x []byte, first, n, chunk int64, dst []byte) error {
	f, _ := s.frames.Get().(*strip.Frame)
	if f == nil {
		f = s.plan.Program.NewFrame()
	}
	defer s.frames.Put(f)
	in, out := int64(s.plan.Program.InBytes), int64(s.plan.Stride)
	return fault.Guard(func() error {
		for at := int64(0); at < n; at += chunk {
			if err := ctx.Err(); err != nil {
				return err
			}
			m := min(chunk, n-at)
			if !f.Run(x[(first+at)*in:(first+at+m)*in], int(m), dst[at*out:(at+m)*out]) {
				return errMisfit
			}
		}
		return nil
	})
}

// size is the payload's size in bytes.
func (e *encoder) size() (uint64, error) {
	size, ok := e.root.Bytes()
	if !ok {
		return 0, fmt.Errorf("encoder: %w: the type is %d bits, no whole number of bytes", structview.ErrAlignment, e.root.Bits())
	}
	return size, nil
}

// accepts checks that x is what the encoder takes.
func (e *encoder) accepts(x *tensor.Tensor) error {
	if got := plain(eval.TypeOf(x)); !fits(e.input, got) {
		return fmt.Errorf("encoder: input %q: expected %v, found %v", e.name, plain(e.input), got)
	}
	return nil
}

// fresh encodes into new memory.
func (e *encoder) fresh(ctx context.Context, x *tensor.Tensor) ([]byte, error) {
	if err := e.accepts(x); err != nil {
		return nil, err
	}
	s := e.strips()
	if s == nil {
		return e.run(alone(ctx), x)
	}
	size, err := e.size()
	if err != nil {
		return nil, err
	}
	if most := uint64(min(e.env.bytes(), math.MaxInt)); size > most {
		return nil, fmt.Errorf("encoder: %w: the payload takes %d bytes, more than %d", eval.ErrLimit, size, most)
	}
	payload := make([]byte, size)
	err = s.run(ctx, x.Bytes(), 0, s.plan.Blocks, payload)
	switch {
	case errors.Is(err, errMisfit):
		return e.run(alone(ctx), x) // which says what does not fit
	case err != nil:
		return nil, err
	}
	return payload, nil
}

// EncodeInto is Encode into the caller's memory: dst has exactly the root's size. Where the encoder runs as
// strips (see [Codec.ExplainEncoder]) nothing is allocated after the first calls. After an error dst holds anything.
func (c *Codec) EncodeInto(ctx context.Context, x *tensor.Tensor, dst []byte) error {
	e := c.encoder
	if e == nil {
		return c.lacking
	}
	if err := e.accepts(x); err != nil {
		return err
	}
	size, err := e.size()
	if err != nil {
		return err
	}
	if uint64(len(dst)) != size {
		return fmt.Errorf("encoder: %d bytes were given for %d", len(dst), size)
	}
	if s := e.strips(); s != nil {
		if err := s.run(ctx, x.Bytes(), 0, s.plan.Blocks, dst); !errors.Is(err, errMisfit) {
			return err
		}
	}
	return fault.Guard(func() error {
		payload, err := e.run(alone(ctx), x)
		copy(dst, payload)
		return err
	})
}

// EncodeTo encodes and writes the payload. Where the encoder runs as strips, memory is bounded, whatever the size of the
// value; x may be memory of a mapped file.
func (c *Codec) EncodeTo(ctx context.Context, x *tensor.Tensor, w io.Writer) error {
	e := c.encoder
	if e == nil {
		return c.lacking
	}
	if err := e.accepts(x); err != nil {
		return err
	}
	s := e.strips()
	if s == nil {
		payload, err := c.Encode(ctx, x)
		if err == nil {
			_, err = w.Write(payload)
		}
		return err
	}
	each := min(max(streamLanes/int64(s.plan.Values), 1), s.plan.Blocks)
	buffer := make([]byte, each*int64(s.plan.Stride))
	for at := int64(0); at < s.plan.Blocks; at += each {
		n := min(each, s.plan.Blocks-at)
		part := buffer[:n*int64(s.plan.Stride)]
		err := s.run(ctx, x.Bytes(), at, n, part)
		if errors.Is(err, errMisfit) {
			if _, precise := c.Encode(ctx, x); precise != nil {
				err = precise // which says what does not fit
			}
		}
		if err != nil {
			return err
		}
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
