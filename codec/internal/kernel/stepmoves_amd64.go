// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import (
	"cmp"
	"slices"
)

// How bytes that were shuffled become words.
const (
	moveBytes  = iota
	moveBits   // shifts to the left
	moveMasked // shifts to the left, masks
	moveSum    // the sum of two products
	moveFields // products, a shift to the right, masks
)

// stepMove is how the lanes of a step get to their places in words of so many bytes.
type stepMove struct {
	how, size int
	bytes     []stepByte
	tops      [eightLanes]int // where bit 0 of a number is to be in its word
	left      [eightLanes]int
	masks     [eightLanes]uint32
	weights   [2 * eightLanes]uint16 // of sums
	masks16   [2 * eightLanes]uint16
	shift     int // back to the right
	shifts    bool
}

// stepByte is a byte of the payload that a lane's word has at a place.
type stepByte struct{ lane, to, at, step int }

// moved moves each lane by one distance to the left, to its top; it is false if that does not do.
func (m *stepMove) moved(list [][]movingSegment) bool {
	for l, lane := range list {
		for i, s := range lane {
			place := s.Left + m.tops[l]
			left := (place - s.Bit%8 + 64) % 8
			at := place - left
			if at < 0 || place+s.Width > 8*m.size || i > 0 && left != m.left[l] {
				return false
			}
			m.left[l], m.shifts = left, m.shifts || left != 0
			m.masks[l] |= uint32(1<<s.Width-1) << place
			for j := at / 8; j <= (at+s.Width-1)/8; j++ {
				if !m.add(stepByte{l, j, s.Bit/8 + j - at/8, s.step}) {
					return false
				}
			}
		}
	}
	return true
}

// add takes a byte; it is false if another one is at its place.
func (m *stepMove) add(b stepByte) bool {
	for _, o := range m.bytes {
		if o.lane == b.lane && o.to == b.to {
			return o == b
		}
	}
	m.bytes = append(m.bytes, b)
	return true
}

// junk reports whether words have bits that do not belong to the numbers. Those below a number may be dropped later.
func (m *stepMove) junk(dropped bool) bool {
	var words [eightLanes]uint32
	for _, b := range m.bytes {
		words[b.lane] |= 0xff << (8 * b.to)
	}
	for l, w := range words {
		low := 0
		if dropped {
			low = m.tops[l]
		}
		if w<<m.left[l]&^m.masks[l]&(1<<(8*m.size)-1)>>low != 0 {
			return true
		}
	}
	return false
}

// sums makes each lane of two parts within two bytes each. A part is a word of 16 bits with a sign; only that of
// the number may have one.
func (m *stepMove) sums(list [][]movingSegment, signs [eightLanes]int) bool {
	m.how = moveSum
	var at [2 * eightLanes]int // where the parts are in their words, less where they belong
	width := 0
	for l, lane := range list {
		if len(lane) > 2 {
			return false
		}
		for i, s := range lane {
			from, n := s.Bit/8, (s.Bit%8+s.Width+7)/8
			to, top := 0, s.Bit%8+s.Width
			signed := signs[l] != 0 && s.Left+s.Width == signs[l]
			if signed {
				to = 2 - n
			}
			if n > 2 || signed != (8*to+top == 16) {
				return false
			}
			bit := 8*to + s.Bit%8
			for j := range n {
				m.add(stepByte{l, 2*i + to + j, from + j, s.step})
			}
			m.masks16[2*l+i] = uint16(1<<s.Width-1) << bit
			at[2*l+i] = bit - s.Left
			m.shift, width = max(m.shift, bit-s.Left), max(width, s.Left+s.Width)
		}
	}
	for i, mask := range m.masks16 {
		if m.shift-at[i] > 14 {
			return false
		}
		if mask != 0 {
			m.weights[i] = 1 << (m.shift - at[i])
		}
	}
	return width+m.shift < 32
}

// loads are the ways to read the bytes of a step.
func (d *dwords) loads(m *stepMove, kind int) []*laneSteps {
	shift := d.top
	if m.how == moveSum || m.how == moveFields {
		shift = m.shift
	}
	var out []*laneSteps
	for _, way := range []func(*stepMove) *laneSteps{
		(*stepMove).one, (*stepMove).two, (*stepMove).pieces, (*stepMove).split, (*stepMove).three, (*stepMove).far,
	} {
		if s := way(m); s != nil {
			if s.kind, s.shift = kind, shift; s.gathering == noWay || seriesLoops[s.gathering][kind][seriesMul][0] == nil {
				continue
			}
			m.finish(s)
			out = append(out, s)
		}
	}
	return out
}

// finish writes what moves words into the first term.
func (m *stepMove) finish(s *laneSteps) {
	t := &s.terms[0]
	for l := range eightLanes {
		switch m.how {
		case moveFields:
			place := func(x *[8]uint32, v uint16) { x[l/2] |= uint32(v) << (16 * (l % 2)) }
			place(&t.left, 1<<m.left[l])
			place(&t.mask, uint16(m.masks[l]>>m.shift))
		case moveSum:
			t.left[l] = uint32(m.weights[2*l]) | uint32(m.weights[2*l+1])<<16
			t.down[l] = uint32(m.shift)
			t.mask[l] = uint32(m.masks16[2*l]) | uint32(m.masks16[2*l+1])<<16
		default:
			t.left[s.position(l)] = uint32(m.left[l])
			t.down[s.position(l)] = uint32(m.tops[l])
			t.mask[s.position(l)] = m.masks[l]
		}
	}
}

// position is the place of a lane in a vector.
func (s *laneSteps) position(lane int) int {
	if s.half != 0 && lane >= s.half {
		return min(lane-s.half+4, eightLanes-1)
	}
	return lane
}

// gather is the way to gather that has a load, of words of four or two bytes, and the moves of these lanes; noWay if there is none.
func (m *stepMove) gather(bytes, words int) int {
	switch {
	case m.size == 2 && m.how == moveFields:
		return words + 1
	case m.size == 2:
		return words
	case bytes == pairBytes && m.how == moveBits:
		return noWay
	case bytes == pairBytes && m.how != moveBytes:
		return bytes + m.how - 1
	}
	return bytes + m.how
}

// reach is the first byte of some lanes and how many there are up to the last, and their step; false if steps differ.
func reach(list []stepByte) (first, n, step int, ok bool) {
	for i, b := range list {
		if i == 0 {
			first, n, step = b.at, 1, b.step
		}
		end := max(first+n, b.at+1)
		first = min(first, b.at)
		n = end - first
		if b.step != step {
			return 0, 0, 0, false
		}
	}
	return first, n, step, true
}

// one is one window for all lanes.
func (m *stepMove) one() *laneSteps {
	first, n, step, ok := reach(m.bytes)
	if !ok || n > windowBytes {
		return nil
	}
	s := &laneSteps{gathering: m.gather(oneBytes, oneWords), places: []stepPlace{{first: first, step: step, size: windowBytes}}, terms: []dwordTerm{emptyTerm()}}
	for _, b := range m.bytes {
		s.terms[0].shuffle[m.size*b.lane+b.to] = byte(b.at - first)
	}
	return s
}

// two is a window for four lanes each.
func (m *stepMove) two() *laneSteps { return m.windows(4, m.gather(twoBytes, twoWords)) }

// split is a window for less than four lanes each.
func (m *stepMove) split() *laneSteps {
	lanes := 0
	for _, b := range m.bytes {
		lanes = max(lanes, b.lane+1)
	}
	if m.size != 4 || m.how > moveBits || lanes > 6 || lanes < 3 {
		return nil
	}
	s := m.windows((lanes+1)/2, splitBytes+m.how)
	if s == nil {
		return nil
	}
	s.half = (lanes + 1) / 2
	s.delta2 = 4 * s.half
	if m.whole(s) {
		s.gathering = splitPlain
	}
	return s
}

// whole reports whether windows are words of four bytes as they are.
func (m *stepMove) whole(s *laneSteps) bool {
	for _, b := range m.bytes {
		if at := 4*s.position(b.lane) + b.to; int(s.terms[0].shuffle[at]) != at%windowBytes {
			return false
		}
	}
	return m.how == moveBytes && m.full()
}

// full reports whether lanes have all their bytes or none.
func (m *stepMove) full() bool {
	var n [eightLanes]int
	for _, b := range m.bytes {
		n[b.lane]++
	}
	for _, count := range n {
		if count%4 != 0 {
			return false
		}
	}
	return true
}

// windows is one for so many lanes, and another one for the others.
func (m *stepMove) windows(half, gathering int) *laneSteps {
	var lists [2][]stepByte
	for _, b := range m.bytes {
		h := min(b.lane/half, 1)
		lists[h] = append(lists[h], b)
	}
	low, n1, step, ok1 := reach(lists[0])
	high, n2, other, ok2 := reach(lists[1])
	if lists[0] == nil || lists[1] == nil || !ok1 || !ok2 || step != other || n1 > windowBytes || n2 > windowBytes {
		return nil
	}
	s := &laneSteps{gathering: gathering, delta: high - low, places: []stepPlace{{first: low, step: step, size: windowBytes}, {first: high, step: step, size: windowBytes}}, terms: []dwordTerm{emptyTerm()}}
	for h, list := range lists {
		for _, b := range list {
			s.terms[0].shuffle[windowBytes*h+m.size*(b.lane-h*half)+b.to] = byte(b.at - [2]int{low, high}[h])
		}
	}
	return s
}

// byPlace sorts bytes by steps and then by place.
func byPlace(a, b stepByte) int { return cmp.Or(cmp.Compare(a.step, b.step), cmp.Compare(a.at, b.at)) }

// pieces is two pieces of eight bytes, which move on their own, or four that move together.
func (m *stepMove) pieces() *laneSteps {
	sorted := slices.SortedFunc(slices.Values(m.bytes), byPlace)
	s := &laneSteps{terms: []dwordTerm{emptyTerm(), emptyTerm()}}
	for _, b := range sorted {
		if n := len(s.places); n == 0 || s.places[n-1].step != b.step || b.at >= s.places[n-1].first+8 {
			s.places = append(s.places, stepPlace{first: b.at, step: b.step, size: 8})
		}
	}
	switch {
	case len(s.places) == 2:
		s.gathering = m.gather(pairBytes, pairWords)
	case len(s.places) > 4 || len(s.places) < 3 || m.size != 4 || m.how != moveBytes || sorted[0].step != sorted[len(sorted)-1].step:
		return nil
	default:
		s.gathering = quadBytes
		for len(s.places) < 4 {
			s.places = append(s.places, s.places[0])
		}
	}
	for _, b := range m.bytes {
		i := slices.IndexFunc(s.places, func(p stepPlace) bool { return p.step == b.step && p.first <= b.at && b.at < p.first+8 })
		s.terms[i/2].shuffle[m.size*b.lane+b.to] = byte(8*(i%2) + b.at - s.places[i].first)
	}
	return s
}

// three is a window for the first two lanes, one for the last two, and one of 32 bytes of which each half has two of those between.
func (m *stepMove) three() *laneSteps {
	var lists [4][]stepByte
	for _, b := range m.bytes {
		lists[b.lane/2] = append(lists[b.lane/2], b)
	}
	if m.how != moveMasked {
		return nil
	}
	var first, n [4]int
	step := 0
	for i, list := range lists {
		var own int
		var ok bool
		if first[i], n[i], own, ok = reach(list); list == nil || !ok || i > 0 && own != step {
			return nil
		}
		step = own
	}
	middle := max(first[1]+n[1]-windowBytes, first[2]+n[2]-2*windowBytes)
	if n[0] > windowBytes || n[3] > windowBytes || middle > min(first[1], first[2]-windowBytes) {
		return nil
	}
	begins := [4]int{first[0], middle, middle + windowBytes, first[3]}
	s := &laneSteps{gathering: threeMasked, delta: first[3] - first[0], delta2: middle - first[0], terms: []dwordTerm{emptyTerm(), emptyTerm()}}
	s.places = []stepPlace{{first: first[0], step: step, size: windowBytes}, {first: first[3], step: step, size: windowBytes}, {first: middle, step: step, size: 2 * windowBytes}}
	for _, b := range m.bytes {
		q := b.lane / 2
		s.terms[(q+1)/2%2].shuffle[4*b.lane+b.to] = byte(b.at - begins[q])
	}
	return s
}

// far is a word for each of eight lanes, equally far apart.
func (m *stepMove) far() *laneSteps {
	var lists [eightLanes][]stepByte
	for _, b := range m.bytes {
		lists[b.lane] = append(lists[b.lane], b)
	}
	if m.how != moveMasked {
		return nil
	}
	s := &laneSteps{gathering: farMasked, terms: []dwordTerm{emptyTerm()}}
	begin, distance := 0, 0
	for l, list := range lists {
		first, n, step, ok := reach(list)
		switch l {
		case 0:
			begin = first
			s.places = []stepPlace{{first: first, step: step, size: windowBytes}, {first: first, step: step, size: windowBytes}}
		case 1:
			distance = first - begin
		}
		if list == nil || !ok || n > 4 || distance < 0 || first != begin+l*distance || step != s.places[0].step || l == 1 && distance < 4 {
			return nil
		}
		for _, b := range list {
			s.terms[0].shuffle[4*l+b.to] = byte(4*(l%4) + b.at - first)
		}
	}
	s.delta = distance - 4
	s.places[1].first += 4 * distance
	for i := range s.places {
		s.places[i].size += 3 * s.delta
	}
	return s
}
