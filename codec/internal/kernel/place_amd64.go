// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "slices"

// placeArgs are the arguments of the loops that place lanes. Steps and distances are in bytes.
type placeArgs struct {
	src              [4]*byte // more than one if they are interleaved
	dst              *byte
	at               *byte // placeList: output lanes; interleave3: what is permuted
	n, count         int   // blocks; lanes or eights of each
	pitch, lanes     int   // from block to block of buffers and output
	srcStep, dstStep int
}

// placeCall is such a loop on lanes from one on.
type placeCall struct {
	loop, stream func(*placeArgs)
	lane         int // of the output
	args         placeArgs
}

func (c *placeCall) run(f *Frame) {
	c.args.n, c.args.dst = f.n, address(f.out[c.lane:])
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

// place makes a Place ready: lanes of two to four buffers in turns as vectors, others by steps or by a list.
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
	series := placeSeries(at)
	for l := range series {
		c := f.placeCall(placeSteps, first+l, int(at[l]), (len(at)-l+series-1)/series, from)
		c.args.srcStep = 4 * series
		if l+series < len(at) {
			c.args.dstStep = 4 * int(at[l+series]-at[l])
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

// interleaved is the whole block by vectors, nil if it does not consist of two to four buffers in turns.
func (f *Frame) interleaved(k *Place) placeCalls {
	n := len(k.From)
	if n < 2 || n > 4 || len(k.At) != f.lanes || f.lanes/n < eightLanes {
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
	loops := [...][2]func(*placeArgs){{interleave2, interleave2NT}, {interleave3, interleave3NT}, {interleave4, interleave4NT}}[n-2]
	var made placeCalls
	whole := each &^ (eightLanes - 1)
	for at := 0; at < whole; at += pieceLanes / 4 {
		c := f.placeCall(loops[0], at, n*at, min(pieceLanes/4, whole-at)/eightLanes, from...)
		if f.lanes%eightLanes == 0 {
			c.stream = loops[1]
		}
		if n == 3 {
			c.args.at = address(thirds())
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

// thirds is which lanes of three buffers the lanes of three vectors take.
func thirds() []int32 {
	list := make([]int32, 3*eightLanes)
	for l := range list {
		list[l] = int32(l / 3)
	}
	return list
}
