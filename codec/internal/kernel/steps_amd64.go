// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// The ways to put words of a step together, as the table of loops has them. Bytes are shuffled; bits are moved
// to the left besides, and masked; a sum is of two parts, each a masked word of 16 bits times a power of two. Of a half,
// words and fields are the same in 16 bits.
const (
	oneBytes = iota // one window of 16 bytes for all lanes
	oneBits
	oneMasked
	oneSum
	twoBytes // a window for each four lanes
	twoBits
	twoMasked
	twoSum
	pairBytes // two pieces of eight bytes
	pairMasked
	pairSum
	splitBytes // a window for less than four lanes each, which are stored one after the other
	splitBits
	splitPlain  // whole words of four bytes
	threeMasked // a window for two lanes each, of which those between lie in one of 32 bytes
	farMasked   // a word for each lane
	quadBytes   // four pieces of eight bytes
	oneWords
	oneFields
	twoWords
	twoFields
	pairWords
	pairFields
	bitsOfTerms // two terms
	signedWords // words as they are
	unsignedWords
	noWay
)

// wordHalfUnit is halves times a unit.
const wordHalfUnit = 5

// gatheringCost is instructions of a step, but for those that the kind and the epilogue add.
var gatheringCost = [...]int{
	oneBytes: 2, oneBits: 3, oneMasked: 4, oneSum: 4, twoBytes: 3, twoBits: 4, twoMasked: 5, twoSum: 5, pairBytes: 5, pairMasked: 7, pairSum: 7,
	splitBytes: 4, splitBits: 5, splitPlain: 3, threeMasked: 8, farMasked: 13, quadBytes: 9, oneWords: 2, oneFields: 5, twoWords: 4, twoFields: 7,
	pairWords: 4, pairFields: 7, bitsOfTerms: 14, signedWords: 1, unsignedWords: 1,
}

// stepCost is what every step takes: the loop, a store, a conversion, an operation.
const stepCost = 6

// laneSteps is lanes of a block that a series takes, n at a time.
type laneSteps struct {
	lane, lanes   int
	n, half       int // half: lanes of the lower half, if halves are stored one after the other
	turn          int // not 0: steps in a row, behind which places jump
	gathering     int
	kind, shift   int
	places        []stepPlace
	delta, delta2 int
	terms         []dwordTerm
}

// stepPlace is where the first step reads, how far the next is behind it, and how much further after a turn.
type stepPlace struct{ first, step, size, jump int }

// count is how many steps a block has.
func (s *laneSteps) count() int { return (s.lanes + s.n - 1) / s.n }

// width is how many lanes a step writes.
func (s *laneSteps) width() int {
	if s.half != 0 {
		return s.half + 4
	}
	return eightLanes
}

// cost is instructions for a lane.
func (s *laneSteps) cost() float64 {
	return float64((gatheringCost[s.gathering]+stepCost)*s.count()) / float64(s.lanes)
}

// inside reports whether no step reads a byte before a block or from last on.
func (s *laneSteps) inside(last int) bool {
	steps, turns := s.count()-1, 0
	if s.turn != 0 {
		steps, turns = s.turn-1, s.count()/s.turn-1
	}
	for _, p := range s.places {
		row, rows := steps*p.step, turns*(p.jump+s.turn*p.step)
		if p.first+min(row, 0)+min(rows, 0) < 0 || p.first+max(row, 0)+max(rows, 0)+p.size > last {
			return false
		}
	}
	return true
}

// movingSegment is bits of a lane that are so many bytes further in the next step.
type movingSegment struct {
	Segment
	step int
}

// stepsOf finds how a step of n lanes goes on to the next; false if not.
func stepsOf(parts [][]Segment, n int) ([][]movingSegment, bool) {
	out := make([][]movingSegment, min(n, len(parts)))
	for l, list := range parts {
		from := out[l%n]
		if l < n {
			for i, s := range list {
				from = append(from, movingSegment{Segment: s})
				if l+n < len(parts) && i < len(parts[l+n]) {
					from[i].step = (parts[l+n][i].Bit - s.Bit) / 8
				}
			}
			out[l] = from
		}
		if len(list) != len(from) {
			return nil, false
		}
		for i, s := range list {
			if s.Width != from[i].Width || s.Left != from[i].Left || s.Bit != from[i].Bit+8*(l/n)*from[i].step {
				return nil, false
			}
		}
	}
	return out, true
}

// maxSeries is how many series an op is taken apart into.
const maxSeries = 8

// series takes a block's lanes apart into series; nil if there are too many. A step reads no byte from last on.
func (d *dwords) series(last int) []*laneSteps {
	if s := d.stepsFrom(0, len(d.parts), last, 1); s != nil {
		return []*laneSteps{s}
	}
	n := d.alike(0)
	if s := d.turning(n, last); s != nil {
		return []*laneSteps{s}
	}
	var out []*laneSteps
	for at := 0; at < len(d.parts); at += n {
		if at > 0 {
			n = d.alike(at)
		}
		s := d.stepsFrom(at, n, last, eightLanes)
		if s == nil || n%eightLanes != 0 || len(out) == maxSeries {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// turning is the cheapest series of lanes that jump after so many, always as far; nil if they do not.
func (d *dwords) turning(lanes, last int) *laneSteps {
	if lanes%eightLanes != 0 || lanes == len(d.parts) || len(d.parts)%lanes != 0 || !d.inStep(0, len(d.parts), lanes) {
		return nil
	}
	rows, ok := stepsOf(d.parts, lanes)
	if !ok {
		return nil
	}
	apart := 0
	for l, lane := range rows {
		for i, m := range lane {
			if l+i == 0 {
				apart = m.step
			}
			if m.step != apart {
				return nil
			}
		}
	}
	s := d.stepsFrom(0, lanes, last, eightLanes)
	if s == nil {
		return nil
	}
	s.lanes, s.turn = len(d.parts), lanes/eightLanes
	for i := range s.places {
		s.places[i].jump = apart - s.turn*s.places[i].step
	}
	if !s.inside(last) {
		return nil
	}
	return s
}

// stepwise reports whether lanes go on by steps, so that an epilogue may be part of their loops.
func (d *dwords) stepwise(last int) bool { return d.series(last) != nil || d.twoTerms() != nil }

// alike is how many lanes from one on go on by the same steps.
func (d *dwords) alike(at int) int {
	n := min(2*eightLanes, len(d.parts)-at)
	for ; at+n < len(d.parts); n += eightLanes {
		if _, ok := stepsOf(d.parts[at:min(at+n+eightLanes, len(d.parts))], eightLanes); !ok {
			return n
		}
	}
	return len(d.parts) - at
}

// stepsFrom is the cheapest series of lanes, nil if there is none. Steps are of a multiple of some lanes.
func (d *dwords) stepsFrom(at, lanes, last, turn int) *laneSteps {
	var best *laneSteps
	for _, n := range []int{8, 6, 7, 5, 4, 3, 2} {
		if n%turn != 0 || !d.inStep(at, lanes, n) {
			continue
		}
		list, ok := stepsOf(d.parts[at:at+lanes], n)
		if !ok {
			continue
		}
		for _, s := range d.candidates(list, at) {
			s.lane, s.lanes = at, lanes
			if s.n = n; s.inside(last) && (best == nil || s.cost() < best.cost()) {
				best = s
			}
		}
	}
	return best
}

// candidates are all ways to read a step, whose lanes are those from one on.
func (d *dwords) candidates(list [][]movingSegment, at int) []*laneSteps {
	if d.kind == wordHalf {
		return d.halfSteps(list)
	}
	if s := d.plainWords(list); s != nil {
		return []*laneSteps{s}
	}
	if s := d.wholeBytes(list, at); s != nil {
		return s
	}
	shifted := d.shifted(list, at)
	if d.kind != wordSigned && d.kind != wordUnsigned {
		return shifted
	}
	m := &stepMove{size: 4}
	var signs [eightLanes]int
	for l := range list {
		signs[l] = d.signOf(at + l)
	}
	if !m.sums(list, signs) {
		return shifted
	}
	return append(shifted, d.loads(m, wordSigned)...)
}

// wholeBytes are ways to read numbers that need neither shifts nor masks: of integers those without a sign stand at the
// bottom of their words.
func (d *dwords) wholeBytes(list [][]movingSegment, at int) []*laneSteps {
	m, kind := &stepMove{size: 4}, d.kind
	for l := range list {
		if m.tops[l] = d.topOf(at + l); d.integers() && d.signOf(at+l) == 0 {
			m.tops[l], kind = 0, wordSigned
		}
	}
	if !m.moved(list) || m.shifts || m.junk(d.integers()) {
		return nil
	}
	return d.loads(m, kind)
}

// integers reports whether words are integers of less than 32 bits or with a sign.
func (d *dwords) integers() bool { return d.kind == wordSigned || d.kind == wordUnsigned }

// shifted are ways to read numbers that are moved to the left, and masked if something else would stay. A masked integer without
// a sign has a zero above it, so that shifts back do not ask for signs.
func (d *dwords) shifted(list [][]movingSegment, at int) []*laneSteps {
	var out []*laneSteps
	m := &stepMove{size: 4, how: moveBits}
	for l := range list {
		m.tops[l] = d.topOf(at + l)
	}
	if d.integers() && m.moved(list) && !m.junk(true) {
		out = d.loads(m, d.kind)
	}
	m = &stepMove{size: 4, how: moveMasked}
	for l := range list {
		if m.tops[l] = d.topOf(at + l); d.kind == wordUnsigned {
			m.tops[l]--
		}
	}
	if d.kind != wordWide && m.moved(list) {
		out = append(out, d.loads(m, d.kind&^wordUnsigned)...)
	}
	return out
}

// plainWords are eight words of 16 bits as they are.
func (d *dwords) plainWords(list [][]movingSegment) *laneSteps {
	if d.kind > wordUnsigned || d.top != 16 || d.mixed != nil || len(list) != eightLanes {
		return nil
	}
	first := -1
	for l, lane := range list {
		if len(lane) != 1 || lane[0].Width != 16 || lane[0].Bit%8 != 0 || lane[0].Bit != list[0][0].Bit+16*l || lane[0].step != list[0][0].step {
			return nil
		}
		first = list[0][0].Bit / 8
	}
	s := &laneSteps{gathering: signedWords, kind: wordSigned, places: []stepPlace{{first: first, step: list[0][0].step, size: windowBytes}}, terms: []dwordTerm{emptyTerm()}}
	if d.kind == wordUnsigned {
		s.gathering = unsignedWords
	}
	return s
}

// halfSteps are ways to read halves, which are words of 16 bits: as they are, or moved to the left by a product
// and back.
func (d *dwords) halfSteps(list [][]movingSegment) []*laneSteps {
	kind := wordHalf
	if d.unit != 1 {
		kind = wordHalfUnit
	}
	for shift := range 16 {
		m := &stepMove{size: 2, shift: shift}
		for l := range list {
			m.tops[l] = shift
		}
		if m.moved(list) {
			if shift == 0 && !m.shifts && kind == wordHalf && !m.junk(true) {
				return d.loads(m, wordHalf)
			}
			m.how = moveFields
			return d.loads(m, wordHalfUnit)
		}
	}
	return nil
}
