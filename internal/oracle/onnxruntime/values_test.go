// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	"math"
	"math/rand/v2"

	"github.com/structview/structview/tensor"
)

// numbers says which values an input may have: how to draw one, and whether one that is there will do.
type numbers struct {
	draw func(r *rand.Rand, typ tensor.Type) float64
	fits func(x float64) bool
}

var (
	// anything are all values, drawn as bit patterns.
	anything = numbers{}
	// ordinary values are small: sums and products of a few stay finite and mostly exact.
	ordinary = numbers{drawOrdinary, func(x float64) bool { return math.Abs(x) <= 16 }}
	// nonzero is for divisors; -1 is left out too, by which the least integer cannot be divided.
	nonzero = numbers{
		func(r *rand.Rand, typ tensor.Type) float64 {
			if x := drawOrdinary(r, typ); x != 0 && x != -1 {
				return x
			}
			return 2
		}, func(x float64) bool { return x != 0 && x != -1 && !math.IsNaN(x) },
	}
	// finite has neither NaN nor infinities.
	finite = numbers{drawFinite, func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }}
	// positive is for logarithms and scales.
	positive = numbers{
		func(r *rand.Rand, typ tensor.Type) float64 { return math.Abs(drawOrdinary(r, typ)) + 0.25 },
		func(x float64) bool { return x >= 1.0/64 && x <= 64 },
	}
	// unsignedZero leaves out NaN and -0, whose sign the peer loses in Where and takes for true in Cast to BOOL; which of two
	// zeros is the lesser is open.
	unsignedZero = numbers{
		func(r *rand.Rand, typ tensor.Type) float64 { return drawOrdered(r, typ) + 0 },
		func(x float64) bool { return !math.IsNaN(x) && (x != 0 || !math.Signbit(x)) },
	}
	// ordered values are not NaN.
	ordered = numbers{drawOrdered, func(x float64) bool { return !math.IsNaN(x) }}
)

func between(lo, hi int) numbers {
	return numbers{
		func(r *rand.Rand, _ tensor.Type) float64 { return float64(lo + r.IntN(hi-lo+1)) },
		func(x float64) bool { return x >= float64(lo) && x <= float64(hi) },
	}
}

func drawOrdinary(r *rand.Rand, typ tensor.Type) float64 {
	x := float64(r.IntN(17) - 8)
	if !typ.IsSigned() && !typ.IsFloat() {
		x = math.Abs(x)
	}
	if typ.IsFloat() {
		switch r.IntN(4) {
		case 0:
			x += 0.5
		case 1:
			x = r.NormFloat64() * 3
			x = max(-16, min(16, x))
		case 2:
			if x == 0 {
				x = math.Copysign(0, r.Float64()-0.5)
			}
		}
	}
	return x
}

func drawFinite(r *rand.Rand, typ tensor.Type) float64 {
	if !typ.IsFloat() || r.IntN(2) == 0 {
		return drawOrdinary(r, typ)
	}
	for {
		if x := tensor.ToFloat(typ, r.Uint64()); !math.IsNaN(x) && !math.IsInf(x, 0) {
			return x
		}
	}
}

func drawOrdered(r *rand.Rand, typ tensor.Type) float64 {
	if typ.IsFloat() && r.IntN(12) == 0 {
		return math.Inf(1 - 2*r.IntN(2))
	}
	return drawFinite(r, typ)
}

// random makes a tensor of values that n allows.
func random(r *rand.Rand, typ tensor.Type, dims []int64, n numbers) *tensor.Tensor {
	count := int64(1)
	for _, d := range dims {
		count *= d
	}
	if n.draw == nil && (r.IntN(2) == 0 || typ.IsFloat() && typ.Bits() <= 8) {
		return randomBits(r, typ, dims, count)
	}
	if n.draw == nil {
		n = ordinary
	}
	v := make([]float64, count)
	for i := range v {
		v[i] = n.draw(r, typ)
	}
	t, err := tensor.Convert(tensor.Of(dims, v...), typ, true, tensor.RoundNearest)
	if err != nil {
		panic(err)
	}
	return t
}

func randomBits(r *rand.Rand, typ tensor.Type, dims []int64, count int64) *tensor.Tensor {
	data := make([]byte, (uint64(count)*typ.Bits()+7)/8)
	for i := range data {
		data[i] = byte(r.Uint32())
		if typ == tensor.Bool {
			data[i] &= 1
		}
		if r.IntN(8) == 0 && typ != tensor.Bool {
			data[i] = []byte{0, 0x7f, 0x80, 0xff}[r.IntN(4)]
		}
	}
	if over := uint64(count) * typ.Bits() % 8; over != 0 {
		data[len(data)-1] &= 1<<over - 1
	}
	t, err := tensor.New(typ, dims, data)
	if err != nil {
		panic(err)
	}
	return t
}

// doubles are the values of a tensor of any real type.
func doubles(t *tensor.Tensor) []float64 {
	d, err := tensor.Convert(t, tensor.Double, false, tensor.RoundNearest)
	if err != nil {
		panic(err)
	}
	return tensor.Slice[float64](d)
}

// fit reports whether all values of t are such that n allows them.
func (n numbers) fit(t *tensor.Tensor) bool {
	if n.fits == nil {
		return true
	}
	for _, x := range doubles(t) {
		if !n.fits(x) {
			return false
		}
	}
	return true
}
