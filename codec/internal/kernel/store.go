// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/structview/structview/tensor"
)

// Store writes lanes of an output that is not FLOAT, as little-endian elements of
// Width bytes. Stores run behind a program that has no output of its own (Lanes is 0).
type Store interface {
	// store writes block b's lanes; out are the elements of that block.
	store(f *Frame, b int, out []byte)
	// String names the store and its parameters in one line.
	String() string
}

// RunStores is Run for programs of outputs other than FLOAT: it runs the program and
// then the stores. An output block has width bytes.
func (f *Frame) RunStores(payload []byte, n int, stores []Store, width int, out []byte) {
	f.Run(payload, n, nil)
	for _, s := range stores {
		if k, ok := s.(interface {
			vector(f *Frame, n, width int, out []byte) bool
		}); ok && k.vector(f, n, width, out) {
			continue
		}
		for b := range n {
			s.store(f, b, out[b*width:][:width])
		}
	}
}

// TableStore writes an element for each code: element Table[code], which for
// integers widens a code, with or without its sign.
type TableStore struct {
	Codes Codes
	Table []byte // 256 elements
	Width int    // bytes of an element: 1, 2, 4 or 8
	Name  string // what the table is, for the plan's text
	Lanes int
	Lane  int // the first output lane
}

func (k *TableStore) String() string {
	return fmt.Sprintf("store %s %s -> out %d..%d", k.Name, k.Codes, k.Lane, k.Lane+k.Lanes)
}

func (k *TableStore) store(f *Frame, b int, out []byte) {
	w := k.Width
	out = out[k.Lane*w:][:k.Lanes*w]
	if k.Codes.InPlace == nil {
		k.look(f.u8[k.Codes.Buffer][b*f.pitch[k.Codes.Buffer]:][:k.Lanes], out)
		return
	}
	block := f.payload[b*f.stride:]
	for _, r := range k.Codes.InPlace {
		k.look(block[r.Byte:r.Byte+r.Len], out[r.Lane*w:])
	}
}

// look writes an element for each code.
func (k *TableStore) look(codes, to []byte) {
	switch w := k.Width; w {
	case 1:
		for i, c := range codes {
			to[i] = k.Table[c]
		}
	case 4:
		for i, c := range codes {
			copy(to[4*i:4*i+4], k.Table[4*int(c):])
		}
	default:
		for i, c := range codes {
			copy(to[w*i:w*i+w], k.Table[w*int(c):])
		}
	}
}

// FloatStore rounds lanes of a float buffer to a half type, or widens them to
// float64.
type FloatStore struct {
	From   BufferID // F32
	Format Format   // F16, BF16 or Float64
	Lanes  int
	Lane   int
}

func (k *FloatStore) String() string {
	return fmt.Sprintf("store %s b%d -> out %d..%d", k.Format, k.From, k.Lane, k.Lane+k.Lanes)
}

func (k *FloatStore) store(f *Frame, b int, out []byte) {
	values := f.f32[k.From][b*f.pitch[k.From]:][:k.Lanes]
	out = out[k.Lane*k.Format.size():]
	switch k.Format {
	case F16:
		for i, x := range values {
			binary.LittleEndian.PutUint16(out[2*i:], tensor.F32ToF16(x))
		}
	case BF16:
		for i, x := range values {
			binary.LittleEndian.PutUint16(out[2*i:], tensor.F32ToBF16(x))
		}
	default:
		for i, x := range values {
			binary.LittleEndian.PutUint64(out[8*i:], math.Float64bits(float64(x)))
		}
	}
}

// bitsAt reads up to 64 bits.
func bitsAt(block []byte, bit, width int) uint64 {
	x := uint64(0)
	for n := 0; n < width; {
		at := bit + n
		x |= uint64(block[at>>3]>>(at&7)) << n
		n += 8 - at&7
	}
	if width == 64 {
		return x
	}
	return x & (1<<width - 1)
}

// FixedStore writes elements that are the same in every block.
type FixedStore struct {
	Elements []byte
	Width    int
	Lane     int
}

func (k *FixedStore) String() string {
	return fmt.Sprintf("store constants -> out %d..%d", k.Lane, k.Lane+len(k.Elements)/k.Width)
}

func (k *FixedStore) store(_ *Frame, _ int, out []byte) { copy(out[k.Lane*k.Width:], k.Elements) }
