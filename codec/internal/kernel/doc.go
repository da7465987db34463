// SPDX-License-Identifier: Apache-2.0

// Package kernel holds the loops that decoding is made of. A kernel works on a
// tile: n consecutive blocks of a payload, each of the same stride in bytes and
// the same number of lanes. It reads payload bytes or the buffers that earlier
// kernels of the program wrote, and writes a buffer or the output.
//
// The types of this package are the table that the planner matches against: a
// plan cannot express what no kernel does. Each kernel's comment and its plain loop,
// lane by lane, are its specification: the loop is the referee of every faster one. Where
// there is no vector code, the portable loops beside it run (fast, by units and words), or the
// plain loop itself.
//
// # Buffers
//
// A code buffer has one byte (or for wide indices 16 bits) a lane; a float buffer
// has one float32 a lane. Block b of a buffer begins at element b*pitch, where
// pitch is the number of lanes rounded up to a multiple of 8. Elements between the
// lanes and the pitch may hold anything.
//
// # Arithmetic
//
// Codes are integers modulo 256 (65,536 for 16-bit codes): a kernel never widens
// and never saturates. Floats are float32, one rounding an operation, never
// contracted, no flush of denormals. Bytes are read as the payload has them:
// multi-byte fields are little-endian.
//
// # Over-read
//
// A kernel may read bytes of the payload behind the fields it needs: Over says how
// many bytes past the end of a block. The program's caller sees to it that they
// exist.
//
// # Vector code
//
// On amd64 with AVX2, F16C and BMI2, and on arm64, both without the build tag purego,
// ops run as assembly. A frame makes its program ready once: descriptors for the whole
// tile, and one call for each op or for several that belong together. Assembly is not
// preempted: a call does one tile.
package kernel

//go:generate go run asm/emit.go asm/epilogue.go asm/sources.go asm/unpack.go asm/windows.go asm/small.go asm/bytes.go asm/floats.go asm/rows.go asm/lanes.go asm/store.go asm/words.go asm/dwords.go asm/distant.go asm/narrow.go asm/neon.go asm/neon_unpack.go asm/neon_epilogue.go asm/neon_groups.go asm/neon_bytes.go asm/neon_single.go asm/place.go asm/series.go asm/mixed.go asm/steps.go asm/scaled.go asm/flat.go asm/planes.go asm/tables.go
