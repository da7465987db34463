// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"encoding/binary"
	"unsafe"
)

// load reads one element in the payload's byte order. data has at least its bytes.
//
// Proof: each conversion reads the memory of a local variable of exactly T's size (the
// case), through a pointer to it that is aligned for every type of that size; T is an
// integer or float (Fixed), for which every bit pattern is a value. The bits were put
// into the variable as a number, so the host's byte order does not matter.
func load[T Fixed](data []byte) T {
	var zero T
	switch unsafe.Sizeof(zero) {
	case 1:
		w := data[0]
		return *(*T)(unsafe.Pointer(&w))
	case 2:
		w := binary.LittleEndian.Uint16(data)
		return *(*T)(unsafe.Pointer(&w))
	case 4:
		w := binary.LittleEndian.Uint32(data)
		return *(*T)(unsafe.Pointer(&w))
	default:
		w := binary.LittleEndian.Uint64(data)
		return *(*T)(unsafe.Pointer(&w))
	}
}

// aliasElements returns data as elements, if the host stores numbers as the payload
// does and data is aligned for T. len(data) is a multiple of T's size, and not 0.
//
// Proof: the slice covers data's own bytes, len(data)/size elements of size bytes; the
// pointer into data keeps them alive; alignment is checked; every bit pattern is a T.
func aliasElements[T Fixed](data []byte) ([]T, bool) {
	var zero T
	size := unsafe.Sizeof(zero)
	first := unsafe.Pointer(unsafe.SliceData(data))
	if size > 1 && !littleEndian() || uintptr(first)%unsafe.Alignof(zero) != 0 {
		return nil, false
	}
	return unsafe.Slice((*T)(first), len(data)/int(size)), true
}

// littleEndian reports the host's byte order, by a number whose bytes differ.
func littleEndian() bool {
	return binary.NativeEndian.Uint16([]byte{1, 0}) == 1
}
