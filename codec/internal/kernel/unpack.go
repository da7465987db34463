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

func (k *Plane) run(f *Frame) {
	if f.u16[k.To.Buffer] != nil {
		k.run16(f)
		return
	}
	dst, pitch := f.u8[k.To.Buffer], f.pitch[k.To.Buffer]
	mask := byte(1<<k.Width - 1)
	for b := range f.n {
		block := f.payload[b*f.stride:]
		for _, r := range k.Rows {
			src := block[r.Byte : r.Byte+r.Len]
			out := dst[b*pitch+r.Lane:][:r.Len]
			planeRow(out, src, uint(r.Shift), mask, uint(k.To.Left), k.To.Or)
			k.To.Post.all(out)
		}
	}
}

func planeRow(dst, src []byte, shift uint, mask byte, left uint, or bool) {
	dst = dst[:len(src)]
	if or {
		for j, x := range src {
			dst[j] |= (x >> shift & mask) << left
		}
		return
	}
	for j, x := range src {
		dst[j] = (x >> shift & mask) << left
	}
}

// all applies a post-operation to a row.
func (p Post) all(row []byte) {
	switch {
	case p.Affine != nil:
		m := *p.Affine
		for j, c := range row {
			row[j] = m.apply(c)
		}
	case p.Lut != nil:
		table := p.Lut
		for j, c := range row {
			row[j] = table[c&15]
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
// 16 consecutive bytes, and (Bits[l] mod 8) + Width <= 16. A lane whose Bits is -1
// is 0.
type Spread struct {
	Bits  []int
	Width int
	To    Target
}

func (k *Spread) last(p *Program) int {
	last := unpackLast(k.Bits, k.Width, k.To, p.Buffers[k.To.Buffer].Kind == U16)
	for _, o := range k.Bits {
		last = max(last, o/8+2) // the Go loop reads two bytes
	}
	return last
}

func (k *Spread) String() string {
	return fmt.Sprintf("spread %d lanes w%d %s", len(k.Bits), k.Width, k.To)
}

func (k *Spread) run(f *Frame) {
	mask := uint32(1<<k.Width - 1)
	for b := range f.n {
		block := f.payload[b*f.stride:]
		if dst := f.u8[k.To.Buffer]; dst != nil {
			k.block8(dst[b*f.pitch[k.To.Buffer]:][:len(k.Bits)], block, mask)
		} else {
			k.block16(f.u16[k.To.Buffer][b*f.pitch[k.To.Buffer]:][:len(k.Bits)], block, mask)
		}
	}
}

func (k *Spread) block8(dst, block []byte, mask uint32) {
	for l, o := range k.Bits {
		code := byte(field16(block, o)&mask) << k.To.Left
		if k.To.Or {
			code |= dst[l]
		}
		dst[l] = code
	}
	k.To.Post.all(dst)
}

func (k *Spread) block16(dst []uint16, block []byte, mask uint32) {
	for l, o := range k.Bits {
		code := uint16(field16(block, o)&mask) << k.To.Left
		if k.To.Or {
			code |= dst[l]
		}
		dst[l] = code
	}
}

// field16 returns at least 9 bits from bit o on; 0 if o is negative.
func field16(block []byte, o int) uint32 {
	if o < 0 {
		return 0
	}
	return uint32(binary.LittleEndian.Uint16(block[o>>3:])) >> (o & 7)
}
