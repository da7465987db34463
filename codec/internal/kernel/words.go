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
	return addBytes(x^(negative<<8-negative), negative)
}

// wordPost is a post-operation on eight codes at once.
type wordPost struct {
	any       bool
	pairs     *[256]uint16 // two codes of 4 bits at once; nil: an affine map
	xor, keep uint64
	shift     uint
	flip, add uint64
}

func (p Post) words() wordPost {
	switch {
	case p.Lut != nil:
		pairs := new([256]uint16)
		for i := range pairs {
			pairs[i] = uint16(p.Lut[i&15]) | uint16(p.Lut[i>>4])<<8
		}
		return wordPost{any: true, pairs: pairs}
	case p.Affine == nil:
		return wordPost{}
	}
	m := p.Affine
	w := wordPost{
		any: true, xor: everyByte * uint64(m.Xor), shift: uint(m.Shift), keep: everyByte * uint64(byte(0xff<<m.Shift)),
		add: everyByte * uint64(m.Add),
	}
	if m.Neg { // -x is ^x + 1
		w.flip, w.add = ^uint64(0), everyByte*uint64(m.Add+1)
	}
	return w
}

// row finishes whole words of codes.
func (p *wordPost) row(codes []byte) {
	switch {
	case !p.any:
	case p.pairs != nil:
		for at := 0; at < len(codes); at += 8 {
			eight := codes[at : at+8 : at+8]
			binary.LittleEndian.PutUint64(eight, lookPairs(p.pairs, binary.LittleEndian.Uint64(eight)))
		}
	default:
		xor, keep, flip, add, shift := p.xor, p.keep, p.flip, p.add, p.shift&63
		for at := 0; at < len(codes); at += 8 {
			eight := codes[at : at+8 : at+8]
			x := binary.LittleEndian.Uint64(eight)
			binary.LittleEndian.PutUint64(eight, addBytes((x^xor)<<shift&keep^flip, add))
		}
	}
}

// lookPairs looks up eight codes of 4 bits, two at once.
func lookPairs(t *[256]uint16, x uint64) uint64 {
	x |= x >> 4
	return uint64(t[byte(x)]) | uint64(t[byte(x>>16)])<<16 | uint64(t[byte(x>>32)])<<32 | uint64(t[byte(x>>48)])<<48
}
