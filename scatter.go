// SPDX-License-Identifier: Apache-2.0

package structview

import "encoding/binary"

// scatter is the inverse of gather and widen: it copies elements that lie in src without
// gaps, each in size bits, to dst, where they have width bits and lie by offset and dims.
// Bits between them stay as they are. No dimension is 0, and every element fits.
func scatter(dst []byte, offset uint64, dims []Dim, width uint64, src []byte, size uint64) {
	dims = collapse(dims)
	var from uint64
	if size != width {
		narrow(dst, offset, dims, width, src, size)
		return
	}
	dims, run := contiguous(dims, width)
	whole := offset%8 == 0 && run%8 == 0 && wholeBytes(dims)
	rows(dims, offset, func(offset uint64, inner Dim) {
		if whole {
			src = scatterBytes(dst[offset/8:], src, inner.Len, inner.Stride/8, run/8)
			return
		}
		for range inner.Len {
			copyBits(dst, offset, src, from, run)
			from, offset = from+run, offset+inner.Stride
		}
	})
}

// narrow is scatter of elements that have fewer bits in dst.
func narrow(dst []byte, offset uint64, dims []Dim, width uint64, src []byte, size uint64) {
	planes(dims, offset, func(offset uint64, outer, inner Dim) {
		n := inner.Len * size / 8
		if size == 8 && inner.Stride == 8 && outer.Stride%8 == 0 && offset%8+width <= 8 {
			packPlane(dst[offset/8:], src, outer, n, offset%8, width)
			src = src[outer.Len*n:]
			return
		}
		for range outer.Len {
			at, from := offset, uint64(0)
			for range inner.Len {
				setBits(dst, at, readBits(src, from, size), width)
				from, at = from+size, at+inner.Stride
			}
			src, offset = src[n:], offset+outer.Stride
		}
	})
}

// scatterBytes copies n runs of a number of bytes to where they lie stride bytes
// apart, and returns what is left of src.
func scatterBytes(dst, src []byte, n, stride, run uint64) []byte {
	from := src[:n*run]
	switch run {
	case 2:
		for i := range n {
			binary.LittleEndian.PutUint16(dst[i*stride:], binary.LittleEndian.Uint16(from[i*2:]))
		}
	case 4:
		for i := range n {
			binary.LittleEndian.PutUint32(dst[i*stride:], binary.LittleEndian.Uint32(from[i*4:]))
		}
	default:
		for i := range n {
			copy(dst[i*stride:], from[i*run:(i+1)*run])
		}
	}
	return src[n*run:]
}

// zeroBits makes n bits 0.
func zeroBits(dst []byte, offset, n uint64) {
	if head := min(n, -offset%8); head > 0 {
		putBits(dst, offset, 0, head)
		offset, n = offset+head, n-head
	}
	clear(dst[offset/8 : (offset+n)/8])
	if tail := n % 8; tail > 0 {
		putBits(dst, offset+n-tail, 0, tail)
	}
}

// packPlane is the inverse of unpackPlane: it puts values of width bits into the same bits
// of every byte of rows of n bytes, eight bytes at a time.
func packPlane(dst, src []byte, rows Dim, n, shift, width uint64) {
	keep := ^(mask(width) << shift * everyByte)
	for i := range rows.Len {
		to, from := dst[i*rows.Stride/8:][:n], src[i*n:][:n]
		for len(from) >= 8 && len(to) >= 8 {
			binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(to)&keep|binary.LittleEndian.Uint64(from)<<shift)
			from, to = from[8:], to[8:]
		}
		for k, b := range from {
			to[k] = to[k]&byte(keep) | b<<shift
		}
	}
}

// everyByte has a 1 in each byte.
const everyByte = 0x0101010101010101

// fits reports whether all values of size (8 to 64, a power of 2) bits have no other bits
// than those of the mask.
func fits(data []byte, size, mask uint64) bool {
	bad, all := ^mask, uint64(0)
	for ; size < 64; size *= 2 {
		bad = bad << (64 - size) >> (64 - size) * (1 | 1<<size)
	}
	for ; len(data) >= 8; data = data[8:] {
		all |= binary.LittleEndian.Uint64(data)
	}
	for i, b := range data { // the rest begins at a whole value
		all |= uint64(b) << (8 * i)
	}
	return all&bad == 0
}
