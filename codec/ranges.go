// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/structview/structview"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/tensor"
)

// tooMany remembers the least number of rows that were beyond a limit when they were decoded together.
type tooMany struct{ rows atomic.Int64 }

// limit is a number of rows that is not to be tried.
func (m *tooMany) limit() int64 {
	if n := m.rows.Load(); n > 0 {
		return n
	}
	return math.MaxInt64
}

func (m *tooMany) failed(rows int64) {
	if rows < m.limit() {
		m.rows.Store(rows)
	}
}

// decode decodes rows a to b-1 of the output: together, or, where that is beyond a limit, fewer at a time.
func (p *rowProof) decode(ctx context.Context, v structview.View, a, b int64) (*tensor.Tensor, error) {
	if b-a < p.tooMany.limit() {
		t, err := p.run(alone(ctx), v, a, b)
		if !errors.Is(err, eval.ErrLimit) || b-a <= p.ratio {
			return t, err
		}
		p.tooMany.failed(b - a)
	}
	return p.gather(ctx, v, a, b)
}

// gather decodes ranges of rows, which are as small at first as they can be: what is beyond a limit even so costs one
// more try and not one for each size. They grow while they succeed. They share the limit of elements, so that little
// memory for each is no way to much work.
func (p *rowProof) gather(ctx context.Context, v structview.View, a, b int64) (*tensor.Tensor, error) {
	dims := append([]int64{b - a}, p.d.output.Dims[1:]...)
	data, each, err := p.memory(dims)
	if err != nil {
		return nil, err
	}
	left := p.d.env.elements()
	within := func(program *eval.Program, in []eval.Value) ([]eval.Value, error) {
		return program.RunWithin(ctx, &left, in)
	}
	rest := data
	for n := p.ratio; a < b; {
		rows := min(n-a%p.ratio, b-a) // up to a whole row of the payload's
		t, err := p.run(within, v, a, a+rows)
		if errors.Is(err, eval.ErrLimit) && rows > p.ratio {
			p.tooMany.failed(rows)
			n = max(rows/2/p.ratio, 1) * p.ratio
			continue
		}
		if err != nil {
			return nil, err
		}
		copy(rest, t.Bytes())
		rest, a = rest[rows*each:], a+rows
		if 2*n < p.tooMany.limit() {
			n *= 2
		}
	}
	return tensor.New(p.d.output.Element, dims, data)
}

// memory is what a tensor of the output's type takes, and the bytes of one of its rows.
func (p *rowProof) memory(dims []int64) (data []byte, each int64, err error) {
	n, err := tensor.Count(dims)
	if err != nil {
		return nil, 0, err
	}
	width := int64(p.d.output.Element.Bits())
	if most := min(p.d.env.bytes(), math.MaxInt); n > most/max(width, 8)*8 {
		return nil, 0, fmt.Errorf("decoder: %w: %v takes more than %d bytes", eval.ErrLimit, eval.TensorType(p.d.output.Element, dims...), most)
	}
	bits := n / dims[0] * width
	if width == 0 || bits%8 != 0 {
		return nil, 0, fmt.Errorf("decoder: %w: rows of %d bits of %v are not decoded some at a time", eval.ErrLimit, bits, p.d.output.Element)
	}
	return make([]byte, n*width/8), bits / 8, nil
}
