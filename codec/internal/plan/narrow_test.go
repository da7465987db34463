// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNarrow: a function has the same value without the bits that it does not depend on, for all values of
// the bits, and all classes of one width keep one width.
func TestNarrow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		width, classes := 1+r.IntN(6), 1+r.IntN(3)
		f := &functions{}
		for range classes {
			needed := r.IntN(1 << width)
			values := r.Perm(1 << width)
			cells := make([]uint64, 1<<width)
			for i := range cells {
				cells[i] = uint64(values[i&needed] % (1 + r.IntN(1<<width)))
			}
			if r.IntN(2) == 0 { // a function of some bits, whatever they are
				for i := range cells {
					cells[i] = cells[i&needed]
				}
			}
			f.cells = append(f.cells, cells)
		}
		for l := range 5 {
			f.class = append(f.class, int32(r.IntN(classes)))
			support := make([]int32, width)
			for j := range support {
				support[j] = int32(10*l + 2*j)
			}
			f.support.add(support)
		}
		before := functions{table: table{support: f.support, class: f.class, cells: slices.Clone(f.cells)}}
		f.narrow()
		for l, c := range f.class {
			if len(f.cells[c]) != len(f.cells[0]) || len(f.cells[c]) != 1<<len(f.support.of(int32(l))) {
				t.Fatalf("%d cells of %d bits, %d of the first class", len(f.cells[c]), len(f.support.of(int32(l))), len(f.cells[0]))
			}
			for i, want := range before.cells[c] {
				if got := f.cells[c][f.index(l, before.support.of(int32(l)), i)]; got != want {
					t.Fatalf("lane %d: %d, want %d\n%v\n%v", l, got, want, before, f)
				}
			}
		}
		if n := slices.Max(neededBits(before.cells)); 1<<n != len(f.cells[0]) {
			t.Fatalf("%d cells, needed are %d bits", len(f.cells[0]), n)
		}
	}
}

// index is the cell of lane l where the bits of a support are those of i.
func (f *functions) index(l int, support []int32, i int) int {
	out := 0
	for j, bit := range f.support.of(int32(l)) {
		out |= i >> slices.Index(support, bit) & 1 << j
	}
	return out
}

// neededBits counts the bits on which each function depends, by comparing all pairs of indices that differ in one.
func neededBits(all [][]uint64) []int {
	var out []int
	for _, cells := range all {
		needed := 0
		for i := range cells {
			for j := 0; 1<<j < len(cells); j++ {
				if cells[i] != cells[i^1<<j] {
					needed |= 1 << j
				}
			}
		}
		out = append(out, bits.OnesCount(uint(needed)))
	}
	return out
}
