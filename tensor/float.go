// SPDX-License-Identifier: Apache-2.0

package tensor

// RoundMode says how FLOAT8E8M0, which has no mantissa, rounds (Cast-24, attribute
// round_mode). All other types always round to nearest, ties to even.
type RoundMode uint8

// The values of round_mode.
const (
	RoundNearest RoundMode = iota // ties to the even code
	RoundUp                       // away from zero; the default of ONNX's Cast
	RoundDown                     // towards zero
)

// ToFloat returns the value of a code of any float type (FLOAT and DOUBLE too).
// Bits above the type's width are ignored.
func ToFloat(t Type, code uint64) float64 { panic("not yet") }

// FromFloat returns the code of type t for x, rounded once. saturate and mode are the
// attributes of ONNX's Cast: saturate concerns the FLOAT8 types, mode FLOAT8E8M0 alone.
func FromFloat(t Type, x float64, saturate bool, mode RoundMode) uint64 { panic("not yet") }

// F16ToF32 widens a FLOAT16 code: exact; a NaN keeps its payload and becomes quiet.
func F16ToF32(code uint16) float32 { panic("not yet") }

// F32ToF16 rounds to FLOAT16, ties to even; every NaN becomes sign | 0x7E00.
func F32ToF16(x float32) uint16 { panic("not yet") }

// BF16ToF32 widens a BFLOAT16 code: its bits are the upper half of the float32.
func BF16ToF32(code uint16) float32 { panic("not yet") }

// F32ToBF16 rounds to BFLOAT16, ties to even; a NaN keeps its upper bits and becomes quiet.
func F32ToBF16(x float32) uint16 { panic("not yet") }
