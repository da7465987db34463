// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"fmt"
	"math"
	"strconv"

	"github.com/structview/structview/tensor"
)

// code returns the bits of a value of an element type. A problem is what an error
// says to be expected.
func (p *parser) code(t tensor.Type, tok token) (code uint64, problem string) {
	text := p.text(tok)
	switch {
	case t.IsFloat():
		return p.floatCode(t, tok.kind, text)
	case t == tensor.Bool && text == "true":
		return 1, ""
	case t == tensor.Bool && text == "false":
		return 0, ""
	case tok.kind != kindNumber:
		return 0, rangeText(t)
	}
	negative, magnitude, ok := parseMagnitude(text)
	if ok {
		code, ok = integerCode(t.Bits(), t.IsSigned(), negative, magnitude)
	}
	if !ok {
		return 0, rangeText(t)
	}
	return code, ""
}

// integerCode returns the bits of an integer; false when it is out of range.
func integerCode(width uint64, signed, negative bool, magnitude uint64) (uint64, bool) {
	mask := uint64(1)<<(width-1)<<1 - 1
	switch limit := mask >> 1; {
	case !signed:
		return magnitude, magnitude <= mask && (!negative || magnitude == 0)
	case negative:
		return -magnitude & mask, magnitude <= limit+1
	default:
		return magnitude, magnitude <= limit
	}
}

// rangeText says which values a type of no more than 64 bits takes.
func rangeText(t tensor.Type) string {
	width := t.Bits()
	switch {
	case t == tensor.Bool:
		return "a value of bool: 0, 1, true or false"
	case t.IsSigned():
		return fmt.Sprintf("a value of %s: %d to %d", t.Text(), int64(-1)<<(width-1), int64(1)<<(width-1)-1)
	default:
		return fmt.Sprintf("a value of %s: 0 to %d", t.Text(), uint64(1)<<(width-1)<<1-1)
	}
}

// parseMagnitude reads an integer, decimal or hexadecimal.
func parseMagnitude(text string) (negative bool, magnitude uint64, ok bool) {
	if text != "" && text[0] == '-' {
		negative, text = true, text[1:]
	}
	if len(text) > 2 && text[1]|0x20 == 'x' {
		v, err := strconv.ParseUint(text[2:], 16, 64)
		return negative, v, err == nil
	}
	if len(text) > 18 {
		v, err := strconv.ParseUint(text, 10, 64)
		return negative, v, err == nil
	}
	for i := range len(text) {
		if !isDecimal(text[i]) {
			return negative, 0, false
		}
		magnitude = magnitude*10 + uint64(text[i]-'0')
	}
	return negative, magnitude, text != ""
}

// parseInt reads an integer of 64 bits with sign.
func parseInt(text string) (int64, bool) {
	negative, magnitude, ok := parseMagnitude(text)
	switch {
	case !ok:
		return 0, false
	case negative:
		return int64(-magnitude), magnitude <= 1<<63
	default:
		return int64(magnitude), magnitude < 1<<63
	}
}

// isInteger reports whether a number is written as an integer.
func isInteger(text string) bool {
	_, _, ok := parseMagnitude(text)
	return ok
}

// floatCode reads a value of a floating point type. A hexadecimal integer is the code itself.
func (p *parser) floatCode(t tensor.Type, k kind, text string) (code uint64, problem string) {
	width := t.Bits()
	if k != kindNumber && (k != kindName || !isSpecial(text)) {
		return 0, floatProblem(t, "")
	}
	if len(text) > 2 && text[1]|0x20 == 'x' && isInteger(text) {
		_, v, _ := parseMagnitude(text)
		if v>>(width-1)>>1 != 0 {
			return 0, floatProblem(t, fmt.Sprintf(": a code of %d bits", width))
		}
		return v, ""
	}
	if width < 32 && isInteger(text) {
		return 0, floatProblem(t, " with a point or as code, such as 1.0 or 0x1f, since ONNX takes an integer for a code")
	}
	if width < 16 {
		return p.smallFloat.code(t, text)
	}
	return wideCode(t, text)
}

func floatProblem(t tensor.Type, more string) string { return "a value of " + t.Text() + more }

// parseFloat rounds to nearest even; -nan has the sign bit set.
func parseFloat(text string, width int) (float64, error) {
	if text[0] == '-' {
		v, err := strconv.ParseFloat(text[1:], width)
		return math.Copysign(v, -1), err
	}
	return strconv.ParseFloat(text, width)
}

// wideCode reads a value of a type of 16 bits or more.
func wideCode(t tensor.Type, text string) (uint64, string) {
	precision := 64
	if t == tensor.Float {
		precision = 32 // rounded once
	}
	v, err := parseFloat(text, precision)
	if err != nil {
		return 0, floatProblem(t, " that does not overflow")
	}
	if math.IsNaN(v) {
		return nanCode(t, math.Signbit(v)), ""
	}
	code := tensor.FromFloat(t, v, false, tensor.RoundNearest)
	if math.IsInf(tensor.ToFloat(t, code), 0) && !math.IsInf(v, 0) {
		return 0, floatProblem(t, " that does not overflow")
	}
	return code, ""
}

// nanCode returns the code that nan and -nan stand for: quiet, without payload;
// in the 8-bit types with a mantissa, where there is a choice, all ones.
func nanCode(t tensor.Type, negative bool) uint64 {
	width := t.Bits()
	var code uint64
	switch t {
	case tensor.Float:
		code = 0x7FC00000
	case tensor.Double:
		code = 0x7FF8 << 48
	case tensor.Float16:
		code = 0x7E00
	case tensor.BFloat16:
		code = 0x7FC0
	case tensor.Float8E4M3FN, tensor.Float8E5M2:
		code = 0x7F
	case tensor.Float8E4M3FNUZ, tensor.Float8E5M2FNUZ:
		return 0x80
	case tensor.Float8E8M0:
		return 0xFF
	}
	if negative {
		code |= 1 << (width - 1)
	}
	return code
}

// smallFloats maps values to the codes of the types of 8 and 4 bits, made when a
// text first has one.
type smallFloats map[tensor.Type]map[uint64]uint64

func (s *smallFloats) code(t tensor.Type, text string) (uint64, string) {
	v, err := parseFloat(text, 32)
	if err != nil {
		return 0, floatProblem(t, "")
	}
	if math.IsNaN(v) {
		code := nanCode(t, math.Signbit(v))
		if !math.IsNaN(tensor.ToFloat(t, code)) || math.Signbit(v) && code == nanCode(t, false) {
			return 0, floatProblem(t, ", which has no such NaN")
		}
		return code, ""
	}
	code, ok := s.table(t)[math.Float64bits(v)]
	if !ok {
		return 0, floatProblem(t, " that it holds exactly")
	}
	return code, ""
}

func (s *smallFloats) table(t tensor.Type) map[uint64]uint64 {
	if m := (*s)[t]; m != nil {
		return m
	}
	m := make(map[uint64]uint64, 256)
	for code := range uint64(1) << t.Bits() {
		if v := tensor.ToFloat(t, code); !math.IsNaN(v) {
			m[math.Float64bits(v)] = code
		}
	}
	if *s == nil {
		*s = make(smallFloats)
	}
	(*s)[t] = m
	return m
}
