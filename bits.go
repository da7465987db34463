// SPDX-License-Identifier: Apache-2.0

package structview

import "encoding/binary"

// A payload is one little-endian integer: bit k is bit k%8 of byte k/8. The functions
// here rely on their callers: every bit that they are asked for lies within data.

// readBits returns the width (1 to 64) bits at a bit offset.
func readBits(data []byte, offset, width uint64) uint64 {
	i, shift := offset/8, offset%8
	if i+9 <= uint64(len(data)) {
		b := data[i : i+9]
		x := binary.LittleEndian.Uint64(b) >> shift
		if shift+width > 64 {
			x |= uint64(b[8]) << (64 - shift)
		}
		return x & mask(width)
	}
	return readTail(data[i:], shift, width)
}

// readTail reads near the end of a payload, byte by byte.
func readTail(data []byte, shift, width uint64) uint64 {
	var x uint64
	for k := uint64(0); k*8 < shift+width; k++ {
		if at := k * 8; at >= shift {
			x |= uint64(data[k]) << (at - shift)
		} else {
			x |= uint64(data[k]) >> (shift - at)
		}
	}
	return x & mask(width)
}

// mask returns width (1 to 64) ones.
func mask(width uint64) uint64 { return ^uint64(0) >> (64 - width) }

// copyBits writes the bits from, from+1, … of src over bits to, to+1, … of dst, and
// leaves all others as they are.
func copyBits(dst []byte, to uint64, src []byte, from, n uint64) {
	if to%8 == 0 && from%8 == 0 {
		whole := n / 8
		copy(dst[to/8:to/8+whole], src[from/8:from/8+whole])
		to, from, n = to+8*whole, from+8*whole, n%8
	}
	for ; to%8 == 0 && n >= 64; n -= 64 {
		binary.LittleEndian.PutUint64(dst[to/8:], readBits(src, from, 64))
		to, from = to+64, from+64
	}
	for n > 0 {
		w := min(n, 57) // with a shift of up to 7 in one word of dst
		putBits(dst, to, readBits(src, from, w), w)
		to, from, n = to+w, from+w, n-w
	}
}

// putBits replaces the width (1 to 57) bits at a bit offset.
func putBits(dst []byte, offset, x, width uint64) {
	i, shift := offset/8, offset%8
	x, keep := x<<shift, ^(mask(width) << shift)
	if i+8 <= uint64(len(dst)) {
		b := dst[i : i+8]
		binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)&keep|x)
		return
	}
	for k := uint64(0); k*8 < shift+width; k++ {
		dst[i+k] = dst[i+k]&byte(keep>>(8*k)) | byte(x>>(8*k))
	}
}

// setBits replaces the width (1 to 64) bits at a bit offset.
func setBits(dst []byte, offset, x, width uint64) {
	const half = 32
	if width > half {
		putBits(dst, offset, x&mask(half), half)
		x, offset, width = x>>half, offset+half, width-half
	}
	putBits(dst, offset, x, width)
}
