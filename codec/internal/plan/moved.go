// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/tensor"
)

// mover says whether an operator that moves elements leaves the dimensions that count
// blocks alone; x is the operand that it moves.
type mover func(t *tracer, s *step, x *symbol) error

// movers are the operators whose only other inputs say where elements go. They need
// no rule of their own: eval runs them on the numbers of the lanes of one block.
var movers = map[string]mover{
	"DepthToSpace": lastThree, "SpaceToDepth": lastThree,
	"Trilu": func(t *tracer, _ *step, x *symbol) error {
		return t.behind(x, int64(len(x.dims)-2), int64(len(x.dims)-1))
	},
	"ReverseSequence": func(t *tracer, _ *step, x *symbol) error { return t.behind(x, 0, 1) },
	"Compress":        compressed,
	"Pad":             padded_,
	"CenterCropPad":   cropped,
}

func lastThree(t *tracer, _ *step, x *symbol) error { return t.behind(x, 1, 2, 3) }

// behind reports an axis that counts blocks.
func (t *tracer) behind(x *symbol, axes ...int64) error {
	for _, a := range axes {
		if _, err := t.innerAxis(x, a); err != nil {
			return err
		}
	}
	return nil
}

func compressed(t *tracer, s *step, x *symbol) error {
	if a := attribute(s.node, "axis"); a != nil {
		return t.behind(x, a.I)
	}
	return t.behind(x, 0) // all elements in a row
}

func cropped(t *tracer, s *step, x *symbol) error {
	axes, given := attributeInts(s.node, "axes")
	if !given {
		return t.behind(x, 0)
	}
	return t.behind(x, axes...)
}

// padded_ allows idle pads of dimensions that count blocks.
func padded_(t *tracer, s *step, x *symbol) error {
	pads, err := tensor.Int64s(s.in[1].known)
	if err != nil {
		return refuse("%v", err)
	}
	axes := make([]int64, len(x.dims))
	for i := range axes {
		axes[i] = int64(i)
	}
	if in := s.at(3); in != nil {
		if axes, err = tensor.Int64s(in.known); err != nil {
			return refuse("%v", err)
		}
	}
	for i, a := range axes {
		if len(pads) != 2*len(axes) || pads[i] == 0 && pads[len(axes)+i] == 0 {
			continue // eval says what is wrong
		}
		if err := t.behind(x, a); err != nil {
			return err
		}
	}
	return nil
}

// movedRule runs an operator that moves elements on the numbers of lanes, counted from
// 1; elements that it adds are number 0.
func movedRule(t *tracer, s *step) ([]*symbol, error) {
	x := s.in[0]
	fill := lanes{}
	for i, in := range s.in[1:] {
		switch {
		case in == nil:
		case in.known == nil:
			return nil, refuse("input %d depends on the payload", i+1)
		case s.node.OpType == "Pad" && i == 1:
			if in.known.Len() != 1 {
				return nil, refuse("a pad of shape %v", in.dims)
			}
			fill = t.g.constant(in.known)
		}
	}
	if x.known != nil {
		return nil, refuse("elements are moved to places that depend on the payload")
	}
	if err := blockwise(x); err != nil {
		return nil, err
	}
	if err := movers[s.node.OpType](t, s, x); err != nil {
		return nil, err
	}
	in := slices.Clone(s.in)
	in[0] = known(numbers(x.block(), 1))
	if fill.v != nil {
		in[2] = known(tensor.Of([]int64{}, int64(0)))
	} else {
		fill = t.filled(x.elem, false, 1)
	}
	out, err := t.constant(s.node, in, s.scope)
	if err != nil {
		return nil, err
	}
	return t.placed(x, out[0].known, []lanes{fill.pick([]int32{0}), x.lanes})
}

// block is a symbol's shape with one block: dimensions that count blocks are 1, and
// the last of them the number of parts of a block.
func (s *symbol) block() []int64 {
	dims := slices.Clone(s.dims)
	for i := range s.batch {
		dims[i] = 1
	}
	if s.fold > 1 {
		dims[s.batch-1] = s.fold
	}
	return dims
}

// numbers counts the elements of a shape.
func numbers(dims []int64, from int64) *tensor.Tensor {
	list := make([]int64, count(dims))
	for i := range list {
		list[i] = from + int64(i)
	}
	return tensor.Of(dims, list...)
}

// placed makes the lanes whose numbers an operator moved: places in the parts, end to
// end.
func (t *tracer) placed(x *symbol, moved *tensor.Tensor, parts []lanes) ([]*symbol, error) {
	block, dims := x.block(), moved.Dims()
	if len(dims) < x.batch || !slices.Equal(dims[:x.batch], block[:x.batch]) {
		return nil, refuse("shape %v has its blocks in other dimensions than %v", dims, x.dims)
	}
	if moved.Len() == 0 {
		return nil, errEmpty
	}
	if err := t.room(moved.Len()); err != nil {
		return nil, err
	}
	place := make([]int32, moved.Len())
	for i, n := range tensor.Slice[int64](moved) {
		place[i] = int32(n)
	}
	// Parts that nothing is left of do not take part: without them the others may merge.
	used, total := []lanes{}, int32(0)
	for _, p := range parts {
		n := int32(len(p.m))
		if slices.ContainsFunc(place, func(k int32) bool { return k >= total && k < total+n }) {
			used, total = append(used, p), total+n
			continue
		}
		for i, k := range place {
			if k >= total {
				place[i] = k - n
			}
		}
	}
	return []*symbol{x.with(x.folded(dims[x.batch:]), t.g.concat(used).pick(place))}, nil
}

// gatherNDRule is GatherND: of lanes by known tuples, or of a known table by tuples of
// lanes.
func gatherNDRule(t *tracer, s *step) ([]*symbol, error) {
	x, index := s.in[0], s.in[1]
	if index.known == nil {
		return t.tableND(s)
	}
	if err := blockwise(x); err != nil {
		return nil, err
	}
	own, err := t.inEachBlock(index, x, int(attributeInt(s.node, "batch_dims", 0)))
	if err != nil {
		return nil, err
	}
	out, err := t.constant(s.node, []*symbol{known(numbers(x.block(), 0)), own}, s.scope)
	if err != nil {
		return nil, err
	}
	return t.placed(x, out[0].known, []lanes{x.lanes})
}

// inEachBlock is the part of a known tensor that belongs to one block of x; shared is
// how many leading dimensions the two share.
func (t *tracer) inEachBlock(index, x *symbol, shared int) (*symbol, error) {
	if x.fold > 1 {
		return nil, refuse("parts of blocks of shape %v are indexed", x.dims)
	}
	if shared < x.batch || len(index.dims) < x.batch || !slices.Equal(index.dims[:x.batch], x.dims[:x.batch]) {
		return nil, refuse("indices of shape %v do not follow the blocks of shape %v", index.dims, x.dims)
	}
	first, err := t.firstBlock(index, x.batch)
	if err != nil {
		return nil, err
	}
	own, err := first.Reshape(append(x.block()[:x.batch], index.dims[x.batch:]...))
	if err != nil {
		return nil, refuse("%v", err)
	}
	return known(own), nil
}

// tableND looks up a known table by tuples of lanes: the row of the flat table is the
// sum of the indices times their strides.
func (t *tracer) tableND(s *step) ([]*symbol, error) {
	table, index := s.in[0], s.in[1]
	if table.known == nil {
		return nil, refuse("both the data and the indices depend on the payload")
	}
	rank := len(index.dims)
	if attributeInt(s.node, "batch_dims", 0) != 0 || rank == 0 || index.batch < 0 || index.batch == rank {
		return nil, refuse("tuples of shape %v into a table of shape %v", index.dims, table.dims)
	}
	size := int(index.dims[rank-1])
	if size == 0 || size > len(table.dims) {
		return nil, refuse("tuples of %d indices into a table of shape %v", size, table.dims)
	}
	strides := rowMajor(table.dims[:size])
	var row *symbol
	for i := range size {
		column, err := t.index(s.scope, index, -1, int64(i))
		if err != nil {
			return nil, err
		}
		if r, ok := t.g.interval(column.lanes.v); !ok || r.lo < -table.dims[i] || r.hi >= table.dims[i] {
			return nil, refuse("an index into dimension %d of shape %v is not proven to lie inside", i, table.dims)
		}
		if column, err = t.wrapped(s.scope, column, table.dims, int64(i)); err != nil {
			return nil, err
		}
		stride := known(fromCodes(index.elem, []uint64{uint64(strides[i])}))
		if column, err = t.binary("Mul", s.scope, column, t.reshape(stride, nil)); err != nil {
			return nil, err
		}
		if row == nil {
			row = column
		} else if row, err = t.binary("Add", s.scope, row, column); err != nil {
			return nil, err
		}
	}
	flat := t.reshape(table, append([]int64{count(table.dims[:size])}, table.dims[size:]...))
	return t.gatherTable(flat.known, row, 0)
}
