// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// dwordCall is a loop over words with its arguments.
type dwordCall struct {
	epilogueCall
	loops   [2]func(*dwordArgs)
	words   dwordArgs
	list    int        // not 0: bytes of a descriptor
	steps   *laneSteps // of a series
	flat    int        // not 0: steps of a block, which go on in the next
	tail    int        // steps of the last block that write behind it
	scratch []float32  // what they write
}

// ready takes over the arguments of the epilogue.
func (c *dwordCall) ready(d *dwords, terms []dwordTerm) {
	c.words.epilogueArgs = c.args
	c.words.terms = address(terms)
	c.words.shift, c.words.plus, c.words.unit = d.top, uint32(d.plus), d.unit
	if c.steps != nil {
		c.words.shift = c.steps.shift
	}
}

func (c *dwordCall) run(f *Frame) {
	c.before.run(f)
	a := &c.words
	a.n = f.n
	c.read(f)
	if c.flat != 0 {
		a.n, a.chunks = 1, c.flat*f.n
	}
	loop, dst := c.loops[0], a.dst
	if c.out {
		a.dst = address(f.out[c.lane:])
		if f.stream && c.loops[1] != nil {
			loop = c.loops[1]
		}
	}
	switch {
	case c.tail > 0:
		c.toTheEnd(f, loop)
	case f.n == 1 && c.lanes > pieceLanes:
		c.pieces(loop)
	default:
		loop(a)
	}
	a.dst = dst
	for _, k := range c.after {
		k.run(f)
	}
}

// read sets where the first step reads.
func (c *dwordCall) read(f *Frame) {
	a := &c.words
	if c.steps == nil {
		a.src = address(f.payload)
		return
	}
	for i, at := range []**byte{&a.src, &a.second, &a.third, &a.fourth} {
		if i < len(c.steps.places) {
			*at = address(f.payload[c.steps.places[i].first:])
		}
	}
}

// toTheEnd does all blocks but the last, and then that, whose last steps go into scratch memory first.
func (c *dwordCall) toTheEnd(f *Frame, loop func(*dwordArgs)) {
	all, a := c.words, &c.words
	count, blocks := c.lanes/c.steps.n, f.n-1
	if blocks > 0 {
		if a.n = blocks; c.flat != 0 {
			a.n, a.chunks = 1, blocks*count
		}
		loop(a)
	}
	c.words = all
	for _, o := range []struct {
		at   **byte
		each int
	}{{&a.z, a.zStep + a.zSkip}, {&a.a, a.aStep + a.aSkip}, {&a.b, a.bStep + a.bSkip}} {
		*o.at = advance(*o.at, blocks*o.each)
	}
	c.moved(all, blocks, 0)
	begin := *a
	c.some(loop, begin, count-c.tail)
	c.moved(begin, 0, count-c.tail)
	a.n, a.chunks, a.dst = 1, c.tail, address(c.scratch)
	loop(a)
	copy(f.out[blocks*f.lanes+(count-c.tail)*c.steps.n:], c.scratch)
	c.words = all
}

// some does so many steps of one group.
func (c *dwordCall) some(loop func(*dwordArgs), begin dwordArgs, steps int) {
	const most = pieceLanes / eightLanes
	for at := 0; at < steps; at += most {
		c.moved(begin, 0, at)
		c.words.n, c.words.groups, c.words.chunks = 1, 1, min(most, steps-at)
		loop(&c.words)
	}
}

// moved makes the arguments read and write so many blocks and steps further than from a begin on.
func (c *dwordCall) moved(begin dwordArgs, blocks, steps int) {
	a, count := &c.words, c.lanes/c.steps.n
	turns := func(steps int) int {
		if c.steps.turn == 0 {
			return 0
		}
		return steps / c.steps.turn
	}
	for i, o := range []struct {
		to               **byte
		from             *byte
		step, turn, skip int
	}{
		{&a.dst, begin.dst, 4 * c.steps.n, 0, a.dstSkip},
		{&a.src, begin.src, a.step, a.turn, a.srcSkip},
		{&a.second, begin.second, a.step2, a.turn2, a.skip2},
		{&a.third, begin.third, a.step, a.turn, a.srcSkip},
		{&a.fourth, begin.fourth, a.step, a.turn, a.srcSkip},
	} {
		if i <= len(c.steps.places) {
			*o.to = advance(o.from, blocks*(count*o.step+turns(count)*o.turn+o.skip)+steps*o.step+turns(steps)*o.turn)
		}
	}
}

// pieces does a large block, some groups or a part of one at a time.
func (c *dwordCall) pieces(loop func(*dwordArgs)) {
	all, a := c.words, &c.words
	if c.list != 0 {
		for lane := 0; lane < c.lanes; lane += pieceLanes {
			a.n, a.count = 1, min(pieceLanes, c.lanes-lane)/eightLanes
			a.runs, a.dst = advance(all.runs, lane/eightLanes*c.list), advance(all.dst, 4*lane)
			loop(a)
		}
		c.words = all
		return
	}
	groups, chunks := c.lanes/c.group, c.group/c.steps.n
	most := max(1, pieceLanes/eightLanes/chunks)
	for g := 0; g < groups; g += most {
		c.moved(all, 0, g*chunks)
		a.z, a.a, a.b = advance(all.z, g*all.zStep), advance(all.a, g*all.aStep), advance(all.b, g*all.bStep)
		if a.n, a.groups, a.chunks = 1, min(most, groups-g), chunks; chunks*eightLanes > pieceLanes {
			c.some(loop, *a, chunks)
		} else {
			loop(a)
		}
	}
	c.words = all
}
