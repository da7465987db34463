// SPDX-License-Identifier: Apache-2.0

package tensor

import (
	"fmt"
	"math"
	"math/bits"
)

// Convert returns t with its elements converted to another real type, as ONNX's Cast does in version
// 25; t itself if it has that type already. STRING and complex types are errors.
//
// To floats: rounded once, as [FromFloat] does. From integers to integers: modulo 2^width. From floats to
// integers: towards zero, then modulo 2^width; what ONNX leaves undefined is defined so that machines agree:
// values beyond INT64 (for UINT64: beyond UINT64) become its nearest bound, NaN becomes 0. To BOOL: zeros are
// false, everything else is true.
func Convert(t *Tensor, to Type, saturate bool, mode RoundMode) (*Tensor, error) {
	switch {
	case t.typ == to:
		return t, nil
	case !isReal(t.typ) || !isReal(to):
		return nil, fmt.Errorf("tensor: no conversion from %v to %v", t.typ, to)
	case to == Bool:
		return toBool(t)
	case t.typ.IsFloat() && to.IsFloat():
		return floatToFloat(t, to, saturate, mode)
	case to.IsFloat():
		return integerToFloat(t, to, saturate, mode)
	case t.typ.IsFloat():
		return floatToInteger(t, to)
	}
	v, err := Int64s(t)
	if err != nil {
		return nil, err
	}
	return fromWrapped(to, t.dims, v)
}

func isReal(t Type) bool { return t.IsFloat() || t.IsInteger() || t == Bool }

func floatToFloat(t *Tensor, to Type, saturate bool, mode RoundMode) (*Tensor, error) {
	if t.typ == Double || to == Double {
		v, err := Float64s(t)
		if err != nil {
			return nil, err
		}
		return FromFloat64s(to, t.dims, v, saturate, mode)
	}
	v, err := Float32s(t) // exact
	if err != nil {
		return nil, err
	}
	return FromFloat32s(to, t.dims, v, saturate, mode)
}

func integerToFloat(t *Tensor, to Type, saturate bool, mode RoundMode) (*Tensor, error) {
	if to == Float {
		v, err := Float32s(t)
		if err != nil {
			return nil, err
		}
		return FromSlice(to, t.dims, v)
	}
	v, err := Float64s(t)
	switch {
	case err != nil:
		return nil, err
	case t.typ == Int64 && to != Double:
		v = mapped(Slice[int64](t), func(x int64) float64 {
			if x < 0 {
				return -oddFloat64(uint64(-x))
			}
			return oddFloat64(uint64(x))
		})
	case t.typ == Uint64 && to != Double:
		v = mapped(Slice[uint64](t), oddFloat64)
	}
	return FromFloat64s(to, t.dims, v, saturate, mode)
}

// oddFloat64 converts with rounding to odd: a later rounding to fewer than 52 bits then gives what
// rounding once would have given.
func oddFloat64(x uint64) float64 {
	if excess := bits.Len64(x) - 53; excess > 0 {
		lost := x & (1<<excess - 1)
		x &^= 1<<excess - 1
		if lost != 0 {
			x |= 1 << excess
		}
	}
	return float64(x)
}

func floatToInteger(t *Tensor, to Type) (*Tensor, error) {
	v, err := Float64s(t)
	if err != nil {
		return nil, err
	}
	if to == Uint64 {
		return FromSlice(to, t.dims, mapped(v, truncateUnsigned))
	}
	return fromWrapped(to, t.dims, mapped(v, truncate))
}

func truncate(x float64) int64 {
	switch {
	case x != x:
		return 0
	case x >= 1<<63:
		return math.MaxInt64
	case x < -1<<63:
		return math.MinInt64
	}
	return int64(x)
}

func truncateUnsigned(x float64) uint64 {
	switch {
	case x >= 1<<64:
		return math.MaxUint64
	case x >= 1<<63:
		return uint64(x-1<<63) + 1<<63
	}
	return uint64(truncate(x))
}

// fromWrapped keeps the low bits of each value.
func fromWrapped(to Type, dims []int64, v []int64) (*Tensor, error) {
	switch to.Bits() {
	case 64:
		return FromSlice(to, dims, mapped(v, func(x int64) uint64 { return uint64(x) }))
	case 32:
		return FromSlice(to, dims, mapped(v, func(x int64) uint32 { return uint32(x) }))
	case 16:
		return FromSlice(to, dims, mapped(v, func(x int64) uint16 { return uint16(x) }))
	default:
		return Pack(to, dims, mapped(v, func(x int64) uint8 { return uint8(x) }))
	}
}

func toBool(t *Tensor) (*Tensor, error) {
	if t.typ.IsFloat() {
		v, err := Float64s(t)
		if err != nil {
			return nil, err
		}
		return FromSlice(Bool, t.dims, mapped(v, func(x float64) bool { return x != 0 }))
	}
	v, err := Int64s(t)
	if err != nil {
		return nil, err
	}
	return FromSlice(Bool, t.dims, mapped(v, func(x int64) bool { return x != 0 }))
}

// FromInt64s returns a tensor of the integer type typ (values wrap modulo 2^width), of BOOL or of a float type,
// converted as by [Convert]. For INT64 it takes v over.
func FromInt64s(typ Type, dims []int64, v []int64, saturate bool, mode RoundMode) (*Tensor, error) {
	t, err := FromSlice(Int64, dims, v)
	if err != nil {
		return nil, err
	}
	return Convert(t, typ, saturate, mode)
}
