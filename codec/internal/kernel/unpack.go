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

func (k *Plane) ready(*Frame) runner { return k }

func (k *Plane) run(f *Frame) {
	mask := byte(1<<k.Width - 1)
	for b := range f.n {
		block, at := f.payload[b*f.stride:], b*f.pitch[k.To.Buffer]
		for _, r := range k.Rows {
			for j, x := range block[r.Byte : r.Byte+r.Len] {
				f.put(k.To, at+r.Lane+j, uint16(x>>r.Shift&mask)<<k.To.Left)
			}
		}
	}
}

// put writes a code that is in its place.
func (f *Frame) put(to Target, at int, code uint16) {
	if f.u8[to.Buffer] != nil {
		f.store8(to, at, byte(code))
		return
	}
	if to.Or {
		code |= f.u16[to.Buffer][at]
	}
	f.u16[to.Buffer][at] = code
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
	return max(last, distantLast(k.Bits, k.Width))
}

func (k *Spread) String() string {
	return fmt.Sprintf("spread %d lanes w%d %s", len(k.Bits), k.Width, k.To)
}

func (k *Spread) ready(*Frame) runner { return k }

func (k *Spread) run(f *Frame) {
	mask := uint16(1<<k.Width - 1)
	for b := range f.n {
		block, at := f.payload[b*f.stride:], b*f.pitch[k.To.Buffer]
		for l, o := range k.Bits {
			code := uint16(0)
			if o >= 0 {
				code = binary.LittleEndian.Uint16(block[o>>3:]) >> (o & 7) & mask << k.To.Left
			}
			f.put(k.To, at+l, code)
		}
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
