// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import (
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// guarded returns n bytes that end where a page begins that may not be touched.
func guarded(tb testing.TB, n int) []byte {
	tb.Helper()
	page := unix.Getpagesize()
	size := (n + page - 1) / page * page
	memory, err := unix.Mmap(-1, 0, size+page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		tb.Skip(err)
	}
	tb.Cleanup(func() { _ = unix.Munmap(memory) })
	if err := unix.Mprotect(memory[size:], unix.PROT_NONE); err != nil {
		tb.Skip(err)
	}
	return memory[size-n : size : size]
}

// guardedFloats is guarded for floats.
func guardedFloats(tb testing.TB, n int) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(guarded(tb, 4*n)))), n)
}
