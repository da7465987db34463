// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "slices"

// placeArgs are the arguments of the loops that place lanes. Steps and distances are in bytes.
type placeArgs struct {
	src              [8]*byte // more than one if they are interleaved
	dst              *byte
	at               *byte // placeList: output lanes
	n, count         int   // blocks; lanes, rows or eights of each
	pitch, lanes     int   // from block to block of buffers and output
	srcStep, dstStep int
}

// placeCall is such a loop on lanes from one on.
type placeCall struct {
	loop, stream func(*placeArgs)
	lane         int // of the output
	flat         int // not 0: blocks follow each other, with so many eights each
	args         placeArgs
}

func (c *placeCall) run(f *Frame) {
	c.args.n, c.args.dst = f.n, address(f.out[c.lane:])
	if c.flat > 0 {
		c.args.n, c.args.count = 1, c.flat*f.n
	}
	if f.stream && c.stream != nil {
		c.stream(&c.args)
		return
	}
	c.loop(&c.args)
}

type placeCalls []*placeCall

func (c placeCalls) run(f *Frame) {
	for _, k := range c {
		k.run(f)
	}
}

// place makes a Place ready: lanes of two to eight buffers in turns as vectors, others by steps or by a list.
func (f *Frame) place(k *Place) placeCalls {
	if made := f.interleaved(k); made != nil {
		return made
	}
	var made placeCalls
	k.each(f.program, func(from BufferID, at []int32) { made = append(made, f.placeFrom(from, 0, at)...) })
	return made
}

// placeCall is a call on so many lanes, that takes lanes of buffers from one on.
func (f *Frame) placeCall(loop func(*placeArgs), first, lane, count int, from ...BufferID) *placeCall {
	c := &placeCall{loop: loop, lane: lane}
	for i, id := range from {
		c.args.src[i] = address(f.f32[id][first:])
	}
	c.args.count, c.args.pitch, c.args.lanes = count, 4*f.pitch[from[0]], 4*f.lanes
	return c
}

// mostPlaceSteps is the number of series of lanes at most that a buffer is taken apart to.
const mostPlaceSteps = 8

// placeFrom places the lanes of a buffer from one on.
func (f *Frame) placeFrom(from BufferID, first int, at []int32) placeCalls {
	var made placeCalls
	if len(at) > pieceLanes {
		return append(f.placeFrom(from, first, at[:pieceLanes]), f.placeFrom(from, first+pieceLanes, at[pieceLanes:])...)
	}
	row := rowOf(at)
	rows := every(at, row)
	series := placeSeries(rows)
	loop := map[int]func(*placeArgs){1: placeSteps, 2: placeSteps2, 4: placeSteps4, 8: placeSteps8}[row]
	for l := range series {
		c := f.placeCall(loop, first+row*l, int(rows[l]), (len(rows)-l+series-1)/series, from)
		c.args.srcStep = 4 * row * series
		if l+series < len(rows) {
			c.args.dstStep = 4 * int(rows[l+series]-rows[l])
		}
		made = append(made, c)
	}
	if series == 0 && len(at) > 0 {
		c := f.placeCall(placeList, first, 0, len(at), from)
		c.args.at = address(at)
		made = append(made, c)
	}
	return made
}

// rowOf is how many lanes are placed in rows: 8, 4, 2 or 1.
func rowOf(at []int32) int {
	row := eightLanes
	for l := range at {
		for row > 1 && (len(at)%row != 0 || at[l] != at[l/row*row]+int32(l%row)) {
			row /= 2
		}
	}
	return row
}

// every is the first lane of each row.
func every(at []int32, row int) []int32 {
	var rows []int32
	for l := 0; l < len(at); l += row {
		rows = append(rows, at[l])
	}
	return rows
}

// placeSeries is how many series of equally distant lanes there are, 0 if too many.
func placeSeries(at []int32) int {
	for n := 1; n <= min(mostPlaceSteps, len(at)); n++ {
		even := true
		for l := range max(len(at)-2*n, 0) {
			even = even && at[l+2*n]-at[l+n] == at[l+n]-at[l]
		}
		if even {
			return n
		}
	}
	return 0
}

// interleaved is the whole block by vectors, nil if it does not consist of two to eight buffers in turns.
func (f *Frame) interleaved(k *Place) placeCalls {
	n := len(k.From)
	if n < 2 || n > len(placeArgs{}.src) || len(k.At) != f.lanes || f.lanes/n < eightLanes {
		return nil
	}
	from := make([]BufferID, n)
	each := f.lanes / n
	for i, id := range k.From {
		if f.program.Buffers[id].Lanes != each {
			return nil
		}
		first := int(k.At[i*each])
		if first >= n || !inTurns(k.At[i*each:(i+1)*each], n) {
			return nil
		}
		from[first] = id
	}
	if len(slices.Compact(slices.Sorted(slices.Values(k.At)))) != f.lanes {
		return nil
	}
	loops := [...][2]func(*placeArgs){
		{interleave2, interleave2NT},
		{interleave3, interleave3NT},
		{interleave4, interleave4NT},
		{interleave5},
		{interleave6},
		{interleave7},
		{interleave8},
	}[n-2]
	return f.turns(from, loops[0], loops[1])
}

// turns is a block of equally many lanes of buffers in turns.
func (f *Frame) turns(from []BufferID, loop, stream func(*placeArgs)) placeCalls {
	var made placeCalls
	n, each := len(from), f.lanes/len(from)
	whole := each &^ (eightLanes - 1)
	for at := 0; at < whole; at += pieceLanes / 4 {
		c := f.placeCall(loop, at, n*at, min(pieceLanes/4, whole-at)/eightLanes, from...)
		if f.lanes%eightLanes == 0 {
			c.stream = stream
		}
		if whole == each && each <= pieceLanes/4 && f.tile*each <= pieceLanes {
			c.flat = each / eightLanes
		}
		made = append(made, c)
	}
	for i, id := range from {
		if whole < each {
			c := f.placeCall(placeSteps, whole, n*whole+i, each-whole, id)
			c.args.srcStep, c.args.dstStep = 4, 4*n
			made = append(made, c)
		}
	}
	return made
}

// inTurns reports whether lanes are n apart.
func inTurns(at []int32, n int) bool {
	for l := range at {
		if int(at[l]) != int(at[0])+n*l {
			return false
		}
	}
	return true
}
