// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// mostPattern is how many eights a list has that comes again and again: it stays in the first-level cache.
const mostPattern = 40

// patterns shortens the list of a series of so many eights to what comes again, with operands that
// are some elements further: groups of 10 lanes are again where they were after 40.
func (c *epilogueCall) patterns(k *Epilogue, eights int) {
	unit := 1
	for _, p := range []Parameter{k.Z, k.A, k.B} {
		if p.Kind == Group || p.Kind == Period {
			unit = lcm(unit, lcm(p.N, eightLanes)/eightLanes)
		}
		if unit > min(eights, pieceLanes/eightLanes) {
			return // or a pattern would be more than a call does
		}
	}
	n := 0
	for m := unit; m <= max(unit, mostPattern) && m < eights; m += unit {
		if eights%m == 0 {
			n = m
		}
	}
	if n == 0 {
		return
	}
	a := &c.args
	a.count, a.groups, a.chunks = n, eights/n, 1
	c.listed, c.lanes, c.group, c.size = 0, eightLanes*eights, eightLanes*n, 1 // a buffer has room for whole eights
	for _, o := range []struct {
		p          Parameter
		step, skip *int
	}{{k.Z, &a.zStep, &a.zSkip}, {k.A, &a.aStep, &a.aSkip}, {k.B, &a.bStep, &a.bSkip}} {
		if o.p.Kind == Group {
			*o.step = 4 * c.group / o.p.N
			*o.skip -= *o.step * a.groups
		}
	}
	if c.goesOn() {
		c.onward = a.groups
	}
}

// few reports whether the lanes take elements of four.
func (e *eight) few() bool {
	for i := range e.aIndex {
		if max(e.zIndex[i], e.aIndex[i], e.bIndex[i]) > 3 {
			return false
		}
	}
	return true
}

// lcm is the least common multiple.
func lcm(a, b int) int {
	n := a
	for n%b != 0 {
		n += a
	}
	return n
}
