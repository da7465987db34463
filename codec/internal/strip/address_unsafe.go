// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !purego

package strip

import "unsafe"

// address is where a slice's elements begin, as assembly wants it. The pointer keeps
// the elements alive; nothing in Go reads through it, so that the type of what it
// points at does not matter.
func address[T any](s []T) *byte { return (*byte)(unsafe.Pointer(unsafe.SliceData(s))) }

// aligned allocates words from the beginning of a cache line on. Only the number of the
// address is used, and what the heap holds stays where it is.
func aligned(n int) []uint32 {
	s := make([]uint32, n+15)
	skip := -(uintptr(unsafe.Pointer(unsafe.SliceData(s))) / 4) % 16
	return s[skip:][:n]
}
