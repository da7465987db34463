// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"fmt"
)

// Loose reads numbers whose bits lie anywhere in the block, not at whole bytes as
// Scalar has them. An Int32 may have less bits: Sign of them in two's complement, or without a
// sign; it is float32(x + Add), where the sum does not leave the type. Where lanes differ, Signs has each one's. An F16
// is a number times Unit, if that is not 0.
type Loose struct {
	Parts  [][]Segment // per lane, each run at most 64 bits; runs of up to 57 lie within a word of eight bytes
	Format Format
	Sign   int
	Signs  []int // nil: all have Sign
	Add    int32
	Unit   float32
	To     BufferID // F32
}

func (k *Loose) last(*Program) int {
	last := 8 // a part that is absent is read at the begin
	if !k.few() {
		last = windowBytes
	}
	for _, parts := range k.Parts {
		for _, s := range parts {
			if last = max(last, s.Bit/8+8); !k.few() {
				last = max(last, (s.Bit+s.Width-1)/8+windowBytes)
			}
		}
	}
	return last
}

// few reports whether the numbers are read one by one.
func (k *Loose) few() bool {
	return len(k.Parts) < fewNumbers && k.Sign == 0 && k.Signs == nil && k.Add == 0 && k.Unit == 0
}

// fewNumbers is how many numbers of a block are read together.
const fewNumbers = 4

// sign is that of a lane.
func (k *Loose) sign(lane int) int {
	if k.Signs != nil {
		return k.Signs[lane]
	}
	return k.Sign
}

// width is the bits of an integer.
func (k *Loose) width() int {
	if k.Sign != 0 {
		return k.Sign
	}
	width := 1
	for _, parts := range k.Parts {
		for _, s := range parts {
			width = max(width, s.Left+s.Width)
		}
	}
	return width
}

func (k *Loose) String() string {
	text := fmt.Sprintf("loose %s x%d", k.Format, len(k.Parts))
	if k.Format == Int32 || k.Format == Uint32 {
		text += fmt.Sprintf(" w%d", k.width())
	}
	switch {
	case k.Signs != nil:
		text += " some signed"
	case k.Sign != 0:
		text += " signed"
	}
	if k.Add != 0 {
		text += fmt.Sprintf(" %+d", k.Add)
	}
	if k.Unit != 0 {
		text += fmt.Sprintf(" times %g", k.Unit)
	}
	return fmt.Sprintf("%s -> b%d", text, k.To)
}

// looseWord is a run of bits as the portable loop takes it.
type looseWord struct {
	lane, byte  int
	right, left int
	mask        uint64
}

// looseLoop is the portable loop with what it computes ahead.
type looseLoop struct {
	*Loose
	words []looseWord // of all lanes; nil if a run is too long for that
	sum   []uint64
}

func (k *Loose) ready(*Frame) runner {
	c := &looseLoop{Loose: k, words: []looseWord{}, sum: make([]uint64, len(k.Parts))}
	for l, parts := range k.Parts {
		for _, s := range parts {
			if s.Width > 57 {
				return &looseLoop{Loose: k, sum: c.sum}
			}
			c.words = append(c.words, looseWord{l, s.Bit / 8, s.Bit % 8, s.Left, 1<<s.Width - 1})
		}
	}
	return c
}

func (k *looseLoop) run(f *Frame) {
	var number [8]byte
	for b := range f.n {
		block := f.payload[b*f.stride:]
		dst := f.f32[k.To][b*f.pitch[k.To]:][:len(k.Parts)]
		k.gather(block)
		for l, x := range k.sum {
			switch k.Format {
			case Int32:
				if sign := k.sign(l); sign != 0 {
					x = uint64(int64(x<<(64-sign)) >> (64 - sign))
				}
				dst[l] = float32(int32(x) + k.Add)
			default:
				binary.LittleEndian.PutUint64(number[:], x)
				if dst[l] = k.Format.read(number[:]); k.Unit != 0 {
					dst[l] *= k.Unit
				}
			}
		}
	}
}

// gather puts the numbers of a block together.
func (k *looseLoop) gather(block []byte) {
	clear(k.sum)
	for i := range k.words {
		w := &k.words[i]
		k.sum[w.lane] |= binary.LittleEndian.Uint64(block[w.byte:]) >> w.right & w.mask << w.left
	}
	if k.words != nil {
		return
	}
	for l, parts := range k.Parts {
		for _, s := range parts {
			k.sum[l] |= bitsAt(block, s.Bit, s.Width) << s.Left
		}
	}
}
