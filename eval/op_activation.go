// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"math"
)

// activationFamily has the activations of one operand:
//
//   - Relu (6, 13, 14), LeakyRelu (6, 16), PRelu (7, 9, 16), ThresholdedRelu (10, 22), Shrink (9)
//   - Elu, Selu (6, 22), Celu (12, 28), Softplus, Softsign (1, 22), Mish (18, 22)
//   - HardSigmoid (6, 22), HardSwish (14, 22), Gelu (20), Swish (24)
//
// What needs the four basic operations alone is computed in the element type, the rest in
// float64 and rounded once.
func activationFamily() []operator {
	list := relu()
	list = append(list, shrink()...)
	list = append(list, prelu()...)
	list = append(list, linearUnits()...)
	return append(list, smoothUnits()...)
}

// curve makes an operator whose function depends on its attributes.
func curve(name string, attrs []attribute, make func(c *call) unaryFuncs, sets ...version) []operator {
	return versions(operator{
		name: name, in: params("X:T"), out: params("Y:T"), attrs: attrs, infer: inferSame,
		run: viaFloat(func(c *call) error { return make(c).kernel(c) }),
	}, sets...)
}

func relu() []operator {
	funcs := unaryFuncs{
		rectify[float32], rectify[float64], rectify[int8], rectify[int16], rectify[int32], rectify[int64],
		nil, nil, nil, nil, nil,
	}
	return curve("Relu", nil, func(*call) unaryFuncs { return funcs },
		at(6, tFloats), at(13, tFloatsBF), at(14, tFloatsBF|tSigned))
}

// rectify is max(0, x); NaN stays.
func rectify[T number](x T) T {
	if x < 0 {
		return 0
	}
	return x
}

// linearUnits are the piecewise linear ones with attributes.
func linearUnits() []operator {
	from6, from14 := []version{at(6, tFloats), at(22, tFloatsBF)}, []version{at(14, tFloats), at(22, tFloatsBF)}
	list := curve("LeakyRelu", []attribute{floatAttr("alpha", 0.01)}, func(c *call) unaryFuncs {
		alpha := c.attr.float("alpha")
		return unaryFuncs{f32: leaky(alpha), f64: leaky(float64(alpha))}
	}, at(6, tFloats), at(16, tFloatsBF))
	list = append(list, curve("ThresholdedRelu", []attribute{floatAttr("alpha", 1)}, func(c *call) unaryFuncs {
		alpha := c.attr.float("alpha")
		return unaryFuncs{f32: threshold(alpha), f64: threshold(float64(alpha))}
	}, at(10, tFloats), at(22, tFloatsBF))...)
	list = append(list, curve("HardSigmoid", []attribute{floatAttr("alpha", 0.2), floatAttr("beta", 0.5)},
		func(c *call) unaryFuncs {
			a, b := c.attr.float("alpha"), c.attr.float("beta")
			return unaryFuncs{f32: hardSigmoid(a, b), f64: hardSigmoid(float64(a), float64(b))}
		}, from6...)...)
	return append(list, curve("HardSwish", nil, func(*call) unaryFuncs {
		f, d := hardSigmoid[float32](1.0/6, 0.5), hardSigmoid[float64](1.0/6, 0.5)
		return unaryFuncs{
			f32: func(x float32) float32 { return x * f(x) },
			f64: func(x float64) float64 { return x * d(x) },
		}
	}, from14...)...)
}

func leaky[T float32 | float64](alpha T) func(T) T {
	return func(x T) T {
		if x < 0 {
			return alpha * x
		}
		return x
	}
}

func threshold[T float32 | float64](alpha T) func(T) T {
	return func(x T) T {
		if x > alpha {
			return x
		}
		return 0
	}
}

// hardSigmoid is max(0, min(1, alpha x + beta)).
func hardSigmoid[T float32 | float64](alpha, beta T) func(T) T {
	return func(x T) T {
		return max(0, min(1, T(alpha*x)+beta))
	}
}

// smoothUnits are those with exponentials.
func smoothUnits() []operator {
	from1, from6 := []version{at(1, tFloats), at(22, tFloatsBF)}, []version{at(6, tFloats), at(22, tFloatsBF)}
	fixed := func(f func(float64) float64) func(*call) unaryFuncs {
		return func(*call) unaryFuncs { return inDouble(f) }
	}
	list := curve("Softplus", nil, fixed(softplus), from1...)
	list = append(list, curve("Softsign", nil, fixed(func(x float64) float64 {
		if math.IsInf(x, 0) {
			return math.Copysign(1, x)
		}
		return x / (1 + math.Abs(x))
	}), from1...)...)
	list = append(list, curve("Mish", nil, fixed(mish), at(18, tFloats), at(22, tFloatsBF))...)
	list = append(list, curve("Elu", []attribute{floatAttr("alpha", 1)}, func(c *call) unaryFuncs {
		return inDouble(elu(float64(c.attr.float("alpha")), 1))
	}, from6...)...)
	list = append(list, curve("Selu",
		[]attribute{floatAttr("alpha", 1.67326319217681884765625), floatAttr("gamma", 1.05070102214813232421875)},
		func(c *call) unaryFuncs {
			return inDouble(elu(float64(c.attr.float("alpha")), float64(c.attr.float("gamma"))))
		}, from6...)...)
	list = append(list, curve("Celu", []attribute{floatAttr("alpha", 1)}, func(c *call) unaryFuncs {
		return inDouble(celu(float64(c.attr.float("alpha"))))
	}, at(12, tFloat), at(28, tFloatsBF))...)
	list = append(list, curve("Swish", []attribute{floatAttr("alpha", 1)}, func(c *call) unaryFuncs {
		alpha := float64(c.attr.float("alpha"))
		return inDouble(func(x float64) float64 { return swish(x, alpha) })
	}, at(24, tFloatsBF))...)
	return append(list, gelu()...)
}

// softplus is log(1 + exp(x)).
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// mish is x tanh(softplus(x)).
func mish(x float64) float64 {
	if x < -745 { // the product of an infinity and 0 would be NaN
		return math.Copysign(0, x)
	}
	return x * math.Tanh(softplus(x))
}

// swish is x sigmoid(alpha x); an infinity times 0 is its limit 0.
func swish(x, alpha float64) float64 {
	s := sigmoid(float64(alpha * x))
	if s == 0 && math.IsInf(x, 0) {
		return 0
	}
	return x * s
}

// elu is gamma x for x > 0, else gamma alpha (exp(x) - 1).
func elu(alpha, gamma float64) func(float64) float64 {
	return func(x float64) float64 {
		if x > 0 {
			return gamma * x
		}
		return gamma * float64(alpha*math.Expm1(x))
	}
}

// celu is max(0, x) + min(0, alpha (exp(x/alpha) - 1)).
func celu(alpha float64) func(float64) float64 {
	return func(x float64) float64 {
		return max(0, x) + min(0, float64(alpha*math.Expm1(x/alpha)))
	}
}

// gelu has Gelu, version 20: the exact one by erf, or the approximation by tanh.
func gelu() []operator {
	return versions(operator{
		name: "Gelu", in: params("X:T"), out: params("Y:T"), attrs: []attribute{stringAttr("approximate", "none")},
		infer: func(c *typing) error {
			if a := c.attr.string("approximate"); a != "none" && a != "tanh" {
				return fmt.Errorf("attribute approximate is %q, expected none or tanh", a)
			}
			return inferSame(c)
		},
		run: viaFloat(func(c *call) error {
			if c.attr.string("approximate") == "tanh" {
				return inDouble(geluTanh).kernel(c)
			}
			return inDouble(geluErf).kernel(c)
		}),
	}, at(20, tFloatsBF))
}

// geluErf is x (1 + erf(x/sqrt(2))) / 2, by erfc, which does not cancel for negative x.
func geluErf(x float64) float64 {
	if math.IsInf(x, -1) {
		return math.Copysign(0, -1)
	}
	return 0.5 * x * math.Erfc(-x/math.Sqrt2)
}

// geluTanh is x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) / 2.
func geluTanh(x float64) float64 {
	if math.IsInf(x, -1) {
		return math.Copysign(0, -1)
	}
	inner := float64(math.Sqrt(2/math.Pi) * (x + float64(0.044715*x*x*x)))
	return x * sigmoid(2*inner) // (1 + tanh(t))/2 = sigmoid(2t)
}

// shrink has Shrink, version 9. Integers are shifted by the bias, truncated if it is not integral.
func shrink() []operator {
	return curve("Shrink", []attribute{floatAttr("bias", 0), floatAttr("lambd", 0.5)}, func(c *call) unaryFuncs {
		b, l := c.attr.float("bias"), c.attr.float("lambd")
		return unaryFuncs{
			shrunk(b, l), shrunk(float64(b), float64(l)), shrunkInteger[int8](b, l), shrunkInteger[int16](b, l),
			shrunkInteger[int32](b, l), shrunkInteger[int64](b, l), shrunkInteger[uint8](b, l),
			shrunkInteger[uint16](b, l), shrunkInteger[uint32](b, l), shrunkInteger[uint64](b, l), nil,
		}
	}, at(9, tNumeric))
}

// shrunk is x + bias below -lambd, x - bias above lambd, 0 between.
func shrunk[T float32 | float64](bias, lambd T) func(T) T {
	return func(x T) T {
		switch {
		case x < -lambd:
			return x + bias
		case x > lambd:
			return x - bias
		}
		return 0
	}
}

func shrunkInteger[T integer](bias, lambd float32) func(T) T {
	b, l := float64(bias), float64(lambd)
	whole := b == math.Trunc(b) && math.Abs(b) < 1<<62
	shift := func(x T, by float64) T {
		if whole {
			return x + T(int64(by)) // wraps
		}
		return T(int64(float64(x) + by))
	}
	return func(x T) T {
		switch v := float64(x); {
		case v < -l:
			return shift(x, b)
		case v > l:
			return shift(x, -b)
		}
		return 0
	}
}

// prelu has PRelu, versions 7, 9 and 16: the slope broadcasts to X.
func prelu() []operator {
	funcs := binaryFuncs{
		preluOf[float32], preluOf[float64], nil, nil, preluOf[int32], preluOf[int64],
		nil, nil, preluOf[uint32], preluOf[uint64], nil,
	}
	return versions(operator{
		name: "PRelu", in: params("X:T slope:T"), out: params("Y:T"), infer: inferPRelu, run: viaFloat(funcs.kernel),
	}, at(7, tFloats), at(9, tFloats|tWide), at(16, tHighBF))
}

func preluOf[T number](x, slope T) T {
	if x < 0 {
		return slope * x
	}
	return x
}

func inferPRelu(c *typing) error {
	x, ok := c.dims(0)
	if !ok {
		return nil
	}
	if slope, ok := c.dims(1); ok {
		if err := broadcastsTo(slope, x); err != nil {
			return fmt.Errorf("slope: %w", err)
		}
	}
	c.setDims(0, x...)
	return nil
}

// broadcastsTo refuses a shape that does not broadcast to exactly another one.
func broadcastsTo(from, to []int64) error {
	ok := len(from) <= len(to)
	for i := 0; ok && i < len(from); i++ {
		f, t := from[i], to[len(to)-len(from)+i]
		ok = f == 1 || f == t || f == unknown || t == unknown
	}
	if !ok {
		return fmt.Errorf("%s does not broadcast to %s", dimsText(true, from), dimsText(true, to))
	}
	return nil
}
