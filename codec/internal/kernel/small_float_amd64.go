// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import (
	"math"
	"math/bits"
)

// smallFloat is how a table's floats are halves whose bits are those of the code: a code moved up
// and then down, keeping its sign, and some bits kept, times a unit. Halves of which the tested bits
// have a special value are NaN.
type smallFloat struct {
	up, down      [2]uint64
	test, special [8]uint16
	keep          uint16
	unit          float32
}

// smallFloats finds that form; it is false for tables of other floats. Every code is tried.
func smallFloats(table []float32) (smallFloat, bool) {
	width := bits.Len(uint(len(table))) - 1
	if len(table) != 1<<width || width < 3 || width > 8 {
		return smallFloat{}, false
	}
	for _, sign := range []int{1, 0} {
		for at := 15 - (width - sign); at >= 0; at-- {
			s := smallFloat{up: [2]uint64{uint64(at)}, keep: uint16(1<<width-1) << at}
			if sign == 1 {
				s.up[0], s.down[0] = uint64(16-width), uint64(16-width-at)
				s.keep = 1<<15 | uint16(1<<(width-1)-1)<<at
			}
			if s.unitOf(table) && s.holds(table) {
				return s, true
			}
		}
	}
	return smallFloat{}, false
}

// half is a code as a half, before NaN.
func (s *smallFloat) half(c int) uint16 {
	return uint16(int16(uint16(c)<<s.up[0])>>s.down[0]) & s.keep
}

// unitOf sets the unit that one number has; the others are tried with it.
func (s *smallFloat) unitOf(table []float32) bool {
	for c, x := range table {
		h := halfToFloat(s.half(c))
		if ordinary(x) && ordinary(h) {
			s.unit = x / h
			return ordinary(s.unit)
		}
	}
	return false
}

func ordinary(x float32) bool { return x != 0 && x-x == 0 }

// holds reports whether every number is the half's, and NaN at most of one magnitude or one code
// besides.
func (s *smallFloat) holds(table []float32) bool {
	var special []uint16
	for c, x := range table {
		h := s.half(c)
		got := halfToFloat(h) * s.unit
		switch {
		case math.Float32bits(got) == math.Float32bits(x) || x != x && got != got:
		case x != x:
			special = append(special, h)
		default:
			return false
		}
	}
	test, value := uint16(0), uint16(1) // never
	switch {
	case len(special) == 1:
		test, value = 0xffff, special[0]
	case len(special) == 2 && special[0]^special[1] == 1<<15:
		test, value = 0x7fff, special[0]&0x7fff
	case len(special) > 0:
		return false
	}
	for i := range s.test {
		s.test[i], s.special[i] = test, value
	}
	return true
}
