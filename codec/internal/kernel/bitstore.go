// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"fmt"
)

// BitStore gathers each lane from runs of payload bits anywhere in the block: elements
// of any width, as they lie there. It reads nothing outside the block.
type BitStore struct {
	Parts [][]Segment // per lane, each run at most 64 bits
	Ones  []uint64    // per lane: bits that are 1 in every block; nil for none
	Sign  int         // not 0: a two's complement number of so many bits is extended
	Width int         // bytes of an element
	Lane  int

	step  int       // words of a lane
	words []bitWord // of all lanes; nil: there are no such words, bits are read byte by byte
	rows  []Row     // in their place: elements that are copied; lengths are in bytes
}

// bitWord is bits of a lane in eight bytes of a block.
type bitWord struct {
	byte        int
	right, left uint
	mask        uint64
}

// Ready computes ahead what blocks of so many bytes have in common. Without it the store is slow.
func (k *BitStore) Ready(stride int) *BitStore {
	if k.rows = k.copied(); k.Copies() || stride < 8 {
		return k
	}
	lanes := make([][]bitWord, len(k.Parts))
	for l, parts := range k.Parts {
		for _, s := range parts {
			lanes[l] = append(lanes[l], bitWords(s, stride)...)
		}
		k.step = max(k.step, len(lanes[l]))
	}
	k.words = make([]bitWord, k.step*len(lanes))
	for l, own := range lanes {
		copy(k.words[l*k.step:], own)
	}
	return k
}

// bitWords is a run as words, two where eight bytes do not hold it. Words end inside the block.
func bitWords(s Segment, stride int) []bitWord {
	at := min(s.Bit/8, stride-8)
	right := s.Bit - 8*at
	if n := 64 - right; s.Width > n {
		rest := Segment{Bit: s.Bit + n, Width: s.Width - n, Left: s.Left + n}
		return append(bitWords(Segment{s.Bit, n, s.Left}, stride), bitWords(rest, stride)...)
	}
	return []bitWord{{at, uint(right), uint(s.Left), 1<<s.Width - 1}} // 1<<64 is 0
}

// Copies reports whether all elements are bytes as they lie.
func (k *BitStore) Copies() bool { return k.copied() != nil }

// copied is nil if not all elements are bytes as they lie.
func (k *BitStore) copied() []Row {
	var rows []Row
	for l, parts := range k.Parts {
		if len(parts) != 1 || parts[0].Width != 8*k.Width || parts[0].Bit%8 != 0 || k.Ones != nil {
			return nil
		}
		at := parts[0].Bit / 8
		if n := len(rows) - 1; n >= 0 && rows[n].Byte+rows[n].Len == at {
			rows[n].Len += k.Width
			continue
		}
		rows = append(rows, Row{Byte: at, Lane: l, Len: k.Width})
	}
	return rows
}

func (k *BitStore) String() string {
	text := fmt.Sprintf("store bits of up to %d segments", mostSegments(k.Parts))
	if k.Sign != 0 {
		text += fmt.Sprintf(", sign of %d", k.Sign)
	}
	return fmt.Sprintf("%s -> out %d..%d", text, k.Lane, k.Lane+len(k.Parts))
}

func (k *BitStore) store(f *Frame, b int, out []byte) {
	block := f.payload[b*f.stride:][:f.stride]
	out = out[k.Lane*k.Width:][:len(k.Parts)*k.Width]
	switch {
	case k.rows != nil:
		for _, r := range k.rows {
			copy(out[r.Lane*k.Width:][:r.Len], block[r.Byte:])
		}
	case k.words != nil:
		k.fast(block, out)
	default:
		k.slow(block, out)
	}
}

// slow is the specification.
func (k *BitStore) slow(block, out []byte) {
	for l, parts := range k.Parts {
		x := uint64(0)
		if k.Ones != nil {
			x = k.Ones[l]
		}
		for _, s := range parts {
			x |= bitsAt(block, s.Bit, s.Width) << s.Left
		}
		if k.Sign != 0 {
			x = signed(x, k.Sign)
		}
		putElement(out[l*k.Width:], x, k.Width)
	}
}

// bitLanes is how many lanes are gathered before they are written.
const bitLanes = 64

// fast gathers words.
func (k *BitStore) fast(block, out []byte) {
	var lanes [bitLanes]uint64
	extend := uint(0)
	if k.Sign != 0 {
		extend = 64 - uint(k.Sign)
	}
	for from := 0; from < len(k.Parts); from += bitLanes {
		n := min(bitLanes, len(k.Parts)-from)
		some := lanes[:n]
		clear(some)
		if k.Ones != nil {
			copy(some, k.Ones[from:])
		}
		gatherWords(some, k.words[from*k.step:(from+n)*k.step], k.step, block)
		for l, x := range some {
			some[l] = uint64(int64(x<<(extend&63)) >> (extend & 63))
		}
		putElements(out[from*k.Width:], some, k.Width)
	}
}

// gatherWords adds the bits of step words to each lane.
func gatherWords(lanes []uint64, words []bitWord, step int, block []byte) {
	for part := range step {
		list := words[part:]
		for l := range lanes {
			w := &list[l*step]
			lanes[l] |= binary.LittleEndian.Uint64(block[w.byte:]) >> (w.right & 63) & w.mask << (w.left & 63)
		}
	}
}

// putElements writes the lowest bytes of each lane.
func putElements(out []byte, lanes []uint64, width int) {
	switch width {
	case 1:
		for l, x := range lanes {
			out[l] = byte(x)
		}
	case 2:
		for l, x := range lanes {
			binary.LittleEndian.PutUint16(out[2*l:], uint16(x))
		}
	case 4:
		for l, x := range lanes {
			binary.LittleEndian.PutUint32(out[4*l:], uint32(x))
		}
	default:
		for l, x := range lanes {
			binary.LittleEndian.PutUint64(out[8*l:], x)
		}
	}
}
