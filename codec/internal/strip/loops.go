// SPDX-License-Identifier: Apache-2.0

package strip

import "math"

// The loops of operations on whole strips: what float, integer and one say, the operation
// chosen outside. Those that are not here take a choice for each word.

func floats(code Code, dst, x, y []uint32) {
	x, y = x[:len(dst)], y[:len(dst)]
	switch code {
	case AddF:
		for t := range dst {
			dst[t] = math.Float32bits(f32(x[t]) + f32(y[t]))
		}
	case SubF:
		for t := range dst {
			dst[t] = math.Float32bits(f32(x[t]) - f32(y[t]))
		}
	case MulF:
		for t := range dst {
			dst[t] = math.Float32bits(f32(x[t]) * f32(y[t]))
		}
	case DivF:
		for t := range dst {
			dst[t] = math.Float32bits(f32(x[t]) / f32(y[t]))
		}
	default:
		comparisons(code, dst, x, y)
	}
}

func comparisons(code Code, dst, x, y []uint32) {
	x, y = x[:len(dst)], y[:len(dst)]
	switch code {
	case MaxF:
		for t, w := range x {
			v, u := f32(w), f32(y[t])
			m := mask(u > v) | mask(u != u)
			dst[t] = y[t]&m | w&^m
		}
	case MinF:
		for t, w := range x {
			v, u := f32(w), f32(y[t])
			m := mask(u < v) | mask(u != u)
			dst[t] = y[t]&m | w&^m
		}
	case LessF:
		for t := range dst {
			dst[t] = mask(f32(x[t]) < f32(y[t]))
		}
	case AtMostF:
		for t := range dst {
			dst[t] = mask(f32(x[t]) <= f32(y[t]))
		}
	default:
		for t := range dst {
			dst[t] = float(code, f32(x[t]), f32(y[t]))
		}
	}
}

func integers(code Code, dst, x, y []uint32) {
	x, y = x[:len(dst)], y[:len(dst)]
	switch code {
	case AddI:
		for t := range dst {
			dst[t] = x[t] + y[t]
		}
	case SubI:
		for t := range dst {
			dst[t] = x[t] - y[t]
		}
	case MulI:
		for t := range dst {
			dst[t] = x[t] * y[t]
		}
	case MaxI:
		for t := range dst {
			dst[t] = uint32(max(int32(x[t]), int32(y[t])))
		}
	case MinI:
		for t := range dst {
			dst[t] = uint32(min(int32(x[t]), int32(y[t])))
		}
	case EqualI:
		for t := range dst {
			dst[t] = mask(x[t] == y[t])
		}
	case LessI:
		for t := range dst {
			dst[t] = mask(int32(x[t]) < int32(y[t]))
		}
	default:
		bitwise(code, dst, x, y)
	}
}

func bitwise(code Code, dst, x, y []uint32) {
	x, y = x[:len(dst)], y[:len(dst)]
	switch code {
	case And:
		for t := range dst {
			dst[t] = x[t] & y[t]
		}
	case Or:
		for t := range dst {
			dst[t] = x[t] | y[t]
		}
	case Xor:
		for t := range dst {
			dst[t] = x[t] ^ y[t]
		}
	case AndNot:
		for t := range dst {
			dst[t] = x[t] &^ y[t]
		}
	case ShiftL:
		for t := range dst {
			dst[t] = x[t] << y[t]
		}
	case ShiftR:
		for t := range dst {
			dst[t] = x[t] >> y[t]
		}
	case ShiftA:
		for t := range dst {
			dst[t] = uint32(int32(x[t]) >> y[t])
		}
	default:
		for t := range dst {
			dst[t] = integer(code, x[t], y[t])
		}
	}
}

func unary(code Code, dst, x []uint32) {
	x = x[:len(dst)]
	switch code {
	case Copy:
		copy(dst, x)
	case AbsF:
		for t := range dst {
			dst[t] = x[t] &^ (1 << 31)
		}
	case NegF:
		for t := range dst {
			dst[t] = x[t] ^ 1<<31
		}
	case SignF:
		for t, w := range x {
			dst[t] = signOf(w)
		}
	case Float:
		for t := range dst {
			dst[t] = math.Float32bits(float32(int32(x[t])))
		}
	case Cut:
		for t, w := range x {
			dst[t] = cut(f32(w))
		}
	case Int:
		for t, w := range x {
			if v := f32(w); v > -1<<31 && v < 1<<31 {
				dst[t] = uint32(int32(v))
			} else {
				dst[t] = truncated(v)
			}
		}
	default:
		roundings(code, dst, x)
	}
}

// signOf is sign without branches.
func signOf(w uint32) uint32 {
	s, magnitude := w&(1<<31)|0x3f800000, w&^(1<<31)
	if magnitude == 0 {
		s = 0
	}
	if magnitude > 0x7f800000 {
		s = w
	}
	return s
}

func roundings(code Code, dst, x []uint32) {
	x = x[:len(dst)]
	switch code {
	case FloorF:
		for t := range dst {
			dst[t] = math.Float32bits(float32(math.Floor(float64(f32(x[t])))))
		}
	case CeilF:
		for t := range dst {
			dst[t] = math.Float32bits(float32(math.Ceil(float64(f32(x[t])))))
		}
	case RoundF:
		for t := range dst {
			dst[t] = math.Float32bits(float32(math.RoundToEven(float64(f32(x[t])))))
		}
	case TruncF:
		for t := range dst {
			dst[t] = math.Float32bits(float32(math.Trunc(float64(f32(x[t])))))
		}
	case SqrtF:
		for t := range dst {
			dst[t] = math.Float32bits(float32(math.Sqrt(float64(f32(x[t])))))
		}
	default:
		for t := range dst {
			dst[t] = one(code, x[t])
		}
	}
}
