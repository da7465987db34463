// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// scaledSmalls are smalls whose codes become floats at once, times a half of the block.
func (e *emitter) scaledSmalls() {
	list := "\n// scaledLoops are by lanes (8, 16) and segments less one.\nvar scaledLoops = [2][2]func(*unpackArgs){\n"
	for _, r := range []string{"X", "Y"} {
		list += "\t{"
		for segments := 1; segments <= 2; segments++ {
			name := fmt.Sprintf("scaled%s%d", r, segments)
			e.beginUnpack(name, posts[0])
			e.smallOf(r, segments, func() {
				e.op("VPBROADCASTW (SI)(R8*1), X8", "VCVTPH2PS X8, Y8", "VPMOVZXWD X0, Y1", "VCVTDQ2PS Y1, Y1", "VMULPS Y8, Y1, Y1", "VMOVUPS Y1, (DI)")
				if r == "Y" {
					e.op("VEXTRACTI128 $1, Y0, X0", "VPMOVZXWD X0, Y1", "VCVTDQ2PS Y1, Y1", "VMULPS Y8, Y1, Y1", "VMOVUPS Y1, 32(DI)")
				}
			})
			list += name + ", "
		}
		list += "},\n"
	}
	e.decls.WriteString(list + "}\n")
}

// smallOf makes each lane a word, moves its field to the word's upper byte by a product, ORs the segments
// there, and moves them down. Eight lanes come out of two pieces of eight bytes, sixteen of two windows. Then R8 is the operand even of the arguments.
func (e *emitter) smallOf(r string, segments int, end func()) {
	e.load("unpackArgs", "desc", "R8")
	firsts, seconds := []string{"AX", "R10"}, []string{"DX", "R11"}
	for s := range segments {
		at := fmt.Sprintf("smallLanes__size*%d", s)
		e.opf("MOVLQSX smallLanes_first+%s(R8), %s", at, firsts[s])
		e.opf("MOVLQSX smallLanes_second+%s(R8), %s", at, seconds[s])
		for i, field := range []string{"shuffle", "factor", "mask"} {
			e.opf("VMOVDQU smallLanes_%s+%s(R8), %s%d", field, at, r, 2+3*s+i)
		}
	}
	e.load("unpackArgs", "even", "R8")
	e.loop("next", "R9", func() {
		for s := range segments {
			y := fmt.Sprintf("%s%d", r, s)
			if r == "Y" {
				e.opf("VMOVDQU (SI)(%s*1), X%d", firsts[s], s)
				e.opf("VINSERTI128 $1, (SI)(%s*1), %s, %s", seconds[s], y, y)
			} else {
				e.opf("VMOVQ (SI)(%s*1), %s", firsts[s], y)
				e.opf("VMOVHPS (SI)(%s*1), %s, %s", seconds[s], y, y)
			}
			for i, op := range []string{"VPSHUFB", "VPMULLW", "VPAND"} {
				e.opf("%s %s%d, %s, %s", op, r, 2+3*s+i, y, y)
			}
		}
		y := r + "0"
		if segments == 2 {
			e.opf("VPOR %s1, %s, %s", r, y, y)
		}
		e.opf("VPSRLW $8, %s, %s", y, y)
		end()
		e.op("ADDQ R12, SI", "ADDQ R13, DI")
	})
	e.ret()
}

// packed writes the words' bytes, after a post-operation.
func (e *emitter) packed(r string, p post) {
	other := "X0"
	if r == "Y" {
		other = "X1"
		e.op("VEXTRACTI128 $1, Y0, X1")
	}
	e.opf("VPACKUSWB %s, X0, X0", other)
	for _, line := range p.do("Y0") {
		e.op(strings.ReplaceAll(line, "Y", "X"))
	}
	if r == "Y" {
		e.op("VMOVDQU X0, (DI)")
	} else {
		e.op("VMOVQ X0, (DI)")
	}
}
