// SPDX-License-Identifier: Apache-2.0

package strip

import "math"

// DOUBLE takes two words, and so 32 blocks of one value take two strips: the first 16 blocks are in one, the
// last 16 in the other. Operations are of 16 blocks; those with a name that begins with First or Last
// make one of both strips, and those that make words of DOUBLE have one as X and the other as Y.

// halfLanes is how many DOUBLE a tile's strip holds.
const halfLanes = TileLanes / 2

// doubles runs an operation on DOUBLE over whole tiles; dst may be an operand.
func doubles(code Code, dst, x, y []uint32) {
	var made [TileLanes]uint32
	for at := 0; at+TileLanes <= len(dst); at += TileLanes {
		tileOfDoubles(code, &made, x[at:at+TileLanes], y[at:at+TileLanes])
		copy(dst[at:], made[:])
	}
}

func f64(s []uint32, i int) float64 {
	return math.Float64frombits(uint64(s[2*i]) | uint64(s[2*i+1])<<32)
}

func setBits(to *[TileLanes]uint32, i int, bits uint64) {
	to[2*i], to[2*i+1] = uint32(bits), uint32(bits>>32)
}

func tileOfDoubles(code Code, to *[TileLanes]uint32, x, y []uint32) {
	switch code {
	case FirstD, LastD, FirstI, LastI, FirstW, LastW:
		first := 0
		if code == LastD || code == LastI || code == LastW {
			first = halfLanes
		}
		for i := range halfLanes {
			setBits(to, i, bitsOfDouble(code, x[first+i], y[first+i]))
		}
	case NarrowD, IntD, LowD, HighD:
		for i := range halfLanes {
			to[i], to[halfLanes+i] = wordOf(code, f64(x, i)), wordOf(code, f64(y, i))
		}
	default:
		for i := range halfLanes {
			setBits(to, i, double(code, f64(x, i), f64(y, i)))
		}
	}
}

// bitsOfDouble is the bits of a DOUBLE made of words.
func bitsOfDouble(code Code, x, y uint32) uint64 {
	switch code {
	case FirstD, LastD:
		return math.Float64bits(float64(f32(x)))
	case FirstI, LastI:
		return math.Float64bits(float64(int32(x)))
	}
	return uint64(x) | uint64(y)<<32
}

// wordOf is a word made of a DOUBLE.
func wordOf(code Code, x float64) uint32 {
	switch code {
	case NarrowD:
		return math.Float32bits(float32(x))
	case IntD:
		if x > -1<<31-1 && x < 1<<31 {
			return uint32(int32(x))
		}
		return 1 << 31
	case LowD:
		return uint32(math.Float64bits(x))
	}
	return uint32(math.Float64bits(x) >> 32)
}

// double is the bits of the result of two DOUBLE.
func double(code Code, x, y float64) uint64 {
	switch code {
	case LessD:
		return wideMask(x < y)
	case AtMostD:
		return wideMask(x <= y)
	case EqualD:
		return wideMask(x == y)
	}
	return math.Float64bits(number64(code, x, y))
}

func wideMask(b bool) uint64 {
	if b {
		return math.MaxUint64
	}
	return 0
}

func number64(code Code, x, y float64) float64 {
	switch code {
	case AddD:
		return x + y
	case SubD:
		return x - y
	case MulD:
		return x * y
	case DivD:
		return x / y
	case MaxD:
		if y > x || y != y {
			return y
		}
		return x
	case MinD:
		if y < x || y != y {
			return y
		}
		return x
	case FloorD:
		return math.Floor(x)
	case CeilD:
		return math.Ceil(x)
	case RoundD:
		return math.RoundToEven(x)
	case TruncD:
		return math.Trunc(x)
	}
	return math.Sqrt(x)
}
