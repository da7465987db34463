// SPDX-License-Identifier: Apache-2.0

package strip

import (
	"math"

	"github.com/structview/structview/tensor"
)

// op runs the steps of an operation: the portable path, and what vector code is compared with.
func (f *Frame) op(op *Op) {
	for i := range op.Steps {
		s := &op.Steps[i]
		dst, x, y, z := f.strip(s.Dst), f.strip(s.X), f.strip(s.Y), f.strip(s.Z)
		switch op.Code {
		case Bits:
			moveBits(s, dst, x)
		case Table:
			last := uint32(len(op.Table) - 1) // words of lanes that are not there can be any
			for t := range dst {
				dst[t] = op.Table[min(x[t], last)]
			}
		case Check:
			for _, w := range x {
				f.wrong |= w &^ s.Mask
			}
		case ArgMaxF, ArgMinF:
			search(op.Code, dst, x, y, z)
		case Pick:
			for t := range dst {
				if y[t] == z[t] {
					dst[t] = x[t]
				}
			}
		case ByF:
			for t := range dst {
				dst[t] = quotient(x[t], y[t], z[t])
			}
		case Select:
			for t := range dst {
				dst[t] = x[t]&z[t] | y[t]&^z[t]
			}
		default:
			if code := op.Code; code <= EqualF && code != Copy {
				floats(code, dst, x, y)
			} else if code >= AddI && code <= LessI {
				integers(code, dst, x, y)
			} else if code >= AddD {
				doubles(code, dst, x, y)
			} else {
				unary(code, dst, x)
			}
		}
	}
}

func moveBits(s *Step, dst, x []uint32) {
	x = x[:len(dst)]
	mask, right, left := s.Mask, s.Right&31, s.Left&31
	if s.First {
		for t := range dst {
			dst[t] = x[t] >> right & mask << left
		}
		return
	}
	for t := range dst {
		dst[t] |= x[t] >> right & mask << left
	}
}

// search keeps the best of X so far, and where it was.
func search(code Code, best, x, index, at []uint32) {
	for t := range best {
		b, v := f32(best[t]), f32(x[t])
		beats := v > b
		if code == ArgMinF {
			beats = v < b
		}
		if beats || v != v && b == b {
			best[t], index[t] = x[t], at[t]
		}
	}
}

func f32(w uint32) float32 { return math.Float32frombits(w) }

func mask(b bool) uint32 {
	if b {
		return math.MaxUint32
	}
	return 0
}

func float(code Code, x, y float32) uint32 {
	switch code {
	case AddF:
		return math.Float32bits(x + y)
	case SubF:
		return math.Float32bits(x - y)
	case MulF:
		return math.Float32bits(x * y)
	case DivF:
		return math.Float32bits(x / y)
	case MaxF:
		if y > x || y != y {
			x = y
		}
		return math.Float32bits(x)
	case MinF:
		if y < x || y != y {
			x = y
		}
		return math.Float32bits(x)
	case LessF:
		return mask(x < y)
	case AtMostF:
		return mask(x <= y)
	default:
		return mask(x == y)
	}
}

func integer(code Code, x, y uint32) uint32 {
	switch code {
	case AddI:
		return x + y
	case SubI:
		return x - y
	case MulI:
		return x * y
	case MaxI:
		return uint32(max(int32(x), int32(y)))
	case MinI:
		return uint32(min(int32(x), int32(y)))
	case And:
		return x & y
	case Or:
		return x | y
	case Xor:
		return x ^ y
	case AndNot:
		return x &^ y
	case ShiftL:
		return x << y
	case ShiftR:
		return x >> y
	case ShiftA:
		return uint32(int32(x) >> y)
	case EqualI:
		return mask(x == y)
	default:
		return mask(int32(x) < int32(y))
	}
}

func one(code Code, w uint32) uint32 {
	x := f32(w)
	switch code {
	case AbsF:
		return w &^ (1 << 31)
	case NegF:
		return w ^ 1<<31
	case FloorF:
		return math.Float32bits(float32(math.Floor(float64(x))))
	case CeilF:
		return math.Float32bits(float32(math.Ceil(float64(x))))
	case RoundF:
		return math.Float32bits(float32(math.RoundToEven(float64(x))))
	case TruncF:
		return math.Float32bits(float32(math.Trunc(float64(x))))
	case SqrtF:
		return math.Float32bits(float32(math.Sqrt(float64(x))))
	case SignF:
		return sign(x)
	case Int:
		return truncated(x)
	case Cut:
		return cut(x)
	case Float:
		return math.Float32bits(float32(int32(w)))
	case Half:
		return uint32(tensor.F32ToF16(x))
	case FromHalf:
		return math.Float32bits(tensor.F16ToF32(uint16(w)))
	case BFloat:
		return uint32(tensor.F32ToBF16(x))
	default:
		return w
	}
}

// quotient is x by the number whose reciprocal is y + z: DOUBLE is right as well where ByF is.
func quotient(x, y, z uint32) uint32 {
	return math.Float32bits(float32(float64(f32(x)) * (float64(f32(y)) + float64(f32(z)))))
}

// cut is how processors convert.
func cut(x float32) uint32 {
	if x >= -1<<31 && x < 1<<31 {
		return uint32(int32(x))
	}
	return 1 << 31
}

func sign(x float32) uint32 {
	switch {
	case x > 0:
		x = 1
	case x < 0:
		x = -1
	case x == 0:
		x = 0
	}
	return math.Float32bits(x)
}

// truncated is how eval casts FLOAT to integers of up to 32 bits.
func truncated(x float32) uint32 {
	switch {
	case x != x || x < -1<<63:
		return 0
	case x >= 1<<63:
		return math.MaxUint32
	}
	return uint32(int64(x))
}
