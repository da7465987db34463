// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// planeLanes is 32 lanes of two rows of 16 bytes: by how much each moves to the left, if
// negative to the right.
type planeLanes struct {
	first, second, dst, _ int32
	shift                 [2][16]int8
}

// oneByteLanes is 16 lanes, or 8 if half is not 0: the byte of two windows of 16 bytes that
// has each, and how far it moves.
type oneByteLanes struct {
	first, second, dst, half int32
	index                    [16]byte
	shift                    [16]int8
}

// twoByteLanes is the same of lanes that lie in two bytes: the first and the second of each.
type twoByteLanes struct {
	first, second, dst, half int32
	low                      [16]byte
	lowShift                 [16]int8
	high                     [16]byte
	highShift                [16]int8
}

// halfWordLanes is 16 lanes, or 8, that are 16 bits each: both bytes of each window's eight.
type halfWordLanes struct {
	first, second, dst, half int32
	index                    [32]byte
	shift                    [16]int16
}

// absent is an index beyond all tables: the byte is 0.
const absent = 0xff

// unpacking is the descriptors of one op, by kernel.
type unpacking struct {
	bits  []int
	width int
	to    Target
	wide  bool
	rows  []planeLanes
	bytes []oneByteLanes
	pairs []twoByteLanes
	words []halfWordLanes
	far   []chunk
}

// chunk is lanes that follow each other.
type chunk struct{ from, to int }

// unpack makes Plane and Spread ready: both are fields at given bits. Lanes that lie too far
// apart for windows are done one by one.
func (f *Frame) unpack(bits []int, width int, to Target) calls {
	u := &unpacking{bits: bits, width: width, to: to, wide: f.u16[to.Buffer] != nil}
	if !u.wide && width+to.Left > 8 || len(bits) == 0 {
		return nil
	}
	for at := 0; at < len(bits); at += chunkLanes {
		if u.row(at) {
			at += chunkLanes
			continue
		}
		end := min(at+chunkLanes, len(bits))
		if u.chunk(at, end) {
			continue
		}
		for from := at; from < end; from += eightLanes {
			if to := min(from+eightLanes, end); !u.chunk(from, to) {
				u.apart(from, to)
			}
		}
	}
	return u.calls(f)
}

// apart takes lanes that have no window.
func (u *unpacking) apart(from, to int) {
	if n := len(u.far); n > 0 && u.far[n-1].to == from {
		u.far[n-1].to = to
		return
	}
	u.far = append(u.far, chunk{from, to})
}

// parts is the fields of a chunk, one by one.
func (u *unpacking) parts(c chunk) []part {
	list := make([]part, c.to-c.from)
	for i, o := range u.bits[c.from:c.to] {
		if o >= 0 {
			list[i] = part{int64(o / 8), int64(o % 8), 1<<u.width - 1, int64(u.to.Left)}
		}
	}
	return list
}

// row takes 32 lanes that are two rows.
func (u *unpacking) row(at int) bool {
	middle, end := at+chunkLanes, at+2*chunkLanes
	if u.wide || end > len(u.bits) || !isRow(u.bits[at:middle], u.width) || !isRow(u.bits[middle:end], u.width) {
		return false
	}
	r := planeLanes{first: int32(u.bits[at] / 8), second: int32(u.bits[middle] / 8), dst: int32(at)}
	for i := range chunkLanes {
		r.shift[0][i] = int8(u.to.Left - u.bits[at]%8)
		r.shift[1][i] = int8(u.to.Left - u.bits[middle]%8)
	}
	u.rows = append(u.rows, r)
	return true
}

// chunk takes up to 16 lanes out of one window, or eight out of each of two.
func (u *unpacking) chunk(from, to int) bool {
	chunk, middle := u.bits[from:to], min(eightLanes, to-from)
	one := max(windowBase(chunk), 0)
	two := one
	if unpackShape(chunk, u.width, u.to, u.wide) == splitShape {
		if eightShape(chunk[:middle], u.width, u.to) != wordShape || eightShape(chunk[middle:], u.width, u.to) != wordShape {
			return false
		}
		one = max(windowBase(chunk[:middle]), 0)
		if two = one; len(chunk) > middle {
			two = max(windowBase(chunk[middle:]), 0)
		}
	}
	half := int32(0)
	if len(chunk) <= eightLanes {
		half = 1
	}
	switch {
	case u.wide:
		u.words = append(u.words, halfWordLanes{first: int32(one), second: int32(two), dst: int32(2 * from), half: half})
		u.words[len(u.words)-1].set(u, chunk, one, two)
	case u.single(chunk):
		u.bytes = append(u.bytes, oneByteLanes{first: int32(one), second: int32(two), dst: int32(from), half: half})
		u.bytes[len(u.bytes)-1].set(u, chunk, one, two)
	default:
		u.pairs = append(u.pairs, twoByteLanes{first: int32(one), second: int32(two), dst: int32(from), half: half})
		u.pairs[len(u.pairs)-1].set(u, chunk, one, two)
	}
	return true
}

// single reports whether no lane crosses a byte's edge.
func (u *unpacking) single(bits []int) bool {
	for _, o := range bits {
		if o >= 0 && o%8+u.width > 8 {
			return false
		}
	}
	return true
}

// index is where byte i's lane begins in two windows.
func windowIndex(lane, bit, one, two int) byte {
	switch {
	case bit < 0:
		return absent
	case lane < eightLanes:
		return byte(bit/8 - one)
	default:
		return byte(bit/8 - two + windowBytes)
	}
}

func (d *oneByteLanes) set(u *unpacking, bits []int, one, two int) {
	for i := range d.index {
		d.index[i] = absent
		if i < len(bits) && bits[i] >= 0 {
			d.index[i], d.shift[i] = windowIndex(i, bits[i], one, two), int8(u.to.Left-bits[i]%8)
		}
	}
}

func (d *twoByteLanes) set(u *unpacking, bits []int, one, two int) {
	for i := range d.low {
		d.low[i], d.high[i] = absent, absent
		if i >= len(bits) || bits[i] < 0 {
			continue
		}
		d.low[i], d.lowShift[i] = windowIndex(i, bits[i], one, two), int8(u.to.Left-bits[i]%8)
		if bits[i]%8+u.width > 8 {
			d.high[i], d.highShift[i] = d.low[i]+1, d.lowShift[i]+8
		}
	}
}

// set gives each eight indices of its own window.
func (d *halfWordLanes) set(u *unpacking, bits []int, one, two int) {
	for i := range d.shift {
		d.index[2*i], d.index[2*i+1] = absent, absent
		if i >= len(bits) || bits[i] < 0 {
			continue
		}
		d.index[2*i] = windowIndex(i, bits[i], one, two) % windowBytes
		d.shift[i] = int16(u.to.Left - bits[i]%8)
		if bits[i]%8+u.width > 8 {
			d.index[2*i+1] = d.index[2*i] + 1
		}
	}
}

// calls are the kernels for the descriptors there are.
func (u *unpacking) calls(f *Frame) calls {
	var out calls
	or, post := 0, u.to.Post.kind()
	if u.to.Or {
		or = 1
	}
	add := func(loop func(*unpackArgs), desc *byte, count, size, lanes int) {
		if count == 0 {
			return
		}
		c := &call{loop: loop, payload: true, args: f.target(u.to), size: size}
		c.args.desc, c.args.count = desc, count
		c.args.mask = uint16(uint32(1<<u.width-1) << u.to.Left)
		out = append(out, c.cut(alike(lanes)))
	}
	add(planeLoops[0][or][post], address(u.rows), len(u.rows), sizeOf[planeLanes](), 2*chunkLanes)
	add(oneByteLoops[0][or][post], address(u.bytes), len(u.bytes), sizeOf[oneByteLanes](), chunkLanes)
	add(twoBytesLoops[0][or][post], address(u.pairs), len(u.pairs), sizeOf[twoByteLanes](), chunkLanes)
	add([]func(*unpackArgs){halfWords, halfWordsOr}[or], address(u.words), len(u.words), sizeOf[halfWordLanes](), chunkLanes)
	for _, c := range u.far {
		out = append(out, f.fields(u.to, c.from, u.parts(c), 1))
	}
	return out
}

func (a *unpackArgs) post(p Post) {
	if p.Lut != nil {
		a.lut = *p.Lut
	}
	if m := p.Affine; m != nil {
		// -y is (y ^ 255) + 1.
		a.add, a.xor, a.shift = m.Add, m.Xor, byte(m.Shift)
		if m.Neg {
			a.add, a.neg = m.Add+1, 0xff
		}
	}
}
