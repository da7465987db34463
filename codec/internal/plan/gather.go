// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// gatherRule is Gather: of lanes by known indices, which is a view, or of a known
// table by lanes.
func gatherRule(t *tracer, s *step) ([]*symbol, error) {
	data, index := s.in[0], s.in[1]
	axis := attributeInt(s.node, "axis", 0)
	if data.known != nil {
		index, err := t.wrapped(s.scope, index, data.dims, axis)
		if err != nil {
			return nil, err
		}
		return t.gatherTable(data.known, index, axis)
	}
	if index.known == nil {
		return pickRule(t, s)
	}
	at, err := t.innerAxis(data, axis)
	if err != nil {
		return nil, err
	}
	list, err := tensor.Int64s(index.known)
	if err != nil {
		return nil, refuse("%v", err)
	}
	inner := data.inner()
	outer, each := count(inner[:at]), count(inner[at+1:])
	if err := t.room(multiplied(outer, multiplied(int64(len(list)), each))); err != nil {
		return nil, err
	}
	picks := make([]int32, 0, int(outer)*len(list)*int(each))
	for o := range outer {
		for _, i := range list {
			if i < 0 {
				i += inner[at]
			}
			if i < 0 || i >= inner[at] {
				return nil, refuse("index %d of a dimension of %d", i, inner[at])
			}
			for e := range each {
				picks = append(picks, int32((o*inner[at]+i)*each+e))
			}
		}
	}
	dims := slices.Concat(inner[:at], index.dims, inner[at+1:])
	return []*symbol{data.with(dims, data.lanes.pick(picks))}, nil
}

// wrapped counts negative indices from the end, where they can occur.
func (t *tracer) wrapped(s *scope, index *symbol, dims []int64, axis int64) (*symbol, error) {
	r, ok := t.g.interval(index.lanes.v)
	if !ok || r.lo >= 0 {
		return index, nil
	}
	if axis < 0 {
		axis += int64(len(dims))
	}
	number := func(n int64) *symbol { return t.reshape(known(fromCodes(index.elem, []uint64{uint64(n)})), nil) }
	negative, err := t.binary("Less", s, index, number(0))
	if err != nil {
		return nil, err
	}
	behind, err := t.binary("Add", s, index, number(dims[axis]))
	if err != nil {
		return nil, err
	}
	return t.choose(s, negative, behind, index)
}

// choose is Where.
func (t *tracer) choose(s *scope, cond, yes, no *symbol) (*symbol, error) {
	n := &onnxpb.NodeProto{OpType: "Where", Input: []string{"a", "b", "c"}, Output: []string{"d"}}
	return t.one(elementwiseRule, n, s, []*symbol{cond, yes, no})
}

// gatherTable looks lanes up in a table: along axis the index, the other
// dimensions are columns.
func (t *tracer) gatherTable(table *tensor.Tensor, index *symbol, axis int64) ([]*symbol, error) {
	dims := table.Dims()
	if axis < 0 {
		axis += int64(len(dims))
	}
	if width := table.Type().Bits(); table.Len() > maxConstant || width == 0 || width > 64 {
		return nil, refuse("a table of %d elements of type %v", table.Len(), table.Type())
	}
	outer, each := count(dims[:axis]), count(dims[axis+1:])
	if outer != 1 {
		return nil, refuse("a table is indexed by payload along axis %d, after dimensions of more than 1", axis)
	}
	rows := dims[axis]
	// Index lanes outside, columns inside.
	n := len(index.lanes.m)
	if err := t.room(multiplied(int64(n), each)); err != nil {
		return nil, err
	}
	rowLanes, colLanes := make([]int32, 0, n*int(each)), make([]int32, 0, n*int(each))
	for _, l := range index.lanes.m {
		for c := range int32(each) {
			rowLanes, colLanes = append(rowLanes, l), append(colLanes, c)
		}
	}
	made, err := t.g.look(table, rows, lanes{index.lanes.v, rowLanes}, colLanes, int(each))
	if err != nil {
		return nil, err
	}
	full := slices.Concat(index.dims, dims[:axis], dims[axis+1:])
	if index.batch < 0 {
		if each != 1 {
			return nil, refuse("a dimension of shape %v holds both blocks and lanes", index.dims)
		}
		return []*symbol{{elem: table.Type(), dims: full, batch: -1, lanes: made}}, nil
	}
	return []*symbol{{elem: table.Type(), dims: full, batch: index.batch, fold: index.fold, lanes: made}}, nil
}

// look makes lanes of a table: row by a value, column known.
func (g *graph) look(table *tensor.Tensor, rows int64, row lanes, cols []int32, each int) (lanes, error) {
	r, ok := g.interval(row.v)
	if !ok || r.lo < -rows || r.hi >= rows {
		return lanes{}, refuse("an index into a table of %d rows is not proven to lie inside", rows)
	}
	if r.lo < 0 {
		return lanes{}, refuse("an index into a table can be negative")
	}
	if !g.spend(len(cols) + int(table.Len()/8)) {
		return lanes{}, refuse("%v", errWork)
	}
	if row.v.kind == kSel {
		return g.lookPieces(table, rows, row, cols, each)
	}
	numbers := make([]int64, each)
	for i := range numbers {
		numbers[i] = int64(i)
	}
	column := g.constant(tensor.Of([]int64{int64(each)}, numbers...)).pick(cols)
	tuples, inverse := distinct([]lanes{row, column})
	v := &value{
		kind: kTab, elem: table.Type(), n: len(tuples[0].m), args: tuples,
		data: table, table: g.number(table), cols: each,
	}
	return lanes{g.intern(v), inverse}, nil
}

// number gives each table a number, which stands for it in keys.
func (g *graph) number(table *tensor.Tensor) int {
	n, ok := g.tables[table]
	if !ok {
		n = len(g.tables)
		g.tables[table] = n
	}
	return n
}

// lookPieces looks up each piece of a selection for itself.
func (g *graph) lookPieces(table *tensor.Tensor, rows int64, row lanes, cols []int32, each int) (lanes, error) {
	var parts []lanes
	place := make([]int32, len(row.m))
	total := int32(0)
	at, inner := row.byPiece()
	for p, positions := range at {
		if len(positions) == 0 {
			continue
		}
		own := make([]int32, len(positions))
		for i, position := range positions {
			own[i] = cols[position]
		}
		made, err := g.look(table, rows, lanes{row.v.args[p].v, inner[p]}, own, each)
		if err != nil {
			return lanes{}, err
		}
		for i, position := range positions {
			place[position] = total + int32(i)
		}
		total += int32(len(positions))
		parts = append(parts, made)
	}
	return g.selection(parts).pick(place), nil
}

// gatherElementsRule is GatherElements by known indices.
func gatherElementsRule(t *tracer, s *step) ([]*symbol, error) {
	data, index := s.in[0], s.in[1]
	if data.known != nil {
		return t.elementsOfTable(s, data, index, attributeInt(s.node, "axis", 0))
	}
	if index.known == nil {
		return pickElementsRule(t, s)
	}
	if err := t.behind(data, attributeInt(s.node, "axis", 0)); err != nil {
		return nil, err
	}
	own, err := t.inEachBlock(index, data, len(data.dims))
	if err != nil {
		return nil, err
	}
	out, err := t.constant(s.node, []*symbol{known(numbers(data.block(), 0)), own}, s.scope)
	if err != nil {
		return nil, err
	}
	return t.placed(data, out[0].known, []lanes{data.lanes})
}

// castLikeRule is a Cast to the second input's type.
func castLikeRule(t *tracer, s *step) ([]*symbol, error) {
	cast := &onnxpb.NodeProto{OpType: "Cast", Input: s.node.Input[:1], Output: s.node.Output, Attribute: []*onnxpb.AttributeProto{
		{Name: "to", Type: onnxpb.AttributeProto_INT, I: int64(s.in[1].elem)},
	}}
	if a := attribute(s.node, "saturate"); a != nil {
		cast.Attribute = append(cast.Attribute, a)
	}
	if s.in[0].known != nil {
		return t.constant(cast, s.in[:1], s.scope)
	}
	out, err := t.elementwise(cast, s.scope, s.in[:1])
	return []*symbol{out}, err
}

// binary applies an operator without attributes to two operands.
func (t *tracer) binary(op string, s *scope, a, b *symbol) (*symbol, error) {
	n := &onnxpb.NodeProto{OpType: op, Input: []string{"a", "b"}, Output: []string{"c"}}
	return t.one(elementwiseRule, n, s, []*symbol{a, b})
}

// unary applies an operator without attributes to one operand.
func (t *tracer) unary(op string, s *scope, x *symbol) (*symbol, error) {
	n := &onnxpb.NodeProto{OpType: op, Input: []string{"a"}, Output: []string{"c"}}
	return t.one(elementwiseRule, n, s, []*symbol{x})
}

func (t *tracer) cast(s *scope, x *symbol, to tensor.Type) (*symbol, error) {
	if x.elem == to {
		return x, nil
	}
	n := &onnxpb.NodeProto{OpType: "Cast", Input: []string{"a"}, Output: []string{"c"}, Attribute: []*onnxpb.AttributeProto{
		{Name: "to", Type: onnxpb.AttributeProto_INT, I: int64(to)},
	}}
	return t.one(elementwiseRule, n, s, []*symbol{x})
}
