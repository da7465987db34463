// SPDX-License-Identifier: Apache-2.0

package plan

import "slices"

// tooMany stands for a support that is larger than a table takes.
var tooMany = []int32{-3}

func isTooMany(s []int32) bool { return len(s) == 1 && s[0] == -3 }

// support returns the payload bits that each lane depends on, ascending. The lists
// are shared and not to be changed.
func (v *value) support() [][]int32 {
	if v.facts.supports != nil {
		return v.facts.supports
	}
	out := make([][]int32, v.n)
	for l := range out {
		out[l] = v.laneSupport(int32(l))
	}
	v.facts.supports = out
	return out
}

func (v *value) laneSupport(l int32) []int32 {
	switch v.kind {
	case kConst:
		return nil
	case kBits:
		return rowSupport(v.row(l))
	case kFold, kPick:
		return tooMany
	case kSel:
		p, lane := v.piece(l)
		return v.args[p].v.support()[lane]
	}
	var all []int32
	for _, a := range v.args {
		all = union(all, a.v.support()[a.m[l]])
	}
	return all
}

func rowSupport(row []int32) []int32 {
	n := 0
	for _, bit := range row {
		if bit >= 0 {
			n++
		}
	}
	all := make([]int32, 0, n)
	for _, bit := range row {
		if bit >= 0 {
			all = append(all, bit)
		}
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > maxTable {
		return tooMany
	}
	return all
}

// union merges two ascending lists.
func union(a, b []int32) []int32 {
	switch {
	case len(b) == 0 || isTooMany(a) || slices.Equal(a, b):
		return a
	case len(a) == 0 || isTooMany(b):
		return b
	}
	all := make([]int32, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			all, a, b = append(all, a[0]), a[1:], b[1:]
		case a[0] < b[0]:
			all, a = append(all, a[0]), a[1:]
		default:
			all, b = append(all, b[0]), b[1:]
		}
	}
	if all = append(append(all, a...), b...); len(all) > maxTable {
		return tooMany
	}
	return all
}

// place says where the bits of part lie in whole: bit k is set if part has the k-th.
func place(part, whole []int32) int {
	mask, k := 0, 0
	for _, bit := range part {
		for whole[k] != bit {
			k++
		}
		mask |= 1 << k
	}
	return mask
}
