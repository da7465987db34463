// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math/bits"
	"slices"
)

// Caps of tables: bits of one lane, and cells of all classes together.
const (
	smallTable = 8
	maxTable   = 12
	maxCells   = 1 << 16
)

// table is a value tabulated over the payload bits that each lane depends on.
// Lanes that compute the same function of their bits form a class, with one row of
// cells: cell i belongs to bit k of i at the k-th bit of the lane's support.
type table struct {
	width   int      // bits of every lane
	support supports // per lane: its bits
	class   []int32  // per lane
	cells   [][]uint64
}

// tabulate returns the table of a value of at most most payload bits a lane, nil
// if there is none.
func (g *graph) tabulate(v *value, most int) *table {
	f := g.functions(v, most)
	if f == nil || f.table.cells == nil || f.partial || f.uneven {
		return nil
	}
	return &f.table
}

// functions are the lanes of a value as functions of few payload bits. Lanes of too
// many bits are of class unknown, and the widths of classes may differ.
type functions struct {
	table
	partial bool   // some lanes are unknown
	uneven  bool   // widths differ
	turned  *table // nil: not asked for
}

const unknown = -1

// functions tabulates those lanes of a value that depend on at most most bits.
func (g *graph) functions(v *value, most int) *functions {
	size := 0
	if most > smallTable {
		// Without lanes of more bits the small tables are all.
		if v.support().least <= smallTable {
			if f := g.functions(v, smallTable); f == nil || !f.partial {
				return f
			}
		}
		size = 1
	}
	if !v.facts.tabulated[size] {
		v.facts.tabulated[size] = true
		v.facts.functions[size] = g.findFunctions(v, most)
	}
	return v.facts.functions[size]
}

func (g *graph) findFunctions(v *value, most int) *functions {
	if v.n == 0 || v.support().least > most {
		return nil
	}
	f := &functions{table: table{support: *v.support()}}
	switch v.kind {
	case kSel:
		f.pieces(g, v, most)
	case kConst:
		all := codes(v.data)
		f.class = iota32(v.n)
		f.cells = make([][]uint64, v.n)
		for l := range f.cells {
			f.cells[l] = all[l : l+1]
		}
	default:
		if !f.tabulate(g, v, most) {
			return nil
		}
	}
	if len(f.cells) > 0 {
		f.width = bits.Len(uint(len(f.cells[0]))) - 1
	}
	f.partial = slices.Contains(f.class, unknown)
	f.uneven = slices.ContainsFunc(f.cells, func(cells []uint64) bool { return len(cells) != len(f.cells[0]) })
	return f
}

// pieces takes over the functions of a selection's pieces.
func (f *functions) pieces(g *graph, v *value, most int) {
	f.support = supports{at: make([]stretch, 0, v.n)}
	for _, p := range v.args {
		own, support := g.functions(p.v, most), p.v.support()
		base := int32(len(f.cells))
		for _, l := range p.m {
			if own != nil && own.class[l] != unknown {
				f.class = append(f.class, base+own.class[l])
				f.support.add(own.support.of(l))
				continue
			}
			f.class = append(f.class, unknown)
			f.support.add(support.of(l))
		}
		if own != nil {
			f.cells = append(f.cells, own.cells...)
		}
	}
	f.merge()
}

// tabulate finds the classes of a value's lanes, and evaluates one lane of each.
func (f *functions) tabulate(g *graph, v *value, most int) bool {
	args := make([]*functions, len(v.args))
	for k, a := range v.args {
		if args[k] = g.functions(a.v, most); args[k] == nil {
			return false
		}
	}
	w := f.wire(v, args, most)
	total := 0
	for _, l := range w.first {
		if w.known[l] {
			total += 1 << len(f.support.of(l))
		}
	}
	if total > maxCells {
		return false
	}
	if !g.spend(total) {
		return false
	}
	f.class, f.cells = w.number, make([][]uint64, len(w.first))
	(&tabulation{functions: f, v: v, args: args, wiring: w, scratch: &g.literals.scratch}).evaluate()
	f.drop()
	f.narrow()
	f.merge()
	return true
}

// drop makes lanes unknown whose class has no cells.
func (f *functions) drop() {
	if !slices.ContainsFunc(f.cells, func(cells []uint64) bool { return cells == nil }) {
		return
	}
	for l, c := range f.class {
		if f.cells[c] == nil {
			f.class[l] = unknown
		}
	}
	number := make([]int32, len(f.cells))
	kept := f.cells[:0]
	for i, cells := range f.cells {
		number[i] = int32(len(kept))
		if cells != nil {
			kept = append(kept, cells)
		}
	}
	f.renumber(number, kept)
}

// merge joins classes whose cells are equal.
func (f *functions) merge() {
	number, first := numbered(len(f.cells), func(i int) uint64 {
		return mixCells(seed, f.cells[i])
	}, func(i, j int) bool { return slices.Equal(f.cells[i], f.cells[j]) })
	if len(first) == len(f.cells) {
		return
	}
	kept := make([][]uint64, len(first))
	for i, c := range first {
		kept[i] = f.cells[c]
	}
	f.renumber(number, kept)
}

func (f *functions) renumber(number []int32, cells [][]uint64) {
	for l, c := range f.class {
		if c != unknown {
			f.class[l] = number[c]
		}
	}
	f.cells = cells
}
