// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"

	"github.com/structview/structview/tensor"
)

// pow has Pow (versions 12, 13, 15): base and exponent may differ in type; the result has the base's type.
func pow() []operator {
	op := operator{name: "Pow", in: params("X:T Y:T1"), out: params("Z:T"), infer: inferBroadcast, run: viaFloat(runPow)}
	base := tFloats | tInt32 | tInt64
	return versions(op,
		version{7, map[string]types{"T": tFloats, "T1": tFloats}},
		version{12, map[string]types{"T": base, "T1": tNumeric}},
		version{13, map[string]types{"T": base | tBFloat16, "T1": tNumeric}},
		version{15, map[string]types{"T": base | tBFloat16, "T1": tNumericBF}})
}

func runPow(c *call) error {
	switch c.element(0) {
	case tensor.Float:
		return powFloat(c, func(x, y float64) float32 { return float32(math.Pow(x, y)) })
	case tensor.Double:
		return powFloat(c, math.Pow)
	case tensor.Int32:
		return powInteger[int32](c)
	}
	return powInteger[int64](c)
}

// powFloat computes in float64 and rounds once.
func powFloat[R float32 | float64](c *call, f func(x, y float64) R) error {
	x, err := c.float64s(c.tensor(0))
	if err != nil {
		return err
	}
	y, err := c.float64s(c.tensor(1))
	if err != nil {
		return err
	}
	dst := make([]R, c.outLen(0))
	map2(dst, x, y, c.outDims(0), c.tensor(0).Dims(), c.tensor(1).Dims(), f)
	return putSlice(c, 0, dst)
}

// powInteger multiplies with wrap-around where the exponent is an integer; a float exponent is computed in float64
// and truncated.
func powInteger[T int32 | int64](c *call) error {
	x, y := c.tensor(0), c.tensor(1)
	dst := make([]T, c.outLen(0))
	if y.Type().IsFloat() {
		exponents, err := c.float64s(y)
		if err != nil {
			return err
		}
		f := func(a T, e float64) T { return truncate[T](math.Pow(float64(a), e)) }
		map2(dst, tensor.Slice[T](x), exponents, c.outDims(0), x.Dims(), y.Dims(), f)
		return putSlice(c, 0, dst)
	}
	exponents, err := c.int64s(y)
	if err != nil {
		return err
	}
	unsigned := y.Type() == tensor.Uint64
	f := func(a T, e int64) T { return powWrap(a, e, unsigned) }
	map2(dst, tensor.Slice[T](x), exponents, c.outDims(0), x.Dims(), y.Dims(), f)
	return putSlice(c, 0, dst)
}

// truncate converts towards zero; values out of range become the nearest bound, NaN 0.
func truncate[T int32 | int64](x float64) T {
	bits := 31
	if T(math.MaxInt32)+1 > 0 {
		bits = 63
	}
	bound := math.Ldexp(1, bits)
	switch {
	case x != x:
		return 0
	case x >= bound:
		return T(uint64(1)<<bits - 1)
	case x < -bound:
		return -T(uint64(1)<<bits-1) - 1
	}
	return T(x)
}

// powWrap is a to the e modulo 2^w; for a negative e, 1/a^-e truncated (0 for a = 0 too).
func powWrap[T int32 | int64](a T, e int64, unsigned bool) T {
	if e < 0 && !unsigned {
		switch {
		case a == 1 || a == -1 && e%2 == 0:
			return 1
		case a == -1:
			return -1
		}
		return 0
	}
	result := T(1)
	for n := uint64(e); n > 0; n >>= 1 {
		if n&1 != 0 {
			result *= a
		}
		a *= a
	}
	return result
}
