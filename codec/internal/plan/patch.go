// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/tensor"
)

// Bounds of lanes that are replaced one by one: how many conditions are taken out of a formula, and of how many lanes each
// finds one at least. What replacing one costs, in instructions, with what makes its index and its value.
const (
	maxPatches    = 64
	fewestPatched = 16
	costPatch     = 24
	costPatched   = 64 // from which on the formula as it is written is looked at as well
)

// selector is a condition that is true for one lane at most of each run of lanes, whose index it is.
type selector struct {
	on     lanes   // the condition
	index  lanes   // of each run
	run    []int32 // of each lane
	begins []int32 // of each run, its first lane
	places map[int64]int32
}

// selectorOf is a comparison of lanes with constants of which no two of a run are equal.
func (g *graph) selectorOf(c lanes) (*selector, bool) {
	if !named("Equal")(c) {
		return nil, false
	}
	x, y := c.operand(0), c.operand(1)
	if x.v.kind == kConst {
		x, y = y, x
	}
	if y.v.kind != kConst || x.v.kind == kConst || x.v.kind == kSel {
		return nil, false
	}
	s := &selector{on: c, places: map[int64]int32{}}
	s.run, s.begins = x.renumbered()
	if len(s.begins)*fewestPatched > len(c.m) {
		return nil, false
	}
	s.index = x.pick(s.begins)
	return s, s.place(y.v.elem, y.codes(), g.demands(obOneLane))
}

// place notes where in its run each constant is: at one place, in all runs the same.
func (s *selector) place(elem tensor.Type, codes []uint64, once bool) bool {
	count := make([]int32, len(s.begins))
	for i, code := range codes {
		n, ok := integer(elem, code)
		if !ok {
			return false
		}
		r := s.run[i]
		at := int32(i) - s.begins[r]
		if r == 0 {
			if _, known := s.places[n]; known && once {
				return false
			}
			s.places[n] = at
		} else if known, ok := s.places[n]; !ok || known != at {
			return false
		}
		count[r]++
	}
	return constantOver(count)
}

// patch is lanes that are replaced: where the selector says so, by the value of the run.
type patch struct {
	*selector
	value lanes
}

// patches takes conditions out of a formula that select single lanes: rest is what all other lanes are. The list is in
// the order in which lanes are to be replaced.
func (g *graph) patches(l lanes) (rest lanes, list []patch) {
	for rest = l; len(list) < maxPatches; {
		next, p, ok := g.patch(rest)
		if !ok {
			break
		}
		rest, list = next, append(list, p)
	}
	if g.demands(obOuterLast) {
		slices.Reverse(list) // the outermost condition decides
	}
	return rest, list
}

// patch takes out the first condition that can be.
func (g *graph) patch(l lanes) (rest lanes, p patch, ok bool) {
	g.selectors(l, memory[bool]{}, func(s *selector) bool {
		yes, fits := g.given(l, s.on, 1)
		if !fits || yes.v.kind == kSel {
			return false
		}
		value, fits := g.valueOf(yes, s)
		if !fits {
			return false
		}
		rest, ok = g.given(l, s.on, 0)
		p = patch{s, value}
		return ok
	})
	return rest, p, ok
}

// shares reports whether the lanes of each run are one.
func (s *selector) shares(l lanes) bool {
	for i, r := range s.run {
		if l.m[i] != l.m[s.begins[r]] {
			return false
		}
	}
	return true
}

// selectors looks for a condition that a formula is made of and that will do, the outer ones first.
func (g *graph) selectors(l lanes, seen memory[bool], do func(s *selector) bool) bool {
	if l.v.kind != kOp && l.v.kind != kTab || !g.spend(len(l.m)) {
		return false
	}
	if s, ok := g.selectorOf(l); ok {
		return do(s)
	}
	if _, known := seen.find(l); known {
		return false
	}
	seen.keep(l, true)
	for i := range l.v.args {
		if g.selectors(l.operand(i), seen, do) {
			return true
		}
	}
	return false
}

// given is lanes if a condition is true, or false.
func (g *graph) given(l, c lanes, truth uint64) (lanes, bool) {
	return (&assumption{g, c, truth, memory[lanes]{}, map[*value]bool{}}).of(l)
}

// assumption is what lanes are if a condition is known.
type assumption struct {
	*graph
	condition lanes
	truth     uint64
	known     memory[lanes]
	reach     map[*value]bool // values that the condition is part of, and others
}

func (a *assumption) of(l lanes) (lanes, bool) {
	if l.equal(a.condition) {
		return a.constant(fromCodes(tensor.Bool, []uint64{a.truth})).pick(make([]int32, len(l.m))), true
	}
	if !a.reaches(l.v) {
		return l, true
	}
	if known, ok := a.known.find(l); ok {
		return known, known.v != nil
	}
	made, ok := a.operands(l)
	a.known.keep(l, made)
	return made, ok
}

// reaches reports whether a value that can be made anew has the condition in it.
func (a *assumption) reaches(v *value) bool {
	if v.kind != kOp && v.kind != kTab || v.depth <= a.condition.v.depth {
		return false
	}
	known, ok := a.reach[v]
	if !ok {
		known = slices.ContainsFunc(v.args, func(x arg) bool { return x.v == a.condition.v || a.reaches(x.v) })
		a.reach[v] = known
	}
	return known
}

func (a *assumption) operands(l lanes) (lanes, bool) {
	if !a.spend(len(l.m)) {
		return lanes{}, false
	}
	x, changed := make([]lanes, len(l.v.args)), false
	for i := range x {
		own, ok := l.operand(i), false
		if x[i], ok = a.of(own); !ok {
			return lanes{}, false
		}
		changed = changed || !x[i].equal(own)
		if truth, ok := uniform(x[0]); i == 0 && ok && named("Where")(l) {
			return a.of(l.operand(map[bool]int{true: 1, false: 2}[truth != 0]))
		}
	}
	switch {
	case !changed:
		return l, true
	case l.v.kind == kTab:
		made, err := a.look(l.v.data, l.v.data.Len()/int64(l.v.cols), x[0], columnsOf(x[1]), l.v.cols)
		return made, err == nil
	}
	made, err := a.apply(operator{l.v.elem, l.v.run}, x)
	return made, err == nil
}

// columnsOf are the columns of a table that lanes take.
func columnsOf(l lanes) []int32 {
	out := make([]int32, len(l.m))
	for i, c := range l.codes() {
		out[i] = int32(c)
	}
	return out
}
