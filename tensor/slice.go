// SPDX-License-Identifier: Apache-2.0

package tensor

import (
	"encoding/binary"
	"fmt"
)

// Native is a Go type that holds the elements of one ONNX type as they are.
type Native interface {
	float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | bool | complex64 | complex128
}

// Code is a type for the bit patterns of a float type that Go lacks.
type Code interface {
	F16 | BF16 | E4M3FN | E4M3FNUZ | E5M2 | E5M2FNUZ | E8M0
}

// The codes of the small floats of 8 and 16 bits. FLOAT4E2M1 has two codes a
// byte: see [Unpack].
type (
	F16      uint16 // FLOAT16
	BF16     uint16 // BFLOAT16
	E4M3FN   uint8  // FLOAT8E4M3FN
	E4M3FNUZ uint8  // FLOAT8E4M3FNUZ
	E5M2     uint8  // FLOAT8E5M2
	E5M2FNUZ uint8  // FLOAT8E5M2FNUZ
	E8M0     uint8  // FLOAT8E8M0
)

// TypeOf returns the element type whose elements T holds.
func TypeOf[T Native | Code]() Type {
	var zero T
	switch any(zero).(type) {
	case float32:
		return Float
	case float64:
		return Double
	case int8:
		return Int8
	case int16:
		return Int16
	case int32:
		return Int32
	case int64:
		return Int64
	case bool:
		return Bool
	case complex64:
		return Complex64
	case complex128:
		return Complex128
	default:
		return typeOfCode(zero)
	}
}

func typeOfCode(zero any) Type {
	switch zero.(type) {
	case uint8:
		return Uint8
	case uint16:
		return Uint16
	case uint32:
		return Uint32
	case uint64:
		return Uint64
	case F16:
		return Float16
	case BF16:
		return BFloat16
	case E4M3FN:
		return Float8E4M3FN
	case E4M3FNUZ:
		return Float8E4M3FNUZ
	case E5M2:
		return Float8E5M2
	case E5M2FNUZ:
		return Float8E5M2FNUZ
	default: // the constraint leaves E8M0
		return Float8E8M0
	}
}

// holds reports whether T's elements can be those of typ.
func holds[T Native | Code](typ Type) bool {
	own := TypeOf[T]()
	if own == typ {
		return true
	}
	word := own == Uint8 || own == Uint16 || own == Uint32 || own == Uint64
	return word && own.Bits() == typ.Bits()
}

// Of returns a tensor of the given values, which it takes over. It is for constants
// and tests: it panics when the count does not match the dimensions.
func Of[T Native](dims []int64, values ...T) *Tensor {
	t, err := FromSlice(TypeOf[T](), dims, values)
	if err != nil {
		panic(err)
	}
	return t
}

// Slice returns the elements of t, one a T: read only, for they alias t's bytes
// where byte order and alignment allow that, and are copied elsewhere. T is the Go
// type of t's element type ([TypeOf]) or, to move elements without a look at their
// meaning, the unsigned integer of the same width (8 to 64 bits). BOOL elements
// other than 0 and 1 are true.
//
// Any other T, also for 4- and 2-bit types ([Unpack]) and STRING, is a mistake of
// the calling code, not of any input: Slice panics.
func Slice[T Native | Code](t *Tensor) []T {
	if !holds[T](t.typ) {
		panic(fmt.Sprintf("tensor: Slice of %v as %v", t.typ, TypeOf[T]()))
	}
	return elements[T](t.data)
}

func elements[T Native | Code](data []byte) []T {
	if TypeOf[T]() != Bool {
		if v, ok := alias[T](data); ok {
			return v
		}
	} else if zeroOrOne(data) {
		return boolsOf[T](data)
	}
	return copyElements[T](data)
}

// copyElements reads data in raw_data's byte order, whatever the host's is.
func copyElements[T Native | Code](data []byte) []T {
	v := make([]T, len(data)/elementSize[T]())
	switch any(v).(type) {
	case []bool:
		to := bytesOf(v)
		for i, b := range data {
			to[i] = min(b, 1)
		}
		return v
	case []complex64:
		readWords32(wordsOf[uint32](v), data)
		return v
	case []complex128:
		readWords64(wordsOf[uint64](v), data)
		return v
	}
	switch elementSize[T]() {
	case 1:
		copy(bytesOf(v), data)
	case 2:
		readWords16(wordsOf[uint16](v), data)
	case 4:
		readWords32(wordsOf[uint32](v), data)
	default:
		readWords64(wordsOf[uint64](v), data)
	}
	return v
}

func readWords16(to []uint16, data []byte) {
	for i := range to {
		to[i] = binary.LittleEndian.Uint16(data[2*i:])
	}
}

func readWords32(to []uint32, data []byte) {
	for i := range to {
		to[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
}

func readWords64(to []uint64, data []byte) {
	for i := range to {
		to[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
}

func zeroOrOne(data []byte) bool {
	var all byte
	for _, b := range data {
		all |= b
	}
	return all <= 1
}

// FromSlice returns a tensor of type typ over v, which it takes over: the caller
// must not change v afterwards. (It is copied where the host's byte order demands it.)
// T and typ must fit as for [Slice]; a wrong number of elements is an error.
func FromSlice[T Native | Code](typ Type, dims []int64, v []T) (*Tensor, error) {
	if !holds[T](typ) {
		return nil, fmt.Errorf("tensor: elements of %v cannot be those of %v", TypeOf[T](), typ)
	}
	data, ok := aliasBytes(v)
	if !ok {
		data = copyBytes(v)
	}
	n, err := Count(dims)
	if err != nil {
		return nil, err
	}
	if int64(len(v)) != n {
		return nil, fmt.Errorf("tensor: %v%s has %d elements, got %d", typ, dimsText(dims), n, len(v))
	}
	return New(typ, dims, data)
}

// copyBytes writes v in raw_data's byte order, whatever the host's is.
func copyBytes[T Native | Code](v []T) []byte {
	data := make([]byte, 0, len(v)*elementSize[T]())
	size := elementSize[T]()
	if TypeOf[T]().IsComplex() {
		size /= 2
	}
	switch size {
	case 1:
		data = append(data, bytesOf(v)...)
	case 2:
		for _, w := range wordsOf[uint16](v) {
			data = binary.LittleEndian.AppendUint16(data, w)
		}
	case 4:
		for _, w := range wordsOf[uint32](v) {
			data = binary.LittleEndian.AppendUint32(data, w)
		}
	default:
		for _, w := range wordsOf[uint64](v) {
			data = binary.LittleEndian.AppendUint64(data, w)
		}
	}
	return data
}
