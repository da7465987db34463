// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"fmt"
)

// Loose reads numbers whose bits lie anywhere in the block, not at whole bytes as
// Scalar has them.
type Loose struct {
	Parts  [][]Segment // per lane, each run at most 64 bits; runs of up to 57 lie within a word of eight bytes
	Format Format
	To     BufferID // F32
}

func (k *Loose) last(*Program) int {
	last := 8 // a part that is absent is read at the begin
	for _, parts := range k.Parts {
		for _, s := range parts {
			last = max(last, s.Bit/8+8)
		}
	}
	return last
}

func (k *Loose) ready(*Frame) runner { return k }

func (k *Loose) String() string {
	return fmt.Sprintf("loose %s x%d -> b%d", k.Format, len(k.Parts), k.To)
}

func (k *Loose) run(f *Frame) {
	var number [8]byte
	for b := range f.n {
		block := f.payload[b*f.stride:][:f.stride]
		dst := f.f32[k.To][b*f.pitch[k.To]:][:len(k.Parts)]
		for l, parts := range k.Parts {
			x := uint64(0)
			for _, s := range parts {
				x |= bitsAt(block, s.Bit, s.Width) << s.Left
			}
			binary.LittleEndian.PutUint64(number[:], x)
			dst[l] = k.Format.read(number[:])
		}
	}
}
