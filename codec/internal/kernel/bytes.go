// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"fmt"
)

// Affine maps each code of From into To (U8).
type Affine struct {
	From  Codes
	Lanes int
	Map   Map
	To    BufferID
}

func (k *Affine) last(*Program) int { return k.From.last() }

func (k *Affine) String() string { return fmt.Sprintf("%s %s -> b%d", &k.Map, k.From, k.To) }

func (k *Affine) ready(*Frame) runner { return lookUpOf(k.From, k.Lanes, k.To, k.Map.apply) }

// lookUp replaces each code by its entry.
type lookUp struct {
	from  Codes
	lanes int
	to    BufferID
	table [256]byte
}

func lookUpOf(from Codes, lanes int, to BufferID, apply func(x byte) byte) *lookUp {
	made := &lookUp{from: from, lanes: lanes, to: to}
	for i := range made.table {
		made.table[i] = apply(byte(i))
	}
	return made
}

func (k *lookUp) run(f *Frame) {
	table := &k.table
	for b := range f.n {
		dst := f.u8[k.to][b*f.pitch[k.to]:]
		for r := range k.from.runs() {
			lane, codes := k.from.run(f, b, k.lanes, r)
			out := dst[lane : lane+len(codes)]
			for j, x := range codes {
				out[j] = table[x]
			}
		}
	}
}

// Lut maps each code of From through a table of 2 to 256 entries, a power of
// two: To = Table[code mod len(Table)].
type Lut struct {
	From  Codes
	Lanes int
	Table []byte
	To    BufferID
}

func (k *Lut) last(*Program) int { return k.From.last() }

func (k *Lut) String() string { return fmt.Sprintf("lut%d %s -> b%d", len(k.Table), k.From, k.To) }

func (k *Lut) apply(x byte) byte { return k.Table[int(x)%len(k.Table)] }

func (k *Lut) ready(*Frame) runner { return lookUpOf(k.From, k.Lanes, k.To, k.apply) }

// Steps maps each code to Base plus Step for every threshold that it reaches:
// To = Base + Step*|{t in Thresholds: code >= t}|. At most four thresholds.
type Steps struct {
	From       Codes
	Lanes      int
	Base, Step byte
	Thresholds []byte
	To         BufferID
}

func (k *Steps) last(*Program) int { return k.From.last() }

func (k *Steps) String() string {
	return fmt.Sprintf("steps %v from %d by %d %s -> b%d", k.Thresholds, int8(k.Base), int8(k.Step), k.From, k.To)
}

func (k *Steps) ready(*Frame) runner {
	return lookUpOf(k.From, k.Lanes, k.To, k.apply)
}

func (k *Steps) apply(x byte) byte {
	y := k.Base
	for _, t := range k.Thresholds {
		if x >= t {
			y += k.Step
		}
	}
	return y
}

// ByteOp is an operation on two codes, modulo 256.
type ByteOp uint8

// The operations of Binary.
const (
	Add ByteOp = iota
	Sub
	And
	Or
	Xor
	Mul
)

func (o ByteOp) String() string {
	return [...]string{"add", "sub", "and", "or", "xor", "mul"}[o]
}

func (o ByteOp) apply(x, y byte) byte {
	switch o {
	case Add:
		return x + y
	case Sub:
		return x - y
	case And:
		return x & y
	case Or:
		return x | y
	case Xor:
		return x ^ y
	default:
		return x * y
	}
}

// Operand says which element of a second operand belongs to lane l: element
// l/Group of a buffer (Group 1: one each; a last group may be short), or element
// l mod len(Constant) of a constant row.
type Operand struct {
	Buffer   BufferID
	Group    int
	Constant []byte // not nil: instead of a buffer
}

func (o Operand) String() string {
	if o.Constant != nil {
		return fmt.Sprintf("row of %d", len(o.Constant))
	}
	return fmt.Sprintf("b%d g%d", o.Buffer, o.Group)
}

// Binary combines each code of From with that of an operand.
type Binary struct {
	Op    ByteOp
	From  Codes
	With  Operand
	Lanes int
	To    BufferID
}

func (k *Binary) last(*Program) int { return k.From.last() }

func (k *Binary) String() string {
	return fmt.Sprintf("%s %s, %s -> b%d", k.Op, k.From, k.With, k.To)
}

// binaryLoop is a Binary made ready: with has the operand of every lane.
type binaryLoop struct {
	*Binary
	with []byte
}

func (k *Binary) ready(*Frame) runner {
	with := make([]byte, k.Lanes)
	for l := range with {
		if k.With.Constant != nil {
			with[l] = k.With.Constant[l%len(k.With.Constant)]
		}
	}
	return &binaryLoop{k, with}
}

func (k *binaryLoop) run(f *Frame) {
	with := k.with
	for b := range f.n {
		dst := f.u8[k.To][b*f.pitch[k.To]:]
		if k.With.Constant == nil {
			k.With.spread(with, f.u8[k.With.Buffer][b*f.pitch[k.With.Buffer]:])
		}
		for r := range k.From.runs() {
			lane, codes := k.From.run(f, b, k.Lanes, r)
			k.Op.row(dst[lane:lane+len(codes)], codes, with[lane:lane+len(codes)])
		}
	}
}

// spread writes an operand out for every lane.
func (o Operand) spread(lanes, buffer []byte) {
	if o.Group == 1 {
		copy(lanes, buffer)
		return
	}
	for at := 0; at < len(lanes); at += o.Group {
		value := buffer[at/o.Group]
		for j := range lanes[at:min(at+o.Group, len(lanes))] {
			lanes[at+j] = value
		}
	}
}

// row is a loop of its own for what is common.
func (o ByteOp) row(out, x, y []byte) {
	y, out = y[:len(x)], out[:len(x)]
	switch o {
	case Mul:
		for j, c := range x {
			out[j] = c * y[j]
		}
	case Add:
		for j, c := range x {
			out[j] = c + y[j]
		}
	default:
		for j, c := range x {
			out[j] = o.apply(c, y[j])
		}
	}
}

// Sign multiplies codes by ±1: With holds 1 or 255 a lane, or for Group > 1 one
// for that many lanes.
type Sign struct {
	From  Codes
	With  Operand
	Lanes int
	To    BufferID
}

func (k *Sign) last(*Program) int { return k.From.last() }

func (k *Sign) String() string { return fmt.Sprintf("sign %s by %s -> b%d", k.From, k.With, k.To) }

func (k *Sign) ready(f *Frame) runner {
	if k.From.InPlace != nil || k.With.Constant != nil || k.With.Group != 1 {
		return (&Binary{Op: Mul, From: k.From, With: k.With, Lanes: k.Lanes, To: k.To}).ready(f)
	}
	return k
}

func (k *Sign) run(f *Frame) {
	x, s, dst := f.u8[k.From.Buffer], f.u8[k.With.Buffer], f.u8[k.To]
	for at := 0; at < f.n*f.pitch[k.To]; at += 8 {
		negative := binary.LittleEndian.Uint64(s[at:at+8:at+8]) >> 7 & everyByte
		codes := binary.LittleEndian.Uint64(x[at : at+8 : at+8])
		binary.LittleEndian.PutUint64(dst[at:at+8:at+8], negateBytes(codes, negative))
	}
}

// Rows replaces each index by a row of R codes: lanes R*i to R*i+R-1 of To are
// Table[index*R : index*R+R]. Indices come from a U8 or a U16 buffer and are
// below len(Table)/R, a power of two.
type Rows struct {
	From  BufferID
	Count int // indices of a block
	R     int
	Table []byte
	To    BufferID
}

func (k *Rows) last(*Program) int { return 0 }

func (k *Rows) String() string {
	return fmt.Sprintf("rows%d [%d] b%d x%d -> b%d", k.R, len(k.Table)/k.R, k.From, k.Count, k.To)
}

// rowsLoop is Rows made ready, for rows of 4 and 8 bytes.
type rowsLoop struct {
	*Rows
	mask  int
	words []uint64
}

func (k *Rows) ready(*Frame) runner {
	made := &rowsLoop{Rows: k, mask: len(k.Table)/k.R - 1}
	for at := 0; at < len(k.Table); at += k.R {
		switch k.R {
		case 8:
			made.words = append(made.words, binary.LittleEndian.Uint64(k.Table[at:]))
		case 4:
			made.words = append(made.words, uint64(binary.LittleEndian.Uint32(k.Table[at:])))
		}
	}
	return made
}

func (k *rowsLoop) run(f *Frame) {
	for b := range f.n {
		dst := f.u8[k.To][b*f.pitch[k.To]:][:k.Count*k.R]
		at := b * f.pitch[k.From]
		if u8 := f.u8[k.From]; u8 != nil {
			copyRows(k, dst, u8[at:at+k.Count])
		} else {
			copyRows(k, dst, f.u16[k.From][at:at+k.Count])
		}
	}
}

func copyRows[I uint8 | uint16](k *rowsLoop, dst []byte, index []I) {
	words := k.words
	switch k.R {
	case 8:
		for i, x := range index {
			binary.LittleEndian.PutUint64(dst[8*i:8*i+8:8*i+8], words[int(x)&k.mask])
		}
	case 4:
		for i, x := range index {
			binary.LittleEndian.PutUint32(dst[4*i:4*i+4:4*i+4], uint32(words[int(x)&k.mask]))
		}
	default:
		for _, i := range index {
			at := int(i) & k.mask * k.R
			copy(dst[:k.R], k.Table[at:])
			dst = dst[k.R:]
		}
	}
}

// index reads a code of a U8 or U16 buffer, or a float that is one.
func (f *Frame) index(id BufferID, at int) int {
	switch {
	case f.u8[id] != nil:
		return int(f.u8[id][at])
	case f.u16[id] != nil:
		return int(f.u16[id][at])
	}
	return int(f.f32[id][at])
}
