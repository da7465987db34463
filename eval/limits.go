// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/structview/structview/tensor"
)

// Limits bound what a program may use up in one run (SV048). A field of 0 stands for its default.
type Limits struct {
	Elements int64 // elements that nodes read and write, all together
	Bytes    int64 // bytes of the values that are alive at one time
	Nodes    int64 // nodes executed, each iteration of a loop for itself
	Depth    int   // nesting of function calls and subgraphs
}

// The defaults of [Limits].
const (
	DefaultElements = 1 << 36
	DefaultBytes    = 1 << 32
	DefaultNodes    = 1 << 16
	DefaultDepth    = 64
)

// ErrLimit is in the chain of every error that a limit causes.
var ErrLimit = errors.New("limit exceeded")

func (l Limits) withDefaults() Limits {
	fill := func(v *int64, d int64) {
		if *v <= 0 {
			*v = d
		}
	}
	fill(&l.Elements, DefaultElements)
	fill(&l.Bytes, DefaultBytes)
	fill(&l.Nodes, DefaultNodes)
	if l.Depth <= 0 {
		l.Depth = DefaultDepth
	}
	return l
}

// meter counts against limits. It belongs to one run (or one inference).
type meter struct {
	ctx    context.Context
	limits Limits
	left   Limits // what is left of Elements, Bytes and Nodes; Depth is the present depth
	strict bool   // inference refuses shapes beyond the limits
}

func newMeter(ctx context.Context, l Limits) *meter {
	l = l.withDefaults()
	left := l
	left.Depth = 0
	return &meter{ctx: ctx, limits: l, left: left}
}

// node counts one executed node.
func (m *meter) node() error {
	if m.left.Nodes--; m.left.Nodes < 0 {
		return fmt.Errorf("%w: more than %d executed nodes", ErrLimit, m.limits.Nodes)
	}
	return m.ctx.Err()
}

// elements counts n elements that are read or written, or n steps of an inner loop.
func (m *meter) elements(n int64) error {
	if n > m.left.Elements {
		return fmt.Errorf("%w: more than %d elements in all", ErrLimit, m.limits.Elements)
	}
	m.left.Elements -= n
	return nil
}

// take counts bytes that become alive; negative ones are given back.
func (m *meter) take(bytes int64) error {
	if bytes > m.left.Bytes {
		return fmt.Errorf("%w: more than %d bytes at one time", ErrLimit, m.limits.Bytes)
	}
	m.left.Bytes -= bytes
	return nil
}

func (m *meter) enter() error {
	if m.left.Depth++; m.left.Depth > m.limits.Depth {
		return fmt.Errorf("%w: nesting deeper than %d", ErrLimit, m.limits.Depth)
	}
	return nil
}

func (m *meter) leave() { m.left.Depth-- }

// sizeOf returns the bytes of a tensor of a type and shape, for STRING those of the slice headers.
func sizeOf(t tensor.Type, n int64) (int64, error) {
	width := int64(t.Bits())
	if t == tensor.String {
		width = 24 * 8
	}
	if n > (1<<62)/max(width, 1) || n > math.MaxInt/max(width/8, 1) { // an int may have 32 bits
		return 0, fmt.Errorf("%w: %d elements of %v", ErrLimit, n, t)
	}
	return (n*width + 7) / 8, nil
}

// valueSize returns the bytes that a value keeps alive.
func valueSize(v Value) int64 {
	switch v := v.(type) {
	case *tensor.Tensor:
		size, _ := sizeOf(v.Type(), v.Len())
		for _, s := range v.Strings() {
			size += int64(len(s))
		}
		return size + 64
	case *Sequence:
		size := int64(64)
		for _, e := range v.Values {
			size += 16 + valueSize(e)
		}
		return size
	case *Optional:
		return 64 + valueSize(v.Value)
	}
	return 64
}
