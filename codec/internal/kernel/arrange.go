// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"fmt"
)

// ConvertStore writes lanes of a float buffer as elements of another type that hold them.
type ConvertStore struct {
	From  BufferID             // F32
	Code  func(float32) uint64 // the bits of an element
	Width int                  // bytes of an element
	Name  string               // of the element type, for the plan's text
	Lanes int
	Lane  int
	Whole bool // the lanes are integers below 2^31, and Code is uint64(int64(x))
}

func (k *ConvertStore) String() string {
	return fmt.Sprintf("store %s b%d -> out %d..%d", k.Name, k.From, k.Lane, k.Lane+k.Lanes)
}

func (k *ConvertStore) store(f *Frame, b int, out []byte) {
	var element [8]byte
	for i, x := range f.f32[k.From][b*f.pitch[k.From]:][:k.Lanes] {
		binary.LittleEndian.PutUint64(element[:], k.Code(x))
		copy(out[(k.Lane+i)*k.Width:][:k.Width], element[:])
	}
}

// Arrangement is how the lanes that stores write become output elements.
type Arrangement struct {
	Order []int32 // the output lane of each lane; nil: the same
	Bits  int     // less than 8: of an element, of which a byte has several; stores write one a byte
	Width int     // bytes of an element for stores
	Lanes int     // of a block
}

// Plain reports whether stores can write into the output.
func (a Arrangement) Plain() bool { return a.Order == nil && a.Bits%8 == 0 }

// Bytes is the size of a block of the output.
func (a Arrangement) Bytes() int { return (a.Lanes*a.Bits + 7) / 8 }

// Arrange is RunStores where stores do not write into the output as it is: block is
// memory for one block of elements, as stores write them.
func (f *Frame) Arrange(payload []byte, n int, stores []Store, a Arrangement, block, out []byte) {
	f.Run(payload, n, nil)
	clear(out[:n*a.Bytes()])
	for b := range n {
		for _, s := range stores {
			s.store(f, b, block)
		}
		a.write(block, out[b*a.Bytes():][:a.Bytes()])
	}
}

// write puts the elements of a block where they belong; out is zero where they are
// less than a byte.
func (a Arrangement) write(block, out []byte) {
	w, perByte := a.Width, 8/min(a.Bits, 8)
	for i := range a.Lanes {
		lane := i
		if a.Order != nil {
			lane = int(a.Order[i])
		}
		if a.Bits < 8 {
			out[lane/perByte] |= (block[i] & (1<<a.Bits - 1)) << (lane % perByte * a.Bits)
		} else {
			copy(out[lane*w:][:w], block[i*w:])
		}
	}
}
