// SPDX-License-Identifier: Apache-2.0

package ggml

import (
	"iter"
	"math"
	"math/rand/v2"
)

// adversary makes blocks on which wrong encoders differ from right ones: where rounding goes either way,
// where two elements tie, and where a scale is at an end of its range.
type adversary struct{ *rand.Rand }

// smallest is the largest magnitude below which ggml leaves a type's encoder undefined, since the inverse of the scale
// overflows; blocks of zeros are defined. iq4_nl gives up earlier.
func smallest(name string) float32 {
	if name == "iq4_nl" {
		return 1e-15
	}
	return 0x1p-119
}

// block fills x with a defined block: in half of the cases normal values, otherwise an adversarial pattern.
func (a adversary) block(x []float32, name string) {
	patterns := []func([]float32){
		a.halves, a.powers, a.zeros, a.ties, a.denormalScale, a.halves, a.powers, a.e2m1Midpoints, a.iq4Midpoints, a.e4m3Midpoints,
	}
	a.normal(x, a.scale())
	if a.IntN(2) == 0 {
		patterns[a.IntN(len(patterns))](x)
	}
	if m := largest(x); m != 0 && m < smallest(name) {
		a.normal(x, 1)
	}
}

func largest(x []float32) float32 {
	var m float32
	for _, v := range x {
		m = max(m, float32(math.Abs(float64(v))))
	}
	return m
}

// scalar is any bit pattern, or one beside the middle of two neighbours of f16 or bf16.
func (a adversary) scalar() float32 {
	bits := a.Uint32()
	switch a.IntN(4) {
	case 0:
		bits = bits&^0x1fff | 0x1000 // halfway for f16
	case 1:
		bits = bits&^0xffff | 0x8000 // halfway for bf16
	case 2: // halfway between two denormals of f16
		return a.sign(ulps(float32(math.Ldexp(float64(a.IntN(1024))+0.5, -24)), a.IntN(3)-1))
	}
	return ulps(math.Float32frombits(bits), a.IntN(3)-1)
}

// scale is a random magnitude, a power of two in half of the cases.
func (a adversary) scale() float64 {
	s := math.Ldexp(1, a.IntN(40)-20)
	if a.IntN(2) == 0 {
		s *= 1 + a.Float64()
	}
	return s
}

func (a adversary) sign(x float32) float32 {
	if a.IntN(2) == 0 {
		return -x
	}
	return x
}

// ulps is the float n places further on; a zero stays.
func ulps(x float32, n int) float32 {
	if x == 0 {
		return x
	}
	return math.Float32frombits(uint32(int64(math.Float32bits(x)) + int64(n)))
}

func (a adversary) normal(x []float32, scale float64) {
	for i := range x {
		x[i] = float32(a.NormFloat64() * scale)
	}
}

// halves are (k + 1/2) steps ± 2 ulp, beside an element that fixes the step.
func (a adversary) halves(x []float32) {
	codes := []int{1, 2, 6, 8, 12, 15, 16, 31, 127}
	n, step := codes[a.IntN(len(codes))], a.scale()
	var base float32
	if a.IntN(3) == 0 { // for types with a minimum
		base = float32(a.NormFloat64() * step * 10)
	}
	for i := range x {
		k := float64(a.IntN(2*n+1)-n) + 0.5
		x[i] = base + ulps(float32(k*step), a.IntN(5)-2)
	}
	m := a.IntN(len(x))
	x[m] = base + a.sign(float32(float64(n)*step))
	if a.IntN(3) == 0 {
		x[(m+1)%len(x)] = base
	}
}

// powers have a largest element of 2^k ± 60 ulp.
func (a adversary) powers(x []float32) {
	p := math.Ldexp(1, a.IntN(200)-100)
	a.normal(x, p/4)
	for i := range x {
		if math.Abs(float64(x[i])) > p/2 {
			x[i] = 0
		}
	}
	x[a.IntN(len(x))] = a.sign(ulps(float32(p), a.IntN(121)-60))
}

// zeros are zeros of both signs, alone or with up to three other elements.
func (a adversary) zeros(x []float32) {
	for i := range x {
		x[i] = math.Float32frombits(uint32(a.IntN(2)) << 31)
	}
	if a.IntN(2) == 0 {
		return
	}
	for range 1 + a.IntN(3) {
		x[a.IntN(len(x))] = float32(a.NormFloat64() * a.scale())
	}
}

// ties have many elements of the largest magnitude and of both signs.
func (a adversary) ties(x []float32) {
	s := float32(a.scale())
	for i := range x {
		x[i] = a.sign(s)
		if a.IntN(3) == 0 {
			x[i] = a.sign(s / 2)
		}
	}
}

// denormalScale gives scales that are denormal as f16, or vanish.
func (a adversary) denormalScale(x []float32) {
	a.normal(x, math.Ldexp(1+a.Float64(), -12-a.IntN(24)))
}

// e2m1Midpoints lie between the values of FLOAT4E2M1, under scales of groups of 16.
func (a adversary) e2m1Midpoints(x []float32) {
	values := []float64{0, .5, 1, 1.5, 2, 3, 4, 6}
	scale := a.scale()
	for group := range groups(x) {
		for i := range group {
			k := a.IntN(7)
			group[i] = a.sign(ulps(float32((values[k]+values[k+1])/2*scale), a.IntN(5)-2))
		}
		group[0] = a.sign(float32(6 * scale))
		if a.IntN(2) == 0 {
			scale = math.Ldexp(float64(8+a.IntN(8)), a.IntN(8)-7)
		}
	}
}

// iq4Midpoints lie between the values of iq4_nl's codebook.
func (a adversary) iq4Midpoints(x []float32) {
	values := []float64{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113}
	scale, sign := a.scale(), a.sign(1)
	for i := range x {
		k := a.IntN(15)
		x[i] = sign * ulps(float32((values[k]+values[k+1])/2*scale), a.IntN(7)-3)
	}
	x[a.IntN(len(x))] = sign * float32(-127*scale)
}

// e4m3Midpoints have group scales between two values of FLOAT8E4M3FN, normal and denormal ones.
func (a adversary) e4m3Midpoints(x []float32) {
	for group := range groups(x) {
		t := math.Ldexp(1+(float64(a.IntN(9))-0.5)/8, a.IntN(22)-12)
		if a.IntN(3) == 0 {
			t = (float64(a.IntN(9)) + 0.5) / 512
		}
		m := ulps(float32(t*6), a.IntN(9)-4)
		for i := range group {
			group[i] = m * float32(a.Float64()*2-1)
		}
		group[a.IntN(len(group))] = a.sign(m)
	}
}

// groups are the runs of 16 elements.
func groups(x []float32) iter.Seq[[]float32] {
	return func(yield func([]float32) bool) {
		for from := 0; from < len(x); from += 16 {
			if !yield(x[from:min(from+16, len(x))]) {
				return
			}
		}
	}
}
