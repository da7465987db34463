// SPDX-License-Identifier: Apache-2.0

package kernel

import "fmt"

// Affine maps each code of From into To (U8).
type Affine struct {
	From  Codes
	Lanes int
	Map   Map
	To    BufferID
}

func (k *Affine) last(*Program) int { return k.From.last() }

func (k *Affine) String() string { return fmt.Sprintf("%s %s -> b%d", &k.Map, k.From, k.To) }

func (k *Affine) run(f *Frame) {
	m := k.Map
	f.bytesToBytes(k.From, k.Lanes, k.To, func(dst, src []byte) {
		for j, x := range src {
			dst[j] = m.apply(x)
		}
	})
}

// bytesToBytes runs a loop over every run of codes.
func (f *Frame) bytesToBytes(from Codes, lanes int, to BufferID, loop func(dst, src []byte)) {
	for b := range f.n {
		dst := f.u8[to][b*f.pitch[to]:]
		from.segments(f, b, lanes, func(lane int, codes []byte) {
			loop(dst[lane:lane+len(codes)], codes)
		})
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

func (k *Lut) run(f *Frame) {
	var table [256]byte
	for i := range table {
		table[i] = k.Table[i%len(k.Table)]
	}
	f.bytesToBytes(k.From, k.Lanes, k.To, func(dst, src []byte) {
		for j, x := range src {
			dst[j] = table[x]
		}
	})
}

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

func (k *Steps) run(f *Frame) {
	var table [256]byte
	for i := range table {
		table[i] = k.Base
		for _, t := range k.Thresholds {
			if byte(i) >= t {
				table[i] += k.Step
			}
		}
	}
	f.bytesToBytes(k.From, k.Lanes, k.To, func(dst, src []byte) {
		for j, x := range src {
			dst[j] = table[x]
		}
	})
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

func (k *Binary) run(f *Frame) {
	for b := range f.n {
		dst := f.u8[k.To][b*f.pitch[k.To]:]
		var with []byte
		if k.With.Constant == nil {
			with = f.u8[k.With.Buffer][b*f.pitch[k.With.Buffer]:]
		}
		k.From.segments(f, b, k.Lanes, func(lane int, codes []byte) {
			out := dst[lane : lane+len(codes)]
			for j, x := range codes {
				out[j] = k.Op.apply(x, k.With.at(with, lane+j))
			}
		})
	}
}

func (o Operand) at(buffer []byte, lane int) byte {
	if o.Constant != nil {
		return o.Constant[lane%len(o.Constant)]
	}
	return buffer[lane/o.Group]
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

func (k *Sign) run(f *Frame) {
	(&Binary{Op: Mul, From: k.From, With: k.With, Lanes: k.Lanes, To: k.To}).run(f)
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

func (k *Rows) run(f *Frame) {
	mask := len(k.Table)/k.R - 1
	for b := range f.n {
		dst := f.u8[k.To][b*f.pitch[k.To]:]
		at := b * f.pitch[k.From]
		for i := range k.Count {
			index := f.index(k.From, at+i) & mask
			row := k.Table[index*k.R : index*k.R+k.R]
			copy(dst[i*k.R:i*k.R+k.R], row)
		}
	}
}

// index reads a code of a U8 or U16 buffer.
func (f *Frame) index(id BufferID, at int) int {
	if f.u8[id] != nil {
		return int(f.u8[id][at])
	}
	return int(f.u16[id][at])
}
