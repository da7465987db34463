// SPDX-License-Identifier: Apache-2.0

package tensor

import "math"

// The conversions in this file equal ToFloat and FromFloat; they are separate because
// decoders spend their time in them.

// F16ToF32 widens a FLOAT16 code: exact; a NaN keeps its payload and becomes quiet.
func F16ToF32(code uint16) float32 {
	sign, e, m := uint32(code&0x8000)<<16, uint32(code>>10&0x1F), uint32(code&0x3FF)
	switch e {
	case 0:
		return math.Float32frombits(sign | math.Float32bits(float32(m)*0x1p-24))
	case 0x1F:
		if m != 0 {
			m |= 0x200
		}
		return math.Float32frombits(sign | 0xFF<<23 | m<<13)
	default:
		return math.Float32frombits(sign | (e+112)<<23 | m<<13)
	}
}

// F32ToF16 rounds to FLOAT16, ties to even; every NaN becomes sign | 0x7E00.
func F32ToF16(x float32) uint16 {
	bits := math.Float32bits(x)
	sign, bits := uint16(bits>>16&0x8000), bits&0x7FFFFFFF
	switch {
	case bits > 0x7F800000:
		return sign | 0x7E00
	case bits >= 0x477FF000: // 65520, the middle between the largest value and 2^16
		return sign | 0x7C00
	case bits < 0x38800000: // below 2^-14: adding 1/2 leaves the multiple of 2^-24 in the low bits
		sum := math.Float32frombits(bits) + 0.5
		return sign | uint16(math.Float32bits(sum)-0x3F000000)
	default:
		return sign | uint16((bits-112<<23+0xFFF+bits>>13&1)>>13)
	}
}

// BF16ToF32 widens a BFLOAT16 code, which is the upper half of the float32.
func BF16ToF32(code uint16) float32 { return math.Float32frombits(uint32(code) << 16) }

// F32ToBF16 rounds to BFLOAT16, ties to even; a NaN keeps its upper bits and becomes
// quiet.
func F32ToBF16(x float32) uint16 {
	bits := math.Float32bits(x)
	if bits&0x7FFFFFFF > 0x7F800000 {
		return uint16(bits>>16) | 0x40
	}
	return uint16((bits + 0x7FFF + bits>>16&1) >> 16)
}

// Int64ToF32 rounds to FLOAT, ties to even. Go's own conversion does not on every architecture: on 386 it rounds to float64
// first.
func Int64ToF32(x int64) float32 {
	if x < 0 {
		return -Uint64ToF32(uint64(-x))
	}
	return Uint64ToF32(uint64(x))
}

// Uint64ToF32 is Int64ToF32 for unsigned integers.
func Uint64ToF32(x uint64) float32 { return float32(oddFloat64(x)) }
