// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/eval"
	"github.com/structview/structview/tensor"
)

// valueTypes are the types of operands, as eval infers from them.
func valueTypes(in []*symbol) []eval.ValueType {
	types := make([]eval.ValueType, len(in))
	for i, x := range in {
		types[i] = eval.TensorType(x.elem, x.dims...)
		types[i].Known = x.known
	}
	return types
}

// infer lets eval find the dimensions of the outputs of a node.
func (t *tracer) infer(s *step) ([][]int64, error) {
	run, err := t.g.literals.node(s.node, s.scope.opsets, t.functions)
	if err != nil {
		return nil, refuse("%v", err)
	}
	types, err := run.program.Infer(valueTypes(s.present()))
	if err != nil {
		return nil, refuse("%v", err)
	}
	dims := make([][]int64, len(types))
	for i, typ := range types {
		if !typ.Static() {
			return nil, refuse("the shape of output %d depends on the payload", i)
		}
		dims[i] = typ.Dims
	}
	return dims, nil
}

func shapeRule(t *tracer, s *step) ([]*symbol, error) {
	rank := int64(len(s.in[0].dims))
	from, to := attributeInt(s.node, "start", 0), attributeInt(s.node, "end", rank)
	if from < 0 {
		from += rank
	}
	if to < 0 {
		to += rank
	}
	from, to = min(max(from, 0), rank), min(max(to, 0), rank)
	dims := s.in[0].dims[from:max(from, to)]
	return []*symbol{known(tensor.Of([]int64{int64(len(dims))}, slices.Clone(dims)...))}, nil
}

func sizeRule(_ *tracer, s *step) ([]*symbol, error) {
	return []*symbol{known(tensor.Of([]int64{}, count(s.in[0].dims)))}, nil
}

// reshapeRule is every operator that gives the same elements other dimensions.
func reshapeRule(t *tracer, s *step) ([]*symbol, error) {
	dims, err := t.infer(s)
	if err != nil {
		return nil, err
	}
	return []*symbol{t.reshape(s.in[0], dims[0])}, nil
}

// blockwise returns the symbol if it has a batch of its own, and what an axis of it
// is within a block.
func blockwise(x *symbol) error {
	if x.batch < 0 {
		return refuse("a dimension of shape %v holds both blocks and lanes", x.dims)
	}
	return nil
}

// innerAxis turns an axis into one of the inner dimensions.
func (t *tracer) innerAxis(x *symbol, axis int64) (int, error) {
	if err := blockwise(x); err != nil {
		return 0, err
	}
	if axis < 0 {
		axis += int64(len(x.dims))
	}
	if axis < int64(x.batch) && t.g.demands(obBatchAxis) {
		return 0, refuse("axis %d of shape %v counts blocks", axis, x.dims)
	}
	return int(axis) - x.batch + x.lead(), nil
}

func transposeRule(t *tracer, s *step) ([]*symbol, error) {
	x := s.in[0]
	if err := blockwise(x); err != nil {
		return nil, err
	}
	perm, ok := attributeInts(s.node, "perm")
	if !ok {
		for i := range x.dims {
			perm = append(perm, int64(len(x.dims)-1-i))
		}
	}
	for i := range x.batch {
		if perm[i] != int64(i) && t.g.demands(obBatchAxis) {
			return nil, refuse("axis %d of shape %v, which counts blocks, is moved", perm[i], x.dims)
		}
	}
	inner := x.inner()
	from := rowMajor(inner)
	dims, strides := slices.Clone(inner[:x.lead()]), slices.Clone(from[:x.lead()])
	for _, p := range perm[x.batch:] {
		at := int(p) - x.batch + x.lead()
		dims, strides = append(dims, inner[at]), append(strides, from[at])
	}
	return []*symbol{x.with(dims, x.lanes.pick(strided(0, dims, strides)))}, nil
}

// expandRule is Expand and Tile: repetition within a block.
func expandRule(t *tracer, s *step) ([]*symbol, error) {
	x := s.in[0]
	if err := blockwise(x); err != nil {
		return nil, err
	}
	dims, err := t.infer(s)
	if err != nil {
		return nil, err
	}
	to := dims[0]
	batch := x.batch + len(to) - len(x.dims)
	if count(to[:batch]) != t.batches(x) || count(to)/t.blocks > maxConstant {
		return nil, refuse("shape %v is repeated along its blocks to %v", x.dims, to)
	}
	from, inner := x.inner(), x.folded(to[batch:])
	// Dimensions that are new come before those that are there.
	for at := x.lead(); len(from) < len(inner); {
		from = slices.Insert(slices.Clone(from), at, 1)
	}
	index := repeat(from, inner)
	return []*symbol{{elem: x.elem, dims: to, batch: batch, fold: x.fold, lanes: x.lanes.pick(index)}}, nil
}

// repeat lists, for each element of to, the element of from when from is repeated
// along each axis as often as it takes.
func repeat(from, to []int64) []int32 {
	strides := rowMajor(from)
	out := []int32{0}
	for i, d := range to {
		if d == 1 {
			continue
		}
		next := make([]int32, 0, len(out)*int(d))
		for _, o := range out {
			for j := range d {
				next = append(next, o+int32(j%from[i]*strides[i]))
			}
		}
		out = next
	}
	return out
}

// section cuts indices of one inner axis: from, from+step, …, n of them.
func section(x *symbol, axis int, from, step, n int64) *symbol {
	inner := x.inner()
	strides := rowMajor(inner)
	dims := slices.Clone(inner)
	dims[axis] = n
	base := from * strides[axis]
	strides[axis] *= step
	return x.with(dims, x.lanes.pick(strided(base, dims, strides)))
}

func splitRule(t *tracer, s *step) ([]*symbol, error) {
	x := s.in[0]
	axis, err := t.innerAxis(x, attributeInt(s.node, "axis", 0))
	if err != nil {
		return nil, err
	}
	dims, err := t.infer(s)
	if err != nil {
		return nil, err
	}
	out := make([]*symbol, len(dims))
	at := int64(0)
	for i, d := range dims {
		n := d[x.batch+axis-x.lead()]
		out[i] = section(x, axis, at, 1, n)
		at += n
	}
	return out, nil
}

func sliceRule(t *tracer, s *step) ([]*symbol, error) {
	x := s.in[0]
	dims, err := t.infer(s)
	if err != nil {
		return nil, err
	}
	starts, axes, steps, err := sliceArguments(s, len(x.dims))
	if err != nil {
		return nil, err
	}
	for i, a := range axes {
		if a < 0 {
			a += int64(len(x.dims))
		}
		n, full := dims[0][a], x.dims[a]
		if n == full && steps[i] == 1 {
			continue
		}
		axis, err := t.innerAxis(x, a)
		if err != nil {
			return nil, err
		}
		x = section(x, axis, clampStart(starts[i], full, steps[i]), steps[i], n)
	}
	return []*symbol{x}, nil
}

func clampStart(start, full, step int64) int64 {
	if start < 0 {
		start += full
	}
	if step < 0 {
		return min(max(start, -1), full-1)
	}
	return min(max(start, 0), full)
}

// sliceArguments reads the inputs of a Slice, which have to be known.
func sliceArguments(s *step, rank int) (starts, axes, steps []int64, err error) {
	read := func(i int) []int64 {
		x := s.at(i)
		if x == nil {
			return nil
		}
		if x.known == nil {
			err = refuse("input %d depends on the payload", i)
			return nil
		}
		list, failure := tensor.Int64s(x.known)
		if failure != nil {
			err = refuse("%v", failure)
		}
		return list
	}
	starts, axes, steps = read(1), read(3), read(4)
	if len(s.in) < 2 || s.in[1] == nil {
		return nil, nil, nil, refuse("a version of Slice with attributes")
	}
	if axes == nil {
		for i := range starts {
			axes = append(axes, int64(i))
		}
	}
	if steps == nil {
		steps = slices.Repeat([]int64{1}, len(starts))
	}
	return starts, axes, steps, err
}

func concatRule(t *tracer, s *step) ([]*symbol, error) {
	dims, err := t.infer(s)
	if err != nil {
		return nil, err
	}
	frame := s.in[slices.IndexFunc(s.in, func(x *symbol) bool { return x.known == nil })]
	axis, err := t.innerAxis(frame, attributeInt(s.node, "axis", 0))
	if err != nil {
		return nil, err
	}
	inner := frame.folded(dims[0][frame.batch:])
	if err := t.room(count(inner)); err != nil {
		return nil, err
	}
	parts, place := []lanes{}, make([]int32, count(inner))
	at, total := int64(0), int32(0)
	for _, x := range s.in {
		l, own, err := t.concatPart(x, frame)
		if err != nil {
			return nil, err
		}
		if count(own) == 0 {
			continue
		}
		strides := rowMajor(inner)
		for i, p := range strided(at*strides[axis], own, strides) {
			place[p] = total + int32(i)
		}
		parts = append(parts, l)
		total += int32(len(l.m))
		at += own[axis]
	}
	if len(parts) == 0 {
		return nil, refuse("nothing is left to concatenate")
	}
	return []*symbol{frame.with(inner, t.g.concat(parts).pick(place))}, nil
}

// concatPart is an input of a Concat as lanes, with its inner dimensions.
func (t *tracer) concatPart(x, frame *symbol) (lanes, []int64, error) {
	if x.known == nil {
		if len(x.dims) != len(frame.dims) || count(x.dims[:frame.batch]) != t.batches(frame) || x.batch < 0 || x.fold != frame.fold {
			return lanes{}, nil, refuse("shapes %v and %v do not have their blocks in the same dimensions", x.dims, frame.dims)
		}
		return x.lanes, x.folded(x.dims[frame.batch:]), nil
	}
	own := x.dims[frame.batch:]
	first, err := t.firstBlock(x, frame.batch)
	if err != nil {
		return lanes{}, nil, err
	}
	if first.Len() == 0 {
		return lanes{}, frame.folded(own), nil
	}
	l := t.g.constant(first)
	return l.pick(repeat(append([]int64{1}, own...), append([]int64{max(frame.fold, 1)}, own...))), frame.folded(own), nil
}

// firstBlock returns the elements of a constant's first block, if every block has
// the same.
func (t *tracer) firstBlock(x *symbol, batch int) (*tensor.Tensor, error) {
	width := int64(x.elem.Bits())
	if x.known.Len() > maxConstant || width == 0 || width > 64 {
		return nil, refuse("a constant of %d elements of type %v", x.known.Len(), x.elem)
	}
	each := count(x.dims[batch:])
	all := codes(x.known)
	if len(all) == 0 {
		return fromCodes(x.elem, nil), nil
	}
	for i, c := range all {
		if c != all[int64(i)%each] && t.g.demands(obConstants) {
			return nil, refuse("a constant of shape %v varies along the blocks", x.dims)
		}
	}
	return fromCodes(x.elem, all[:each]), nil
}
