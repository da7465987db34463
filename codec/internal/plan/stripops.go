// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"

	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/tensor"
)

// operator lowers lanes of an elementwise operator, as eval computes it.
func (s *stripper) operator(v *value, m []int32) ([]row, error) {
	if out, done, err := s.wide(v, m); done || err != nil {
		return out, err
	}
	if ofDoubles(v) {
		return s.doubled(v, m)
	}
	if out, done, err := s.byKnown(v, m); done || err != nil {
		return out, err
	}
	in := make([][]row, len(v.args))
	for k := range v.args {
		var err error
		if in[k], err = s.operand(v, k, m); err != nil {
			return nil, err
		}
	}
	var out []row
	var ok bool
	first, name := v.args[0].v, v.run.node.OpType
	switch {
	case name == "Identity":
		out, ok = in[0], true
	case name == "Cast":
		out, ok = s.cast(first, v, in[0])
	case name == "BitCast":
		out, ok = s.bitCast(first, v, in[0])
	case name == "Where":
		out, ok = s.op(strip.Select, in[1], in[2], in[0]), true
	case first.elem == tensor.Bool:
		out, ok = s.booleans(name, in)
	case first.elem.IsFloat():
		out, ok = s.floats(v, in)
	default:
		out, ok = s.integers(v, in)
	}
	if !ok {
		return nil, noStrip(v, "no operation on strips does that")
	}
	return out, nil
}

// operand returns the rows of an operand as its operator takes them.
func (s *stripper) operand(v *value, k int, m []int32) ([]row, error) {
	if !s.asFloats(v, k) {
		return s.argument(v, k, m)
	}
	wide, ok := s.g.castTo(tensor.Float, v.args[k].pick(m))
	if !ok {
		return nil, noStrip(v, "an operand is not widened")
	}
	return s.of(wide.v, wide.m)
}

// asFloats reports whether an operand of a half type is FLOAT lanes: where strips are lanes, something else may have
// made those, and less often.
func (s *stripper) asFloats(v *value, k int) bool {
	if s.columns == nil || !isHalf(v.args[k].v.elem) {
		return false
	}
	switch v.run.node.OpType {
	case "Identity", "BitCast", "Where":
		return false
	case "Cast":
		return v.elem != tensor.Float && v.elem != v.args[k].v.elem
	}
	return true
}

// not inverts masks.
func (s *stripper) not(x []row) []row { return s.op(strip.Xor, x, one(s.constant(math.MaxUint32))) }

func (s *stripper) booleans(name string, in [][]row) ([]row, bool) {
	switch name {
	case "And":
		return s.op(strip.And, in[0], in[1]), true
	case "Or":
		return s.op(strip.Or, in[0], in[1]), true
	case "Xor":
		return s.op(strip.Xor, in[0], in[1]), true
	case "Not":
		return s.not(in[0]), true
	case "Equal":
		return s.not(s.op(strip.Xor, in[0], in[1])), true
	}
	return nil, false
}

// widened are float lanes as FLOAT.
func (s *stripper) widened(elem tensor.Type, x []row) ([]row, bool) {
	switch elem {
	case tensor.Float:
		return x, true
	case tensor.Float16:
		return s.op(strip.FromHalf, x), true
	case tensor.BFloat16:
		return s.op(strip.ShiftL, x, one(s.constant(16))), true
	}
	if !elem.IsFloat() || elem.Bits() > 8 {
		return nil, false
	}
	return s.table(x, tableID{elem: elem}, func() ([]uint32, bool) {
		words := make([]uint32, 1<<elem.Bits())
		for i := range words {
			words[i] = math.Float32bits(float32(tensor.ToFloat(elem, uint64(i))))
		}
		return words, true
	})
}

// narrowed are FLOAT lanes rounded to another float type.
func (s *stripper) narrowed(elem tensor.Type, x []row) ([]row, bool) {
	switch elem {
	case tensor.Float:
		return x, true
	case tensor.Float16:
		return s.op(strip.Half, x), true
	case tensor.BFloat16:
		return s.op(strip.BFloat, x), true
	}
	return nil, false
}

// floats is an operator on floats: in FLOAT and, for half types, rounded once.
func (s *stripper) floats(v *value, in [][]row) ([]row, bool) {
	for k := range in {
		var ok bool
		if s.asFloats(v, k) {
			continue
		}
		if in[k], ok = s.widened(v.args[k].v.elem, in[k]); !ok {
			return nil, false
		}
	}
	if v.elem == tensor.Bool {
		return s.comparison(v, in)
	}
	name := v.run.node.OpType
	if code, ok := map[string]strip.Code{
		"Abs": strip.AbsF, "Neg": strip.NegF, "Floor": strip.FloorF, "Ceil": strip.CeilF, "Round": strip.RoundF,
		"Sqrt": strip.SqrtF, "Sign": strip.SignF,
	}[name]; ok {
		return s.narrowed(v.elem, s.op(code, in[0]))
	}
	if code, ok := map[string]strip.Code{
		"Add": strip.AddF, "Sub": strip.SubF, "Mul": strip.MulF, "Div": strip.DivF,
		"Max": strip.MaxF, "Min": strip.MinF, "Sum": strip.AddF, "Mean": strip.AddF,
	}[name]; ok {
		x := in[0]
		for _, y := range in[1:] {
			x = s.op(code, x, y)
		}
		if name == "Mean" {
			x = s.op(strip.DivF, x, one(s.float(float32(len(in)))))
		}
		return s.narrowed(v.elem, x)
	}
	switch name {
	case "Reciprocal":
		return s.narrowed(v.elem, s.op(strip.DivF, one(s.float(1)), in[0]))
	case "Relu":
		return s.narrowed(v.elem, s.op(strip.MaxF, in[0], one(s.float(0))))
	case "Clip":
		x, ok := s.clipped(v, in, strip.MaxF, strip.MinF)
		if !ok {
			return nil, false
		}
		return s.narrowed(v.elem, x)
	}
	return nil, false
}

// comparison is a relation of FLOAT lanes, or a test of one.
func (s *stripper) comparison(v *value, in [][]row) ([]row, bool) {
	switch v.run.node.OpType {
	case "Equal":
		return s.op(strip.EqualF, in[0], in[1]), true
	case "Less":
		return s.op(strip.LessF, in[0], in[1]), true
	case "Greater":
		return s.op(strip.LessF, in[1], in[0]), true
	case "LessOrEqual":
		return s.op(strip.AtMostF, in[0], in[1]), true
	case "GreaterOrEqual":
		return s.op(strip.AtMostF, in[1], in[0]), true
	case "IsNaN":
		return s.not(s.op(strip.EqualF, in[0], in[0])), true
	case "IsInf":
		equal := func(x, y []row) []row { return s.op(strip.EqualF, x, y) }
		return s.isInf(v, in[0], equal, func(x float64) []row { return one(s.float(float32(x))) }), true
	}
	return nil, false
}

// isInf tests floats of either type.
func (s *stripper) isInf(v *value, x []row, equal func(x, y []row) []row, number func(float64) []row) []row {
	out := one(s.constant(0))
	if attributeInt(v.run.node, "detect_positive", 1) != 0 {
		out = equal(x, number(math.Inf(1)))
	}
	if attributeInt(v.run.node, "detect_negative", 1) != 0 {
		out = s.op(strip.Or, equal(x, number(math.Inf(-1))), out)
	}
	return out
}

// clipped is Clip by known bounds, of which none is NaN.
func (s *stripper) clipped(v *value, in [][]row, greater, lesser strip.Code) ([]row, bool) {
	x, next := in[0], 1
	for k, code := range []strip.Code{1: greater, 2: lesser} {
		if k == 0 || k >= len(v.run.node.Input) || v.run.node.Input[k] == "" {
			continue
		}
		bound := v.args[next].v
		if bound.kind != kConst {
			return nil, false
		}
		for _, c := range codes(bound.data) {
			if bound.elem.IsFloat() && math.IsNaN(tensor.ToFloat(bound.elem, c)) {
				return nil, false
			}
		}
		x = s.on(code, x, in[next])
		next++
	}
	return x, next == len(in)
}

// cast converts as tensor.Convert does.
func (s *stripper) cast(from, to *value, x []row) ([]row, bool) {
	switch {
	case from.elem == to.elem:
		return x, true
	case from.elem == tensor.Bool:
		return s.fromMask(to.elem, x)
	case from.elem.IsFloat():
		wide, ok := x, true
		if !s.asFloats(to, 0) {
			wide, ok = s.widened(from.elem, x)
		}
		switch {
		case !ok:
			return nil, false
		case to.elem.IsFloat() && to.elem.Bits() <= 8:
			return s.small(to, wide)
		case to.elem.IsFloat():
			return s.narrowed(to.elem, wide)
		case to.elem == tensor.Bool:
			return s.not(s.op(strip.EqualF, wide, one(s.float(0)))), true
		}
		// An integer of 64 bits has a word, so that the low word is all of it.
		return s.wrapped(to.elem, s.op(strip.Int, wide)), true
	case to.elem == tensor.Bool:
		return s.not(s.op(strip.EqualI, x, one(s.constant(0)))), true
	case to.elem.IsFloat():
		span, ok := s.g.interval(from)
		exact := ok && span.within(1<<24)
		switch {
		case s.large(from) || to.elem == tensor.BFloat16 && !exact:
			return nil, false
		case to.elem.Bits() <= 8:
			out, done := s.small(to, s.op(strip.Float, x))
			return out, exact && done
		}
		return s.narrowed(to.elem, s.op(strip.Float, x))
	}
	if r, ok := s.g.rawSpan(to); ok && s.stays(to.elem, r) {
		return x, true
	}
	return s.wrapped(to.elem, x), true
}

// fromMask turns masks into 0 and 1.
func (s *stripper) fromMask(elem tensor.Type, x []row) ([]row, bool) {
	unit := uint32(1)
	switch elem {
	case tensor.Float:
		unit = math.Float32bits(1)
	case tensor.Float16:
		unit = uint32(tensor.F32ToF16(1))
	case tensor.BFloat16:
		unit = uint32(tensor.F32ToBF16(1))
	default:
		if elem.IsFloat() {
			return nil, false
		}
	}
	return s.op(strip.And, x, one(s.constant(unit))), true
}

// bitCast reads the bits of one type as another. The bits of a NaN that arithmetic made are not
// defined.
func (s *stripper) bitCast(from, to *value, x []row) ([]row, bool) {
	if from.elem.IsFloat() && !definedNaN(from, 0) {
		return nil, false
	}
	if from.elem == tensor.Bool || to.elem == tensor.Bool || to.elem.Bits() > 32 {
		return nil, false
	}
	if to.elem.IsFloat() {
		if w := to.elem.Bits(); w < 32 {
			x = s.op(strip.And, x, one(s.constant(1<<w-1)))
		}
		return x, true
	}
	return s.wrapped(to.elem, x), true
}

// definedNaN reports whether lanes are elements that were given, each with its bits.
func definedNaN(v *value, depth int) bool {
	operands := v.args
	switch {
	case depth > 20:
		return false
	case v.kind == kLeaf || v.kind == kConst || v.kind == kTab:
		return true
	case v.kind == kFold:
		if v.fold != maxFold && v.fold != minFold {
			return false
		}
	case v.kind == kOp:
		switch v.run.node.OpType {
		case "BitCast":
			return true
		case "Where":
			operands = operands[1:]
		case "Abs", "Max", "Min":
			if v.elem != tensor.Float {
				return false
			}
		default:
			return false
		}
	case v.kind != kSel:
		return false
	}
	for _, a := range operands {
		if !definedNaN(a.v, depth+1) {
			return false
		}
	}
	return true
}

// wrapped keeps the bits that an integer type has.
func (s *stripper) wrapped(elem tensor.Type, x []row) []row {
	switch w := uint32(elem.Bits()); {
	case w >= 32:
		return x
	case elem.IsSigned():
		n := one(s.constant(32 - w))
		return s.op(strip.ShiftA, s.op(strip.ShiftL, x, n), n)
	default:
		return s.op(strip.And, x, one(s.constant(1<<w-1)))
	}
}
