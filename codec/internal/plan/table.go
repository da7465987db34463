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
	if f == nil || f.table.cells == nil || slices.Contains(f.class, unknown) {
		return nil
	}
	for _, cells := range f.cells {
		if len(cells) != len(f.cells[0]) {
			return nil
		}
	}
	return &f.table
}

// functions are the lanes of a value as functions of few payload bits. Lanes of too
// many bits are of class unknown, and the widths of classes may differ.
type functions struct{ table }

const unknown = -1

// functions tabulates those lanes of a value that depend on at most most bits.
func (g *graph) functions(v *value, most int) *functions {
	size := 0
	if most > smallTable {
		// Without lanes of more bits the small tables are all.
		if v.support().least <= smallTable {
			if f := g.functions(v, smallTable); f == nil || !slices.Contains(f.class, unknown) {
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
	f := &functions{table{support: *v.support()}}
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

// wirings say how lanes are made of their operands: two lanes of one wiring compute the
// same function. A row begins with the number of bits, unknown for a lane of too many.
type wirings struct {
	rows []int32
	each int
}

func (w wirings) of(l int32) []int32 { return w.rows[int(l)*w.each : (int(l)+1)*w.each] }

// known reports whether lane l has few bits.
func (w wirings) known(l int32) bool { return w.rows[int(l)*w.each] != unknown }

// wire writes down the wiring of all lanes.
func (f *functions) wire(v *value, args []*functions, most int) wirings {
	w := wirings{each: 2*len(args) + 1}
	if v.kind == kBits {
		w.each = v.width + 1
	}
	w.rows = make([]int32, w.each*v.n)
	for l := range int32(v.n) {
		support, row := f.support.of(l), w.of(l)
		switch row[0] = int32(len(support)); {
		case isTooMany(support) || len(support) > most:
			row[0] = unknown
		case v.runs != nil:
			wireField(row[1:], len(support))
		case v.kind == kBits:
			wireBits(row[1:], v.row(l), support)
		default:
			f.wireLane(row, v, args, l, support)
		}
	}
	return w
}

func wireField(out []int32, n int) {
	for j := range out {
		if out[j] = int32(j); j >= n {
			out[j] = zeroBit
		}
	}
}

// wireBits puts the places in the support in place of payload bits.
func wireBits(out, row, support []int32) {
	for j, bit := range row {
		if out[j] = bit; bit < 0 {
			continue
		}
		at := j
		if at >= len(support) || support[at] != bit {
			at, _ = slices.BinarySearch(support, bit)
		}
		out[j] = int32(at)
	}
}

func (f *functions) wireLane(row []int32, v *value, args []*functions, l int32, support []int32) {
	for k, a := range v.args {
		lane := a.m[l]
		class := args[k].class[lane]
		if class == unknown {
			row[0] = unknown
			clear(row[1:])
			return
		}
		row[2*k+1], row[2*k+2] = class, int32(place(args[k].support.of(lane), support))
	}
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
	number, first := numbered(v.n,
		func(i int) uint64 { return mixInts(seed, w.of(int32(i))) },
		func(i, j int) bool { return slices.Equal(w.of(int32(i)), w.of(int32(j))) })
	total := 0
	for _, l := range first {
		if w.known(l) {
			total += 1 << len(f.support.of(l))
		}
	}
	if total > maxCells {
		return false
	}
	if !g.spend(total) {
		return false
	}
	f.class, f.cells = number, make([][]uint64, len(first))
	(&tabulation{functions: f, v: v, args: args, first: first, w: w, scratch: &g.scratch}).evaluate()
	f.drop()
	f.narrow()
	f.merge()
	return true
}

// drop makes lanes unknown whose class has no cells.
func (f *functions) drop() {
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
