// SPDX-License-Identifier: Apache-2.0

package tensor

// Native is a Go type that holds an element of one ONNX type as it is.
type Native interface {
	float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | bool | complex64 | complex128
}

// Code is a type for the bit patterns of a float type that Go lacks.
type Code interface {
	F16 | BF16 | E4M3FN | E4M3FNUZ | E5M2 | E5M2FNUZ | E8M0
}

// The codes of the small floats of 8 and 16 bits. FLOAT4E2M1 has two codes a
// byte: see [Unpack].
type (
	F16      uint16 // FLOAT16
	BF16     uint16 // BFLOAT16
	E4M3FN   uint8  // FLOAT8E4M3FN
	E4M3FNUZ uint8  // FLOAT8E4M3FNUZ
	E5M2     uint8  // FLOAT8E5M2
	E5M2FNUZ uint8  // FLOAT8E5M2FNUZ
	E8M0     uint8  // FLOAT8E8M0
)

// TypeOf returns the element type whose elements T holds.
func TypeOf[T Native | Code]() Type { panic("not yet") }

// Of returns a tensor of the given values, which it takes over. It is for constants
// and tests: it panics when the count does not match.
func Of[T Native](dims []int64, values ...T) *Tensor { panic("not yet") }

// Slice returns the elements of t, one a T: read only, for they alias t's bytes
// where byte order and alignment allow that, and are copied elsewhere. T is the Go
// type of t's element type ([TypeOf]) or, to move elements without a look at their
// meaning, the unsigned integer of the same width (8 to 64 bits). Any other T, also
// for 4- and 2-bit types ([Unpack]) and STRING, is a mistake of the caller: Slice panics.
// BOOL elements other than 0 and 1 are true.
func Slice[T Native | Code](t *Tensor) []T { panic("not yet") }

// FromSlice returns a tensor of type typ over v, which it takes over (and copies where the
// byte order demands it). T and typ must fit as for [Slice].
func FromSlice[T Native | Code](typ Type, dims []int64, v []T) (*Tensor, error) { panic("not yet") }
