// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"math/bits"
)

// fieldUnits is Plane and Spread made ready by units: words of eight or four lanes, or
// two words, whose fields are placed all at once, and single lanes. The post-operation comes last.
type fieldUnits struct {
	to      Target
	width   int
	lanes   int
	post    wordPost
	sixteen []wordUnit
	eights  []wordUnit
	fours   []wordUnit
	dense   []wordUnit
	codes   *[256]uint64 // of dense lanes: those of a byte
	singles []fieldLine
}

// wordUnit is lanes from dst on: from byte src on, shifted right.
type wordUnit struct {
	src, dst int
	shift    uint
	mask     uint64
}

// fast is the plane by units; nil if it has not all lanes of a buffer.
func (k *Plane) fast(f *Frame) runner {
	if f.u16[k.To.Buffer] != nil {
		return widePlane{k}
	}
	made := &fieldUnits{to: k.To, width: k.Width, post: k.To.Post.words()}
	for _, r := range k.Rows {
		if r.Lane != made.lanes {
			return nil
		}
		for at := 0; at < r.Len; {
			u := wordUnit{r.Byte + at, r.Lane + at, uint(r.Shift), 1<<k.Width - 1}
			switch n := r.Len - at; {
			case n >= 16:
				made.sixteen, at = append(made.sixteen, u), at+16
			case n >= 8:
				made.eights, at = append(made.eights, u), at+8
			case n >= 4:
				made.fours, at = append(made.fours, u), at+4
			default:
				made.singles, at = appendField(made.singles, u), at+1
			}
		}
		made.lanes += r.Len
	}
	if !made.whole(f) {
		return nil
	}
	return made
}

// fast is the fields by units; nil if they are not all lanes of a buffer.
func (k *Spread) fast(f *Frame) runner {
	if f.u16[k.To.Buffer] != nil {
		return k.wide()
	}
	made := &fieldUnits{to: k.To, width: k.Width, lanes: len(k.Bits), post: k.To.Post.words()}
	if !made.whole(f) {
		return nil
	}
	dense := k.dense()
	for l, o := range k.Bits {
		switch u := (wordUnit{o >> 3, l, uint(o & 7), 1<<k.Width - 1}); {
		case o < 0:
			made.singles = appendField(made.singles, wordUnit{dst: l})
		case !dense:
			made.singles = appendField(made.singles, u)
		case l%8 == 0:
			made.dense = append(made.dense, u)
		}
	}
	if dense && 8%k.Width == 0 {
		made.byByte(k)
	}
	return made
}

// whole reports whether words of eight codes, up to the last lane, are the op's own.
func (k *fieldUnits) whole(f *Frame) bool {
	return k.width+k.to.Left <= 8 && (k.lanes+7)&^7 == f.pitch[k.to.Buffer]
}

// byByte makes the table of dense codes that fill bytes.
func (k *fieldUnits) byByte(s *Spread) {
	post := Post{}
	if !s.To.Or {
		post, k.post = s.To.Post, wordPost{}
	}
	k.codes = new([256]uint64)
	for x := range k.codes {
		for l := range 8 / s.Width {
			code := post.apply(byte(x) >> (l * s.Width) & (1<<s.Width - 1) << s.To.Left)
			k.codes[x] |= uint64(code) << (8 * l)
		}
	}
}

func (k *fieldUnits) run(f *Frame) {
	pitch := f.pitch[k.to.Buffer]
	for at := 0; at < f.n; at += k.batch() {
		w := words{min(k.batch(), f.n-at), f.payload[at*f.stride:], f.u8[k.to.Buffer][at*pitch:], f.stride, pitch}
		for i := range k.sixteen {
			k.sixteenLanes(&w, &k.sixteen[i])
		}
		for i := range k.eights {
			k.eight(&w, &k.eights[i])
		}
		for i := range k.fours {
			k.four(&w, &k.fours[i])
		}
		for i := range k.dense {
			if k.codes != nil {
				k.bytes(&w, &k.dense[i])
			} else {
				k.spread(&w, &k.dense[i])
			}
		}
		for i := range k.singles {
			k.single(&w, &k.singles[i])
		}
		k.post.row(w.codes[:w.blocks*pitch])
	}
}

func (k *fieldUnits) batch() int { return max(batchLanes/max(k.lanes, 1), 1) }

// words is where units read and write: from the first block on, and how far the next is.
type words struct {
	blocks         int
	payload, codes []byte
	stride, pitch  int
}

// kept is all ones if what is in the buffer stays.
func (t Target) kept() uint64 {
	if t.Or {
		return ^uint64(0)
	}
	return 0
}

// eight is eight lanes. A field does not leave its byte, so words may be rotated.
func (k *fieldUnits) eight(w *words, u *wordUnit) {
	payload, codes, kept := w.payload, w.codes, k.to.kept()
	move, mask := k.to.Left-int(u.shift), everyByte*u.mask<<k.to.Left
	s, d := u.src, u.dst
	for range w.blocks {
		from, to := payload[s:s+8:s+8], codes[d:d+8:d+8]
		x := bits.RotateLeft64(binary.LittleEndian.Uint64(from), move) & mask
		binary.LittleEndian.PutUint64(to, x|binary.LittleEndian.Uint64(to)&kept)
		s, d = s+w.stride, d+w.pitch
	}
}

// sixteenLanes is twice eight.
func (k *fieldUnits) sixteenLanes(w *words, u *wordUnit) {
	payload, codes, kept := w.payload, w.codes, k.to.kept()
	move, mask := k.to.Left-int(u.shift), everyByte*u.mask<<k.to.Left
	s, d := u.src, u.dst
	for range w.blocks {
		from, to := payload[s:s+16:s+16], codes[d:d+16:d+16]
		x := bits.RotateLeft64(binary.LittleEndian.Uint64(from[:8]), move) & mask
		y := bits.RotateLeft64(binary.LittleEndian.Uint64(from[8:]), move) & mask
		binary.LittleEndian.PutUint64(to[:8], x|binary.LittleEndian.Uint64(to[:8])&kept)
		binary.LittleEndian.PutUint64(to[8:], y|binary.LittleEndian.Uint64(to[8:])&kept)
		s, d = s+w.stride, d+w.pitch
	}
}

// four is four lanes.
func (k *fieldUnits) four(w *words, u *wordUnit) {
	payload, codes, kept := w.payload, w.codes, uint32(k.to.kept())
	move, mask := k.to.Left-int(u.shift), uint32(everyByte*u.mask<<k.to.Left)
	s, d := u.src, u.dst
	for range w.blocks {
		from, to := payload[s:s+4:s+4], codes[d:d+4:d+4]
		x := bits.RotateLeft32(binary.LittleEndian.Uint32(from), move) & mask
		binary.LittleEndian.PutUint32(to, x|binary.LittleEndian.Uint32(to)&kept)
		s, d = s+w.stride, d+w.pitch
	}
}

// bytes is eight fields that follow each other and fill bytes.
func (k *fieldUnits) bytes(w *words, u *wordUnit) {
	payload, to, kept, table := w.payload, w.codes, k.to.kept(), k.codes
	step := uint(64 / k.width)
	s, d := u.src, u.dst
	for range w.blocks {
		x := binary.LittleEndian.Uint64(payload[s:s+8:s+8]) >> (u.shift & 63)
		codes := table[byte(x)]
		for at := step; at < 64; at += step {
			x >>= 8
			codes |= table[byte(x)] << (at & 63)
		}
		to := to[d : d+8 : d+8]
		binary.LittleEndian.PutUint64(to, codes|binary.LittleEndian.Uint64(to)&kept)
		s, d = s+w.stride, d+w.pitch
	}
}

// spread is eight fields that follow each other, of at most seven bits: halves of them are
// moved apart, then quarters, then each.
func (k *fieldUnits) spread(w *words, u *wordUnit) {
	payload, codes, kept := w.payload, w.codes, k.to.kept()
	width, left := uint(k.width), uint(k.to.Left)
	low4, low2, low1 := uint64(1)<<(4*width)-1, (uint64(1)<<(2*width)-1)*(1|1<<32), u.mask*(1|1<<16|1<<32|1<<48)
	high4, high2, high1 := low4<<32, low2<<16, low1<<8
	move4, move2, move1 := 32-4*width, 16-2*width, 8-width
	s, d := u.src, u.dst
	for range w.blocks {
		x := binary.LittleEndian.Uint64(payload[s:s+8:s+8]) >> (u.shift & 63)
		x = x&low4 | x<<(move4&63)&high4
		x = x&low2 | x<<(move2&63)&high2
		x = x&low1 | x<<(move1&63)&high1
		to := codes[d : d+8 : d+8]
		binary.LittleEndian.PutUint64(to, x<<(left&63)|binary.LittleEndian.Uint64(to)&kept)
		s, d = s+w.stride, d+w.pitch
	}
}

// single is fields one by one.
func (k *fieldUnits) single(w *words, line *fieldLine) {
	payload, codes, kept := w.payload, w.codes, byte(k.to.kept())
	left, mask, right := uint(k.to.Left)&7, uint16(line.mask), line.shift&15
	inside := int(right)+k.width <= 8
	line.each(w.blocks, w.stride, w.pitch, func(s, d, n, stride, pitch int) {
		if inside {
			for range n {
				codes[d] = payload[s]>>right&byte(mask)<<left | codes[d]&kept
				s, d = s+stride, d+pitch
			}
			return
		}
		for range n {
			x := binary.LittleEndian.Uint16(payload[s : s+2 : s+2])
			codes[d] = byte(x>>right&mask)<<left | codes[d]&kept
			s, d = s+stride, d+pitch
		}
	})
}

// fieldLine is fields at the same place of bytes that are equally far apart.
type fieldLine struct {
	wordUnit
	n            int
	stride, step int // from byte to byte, from lane to lane
}

// appendField adds a field to the last line, or a line of its own.
func appendField(lines []fieldLine, u wordUnit) []fieldLine {
	if len(lines) > 0 {
		last := &lines[len(lines)-1]
		stride, step := u.src-last.src-(last.n-1)*last.stride, u.dst-last.dst-(last.n-1)*last.step
		if u.shift == last.shift && u.mask == last.mask && (last.n == 1 || stride == last.stride && step == last.step) {
			last.n, last.stride, last.step = last.n+1, stride, step
			return lines
		}
	}
	return append(lines, fieldLine{wordUnit: u, n: 1})
}

// each calls a loop over blocks or over the fields, whichever are more.
func (l *fieldLine) each(blocks, stride, pitch int, loop func(src, dst, n, stride, pitch int)) {
	if l.n > blocks {
		for b := range blocks {
			loop(l.src+b*stride, l.dst+b*pitch, l.n, l.stride, l.step)
		}
		return
	}
	for i := range l.n {
		loop(l.src+i*l.stride, l.dst+i*l.step, blocks, stride, pitch)
	}
}

// widePlane is a Plane into codes of two bytes.
type widePlane struct{ *Plane }

func (k widePlane) run(f *Frame) {
	mask, left, kept := byte(1<<k.Width-1), uint(k.To.Left), uint16(k.To.kept())
	codes, pitch := f.u16[k.To.Buffer], f.pitch[k.To.Buffer]
	for b := range f.n {
		block := f.payload[b*f.stride:]
		for _, r := range k.Rows {
			from, shift := block[r.Byte:r.Byte+r.Len], uint(r.Shift)
			to := codes[b*pitch+r.Lane:][:len(from)]
			for j, x := range from {
				to[j] = uint16(x>>(shift&7)&mask)<<(left&15) | to[j]&kept
			}
		}
	}
}

// wideFields is a Spread into codes of two bytes.
type wideFields struct {
	*Spread
	lines []fieldLine
}

func (k *Spread) wide() runner {
	made := &wideFields{Spread: k}
	for l, o := range k.Bits {
		u := wordUnit{o >> 3, l, uint(o & 7), uint64(1)<<k.Width - 1}
		if o < 0 {
			u = wordUnit{dst: l}
		}
		made.lines = appendField(made.lines, u)
	}
	return made
}

func (k *wideFields) run(f *Frame) {
	payload, codes := f.payload, f.u16[k.To.Buffer]
	left, kept := uint(k.To.Left)&15, uint16(k.To.kept())
	for i := range k.lines {
		line := &k.lines[i]
		mask, right := uint16(line.mask), line.shift&15
		line.each(f.n, f.stride, f.pitch[k.To.Buffer], func(s, d, n, stride, pitch int) {
			for range n {
				x := binary.LittleEndian.Uint16(payload[s : s+2 : s+2])
				codes[d] = x>>right&mask<<left | codes[d]&kept
				s, d = s+stride, d+pitch
			}
		})
	}
}
