// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package kernel

import "unsafe"

// address is where a slice's elements begin, as assembly wants it. The pointer keeps
// the elements alive; nothing in Go reads through it, so that the type of what it
// points at does not matter.
func address[T any](s []T) *byte { return (*byte)(unsafe.Pointer(unsafe.SliceData(s))) }

// aligned reports whether whole vectors may be stored past the caches from the first
// element on. Only the number of the address is used.
func aligned(out []float32) bool { return uintptr(unsafe.Pointer(unsafe.SliceData(out)))%32 == 0 }

// alignedBytes is aligned for elements of other types.
func alignedBytes(out []byte) bool { return uintptr(unsafe.Pointer(unsafe.SliceData(out)))%32 == 0 }

// advance is p moved on by some bytes. The result lies in the same memory, or is not read.
func advance(p *byte, bytes int) *byte { return (*byte)(unsafe.Add(unsafe.Pointer(p), bytes)) }

// sizeOf is the size of a type in bytes.
func sizeOf[T any]() int {
	var x T
	return int(unsafe.Sizeof(x))
}
