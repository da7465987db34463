// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"

	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/tensor"
)

// A strip holds 16 DOUBLE where it holds 32 words: lanes of DOUBLE are two rows, of the first and of the last lanes. Such
// lanes go by their first row; lasts has the other one, which is the same row where all lanes have one value.

// lastRows are the second rows of lanes of DOUBLE.
func (s *stripper) lastRows(x []row) []row {
	out := make([]row, len(x))
	for i, r := range x {
		out[i] = s.lasts[r]
	}
	return out
}

// both are lanes of DOUBLE of two rows.
func (s *stripper) both(first, last []row) []row {
	for i, r := range first {
		s.lasts[r] = last[i]
	}
	return first
}

// double adds steps on DOUBLE.
func (s *stripper) double(code strip.Code, operands ...[]row) []row {
	others := make([][]row, len(operands))
	for i, o := range operands {
		others[i] = s.lastRows(o)
	}
	return s.both(s.op(code, operands...), s.op(code, others...))
}

// widenedBy are lanes of DOUBLE made of words.
func (s *stripper) widenedBy(first, last strip.Code, words ...[]row) []row {
	return s.both(s.op(first, words...), s.op(last, words...))
}

// wordsBy are words made of lanes of DOUBLE.
func (s *stripper) wordsBy(code strip.Code, x []row) []row { return s.op(code, x, s.lastRows(x)) }

func (s *stripper) joinedWords(low, high []row) []row {
	return s.widenedBy(strip.FirstW, strip.LastW, low, high)
}

// narrowMask and wideMask are masks of words and of DOUBLE.
func (s *stripper) narrowMask(x []row) []row { return s.wordsBy(strip.LowD, x) }

func (s *stripper) wideMask(x []row) []row { return s.joinedWords(x, x) }

// doubleBits is a known DOUBLE.
func (s *stripper) doubleBits(bits uint64) []row {
	r, ok := s.doubles[bits]
	if !ok {
		r = s.row()
		s.doubles[bits], s.lasts[r] = r, r
		s.doubleWords = append(s.doubleWords, bits)
	}
	return one(r)
}

func (s *stripper) doubleOf(x float64) []row { return s.doubleBits(math.Float64bits(x)) }

// on adds steps of an operation on floats, of either type.
func (s *stripper) on(code strip.Code, operands ...[]row) []row {
	if code >= strip.AddD && code <= strip.SqrtD {
		return s.double(code, operands...)
	}
	return s.op(code, operands...)
}

// lowHigh are lanes of 33 to 64 payload bits as their low and their high words.
func (g *graph) lowHigh(l lanes) (low, high lanes, ok bool) {
	if l.v.kind == kLeaf && l.v.elem.Bits() == 64 {
		l = l.operand(0)
	}
	if l.v.kind != kBits || l.v.width <= 32 || l.v.width > 64 {
		return lanes{}, lanes{}, false
	}
	rows := l.rows(l.v.width)
	part := func(from, to int) lanes {
		var bits []int32
		for i := range rows.begin {
			bits = append(bits, rows.row(i)[from:to]...)
		}
		return g.payload(tensor.Uint32, bits, to-from)
	}
	return part(0, 32), part(32, l.v.width), g.spend(len(l.m))
}

// wholes are the rows of low and high words of lanes.
func (s *stripper) wholes(l lanes) (low, high []row, err error) {
	lo, hi, ok := s.g.lowHigh(l)
	if !ok {
		return nil, nil, noStrip(l.v, "it is no number of 64 bits of the payload")
	}
	if low, err = s.of(lo.v, lo.m); err == nil {
		high, err = s.of(hi.v, hi.m)
	}
	return low, high, err
}

// ofDoubles reports whether an operator has to do with DOUBLE.
func ofDoubles(v *value) bool {
	for _, a := range v.args {
		if a.v.elem == tensor.Double {
			return true
		}
	}
	return v.elem == tensor.Double
}

// doubled lowers an operator that takes or makes DOUBLE.
func (s *stripper) doubled(v *value, m []int32) ([]row, error) {
	name := v.run.node.OpType
	if name == "Cast" && s.holds(v.args[0].v) != nil {
		return s.fromWhole(lanes{v, m}.operand(0))
	}
	in := make([][]row, len(v.args))
	for k := range v.args {
		var err error
		if in[k], err = s.argument(v, k, m); err != nil {
			return nil, err
		}
	}
	var out []row
	ok := true
	switch name {
	case "Identity":
		out = in[0]
	case "Cast":
		out, ok = s.castDouble(v.args[0].v, v, in[0])
	case "Where":
		out = s.double(strip.Select, in[1], in[2], s.wideMask(in[0]))
	default:
		if v.elem == tensor.Bool {
			out, ok = s.doubleTest(v, in)
		} else {
			out, ok = s.doubleArithmetic(v, in)
		}
	}
	if !ok {
		return nil, noStrip(v, "no operation on strips does that")
	}
	return out, nil
}

// two32 is 2^32.
const two32 = 1 << 32

// fromWhole is integers of 64 bits as DOUBLE: the high word times 2^32 is exact, and so is the low word, and their sum is rounded
// once.
func (s *stripper) fromWhole(l lanes) ([]row, error) {
	low, high, err := s.wholes(l)
	if err != nil || !l.v.elem.IsInteger() {
		return nil, noStrip(l.v, "it is not known to fit 32 bits")
	}
	upper := s.widenedBy(strip.FirstI, strip.LastI, high)
	if !l.v.elem.IsSigned() {
		upper = s.fromUnsigned(high)
	}
	return s.double(strip.AddD, s.double(strip.MulD, upper, s.doubleOf(two32)), s.fromUnsigned(low)), nil
}

func (s *stripper) fromUnsigned(x []row) []row {
	signed := s.op(strip.Xor, x, one(s.constant(1<<31)))
	return s.double(strip.AddD, s.widenedBy(strip.FirstI, strip.LastI, signed), s.doubleOf(1<<31))
}

// castDouble converts from or to DOUBLE.
func (s *stripper) castDouble(from, to *value, x []row) ([]row, bool) {
	switch {
	case from.elem == to.elem:
		return x, true
	case from.elem != tensor.Double:
		return s.toDouble(from, x)
	case to.elem == tensor.Float:
		return s.wordsBy(strip.NarrowD, x), true
	case to.elem == tensor.Bool:
		return s.not(s.narrowMask(s.double(strip.EqualD, x, s.doubleOf(0)))), true
	case to.elem.IsInteger() && (to.elem != tensor.Uint64 || s.g.ranged(to)):
		return s.wrapped(to.elem, s.wholeWord(x)), true
	}
	return nil, false // half types round a DOUBLE once
}

// ranged reports whether the integers of a value have a range.
func (g *graph) ranged(v *value) bool {
	_, ok := g.interval(v)
	return ok
}

func (s *stripper) toDouble(from *value, x []row) ([]row, bool) {
	switch {
	case from.elem == tensor.Bool:
		x = s.op(strip.And, x, one(s.constant(1)))
		return s.widenedBy(strip.FirstI, strip.LastI, x), true
	case from.elem.IsFloat():
		wide, ok := s.widened(from.elem, x)
		if !ok {
			return nil, false
		}
		return s.widenedBy(strip.FirstD, strip.LastD, wide), true
	case s.large(from):
		return s.fromUnsigned(x), true
	}
	return s.widenedBy(strip.FirstI, strip.LastI, x), true
}

// wholeWord is the low word of DOUBLE towards zero as integers of 64 bits, NaN 0 and saturated: what 2^32 divides is taken
// off, and the rest is 31 bits and a sign around 2^31.
func (s *stripper) wholeWord(x []row) []row {
	whole := s.double(strip.TruncD, x)
	upper := s.double(strip.FloorD, s.double(strip.MulD, whole, s.doubleOf(1.0/two32)))
	rest := s.double(strip.SubD, whole, s.double(strip.MulD, upper, s.doubleOf(two32)))
	word := s.wordsBy(strip.IntD, s.double(strip.SubD, rest, s.doubleOf(1<<31)))
	word = s.op(strip.Xor, word, one(s.constant(1<<31)))
	above := s.narrowMask(s.double(strip.AtMostD, s.doubleOf(1<<63), x))
	below := s.narrowMask(s.double(strip.LessD, x, s.doubleOf(-1<<63)))
	return s.op(strip.AndNot, s.op(strip.Or, word, above), below)
}

// doubleArithmetic is an operator on DOUBLE.
func (s *stripper) doubleArithmetic(v *value, in [][]row) ([]row, bool) {
	name := v.run.node.OpType
	if code, ok := map[string]strip.Code{
		"Floor": strip.FloorD, "Ceil": strip.CeilD, "Round": strip.RoundD, "Sqrt": strip.SqrtD,
	}[name]; ok {
		return s.double(code, in[0]), true
	}
	if code, ok := map[string]strip.Code{
		"Add": strip.AddD, "Sub": strip.SubD, "Mul": strip.MulD, "Div": strip.DivD,
		"Max": strip.MaxD, "Min": strip.MinD, "Sum": strip.AddD, "Mean": strip.AddD,
	}[name]; ok {
		x := in[0]
		for _, y := range in[1:] {
			x = s.double(code, x, y)
		}
		if name == "Mean" {
			x = s.double(strip.DivD, x, s.doubleOf(float64(len(in))))
		}
		return x, true
	}
	switch name {
	case "Abs":
		return s.double(strip.And, in[0], s.doubleBits(1<<63-1)), true
	case "Neg":
		return s.double(strip.Xor, in[0], s.doubleBits(1<<63)), true
	case "Reciprocal":
		return s.double(strip.DivD, s.doubleOf(1), in[0]), true
	case "Relu":
		return s.double(strip.MaxD, in[0], s.doubleOf(0)), true
	case "Clip":
		return s.clipped(v, in, strip.MaxD, strip.MinD)
	}
	return nil, false
}

// doubleTest is a relation of DOUBLE, or a test of one.
func (s *stripper) doubleTest(v *value, in [][]row) ([]row, bool) {
	x, y := in[0], in[len(in)-1]
	switch v.run.node.OpType {
	case "Equal":
		x = s.double(strip.EqualD, x, y)
	case "Less":
		x = s.double(strip.LessD, x, y)
	case "Greater":
		x = s.double(strip.LessD, y, x)
	case "LessOrEqual":
		x = s.double(strip.AtMostD, x, y)
	case "GreaterOrEqual":
		x = s.double(strip.AtMostD, y, x)
	case "IsNaN":
		return s.not(s.narrowMask(s.double(strip.EqualD, x, x))), true
	case "IsInf":
		return s.isInf(v, x, func(x, y []row) []row { return s.narrowMask(s.double(strip.EqualD, x, y)) }, s.doubleOf), true
	default:
		return nil, false
	}
	return s.narrowMask(x), true
}
