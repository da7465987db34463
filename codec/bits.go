// SPDX-License-Identifier: Apache-2.0

package codec

import "encoding/binary"

// A payload is one little-endian integer: bit k is bit k%8 of byte k/8. The
// functions here write into bytes that are still zero, so a write is an OR; a
// layout covers every bit at most once, which makes that exact.

// orBits puts the low width bits of v (width <= 64, higher bits of v zero) at
// bit offset off of dst.
func orBits(dst []byte, off uint64, width uint32, v uint64) {
	at, shift := off/8, uint(off%8)
	for got := uint32(0); got < width; at++ {
		dst[at] |= byte(v << shift)
		step := 8 - shift
		v >>= step
		got += uint32(step)
		shift = 0
	}
}

// readBits is the integer of width bits (width <= 64) at bit offset off of src.
func readBits(src []byte, off uint64, width uint32) uint64 {
	at, shift := off/8, uint(off%8)
	var v uint64
	for got := uint32(0); got < width; at++ {
		v |= uint64(src[at]>>shift) << got
		got += uint32(8 - shift)
		shift = 0
	}
	if width < 64 {
		v &= 1<<width - 1
	}
	return v
}

// orRun copies n bits from bit offset from of src to bit offset to of dst.
func orRun(dst []byte, to uint64, src []byte, from, n uint64) {
	if to%8 == 0 && from%8 == 0 {
		whole := n / 8
		copy(dst[to/8:to/8+whole], src[from/8:from/8+whole])
		to, from, n = to+whole*8, from+whole*8, n%8
	}
	for ; n >= 56; n -= 56 {
		orBits(dst, to, 56, readBits(src, from, 56))
		to, from = to+56, from+56
	}
	if n > 0 {
		orBits(dst, to, uint32(n), readBits(src, from, uint32(n)))
	}
}

// littleEndian is the unsigned integer of 1, 2, 4 or 8 bytes at index i of b.
func littleEndian(b []byte, i int, size int) uint64 {
	switch b = b[i*size:]; size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	default:
		return binary.LittleEndian.Uint64(b)
	}
}
