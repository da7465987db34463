// SPDX-License-Identifier: Apache-2.0

package plan

import "slices"

// wiring says which lanes of a value are wired alike, that is, compute the same function of their bits: they have
// as many, and are made of operands of the same classes, which have the same ones of them.
type wiring struct {
	number []int32 // of each lane's wiring, in order of first use
	first  []int32 // a lane of each wiring
	known  []bool  // of each lane: it has few bits
}

// wire compares the lanes of a value.
func (f *functions) wire(v *value, args []*functions, most int) wiring {
	w := wiring{known: make([]bool, v.n)}
	for l := range w.known {
		n := f.support.size(int32(l))
		w.known[l] = n >= 0 && n <= most
	}
	for k, a := range v.args {
		if !args[k].partial {
			continue
		}
		for l, lane := range a.m {
			w.known[l] = w.known[l] && args[k].class[lane] != unknown
		}
	}
	if v.kind == kBits && v.runs == nil {
		f.wireRows(v, &w)
		return w
	}
	w.number, w.first = renumber(v.n, most+2, func(l int) int {
		if !w.known[l] {
			return 0
		}
		return f.support.size(int32(l)) + 1
	})
	column := make([]int32, v.n) // of one thing in which lanes differ after the other
	for k, a := range v.args {
		w.differ(column, func(l int) int32 { return args[k].class[a.m[l]] })
		w.differ(column, func(l int) int32 {
			if args[k].support.size(a.m[l]) == f.support.size(int32(l)) {
				return 0
			}
			return int32(place(args[k].support.of(a.m[l]), f.support.of(int32(l)))) + 1
		})
	}
	return w
}

// differ tells lanes apart that are known and of which something differs.
func (w *wiring) differ(column []int32, what func(l int) int32) {
	if len(w.first) == len(w.number) {
		return
	}
	least, most := int32(1<<31-1), int32(0)
	for l, known := range w.known {
		if column[l] = 0; known {
			column[l] = what(l)
			least, most = min(least, column[l]), max(most, column[l])
		}
	}
	if least < most {
		w.number, w.first = combine(w.number, column, len(w.first), int(most)+1)
	}
}

// wireRows compares payload bits by their places in the support.
func (f *functions) wireRows(v *value, w *wiring) {
	rows := make([]int32, v.width*v.n)
	of := func(l int) []int32 { return rows[l*v.width : (l+1)*v.width] }
	for l, known := range w.known {
		if known {
			wireBits(of(l), v.row(int32(l)), f.support.of(int32(l)))
		}
	}
	w.number, w.first = numbered(v.n,
		func(l int) uint64 { return mixInts(seed, of(l)) },
		func(l, k int) bool { return w.known[l] == w.known[k] && slices.Equal(of(l), of(k)) })
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
