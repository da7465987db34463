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
		rows(dims, offset, func(offset uint64, inner Dim) {
			for range inner.Len {
				setBits(dst, offset, readBits(src, from, size), width)
				from, offset = from+size, offset+inner.Stride
			}
		})
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
