// SPDX-License-Identifier: Apache-2.0

package strip

import (
	"math"
	"math/rand/v2"
	"testing"
)

// divisors are some that decoders divide by, and some with twenty bits.
var divisors = []float32{
	3, 5, 6, 7, 9, 10, 11, 15, 31, 51, 63, 81, 100, 127, 200, 219, 243, 255, 511, 876, 1000, 1023, 1e4, 19683, 32767, 65535, 1e5, 1e6, 0x1p20 - 1,
	0x1p30 - 0x1p10, 0x1.00002p-20, 0x1.ffffep-30, -3, -255, 0.75, -0x1.8p-9, 524289, 699051,
}

// TestReciprocal: products and sums are quotients, for all integers of 16 bits, for floats between which a quotient is nearly half-way,
// and for the largest and the least that are allowed.
func TestReciprocal(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for _, c := range divisors {
		high, low, ok := Reciprocal(c)
		if !ok {
			t.Fatalf("%v has none", c)
		}
		p := &Program{
			Rows: 4, Columns: []Column{OfWords}, OutBytes: 4, Out: []Row{3},
			Constants: []Constant{{1, math.Float32bits(high)}, {2, math.Float32bits(low)}},
			Ops:       []Op{{Code: ByF, Steps: []Step{{Dst: 3, X: 0, Y: 1, Z: 2}}}},
		}
		x := dividends(r, c)
		n := len(x) / TileLanes * TileLanes
		for _, f := range []*Frame{p.NewFrame(), p.PlainFrame()} {
			out := make([]float32, n)
			f.Floats([]Source{{Words: x}}, n, out, false)
			for i, got := range out {
				if want := x[i] / c; math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
					t.Fatalf("%x / %v: %x, expected %x", x[i], c, got, want)
				}
			}
		}
	}
	for _, c := range []float32{0, 1, -4, 0x1p-20, 0x1p20 + 1, 0.1, 0x1.8p31, 0x1.8p-31, float32(math.Inf(1)), float32(math.NaN())} {
		if _, _, ok := Reciprocal(c); ok {
			t.Errorf("%v has one", c)
		}
	}
}

func dividends(r *rand.Rand, c float32) []float32 {
	list := []float32{
		0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), math.MaxFloat32, -math.MaxFloat32,
		LeastDividend, -LeastDividend,
	}
	for x := range 1 << 16 {
		list = append(list, float32(x), -float32(x))
	}
	for range 100000 { // what is nearest to a number half-way, times c
		half := float64(1<<24+2*r.IntN(1<<23)+1) * math.Ldexp(float64(c), r.IntN(40)-40)
		x := float32(half)
		if math.Abs(float64(x)) >= LeastDividend {
			list = append(list, x, math.Nextafter32(x, 0), math.Nextafter32(x, 2*x))
		}
	}
	return append(list, make([]float32, Spare)...)
}
