// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"fmt"
)

// Target is where an unpacking kernel writes: a code buffer, the field placed at
// bit Left of the code, either alone or OR-ed into what is there.
type Target struct {
	Buffer BufferID
	Left   int
	Or     bool
	Post   Post // U8 buffers only, after the shift and the OR
}

func (t Target) String() string {
	text := fmt.Sprintf("-> b%d", t.Buffer)
	if t.Left != 0 {
		text = fmt.Sprintf("<<%d ", t.Left) + text
	}
	if t.Or {
		text = "or " + text
	}
	return text + t.Post.String()
}

// Plane takes fields that lie inside their bytes, in runs of consecutive bytes:
// lane Row.Lane+j = (payload[Row.Byte+j] >> Row.Shift) & (2^Width - 1).
type Plane struct {
	Rows  []Row
	Width int
	To    Target
}

func (k *Plane) last(p *Program) int {
	return unpackLast(rowBits(k.Rows), k.Width, k.To, p.Buffers[k.To.Buffer].Kind == U16)
}

func (k *Plane) String() string {
	return fmt.Sprintf("plane %s w%d %s", rowsText(k.Rows), k.Width, k.To)
}

// planeLoop is a Plane made ready.
type planeLoop struct {
	*Plane
	post finisher
}

func (k *Plane) ready(f *Frame) runner {
	if f.u16[k.To.Buffer] == nil && len(k.Rows) > 0 && lanesOfRows(k.Rows)/len(k.Rows) < 4 {
		return k.byLane()
	}
	return &planeLoop{k, k.To.Post.finisher()}
}

func lanesOfRows(rows []Row) int {
	lanes := 0
	for _, r := range rows {
		lanes += r.Len
	}
	return lanes
}

func (k *planeLoop) run(f *Frame) {
	if f.u16[k.To.Buffer] != nil {
		k.run16(f)
		return
	}
	dst, pitch := f.u8[k.To.Buffer], f.pitch[k.To.Buffer]
	for b := range f.n {
		block := f.payload[b*f.stride:]
		for i := range k.Rows {
			r := &k.Rows[i]
			src, out := block[r.Byte:r.Byte+r.Len], dst[b*pitch+r.Lane:][:r.Len]
			if k.To.Or {
				k.orRow(out, src, uint(r.Shift))
			} else {
				k.row(out, src, uint(r.Shift))
			}
		}
	}
}

// row does eight bytes at a time: what a shift moves over a byte's edge, the masks
// take off.
func (k *planeLoop) row(dst, src []byte, shift uint) {
	mask, left := byte(1<<k.Width-1), uint(k.To.Left)
	placed := everyByte * uint64(mask<<left)
	right := uint(0)
	if shift >= left {
		right, left = shift-left, 0
	} else {
		left -= shift
	}
	post := &k.post
	if left == 0 && post.kind <= finishAdd {
		add := post.add
		for len(src) >= 16 && len(dst) >= 16 {
			s, d := (*[16]byte)(src), (*[16]byte)(dst)
			x := binary.LittleEndian.Uint64(s[:8]) >> (right & 63) & placed
			y := binary.LittleEndian.Uint64(s[8:]) >> (right & 63) & placed
			if add != 0 {
				x, y = addBytes(x, add), addBytes(y, add)
			}
			binary.LittleEndian.PutUint64(d[:8], x)
			binary.LittleEndian.PutUint64(d[8:], y)
			src, dst = src[16:], dst[16:]
		}
	}
	for len(src) >= 8 && len(dst) >= 8 {
		binary.LittleEndian.PutUint64(dst, post.eight(binary.LittleEndian.Uint64(src)>>(right&63)<<(left&63)&placed))
		src, dst = src[8:], dst[8:]
	}
	if len(src) >= 4 && len(dst) >= 4 {
		x := uint64(binary.LittleEndian.Uint32(src)) >> (right & 63) << (left & 63) & placed
		binary.LittleEndian.PutUint32(dst, uint32(post.eight(x)))
		src, dst = src[4:], dst[4:]
	}
	for j, x := range src {
		dst[j] = byte(post.eight(uint64((x >> right << left) & byte(placed))))
	}
}

// orRow is row into codes that are there.
func (k *planeLoop) orRow(dst, src []byte, shift uint) {
	mask, left := byte(1<<k.Width-1), uint(k.To.Left)
	placed := everyByte * uint64(mask<<left)
	post := &k.post
	if post.kind <= finishAdd {
		add := post.add
		for len(src) >= 16 && len(dst) >= 16 {
			s, d := (*[16]byte)(src), (*[16]byte)(dst)
			x := binary.LittleEndian.Uint64(s[:8])>>(shift&63)<<(left&63)&placed | binary.LittleEndian.Uint64(d[:8])
			y := binary.LittleEndian.Uint64(s[8:])>>(shift&63)<<(left&63)&placed | binary.LittleEndian.Uint64(d[8:])
			if add != 0 {
				x, y = addBytes(x, add), addBytes(y, add)
			}
			binary.LittleEndian.PutUint64(d[:8], x)
			binary.LittleEndian.PutUint64(d[8:], y)
			src, dst = src[16:], dst[16:]
		}
	}
	for len(src) >= 8 && len(dst) >= 8 {
		x := binary.LittleEndian.Uint64(src)>>(shift&63)<<(left&63)&placed | binary.LittleEndian.Uint64(dst)
		binary.LittleEndian.PutUint64(dst, post.eight(x))
		src, dst = src[8:], dst[8:]
	}
	if len(src) >= 4 && len(dst) >= 4 {
		x := uint64(binary.LittleEndian.Uint32(src))>>(shift&63)<<(left&63)&placed | uint64(binary.LittleEndian.Uint32(dst))
		binary.LittleEndian.PutUint32(dst, uint32(post.eight(x)))
		src, dst = src[4:], dst[4:]
	}
	for j, x := range src {
		dst[j] = byte(post.eight(uint64(x>>shift<<left&byte(placed) | dst[j])))
	}
}

// byteLanes is fields inside their bytes, lane by lane.
type byteLanes struct {
	*Plane
	at, shift []int
	table     [256]byte // the post-operation
}

func (k *Plane) byLane() runner {
	made := &byteLanes{Plane: k}
	for _, bit := range rowBits(k.Rows) {
		made.at, made.shift = append(made.at, bit/8), append(made.shift, bit%8)
	}
	for i := range made.table {
		made.table[i] = k.To.Post.apply(byte(i))
	}
	return made
}

func (k *byteLanes) run(f *Frame) {
	dst, pitch := f.u8[k.To.Buffer], f.pitch[k.To.Buffer]
	mask, left := byte(1<<k.Width-1), uint(k.To.Left)
	shift := k.shift[:len(k.at)]
	for b := range f.n {
		block := f.payload[b*f.stride:]
		out := dst[b*pitch:][:len(k.at)]
		for l, at := range k.at {
			code := block[at] >> (uint(shift[l]) & 7) & mask << (left & 7)
			if k.To.Or {
				code |= out[l]
			}
			out[l] = k.table[code]
		}
	}
}

func (k *Plane) run16(f *Frame) {
	dst, pitch := f.u16[k.To.Buffer], f.pitch[k.To.Buffer]
	mask := byte(1<<k.Width - 1)
	for b := range f.n {
		block := f.payload[b*f.stride:]
		for _, r := range k.Rows {
			src := block[r.Byte : r.Byte+r.Len]
			out := dst[b*pitch+r.Lane:][:r.Len]
			for j, x := range src {
				code := uint16(x>>r.Shift&mask) << k.To.Left
				if k.To.Or {
					code |= out[j]
				}
				out[j] = code
			}
		}
	}
}

// Spread takes fields that lie within two bytes, at any place of the block: lane l
// is the Width bits from bit Bits[l] on. Each group of 8 consecutive lanes lies in
// 16 consecutive bytes, or its lanes are four bytes apart, and (Bits[l] mod 8) + Width
// <= 16. A lane whose Bits is -1 is 0.
type Spread struct {
	Bits  []int
	Width int
	To    Target
}

func (k *Spread) last(p *Program) int {
	last := unpackLast(k.Bits, k.Width, k.To, p.Buffers[k.To.Buffer].Kind == U16)
	read := 2 // by the Go loops
	if k.dense() {
		read = 8
	}
	for _, o := range k.Bits {
		last = max(last, o/8+read)
	}
	return last
}

func (k *Spread) String() string {
	return fmt.Sprintf("spread %d lanes w%d %s", len(k.Bits), k.Width, k.To)
}

// spreadLoop is a Spread made ready.
type spreadLoop struct {
	*Spread
	post  finisher
	dense bool
	// Lane by lane: the byte and the shift of each field, and which bits count.
	at, shift []int
	mask      []uint16
}

func (k *Spread) ready(*Frame) runner {
	made := &spreadLoop{Spread: k, post: k.To.Post.finisher(), dense: k.dense()}
	for _, o := range k.Bits {
		mask := uint16(uint32(1)<<k.Width - 1)
		if o < 0 {
			o, mask = 0, 0
		}
		made.at, made.shift, made.mask = append(made.at, o>>3), append(made.shift, o&7), append(made.mask, mask)
	}
	return made
}

func (k *spreadLoop) run(f *Frame) {
	for b := range f.n {
		block := f.payload[b*f.stride:]
		dst := f.u8[k.To.Buffer]
		if dst == nil {
			k.wide(f.u16[k.To.Buffer][b*f.pitch[k.To.Buffer]:][:len(k.Bits)], block)
			continue
		}
		row := dst[b*f.pitch[k.To.Buffer]:][:len(k.Bits)]
		if k.dense {
			k.eights(row, block)
		} else {
			k.narrow(row, block)
		}
		k.post.row(row)
	}
}

// dense reports whether each eight lanes are neighbours in the payload, so that one
// word holds them.
func (k *Spread) dense() bool {
	if k.Width > 7 || len(k.Bits)%8 != 0 {
		return false
	}
	for l, o := range k.Bits {
		if o < 0 || o != k.Bits[l&^7]+l%8*k.Width {
			return false
		}
	}
	return true
}

// eights unpacks dense lanes.
func (k *Spread) eights(dst, block []byte) {
	width, mask, left := uint(k.Width), uint64(1<<k.Width-1), uint(k.To.Left)
	placed := everyByte * uint64(byte(mask<<left))
	for l := 0; l+8 <= len(dst); l += 8 {
		o := k.Bits[l]
		x := binary.LittleEndian.Uint64(block[o>>3:]) >> (o & 7)
		w := uint64(0)
		if width == 1 {
			w = spreadBits(x&0xff) << left & placed
		} else {
			for i := range uint(8) {
				w |= (x & mask) << (8*i + left) & (0xff << (8 * i))
				x >>= width
			}
		}
		if k.To.Or {
			w |= binary.LittleEndian.Uint64(dst[l:])
		}
		binary.LittleEndian.PutUint64(dst[l:], w)
	}
}

// spreadBits makes the eight bits of x the lowest bits of eight bytes.
func spreadBits(x uint64) uint64 {
	// Each byte keeps a bit of its own, which adding 127 carries to the top.
	x = x * everyByte & 0x8040201008040201
	return (x&^topBits + everyByte*0x7f | x) >> 7 & everyByte
}

func (k *spreadLoop) narrow(dst, block []byte) {
	left := uint(k.To.Left)
	dst, shift, mask := dst[:len(k.at)], k.shift[:len(k.at)], k.mask[:len(k.at)]
	for l, at := range k.at {
		code := byte(binary.LittleEndian.Uint16(block[at:])>>(uint(shift[l])&15)&mask[l]) << (left & 7)
		if k.To.Or {
			code |= dst[l]
		}
		dst[l] = code
	}
}

func (k *spreadLoop) wide(dst []uint16, block []byte) {
	left := uint(k.To.Left)
	dst, shift, mask := dst[:len(k.at)], k.shift[:len(k.at)], k.mask[:len(k.at)]
	for l, at := range k.at {
		code := binary.LittleEndian.Uint16(block[at:]) >> (uint(shift[l]) & 15) & mask[l] << (left & 15)
		if k.To.Or {
			code |= dst[l]
		}
		dst[l] = code
	}
}
