// SPDX-License-Identifier: Apache-2.0

package plan

import "slices"

// supports are lists of payload bits, one for each lane, ascending. Several may lie in
// one place; they are not to be changed.
type supports struct {
	bits []int32
	at   []stretch // per lane
}

// stretch is a part of a list. One that begins below 0 is tooMany.
type stretch struct{ from, to int32 }

// tooMany stands for a support that is larger than a table takes.
var tooMany = []int32{-3}

func isTooMany(s []int32) bool { return len(s) == 1 && s[0] == -3 }

// of returns the list of lane l.
func (s *supports) of(l int32) []int32 {
	at := s.at[l]
	if at.from < 0 {
		return tooMany
	}
	return s.bits[at.from:at.to]
}

// add appends the list of the next lane.
func (s *supports) add(list []int32) {
	if isTooMany(list) {
		s.at = append(s.at, stretch{from: -1})
		return
	}
	from := int32(len(s.bits))
	s.bits = append(s.bits, list...)
	s.at = append(s.at, stretch{from, int32(len(s.bits))})
}

// support returns the payload bits that each lane depends on.
func (v *value) support() *supports {
	if v.facts.supports == nil {
		v.facts.supports = v.findSupport()
	}
	return v.facts.supports
}

func (v *value) findSupport() *supports {
	switch v.kind {
	case kConst:
		return &supports{at: make([]stretch, v.n)}
	case kBits:
		return v.bitSupport()
	case kFold, kPick:
		return &supports{at: slices.Repeat([]stretch{{from: -1}}, v.n)}
	case kSel:
		s := &supports{at: make([]stretch, 0, v.n)}
		for _, p := range v.args {
			own := p.v.support()
			for _, l := range p.m {
				s.add(own.of(l))
			}
		}
		return s
	}
	var args []arg // that depend on the payload at all
	for _, a := range v.args {
		if a.v.kind != kConst {
			args = append(args, a)
		}
	}
	if len(args) == 1 {
		own := args[0].v.support()
		s := &supports{bits: own.bits, at: make([]stretch, v.n)}
		for l, k := range args[0].m {
			s.at[l] = own.at[k]
		}
		return s
	}
	return united(v.n, args)
}

// united joins the supports of operands.
func united(n int, args []arg) *supports {
	s := &supports{at: make([]stretch, 0, n)}
	own := make([]*supports, len(args))
	for k, a := range args {
		own[k] = a.v.support()
	}
	var memory [2][]int32 // in turns
	for l := range n {
		var all []int32
		for k, a := range args {
			all = union(all, own[k].of(a.m[l]), &memory[k%2])
		}
		s.add(all)
	}
	return s
}

// bitSupport is that of payload bits: it lies in their rows, where those are ascending.
func (v *value) bitSupport() *supports {
	s := &supports{bits: v.bits, at: make([]stretch, v.n)}
	for l := range s.at {
		from, to, ok := ascending(v.row(int32(l)))
		if !ok {
			return v.sortedSupport()
		}
		s.at[l] = stretch{int32(l*v.width + from), int32(l*v.width + to)}
		if to-from > maxTable {
			s.at[l] = stretch{from: -1}
		}
	}
	return s
}

// ascending returns where the payload bits of a row stand, if they follow each other ascending.
func ascending(row []int32) (from, to int, ok bool) {
	for from < len(row) && row[from] < 0 {
		from++
	}
	to = from
	for to < len(row) && row[to] >= 0 && (to == from || row[to] > row[to-1]) {
		to++
	}
	for _, bit := range row[to:] {
		if bit >= 0 {
			return 0, 0, false
		}
	}
	return from, to, true
}

func (v *value) sortedSupport() *supports {
	s := &supports{at: make([]stretch, 0, v.n)}
	var all []int32
	for l := range v.n {
		all = all[:0]
		for _, bit := range v.row(int32(l)) {
			if bit >= 0 {
				all = append(all, bit)
			}
		}
		slices.Sort(all)
		if all = slices.Compact(all); len(all) > maxTable {
			s.add(tooMany)
			continue
		}
		s.add(all)
	}
	return s
}

// union merges two ascending lists in memory that holds neither.
func union(a, b []int32, memory *[]int32) []int32 {
	if isTooMany(a) || isTooMany(b) {
		return tooMany
	}
	all := (*memory)[:0]
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
	all = append(append(all, a...), b...)
	if *memory = all; len(all) > maxTable {
		return tooMany
	}
	return all
}

// place says where the bits of part lie in whole: bit k is set if part has the k-th.
func place(part, whole []int32) int {
	if len(part) == len(whole) {
		return 1<<len(whole) - 1
	}
	mask, k := 0, 0
	for _, bit := range part {
		for whole[k] != bit {
			k++
		}
		mask |= 1 << k
	}
	return mask
}
