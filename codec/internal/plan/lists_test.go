// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/structview/structview/tensor"
)

// numberedPlainly is numbered by the texts of things.
func numberedPlainly(n int, text func(i int) string) (number, first []int32) {
	known := map[string]int32{}
	for i := range n {
		k, ok := known[text(i)]
		if !ok {
			k = int32(len(first))
			known[text(i)] = k
			first = append(first, int32(i))
		}
		number = append(number, k)
	}
	return number, first
}

func randomList(r *rand.Rand, n, below int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(r.IntN(below))
	}
	if r.IntN(3) == 0 {
		slices.Sort(list)
	}
	if r.IntN(4) == 0 {
		list = iota32(n)
	}
	return list
}

// However lists of lanes are numbered, by slots or by hashes, the numbers are the same.
func TestNumbered(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		n := 1 + r.IntN(40)
		many := []int{1, 2, 40, 1 << 10}
		x := lanes{&value{n: n + many[r.IntN(4)]}, nil}
		y := lanes{&value{n: n + many[r.IntN(4)]}, nil}
		x.m, y.m = randomList(r, n, x.v.n), randomList(r, n, y.v.n)
		tuples, inverse := distinct([]lanes{x, y})
		want, first := numberedPlainly(n, func(i int) string { return fmt.Sprint(x.m[i], y.m[i]) })
		if !slices.Equal(inverse, want) {
			t.Fatal(x.m, y.m, inverse, want)
		}
		for i, k := range first {
			if tuples[0].m[i] != x.m[k] || tuples[1].m[i] != y.m[k] {
				t.Fatal(x.m, y.m, tuples, first)
			}
		}
	}
}

// Lists that differ in one place, or in length, have other hashes.
func TestHashes(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 2000 {
		list := randomList(r, 1+r.IntN(20), 1000)
		h, other := mixInts(seed, list), slices.Clone(list)
		other[r.IntN(len(other))] += 1 + int32(r.IntN(9))
		cells := make([]uint64, len(list))
		copy(cells, []uint64{r.Uint64(), r.Uint64(), r.Uint64()})
		changed := slices.Clone(cells)
		changed[r.IntN(len(changed))] ^= 1 << r.IntN(64)
		switch {
		case h != mixInts(seed, slices.Clone(list)) || mixCells(seed, cells) != mixCells(seed, slices.Clone(cells)):
			t.Fatal("equal lists have different hashes")
		case h == mixInts(seed, other) || h == mixInts(seed, append(list, 0)), mixCells(seed, cells) == mixCells(seed, changed):
			t.Fatal(list, other, cells, changed)
		}
	}
}

// randomRows are rows of bits, most of which are fields.
func randomRows(r *rand.Rand, n, width int) []int32 {
	rows := slices.Repeat([]int32{zeroBit}, n*width)
	odd := r.IntN(2) == 0
	for i := range n {
		row, at := rows[i*width:(i+1)*width], int32(r.IntN(6))
		for j := range r.IntN(width + 1) {
			row[j] = at + int32(j)
		}
		if odd && r.IntN(2) == 0 {
			row[r.IntN(width)] = int32(r.IntN(8)) + oneBit
		}
	}
	return rows
}

// Fields are the same values as their rows, and are cut to the same.
func TestFields(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	fields := 0
	for range 3000 {
		g := newGraph(&literals{})
		width := 1 + r.IntN(20)
		n := 1 + r.IntN(8)
		rows := randomRows(r, n, width)
		x := g.payload(tensor.Uint32, slices.Clone(rows), width)
		if x.v.runs != nil {
			fields++
		}
		by := make([]uint64, n)
		for i := range by {
			by[i] = uint64(r.IntN(width + 2))
		}
		i := 0
		kept := g.remake(tensor.Uint32, x, width, func(row, out []int32) {
			copy(out, row[:min(int(by[i]), len(row))])
			i++
		})
		if low := g.low(tensor.Uint32, x, by); low.v != kept.v || !slices.Equal(low.m, kept.m) {
			t.Fatal(rows, by, low, kept)
		}
		i = 0
		moved := g.remake(tensor.Uint32, x, width, func(row, out []int32) {
			copy(out, row[min(int(by[i]), len(row)):])
			i++
		})
		if right := g.shifted(tensor.Uint32, x, by, false); right.v != moved.v || !slices.Equal(right.m, moved.m) {
			t.Fatal(rows, by, right, moved)
		}
		sameSupports(t, x.v)
		sameRows(t, x, rows, width)
	}
	if fields < 1000 || fields > 2500 {
		t.Errorf("%d of 3000 are fields", fields)
	}
}

func sameRows(t *testing.T, x lanes, rows []int32, width int) {
	t.Helper()
	for i, l := range x.m {
		for j, bit := range rows[i*width : (i+1)*width] {
			if got := append(slices.Clone(x.v.row(l)), slices.Repeat([]int32{zeroBit}, width)...)[j]; got != bit {
				t.Fatal(rows, i, j, got)
			}
		}
	}
}

// sameSupports compares supports with the sets of bits of rows.
func sameSupports(t *testing.T, v *value) {
	t.Helper()
	s := v.support()
	for l := range int32(v.n) {
		want := slices.DeleteFunc(slices.Clone(v.row(l)), func(bit int32) bool { return bit < 0 })
		slices.Sort(want)
		if want = slices.Compact(want); len(want) > maxTable {
			want = tooMany
		}
		if !slices.Equal(s.of(l), want) || len(want) < s.least && !isTooMany(want) {
			t.Fatal(v.row(l), s.of(l), want, s.least)
		}
	}
}

// Supports of several operands are their unions.
func TestUnited(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 1000 {
		g := newGraph(&literals{})
		n := 1 + r.IntN(6)
		var args []arg
		for range 1 + r.IntN(4) {
			width := 1 + r.IntN(7)
			args = append(args, g.payload(tensor.Uint32, randomRows(r, n, width), width))
		}
		s := united(n, args)
		for l := range int32(n) {
			var want []int32
			for _, a := range args {
				want = append(want, a.v.support().of(a.m[l])...)
			}
			slices.Sort(want)
			if want = slices.Compact(want); len(want) > maxTable {
				want = tooMany
			}
			if !slices.Equal(s.of(l), want) {
				t.Fatal(l, s.of(l), want)
			}
		}
	}
}

// An operand's cells are laid over those of more bits, whichever bits are its own.
func TestOperandCells(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 1000 {
		width := r.IntN(9)
		mask := r.IntN(1 << width)
		f, arg := &functions{}, &functions{}
		var whole, part []int32
		for j := range width {
			whole = append(whole, int32(3*j))
			if mask>>j&1 != 0 {
				part = append(part, int32(3*j))
			}
		}
		f.support.add(whole)
		arg.support.add(part)
		cells := make([]uint64, 1<<len(part))
		for i := range cells {
			cells[i] = r.Uint64()
		}
		arg.class, arg.cells = []int32{0}, [][]uint64{cells}
		v := &value{args: []lanes{{m: []int32{0}}}}
		out := make([]uint64, 1<<width)
		(&tabulation{functions: f, v: v, args: []*functions{arg}, scratch: &scratch{}}).operand(0, 0, out)
		for i, got := range out {
			k, at := 0, 0
			for j := range width {
				if mask>>j&1 != 0 {
					k |= i >> j & 1 << at
					at++
				}
			}
			if got != cells[k] {
				t.Fatal(width, mask, i, got, cells)
			}
		}
	}
}

// Cells of bits are the number that the bits make.
func TestCellsOfBits(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 1000 {
		row := make([]int32, 1+r.IntN(10))
		width := 1 + r.IntN(8)
		for j := range row {
			if row[j] = int32(j); r.IntN(2) == 0 || j >= width {
				row[j] = int32(r.IntN(width+2)) + oneBit
			}
		}
		cells := make([]uint64, 1<<width)
		fromBits(row, cells)
		for i, got := range cells {
			want := uint64(0)
			for j, at := range row {
				if at == oneBit || at >= 0 && i>>at&1 != 0 {
					want |= 1 << j
				}
			}
			if got != want {
				t.Fatal(row, i, got, want)
			}
		}
	}
}
