// SPDX-License-Identifier: Apache-2.0

package tensor

import (
	"bytes"
	"slices"
)

// Equal reports whether a and b have the same type, dimensions and element bits.
// Padding bits of the last byte do not count.
func Equal(a, b *Tensor) bool {
	if a.typ != b.typ || !slices.Equal(a.dims, b.dims) {
		return false
	}
	if a.typ == String {
		return slices.EqualFunc(a.strings, b.strings, bytes.Equal)
	}
	whole := len(a.data)
	if used := uint64(a.n) * a.typ.Bits() % 8; used != 0 {
		whole--
		if (a.data[whole]^b.data[whole])<<(8-used) != 0 {
			return false
		}
	}
	return bytes.Equal(a.data[:whole], b.data[:whole])
}

// EqualValues is [Equal], but every NaN, also as a part of a complex element, equals
// every other NaN, and every true BOOL every other. Zeros of different sign differ.
func EqualValues(a, b *Tensor) bool {
	if a.typ != b.typ || !slices.Equal(a.dims, b.dims) {
		return false
	}
	switch a.typ {
	case Float, Complex64:
		return equalCodes(elements[uint32](a.data), elements[uint32](b.data), isNaN32)
	case Double, Complex128:
		return equalCodes(elements[uint64](a.data), elements[uint64](b.data), isNaN64)
	case Bool:
		return slices.EqualFunc(a.data, b.data, func(x, y byte) bool { return (x != 0) == (y != 0) })
	}
	if f := formatOf(a.typ); f != nil && f.nan != nanNone {
		if a.typ.Bits() == 16 {
			return equalCodes(Slice[uint16](a), Slice[uint16](b), func(c uint16) bool { return f.isNaN(uint64(c)) })
		}
		return equalCodes(a.data, b.data, func(c uint8) bool { return f.isNaN(uint64(c)) })
	}
	return Equal(a, b)
}

func equalCodes[T comparable](a, b []T, isNaN func(T) bool) bool {
	return slices.EqualFunc(a, b, func(x, y T) bool { return x == y || isNaN(x) && isNaN(y) })
}

func isNaN32(code uint32) bool { return code<<1 > 0xFF<<24 }

func isNaN64(code uint64) bool { return code<<1 > 0x7FF<<53 }
