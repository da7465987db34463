// SPDX-License-Identifier: Apache-2.0

package strip

import "math"

// The types of strips: what words that are NaN for one may differ in.
type kind byte

const (
	isInt kind = iota
	isFloat
	isHalf
	isBrain
	isDouble  // half a tile
	isNothing // the bytes behind a block are anything
)

// special are the words where operations differ.
var special = specials()

func specials() []uint32 {
	list := []uint32{
		0, 1 << 31, 1, 1<<31 | 1, 0x7fffff, 0x800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
		0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fffffff, 0xffffffff, 2, 7, 31, 32, 33, 255, 0x477fefff, 0x477ff000, 0x477ff001,
		0x33000000, 0x33000001, 0x387fffff, 0x38800000, 0x7e00, 0x7c00, 0x7c01, 0xfc00, 0x3ff, 0x7f7f8000, 0x3f808000, 0x3f818000,
	}
	for _, x := range []float32{0.5, 1, 1.5, 2.5, 3.5, 127.5, 8388607.5, 1 << 23, 1 << 24, 1 << 31, 1 << 32, 3 << 33, 1 << 54, 1 << 55, 1 << 62, 1 << 63, 1 << 64} {
		w := math.Float32bits(x)
		for _, near := range []uint32{w - 1, w, w + 1} {
			list = append(list, near, near|1<<31)
		}
	}
	return list
}

func isNaN(w uint32, k kind) bool {
	switch k {
	case isFloat:
		return w&0x7fffffff > 0x7f800000
	case isHalf:
		return w < 1<<16 && w&0x7fff > 0x7c00
	case isBrain:
		return w < 1<<16 && w&0x7fff > 0x7f80
	}
	return false
}
