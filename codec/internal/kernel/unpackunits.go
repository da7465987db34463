// SPDX-License-Identifier: Apache-2.0

package kernel

import "encoding/binary"

// fieldUnits is Plane and Spread made ready by units: words of eight or four lanes whose fields
// are placed all at once, and single lanes.
type fieldUnits struct {
	to      Target
	width   int
	lanes   int
	post    wordPost
	table   *[256]byte // post, for one code
	eights  []wordUnit
	fours   []wordUnit
	dense   []wordUnit
	singles []wordUnit
}

// wordUnit is lanes from dst on: from byte src on, shifted right.
type wordUnit struct {
	src, dst int
	shift    uint
	mask     uint64
}

func newFields(width, lanes int, to Target) *fieldUnits {
	made := &fieldUnits{to: to, width: width, lanes: lanes, post: to.Post.words()}
	if !to.Post.none() {
		made.table = new([256]byte)
		for i := range made.table {
			made.table[i] = to.Post.apply(byte(i))
		}
	}
	return made
}

// fast is the plane by units; nil for wide codes.
func (k *Plane) fast(f *Frame) runner {
	if f.u8[k.To.Buffer] == nil || k.Width+k.To.Left > 8 {
		return nil
	}
	made := newFields(k.Width, 0, k.To)
	for _, r := range k.Rows {
		for at := 0; at < r.Len; {
			u := wordUnit{r.Byte + at, r.Lane + at, uint(r.Shift), 1<<k.Width - 1}
			switch n := r.Len - at; {
			case n >= 8:
				made.eights, at = append(made.eights, u), at+8
			case n >= 4:
				made.fours, at = append(made.fours, u), at+4
			default:
				made.singles, at = append(made.singles, u), at+1
			}
		}
		made.lanes = max(made.lanes, r.Lane+r.Len)
	}
	return made
}

// fast is the fields by units; nil for wide codes.
func (k *Spread) fast(f *Frame) runner {
	if f.u8[k.To.Buffer] == nil || k.Width+k.To.Left > 8 {
		if f.u16[k.To.Buffer] != nil {
			return k.wide()
		}
		return nil
	}
	made := newFields(k.Width, len(k.Bits), k.To)
	dense := k.dense()
	for l, o := range k.Bits {
		switch u := (wordUnit{o >> 3, l, uint(o & 7), 1<<k.Width - 1}); {
		case o < 0:
			made.singles = append(made.singles, wordUnit{dst: l})
		case !dense:
			made.singles = append(made.singles, u)
		case l%8 == 0:
			made.dense = append(made.dense, u)
		}
	}
	return made
}

func (k *fieldUnits) run(f *Frame) {
	pitch := f.pitch[k.to.Buffer]
	for at := 0; at < f.n; at += k.batch() {
		n := min(k.batch(), f.n-at)
		w := words{n, f.payload[at*f.stride:], f.u8[k.to.Buffer][at*pitch:], f.stride, pitch}
		for i := range k.eights {
			k.eight(&w, &k.eights[i])
		}
		for i := range k.fours {
			k.four(&w, &k.fours[i])
		}
		for i := range k.dense {
			k.spread(&w, &k.dense[i])
		}
		for i := range k.singles {
			k.single(&w, &k.singles[i])
		}
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

func (k *fieldUnits) eight(w *words, u *wordUnit) {
	payload, codes, kept, post := w.payload, w.codes, k.to.kept(), k.post
	left, mask := uint(k.to.Left), everyByte*u.mask<<k.to.Left
	s, d := u.src, u.dst
	for range w.blocks {
		from, to := payload[s:s+8:s+8], codes[d:d+8:d+8]
		x := binary.LittleEndian.Uint64(from)>>(u.shift&63)<<(left&63)&mask | binary.LittleEndian.Uint64(to)&kept
		if post.any {
			x = post.word(x)
		}
		binary.LittleEndian.PutUint64(to, x)
		s, d = s+w.stride, d+w.pitch
	}
}

func (k *fieldUnits) four(w *words, u *wordUnit) {
	payload, codes, kept, post := w.payload, w.codes, uint32(k.to.kept()), k.post
	left, mask := uint(k.to.Left), everyByte*u.mask<<k.to.Left
	s, d := u.src, u.dst
	for range w.blocks {
		from, to := payload[s:s+4:s+4], codes[d:d+4:d+4]
		x := uint64(binary.LittleEndian.Uint32(from))>>(u.shift&63)<<(left&63)&mask | uint64(binary.LittleEndian.Uint32(to)&kept)
		if post.any {
			x = post.word(x)
		}
		binary.LittleEndian.PutUint32(to, uint32(x))
		s, d = s+w.stride, d+w.pitch
	}
}

// spread is eight fields that follow each other without gaps, of at most seven bits: halves
// of them are moved apart, then quarters, then each.
func (k *fieldUnits) spread(w *words, u *wordUnit) {
	payload, codes, kept, post := w.payload, w.codes, k.to.kept(), k.post
	width, left := uint(k.width), uint(k.to.Left)
	low4, low2, low1 := uint64(1)<<(4*width)-1, (uint64(1)<<(2*width)-1)*(1|1<<32), u.mask*(1|1<<16|1<<32|1<<48)
	move4, move2, move1 := 32-4*width, 16-2*width, 8-width
	s, d := u.src, u.dst
	for range w.blocks {
		from, to := payload[s:s+8:s+8], codes[d:d+8:d+8]
		x := binary.LittleEndian.Uint64(from) >> (u.shift & 63)
		x = x&low4 | x<<(move4&63)&(low4<<32)
		x = x&low2 | x<<(move2&63)&(low2<<16)
		x = (x&low1 | x<<(move1&63)&(low1<<8)) << (left & 63)
		x |= binary.LittleEndian.Uint64(to) & kept
		if post.any {
			x = post.word(x)
		}
		binary.LittleEndian.PutUint64(to, x)
		s, d = s+w.stride, d+w.pitch
	}
}

func (k *fieldUnits) single(w *words, u *wordUnit) {
	payload, codes, kept := w.payload, w.codes, byte(k.to.kept())
	left, mask := uint(k.to.Left), uint16(u.mask)
	s, d := u.src, u.dst
	wide := int(u.shift)+k.width > 8
	for range w.blocks {
		x := uint16(payload[s])
		if wide {
			x |= uint16(payload[s+1]) << 8
		}
		c := byte(x>>(u.shift&15)&mask)<<(left&7) | codes[d]&kept
		if k.table != nil {
			c = k.table[c]
		}
		codes[d] = c
		s, d = s+w.stride, d+w.pitch
	}
}

// wideFields is a Spread into codes of two bytes.
type wideFields struct {
	*Spread
	units []wordUnit
}

func (k *Spread) wide() runner {
	made := &wideFields{Spread: k}
	for l, o := range k.Bits {
		u := wordUnit{o >> 3, l, uint(o & 7), uint64(1)<<k.Width - 1}
		if o < 0 {
			u = wordUnit{dst: l}
		}
		made.units = append(made.units, u)
	}
	return made
}

func (k *wideFields) run(f *Frame) {
	payload, codes, pitch := f.payload, f.u16[k.To.Buffer], f.pitch[k.To.Buffer]
	left, kept := uint(k.To.Left), uint16(k.To.kept())
	for i := range k.units {
		u := &k.units[i]
		s, d, mask := u.src, u.dst, uint16(u.mask)
		for range f.n {
			x := binary.LittleEndian.Uint16(payload[s : s+2 : s+2])
			codes[d] = x>>(u.shift&15)&mask<<(left&15) | codes[d]&kept
			s, d = s+f.stride, d+pitch
		}
	}
}
