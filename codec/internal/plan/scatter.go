// SPDX-License-Identifier: Apache-2.0

package plan

import "slices"

// scatterRule lays updates over data at known places, the later over the earlier. eval
// runs it on numbers: those of the data's lanes, and behind them those of the updates'.
func scatterRule(t *tracer, s *step) ([]*symbol, error) {
	data, index, updates := s.in[0], s.in[1], s.in[2]
	if r := attributeString(s.node, "reduction"); r != "" && r != "none" {
		return nil, refuse("updates are combined by %q", r)
	}
	if index.known == nil {
		return scatterAtRule(t, s)
	}
	frame := data
	if frame.known != nil {
		frame = updates
	}
	if err := blockwise(frame); err != nil {
		return nil, err
	}
	shared := len(data.dims)
	if s.node.OpType == "ScatterND" {
		shared = 0 // tuples begin with the first dimension
	} else if err := t.behind(frame, attributeInt(s.node, "axis", 0)); err != nil {
		return nil, err
	}
	own, err := t.inEachBlock(index, frame, shared)
	if err != nil {
		return nil, err
	}
	into, err := t.scatterPart(data, frame)
	if err != nil {
		return nil, err
	}
	from, err := t.scatterPart(updates, frame)
	if err != nil {
		return nil, err
	}
	block := frame.block()[:frame.batch]
	in := []*symbol{
		known(numbers(slices.Concat(block, data.dims[frame.batch:]), 0)), own,
		known(numbers(slices.Concat(block, updates.dims[frame.batch:]), int64(len(into.m)))),
	}
	out, err := t.constant(s.node, in, s.scope)
	if err != nil {
		return nil, err
	}
	return t.placed(frame, out[0].known, []lanes{into, from})
}

// scatterPart is the data or the updates of one block.
func (t *tracer) scatterPart(x, frame *symbol) (lanes, error) {
	if x.known == nil {
		if x.batch != frame.batch || x.fold != frame.fold || !slices.Equal(x.dims[:x.batch], frame.dims[:x.batch]) {
			return lanes{}, refuse("shapes %v and %v do not have their blocks in the same dimensions", x.dims, frame.dims)
		}
		return x.lanes, nil
	}
	if len(x.dims) < frame.batch || !slices.Equal(x.dims[:frame.batch], frame.dims[:frame.batch]) {
		return lanes{}, refuse("shapes %v and %v do not have their blocks in the same dimensions", x.dims, frame.dims)
	}
	first, err := t.firstBlock(x, frame.batch)
	if err != nil {
		return lanes{}, err
	}
	if first.Len() == 0 {
		return lanes{}, errEmpty
	}
	return t.g.constant(first), nil
}
