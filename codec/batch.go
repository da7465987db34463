// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"errors"
	"fmt"
	"slices"

	"github.com/structview/structview/tensor"
)

// batch proves, from shapes alone, that each output lane depends on one block of the payload.
//
// A cut of the root takes its outermost array dimensions as the batch: blocks of them lie one after the
// other. A value that depends on the payload keeps the batch in front: either its first dimensions
// have just as many elements as there are blocks, or it is merged, with the blocks still in order but no
// dimension between them. Values that depend on no payload are constant, and must not vary along the batch.
type batch struct {
	flow   *flow
	blocks int64
	state  []lanes
}

// lanes says where the blocks are in a value.
type lanes struct {
	constant bool
	merged   bool
	prefix   int // the number of batch dimensions
}

// prove follows the blocks through all steps; the error names the node that breaks the batch.
func (b *batch) prove() error {
	for i := range b.flow.steps {
		s := &b.flow.steps[i]
		if err := b.step(s); err != nil {
			return fmt.Errorf("%s: %w", s.Path, err)
		}
	}
	if b.state[b.flow.output].constant {
		return errors.New("the output does not depend on the payload")
	}
	return nil
}

func (b *batch) step(s *step) error {
	constant := true
	for _, v := range s.in {
		constant = constant && (v < 0 || b.state[v].constant)
	}
	for _, v := range s.Captured {
		constant = constant && b.state[v.ID].constant
	}
	done := true
	for _, v := range s.out {
		if v >= 0 {
			b.state[v].constant = constant || b.flow.types[v].Known != nil
			done = done && b.state[v].constant
		}
	}
	if done {
		return nil
	}
	for _, v := range append(slices.Clone(s.in), s.out...) {
		if v >= 0 && !b.flow.types[v].Static() && !b.state[v].constant {
			return errors.New("its dimensions are not known before it runs")
		}
	}
	rule, ok := rules()[s.Op]
	if !ok || s.Domain != "" {
		return errors.New("nothing is known about its rows")
	}
	return rule(b, s)
}

func (b *batch) dims(v int) []int64 { return b.flow.types[v].Dims }

// in is the state and shape of input i.
func (b *batch) in(s *step, i int) (lanes, []int64) { return b.state[s.in[i]], b.dims(s.in[i]) }

func given(s *step, i int) bool { return i < len(s.in) && s.in[i] >= 0 }

// ints are the elements of a known integer input.
func (b *batch) ints(s *step, i int) ([]int64, bool) {
	if !given(s, i) || b.flow.types[s.in[i]].Known == nil {
		return nil, false
	}
	v, err := tensor.Int64s(b.flow.types[s.in[i]].Known)
	return v, err == nil
}

// prefix is how many of the first dimensions hold the blocks, -1 if no number of them does.
func (b *batch) prefix(dims []int64) int {
	n := int64(1)
	for i, d := range dims {
		if n == b.blocks {
			return i
		}
		n *= d
	}
	if n == b.blocks {
		return len(dims)
	}
	return -1
}

// set gives every output the same prefix, after checking that it holds the blocks.
func (b *batch) set(s *step, prefix int) error {
	for _, v := range s.out {
		if v < 0 {
			continue
		}
		if prefix < 0 || b.prefix(b.dims(v)) != prefix {
			return fmt.Errorf("the result %v does not keep the %d blocks in front", plain(b.flow.types[v]), b.blocks)
		}
		b.state[v] = lanes{prefix: prefix}
	}
	return nil
}

// first is the prefix of the first input, which must have one and no merged dimension.
func (b *batch) first(s *step) (int, error) {
	switch l, _ := b.in(s, 0); {
	case l.constant:
		return 0, errors.New("its first input is constant, and another one depends on the payload")
	case l.merged:
		return 0, errors.New("rows are merged into one dimension before it")
	default:
		return l.prefix, nil
	}
}

// rest demands that the inputs from i on are constant.
func (b *batch) rest(s *step, i int) error {
	for ; i < len(s.in); i++ {
		if given(s, i) && !b.state[s.in[i]].constant {
			return fmt.Errorf("input %d depends on the payload", i)
		}
	}
	return nil
}

// inner checks that axes of a tensor of the given rank are none of the batch.
func inner(axes []int64, rank, prefix int) error {
	for _, a := range axes {
		at := a
		if at < 0 {
			at += int64(rank)
		}
		if at < int64(prefix) && prefix == 1 {
			return fmt.Errorf("axis %d is the dimension that holds the rows", a)
		}
		if at < int64(prefix) {
			return fmt.Errorf("axis %d is one of the %d dimensions that hold the rows", a, prefix)
		}
	}
	return nil
}
