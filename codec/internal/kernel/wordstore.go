// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
)

// WordStore writes lanes of a float buffer, whose bits are taken for integers of four bytes: what Loose gathers as
// Float32 is moved as it is. The lowest Width bytes are written, more bytes are zeros or the sign.
type WordStore struct {
	From  BufferID // F32
	Sign  int      // not 0: a two's complement number of so many bits is extended
	Ones  uint32   // bits that are 1 in every lane; 0 with a sign
	Width int      // bytes of an element: 1, 2, 4 or 8
	Lanes int
	Lane  int
}

func (k *WordStore) String() string {
	text := fmt.Sprintf("store words b%d", k.From)
	if k.Sign != 0 {
		text += fmt.Sprintf(", sign of %d", k.Sign)
	}
	if k.Ones != 0 {
		text += fmt.Sprintf(" | %#x", k.Ones)
	}
	return fmt.Sprintf("%s in %d bytes -> out %d..%d", text, k.Width, k.Lane, k.Lane+k.Lanes)
}

func (k *WordStore) store(f *Frame, b int, out []byte) {
	out = out[k.Lane*k.Width:]
	for l, word := range f.f32[k.From][b*f.pitch[k.From]:][:k.Lanes] {
		x := uint64(math.Float32bits(word) | k.Ones)
		if k.Sign != 0 {
			x = signed(x, k.Sign)
		}
		putElement(out[l*k.Width:], x, k.Width)
	}
}

// signed extends the sign of a number of so many bits.
func signed(x uint64, width int) uint64 { return uint64(int64(x<<(64-width)) >> (64 - width)) }

// putElement writes the lowest bytes of x.
func putElement(to []byte, x uint64, width int) {
	switch width {
	case 1:
		to[0] = byte(x)
	case 2:
		binary.LittleEndian.PutUint16(to, uint16(x))
	case 4:
		binary.LittleEndian.PutUint32(to, uint32(x))
	default:
		binary.LittleEndian.PutUint64(to, x)
	}
}
