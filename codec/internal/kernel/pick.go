// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Pick reads fields of which indices tell where they lie: code j is the Width bits, at most 8, of the payload from bit
// Base[j]+At[index j] of the block on. Indices are below len(At).
type Pick struct {
	Index BufferID // U8, as many lanes as Base
	Base  []int
	At    []int // at most 256, none negative
	Width int
	To    BufferID // U8
}

func (k *Pick) last(*Program) int { return (slices.Max(k.Base)+slices.Max(k.At))/8 + 2 }

func (k *Pick) String() string {
	return fmt.Sprintf("pick %d w%d by u8 b%d of %d -> b%d", len(k.Base), k.Width, k.Index, len(k.At), k.To)
}

// ready is a loop that knows how long the table is.
func (k *Pick) ready(*Frame) runner {
	made := &pickLoop{Pick: k}
	copy(made.at[:], k.At)
	return made
}

type pickLoop struct {
	*Pick
	at [256]int
}

func (k *pickLoop) run(f *Frame) {
	index, eachIndex := f.u8[k.Index], f.pitch[k.Index]
	to, each := f.u8[k.To], f.pitch[k.To]
	mask := uint16(1)<<k.Width - 1
	for b := range f.n {
		block, index, to := f.payload[b*f.stride:], index[b*eachIndex:][:len(k.Base)], to[b*each:][:len(k.Base)]
		for j, base := range k.Base {
			bit := base + k.at[index[j]]
			to[j] = byte(binary.LittleEndian.Uint16(block[bit/8:]) >> (bit % 8) & mask)
		}
	}
}

// pick is a Pick of the lanes of n blocks.
func (m *merger) pick(k *Pick) Op {
	out := *k
	out.Base = m.places(k.Base, 8*m.Stride)
	return only(&out, m.Buffers[k.Index].Lanes == len(k.Base) && m.Buffers[k.To].Lanes == len(k.Base))
}
