// SPDX-License-Identifier: Apache-2.0

package strip

import (
	"math"
	"math/bits"
)

// LeastDividend is the magnitude that dividends of ByF have at least, but for zeros.
const LeastDividend = 0x1p-50

// Reciprocal is 1 / c as the sum of two numbers that ByF takes, with which it is a division by c. It is for divisors of
// up to 20 significant bits, from 2^-30 to 2^30; powers of two are none of them, by those one multiplies.
//
// Both numbers have the sign of c: high is 1 / c rounded towards zero, and low, rounded, what is left. So they are 1 / c up to 2^-47 of
// it, low is not below 2^-45 of it, and X * low, rounded, is X / c * 2^-23 at most, with an error of 2^-47 of X / c. What is rounded in
// the end is X / c but for less than 2^-45.5 of it; a result in DOUBLE is nearer. That rounds as X / c does, if no number half-way between two FLOAT is as
// near: be that M * 2^e, with an odd M of 25 bits, X an odd number times 2^j, and c likewise C * 2^k, so that
// X / c - M * 2^e is (X - M * C * 2^(e+k)) / c. The difference in brackets is not 0, since M * C has more bits than X, and it is a multiple
// of 2^j or of 2^(e+k): in the first case it is 2^-24 of X at least, in the second one 1 / (M * C) of it, which is more
// than 2^-45. Neither product is below the least normal number; an infinity, a NaN, and zeros, as the signs are equal,
// are what they are divided by c.
func Reciprocal(c float32) (high, low float32, ok bool) {
	magnitude := math.Abs(float64(c))
	if !(magnitude >= 0x1p-30 && magnitude <= 0x1p30) {
		return 0, 0, false
	}
	mantissa := math.Float32bits(c)&(1<<23-1) | 1<<23
	mantissa >>= bits.TrailingZeros32(mantissa)
	exact := 1 / float64(c) // up to 2^-53 of it
	high = float32(exact)
	if math.Abs(float64(high)) > math.Abs(exact) {
		high = math.Nextafter32(high, 0)
	}
	return high, float32(exact - float64(high)), mantissa > 1 && mantissa < 1<<20
}
