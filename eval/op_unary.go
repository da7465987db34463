// SPDX-License-Identifier: Apache-2.0

package eval

import "math"

// unaryFamily has the exact operators of one operand: Abs, Neg, Floor, Ceil, Sqrt, Reciprocal (versions 6, 13), Sign (9, 13)
// and Round (11, 22: half to even).
func unaryFamily() []operator {
	var list []operator
	floats := []version{at(6, tFloats), at(13, tFloatsBF)}
	for _, o := range []struct {
		name  string
		sets  []version
		funcs unaryFuncs
	}{
		{"Abs", []version{at(6, tNumeric), at(13, tNumericBF)}, absFuncs()},
		{"Neg", []version{at(6, tFloats|tSigned), at(13, tFloatsBF|tSigned)}, unaryFuncs{
			f32: neg[float32], f64: neg[float64], i8: neg[int8], i16: neg[int16], i32: neg[int32], i64: neg[int64],
		}},
		{"Sign", []version{at(9, tNumeric), at(13, tNumericBF)}, signFuncs()},
		{"Floor", floats, viaDouble(math.Floor)},
		{"Ceil", floats, viaDouble(math.Ceil)},
		{"Round", []version{at(11, tFloats), at(22, tFloatsBF)}, viaDouble(math.RoundToEven)},
		{"Sqrt", floats, viaDouble(math.Sqrt)},
		{"Reciprocal", floats, unaryFuncs{
			f32: func(x float32) float32 { return 1 / x },
			f64: func(x float64) float64 { return 1 / x },
		}},
	} {
		op := operator{name: o.name, in: params("X:T"), out: params("Y:T"), infer: inferSame, run: viaFloat(o.funcs.kernel)}
		list = append(list, versions(op, o.sets...)...)
	}
	return list
}

// viaDouble computes float32 in float64 and rounds: correct for functions whose double rounding is
// innocuous (roots, roundings), as good as f is for others.
func viaDouble(f func(float64) float64) unaryFuncs {
	return unaryFuncs{f32: func(x float32) float32 { return float32(f(float64(x))) }, f64: f}
}

func absFuncs() unaryFuncs {
	return unaryFuncs{
		f32: func(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) },
		f64: math.Abs,
		i8:  abs[int8], i16: abs[int16], i32: abs[int32], i64: abs[int64],
		u8: same[uint8], u16: same[uint16], u32: same[uint32], u64: same[uint64],
	}
}

func signFuncs() unaryFuncs {
	return unaryFuncs{
		sign[float32], sign[float64], sign[int8], sign[int16], sign[int32], sign[int64],
		sign[uint8], sign[uint16], sign[uint32], sign[uint64], nil,
	}
}

func neg[T number](x T) T { return -x }

func abs[T int8 | int16 | int32 | int64](x T) T {
	if x < 0 {
		return -x
	}
	return x
}

// sign is 1, -1 or +0; NaN stays NaN.
func sign[T number](x T) T {
	var zero T
	switch {
	case x > 0:
		return 1
	case x < 0:
		return zero - 1
	case x == 0:
		return 0
	}
	return x
}
