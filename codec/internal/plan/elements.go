// SPDX-License-Identifier: Apache-2.0

package plan

import "slices"

// elementsOfTable is GatherElements of a known tensor: along the axis the index says
// where, in the other dimensions an element's own place does.
func (t *tracer) elementsOfTable(s *step, data, index *symbol, axis int64) ([]*symbol, error) {
	if index.fold > 1 || index.batch < 0 || len(data.dims) != len(index.dims) ||
		!slices.Equal(data.dims[:index.batch], index.dims[:index.batch]) {
		return nil, refuse("indices of shape %v do not follow the blocks of a table of shape %v", index.dims, data.dims)
	}
	at, err := t.innerAxis(index, axis)
	if err != nil {
		return nil, err
	}
	first, err := t.firstBlock(data, index.batch)
	if err != nil {
		return nil, err
	}
	inner, dims := data.dims[index.batch:], index.dims[index.batch:]
	index, err = t.wrapped(s.scope, index, inner, int64(at))
	if err != nil {
		return nil, err
	}
	// The table with the axis first: its indices are rows, the other places columns.
	strides := rowMajor(inner)
	others := slices.Delete(slices.Clone(inner), at, at+1)
	order := slices.Delete(slices.Clone(strides), at, at+1)
	table, all := make([]uint64, 0, first.Len()), codes(first)
	for _, i := range strided(0, append([]int64{inner[at]}, others...), append([]int64{strides[at]}, order...)) {
		table = append(table, all[i])
	}
	columns := slices.Insert(rowMajor(others), at, 0)
	made, err := t.g.look(fromCodes(data.elem, table), inner[at], index.lanes, strided(0, dims, columns), int(count(others)))
	if err != nil {
		return nil, err
	}
	return []*symbol{{elem: data.elem, dims: index.dims, batch: index.batch, lanes: made}}, nil
}
