// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/structview/structview/tensor"
)

// parseStrings casts decimal numbers: "3.14", "1e-5", "1E8"; "INF", "+INF", "-INF" and "NaN" in any case.
// Integer types take what the number truncates to. Anything else is an error.
func parseStrings(from *tensor.Tensor, to tensor.Type, saturate bool, mode tensor.RoundMode) (*tensor.Tensor, error) {
	if to.IsInteger() || to == tensor.Bool {
		return parseIntegers(from, to)
	}
	bits := 64
	if to == tensor.Float {
		bits = 32
	}
	v := make([]float64, from.Len())
	for i, s := range from.Strings() {
		x, err := strconv.ParseFloat(strings.TrimSpace(string(s)), bits)
		if err != nil && !math.IsInf(x, 0) {
			return nil, fmt.Errorf("element %d, %q, is no number", i, s)
		}
		v[i] = x
	}
	return tensor.FromFloat64s(to, from.Dims(), v, saturate, mode)
}

func parseIntegers(from *tensor.Tensor, to tensor.Type) (*tensor.Tensor, error) {
	v := make([]int64, from.Len())
	for i, s := range from.Strings() {
		text := strings.TrimSpace(string(s))
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			v[i] = n
			continue
		}
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			v[i] = int64(n)
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(math.Abs(x) < 1<<63) {
			return nil, fmt.Errorf("element %d, %q, is no integer", i, s)
		}
		v[i] = int64(x)
	}
	return tensor.FromInt64s(to, from.Dims(), v, true, tensor.RoundNearest)
}

// formatStrings writes each element as the shortest decimal number that reads back as it is.
func formatStrings(from *tensor.Tensor) (*tensor.Tensor, error) {
	out := make([][]byte, from.Len())
	switch t := from.Type(); {
	case t == tensor.Uint64:
		for i, x := range tensor.Slice[uint64](from) {
			out[i] = strconv.AppendUint(nil, x, 10)
		}
	case t.IsInteger() || t == tensor.Bool:
		v, err := tensor.Int64s(from)
		if err != nil {
			return nil, err
		}
		for i, x := range v {
			out[i] = strconv.AppendInt(nil, x, 10)
		}
	default:
		v, err := tensor.Float64s(from)
		if err != nil {
			return nil, err
		}
		for i, x := range v {
			out[i] = []byte(formatFloat(x, t))
		}
	}
	return tensor.NewStrings(from.Dims(), out)
}

// formatFloat writes x plainly, with an exponent below 1e-4 and from 1e16 on, as NumPy does.
func formatFloat(x float64, t tensor.Type) string {
	bits := 32
	if t == tensor.Double {
		bits = 64
	}
	switch a := math.Abs(x); {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(x, 'f', -1, 64)), "+")
	case t == tensor.Float16 || t == tensor.BFloat16 || t.Bits() < 16:
		return shortest(x, t)
	case a != 0 && (a < 1e-4 || a >= 1e16):
		return strconv.FormatFloat(x, 'e', -1, bits)
	}
	return withPoint(strconv.FormatFloat(x, 'f', -1, bits))
}

// shortest finds the fewest digits that still read back as the small float x.
func shortest(x float64, t tensor.Type) string {
	code := tensor.FromFloat(t, x, false, tensor.RoundNearest)
	for digits := 1; digits < 17; digits++ {
		s := strconv.FormatFloat(x, 'g', digits, 64)
		y, err := strconv.ParseFloat(s, 64)
		if err == nil && tensor.FromFloat(t, y, false, tensor.RoundNearest) == code {
			return withPoint(s)
		}
	}
	return withPoint(strconv.FormatFloat(x, 'g', -1, 64))
}

func withPoint(s string) string {
	if strings.ContainsAny(s, ".e") {
		return s
	}
	return s + ".0"
}
