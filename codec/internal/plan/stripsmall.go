// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"

	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/tensor"
)

// smallFloat describes a float type of at most 8 bits: see tensor.FromFloat.
type smallFloat struct {
	width, mantissa uint32
	bias            int
	largest         uint32 // magnitude of the largest finite value
	beyond          uint32 // magnitude of what is larger, without saturation
	nan             uint32 // magnitude of NaN
	oneZero         bool   // no -0, whose code is NaN
	clamps          bool   // saturates in any case
}

var smallFloats = map[tensor.Type]smallFloat{
	tensor.Float8E4M3FN:   {8, 3, 7, 0x7e, 0x7f, 0x7f, false, false},
	tensor.Float8E4M3FNUZ: {8, 3, 8, 0x7f, 0x80, 0x80, true, false},
	tensor.Float8E5M2:     {8, 2, 15, 0x7b, 0x7c, 0x7e, false, false},
	tensor.Float8E5M2FNUZ: {8, 2, 16, 0x7f, 0x80, 0x80, true, false},
	tensor.Float4E2M1:     {4, 1, 1, 0x7, 0x7, 0x8, false, true},
}

// small rounds FLOAT lanes to a float type of at most 8 bits, as Cast does with its attributes.
func (s *stripper) small(to *value, x []row) ([]row, bool) {
	saturates := attributeInt(to.run.node, "saturate", 1) != 0
	if to.elem == tensor.Float8E8M0 {
		mode := attributeString(to.run.node, "round_mode")
		return s.power(x), saturates && (mode == "" || mode == "up")
	}
	f, ok := smallFloats[to.elem]
	if !ok {
		return nil, false
	}
	word := func(w uint32) []row { return one(s.constant(w)) }
	a := s.op(strip.AbsF, x)
	cut := 23 - f.mantissa
	odd := s.op(strip.And, s.op(strip.ShiftR, a, word(cut)), word(1))
	rounded := s.op(strip.AddI, s.op(strip.AddI, a, word(1<<(cut-1)-1)), odd)
	code := s.op(strip.SubI, s.op(strip.ShiftR, rounded, word(cut)), word(uint32(127-f.bias)<<f.mantissa))
	// A sum with a number whose last bit counts the smallest steps rounds to them.
	least := float32(math.Ldexp(1, 1-f.bias))
	step := float32(math.Ldexp(1, 1-f.bias-int(f.mantissa)+23))
	under := s.op(strip.SubI, s.op(strip.AddF, a, one(s.float(step))), word(math.Float32bits(step)))
	code = s.op(strip.Select, under, code, s.op(strip.LessF, a, one(s.float(least))))
	beyond := f.beyond
	if saturates || f.clamps {
		beyond = f.largest
	}
	code = s.op(strip.Select, word(beyond), code, s.op(strip.LessI, word(f.largest), code))
	number := s.op(strip.EqualF, x, x)
	code = s.op(strip.Select, code, word(f.nan), number)
	sign := s.op(strip.And, s.op(strip.ShiftR, x, word(32-f.width)), word(1<<(f.width-1)))
	if f.oneZero {
		sign = s.op(strip.AndNot, sign, s.op(strip.EqualI, code, word(0)))
	}
	return s.op(strip.Or, code, sign), true
}

// power rounds up to the next power of two, as FLOAT8E8M0. The denormal 2^-127 is its code 0.
func (s *stripper) power(x []row) []row {
	word := func(w uint32) []row { return one(s.constant(w)) }
	a := s.op(strip.AbsF, x)
	code := s.op(strip.MinI, s.op(strip.ShiftR, s.op(strip.AddI, a, word(1<<23-1)), word(23)), word(254))
	low := s.op(strip.And, s.op(strip.LessI, word(1<<22), a), word(1))
	code = s.op(strip.Select, low, code, s.op(strip.LessI, a, word(1<<23)))
	return s.op(strip.Select, code, word(255), s.op(strip.AtMostF, one(s.float(0)), x))
}
