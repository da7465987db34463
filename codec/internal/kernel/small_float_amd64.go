// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// smallFloat is a HalfForm as a loop has it: a code moved up and then down, keeping its sign, and
// some bits kept, times a unit. Halves of which the tested bits have a special value are NaN.
type smallFloat struct {
	up, down      [2]uint64
	test, special [16]uint16
	keep          uint16
	unit          float32
}

// smallFloats finds that form; it is false for tables of other floats, and where NaN is of more than
// one magnitude, or one code.
func smallFloats(table []float32) (smallFloat, bool) {
	x, ok := HalfFormOf(table)
	if !ok || x.Width > 8 {
		return smallFloat{}, false
	}
	s := smallFloat{up: [2]uint64{uint64(x.At)}, keep: uint16(1<<x.Width-1) << x.At, unit: x.Unit}
	if x.Sign == 1 {
		s.up[0], s.down[0] = uint64(16-x.Width), uint64(16-x.Width-x.At)
		s.keep = 1<<15 | uint16(1<<(x.Width-1)-1)<<x.At
	}
	test, value := uint16(0), uint16(1) // never
	switch {
	case len(x.Special) == 1:
		test, value = 0xffff, x.Special[0]
	case len(x.Special) == 2 && x.Special[0]^x.Special[1] == 1<<15:
		test, value = 0x7fff, x.Special[0]&0x7fff
	case len(x.Special) > 0:
		return smallFloat{}, false
	}
	for i := range s.test {
		s.test[i], s.special[i] = test, value
	}
	return s, true
}

// half is a code as a half, before NaN.
func (s *smallFloat) half(c int) uint16 {
	return uint16(int16(uint16(c)<<s.up[0])>>s.down[0]) & s.keep
}
