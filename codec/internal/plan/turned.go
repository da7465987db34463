// SPDX-License-Identifier: Apache-2.0

package plan

import "slices"

// maxTurned is of how many classes a table may be to be looked at: each is compared with each.
const maxTurned = 16

// uniform returns a table of which the given lanes are one class, nil if there is none.
func (g *graph) uniform(l lanes, most int) *table {
	t := g.tabulate(l.v, most)
	if t == nil || t.uniformOn(l.m) {
		return t
	}
	f := g.functions(l.v, most)
	if f.turned == nil {
		f.turned = t.turned(g)
	}
	switch {
	case f.turned.uniformOn(l.m):
		return f.turned
	case g.demands(obUniform):
		return nil
	}
	return t
}

// turned is a table whose classes of lanes are one if their cells differ only by the order of the index's bits, turned
// round: the bits of a field that lies across bytes, the most significant byte first, are in the payload's order a
// rotation of those of a field that does not. It is t itself if there are none.
func (t *table) turned(g *graph) *table {
	if len(t.cells) < 2 || len(t.cells) > maxTurned || t.width < 2 {
		return t
	}
	number, by := make([]int32, len(t.cells)), make([]int, len(t.cells))
	var kept [][]uint64
	for c, cells := range t.cells {
		k := slices.IndexFunc(kept, func(of []uint64) bool {
			by[c] = rotation(cells, of, t.width)
			return by[c] >= 0
		})
		if k < 0 {
			k, by[c] = len(kept), 0
			kept = append(kept, cells)
		}
		number[c] = int32(k)
	}
	if len(kept) == len(t.cells) || !g.spend(len(t.class)) {
		return t
	}
	out := &table{width: t.width, cells: kept, class: make([]int32, len(t.class)), support: supports{at: make([]stretch, 0, len(t.class))}}
	bits := make([]int32, t.width)
	for l, c := range t.class {
		out.class[l] = number[c]
		for j, bit := range t.support.of(int32(l)) {
			bits[(j+by[c])%t.width] = bit
		}
		out.support.add(bits)
	}
	return out
}

// rotation is by how many places an index of cells is to be turned to the left to be one of other cells, -1 if there is none.
func rotation(cells, of []uint64, width int) int {
	last := len(cells) - 1
	if len(of) != len(cells) || cells[0] != of[0] || cells[last] != of[last] {
		return -1
	}
	for by := range width {
		equal := true
		for i := 0; i <= last && equal; i++ {
			equal = cells[i] == of[(i<<by|i>>(width-by))&last]
		}
		if equal {
			return by
		}
	}
	return -1
}
