// SPDX-License-Identifier: Apache-2.0

package tensor

import (
	"encoding/binary"
	"unsafe"
)

// hostIsLittle reports whether this machine stores numbers as raw_data does.
var hostIsLittle = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// alias returns data as elements without a copy, if the host's byte order and the
// alignment of data allow that. T is not bool.
//
// The conversion is sound: every bit pattern is a valid T, len(data) is a multiple
// of T's size, the address is a multiple of T's alignment, and the slice keeps the
// same allocation alive.
func alias[T Native | Code](data []byte) ([]T, bool) {
	if len(data) == 0 {
		return nil, true
	}
	var zero T
	address := unsafe.Pointer(unsafe.SliceData(data))
	if !hostIsLittle || uintptr(address)%unsafe.Alignof(zero) != 0 {
		return nil, false
	}
	return unsafe.Slice((*T)(address), uintptr(len(data))/unsafe.Sizeof(zero)), true
}

// aliasBytes is the inverse of alias; it allows bool, whose bytes are 0 and 1. The
// bytes of any element may be read, and a byte has no alignment.
func aliasBytes[T Native | Code](v []T) ([]byte, bool) {
	if !hostIsLittle {
		return nil, false
	}
	return bytesOf(v), true
}

// bytesOf returns the memory of v in the host's byte order.
func bytesOf[T Native | Code](v []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), uintptr(len(v))*unsafe.Sizeof(zero))
}

// wordsOf returns the memory of v as unsigned words, one or (complex types) two an
// element. It is sound where W's alignment is at most T's and W's size divides T's,
// which holds for the integer of T's size, or of half of it for complex types.
func wordsOf[W uint8 | uint16 | uint32 | uint64, T Native | Code](v []T) []W {
	var zero T
	var word W
	n := uintptr(len(v)) * (unsafe.Sizeof(zero) / unsafe.Sizeof(word))
	return unsafe.Slice((*W)(unsafe.Pointer(unsafe.SliceData(v))), n)
}

// boolsOf returns data as bools without a copy. T is bool, and every byte is 0 or 1,
// as Go demands of a bool; its size and alignment are those of a byte.
func boolsOf[T Native | Code](data []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data))
}

// elementSize returns the bytes of one T.
func elementSize[T Native | Code]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}
