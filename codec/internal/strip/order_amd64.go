// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package strip

// order lists the values to compute so that many are used by the next one: after a value
// comes, of its users that wait for nothing else, the first.
func (g *graph) order() []int32 {
	o := &ordering{g: g, waits: make([]int32, len(g.values)), done: make([]bool, len(g.values))}
	o.link()
	for n := range g.values {
		for v := int32(n); v != none; {
			v = o.place(v)
		}
	}
	return o.list
}

// ordering is the state of order.
type ordering struct {
	g     *graph
	first []int32 // users of value n are users[first[n]:first[n+1]]
	users []int32
	waits []int32 // operands that are not computed yet
	done  []bool
	list  []int32
}

// link finds the users of each value and what they wait for.
func (o *ordering) link() {
	g := o.g
	o.first = make([]int32, len(g.values)+1)
	each := func(use func(n, operand int32)) {
		for n := range g.values {
			if !g.computed(int32(n)) {
				continue
			}
			for a := range g.operands(int32(n)) {
				if g.computed(a) {
					use(int32(n), a)
				}
			}
		}
	}
	each(func(n, operand int32) {
		o.waits[n]++
		o.first[operand]++
	})
	for i, sum := 0, int32(0); i < len(o.first); i++ {
		sum += o.first[i]
		o.first[i] = sum // the end, moved to the begin below
	}
	o.users = make([]int32, o.first[len(g.values)])
	for n := len(g.values) - 1; n >= 0; n-- {
		if !g.computed(int32(n)) {
			continue
		}
		for a := range g.operands(int32(n)) {
			if g.computed(a) {
				o.first[a]--
				o.users[o.first[a]] = int32(n)
			}
		}
	}
}

// place appends a value that is not there yet and returns the one to follow it, if any.
func (o *ordering) place(n int32) int32 {
	if o.done[n] || !o.g.computed(n) {
		return none
	}
	o.done[n] = true
	o.list = append(o.list, n)
	follower := int32(none)
	for _, u := range o.users[o.first[n]:o.first[n+1]] {
		o.waits[u]--
		if o.waits[u] == 0 && follower == none {
			follower = u
		}
	}
	return follower
}
