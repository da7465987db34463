// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "encoding/binary"

// planeLanes is 32 lanes of two rows of 16 bytes, or 16 lanes of one: shifted right
// and left by 32-bit words.
type planeLanes struct {
	first, second, dst int32
	operand            int32 // of an epilogue that takes the lanes
	right, left        [8]uint32
}

// window is up to 32 lanes of fields out of two windows of 16 bytes: which bytes
// make each lane, and by what product the field goes to a word's top. Even and odd
// lanes are apart in the pair form; bits and words use the first half only.
type window struct {
	first, second, dst, units int32
	shuffle, factor           [32]byte
	shuffle2, factor2         [32]byte
}

// fields is one segment of eight lanes anywhere in the block. Descriptors of the
// same lanes follow each other; the first says how many they are.
type fields struct {
	byte          [8]int32
	right, mask   [8]uint32
	left          [8]uint32
	segments, dst int32
}

// strided is 32 lanes: four times eight that are four bytes apart, with the field at one place.
type strided struct {
	byte, right [4]int32
	dst         int32
}

// unpacking is the descriptors of one op, by kernel.
type unpacking struct {
	bits         []int
	width        int
	to           Target
	size         int // bytes of a code
	rows, halves []planeLanes
	pairs, words []window
	strides      []strided
	covers       []cover
	fields       []fields
}

// unpack makes Plane and Spread ready: both are fields at given bits.
func (f *Frame) unpack(bits []int, width int, to Target) calls {
	u := &unpacking{bits: bits, width: width, to: to, size: 1}
	if f.u16[to.Buffer] != nil {
		u.size = 2
	}
	for at := 0; at < len(bits); at += 2 * chunkLanes {
		u.chunks(at)
	}
	return u.calls(f)
}

// chunks plans lanes at to at+31.
func (u *unpacking) chunks(at int) {
	middle, end := min(at+chunkLanes, len(u.bits)), min(at+2*chunkLanes, len(u.bits))
	if s, ok := u.stride(at, end); ok {
		u.strides = append(u.strides, s)
		return
	}
	one := u.shape(at, middle)
	if middle == end {
		u.chunk(one, at, end)
		return
	}
	two := u.shape(middle, end)
	c, covered := u.cover(at)
	switch {
	case one == rowShape && two == rowShape:
		u.rows = append(u.rows, u.row(at, middle))
	case covered:
		u.covers = append(u.covers, c)
	case one <= pairShape && two <= pairShape:
		u.pairs = append(u.pairs, u.pair(at, end))
	default:
		u.chunk(one, at, middle)
		u.chunk(two, middle, end)
	}
}

// stride is 32 lanes by eights that are four bytes apart.
func (u *unpacking) stride(from, to int) (strided, bool) {
	s := strided{dst: int32(from)}
	if to-from != 2*chunkLanes || u.size != 1 || u.width+u.to.Left > 8 {
		return s, false
	}
	for i := range s.byte {
		bits := u.bits[from+i*eightLanes:][:eightLanes]
		if !apart(bits) {
			return s, false
		}
		s.byte[i], s.right[i] = int32(bits[0]/8), int32(bits[0]%8)
	}
	return s, true
}

// apart reports whether fields are four bytes apart.
func apart(bits []int) bool {
	for i, o := range bits {
		if o < 0 || o != bits[0]+32*i {
			return false
		}
	}
	return true
}

func (u *unpacking) shape(from, to int) shape {
	return unpackShape(u.bits[from:to], u.width, u.to, u.size == 2)
}

func (u *unpacking) chunk(s shape, from, to int) {
	switch s {
	case rowShape:
		u.halves = append(u.halves, u.row(from, from))
	case pairShape:
		u.pairs = append(u.pairs, u.pair(from, to))
	default:
		u.eights(from, to)
	}
}

// row is the rows that begin at two lanes.
func (u *unpacking) row(one, two int) planeLanes {
	r := planeLanes{first: int32(u.bits[one] / 8), second: int32(u.bits[two] / 8), dst: int32(one)}
	for i := range r.right {
		bit := u.bits[one] % 8
		if i >= 4 {
			bit = u.bits[two] % 8
		}
		if net := bit - u.to.Left; net >= 0 {
			r.right[i] = uint32(net)
		} else {
			r.left[i] = uint32(-net)
		}
	}
	return r
}

// pair is up to 32 lanes out of a window for each half.
func (u *unpacking) pair(from, to int) window {
	middle := min(from+chunkLanes, to)
	w := window{dst: int32(from), units: int32((to - from + 7) / 8)}
	one, two := max(windowBase(u.bits[from:middle]), 0), max(windowBase(u.bits[middle:to]), 0)
	if middle == to {
		two = one
	}
	w.first, w.second = int32(one), int32(two)
	for i := range 2 * chunkLanes {
		base, bit := one, -1
		if i >= chunkLanes {
			base = two
		}
		if from+i < to {
			bit = u.bits[from+i]
		}
		switch {
		case u.width == 1:
			w.bitLane(i, bit, base)
		case i%2 == 0:
			wordLane(w.shuffle[i:], w.factor[i:], bit, base, u.width)
		default:
			wordLane(w.shuffle2[i-1:], w.factor2[i-1:], bit, base, u.width)
		}
	}
	return w
}

// bitLane is one bit: a byte of the window, and the bit in it. A lane without a bit
// is a byte 0 that is asked for bit 0.
func (w *window) bitLane(i, bit, base int) {
	w.shuffle[i], w.factor[i] = 0x80, 1
	if bit >= 0 {
		w.shuffle[i], w.factor[i] = byte(bit/8-base), 1<<(bit%8)
	}
}

// wordLane is a field within two bytes: both make a word, whose product with the
// factor has the field at its top.
func wordLane(shuffle, factor []byte, bit, base, width int) {
	shuffle[0], shuffle[1] = 0x80, 0x80
	if bit < 0 {
		return
	}
	shuffle[0] = byte(bit/8 - base)
	if bit%8+width > 8 {
		shuffle[1] = shuffle[0] + 1
	}
	binary.LittleEndian.PutUint16(factor, 1<<(16-width-bit%8))
}

// eights plans up to 16 lanes by eights.
func (u *unpacking) eights(from, to int) {
	middle := min(from+eightLanes, to)
	one := eightShape(u.bits[from:middle], u.width, u.to)
	if middle < to && one == wordShape && eightShape(u.bits[middle:to], u.width, u.to) == wordShape {
		u.words = append(u.words, u.word(from, to))
		return
	}
	for ; from < to; from += eightLanes {
		end := min(from+eightLanes, to)
		if eightShape(u.bits[from:end], u.width, u.to) == wordShape {
			u.words = append(u.words, u.word(from, end))
			continue
		}
		u.fields = append(u.fields, u.gather(u.bits[from:end], from))
	}
}

// word is up to 16 lanes out of a window for each eight.
func (u *unpacking) word(from, to int) window {
	middle := min(from+eightLanes, to)
	w := window{dst: int32(from * u.size), units: int32((to - from + 7) / 8)}
	one, two := max(windowBase(u.bits[from:middle]), 0), max(windowBase(u.bits[middle:to]), 0)
	if middle == to {
		two = one
	}
	w.first, w.second = int32(one), int32(two)
	for i := range chunkLanes {
		base, bit := one, -1
		if i >= eightLanes {
			base = two
		}
		if from+i < to {
			bit = u.bits[from+i]
		}
		wordLane(w.shuffle[2*i:], w.factor[2*i:], bit, base, u.width)
	}
	return w
}

// gather is up to 8 lanes anywhere.
func (u *unpacking) gather(bits []int, lane int) fields {
	out := fields{segments: 1, dst: int32(lane * u.size)}
	for i, o := range bits {
		if o >= 0 {
			out.set(i, Segment{Bit: o, Width: u.width, Left: u.to.Left})
		}
	}
	return out
}

func (d *fields) set(i int, s Segment) {
	d.byte[i], d.right[i] = int32(s.Bit/8), uint32(s.Bit%8)
	d.mask[i], d.left[i] = 1<<s.Width-1, uint32(s.Left)
}

// fewRows is how many descriptors of rows are done one after the other for all blocks.
const fewRows = 4

// calls are the kernels for the descriptors there are.
func (u *unpacking) calls(f *Frame) calls {
	var out calls
	or := 0
	if u.to.Or {
		or = 1
	}
	post := u.to.Post.kind()
	add := func(loop func(*unpackArgs), desc *byte, count, units, size int) *call {
		c := &call{loop: loop, payload: true, pace: pace{units: units, desc: size}}
		c.args = f.target(u.to)
		c.args.desc, c.args.count = desc, count
		c.args.mask = uint16(uint32(1<<u.width-1) << u.to.Left)
		if u.size == 1 {
			c.args.mask &= 0xff
		}
		c.args.even, c.args.odd = 16-u.width-u.to.Left, 8-u.width-u.to.Left
		c.args.low = 1<<(8*u.size) - 1
		out = append(out, c)
		return c
	}
	if n := len(u.rows); n > fewRows {
		add(planeLoops[left(u.rows)][or][post], address(u.rows), n, pieceLanes/32, sizeOf[planeLanes]())
	} else {
		for i := range u.rows { // a loop over blocks keeps its only descriptor in registers
			add(planeLoops[left(u.rows[i:i+1])][or][post], address(u.rows[i:]), 1, pieceLanes/32, sizeOf[planeLanes]())
		}
	}
	if n := len(u.halves); n > 0 {
		add(planeLoops[left(u.halves)+2][or][post], address(u.halves), n, pieceLanes/chunkLanes, sizeOf[planeLanes]())
	}
	u.coverCalls(or, post, add)
	if n := len(u.pairs); n > 0 && u.width == 1 {
		add(bitLoops[0][or][post], address(u.pairs), n, pieceLanes/32, sizeOf[window]())
	} else if n > 0 {
		add(pairLoops[0][or][post], address(u.pairs), n, pieceLanes/32, sizeOf[window]())
	}
	if n := len(u.strides); n > 0 {
		add(strideLoops[0][or][post], address(u.strides), n, pieceLanes/32, sizeOf[strided]())
		out[len(out)-1].args.even = u.to.Left
		out[len(out)-1].args.low = 1<<u.width - 1
	}
	word, gather := wordLoops[0][or][post], gatherLoops[0][or][post]
	if u.size == 2 {
		word = [...]func(*unpackArgs){word16, word16Or}[or]
		gather = [...]func(*unpackArgs){gather16, gather16Or}[or]
	}
	if n := len(u.words); n > 0 {
		add(word, address(u.words), n, pieceLanes/chunkLanes, sizeOf[window]())
	}
	if n := len(u.fields); n > 0 {
		add(gather, address(u.fields), n, slowLanes/eightLanes, sizeOf[fields]())
	}
	return out
}

// left is 1 if some row moves to the left.
func left(rows []planeLanes) int {
	for _, r := range rows {
		if r.left != [8]uint32{} {
			return 1
		}
	}
	return 0
}

func (a *unpackArgs) post(p Post) {
	if p.Lut != nil {
		a.lut = *p.Lut
	}
	if m := p.Affine; m != nil {
		// -y is (y ^ 255) + 1.
		a.add, a.xor, a.shift, a.keep = m.Add, m.Xor, m.Shift, byte(0xff<<m.Shift)
		if m.Neg {
			a.add, a.neg = m.Add+1, 0xff
		}
	}
}

// gatherFields makes Field ready, some lanes at a time: a loop walks over the segments of
// eight lanes.
func (f *Frame) gatherFields(k *Field) calls {
	var out calls
	for from := 0; from < len(k.Lanes); from += slowLanes {
		part := k.Lanes[from:min(from+slowLanes, len(k.Lanes))]
		for _, c := range f.gatherSome(k, part, from) {
			c.args.count, c.pace = (len(part)+eightLanes-1)/eightLanes, pace{units: slowLanes / eightLanes}
			out = append(out, c)
		}
	}
	return out
}

// gatherSome makes lanes of a Field ready, of which the first is lane first.
func (f *Frame) gatherSome(k *Field, part [][]Segment, first int) calls {
	u := &unpacking{to: k.To, size: 1, width: 16}
	if f.u16[k.To.Buffer] != nil {
		u.size = 2
	}
	for at := 0; at < len(part); at += eightLanes {
		lanes := part[at:min(at+eightLanes, len(part))]
		n := max(mostSegments(lanes), 1)
		group := make([]fields, n)
		group[0].segments, group[0].dst = int32(n), int32((first+at)*u.size)
		for i, lane := range lanes {
			for j, s := range lane {
				group[j].set(i, s)
			}
		}
		u.fields = append(u.fields, group...)
	}
	return u.calls(f)
}
