// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"math"
	"math/bits"
)

// HalfForm says how floats by a code of some bits are halves: the code's highest bit is the half's
// sign, if Sign is 1, the others begin at bit At, and the half is multiplied by Unit, which rounds to
// the float. Special are halves, as they are before that, whose floats are NaN.
type HalfForm struct {
	Width, Sign, At int
	Unit            float32
	Special         []uint16
}

// maxHalfForm is the bits of the codes of the largest tables that are looked at.
const maxHalfForm = 12

// HalfFormOf finds the form of a table's floats; it is false for other tables. Every code is tried.
func HalfFormOf(table []float32) (HalfForm, bool) {
	width := bits.Len(uint(len(table))) - 1
	if len(table) != 1<<width || width < 3 || width > maxHalfForm {
		return HalfForm{}, false
	}
	for _, sign := range []int{1, 0} {
		for at := 15 - (width - sign); at >= 0; at-- {
			x := HalfForm{Width: width, Sign: sign, At: at}
			if x.unitOf(table) && x.holds(table) {
				return x, true
			}
		}
	}
	return HalfForm{}, false
}

// half is a code as a half.
func (x *HalfForm) half(c int) uint16 {
	if x.Sign == 0 {
		return uint16(c << x.At)
	}
	top := x.Width - 1
	return uint16(c>>top<<15 | c&(1<<top-1)<<x.At)
}

// unitOf sets the unit that one number has; the others are tried with it.
func (x *HalfForm) unitOf(table []float32) bool {
	for c, y := range table {
		h := halfToFloat(x.half(c))
		if ordinary(y) && ordinary(h) {
			x.Unit = y / h
			return ordinary(x.Unit)
		}
	}
	return false
}

func ordinary(x float32) bool { return x != 0 && x-x == 0 }

// holds reports whether every number is the half's, but for NaN.
func (x *HalfForm) holds(table []float32) bool {
	x.Special = nil
	for c, y := range table {
		h := x.half(c)
		got := halfToFloat(h) * x.Unit
		switch {
		case math.Float32bits(got) == math.Float32bits(y) || y != y && got != got:
		case y != y && len(x.Special) < 2:
			x.Special = append(x.Special, h)
		default:
			return false
		}
	}
	return true
}
