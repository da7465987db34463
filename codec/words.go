// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"fmt"
	"strconv"
)

// counted writes a count with its noun.
func counted[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// number writes x with the given number of digits that count, and all digits before the point.
func number(x float64, digits int) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	if err != nil {
		rounded = x
	}
	if whole := strconv.FormatFloat(x, 'f', 0, 64); len(whole) > digits {
		return whole
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
