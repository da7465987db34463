// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestOnceRounded: arithmetic on FLOAT in DOUBLE, rounded again, is that in FLOAT.
func TestOnceRounded(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	number := func() float32 {
		bits := r.Uint32()
		switch r.IntN(4) {
		case 0: // denormal, or nearly
			bits &= 0x80ffffff
		case 1: // few bits
			bits &= 0xfff80000 | 1<<r.IntN(19)
		case 2: // near 1
			bits = bits&0x007fffff | 0x3f000000 + uint32(r.IntN(4))<<23
		}
		return math.Float32frombits(bits)
	}
	same := func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y }
	for range 2_000_000 {
		x, y := number(), number()
		wx, wy := float64(x), float64(y)
		if !same(float32(wx+wy), x+y) || !same(float32(wx-wy), x-y) || !same(float32(wx*wy), x*y) || !same(float32(wx/wy), x/y) {
			t.Fatalf("%x and %x", x, y)
		}
	}
}
