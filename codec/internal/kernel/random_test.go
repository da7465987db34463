// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"math"
	"math/rand/v2"
)

// random makes values for tests.
type random struct{ *rand.Rand }

func newRandom(seed uint64) random { return random{rand.New(rand.NewPCG(seed, 3))} }

// trials is how many cases most tests try.
const trials = 400

// float is any float, specials often.
func (b random) float() float32 {
	specials := []uint32{0, 1 << 31, 0x7f800000, 0xff800000, 0x7fc00001, 0xffc00000, 1, 0x80000001, 0x007fffff, 0x7f7fffff, 0x3f800000}
	switch b.IntN(4) {
	case 0:
		return math.Float32frombits(specials[b.IntN(len(specials))])
	case 1:
		return math.Float32frombits(b.Uint32())
	default:
		return float32(b.NormFloat64())
	}
}
