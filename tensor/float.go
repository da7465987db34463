// SPDX-License-Identifier: Apache-2.0

package tensor

import "math"

// RoundMode says how FLOAT8E8M0, which has no mantissa, rounds: the attribute
// round_mode of Cast-24. Every other type rounds to nearest, ties to even.
type RoundMode uint8

// The values of round_mode.
const (
	RoundNearest RoundMode = iota // to the nearest power of two, ties up
	RoundUp                       // away from zero; the default of ONNX's Cast
	RoundDown                     // towards zero
)

// nanCodes says which codes of a format are NaN.
type nanCodes uint8

const (
	nanNone     nanCodes = iota // no code
	nanIEEE                     // exponent all ones, mantissa not zero; mantissa zero is an infinity
	nanAllOnes                  // exponent and mantissa all ones; no infinities
	nanNegative                 // the sign bit alone; no infinities, no negative zero
)

// format describes a floating-point type: from the highest bit down a sign
// (if signed), exponent and mantissa bits.
type format struct {
	exponent, mantissa uint
	bias               int
	signed             bool
	nan                nanCodes
	keepsNaN           bool // a NaN's upper mantissa bits survive narrowing
	clamps             bool // out of range is the largest value even without saturate
}

// formats has the types that [ToFloat] and [FromFloat] compute by the table. What
// the numbers mean: e = 0 is a subnormal, m * 2^(1-bias-mantissa); every other e is
// (1 + m/2^mantissa) * 2^(e-bias). Without mantissa bits (FLOAT8E8M0) there is no
// zero and e = 0 is 2^-bias.
var formats = [...]format{
	Float16:        {exponent: 5, mantissa: 10, bias: 15, signed: true, nan: nanIEEE},
	BFloat16:       {exponent: 8, mantissa: 7, bias: 127, signed: true, nan: nanIEEE, keepsNaN: true},
	Float8E4M3FN:   {exponent: 4, mantissa: 3, bias: 7, signed: true, nan: nanAllOnes},
	Float8E4M3FNUZ: {exponent: 4, mantissa: 3, bias: 8, signed: true, nan: nanNegative},
	Float8E5M2:     {exponent: 5, mantissa: 2, bias: 15, signed: true, nan: nanIEEE},
	Float8E5M2FNUZ: {exponent: 5, mantissa: 2, bias: 16, signed: true, nan: nanNegative},
	Float4E2M1:     {exponent: 2, mantissa: 1, bias: 1, signed: true, nan: nanNone, clamps: true},
	Float8E8M0:     {exponent: 8, mantissa: 0, bias: 127, nan: nanAllOnes},
}

// formatOf returns the table's entry, nil where there is none.
func formatOf(t Type) *format {
	if t < 0 || int(t) >= len(formats) || formats[t].exponent == 0 {
		return nil
	}
	return &formats[t]
}

// allOnes is the magnitude with every exponent and mantissa bit set.
func (f *format) allOnes() uint64 { return 1<<(f.exponent+f.mantissa) - 1 }

func (f *format) signBit() uint64 { return f.allOnes() + 1 }

// infinity is the magnitude of an infinity, where the format has one.
func (f *format) infinity() uint64 { return f.allOnes() &^ (1<<f.mantissa - 1) }

// largest is the magnitude of the largest finite value.
func (f *format) largest() uint64 {
	switch f.nan {
	case nanIEEE:
		return f.infinity() - 1
	case nanAllOnes:
		return f.allOnes() - 1
	default:
		return f.allOnes()
	}
}

// isNaN reports whether a code is a NaN.
func (f *format) isNaN(code uint64) bool {
	magnitude := code & f.allOnes()
	switch f.nan {
	case nanIEEE:
		return magnitude > f.infinity()
	case nanAllOnes:
		return magnitude == f.allOnes()
	case nanNegative:
		return code&(f.signBit()|f.allOnes()) == f.signBit()
	default:
		return false
	}
}

// ToFloat returns the value of a code of any float type, FLOAT and DOUBLE too.
// It is exact; a NaN keeps sign and payload. Bits above the type's width are
// ignored. For other types the result is NaN.
func ToFloat(t Type, code uint64) float64 {
	switch t {
	case Float:
		return float64(math.Float32frombits(uint32(code)))
	case Double:
		return math.Float64frombits(code)
	}
	if f := formatOf(t); f != nil {
		return f.decode(code)
	}
	return math.NaN()
}

func (f *format) decode(code uint64) float64 {
	magnitude := code & f.allOnes()
	var sign uint64
	if f.signed && code&f.signBit() != 0 {
		sign = 1 << 63
	}
	fraction := magnitude & (1<<f.mantissa - 1)
	if f.isNaN(code) {
		return math.Float64frombits(sign | 0x7FF8<<48 | fraction<<(52-f.mantissa))
	}
	e := int(magnitude >> f.mantissa)
	switch {
	case f.nan == nanIEEE && magnitude == f.infinity():
		return math.Float64frombits(sign | 0x7FF<<52)
	case e == 0 && f.mantissa > 0: // zero or subnormal
		v := math.Ldexp(float64(fraction), 1-f.bias-int(f.mantissa))
		return math.Float64frombits(sign | math.Float64bits(v))
	default:
		return math.Float64frombits(sign | uint64(e-f.bias+1023)<<52 | fraction<<(52-f.mantissa))
	}
}

// FromFloat returns the code of type t, a float type, that is nearest to x; there is
// one rounding. saturate and mode are the attributes of ONNX's Cast in its
// version 25:
//
//   - FLOAT, DOUBLE, FLOAT16 and BFLOAT16 overflow to an infinity.
//   - The FLOAT8 types with a mantissa give their largest finite value for all that lies beyond it,
//     infinities included, when saturate is set; otherwise an infinity (FLOAT8E5M2)
//     or NaN (the others).
//   - FLOAT4E2M1 always saturates, and NaN, of either sign, becomes -0: so do ONNX's published tests and its
//     reference implementation, although its page on 4-bit floats says 6.
//   - FLOAT8E8M0 rounds as mode says, as if its exponent had no bounds; what then
//     lies outside 2^-127 to 2^127, zeros and infinities included, gives the nearer
//     bound when saturate is set, otherwise NaN. Negative values, which ONNX
//     leaves open, are NaN.
//
// Where there are NaNs of both signs, a NaN keeps its own. For types that are no floats the result is 0.
func FromFloat(t Type, x float64, saturate bool, mode RoundMode) uint64 {
	switch t {
	case Float:
		return uint64(math.Float32bits(float32(x)))
	case Double:
		return math.Float64bits(x)
	}
	f := formatOf(t)
	switch {
	case f == nil:
		return 0
	case f.mantissa == 0:
		return f.encodePower(x, saturate, mode)
	default:
		return f.encode(x, saturate)
	}
}

// encode rounds to nearest, ties to even.
func (f *format) encode(x float64, saturate bool) uint64 {
	bits := math.Float64bits(x)
	var sign uint64
	if bits>>63 != 0 {
		sign = f.signBit()
	}
	e, fraction := int(bits>>52&0x7FF), bits&(1<<52-1)
	if e == 0x7FF && fraction != 0 {
		return f.encodeNaN(sign, fraction)
	}
	magnitude := f.infinity() + 1 // beyond every finite code of every format
	if e != 0x7FF {
		magnitude = f.round(e, fraction)
	}
	if e == 0x7FF || magnitude > f.largest() {
		return f.overflow(sign, saturate)
	}
	if magnitude == 0 && f.nan == nanNegative {
		return 0
	}
	return sign | magnitude
}

// round returns the magnitude nearest to a finite float64, which may exceed the
// format's largest. A carry out of the mantissa increments the exponent by itself.
func (f *format) round(e int, fraction uint64) uint64 {
	if e == 0 {
		return 0 // a float64 subnormal: far below half of any format's least value
	}
	e += f.bias - 1023
	significand := fraction | 1<<52
	shift := uint(52 - f.mantissa)
	if e < 1 { // subnormal: fewer bits remain
		shift += uint(1 - e)
		e = 1
	}
	if shift > 54 {
		return 0
	}
	kept, lost := significand>>shift, significand&(1<<shift-1)
	if half := uint64(1) << (shift - 1); lost > half || lost == half && kept&1 != 0 {
		kept++
	}
	return uint64(e-1)<<f.mantissa + kept
}

func (f *format) encodeNaN(sign, fraction uint64) uint64 {
	quiet := uint64(1) << (f.mantissa - 1)
	switch f.nan {
	case nanIEEE:
		if f.keepsNaN {
			quiet |= fraction >> (52 - f.mantissa)
		}
		return sign | f.infinity() | quiet
	case nanAllOnes:
		return sign | f.allOnes()
	default:
		return f.signBit()
	}
}

func (f *format) overflow(sign uint64, saturate bool) uint64 {
	wide := f.exponent+f.mantissa+1 > 8 // Cast's saturate does not concern 16 bits
	switch {
	case f.clamps || saturate && !wide:
		return sign | f.largest()
	case f.nan == nanIEEE:
		return sign | f.infinity()
	default:
		return f.encodeNaN(sign, 0)
	}
}

// encodePower is encode for a format of powers of two without sign and zero.
func (f *format) encodePower(x float64, saturate bool, mode RoundMode) uint64 {
	nan := f.allOnes()
	if x != x || x < 0 {
		return nan
	}
	power := math.MinInt // of zero
	switch {
	case math.IsInf(x, 1):
		power = math.MaxInt
	case x != 0:
		significand, e := math.Frexp(x) // 0.5 <= significand < 1
		power = e - 1
		if mode == RoundUp && significand > 0.5 || mode == RoundNearest && significand >= 0.75 {
			power++
		}
	}
	lowest, highest := -f.bias, int(f.largest())-f.bias
	switch {
	case power >= lowest && power <= highest:
		return uint64(power + f.bias)
	case !saturate:
		return nan
	case power < lowest:
		return 0
	default:
		return f.largest()
	}
}
