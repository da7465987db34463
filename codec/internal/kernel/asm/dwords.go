// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// Numbers of up to 32 bits out of windows of the payload, eight lanes at a time: bytes of
// two windows, one for four lanes each, become words of four bytes, and words become floats.

// wordKind is how the words become floats.
type wordKind struct {
	name  string
	init  []string
	float []string
}

var halve = []string{"VPACKUSDW Y0, Y0, Y0", "VPERMQ $8, Y0, Y0", "VCVTPH2PS X0, Y0"}

var wordKinds = []wordKind{
	{"I", integerInit, []string{"VPSRAVD dwordTerm_down(R12)(CX*1), Y0, Y0", "VPADDD Y10, Y0, Y0", "VCVTDQ2PS Y0, Y0"}},
	{"U", integerInit, []string{"VPSRLVD dwordTerm_down(R12)(CX*1), Y0, Y0", "VPADDD Y10, Y0, Y0", "VCVTDQ2PS Y0, Y0"}},
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

var integerInit = []string{"VPBROADCASTD dwordArgs_plus(BX), Y10"}

func dwords(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
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
	decls.WriteString(list + "}\n")
	return e
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
