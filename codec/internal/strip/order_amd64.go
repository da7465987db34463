// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package strip

import (
	"cmp"
	"slices"
)

// order lists the values to compute so that most are used by the next one and few live at once: a value
// comes just before the first that needs it, of several operands that with the longest way first. Checks come
// behind what they check.
func (g *graph) order() []int32 {
	o := &ordering{g: g, height: make([]int32, len(g.values)), done: make([]bool, len(g.values)), checks: map[int32][]int32{}}
	for n := range g.values {
		if g.computed(int32(n)) { // lists of searches that go on are long
			for a := range g.operands(int32(n)) {
				o.height[n] = max(o.height[n], o.height[a]+1)
			}
		}
		if v := &g.values[n]; g.checks(int32(n)) {
			o.checks[v.args[0]] = append(o.checks[v.args[0]], int32(n))
		}
	}
	for _, r := range g.out {
		o.place(g.strips[r])
	}
	for n := range g.values {
		if g.checks(int32(n)) {
			o.place(int32(n))
		}
	}
	return o.list
}

// ordering is the state of order.
type ordering struct {
	g      *graph
	height []int32 // the longest way from an input
	done   []bool
	checks map[int32][]int32 // by what they check
	list   []int32
}

// place appends a value that is not there yet, behind its operands.
func (o *ordering) place(n int32) {
	if o.done[n] || !o.g.computed(n) {
		return
	}
	o.done[n] = true
	var operands []int32
	for a := range o.g.operands(n) {
		if !o.done[a] && o.g.computed(a) {
			operands = append(operands, a)
		}
	}
	slices.SortStableFunc(operands, func(a, b int32) int { return cmp.Compare(o.height[b], o.height[a]) })
	for _, a := range operands {
		o.place(a)
	}
	o.list = append(o.list, n)
	for _, c := range o.checks[n] {
		o.place(c)
	}
}
