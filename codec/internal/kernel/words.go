// SPDX-License-Identifier: Apache-2.0

package kernel

import "encoding/binary"

// The portable kernels work on eight codes at a time, as the bytes of a uint64.

const (
	everyByte = 0x0101010101010101
	topBits   = 0x8080808080808080
)

// addBytes is x + y, each byte for itself modulo 256.
func addBytes(x, y uint64) uint64 {
	return (x&^uint64(topBits) + y&^uint64(topBits)) ^ (x^y)&topBits
}

// negateBytes is -x in bytes where negative has a 1, x where it has a 0.
func negateBytes(x, negative uint64) uint64 {
	return addBytes(x^negative*0xff, negative)
}

// finisher is a post-operation as the portable kernels do it.
type finisher struct {
	kind  int
	add   uint64
	pairs *[256]uint16 // two codes of 4 bits at once
	bytes *[256]byte
}

const (
	finishNone = iota
	finishAdd
	finishPairs
	finishBytes
)

func (p Post) finisher() finisher {
	switch {
	case p.none():
		return finisher{}
	case p.Lut != nil:
		pairs := new([256]uint16)
		for i := range pairs {
			pairs[i] = uint16(p.Lut[i&15]) | uint16(p.Lut[i>>4])<<8
		}
		return finisher{kind: finishPairs, pairs: pairs}
	case p.kind() == postAdd:
		return finisher{kind: finishAdd, add: everyByte * uint64(p.Affine.Add)}
	default:
		return finisher{kind: finishBytes, bytes: p.Affine.table()}
	}
}

func (m *Map) table() *[256]byte {
	table := new([256]byte)
	for i := range table {
		table[i] = m.apply(byte(i))
	}
	return table
}

// eight finishes eight codes.
func (x *finisher) eight(w uint64) uint64 {
	switch x.kind {
	case finishAdd:
		return addBytes(w, x.add)
	case finishPairs:
		w |= w >> 4
		p := x.pairs
		return uint64(p[byte(w)]) | uint64(p[byte(w>>16)])<<16 | uint64(p[byte(w>>32)])<<32 | uint64(p[byte(w>>48)])<<48
	case finishBytes:
		t := x.bytes
		return uint64(t[byte(w)]) | uint64(t[byte(w>>8)])<<8 | uint64(t[byte(w>>16)])<<16 | uint64(t[byte(w>>24)])<<24 |
			uint64(t[byte(w>>32)])<<32 | uint64(t[byte(w>>40)])<<40 | uint64(t[byte(w>>48)])<<48 | uint64(t[byte(w>>56)])<<56
	default:
		return w
	}
}

// row finishes a row of codes.
func (x *finisher) row(row []byte) {
	if x.kind == finishNone {
		return
	}
	for len(row) >= 8 {
		binary.LittleEndian.PutUint64(row, x.eight(binary.LittleEndian.Uint64(row)))
		row = row[8:]
	}
	for j, c := range row {
		row[j] = byte(x.eight(uint64(c)))
	}
}

// The kinds of post-operations, as the variants of the loops are ordered.
const (
	postNone = iota
	postAdd
	postLut
	postAffine
)

func (p Post) kind() int {
	switch {
	case p.Lut != nil:
		return postLut
	case p.Affine == nil:
		return postNone
	case p.Affine.Xor == 0 && p.Affine.Shift == 0 && !p.Affine.Neg:
		return postAdd
	default:
		return postAffine
	}
}
