// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"fmt"
	"strings"
)

// Row is a run of bytes of a block: lane Lane+j is at byte Byte+j, shifted right
// by Shift bits, for j < Len.
type Row struct {
	Byte, Lane, Len int
	Shift           int
}

// Codes is where a kernel reads codes of one byte: a buffer, or bytes of the
// payload in place, given as rows in ascending order of lanes that cover all
// lanes.
type Codes struct {
	Buffer  BufferID
	InPlace []Row // not nil: in place; Shift is 0
}

// Buf makes Codes of a buffer.
func Buf(id BufferID) Codes { return Codes{Buffer: id} }

// last is how far codes in place are read by kernels that copy them first.
func (c Codes) last() int { return unpackLast(rowBits(c.InPlace), 8, Target{}, false) }

func (c Codes) String() string {
	if c.InPlace == nil {
		return fmt.Sprintf("b%d", c.Buffer)
	}
	return "payload " + rowsText(c.InPlace)
}

// runs is the number of runs of codes of a block.
func (c Codes) runs() int {
	if c.InPlace == nil {
		return 1
	}
	return len(c.InPlace)
}

// run is a run of codes of block b: the lane of the first, and the codes. lanes is
// the number of lanes of a block.
func (c Codes) run(f *Frame, b, lanes, i int) (int, []byte) {
	if c.InPlace == nil {
		at := b * f.pitch[c.Buffer]
		return 0, f.u8[c.Buffer][at : at+lanes]
	}
	r := c.InPlace[i]
	at := b*f.stride + r.Byte
	return r.Lane, f.payload[at : at+r.Len]
}

// rowsText prints rows compactly: "4x32 @16 shifts 0 4".
func rowsText(rows []Row) string {
	if len(rows) == 0 {
		return "0 rows"
	}
	var shifts []string
	seen := map[int]bool{}
	lengths := map[int]bool{}
	for _, r := range rows {
		lengths[r.Len] = true
		if !seen[r.Shift] {
			seen[r.Shift] = true
			shifts = append(shifts, fmt.Sprint(r.Shift))
		}
	}
	length := fmt.Sprint(rows[0].Len)
	if len(lengths) > 1 {
		length = "various"
	}
	text := fmt.Sprintf("%dx%s @%d", len(rows), length, rows[0].Byte)
	if len(shifts) > 1 || shifts[0] != "0" {
		text += " shifts " + strings.Join(shifts, " ")
	}
	return text
}

// Post is done to every code as it is written: nothing, an affine map, or a table.
type Post struct {
	Affine *Map
	Lut    *[16]byte // codes of at most 4 bits
}

// apply is Post for one code.
func (p Post) apply(c byte) byte {
	switch {
	case p.Affine != nil:
		return p.Affine.apply(c)
	case p.Lut != nil:
		return p.Lut[c&15]
	default:
		return c
	}
}

func (p Post) none() bool { return p.Affine == nil && p.Lut == nil }

func (p Post) String() string {
	switch {
	case p.Affine != nil:
		return " · " + p.Affine.String()
	case p.Lut != nil:
		return fmt.Sprintf(" · lut16 %v", int8s(p.Lut[:]))
	default:
		return ""
	}
}

func int8s(b []byte) []int8 {
	out := make([]int8, len(b))
	for i, v := range b {
		out[i] = int8(v)
	}
	return out
}

// Map is x → ((x ^ Xor) << Shift) + Add, or Add - ((x ^ Xor) << Shift) if Neg,
// modulo 256.
type Map struct {
	Xor   byte
	Shift int
	Neg   bool
	Add   byte
}

func (m *Map) apply(x byte) byte {
	x = (x ^ m.Xor) << m.Shift
	if m.Neg {
		x = -x
	}
	return x + m.Add
}

func (m *Map) String() string {
	text := "affine"
	if m.Xor != 0 {
		text += fmt.Sprintf(" ^%d", m.Xor)
	}
	if m.Shift != 0 {
		text += fmt.Sprintf(" <<%d", m.Shift)
	}
	if m.Neg {
		text += " neg"
	}
	return text + fmt.Sprintf(" %+d", int8(m.Add))
}
