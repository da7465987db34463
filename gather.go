// SPDX-License-Identifier: Apache-2.0

package structview

import "encoding/binary"

// collapse merges dimensions that lie as one: those of one element vanish, and an
// outer dimension whose stride is the whole extent of the next inner one joins it.
func collapse(dims []Dim) []Dim {
	if len(dims) == 1 && dims[0].Len != 1 {
		return dims
	}
	merged := make([]Dim, 0, len(dims))
	for _, d := range dims {
		n := len(merged)
		switch {
		case d.Len == 1:
		case n > 0 && merged[n-1].Stride == d.Len*d.Stride:
			merged[n-1] = Dim{merged[n-1].Len * d.Len, d.Stride}
		default:
			merged = append(merged, d)
		}
	}
	return merged
}

// contiguous takes the innermost dimension off if its elements touch, and returns the
// bits of the run that they make.
func contiguous(dims []Dim, width uint64) (outer []Dim, run uint64) {
	if n := len(dims); n > 0 && dims[n-1].Stride == width {
		return dims[:n-1], dims[n-1].Len * width
	}
	return dims, width
}

// rows calls fn for each combination of the outer dimensions, in row-major order, with
// the offset of the innermost one.
func rows(dims []Dim, offset uint64, fn func(offset uint64, inner Dim)) {
	switch len(dims) {
	case 0:
		fn(offset, Dim{1, 0})
	case 1:
		fn(offset, dims[0])
	default:
		for range dims[0].Len {
			rows(dims[1:], offset, fn)
			offset += dims[0].Stride
		}
	}
}

// planes is rows with the two innermost dimensions left to fn.
func planes(dims []Dim, offset uint64, fn func(offset uint64, outer, inner Dim)) {
	last := max(0, len(dims)-1)
	inner := Dim{1, 0}
	if len(dims) > 0 {
		inner = dims[last]
	}
	rows(dims[:last], offset, func(offset uint64, outer Dim) { fn(offset, outer, inner) })
}

// gather copies elements of the given width from src, where they lie by offset and
// dims, into dst without gaps. No dimension is 0.
func gather(dst, src []byte, offset uint64, dims []Dim, width uint64) {
	dims, run := contiguous(collapse(dims), width)
	if offset%8 == 0 && run%8 == 0 && wholeBytes(dims) {
		rows(dims, offset, func(offset uint64, inner Dim) {
			dst = gatherBytes(dst, src[offset/8:], inner.Len, inner.Stride/8, run/8)
		})
		return
	}
	var to uint64
	rows(dims, offset, func(offset uint64, inner Dim) {
		for range inner.Len {
			copyBits(dst, to, src, offset, run)
			to, offset = to+run, offset+inner.Stride
		}
	})
}

func wholeBytes(dims []Dim) bool {
	for _, d := range dims {
		if d.Stride%8 != 0 {
			return false
		}
	}
	return true
}

// gatherBytes copies n runs of a number of bytes that lie stride bytes apart, and
// returns what is left of dst.
func gatherBytes(dst, src []byte, n, stride, run uint64) []byte {
	to := dst[:n*run]
	switch run {
	case 1:
		for i := range to {
			to[i] = src[uint64(i)*stride]
		}
	case 2:
		for i := uint64(0); i < n; i++ {
			s := src[i*stride:]
			binary.LittleEndian.PutUint16(to[i*2:], binary.LittleEndian.Uint16(s))
		}
	case 4:
		for i := uint64(0); i < n; i++ {
			s := src[i*stride:]
			binary.LittleEndian.PutUint32(to[i*4:], binary.LittleEndian.Uint32(s))
		}
	case 8:
		for i := uint64(0); i < n; i++ {
			s := src[i*stride:]
			binary.LittleEndian.PutUint64(to[i*8:], binary.LittleEndian.Uint64(s))
		}
	default:
		for i := uint64(0); i < n; i++ {
			copy(to[i*run:(i+1)*run], src[i*stride:])
		}
	}
	return dst[n*run:]
}

// widen copies elements of up to 64 bits into dst, each into size bytes of its own.
// No dimension is 0.
func widen(dst, src []byte, offset uint64, dims []Dim, width, size uint64) {
	planes(collapse(dims), offset, func(offset uint64, outer, inner Dim) {
		n := inner.Len * size
		if size == 1 && inner.Stride == 8 && outer.Stride%8 == 0 && offset%8+width <= 8 {
			unpackPlane(dst, src[offset/8:], outer, inner.Len, offset%8, width)
			dst = dst[outer.Len*n:]
			return
		}
		for range outer.Len {
			if size == 1 {
				widenBytes(dst[:n], src, offset, inner.Stride, width)
			} else {
				widenWords(dst[:n], src, offset, inner.Stride, width, size)
			}
			dst, offset = dst[n:], offset+outer.Stride
		}
	})
}

func widenWords(dst, src []byte, offset, stride, width, size uint64) {
	for len(dst) > 0 {
		putWord(dst[:size], readBits(src, offset, width))
		dst, offset = dst[size:], offset+stride
	}
}

// widenBytes unpacks elements of up to 8 bits.
func widenBytes(dst, src []byte, offset, stride, width uint64) {
	i, shift, mask := offset/8, offset%8, byte(mask(width))
	switch {
	case stride%8 == 0 && shift+width <= 8:
		for k := range dst {
			dst[k] = src[i+uint64(k)*(stride/8)] >> shift & mask
		}
	case stride == 4 && width == 4 && shift == 0:
		for k := range dst {
			dst[k] = src[i+uint64(k)/2] >> (k % 2 * 4) & 15
		}
	default:
		for k := range dst {
			dst[k] = byte(readBits(src, offset+uint64(k)*stride, width))
		}
	}
}

// unpackPlane takes the same bits out of every byte of rows of n bytes, eight bytes at a
// time.
func unpackPlane(dst, src []byte, rows Dim, n, shift, width uint64) {
	every := mask(width) * 0x0101010101010101
	for i := range rows.Len {
		from, to := src[i*(rows.Stride/8):][:n], dst[i*n:][:n]
		for len(from) >= 8 && len(to) >= 8 {
			binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(from)>>shift&every)
			from, to = from[8:], to[8:]
		}
		for k, b := range from {
			to[k] = b >> shift & byte(every)
		}
	}
}

// putWord writes x into 1, 2, 4 or 8 bytes.
func putWord(dst []byte, x uint64) {
	switch len(dst) {
	case 1:
		dst[0] = byte(x)
	case 2:
		binary.LittleEndian.PutUint16(dst, uint16(x))
	case 4:
		binary.LittleEndian.PutUint32(dst, uint32(x))
	default:
		binary.LittleEndian.PutUint64(dst, x)
	}
}
