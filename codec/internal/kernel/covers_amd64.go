// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import (
	"encoding/binary"
	"slices"
)

// coverKind is how the loops over windows take fields.
type coverKind uint8

const (
	coverBytes coverKind = iota // inside their bytes, at the bottom or at one other place
	coverPairs                  // within two bytes
	coverBits                   // single bits
	coverWhole                  // bytes
)

// cover is 32 lanes out of a few windows of 16 bytes for each half.
type cover struct {
	kind    coverKind
	lane    int
	shift   int      // coverBytes: the other place
	windows [2][]int // where they begin
}

// most is how many windows the loops of a kind have at most.
func (k coverKind) most() int { return [...]int{4, 2, 2, 4}[k] }

// cover finds windows for lanes at to at+31. It is false where there are too many.
func (u *unpacking) cover(at int) (cover, bool) {
	c := cover{lane: at}
	if at+2*chunkLanes > len(u.bits) || u.size != 1 || u.width+u.to.Left > 8 {
		return c, false
	}
	bits := u.bits[at : at+2*chunkLanes]
	for half := range c.windows {
		c.windows[half] = windowsOf(bits[half*chunkLanes:][:chunkLanes], u.width)
	}
	count := c.count()
	switch shift, ok := twoPlaces(bits, u.width); {
	case ok && u.width == 8 && count <= coverWhole.most():
		c.kind = coverWhole
	case u.width == 1 && count <= coverBits.most():
		c.kind = coverBits
	case ok && (u.to.Left == 0 || u.to.Or) && count <= coverBytes.most():
		c.kind, c.shift = coverBytes, shift
	case count <= coverPairs.most() && withinTwo(bits, u.width):
		c.kind = coverPairs
	default:
		return c, false
	}
	return c, true
}

// count is how many windows its loop has.
func (c *cover) count() int { return max(len(c.windows[0]), len(c.windows[1])) }

// twoPlaces reports whether fields lie inside their bytes, at the bottom or at one other place.
func twoPlaces(bits []int, width int) (shift int, ok bool) {
	for _, o := range bits {
		switch s := o % 8; {
		case o < 0 || s == 0 && width <= 8:
		case s+width > 8 || shift != 0 && s != shift:
			return 0, false
		default:
			shift = s
		}
	}
	return shift, true
}

func withinTwo(bits []int, width int) bool {
	for _, o := range bits {
		if o >= 0 && o%8+width > 16 {
			return false
		}
	}
	return true
}

// windowsOf covers the bytes of fields with windows, from the first one on. If there are several, the
// last one ends with the last byte: nothing behind the fields is read.
func windowsOf(bits []int, width int) []int {
	var used []int
	for _, o := range bits {
		if o >= 0 {
			used = append(used, o/8, (o+width-1)/8)
		}
	}
	slices.Sort(used)
	var out []int
	for _, at := range used {
		if len(out) == 0 || at >= out[len(out)-1]+windowBytes {
			out = append(out, at)
		}
	}
	switch n := len(out); {
	case n == 0:
		return []int{0}
	case n > 1:
		out[n-1] = min(out[n-1], used[len(used)-1]+1-windowBytes)
	}
	return out
}

// byCall sorts covers by the loops that they need. One that needs less windows than others gets
// more: a loop of its own would cost more than it saves.
func byCall(list []cover) [][]cover {
	type key struct {
		kind         coverKind
		shift, count int
	}
	groups := map[key][]cover{}
	var order []key
	for _, c := range list {
		k := key{c.kind, c.shift, c.count()}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], c)
	}
	for i, k := range order {
		for _, more := range []int{2, 3, 4} {
			wider := key{k.kind, k.shift, more}
			if more > k.count && len(groups[wider]) > 0 && len(groups[k]) > 0 && len(groups[k]) == 1 {
				groups[wider] = append(groups[wider], groups[k]...)
				groups[order[i]] = nil
			}
		}
	}
	var out [][]cover
	for _, k := range order {
		if len(groups[k]) > 0 {
			out = append(out, groups[k])
		}
	}
	return out
}

// describe writes covers as the loops read them, each with n windows: where the lanes go, the operands of the
// fields, and for each window where it is for each half and its shuffles.
func (u *unpacking) describe(list []cover, n int) []byte {
	var out []byte
	for _, c := range list {
		bits := u.bits[c.lane:][:2*chunkLanes]
		out = binary.LittleEndian.AppendUint64(out, uint64(c.lane))
		shuffles := make([][2][32]byte, n)
		var operands [2][32]byte
		for i := range shuffles {
			for l := range shuffles[i][0] {
				shuffles[i][0][l], shuffles[i][1][l] = 0x80, 0x80
			}
		}
		for l, o := range bits {
			if o >= 0 {
				u.describeLane(&c, l, o, shuffles, &operands)
			} else if c.kind == coverBits {
				operands[0][l] = 1 // a byte 0 is asked for it
			}
		}
		if c.kind != coverWhole {
			out = append(out, operands[0][:]...)
		}
		if c.kind == coverBytes || c.kind == coverPairs {
			out = append(out, operands[1][:]...)
		}
		for i := range shuffles {
			for half := range c.windows {
				w := c.windows[half]
				out = binary.LittleEndian.AppendUint32(out, uint32(w[min(i, len(w)-1)]))
			}
			out = append(out, shuffles[i][0][:]...)
			if c.kind == coverPairs {
				out = append(out, shuffles[i][1][:]...)
			}
		}
	}
	return out
}

func (u *unpacking) describeLane(c *cover, l, bit int, shuffles [][2][32]byte, operands *[2][32]byte) {
	// set makes byte l of a shuffle a byte of the payload.
	set := func(which, l, at int) {
		for i, base := range c.windows[l/chunkLanes] {
			if base <= at && at < base+windowBytes {
				shuffles[i][which][l] = byte(at - base)
				return
			}
		}
	}
	switch c.kind {
	case coverWhole:
		set(0, l, bit/8)
	case coverBytes:
		set(0, l, bit/8)
		which := 0
		if bit%8 != 0 {
			which = 1
		}
		operands[which][l] = 1<<u.width - 1
	case coverBits:
		set(0, l, bit/8)
		operands[0][l] = 1 << (bit % 8)
	default:
		even := l &^ 1
		set(l&1, even, bit/8)
		if bit%8+u.width > 8 {
			set(l&1, even+1, bit/8+1)
		}
		binary.LittleEndian.PutUint16(operands[l&1][even:], 1<<(16-u.width-bit%8))
	}
}

// coverCalls adds the loops over windows.
func (u *unpacking) coverCalls(or, post int, add func(loop func(*unpackArgs), desc *byte, count, units, size int) *call) {
	for _, list := range byCall(u.covers) {
		n := 0
		for i := range list {
			n = max(n, list[i].count())
		}
		desc := u.describe(list, n)
		loop := [...]*[2][4]func(*unpackArgs){
			coverBytes: &byteFieldsLoops[n-1],
			coverPairs: &pairFieldsLoops[min(n-1, 1)],
			coverBits:  &bitFieldsLoops[min(n-1, 1)],
			coverWhole: &wholeFieldsLoops[n-1],
		}[list[0].kind][or][post]
		c := add(loop, address(desc), len(list), pieceLanes/32, len(desc)/len(list))
		if list[0].kind == coverBytes {
			c.args.even, c.args.odd = list[0].shift, u.to.Left
		}
	}
}

// uniform makes a Field ready whose lanes are one field each, all of the same kind, out of a few windows; nil for
// others.
func (f *Frame) uniform(k *Field) calls {
	if f.u8[k.To.Buffer] == nil || len(k.Lanes)%(2*chunkLanes) != 0 {
		return nil
	}
	u := &unpacking{to: k.To, size: 1}
	for _, lane := range k.Lanes {
		if len(lane) == 0 {
			u.bits = append(u.bits, -1)
			continue
		}
		s := lane[0]
		if len(lane) > 1 || u.width != 0 && (s.Width != u.width || s.Left != u.to.Left) {
			return nil
		}
		u.width, u.to.Left = s.Width, s.Left
		u.bits = append(u.bits, s.Bit)
	}
	last := k.last(f.program)
	for at := 0; at < len(u.bits); at += 2 * chunkLanes {
		c, ok := u.cover(at)
		if !ok || u.width == 0 || c.last() > last {
			return nil
		}
		u.covers = append(u.covers, c)
	}
	return u.calls(f)
}

// last is how many bytes of a block the windows have.
func (c *cover) last() int {
	last := 0
	for _, half := range c.windows {
		for _, at := range half {
			last = max(last, at+windowBytes)
		}
	}
	return last
}
