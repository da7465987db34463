// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "encoding/binary"

// smallLanes is one segment of up to 16 lanes, each a word of two bytes: a product
// moves the field to its place in the word's upper byte.
type smallLanes struct {
	first, second int32 // windows of each eight lanes; pieces of eight bytes where there are no more lanes
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
		alike := lanes == 0 || (lanes <= eightLanes) == (len(bits) <= eightLanes)
		if !ok || len(segments) == 0 && to.Or || len(segments) == 2 || !alike {
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
	begin, size := [2]int{}, windowBytes
	switch {
	case n <= eightLanes:
		begin, size = pieces(bits, width)
	case fits(bits, width):
		begin[0] = max(windowBase(bits), 0)
		begin[1] = begin[0]
	default:
		begin = [2]int{max(windowBase(bits[:eightLanes]), 0), max(windowBase(bits[eightLanes:]), 0)}
	}
	s.first, s.second = int32(begin[0]), int32(begin[1])
	for l, bit := range bits {
		if !s.lane(l, bit, width, begin, size) {
			return s, false
		}
		if bit >= 0 {
			binary.LittleEndian.PutUint16(s.factor[2*l:], 1<<(8+to.Left-bit%8))
			binary.LittleEndian.PutUint16(s.mask[2*l:], (1<<width-1)<<(8+to.Left))
		}
	}
	return s, true
}

// pieces are two of eight bytes: a window, or the first and the last bytes of fields, behind which nothing is read.
func pieces(bits []int, width int) (begin [2]int, size int) {
	const half = windowBytes / 2
	first, end := max(windowBase(bits), 0), 0
	if fits(bits, width) {
		return [2]int{first, first + half}, half
	}
	for _, bit := range bits {
		end = max(end, (bit+width+7)/8)
	}
	return [2]int{first, end - half}, half
}

// lane says where the bytes of a lane are; it is false if they are not all in the windows.
func (s *smallLanes) lane(l, bit, width int, begin [2]int, size int) bool {
	to := s.shuffle[2*l : 2*l+2]
	if to[0], to[1] = 0x80, 0x80; bit < 0 {
		return true
	}
	n := (bit%8 + width + 7) / 8
	for i := range n {
		to[i%2] = 0x80
		for h, b := range begin {
			if at := bit/8 + i - b; at >= 0 && at < size && (size < windowBytes || h == l/eightLanes) {
				to[i%2] = byte((h*size + at) % windowBytes)
			}
		}
		if to[i%2] == 0x80 || n > 2 {
			return false
		}
	}
	return true
}
