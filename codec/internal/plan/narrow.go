// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math/bits"
	"slices"
)

// narrow takes bits out of functions that do not depend on them: Floor(x/16) of a byte is a function of four
// bits. All classes keep as many as the one that needs most, since tables have one width.
func (f *functions) narrow() {
	idle, width := make([]int, len(f.cells)), 0 // masks of bits
	for c, cells := range f.cells {
		n := bits.Len(uint(len(cells))) - 1
		for j := range n {
			if !depends(cells, j) {
				idle[c] |= 1 << j
			}
		}
		width = max(width, n-bits.OnesCount(uint(idle[c])))
	}
	for c, cells := range f.cells {
		// Of more idle bits than there are to take out, the lowest stay.
		for excess := bits.Len(uint(len(cells))) - 1 - width; bits.OnesCount(uint(idle[c])) > max(excess, 0); {
			idle[c] &= idle[c] - 1
		}
		for i, taken := idle[c], 0; i != 0; i, taken = i&(i-1), taken+1 {
			f.cells[c] = without(f.cells[c], bits.TrailingZeros(uint(i))-taken)
		}
	}
	if slices.ContainsFunc(idle, func(mask int) bool { return mask != 0 }) {
		f.support = f.support.without(f.class, idle)
	}
}

// without is supports that lack the bits of a mask, each of its class.
func (s *supports) without(class []int32, idle []int) supports {
	out := supports{at: make([]stretch, 0, len(s.at))}
	var list []int32
	for l, c := range class {
		own := s.of(int32(l))
		if c != unknown && idle[c] != 0 {
			j := -1
			list = slices.DeleteFunc(append(list[:0], own...), func(int32) bool { j++; return idle[c]>>j&1 != 0 })
			own = list
		}
		out.add(own)
	}
	return out
}

// depends reports whether cells differ by a bit of their index.
func depends(cells []uint64, bit int) bool {
	if bit == 0 {
		for ; len(cells) > 1; cells = cells[2:] {
			if cells[0] != cells[1] {
				return true
			}
		}
		return false
	}
	for step := 1 << bit; len(cells) > step; cells = cells[2*step:] {
		if !slices.Equal(cells[:step], cells[step:2*step]) {
			return true
		}
	}
	return false
}

// without is cells that do not differ by a bit of their index, without the bit.
func without(cells []uint64, bit int) []uint64 {
	out := make([]uint64, 0, len(cells)/2)
	for i, x := range cells {
		if i>>bit&1 == 0 {
			out = append(out, x)
		}
	}
	return out
}
