// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// dwordArgs are the arguments of the loops over words of four bytes, behind those of an
// epilogue. A step follows eight lanes, a skip a block; a delta leads from the window of
// the lower four lanes to that of the upper.
type dwordArgs struct {
	epilogueArgs
	second        *byte // where steps read besides
	third, fourth *byte
	terms         *byte
	delta, delta2 int
	step, step2   int
	turn, turn2   int // behind a group
	skip2         int
	shift         int // of finished words to the right
	plus          uint32
	unit          float32
	signs         uint32  // of A, which the second factor has
	low           float32 // the second factor, of quotients
	vectors       bool    // a step's lanes have operands of their own
}

// dwordTerm takes bytes of windows as eight words, moves each, and keeps some bits. Finished words of integers are moved
// down.
type dwordTerm struct {
	shuffle                 [32]byte
	left, right, mask, down [8]uint32
}

// dwordPlace is where the windows of a term begin, one for each four lanes, and how far
// the term is behind the first.
type dwordPlace struct{ first, second, term int32 }

// The kinds of words, as the tables of loops have them.
const (
	wordSigned = iota
	wordUnsigned
	wordFloat
	wordHalf
	wordWide // unsigned, all 32 bits
)

const maxTerms = 4

// dwords is numbers of a block as words.
type dwords struct {
	kind   int
	top    int         // how far to the left of its place in a number a bit is in a word
	width  int         // of integers
	sign   int         // the width of those with a sign; 0: none
	mixed  []mixedSign // of each lane, if they are not the same
	lanes  int
	plus   int32
	unit   float32
	parts  [][]Segment
	eights []dwordEight // once they are made
	failed bool         // no words can hold them
}

// dwordEight is eight lanes.
type dwordEight struct {
	terms []dwordTerm
	place [][2]int // of each term: the first bytes of its windows
}

// dwordsOf is an op's numbers as words, if words can hold them.
func dwordsOf(op Op) (*dwords, BufferID, bool) {
	d := &dwords{unit: 1}
	switch k := op.(type) {
	case *Loose:
		d.plus = k.Add
		if k.Unit != 0 {
			d.unit = k.Unit
		}
		width := k.width()
		d.parts = k.Parts
		if k.mixed() {
			return d, k.To, d.mix(k)
		}
		return d, k.To, d.format(k.Format, width, k.Sign != 0 || width == 32)
	case *Scalar:
		d.parts = wholeNumbers(k.Bytes, k.Format.size())
		return d, k.To, d.format(k.Format, 32, true)
	case *Wide:
		d.parts = make([][]Segment, len(k.Bits))
		for l, bit := range k.Bits {
			d.parts[l] = []Segment{{Bit: bit, Width: k.Width}}
		}
		d.plus = k.Add
		sign := k.Xor == 1<<(k.Width-1)
		if sign {
			d.plus += 1 << (k.Width - 1)
		}
		return d, k.To, (sign || k.Xor == 0) && d.format(Int32, k.Width, sign)
	}
	return nil, 0, false
}

// wholeNumbers are numbers of so many bytes.
func wholeNumbers(at []int, size int) [][]Segment {
	parts := make([][]Segment, len(at))
	for l, o := range at {
		parts[l] = []Segment{{Bit: 8 * o, Width: 8 * size}}
	}
	return parts
}

// format sets what the words are: numbers of a format, or for integers of so many bits.
func (d *dwords) format(x Format, width int, signed bool) bool {
	switch x {
	case F16:
		d.kind, d.top = wordHalf, 16
	case BF16:
		d.kind, d.top = wordFloat, 16
	case Float32:
		d.kind = wordFloat
	case Int32, Uint32:
		d.top = 32 - width
		switch {
		case signed && x == Int32:
			d.kind = wordSigned
		case width == 32:
			d.kind = wordWide
		default:
			d.kind = wordUnsigned
		}
	default:
		return false
	}
	d.lanes, d.width = len(d.parts), width
	if d.kind == wordSigned {
		d.sign = width
	}
	return width > 0 && width <= 32 && d.lanes > 0
}

// make puts numbers together, preferably so that all eights are alike; it is false if that takes
// too many terms.
func (d *dwords) make() bool {
	if d.eights != nil || d.failed {
		return !d.failed
	}
	mixed, ok := d.all(d.parts, false)
	if ok {
		if d.eights = mixed; d.regular() {
			return true
		}
	}
	own, fits := d.all(d.parts, true)
	if fits {
		if d.eights = own; !d.regular() && ok {
			d.eights = mixed
		}
	}
	d.failed = !ok && !fits
	return !d.failed
}

// all puts the eights together, with the first parts of all numbers, the second, and so on, in
// terms of their own, or wherever they fit.
func (d *dwords) all(parts [][]Segment, own bool) ([]dwordEight, bool) {
	var out []dwordEight
	for at := 0; at < len(parts); at += eightLanes {
		var b dwordBuilder
		for l, list := range parts[at:min(at+eightLanes, len(parts))] {
			for i, s := range list {
				if b.part = 0; own {
					b.part = i
				}
				if !b.add(l, s, s.Left+d.topOf(at+l)) {
					return nil, false
				}
			}
		}
		e := b.finish()
		for t := range e.terms {
			for l := range min(eightLanes, len(parts)-at) {
				e.terms[t].down[l] = uint32(d.topOf(at + l))
			}
		}
		out = append(out, e)
	}
	return out, len(parts) > 0
}

// most is the terms of the eights that have most.
func (d *dwords) most() int {
	n := 0
	for i := range d.eights {
		n = max(n, len(d.eights[i].terms))
	}
	return n
}

// dwordPiece is bits of a lane that lie in bytes of the payload as in the word, but for a
// shift: byte from belongs to byte to of the word.
type dwordPiece struct {
	lane, from, to, n int
	left, right       int
	mask              uint32
}

// dwordBuilder puts pieces of eight lanes into terms.
type dwordBuilder struct {
	terms []*dwordRoom
	part  int // which terms are for now
}

// dwordRoom is a term as it fills.
type dwordRoom struct {
	low, high [2]int // bytes of the windows
	used      [2]bool
	pieces    []dwordPiece
	part      int
}

// add adds a run of bits, to be at bit place of the lane's word.
func (b *dwordBuilder) add(lane int, s Segment, place int) bool {
	if place+s.Width > 32 {
		return false
	}
	p := dwordPiece{lane: lane, from: s.Bit / 8, left: (place - s.Bit%8 + 32) % 8}
	at, n := place-p.left, s.Width
	if at < 0 {
		p.right, p.left = 8-p.left, 0
		at = place + p.right
		n = min(n, 32-at)
	}
	p.to, p.n = at/8, (at+n-1)/8-at/8+1
	p.mask = uint32(1<<n-1) << place
	if !b.piece(p) {
		return false
	}
	if n < s.Width {
		return b.add(lane, Segment{Bit: s.Bit + n, Width: s.Width - n}, place+n)
	}
	return true
}

func (b *dwordBuilder) piece(p dwordPiece) bool {
	for _, r := range b.terms {
		if r.part == b.part && r.takes(p) {
			return true
		}
	}
	if len(b.terms) == maxTerms {
		return false
	}
	r := &dwordRoom{part: b.part}
	b.terms = append(b.terms, r)
	return r.takes(p)
}

// takes adds a piece, if it fits the windows and the lane's other pieces.
func (r *dwordRoom) takes(p dwordPiece) bool {
	h := p.lane / 4
	low, high := p.from, p.from+p.n-1
	if r.used[h] {
		low, high = min(low, r.low[h]), max(high, r.high[h])
	}
	if high-low >= windowBytes {
		return false
	}
	for _, o := range r.pieces {
		if o.lane == p.lane && (o.left != p.left || o.right != p.right || o.to < p.to+p.n && p.to < o.to+o.n) {
			return false
		}
	}
	r.low[h], r.high[h], r.used[h] = low, high, true
	r.pieces = append(r.pieces, p)
	return true
}

// finish makes the terms; without one there is one of nothing.
func (b *dwordBuilder) finish() dwordEight {
	var e dwordEight
	for _, r := range b.terms {
		for h := range 2 {
			if !r.used[h] {
				r.low[h] = r.low[1-h]
			}
		}
		t := emptyTerm()
		for _, p := range r.pieces {
			for i := range p.n {
				t.shuffle[4*p.lane+p.to+i] = byte(p.from + i - r.low[p.lane/4])
			}
			t.left[p.lane], t.right[p.lane] = uint32(p.left), uint32(p.right)
			t.mask[p.lane] |= p.mask
		}
		e.terms, e.place = append(e.terms, t), append(e.place, r.low)
	}
	if e.terms == nil {
		e.terms, e.place = append(e.terms, emptyTerm()), append(e.place, [2]int{})
	}
	return e
}

func emptyTerm() dwordTerm {
	var t dwordTerm
	for i := range t.shuffle {
		t.shuffle[i] = 0x80
	}
	return t
}

// dwordList makes an op's numbers ready, wherever they are, to be written into its buffer.
func (f *Frame) dwordList(d *dwords, to BufferID) *dwordCall {
	var places []dwordPlace
	var terms []dwordTerm
	known, most := map[dwordTerm]int32{}, d.most()
	for _, e := range d.eights {
		for t := range most {
			term, place := emptyTerm(), e.place[0]
			if t < len(e.terms) {
				term, place = e.terms[t], e.place[t]
			}
			term.down = e.terms[0].down
			at, ok := known[term]
			if !ok {
				at = int32(sizeOf[dwordTerm]() * len(terms))
				known[term], terms = at, append(terms, term)
			}
			places = append(places, dwordPlace{int32(place[0]), int32(place[1]), at})
		}
	}
	c := &dwordCall{list: most * sizeOf[dwordPlace]()}
	c.loops[0] = dwordList[most-1][d.kind]
	c.lanes = eightLanes * len(d.eights)
	a := &c.args
	a.dst = address(f.f32[to])
	a.srcSkip, a.dstSkip = f.stride, 4*f.pitch[to]
	a.runs, a.count = address(places), len(d.eights)
	c.ready(d, terms)
	return c
}
