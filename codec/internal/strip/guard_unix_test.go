// SPDX-License-Identifier: Apache-2.0

//go:build unix && amd64 && !purego

package strip

import (
	"testing"

	"golang.org/x/sys/unix"
)

// guards are bytes between two pages that may not be touched.
type guards struct{ memory []byte }

func newGuards(tb testing.TB, n int) guards {
	tb.Helper()
	page := unix.Getpagesize()
	size := (n + page - 1) / page * page
	memory, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		tb.Skip(err)
	}
	tb.Cleanup(func() { _ = unix.Munmap(memory) })
	for _, from := range []int{0, page + size} {
		if err := unix.Mprotect(memory[from:from+page], unix.PROT_NONE); err != nil {
			tb.Skip(err)
		}
	}
	return guards{memory[page : page+size]}
}

// end returns the last n bytes before the guard, begin the first behind the other.
func (g guards) end(n int) []byte   { return g.memory[len(g.memory)-n:] }
func (g guards) begin(n int) []byte { return g.memory[:n] }
