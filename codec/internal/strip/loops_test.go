// SPDX-License-Identifier: Apache-2.0

package strip

import (
	"math/rand/v2"
	"testing"
)

// Loops are what their operation says of each word, for strips of any length and for a
// destination that is an operand.
func TestLoops(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	word := func() uint32 {
		if r.IntN(3) == 0 {
			return r.Uint32()
		}
		return special[r.IntN(len(special))]
	}
	for range 200 {
		n := r.IntN(70)
		x, y, z, dst := make([]uint32, n), make([]uint32, n), make([]uint32, n), make([]uint32, n)
		for i := range n {
			x[i], y[i], z[i], dst[i] = word(), word(), word(), word()
			if r.IntN(4) == 0 {
				y[i] = x[i]
			}
		}
		for code := range numCodes {
			checkLoop(t, code, dst, x, y)
		}
		checkSearch(t, dst, x, y, z)
	}
}

func checkLoop(t *testing.T, code Code, dst, x, y []uint32) {
	t.Helper()
	got := append([]uint32{}, x...) // in place
	var want func(i int) uint32
	switch {
	case code >= AddF && code <= EqualF:
		floats(code, got, got, y)
		want = func(i int) uint32 { return float(code, f32(x[i]), f32(y[i])) }
	case code >= AddI && code <= LessI:
		integers(code, got, got, y)
		want = func(i int) uint32 { return integer(code, x[i], y[i]) }
	case code == Copy || code >= AbsF && code <= SignF || code >= Int && code <= BFloat:
		unary(code, got, got)
		want = func(i int) uint32 { return one(code, x[i]) }
	default:
		return
	}
	for i, g := range got {
		if w := want(i); g != w && (code > SignF || !isNaN(g, isFloat) || !isNaN(w, isFloat)) {
			t.Fatalf("%s of %#x, %#x is %#x, not %#x", code, x[i], y[i], g, w)
		}
	}
}

func checkSearch(t *testing.T, best, x, index, at []uint32) {
	t.Helper()
	for _, code := range []Code{ArgMaxF, ArgMinF} {
		b, k := append([]uint32{}, best...), append([]uint32{}, index...)
		search(code, b, x, k, at)
		for i := range b {
			v, was := f32(x[i]), f32(best[i])
			beats := v > was || v != v && was == was
			if code == ArgMinF {
				beats = v < was || v != v && was == was
			}
			w, j := best[i], index[i]
			if beats {
				w, j = x[i], at[i]
			}
			if b[i] != w || k[i] != j {
				t.Fatalf("%s of %#x after %#x is %#x at %d, not %#x at %d", code, x[i], best[i], b[i], k[i], w, j)
			}
		}
	}
}
