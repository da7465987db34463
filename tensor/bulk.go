// SPDX-License-Identifier: Apache-2.0

package tensor

import "fmt"

type number interface {
	float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// Float32s returns every element of a real tensor (float, integer or BOOL) as
// float32, rounded once to nearest even. A FLOAT tensor is aliased where possible: read
// only. STRING and complex tensors are errors.
func Float32s(t *Tensor) ([]float32, error) {
	switch t.typ {
	case Float:
		return Slice[float32](t), nil
	case Float16:
		return widened[float32](Slice[F16](t)), nil
	case BFloat16:
		return widenedBrain[float32](Slice[BF16](t)), nil
	}
	return reals[float32](t)
}

// The loops call the conversion directly, so that it can be inlined.

func widened[T float32 | float64](codes []F16) []T {
	to := make([]T, len(codes))
	for i, c := range codes {
		to[i] = T(F16ToF32(uint16(c)))
	}
	return to
}

func widenedBrain[T float32 | float64](codes []BF16) []T {
	to := make([]T, len(codes))
	for i, c := range codes {
		to[i] = T(BF16ToF32(uint16(c)))
	}
	return to
}

// Float64s is [Float32s] for float64; only 64-bit integers are rounded.
func Float64s(t *Tensor) ([]float64, error) {
	switch t.typ {
	case Double:
		return Slice[float64](t), nil
	case Float16:
		return widened[float64](Slice[F16](t)), nil
	case BFloat16:
		return widenedBrain[float64](Slice[BF16](t)), nil
	}
	return reals[float64](t)
}

// Int64s returns every element of an integer or BOOL tensor. UINT64 elements of 2^63
// and more wrap. An INT64 tensor is aliased where possible: read only. Other types
// are errors.
func Int64s(t *Tensor) ([]int64, error) {
	switch {
	case t.typ == Int64:
		return Slice[int64](t), nil
	case t.typ.IsInteger() || t.typ == Bool:
		return reals[int64](t)
	}
	return nil, fmt.Errorf("tensor: %v elements are not integers", t.typ)
}

// reals converts by Go's rules, which round to nearest even.
func reals[T float32 | float64 | int64](t *Tensor) ([]T, error) {
	switch t.typ {
	case Float:
		return converted[T](Slice[float32](t)), nil
	case Double:
		return converted[T](Slice[float64](t)), nil
	case Int16:
		return converted[T](Slice[int16](t)), nil
	case Int32:
		return converted[T](Slice[int32](t)), nil
	case Int64:
		return wide[T](Slice[int64](t), Int64ToF32), nil
	case Uint16:
		return converted[T](Slice[uint16](t)), nil
	case Uint32:
		return converted[T](Slice[uint32](t)), nil
	case Uint64:
		return wide[T](Slice[uint64](t), Uint64ToF32), nil
	case Bool:
		return mapped(t.data, func(b byte) T { return T(min(b, 1)) }), nil
	case Uint8:
		return converted[T](t.data), nil
	case Int8, Int4, Uint4, Int2, Uint2:
		return converted[T](UnpackInt8(t)), nil
	}
	if f := formatOf(t.typ); f != nil {
		return decoded[T](f, Unpack(t)), nil
	}
	return nil, fmt.Errorf("tensor: %v elements are not real numbers", t.typ)
}

// wide converts integers of 64 bits, to float32 by narrow.
func wide[T float32 | float64 | int64, F int64 | uint64](from []F, narrow func(F) float32) []T {
	if f, ok := any(narrow).(func(F) T); ok { // T is float32
		return mapped(from, f)
	}
	return converted[T](from)
}

func converted[T, F number](from []F) []T {
	to := make([]T, len(from))
	for i, v := range from {
		to[i] = T(v)
	}
	return to
}

func mapped[T, F any](from []F, f func(F) T) []T {
	to := make([]T, len(from))
	for i, v := range from {
		to[i] = f(v)
	}
	return to
}

// decoded looks codes of at most 8 bits up in a table, if there are enough of them to
// pay for it.
func decoded[T number](f *format, codes []uint8) []T {
	if len(codes) < 256 {
		return mapped(codes, func(c uint8) T { return T(f.decode(uint64(c))) })
	}
	var table [256]T
	for c := range table {
		table[c] = T(f.decode(uint64(c)))
	}
	to := make([]T, len(codes))
	for i, c := range codes {
		to[i] = table[c]
	}
	return to
}

// FromFloat32s returns a tensor of the float type typ, each value rounded once as
// [FromFloat] does. For FLOAT it takes v over.
func FromFloat32s(typ Type, dims []int64, v []float32, saturate bool, mode RoundMode) (*Tensor, error) {
	switch typ {
	case Float:
		return FromSlice(typ, dims, v)
	case Float16:
		codes := make([]F16, len(v))
		for i, x := range v {
			codes[i] = F16(F32ToF16(x))
		}
		return FromSlice(typ, dims, codes)
	case BFloat16:
		codes := make([]BF16, len(v))
		for i, x := range v {
			codes[i] = BF16(F32ToBF16(x))
		}
		return FromSlice(typ, dims, codes)
	}
	return fromReals(typ, dims, v, saturate, mode)
}

// FromFloat64s is [FromFloat32s] from float64.
func FromFloat64s(typ Type, dims []int64, v []float64, saturate bool, mode RoundMode) (*Tensor, error) {
	if typ == Double {
		return FromSlice(typ, dims, v)
	}
	return fromReals(typ, dims, v, saturate, mode)
}

func fromReals[F float32 | float64](typ Type, dims []int64, v []F, saturate bool, mode RoundMode) (*Tensor, error) {
	encode := func(x F) uint64 { return FromFloat(typ, float64(x), saturate, mode) }
	switch {
	case typ == Float:
		return FromSlice(typ, dims, converted[float32](v))
	case typ == Double:
		return FromSlice(typ, dims, converted[float64](v))
	case !typ.IsFloat():
		return nil, fmt.Errorf("tensor: %v is not a float type", typ)
	case typ.Bits() == 16:
		return FromSlice(typ, dims, mapped(v, func(x F) uint16 { return uint16(encode(x)) }))
	default:
		return Pack(typ, dims, mapped(v, func(x F) uint8 { return uint8(encode(x)) }))
	}
}
