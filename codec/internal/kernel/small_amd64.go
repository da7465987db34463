// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "encoding/binary"

// smallLanes is one segment of up to 16 lanes, each a word of two bytes: a product
// moves the field to its place in the word's upper byte.
type smallLanes struct {
	first, second int32 // windows of each eight lanes
	shuffle       [32]byte
	factor, mask  [32]byte
}

// asFields is an op as fields at given bits: Plane and Spread.
func asFields(op Op) (bits []int, width int, to Target, ok bool) {
	switch k := op.(type) {
	case *Plane:
		return rowBits(k.Rows), k.Width, k.To, true
	case *Spread:
		return k.Bits, k.Width, k.To, true
	}
	return nil, 0, Target{}, false
}

// small makes op i ready together with the one behind it, if that ORs into the same
// few lanes. It returns the number of ops it stands for, 0 if it is not for them.
func (f *Frame) small(i int) (calls, int) {
	var segments []smallLanes
	var last Target
	lanes := 0
	for _, op := range f.program.Ops[i:] {
		bits, width, to, ok := asFields(op)
		if !ok || len(segments) > 0 && (!to.Or || to.Buffer != last.Buffer || !last.Post.none()) {
			break
		}
		s, ok := f.smallSegment(bits, width, to)
		if !ok || len(segments) == 0 && to.Or || len(segments) == 2 {
			break
		}
		segments, last, lanes = append(segments, s), to, max(lanes, len(bits))
	}
	if len(segments) == 0 {
		return nil, 0
	}
	c := &call{loop: smallLoops[(lanes-1)/eightLanes][len(segments)-1][last.Post.kind()], payload: true}
	c.args = f.target(last)
	c.args.desc = address(segments)
	return f.scaled(i, c, segments, lanes, last)
}

// smallSegment describes a segment; ok is false where other kernels do better or
// must do.
func (f *Frame) smallSegment(bits []int, width int, to Target) (smallLanes, bool) {
	var s smallLanes
	n := len(bits)
	if n == 0 || n > chunkLanes || f.u8[to.Buffer] == nil || width+to.Left > 8 || isRow(bits, width) {
		return s, false
	}
	middle := min(eightLanes, n)
	if !fits(bits[:middle], width) || !fits(bits[middle:], width) {
		return s, false
	}
	one, two := max(windowBase(bits[:middle]), 0), max(windowBase(bits[middle:]), 0)
	if middle == n {
		two = one
	}
	if fits(bits, width) {
		one = max(windowBase(bits), 0)
		two = one
	}
	s.first, s.second = int32(one), int32(two)
	for l, bit := range bits {
		base := one
		if l >= eightLanes {
			base = two
		}
		wordLane(s.shuffle[2*l:], s.factor[2*l:], bit, base, width)
		if bit >= 0 {
			binary.LittleEndian.PutUint16(s.factor[2*l:], 1<<(8+to.Left-bit%8))
			binary.LittleEndian.PutUint16(s.mask[2*l:], (1<<width-1)<<(8+to.Left))
		}
	}
	return s, true
}
