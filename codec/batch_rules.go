// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// rules say what each operator does to the batch. An operator without one breaks it.
var rules = sync.OnceValue(func() map[string]func(*batch, *step) error {
	m := map[string]func(*batch, *step) error{
		"CastLike":         func(b *batch, s *step) error { return b.elementwise(s, s.in[:1]) },
		"Reshape":          (*batch).reshape,
		"Flatten":          (*batch).reshape,
		"Squeeze":          (*batch).reshape,
		"Unsqueeze":        (*batch).reshape,
		"Transpose":        (*batch).transpose,
		"Concat":           (*batch).concat,
		"Split":            func(b *batch, s *step) error { return b.alongAxis(s, s.int("axis", 0)) },
		"Slice":            (*batch).slice,
		"Expand":           (*batch).expand,
		"Gather":           (*batch).gather,
		"GatherElements":   (*batch).gatherElements,
		"GatherND":         (*batch).gatherND,
		"CumSum":           (*batch).axisInput,
		"CumProd":          (*batch).axisInput,
		"Trilu":            func(b *batch, s *step) error { return b.lastAxes(s, 2) },
		"DepthToSpace":     func(b *batch, s *step) error { return b.lastAxes(s, 3) },
		"SpaceToDepth":     func(b *batch, s *step) error { return b.lastAxes(s, 3) },
		"ArgMax":           func(b *batch, s *step) error { return b.alongAxis(s, s.int("axis", 0)) },
		"ArgMin":           func(b *batch, s *step) error { return b.alongAxis(s, s.int("axis", 0)) },
		"TopK":             func(b *batch, s *step) error { return b.alongAxis(s, s.int("axis", -1)) },
		"Softmax":          func(b *batch, s *step) error { return b.alongAxis(s, s.int("axis", -1)) },
		"LogSoftmax":       func(b *batch, s *step) error { return b.alongAxis(s, s.int("axis", -1)) },
		"Tile":             (*batch).tile,
		"Pad":              (*batch).pad,
		"MatMul":           (*batch).matMul,
		"DequantizeLinear": (*batch).quantize,
		"QuantizeLinear":   (*batch).quantize,
	}
	for _, op := range strings.Fields(elementwiseOperators) {
		m[op] = func(b *batch, s *step) error { return b.elementwise(s, s.in) }
	}
	for _, op := range strings.Fields("Max Min Mean Prod Sum SumSquare L1 L2 LogSum LogSumExp") {
		m["Reduce"+op] = (*batch).reduce
	}
	return m
})

const elementwiseOperators = `
Abs Acos Acosh Add And Asin Asinh Atan Atanh BitCast BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Cast Ceil Celu Clip
Cos Cosh Div Elu Equal Erf Exp Floor Gelu Greater GreaterOrEqual HardSigmoid HardSwish Identity IsInf IsNaN LeakyRelu Less
LessOrEqual Log Max Mean Min Mish Mod Mul Neg Not Or PRelu Pow Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Sinh Softplus
Softsign Sqrt Sub Sum Swish Tan Tanh ThresholdedRelu Where Xor`

// elementwise aligns operands as ONNX broadcasts them.
func (b *batch) elementwise(s *step, in []int) error {
	out := b.dims(s.out[0])
	end := -1
	for _, v := range in {
		if v < 0 || b.state[v].constant {
			continue
		}
		if b.state[v].merged {
			return b.merged(s, in)
		}
		at := len(out) - len(b.dims(v)) + b.state[v].prefix
		if end >= 0 && end != at {
			return fmt.Errorf("its inputs have the rows in different dimensions")
		}
		end = at
	}
	for i, v := range in {
		if v >= 0 && b.state[v].constant && varies(b.dims(v), len(out), end) {
			return fmt.Errorf("constant input %d varies along the rows", i)
		}
	}
	return b.set(s, end)
}

// varies reports whether a constant has more than one element along the first end of rank dimensions.
func varies(dims []int64, rank, end int) bool {
	for i, d := range dims {
		if rank-len(dims)+i < end && d != 1 {
			return true
		}
	}
	return false
}

// merged allows operands of one shape and single constants.
func (b *batch) merged(s *step, in []int) error {
	out := b.dims(s.out[0])
	for i, v := range in {
		if v < 0 {
			continue
		}
		dims := b.dims(v)
		switch {
		case b.state[v].constant && varies(dims, len(out), len(out)):
			return fmt.Errorf("rows are merged into one dimension before it, and constant input %d is no scalar", i)
		case !b.state[v].constant && (!b.state[v].merged || !slices.Equal(dims, out)):
			return errors.New("rows are merged into one dimension in one input and not in another")
		}
	}
	for _, v := range s.out {
		b.state[v] = lanes{merged: true}
	}
	return nil
}

// reshape keeps the order of elements, and so that of the blocks.
func (b *batch) reshape(s *step) error {
	if err := b.rest(s, 1); err != nil {
		return err
	}
	if b.state[s.in[0]].constant {
		return errors.New("its first input is constant")
	}
	prefix := b.prefix(b.dims(s.out[0]))
	b.state[s.out[0]] = lanes{merged: prefix < 0, prefix: max(prefix, 0)}
	return nil
}

func (b *batch) transpose(s *step) error {
	prefix, err := b.first(s)
	if err != nil {
		return err
	}
	perm := s.Attribute("perm").GetInts()
	for i := range prefix {
		if i >= len(perm) || perm[i] != int64(i) {
			return errors.New("it moves the dimensions that hold the rows")
		}
	}
	return b.set(s, prefix)
}

func (b *batch) concat(s *step) error {
	prefix, err := b.first(s)
	if err != nil {
		return err
	}
	for i := range s.in {
		if l, _ := b.in(s, i); l.constant || l.merged || l.prefix != prefix {
			return fmt.Errorf("input %d does not have the rows where input 0 has them", i)
		}
	}
	return b.axes(s, prefix, s.int("axis", 0))
}

// axes finishes an operator that works along inner axes of its first input.
func (b *batch) axes(s *step, prefix int, axes ...int64) error {
	if err := inner(axes, len(b.dims(s.in[0])), prefix); err != nil {
		return err
	}
	return b.set(s, prefix)
}

// alongAxis is an operator of one tensor, along one axis.
func (b *batch) alongAxis(s *step, axis int64) error {
	prefix, err := b.first(s)
	if err == nil {
		err = b.rest(s, 1)
	}
	if err != nil {
		return err
	}
	return b.axes(s, prefix, axis)
}

// lastAxes is an operator of one tensor, along its last n axes.
func (b *batch) lastAxes(s *step, n int) error {
	prefix, err := b.first(s)
	if err == nil {
		err = b.rest(s, 1)
	}
	if err != nil {
		return err
	}
	axes := make([]int64, n)
	for i := range axes {
		axes[i] = int64(i - n)
	}
	return b.axes(s, prefix, axes...)
}

// axisInput has its axis in input 1.
func (b *batch) axisInput(s *step) error {
	axis, ok := b.ints(s, 1)
	if !ok || len(axis) != 1 {
		return errors.New("its axis is not known")
	}
	return b.alongAxis(s, axis[0])
}

func (b *batch) reduce(s *step) error {
	axes := s.Attribute("axes").GetInts()
	if given(s, 1) {
		var ok bool
		if axes, ok = b.ints(s, 1); !ok {
			return errors.New("its axes are not known")
		}
	}
	prefix, err := b.first(s)
	if err != nil {
		return err
	}
	if len(axes) == 0 && s.int("noop_with_empty_axes", 0) == 0 {
		return errors.New("it reduces all dimensions")
	}
	return b.axes(s, prefix, axes...)
}

func (b *batch) slice(s *step) error {
	prefix, err := b.first(s)
	if err == nil {
		err = b.rest(s, 1)
	}
	if err != nil {
		return err
	}
	starts, ok := b.ints(s, 1)
	if !ok {
		return errors.New("its starts are not known")
	}
	axes := make([]int64, len(starts))
	for i := range axes {
		axes[i] = int64(i)
	}
	if given(s, 3) {
		if axes, ok = b.ints(s, 3); !ok {
			return errors.New("its axes are not known")
		}
	}
	return b.axes(s, prefix, axes...)
}

func (b *batch) expand(s *step) error {
	if err := b.rest(s, 1); err != nil {
		return err
	}
	return b.elementwise(s, s.in[:1])
}

func (b *batch) tile(s *step) error { return b.perDimension(s, 1) }

func (b *batch) pad(s *step) error { return b.perDimension(s, 0) }

// perDimension has a number for each dimension in input 1 (Pad: two); those of the rows must be idle.
func (b *batch) perDimension(s *step, idle int64) error {
	prefix, err := b.first(s)
	if err == nil {
		err = b.rest(s, 1)
	}
	if err != nil {
		return err
	}
	list, ok := b.ints(s, 1)
	rank := len(b.dims(s.in[0]))
	if !ok || len(list)%max(rank, 1) != 0 || given(s, 3) {
		return errors.New("what it does to each dimension is not known")
	}
	for i, v := range list {
		if i%rank < prefix && v != idle {
			return fmt.Errorf("it changes dimension %d, which holds rows", i%rank)
		}
	}
	return b.set(s, prefix)
}
