// SPDX-License-Identifier: Apache-2.0

package structview

import "unsafe"

// address is where a Go value lies that numbers move to and from. All places in it
// come from reflect: the offset of a field of the value's own type, and multiples of an
// array's element size below its length, so that size bytes at a place are within the
// value and are one number of that size (or, for bytes, a row of numbers without gaps).
// Such memory holds no pointers.
type address struct{ first unsafe.Pointer }

// addressOf returns the address of a value, which it keeps alive.
func addressOf[T any](value *T) address { return address{unsafe.Pointer(value)} }

// store writes a number of 1, 2, 4 or 8 bytes.
//
// Proof: the place is a number of that size in the value (see address), aligned as Go aligns
// it; every bit pattern is a value of integers and floats, and for a bool x is 0 or 1.
// On machines that align 8-byte numbers to 4 bytes, Go reads and writes them as two.
func (a address) store(at, size uintptr, x uint64) {
	p := unsafe.Add(a.first, at)
	switch size {
	case 1:
		*(*uint8)(p) = uint8(x)
	case 2:
		*(*uint16)(p) = uint16(x)
	case 4:
		*(*uint32)(p) = uint32(x)
	default:
		*(*uint64)(p) = x
	}
}

// load reads a number of 1, 2, 4 or 8 bytes. Proof: as store.
func (a address) load(at, size uintptr) uint64 {
	p := unsafe.Add(a.first, at)
	switch size {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	default:
		return *(*uint64)(p)
	}
}

// bytes returns the bytes of a row of numbers, for a copy on machines whose byte order is
// the payload's. Proof: the row is within the value (see address); copied are only
// integers and floats, of which every bit pattern is a value.
func (a address) bytes(at, n uintptr) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(a.first, at)), n)
}

// aliasValues returns data as n values of T, or else the alignment that it lacks.
//
// Proof: the caller has checked that T has integers and floats only, and n*Sizeof(T) ==
// len(data), so that the slice covers data's own bytes; the pointer into data keeps
// them alive; alignment is checked here; every bit pattern is a T. A T without bytes
// has no memory to share.
func aliasValues[T any](data []byte, n uint64) ([]T, uintptr) {
	if len(data) == 0 {
		return make([]T, n), 0 // n is 1, see GoType.elements
	}
	var zero T
	first := unsafe.Pointer(unsafe.SliceData(data))
	if align := unsafe.Alignof(zero); uintptr(first)%align != 0 {
		return nil, align
	}
	return unsafe.Slice((*T)(first), n), 0
}
