// SPDX-License-Identifier: Apache-2.0

package plan

import "slices"

// supports are lists of payload bits, one for each lane, ascending. Several may lie in
// one place; they are not to be changed.
type supports struct {
	bits  []int32
	at    []stretch // per lane
	least int       // bits of a lane, maxTable+1 where all have too many

	fields bool // each list is bits that follow each other
}

func newSupports(n, each int) *supports {
	return &supports{bits: make([]int32, 0, n*min(each, maxTable)), at: make([]stretch, 0, n), least: maxTable + 1}
}

// noSupports are those of lanes that all have too many bits.
func noSupports(n int) *supports {
	return &supports{at: slices.Repeat([]stretch{{from: -1}}, n), least: maxTable + 1}
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

// size is how many bits lane l has, -1 if too many.
func (s *supports) size(l int32) int {
	at := s.at[l]
	if at.from < 0 {
		return -1
	}
	return int(at.to - at.from)
}

// add appends the list of the next lane.
func (s *supports) add(list []int32) {
	if isTooMany(list) {
		s.note(stretch{from: -1})
		return
	}
	from := int32(len(s.bits))
	s.bits = append(s.bits, list...)
	s.note(stretch{from, int32(len(s.bits))})
}

// note adds a list that lies there.
func (s *supports) note(at stretch) {
	if s.at = append(s.at, at); at.from >= 0 {
		s.least = min(s.least, int(at.to-at.from))
	}
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
		return noSupports(v.n)
	case kSel:
		s := newSupports(v.n, 0)
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
		if len(own.at) == v.n && inOrder(args[0].m) {
			return own
		}
		s := newSupports(v.n, 0)
		s.bits, s.fields = own.bits, own.fields
		for _, k := range args[0].m {
			s.note(own.at[k])
		}
		return s
	}
	return united(v.n, args)
}

// united joins the supports of operands.
func united(n int, args []arg) *supports {
	own, each := make([]*supports, len(args)), 0
	for k, a := range args {
		own[k] = a.v.support()
		if each += own[k].least; own[k].least > maxTable {
			return noSupports(n)
		}
	}
	s := newSupports(n, each)
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
	if v.runs != nil {
		return v.fieldSupport()
	}
	s := newSupports(v.n, 0)
	s.bits = v.bits
	for l := range v.n {
		from, to, ok := ascending(v.row(int32(l)))
		switch {
		case !ok:
			return v.sortedSupport()
		case to-from > maxTable:
			s.note(stretch{from: -1})
		default:
			s.note(stretch{int32(l*v.width + from), int32(l*v.width + to)})
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

func (v *value) fieldSupport() *supports {
	s := newSupports(v.n, 0)
	s.fields = true
	for l, f := range v.runs {
		from := int32(l * v.width)
		at := stretch{from, from + f.to - f.from}
		if f.to-f.from > maxTable {
			at = stretch{from: -1}
		}
		s.note(at)
	}
	if s.least <= maxTable {
		s.bits = v.rowsOf()
	}
	return s
}

func (v *value) sortedSupport() *supports {
	s := newSupports(v.n, v.width)
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
