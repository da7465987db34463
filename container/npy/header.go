// SPDX-License-Identifier: Apache-2.0

package npy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strings"

	"github.com/structview/structview/tensor"
)

const (
	magic = "\x93NUMPY"
	// longest bounds a header: NumPy itself reads no longer ones without being
	// told to, and 64 dimensions need less than 2000 bytes.
	longest = 64 << 10
)

// array is what a header says, and where the elements are.
type array struct {
	element tensor.Type
	shape   []int64
	width   int  // bytes of one element
	word    int  // bytes that a byte order turns round: half a complex number
	big     bool // big-endian
	fortran bool // first dimension fastest

	begin, bytes int64 // the elements' bytes
}

// plain tells whether the elements are as raw_data has them.
func (a *array) plain() bool { return !a.big && !a.fortran }

// readArray reads the header of an array that takes size bytes of r, all of them.
func readArray(r io.Reader, size int64) (*array, error) {
	text, begin, err := readHeader(r, size)
	if err != nil {
		return nil, err
	}
	h, err := parseHeader(text, begin-int64(len(text)))
	if err != nil {
		return nil, err
	}
	a := &array{shape: h.shape, fortran: h.fortran, begin: begin, bytes: size - begin}
	if err := a.dtype(h.descr); err != nil {
		return nil, fmt.Errorf("byte %d: %w", h.descrAt, err)
	}
	n, err := tensor.Count(h.shape)
	if err != nil {
		return nil, fmt.Errorf("byte %d: %w", h.shapeAt, err)
	}
	hi, lo := bits.Mul64(uint64(n), uint64(a.width))
	if hi != 0 || lo > math.MaxInt64 {
		return nil, fmt.Errorf("byte %d: more than 2^63 bytes expected for %d elements %s of shape %v, %d found", begin, n, h.descr, h.shape, a.bytes)
	}
	if int64(lo) != a.bytes {
		return nil, fmt.Errorf("byte %d: %d bytes expected for %d elements %s of shape %v, %d found", begin, lo, n, h.descr, h.shape, a.bytes)
	}
	if len(h.shape) < 2 || n == 0 {
		a.fortran = false // both orders are one
	}
	return a, nil
}

// readHeader returns the header's text and the offset behind it.
func readHeader(r io.Reader, size int64) ([]byte, int64, error) {
	var fixed [12]byte
	if _, err := io.ReadFull(r, fixed[:8]); err != nil || string(fixed[:6]) != magic {
		return nil, 0, fmt.Errorf("byte 0: the magic number %q expected, % x found", magic, fixed[:6])
	}
	begin := int64(10)
	switch major := fixed[6]; major {
	case 1:
	case 2, 3:
		begin = 12
	default:
		return nil, 0, fmt.Errorf("byte 6: version 1, 2 or 3 expected, %d found", major)
	}
	if _, err := io.ReadFull(r, fixed[8:begin]); err != nil {
		return nil, 0, fmt.Errorf("byte 8: a header length expected: %w", err)
	}
	length := int64(binary.LittleEndian.Uint32(fixed[8:]))
	if begin == 10 {
		length = int64(binary.LittleEndian.Uint16(fixed[8:]))
	}
	if length > size-begin || length > longest {
		return nil, 0, fmt.Errorf("byte 8: a header of at most %d bytes expected, %d found", min(size-begin, longest), length)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, 0, fmt.Errorf("byte %d: a header of %d bytes expected: %w", begin, length, err)
	}
	return text, begin + length, nil
}

// elements are the dtypes that ONNX has too, by kind and size.
var elements = map[string]tensor.Type{
	"b1": tensor.Bool,
	"i1": tensor.Int8, "i2": tensor.Int16, "i4": tensor.Int32, "i8": tensor.Int64,
	"u1": tensor.Uint8, "u2": tensor.Uint16, "u4": tensor.Uint32, "u8": tensor.Uint64,
	"f2": tensor.Float16, "f4": tensor.Float, "f8": tensor.Double,
	"c8": tensor.Complex64, "c16": tensor.Complex128,
}

// dtype reads a type such as "<f4".
func (a *array) dtype(descr string) error {
	if strings.Contains(descr, "O") {
		return fmt.Errorf("an array of numbers expected, an array of Python objects (%q) found", descr)
	}
	order, kind := "", descr
	if strings.IndexAny(descr, "<>|=") == 0 {
		order, kind = descr[:1], descr[1:]
	}
	element, ok := elements[kind]
	if !ok {
		return fmt.Errorf("a dtype that ONNX has expected, %q found", descr)
	}
	a.element, a.width = element, int(element.Bits()/8)
	a.word = a.width
	if element.IsComplex() {
		a.word /= 2
	}
	if a.word > 1 && order != "<" && order != ">" {
		return fmt.Errorf("a byte order (< or >) expected, %q found", descr)
	}
	a.big = order == ">" && a.word > 1
	return nil
}

// swapped turns round every word of size bytes, in new memory.
func swapped(data []byte, size int) []byte {
	out := make([]byte, len(data))
	for at := 0; at+size <= len(data); at += size {
		for i := range size {
			out[at+i] = data[at+size-1-i]
		}
	}
	return out
}

// transposed brings elements of width bytes from Fortran's order into C's: it
// goes through C's order, counting up an index, and follows it in the source.
func transposed(shape []int64, width int, data []byte) []byte {
	strides := make([]int64, len(shape)) // in bytes, of the source
	stride := int64(width)
	for i, n := range shape {
		strides[i] = stride
		stride *= n
	}
	out := make([]byte, 0, len(data))
	index := make([]int64, len(shape))
	from := int64(0)
	for len(out) < len(data) {
		out = append(out, data[from:from+int64(width)]...)
		for i := len(shape) - 1; i >= 0; i-- {
			index[i]++
			from += strides[i]
			if index[i] < shape[i] {
				break
			}
			from -= index[i] * strides[i]
			index[i] = 0
		}
	}
	return out
}

// isZip tells a zip archive, an empty one too.
func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}
