// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package stores

import "golang.org/x/sys/cpu"

// cached and past write n times 64 elements; past wants them at a multiple of 32 bytes.
//
//go:noescape
func cached(first *float32, n int)

//go:noescape
func past(first *float32, n int)

const unit = 64

// Cached writes every element through the caches.
func Cached(dst []float32) { with(cached, dst) }

// Past writes every element past the caches. The first lies at a multiple of 32 bytes.
func Past(dst []float32) { with(past, dst) }

func with(loop func(*float32, int), dst []float32) {
	n := len(dst) / unit
	if n == 0 || !cpu.X86.HasAVX2 {
		fill(dst)
		return
	}
	// As decoders do it: in pieces of some microseconds, which can be interrupted between.
	for from, each := 0, 1<<8; from < n; from += each {
		loop(&dst[from*unit], min(each, n-from))
	}
	fill(dst[n*unit:])
}
