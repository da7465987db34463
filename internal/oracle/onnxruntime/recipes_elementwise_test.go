// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	"math"
	"math/rand/v2"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// recipe adds a node for a cell. Which inputs it avoids, and why, is written in docs/DISAGREEMENTS.md.
type recipe func(g *generator, typ tensor.Type) error

func elementwise() map[string]recipe {
	return map[string]recipe{
		"Abs": unary(anything), "Neg": unary(anything), "Sign": unary(ordered), "Floor": unary(anything),
		"Ceil": unary(anything), "Round": unary(anything), "Sqrt": unary(anything), "Not": unary(anything),
		"BitwiseNot": unary(anything), "Identity": unary(anything), "IsNaN": unary(anything),
		"Relu": unary(ordered), "IsInf": isInf,
		"Sin": unaryNear(moderate), "Cos": unaryNear(moderate), "Tan": unaryNear(moderate), "Asin": unaryNear(unit),
		"Acos": unaryNear(unit), "Atan": unaryNear(moderate), "Sinh": unaryNear(moderate), "Cosh": unaryNear(moderate),
		"Tanh": unaryNear(moderate), "Asinh": unaryNear(moderate), "Acosh": unaryNear(over), "Atanh": unaryNear(unit),
		"Erf": unaryNear(moderate), "Softplus": unaryNear(moderate), "Softsign": unaryNear(moderate),
		"HardSwish": unaryNear(moderate), "HardSigmoid": unaryNear(moderate), "LeakyRelu": unary(finite),
		"ThresholdedRelu": unary(finite), "Reciprocal": unary(anything),
		"Exp": unaryNear(between(-20, 20)), "Log": unaryNear(positive),
		"Add": binary(anything, anything), "Sub": binary(anything, anything), "Mul": binary(anything, anything),
		"Div": divide, "Mod": modulo, "Pow": power,
		"Equal": binary(anything, anything), "Greater": binary(anything, anything), "Less": binary(anything, anything),
		"GreaterOrEqual": binary(anything, anything), "LessOrEqual": binary(anything, anything),
		"And": binary(anything, anything), "Or": binary(anything, anything), "Xor": binary(anything, anything),
		"BitwiseAnd": binary(anything, anything), "BitwiseOr": binary(anything, anything), "BitwiseXor": binary(anything, anything),
		"BitShift.LEFT": bitShift("LEFT"), "BitShift.RIGHT": bitShift("RIGHT"),
		"Max": variadic(unsignedZero), "Min": variadic(unsignedZero), "Sum": variadicSum, "Mean": variadicSum,
		"Clip": clip, "Where": where, "Cast": cast, "BitCast": bitCast,
		"QuantizeLinear": quantize, "DequantizeLinear": dequantize,
	}
}

func unary(n numbers) recipe {
	return func(g *generator, typ tensor.Type) error {
		return g.one(bound{}, []value{g.take(typ, 0, 4, n)})
	}
}

// transcendental is the distance that functions without an exact rounding may have.
var transcendental = bound{ulps: 4}

func unaryNear(n numbers) recipe {
	return func(g *generator, typ tensor.Type) error {
		return g.one(transcendental, []value{g.take(typ, 0, 4, n)})
	}
}

// tiny values are left out, from which the peer makes zeros.
func tiny(x float64) bool { return x != 0 && math.Abs(x) < 0x1p-20 }

var (
	moderate = numbers{
		func(r *rand.Rand, _ tensor.Type) float64 { return r.NormFloat64() * 3 },
		func(x float64) bool { return math.Abs(x) <= 16 && !tiny(x) },
	}
	unit = numbers{
		func(r *rand.Rand, _ tensor.Type) float64 { return r.Float64()*1.8 - 0.9 },
		func(x float64) bool { return math.Abs(x) <= 0.95 && !tiny(x) },
	}
	over = numbers{
		func(r *rand.Rand, _ tensor.Type) float64 { return 1.5 + 4*r.Float64() },
		func(x float64) bool { return x >= 1.5 && x <= 64 },
	}
)

func isInf(g *generator, typ tensor.Type) error {
	x := []value{g.take(typ, 0, 4, anything)}
	if g.IntN(2) == 0 {
		return g.one(bound{}, x)
	}
	return g.one(bound{}, x, intAttr("detect_negative", int64(g.IntN(2))), intAttr("detect_positive", int64(g.IntN(2))))
}

func binary(a, b numbers) recipe {
	return func(g *generator, typ tensor.Type) error {
		x := g.take(typ, 0, 4, a)
		in := []value{x, g.partner(typ, x.t.Dims(), b)}
		if a.draw == nil && b.draw == nil && g.IntN(2) == 0 {
			in[0], in[1] = in[1], in[0]
		}
		return g.one(bound{}, in)
	}
}

func divide(g *generator, typ tensor.Type) error {
	if typ.IsFloat() {
		return binary(anything, anything)(g, typ)
	}
	return binary(anything, nonzero)(g, typ)
}

func modulo(g *generator, typ tensor.Type) error {
	x := g.take(typ, 0, 4, ordinary)
	y := g.partner(typ, x.t.Dims(), nonzero)
	if typ.IsFloat() {
		return g.one(bound{}, []value{x, y}, intAttr("fmod", 1))
	}
	return g.one(bound{}, []value{x, y}, intAttr("fmod", int64(g.IntN(2))))
}

func power(g *generator, typ tensor.Type) error {
	if typ.IsFloat() {
		x := g.take(typ, 0, 4, positive)
		return g.one(transcendental, []value{x, g.partner(typ, x.t.Dims(), between(-2, 3))})
	}
	x := g.take(typ, 0, 4, between(-4, 4))
	return g.one(bound{}, []value{x, g.partner(typ, x.t.Dims(), between(0, 4))})
}

func bitShift(direction string) recipe {
	return func(g *generator, typ tensor.Type) error {
		x := g.take(typ, 0, 4, anything)
		by := g.partner(typ, x.t.Dims(), between(0, int(typ.Bits())-1))
		return g.one(bound{}, []value{x, by}, stringAttr("direction", direction))
	}
}

func variadic(n numbers) recipe {
	return func(g *generator, typ tensor.Type) error {
		x := g.take(typ, 0, 4, n)
		in := []value{x}
		for range g.IntN(3) {
			in = append(in, g.partner(typ, x.t.Dims(), n))
		}
		return g.one(bound{}, in)
	}
}

func variadicSum(g *generator, typ tensor.Type) error {
	x := g.take(typ, 0, 4, ordinary)
	in := []value{x}
	for range g.IntN(3) {
		in = append(in, g.partner(typ, x.t.Dims(), ordinary))
	}
	return g.sum(len(in), in)
}

// sum emits a node that adds up to n terms, each perhaps a product. The order of the additions is left open (SV055), so
// that the bound is that of any order: (n+2)·ε·Σ|terms|, the sum of magnitudes being computed in DOUBLE.
func (g *generator) sum(n int, in []value, attrs ...*onnxpb.AttributeProto) error {
	typ := in[0].t.Type()
	if !typ.IsFloat() {
		return g.one(bound{}, in, attrs...)
	}
	magnitudes := make([]value, len(in))
	for i, v := range in {
		magnitudes[i] = v
		if v.t != nil && v.t.Type() == typ {
			d := doubles(v.t)
			list := make([]float64, len(d))
			for k, x := range d {
				list[k] = math.Abs(x)
			}
			magnitudes[i].t = tensor.Of(v.t.Dims(), list...)
		}
	}
	node := &onnxpb.NodeProto{OpType: g.cell.operator(), Input: names(in), Output: []string{"y"}, Attribute: attrs}
	out, err := runNode(node, g.opset, magnitudes)
	if err != nil {
		return err
	}
	epsilon := map[tensor.Type]float64{tensor.Float: 0x1p-24, tensor.Float16: 0x1p-11, tensor.Double: 0x1p-53}[typ]
	b := bound{error: []float64{}}
	for _, s := range doubles(out[0]) {
		b.error = append(b.error, float64(n+2)*epsilon*s+0x1p-24*epsilon)
	}
	return g.one(b, in, attrs...)
}

var clippable = numbers{
	func(r *rand.Rand, typ tensor.Type) float64 { return drawFinite(r, typ) + 0 },
	func(x float64) bool { return finite.fits(x) && unsignedZero.fits(x) },
}

func clip(g *generator, typ tensor.Type) error {
	x := g.take(typ, 0, 4, clippable) // without one of the bounds the peer clips infinities to the largest finite values
	lo, hi := g.IntN(5), 5+g.IntN(6)
	if typ.IsFloat() || typ.IsSigned() {
		lo -= 4
	}
	in := []value{x, g.fresh(typ, nil, between(lo, lo)), g.fresh(typ, nil, between(hi, hi))}
	switch g.IntN(4) {
	case 0:
		in = in[:2]
	case 1:
		in[1] = value{}
	}
	return g.one(bound{}, in)
}

func where(g *generator, typ tensor.Type) error {
	x := g.take(typ, 0, 4, unsignedZero)
	condition := g.partner(tensor.Bool, x.t.Dims(), anything)
	return g.one(bound{}, []value{condition, x, g.like(typ, x.t.Dims(), unsignedZero)})
}

// within are the finite values that an integer type can hold; what Cast makes of others is undefined.
func within(to tensor.Type) numbers {
	lo, hi := -math.Ldexp(1, int(to.Bits())-1), math.Ldexp(1, int(to.Bits())-1)
	if !to.IsSigned() {
		lo, hi = 0, 2*hi
	}
	whole := to.Bits() < 8 // the peer rounds to 4- and 2-bit integers, and truncates to others
	return numbers{
		func(r *rand.Rand, typ tensor.Type) float64 {
			x := drawOrdinary(r, typ)
			if whole {
				x = math.Trunc(x)
			}
			if x < lo || x >= hi-1 {
				return float64(r.IntN(int(min(hi, 16))))
			}
			return x
		},
		func(x float64) bool { return x >= lo && x < hi-1 && !(whole && x != math.Trunc(x)) },
	}
}

func cast(g *generator, typ tensor.Type) error {
	to := g.cell.variantType()
	attrs := []*onnxpb.AttributeProto{intAttr("to", int64(to))}
	saturate := true
	if to.IsFloat() && to.Bits() == 8 && to != tensor.Float8E8M0 && g.IntN(2) == 0 {
		saturate = g.IntN(2) == 0
		attrs = append(attrs, intAttr("saturate", map[bool]int64{true: 1}[saturate]))
	}
	if to == tensor.Float8E8M0 && g.opset >= 25 && g.IntN(2) == 0 {
		attrs = append(attrs, stringAttr("round_mode", []string{"up", "down", "nearest"}[g.IntN(3)]))
	}
	n := castable(typ, to, saturate)
	if typ.Bits() < 8 && to.Bits() <= 8 { // the peer works in place, and overwrites what it has not read
		return g.one(bound{}, []value{g.fresh(typ, g.shape(0, 4), n)}, attrs...)
	}
	return g.one(bound{}, []value{g.take(typ, 0, 4, n)}, attrs...)
}

// castable are the values whose conversion ONNX defines and the peer does right.
func castable(from, to tensor.Type, saturate bool) numbers {
	switch {
	case from.IsFloat() && to.IsInteger():
		return within(to)
	case from == tensor.Float8E8M0 && to == tensor.Bool: // 2^-127 is false there
		return positive
	case from.IsFloat() && from.Bits() <= 8 && to == tensor.Bool:
		return unsignedZero
	case from.IsFloat() && to == tensor.Float8E8M0: // negative values are undefined
		return positive
	case to == tensor.Float8E8M0:
		return between(0, 1+int(from.Bits()/4)*2)
	case !saturate: // some of what is above the largest value becomes something else there
		return ordinary
	case from == tensor.Double && to.IsFloat(): // the peer rounds twice, first to FLOAT
		return asFloat
	case from.IsInteger() && from.Bits() >= 32 && to == tensor.BFloat16: // likewise
		return numbers{drawOrdinary, func(x float64) bool { return math.Abs(x) <= 1<<24 }}
	}
	return anything
}

var asFloat = numbers{
	func(r *rand.Rand, typ tensor.Type) float64 {
		return float64(float32(drawOrdered(r, []tensor.Type{typ, tensor.Float}[r.IntN(2)])))
	},
	func(x float64) bool { return x == float64(float32(x)) },
}

// bitCast shows the sign and the payload of a NaN, which are undefined.
func bitCast(g *generator, typ tensor.Type) error {
	return g.one(bound{}, []value{g.take(typ, 0, 4, ordered)}, intAttr("to", int64(g.cell.variantType())))
}
