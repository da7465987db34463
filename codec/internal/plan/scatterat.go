// SPDX-License-Identifier: Apache-2.0

package plan

import "slices"

// Bounds of updates that are laid at places which the payload tells: how many along the axis, and their comparisons with places.
const (
	maxUpdates     = maxPatches
	maxComparisons = 1 << 16
)

// scatterAtRule is ScatterElements by indices that are lanes: one choice after the other, as eval lays the later
// updates over the earlier ones.
func scatterAtRule(t *tracer, s *step) ([]*symbol, error) {
	out, index, updates := s.in[0], s.in[1], s.in[2]
	axis := attributeInt(s.node, "axis", 0)
	if axis < 0 {
		axis += int64(len(index.dims))
	}
	if s.node.OpType == "ScatterND" {
		return nil, refuse("the indices depend on the payload")
	}
	if err := t.behind(index, axis); err != nil {
		return nil, err
	}
	n, err := t.scattered(out, index, axis)
	if err != nil {
		return nil, err
	}
	if index, err = t.wrapped(s.scope, index, out.dims, axis); err != nil {
		return nil, err
	}
	one, places := slices.Clone(index.dims), make([]int64, len(index.dims))
	for i := range places {
		places[i] = 1
	}
	one[axis], places[axis] = 1, n
	place, err := t.cast(s.scope, known(numbers(places, 0)), index.elem)
	if err != nil {
		return nil, err
	}
	for k := range index.dims[axis] {
		if out, err = t.update(s.scope, out, place, []*symbol{index, updates}, axis, k, one); err != nil {
			return nil, err
		}
	}
	return []*symbol{out}, nil
}

// scattered is how many places an axis has, of which each index is one.
func (t *tracer) scattered(data, index *symbol, axis int64) (int64, error) {
	if len(data.dims) != len(index.dims) {
		return 0, refuse("indices of shape %v for data of shape %v", index.dims, data.dims)
	}
	for i, d := range index.dims {
		if d != data.dims[i] && int64(i) != axis {
			return 0, refuse("indices of shape %v leave out some of data of shape %v", index.dims, data.dims)
		}
	}
	n, updates := data.dims[axis], index.dims[axis]
	each := int64(len(index.lanes.m)) / max(updates, 1)
	if updates > maxUpdates || multiplied(multiplied(n, each), updates) > maxComparisons {
		return 0, refuse("%d updates of %d elements are at places that depend on the payload", updates, n)
	}
	if r, ok := t.g.interval(index.lanes.v); !ok || r.lo < -n || r.hi >= n {
		return 0, refuse("an index of a dimension of %d is not proven to lie inside", n)
	}
	return n, nil
}

// update lays update number k over data at its place: of has indices and updates.
func (t *tracer) update(s *scope, data, place *symbol, of []*symbol, axis, k int64, dims []int64) (*symbol, error) {
	own := make([]*symbol, len(of))
	for i, x := range of {
		x, err := t.index(s, x, axis, k)
		if err != nil {
			return nil, err
		}
		own[i] = t.reshape(x, dims)
	}
	at, err := t.binary("Equal", s, own[0], place)
	if err != nil {
		return nil, err
	}
	return t.choose(s, at, own[1], data)
}
