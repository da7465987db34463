// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/codec/internal/kernel"
)

// segment is columns of a bit matrix that move together: in every lane they are
// neighbours in the payload.
type segment struct {
	column, width int
	bit           []int32 // per lane: the first payload bit, -1 for zeros
}

// segments cuts the columns of lanes' rows. ok is false if some lane has a one, or
// zeros in part of a segment only.
func segments(rows matrix) ([]segment, bool) {
	if rows.whole {
		s := segment{width: rows.width, bit: make([]int32, len(rows.begin))}
		for l, begin := range rows.begin {
			s.bit[l] = rows.bits[begin]
		}
		return []segment{s}, true
	}
	var out []segment
	for c := 0; c < rows.width; {
		w := 1
		for c+w < rows.width && rows.follows(c+w) {
			w++
		}
		s := segment{column: c, width: w, bit: make([]int32, len(rows.begin))}
		some := false
		for l, begin := range rows.begin {
			bit := rows.bits[int(begin)+c]
			if s.bit[l] = bit; bit < zeroBit {
				return nil, false
			}
			some = some || bit >= 0
		}
		if some {
			out = append(out, s)
		}
		c += w
	}
	return out, true
}

// follows reports whether column c is the payload bit behind column c-1 in every
// lane, or both are zero.
func (m matrix) follows(c int) bool {
	last := int32(-1)
	for _, begin := range m.begin {
		if begin == last { // the same row
			continue
		}
		last = begin
		before, bit := m.bits[int(begin)+c-1], m.bits[int(begin)+c]
		if bit != before+1 && !(bit == zeroBit && before == zeroBit) || bit >= 0 && before < 0 {
			return false
		}
	}
	return true
}

// Costs of the unpacking kernels per 32 lanes, in vector instructions.
const (
	costPlane   = 3
	costSpread  = 12
	costSpread1 = 5
	costStride  = 28
	costField   = 96
	costOr      = 3
	costHalves  = 10 // more if the codes have 16 bits
	costPost    = 2
)

// unpack matches codes made of payload bits: rows are the bits of each lane. Post is done
// to the finished code.
func unpack(rows matrix, post kernel.Post) (codePlan, bool) {
	parts, ok := segments(rows)
	if !ok || len(parts) == 0 {
		return codePlan{}, false
	}
	if in, ok := inPlace(parts, rows.width, post); ok {
		return in, true
	}
	if columns, ok := byColumns(parts, rows.width, post); ok {
		return columns, true
	}
	make, cost := unpackTo(parts, rows.width, post)
	return codePlan{cost, func(e *emitter) kernel.Codes {
		to := e.buffer(kernel.U8, len(rows.begin))
		make(e, to)
		return kernel.Buf(to)
	}}, true
}

// unpackIndex matches indices of up to 16 bits.
func unpackIndex(rows matrix) (indexPlan, bool) {
	parts, ok := segments(rows)
	if !ok || len(parts) == 0 {
		return indexPlan{}, false
	}
	make, cost := unpackTo(parts, rows.width, kernel.Post{})
	kind := kernel.U8
	if rows.width > 8 {
		if kind = kernel.U16; len(rows.begin) >= 8 {
			cost += float64(len(parts)) * costHalves
		}
	}
	return indexPlan{cost, func(e *emitter) kernel.BufferID {
		to := e.buffer(kind, len(rows.begin))
		make(e, to)
		return to
	}}, true
}

// inPlace matches whole bytes that lie in rows: no kernel is needed.
func inPlace(parts []segment, width int, post kernel.Post) (codePlan, bool) {
	if width != 8 || post.Affine != nil || post.Lut != nil || len(parts) != 1 || parts[0].width != 8 {
		return codePlan{}, false
	}
	bit := parts[0].bit
	if _, _, ok := countRows(bit, 0, 8); !ok {
		return codePlan{}, false
	}
	return codePlan{0, func(*emitter) kernel.Codes { return kernel.Codes{InPlace: planeRows(bit)} }}, true
}

// unpackTo matches the kernels that write each segment, OR-ed into one buffer.
func unpackTo(parts []segment, width int, post kernel.Post) (func(*emitter, kernel.BufferID), float64) {
	parts = cutAll(parts, width)
	cost := 0.0
	for i, s := range parts {
		if cost += s.cost(); i > 0 {
			cost += costOr
		}
	}
	if post.Affine != nil || post.Lut != nil {
		cost += costPost
	}
	return func(e *emitter, to kernel.BufferID) {
		for i, s := range parts {
			target := kernel.Target{Buffer: to, Left: s.column, Or: i > 0}
			if i == len(parts)-1 {
				target.Post = post
			}
			e.op(s.kernel(target))
		}
	}, cost
}

// cutAll cuts segments in two where both halves then have a better kernel. Codes have
// width bits.
func cutAll(parts []segment, width int) []segment {
	out := make([]segment, 0, len(parts)+1)
	for _, s := range parts {
		low, high, ok := s.cut(width <= 8)
		if !ok {
			out = append(out, s)
			continue
		}
		out = append(out, low, high)
	}
	return out
}

// cut finds columns below and above which a segment that has no rows of bytes has
// some (fields across the borders of bytes, one in each), or one that lies within three
// bytes lies in two. Rows are of use where they fill vectors of bytes.
func (s segment) cut(bytes bool) (low, high segment, ok bool) {
	if _, _, ok := countRows(s.bit, 0, s.width); ok {
		return low, high, false
	}
	spreads := s.spreads(0, s.width)
	for at := 1; at < s.width; at++ {
		whole := bytes && s.wholeRows(0, at) && s.wholeRows(at, s.width)
		if whole || !spreads && s.spreads(0, at) && s.spreads(at, s.width) {
			return s.columns(0, at), s.columns(at, s.width), true
		}
	}
	return low, high, false
}

// columns is some of a segment's columns.
func (s segment) columns(from, to int) segment {
	out := segment{column: s.column + from, width: to - from, bit: slices.Clone(s.bit)}
	for l, bit := range out.bit {
		if bit >= 0 {
			out.bit[l] += int32(from)
		}
	}
	return out
}

// wholeRows reports whether some of a segment's columns are rows of a plane that fill vectors.
func (s segment) wholeRows(from, to int) bool {
	_, whole, ok := countRows(s.bit, from, to-from)
	return ok && whole
}

// rowBytes is how many bytes of a row vector code takes at once.
const rowBytes = 16

// cost is that of the kernel that is chosen for a segment.
func (s segment) cost() float64 {
	if _, _, ok := countRows(s.bit, 0, s.width); ok {
		return costPlane
	}
	switch {
	case !s.spreads(0, s.width):
		return costField
	case s.width == 1:
		return costSpread1
	case s.width > 8 && len(s.bit) >= 8 && apart(s.bit[:8]): // words have no such loop
		return costField
	case len(s.bit) >= 32 && apart(s.bit[:8]):
		return costStride
	}
	return costSpread
}

// kernel is the kernel of a segment.
func (s segment) kernel(to kernel.Target) kernel.Op {
	if _, _, ok := countRows(s.bit, 0, s.width); ok {
		return &kernel.Plane{Rows: planeRows(s.bit), Width: s.width, To: to}
	}
	if s.spreads(0, s.width) {
		bits := make([]int, len(s.bit))
		for l, bit := range s.bit {
			bits[l] = int(bit)
		}
		return &kernel.Spread{Bits: bits, Width: s.width, To: to}
	}
	lanes := make([][]kernel.Segment, len(s.bit))
	for l, bit := range s.bit {
		if bit >= 0 {
			lanes[l] = []kernel.Segment{{Bit: int(bit), Width: s.width, Left: to.Left}}
		}
	}
	to.Left = 0
	return &kernel.Field{Lanes: lanes, To: to}
}

// minRun is the mean length of the rows from which on a plane is worth it.
const minRun = 8

// planeRows cuts lanes into rows of consecutive bytes with the field at the same
// place inside the byte, if countRows has found such.
func planeRows(bit []int32) []kernel.Row {
	var rows []kernel.Row
	for l := 0; l < len(bit); {
		n := rowLength(bit[l:])
		rows = append(rows, kernel.Row{Byte: int(bit[l] / 8), Lane: l, Len: n, Shift: int(bit[l] % 8)})
		l += n
	}
	return split(rows)
}

// longRows reports whether so many rows of so many lanes are worth loops over rows.
func longRows(rows, lanes int) bool { return lanes <= minRun || lanes/rows >= minRun }

// countRows counts the rows of planeRows, for fields that begin some columns later. It is not ok where
// a field crosses the border of a byte or rows are too short; whole says that all rows fill vectors.
func countRows(bit []int32, from, width int) (rows int, whole, ok bool) {
	whole = true
	for l := 0; l < len(bit); rows++ {
		if rows > 0 && !longRows(rows, len(bit)) {
			return rows, false, false
		}
		if bit[l] < 0 || (int(bit[l])+from)%8+width > 8 {
			return rows, false, false
		}
		n := rowLength(bit[l:])
		whole = whole && n%rowBytes == 0
		l += n
	}
	return rows, whole, rows == 0 || longRows(rows, len(bit))
}

// rowLength is how many fields follow each other at the same place of their bytes.
func rowLength(bit []int32) int {
	n := 1
	for n < len(bit) && bit[n] == bit[0]+8*int32(n) {
		n++
	}
	return n
}

// split cuts rows that run on by accident of addresses at the common row length.
func split(rows []kernel.Row) []kernel.Row {
	if len(rows) == 0 {
		return rows
	}
	shortest := rows[0].Len
	for _, r := range rows {
		shortest = min(shortest, r.Len)
	}
	if shortest < minRun {
		return rows
	}
	var out []kernel.Row
	for _, r := range rows {
		if r.Len%shortest != 0 {
			return rows
		}
		for at := 0; at < r.Len; at += shortest {
			out = append(out, kernel.Row{Byte: r.Byte + at, Lane: r.Lane + at, Len: shortest, Shift: r.Shift})
		}
	}
	return out
}

// apart reports whether fields are four bytes apart.
func apart(bits []int32) bool {
	for i, bit := range bits {
		if bit < 0 || bit != bits[0]+32*int32(i) {
			return false
		}
	}
	return true
}

// spreads reports whether of some columns every group of 8 lanes lies in 16 bytes, or its lanes are four
// bytes apart, and each field lies in two bytes.
func (s segment) spreads(from, to int) bool {
	width, first := int32(to-from), int32(from)
	if width > 12 {
		return false
	}
	for i := 0; i < len(s.bit); i += 8 {
		group := s.bit[i:min(i+8, len(s.bit))]
		if len(group) == 8 && (group[0]+first)%8+width <= 16 && apart(group) {
			continue
		}
		low, high := int32(-1), int32(-1)
		for _, bit := range group {
			if bit < 0 {
				continue
			}
			if bit += first; bit%8+width > 16 {
				return false
			}
			if low < 0 || bit/8 < low {
				low = bit / 8
			}
			high = max(high, (bit+width-1)/8)
		}
		if high-low >= 16 {
			return false
		}
	}
	return true
}
