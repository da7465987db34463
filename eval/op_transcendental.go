// SPDX-License-Identifier: Apache-2.0

package eval

import "math"

// transcendentalFamily has the functions of one operand that no float computes exactly. FLOAT is computed in
// float64 and rounded once, so a result is the correctly rounded one but for rare ties of the double rounding.
//
//   - Exp, Log (versions 6, 13), Erf (9, 13)
//   - Sin, Cos, Tan, Asin, Acos, Atan (7, 22), Sinh, Cosh, Asinh, Acosh, Atanh (9, 22)
//   - Tanh, Sigmoid (6, 13)
func transcendentalFamily() []operator {
	from6, from7, from9 := []version{at(6, tFloats), at(13, tFloatsBF)},
		[]version{at(7, tFloats), at(22, tFloatsBF)}, []version{at(9, tFloats), at(22, tFloatsBF)}
	var list []operator
	for _, o := range []struct {
		name     string
		f        func(float64) float64
		versions []version
	}{
		{"Exp", math.Exp, from6},
		{"Log", math.Log, from6},
		{"Tanh", math.Tanh, from6},
		{"Sigmoid", sigmoid, from6},
		{"Sin", math.Sin, from7},
		{"Cos", math.Cos, from7},
		{"Tan", math.Tan, from7},
		{"Asin", math.Asin, from7},
		{"Acos", math.Acos, from7},
		{"Atan", math.Atan, from7},
		{"Sinh", math.Sinh, from9},
		{"Cosh", math.Cosh, from9},
		{"Asinh", math.Asinh, from9},
		{"Acosh", math.Acosh, from9},
		{"Atanh", math.Atanh, from9},
	} {
		list = append(list, versions(operator{
			name: o.name, in: params("X:T"), out: params("Y:T"),
			infer: inferSame, run: viaFloat(inDouble(o.f).kernel),
		}, o.versions...)...)
	}
	return append(list, erf()...)
}

// inDouble serves FLOAT and DOUBLE by one function of float64.
func inDouble(f func(float64) float64) unaryFuncs {
	return unaryFuncs{f32: func(x float32) float32 { return float32(f(float64(x))) }, f64: f}
}

// erf has Erf, versions 9 and 13. ONNX allows integers too: the result is truncated.
func erf() []operator {
	funcs := inDouble(math.Erf)
	funcs.i8, funcs.i16, funcs.i32, funcs.i64 = erfInteger[int8], erfInteger[int16], erfInteger[int32], erfInteger[int64]
	funcs.u8, funcs.u16, funcs.u32, funcs.u64 = erfInteger[uint8], erfInteger[uint16], erfInteger[uint32], erfInteger[uint64]
	return versions(operator{
		name: "Erf", in: params("input:T"), out: params("output:T"), infer: inferSame, run: viaFloat(funcs.kernel),
	}, at(9, tNumeric), at(13, tNumericBF))
}

func erfInteger[T integer](x T) T { return T(math.Erf(float64(x))) }

// sigmoid is 1/(1+exp(-x)); exp of a large magnitude would lose nothing but overflow.
func sigmoid(x float64) float64 {
	if x < 0 {
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}
