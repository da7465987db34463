// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// Numbers of up to 32 bits out of windows of the payload, eight lanes at a time: bytes of
// two windows, one for four lanes each, become words of four bytes, and words become floats.
//
// Registers of the loops over series: SI and AX windows of the first and second term, R8
// and R9 from there to those of the upper lanes, R12 and R13 steps from eight to eight, DI
// result, R10, R11 and DX operands. Y4 to Y6 and Y7 to Y9 are the terms, Y10 and X11 what
// words become floats with.

// gathering is how the words of eight lanes are put together, into Y0.
type gathering struct {
	name   string
	terms  int
	shifts []bool // of each term
	masks  []bool
}

var gatherings = []gathering{
	{"Bytes", 1, []bool{false}, []bool{false}},
	{"Bits", 1, []bool{true}, []bool{false}},
	{"Bytes2", 2, []bool{false, false}, []bool{false, false}},
	{"BitsBytes", 2, []bool{true, false}, []bool{true, false}},
	{"Bits2", 2, []bool{true, true}, []bool{true, true}},
}

// wordKind is how the words become floats.
type wordKind struct {
	name  string
	init  []string
	float []string
}

var halve = []string{"VPACKUSDW Y0, Y0, Y0", "VPERMQ $8, Y0, Y0", "VCVTPH2PS X0, Y0"}

var wordKinds = []wordKind{
	{"I", integerInit, []string{"VPSRAVD Y11, Y0, Y0", "VPADDD Y10, Y0, Y0", "VCVTDQ2PS Y0, Y0"}},
	{"U", integerInit, []string{"VPSRLVD Y11, Y0, Y0", "VPADDD Y10, Y0, Y0", "VCVTDQ2PS Y0, Y0"}},
	{"F", nil, nil},
	{"H", []string{"VBROADCASTSS dwordArgs_unit(BX), Y10"}, append(append([]string{"VPSRLD $16, Y0, Y0"}, halve...), "VMULPS Y10, Y0, Y0")},
	// Two halves, each exact, and one rounding.
	{
		"W",
		[]string{"MOVL $0x47800000, CX", "VMOVD CX, X10", "VPBROADCASTD X10, Y10"},
		[]string{
			"VPSRLD $16, Y0, Y1", "VPSLLD $16, Y0, Y0", "VPSRLD $16, Y0, Y0", "VCVTDQ2PS Y1, Y1", "VCVTDQ2PS Y0, Y0",
			"VMULPS Y10, Y1, Y1", "VADDPS Y1, Y0, Y0",
		},
	},
}

var integerInit = []string{"VPBROADCASTD dwordArgs_shift(BX), Y11", "VPBROADCASTD dwordArgs_plus(BX), Y10"}

func dwords(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
	series := "\n// dwordSeries are the loops over numbers that lie regularly: by terms, kind, steps (a factor,\n" +
		"// all but a quotient) and store.\nvar dwordSeries = [5][5][2][2]func(*dwordArgs){\n"
	for _, g := range gatherings {
		series += "\t{\n"
		for _, k := range wordKinds {
			series += "\t\t{"
			for _, f := range []form{forms[0], forms[4]} {
				name := "dwords" + g.name + k.name + f.name
				e.dwordSeries(name, g, k, f, "VMOVUPS")
				other := "nil"
				if f.name == "Mul" {
					other = name + "NT"
					e.dwordSeries(other, g, k, f, "VMOVNTPS")
				}
				series += fmt.Sprintf("{%s, %s}, ", name, other)
			}
			series += "},\n"
		}
		series += "\t},\n"
	}
	list := "\n// dwordList are the loops over numbers anywhere: by number of terms and kind.\nvar dwordList = [4][5]func(*dwordArgs){\n"
	for terms := 1; terms <= 4; terms++ {
		list += "\t{"
		for _, k := range wordKinds {
			name := fmt.Sprintf("dwordsList%d%s", terms, k.name)
			e.dwordList(name, terms, k)
			list += name + ", "
		}
		list += "},\n"
	}
	decls.WriteString(series + "}\n" + list + "}\n")
	return e
}

// twoWindows reads bytes for eight lanes and leaves a term's words in y.
func (e *emitter) twoWindows(y, src, delta string) {
	e.opf("VMOVDQU (%s), X%s", src, y[1:])
	e.opf("VINSERTI128 $1, (%s)(%s*1), %s, %s", src, delta, y, y)
}

func (e *emitter) dwordSeries(name string, g gathering, k wordKind, f form, move string) {
	e.text(name, "dwordArgs")
	e.op(k.init...)
	e.load("epilogueArgs", "src", "SI", "dst", "DI", "a", "R10")
	if f.b {
		e.load("epilogueArgs", "b", "R11", "z", "DX")
		e.op("VBROADCASTSS epilogueArgs_flip(BX), Y15")
	}
	e.load("dwordArgs", "delta", "R8", "step", "R12", "terms", "CX")
	if g.terms == 2 {
		e.load("dwordArgs", "second", "AX", "delta2", "R9", "step2", "R13")
	}
	for t := range g.terms {
		e.opf("VMOVDQU dwordTerm_shuffle+dwordTerm__size*%d(CX), Y%d", t, 4+3*t)
		if g.shifts[t] {
			e.opf("VMOVDQU dwordTerm_left+dwordTerm__size*%d(CX), Y%d", t, 5+3*t)
		}
		if g.masks[t] {
			e.opf("VMOVDQU dwordTerm_mask+dwordTerm__size*%d(CX), Y%d", t, 6+3*t)
		}
	}
	advance := func(by string) {
		e.opf("ADDQ epilogueArgs_a%s(BX), R10", by)
		if f.b {
			e.opf("ADDQ epilogueArgs_b%s(BX), R11", by)
			e.opf("ADDQ epilogueArgs_z%s(BX), DX", by)
		}
	}
	e.label("block")
	e.load("epilogueArgs", "groups", "R15")
	e.loop("group", "R15", func() {
		e.operand(f, "(R10)", "(R11)", "(DX)")
		advance("Step")
		e.load("epilogueArgs", "chunks", "CX")
		e.loop("eight", "CX", func() {
			e.eightWords(g)
			e.op(k.float...)
			e.op(f.compute("Y0")...)
			e.op(move+" Y0, (DI)", "ADDQ R12, SI", "ADDQ $32, DI")
			if g.terms == 2 {
				e.op("ADDQ R13, AX")
			}
		})
	})
	e.op("ADDQ epilogueArgs_srcSkip(BX), SI", "ADDQ epilogueArgs_dstSkip(BX), DI")
	if g.terms == 2 {
		e.op("ADDQ dwordArgs_skip2(BX), AX")
	}
	advance("Skip")
	e.op("DECQ epilogueArgs_n(BX)", "JNZ block")
	e.ret()
}

// eightWords puts the words of eight lanes together.
func (e *emitter) eightWords(g gathering) {
	for t, w := range []struct{ src, delta string }{{"SI", "R8"}, {"AX", "R9"}}[:g.terms] {
		y := fmt.Sprintf("Y%d", t)
		e.twoWindows(y, w.src, w.delta)
		e.opf("VPSHUFB Y%d, %s, %s", 4+3*t, y, y)
		if g.shifts[t] {
			e.opf("VPSLLVD Y%d, %s, %s", 5+3*t, y, y)
		}
		if g.masks[t] {
			e.opf("VPAND Y%d, %s, %s", 6+3*t, y, y)
		}
	}
	if g.terms == 2 {
		e.op("VPOR Y1, Y0, Y0")
	}
}

// dwordList goes through descriptors of eight lanes each. R13 is the descriptor's, SI the
// block, DI its result, R12 the terms.
func (e *emitter) dwordList(name string, terms int, k wordKind) {
	e.text(name, "dwordArgs")
	e.op(k.init...)
	e.load("epilogueArgs", "src", "SI", "n", "R9", "dst", "R8")
	e.load("dwordArgs", "terms", "R12")
	e.loop("block", "R9", func() {
		e.op("MOVQ R8, DI")
		e.load("epilogueArgs", "runs", "R13", "count", "R15")
		e.loop("next", "R15", func() {
			for t := range terms {
				at := fmt.Sprintf("dwordPlace__size*%d", t)
				y := fmt.Sprintf("Y%d", min(t, 1))
				e.opf("MOVLQSX dwordPlace_first+%s(R13), AX", at)
				e.opf("MOVLQSX dwordPlace_second+%s(R13), DX", at)
				e.opf("MOVLQSX dwordPlace_term+%s(R13), CX", at)
				e.opf("VMOVDQU (SI)(AX*1), X%s", y[1:])
				e.opf("VINSERTI128 $1, (SI)(DX*1), %s, %s", y, y)
				e.opf("VPSHUFB dwordTerm_shuffle(R12)(CX*1), %s, %s", y, y)
				e.opf("VPSLLVD dwordTerm_left(R12)(CX*1), %s, %s", y, y)
				e.opf("VPSRLVD dwordTerm_right(R12)(CX*1), %s, %s", y, y)
				e.opf("VPAND dwordTerm_mask(R12)(CX*1), %s, %s", y, y)
				if t > 0 {
					e.op("VPOR Y1, Y0, Y0")
				}
			}
			e.op(k.float...)
			e.opf("ADDQ $(dwordPlace__size*%d), R13", terms)
			e.op("VMOVUPS Y0, (DI)", "ADDQ $32, DI")
		})
		e.op("ADDQ epilogueArgs_srcSkip(BX), SI")
		e.op("ADDQ epilogueArgs_dstSkip(BX), R8")
	})
	e.ret()
}
