// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// pace is how many units of a call's count (or of its vectors, if it is flat) are a piece, and
// by how many bytes its pointers move for each unit. No units: the call is never cut.
type pace struct {
	units                         int
	src, dst, with, desc, offsets int
}

// long reports whether a call has to be cut. Flat calls go over all blocks as over one.
func (c *call) long(f *Frame) bool {
	if c.flat != 0 {
		return c.args.n > c.pace.units
	}
	return f.n == 1 && c.args.count > c.pace.units
}

// blocks is how many blocks such a call does, if these are too many.
func (c *call) blocks(f *Frame) int {
	if most := 2 * c.pace.units; c.flat == 0 && f.n*c.args.count > most {
		return max(most/c.args.count, 1)
	}
	return f.n
}

// someBlocks is the call on so many blocks at a time.
func (c *call) someBlocks(f *Frame, blocks int, loop func(*unpackArgs)) {
	all, a := c.args, &c.args
	for at := 0; at < f.n; at += blocks {
		a.n = min(blocks, f.n-at)
		a.src, a.dst, a.with = advance(all.src, at*all.stride), advance(all.dst, at*all.pitch), advance(all.with, at*c.tables)
		loop(a)
	}
	c.args = all
}

// pieces is the call, piece by piece.
func (c *call) pieces(loop func(*unpackArgs)) {
	all, a := c.args, &c.args
	count := all.count
	if c.flat != 0 {
		count = all.n
	}
	for at := 0; at < count; at += c.pace.units {
		n := min(c.pace.units, count-at)
		if c.flat != 0 {
			a.n = n
		} else {
			a.count = n
		}
		a.src, a.dst = advance(all.src, at*c.pace.src), advance(all.dst, at*c.pace.dst)
		a.with, a.desc = advance(all.with, at*c.pace.with), advance(all.desc, at*c.pace.desc)
		a.offsets = advance(all.offsets, at*c.pace.offsets)
		loop(a)
	}
	c.args = all
}

// long reports whether an epilogue has to be cut.
func (c *epilogueCall) long(f *Frame) bool { return f.n == 1 && c.lanes > pieceLanes }

// pieces is the epilogue, piece by piece.
func (c *epilogueCall) pieces(loop func(*epilogueArgs)) {
	if c.listed != 0 {
		c.listPieces(loop)
		return
	}
	all, a := c.args, &c.args
	unit := c.group / all.chunks
	for lane := 0; lane < c.lanes; {
		g, n := lane/c.group, min(pieceLanes/c.group*c.group, c.lanes-lane)
		if a.groups, a.chunks = n/c.group, all.chunks; n == 0 {
			n = min(pieceLanes, c.group-lane%c.group)
			a.groups, a.chunks = 1, n/unit
		}
		a.src, a.dst = advance(all.src, c.size*lane), advance(all.dst, 4*lane)
		a.z, a.a, a.b = advance(all.z, g*all.zStep), advance(all.a, g*all.aStep), advance(all.b, g*all.bStep)
		loop(a)
		lane += n
	}
	c.args = all
}

// listPieces is an epilogue that goes through a list, some of it at a time; those that are
// stored with a mask come last.
func (c *epilogueCall) listPieces(loop func(*epilogueArgs)) {
	all, a := c.args, &c.args
	units := max(1, pieceLanes*all.count/c.lanes)
	for at := 0; at < max(all.count, 1); at += units {
		a.count = min(units, all.count-at)
		if a.rest = 0; at+units >= all.count {
			a.rest = all.rest
		}
		a.runs = advance(all.runs, at*c.listed)
		a.src, a.dst = advance(all.src, at*c.srcEach), advance(all.dst, at*c.dstEach)
		loop(a)
	}
	c.args = all
}

// long reports whether lanes have to be cut.
func (c *lanesCall) long(f *Frame) bool { return f.n == 1 && c.args.count > pieceLanes }

// pieces is the loop, piece by piece.
func (c *lanesCall) pieces() {
	all, a := c.args, &c.args
	for at := 0; at < all.count; at += pieceLanes {
		eights := at / eightLanes
		a.count = min(pieceLanes, all.count-at)
		a.x, a.y, a.dst = advance(all.x, eights*all.xStep), advance(all.y, eights*all.yStep), advance(all.dst, 4*at)
		c.loop(a)
	}
	c.args = all
}
