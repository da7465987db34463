// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/structview/structview/tensor"
)

// Segment is a run of bits of the payload and where it goes in a code.
type Segment struct {
	Bit   int // first bit, from the block's begin
	Width int // at most 16
	Left  int // its place in the code
}

// Field gathers each lane from up to four segments anywhere in the block. It is
// the slow way that takes every layout.
type Field struct {
	Lanes [][]Segment
	To    Target // Left 0
}

func (k *Field) last(*Program) int {
	last := 4
	for _, lane := range k.Lanes {
		for _, s := range lane {
			last = max(last, s.Bit/8+4)
		}
	}
	if bits, width := alone(k.Lanes); width > 0 {
		last = max(last, distantLast(bits, width))
	}
	return last
}

func (k *Field) String() string {
	return fmt.Sprintf("field %d lanes of up to %d segments %s", len(k.Lanes), mostSegments(k.Lanes), k.To)
}

func mostSegments(lanes [][]Segment) int {
	most := 0
	for _, l := range lanes {
		most = max(most, len(l))
	}
	return most
}

func (k *Field) ready(*Frame) runner { return k }

func (k *Field) run(f *Frame) {
	id := k.To.Buffer
	for b := range f.n {
		block := f.payload[b*f.stride:]
		at := b * f.pitch[id]
		for l, segments := range k.Lanes {
			code := uint32(0)
			for _, s := range segments {
				word := binary.LittleEndian.Uint32(block[s.Bit>>3:])
				code |= word >> (s.Bit & 7) & (1<<s.Width - 1) << s.Left
			}
			if f.u8[id] != nil {
				f.store8(k.To, at+l, byte(code))
			} else if k.To.Or {
				f.u16[id][at+l] |= uint16(code)
			} else {
				f.u16[id][at+l] = uint16(code)
			}
		}
	}
}

func (f *Frame) store8(to Target, at int, code byte) {
	if to.Or {
		code |= f.u8[to.Buffer][at]
	}
	f.u8[to.Buffer][at] = to.Post.apply(code)
}

// Wide reads each lane as the Width (9 to 24) bits from bit Bits[l] on, as an
// integer, and converts it: float32(((x ^ Xor) + Add) as int32). The sum does not
// leave ±2^24.
type Wide struct {
	Bits  []int
	Width int
	Xor   uint32
	Add   int32
	To    BufferID // F32
}

func (k *Wide) last(*Program) int {
	last := 0
	if excess := len(k.Bits) % eightLanes; k.words() && excess > 0 {
		last = k.Bits[0]/8 + 2*(len(k.Bits)-excess+eightLanes) // eight at a time
	}
	for _, o := range k.Bits {
		if last = max(last, o/8+4); len(k.Bits) >= fewNumbers {
			last = max(last, o/8+windowBytes)
		}
	}
	return last
}

// words reports whether the fields are many words that follow each other.
func (k *Wide) words() bool {
	for i, o := range k.Bits {
		if o != k.Bits[0]+16*i || o%8 != 0 {
			return false
		}
	}
	return k.Width == 16 && len(k.Bits) >= eightLanes
}

func (k *Wide) String() string {
	return fmt.Sprintf("wide %d lanes w%d ^%d %+d -> b%d", len(k.Bits), k.Width, k.Xor, k.Add, k.To)
}

func (k *Wide) ready(*Frame) runner { return k }

func (k *Wide) run(f *Frame) {
	mask := uint32(1)<<k.Width - 1
	for b := range f.n {
		block := f.payload[b*f.stride:]
		dst := f.f32[k.To][b*f.pitch[k.To]:][:len(k.Bits)]
		for l, o := range k.Bits {
			x := binary.LittleEndian.Uint32(block[o>>3:]) >> (o & 7) & mask
			dst[l] = float32(int32(x^k.Xor) + k.Add)
		}
	}
}

// Format is the encoding of a number in the payload.
type Format uint8

// The formats that Scalar reads.
const (
	F16 Format = iota
	BF16
	Float32
	Float64
	Int32
	Uint32
	Int64
	Uint64
)

func (x Format) String() string {
	return [...]string{"f16", "bf16", "f32", "f64", "i32", "u32", "i64", "u64"}[x]
}

func (x Format) size() int { return [...]int{2, 2, 4, 8, 4, 4, 8, 8}[x] }

// Scalar converts numbers of the payload: lane l is at byte Bytes[l]. What float32
// does not hold is rounded to nearest, ties to even.
type Scalar struct {
	Bytes  []int
	Format Format
	To     BufferID // F32
}

func (k *Scalar) last(*Program) int {
	last, run := 0, k.neighbours()
	if excess := len(k.Bytes) % eightLanes; run && excess > 0 {
		last = k.Bytes[0] + (len(k.Bytes)-excess+eightLanes)*k.Format.size() // eight at a time
	}
	for _, o := range k.Bytes {
		last = max(last, o+k.Format.size())
		if k.Format == F16 && len(k.Bytes) < eightLanes {
			last = max(last, o+8) // four at a time are converted, one is used
		}
		if len(k.Bytes) >= fewNumbers && !run {
			last = max(last, o+windowBytes)
		}
	}
	return last
}

// neighbours reports whether the numbers are many and follow each other.
func (k *Scalar) neighbours() bool {
	for i, o := range k.Bytes {
		if o != k.Bytes[0]+i*k.Format.size() {
			return false
		}
	}
	return len(k.Bytes) >= eightLanes
}

func (k *Scalar) String() string {
	at := "no lane"
	if len(k.Bytes) > 0 {
		at = fmt.Sprintf("@%d", k.Bytes[0])
	}
	return fmt.Sprintf("scalar %s x%d %s -> b%d", k.Format, len(k.Bytes), at, k.To)
}

func (k *Scalar) ready(*Frame) runner { return k }

func (k *Scalar) run(f *Frame) {
	for b := range f.n {
		block := f.payload[b*f.stride:]
		k.block(f.f32[k.To][b*f.pitch[k.To]:][:len(k.Bytes)], block)
	}
}

func (k *Scalar) block(dst []float32, block []byte) {
	switch k.Format {
	case F16:
		for l, o := range k.Bytes {
			dst[l] = halfToFloat(binary.LittleEndian.Uint16(block[o:]))
		}
	case BF16:
		for l, o := range k.Bytes {
			dst[l] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(block[o:])) << 16)
		}
	case Float32:
		for l, o := range k.Bytes {
			dst[l] = math.Float32frombits(binary.LittleEndian.Uint32(block[o:]))
		}
	default:
		for l, o := range k.Bytes {
			dst[l] = k.Format.read(block[o:])
		}
	}
}

func (x Format) read(p []byte) float32 {
	switch x {
	case F16:
		return halfToFloat(binary.LittleEndian.Uint16(p))
	case BF16:
		return math.Float32frombits(uint32(binary.LittleEndian.Uint16(p)) << 16)
	case Float32:
		return math.Float32frombits(binary.LittleEndian.Uint32(p))
	case Float64:
		return float32(math.Float64frombits(binary.LittleEndian.Uint64(p)))
	case Int32:
		return float32(int32(binary.LittleEndian.Uint32(p)))
	case Uint32:
		return float32(binary.LittleEndian.Uint32(p))
	case Int64:
		return tensor.Int64ToF32(int64(binary.LittleEndian.Uint64(p)))
	default:
		return tensor.Uint64ToF32(binary.LittleEndian.Uint64(p))
	}
}

// Halves widens a code buffer of 16-bit float patterns, which Field gathered.
type Halves struct {
	From   BufferID // U16
	Lanes  int
	Format Format   // F16 or BF16
	To     BufferID // F32
}

func (k *Halves) last(*Program) int { return 0 }

func (k *Halves) String() string {
	return fmt.Sprintf("halves %s x%d b%d -> b%d", k.Format, k.Lanes, k.From, k.To)
}

func (k *Halves) ready(*Frame) runner { return k }

func (k *Halves) run(f *Frame) {
	for b := range f.n {
		src := f.u16[k.From][b*f.pitch[k.From]:][:k.Lanes]
		dst := f.f32[k.To][b*f.pitch[k.To]:][:k.Lanes]
		for l, c := range src {
			if k.Format == F16 {
				dst[l] = halfToFloat(c)
			} else {
				dst[l] = math.Float32frombits(uint32(c) << 16)
			}
		}
	}
}

// halfToFloat widens an IEEE binary16, exactly. A NaN keeps its payload and
// becomes quiet, as the conversion instructions have it.
func halfToFloat(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exponent, mantissa := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0:
		return math.Float32frombits(sign | math.Float32bits(float32(mantissa)*0x1p-24))
	case 31:
		if mantissa != 0 {
			mantissa |= 0x200
		}
		return math.Float32frombits(sign | 0x7f800000 | mantissa<<13)
	default:
		return math.Float32frombits(sign | (exponent+112)<<23 | mantissa<<13)
	}
}
