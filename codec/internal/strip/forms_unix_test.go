// SPDX-License-Identifier: Apache-2.0

//go:build unix && amd64 && !purego

package strip

import (
	"math/rand/v2"
	"testing"
)

// operandKinds are the kinds of a code's result and of X, Y and Z.
func operandKinds(code Code) [4]kind {
	switch {
	case code == LessF, code == AtMostF, code == EqualF, code == Int, code == Cut:
		return [4]kind{isInt, isFloat, isFloat, isInt}
	case code == Half, code == BFloat: // exact here: the operand is no result of arithmetic
		return [4]kind{isInt, isFloat, isFloat, isInt}
	case code == FromHalf:
		return [4]kind{isFloat, isHalf, isHalf, isInt}
	case code == Float:
		return [4]kind{isFloat, isInt, isInt, isInt}
	case code == ArgMaxF, code == ArgMinF:
		return [4]kind{isFloat, isFloat, isInt, isInt}
	case code >= LessD && code <= EqualD, code == IntD:
		return [4]kind{isInt, isDouble, isDouble, isInt}
	case code == LowD, code == HighD: // the bits of a NaN that was given
		return [4]kind{isInt, isInt, isInt, isInt}
	case code == NarrowD:
		return [4]kind{isFloat, isDouble, isDouble, isInt}
	case code == FirstD, code == LastD:
		return [4]kind{isDouble, isFloat, isFloat, isInt}
	case code >= FirstI && code <= LastW:
		return [4]kind{isDouble, isInt, isInt, isInt}
	case code >= AddD:
		return [4]kind{isDouble, isDouble, isDouble, isInt}
	case code >= AddF && code < AddI:
		return [4]kind{isFloat, isFloat, isFloat, isInt}
	}
	return [4]kind{}
}

// producer is a step that computes strip 8 of a kind from the input.
func producer(k kind) Op {
	switch k {
	case isFloat:
		return Op{Code: NegF, Steps: []Step{{Dst: 8}}}
	case isHalf:
		return Op{Code: Half, Steps: []Step{{Dst: 8}}}
	}
	return Op{Code: Xor, Steps: []Step{{Dst: 8, Y: 1}}} // a DOUBLE as well
}

// TestVector compares vector code with its twins and sees that every snippet was needed.
func TestVector(t *testing.T) {
	b := newBoth(t)
	t.Run("forms", b.forms)
	t.Run("values", b.values)
	t.Run("random", b.random)
	t.Run("ahead", b.ahead)
	t.Run("guesses", b.guesses)
	t.Run("numbers", b.numbers)
	t.Run("columns", b.columns)
	t.Run("doubles", b.doubles)
	for i, used := range b.used {
		if !used && !testing.Short() {
			t.Errorf("snippet %d never ran", i)
		}
	}
}

// forms runs each code with each operand in the accumulator and in memory, in place and not,
// its result used by the next step or stored.
func (b *both) forms(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for code := Copy; code < numCodes; code++ {
		for form := range 16 {
			for variant := range 16 {
				p, kinds := formProgram(code, form, variant)
				const n = 77
				b.compare(t, p, kinds, &choices{randomBytes(r, 4*n*p.InBytes)}, n)
			}
		}
	}
	for _, size := range [][2]int{{1, 4}, {4, 1}, {2, 2}, {4, 2}, {1, 1}, {2, 4}, {4, 4}, {8, 4}, {4, 8}, {8, 2}, {8, 1}} {
		for uses := range 3 {
			p := &Program{Rows: 8, InBytes: size[0], OutBytes: size[1], Out: []Row{[]Row{0, 4, 5}[uses], 1}[:words(size[1])], Constants: []Constant{{7, 5}}}
			p.Ops = []Op{{Code: Xor, Steps: []Step{{Dst: 4, X: 0, Y: 7}, {Dst: 5, X: 0, Y: 4}}}}
			b.compare(t, p, make([]kind, words(size[1])), &choices{randomBytes(r, 1000)}, 100)
		}
	}
}

// formProgram is code with those operands that bits of form tell computed just before, or equal.
func formProgram(code Code, form, variant int) (*Program, []kind) {
	p := &Program{Rows: 16, InBytes: 32, OutBytes: 8}
	k := operandKinds(code)
	s := Step{Dst: 9, X: 0, Y: 1, Z: 2, Mask: 0xff0f, Right: uint8(variant >> 2 & 1 * 5), Left: uint8(variant >> 3 * 4), First: form&4 > 0}
	op := Op{Code: code, Table: special[:[]int{4, 16, 37, 37}[variant>>2]]}
	if code == Table {
		p.Ops = append(p.Ops, Op{Code: Bits, Steps: []Step{{Dst: 1, Mask: 1, First: true}, {Dst: 0, Mask: 1, Right: 1, Left: 1}}})
		p.Ops[0].Steps[1].Mask, p.Ops[0].Steps[1].First = 1, true
	}
	made := producer(k[1])
	if form&8 > 0 {
		made = producer(k[2])
	}
	if code == Table {
		if form&2 > 0 { // another user of strip 0 comes first
			p.Ops = append(p.Ops, Op{Code: Xor, Steps: []Step{{Dst: 10, X: 0, Y: 1}}})
		}
		made = Op{Code: Xor, Steps: []Step{{Dst: 8, X: 0, Y: 1}}}
	}
	for i, at := range []*Row{&s.X, &s.Y, &s.Z} {
		if form>>i&1 > 0 {
			*at = 8
		}
	}
	p.Ops = append(p.Ops, Op{Code: Copy, Steps: []Step{{Dst: 9, X: 4}, {Dst: 1, X: 1}}})
	if variant&1 > 0 {
		s.Dst = 8
	}
	op.Steps = []Step{s}
	if code == ByF { // of integers: computed just before or not
		p.Ops = append(p.Ops, Op{Code: Float, Steps: []Step{{Dst: 14, X: 0}, {Dst: 15, X: 1}}}, Op{Code: ByF, Steps: []Step{{Dst: 10, X: 15, Y: 12, Z: 13}}})
		made = Op{Code: Float, Steps: []Step{{Dst: 8, X: 2}}}
		op.Steps[0].X, op.Steps[0].Y, op.Steps[0].Z = []Row{14, 8}[form&1], 12, 13
		p.Constants = reciprocals(form, 12, 13)
	}
	p.Ops = append(p.Ops, made, op)
	p.Out = []Row{s.Dst, 10}
	kinds := []kind{k[0], isInt}
	if variant&2 > 0 { // the result is an operand of the next step
		next := Op{Code: NegF, Steps: []Step{{Dst: 11, X: s.Dst}}}
		if k[0] == isInt {
			next = Op{Code: Xor, Steps: []Step{{Dst: 11, X: s.Dst, Y: 0}}}
		}
		if k[0] == isDouble {
			next = Op{Code: LessD, Steps: []Step{{Dst: 11, X: s.Dst, Y: 0}}}
		}
		p.Ops = append(p.Ops, next)
		p.Out[0] = 11
	} else if k[0] == isDouble { // 0 for NaN
		p.Ops = append(p.Ops, Op{Code: EqualD, Steps: []Step{{Dst: 11, X: s.Dst, Y: s.Dst}}}, Op{Code: And, Steps: []Step{{Dst: 11, X: 11, Y: s.Dst}}})
		p.Out[0] = 11
	}
	if code == ArgMaxF || code == ArgMinF {
		p.Out[1] = s.Y
	}
	if code == Table && form&2 > 0 {
		p.Out[0], p.Out[1] = p.Out[1], p.Out[0]
	}
	return p, kinds
}
