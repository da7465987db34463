// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// smalls are the kernels for a few lanes of a block (scales): one or two segments,
// everything constant in registers.
func (e *emitter) smalls() {
	list := "\n// smallLoops are by lanes (8, 16), segments less one and post-operation.\nvar smallLoops = [2][2][4]func(*unpackArgs){\n"
	for _, r := range []string{"X", "Y"} {
		list += "\t{"
		for segments := 1; segments <= 2; segments++ {
			list += "{"
			for _, p := range posts {
				name := fmt.Sprintf("small%s%d%s", r, segments, p.name)
				e.small(name, r, segments, p)
				list += name + ", "
			}
			list += "}, "
		}
		list += "},\n"
	}
	e.decls.WriteString(list + "}\n")
}

// small makes each lane a word, moves its field to the word's upper byte by a
// product, and ORs the segments there.
func (e *emitter) small(name, r string, segments int, p post) {
	e.beginUnpack(name, p)
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
	e.loop("next", "R9", func() {
		for s := range segments {
			y := fmt.Sprintf("%s%d", r, s)
			e.opf("VMOVDQU (SI)(%s*1), X%d", firsts[s], s)
			if r == "Y" {
				e.opf("VINSERTI128 $1, (SI)(%s*1), %s, %s", seconds[s], y, y)
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
		e.op("ADDQ R12, SI", "ADDQ R13, DI")
	})
	e.ret()
}

// small makes halves of codes of up to 8 bits, and NaN of special ones.
var small = source{
	"Small", 1,
	[]string{"VBROADCASTSS epilogueArgs_small+smallFloat_unit(BX), Y10", "VPBROADCASTW epilogueArgs_small+smallFloat_keep(BX), Y11"},
	func(off int, y string) []string {
		x := "X" + y[1:]
		return append(smallHalves(off, x, "X"), fmt.Sprintf("VCVTPH2PS %s, %s", x, y), fmt.Sprintf("VMULPS Y10, %s, %s", y, y))
	},
	nil, nil,
}

// smallPair is sixteen lanes, whose words are made together.
func smallPair(off int, y, next string) []string {
	return append(smallHalves(off, y, "Y"),
		fmt.Sprintf("VEXTRACTI128 $1, %s, X%s", y, next[1:]),
		fmt.Sprintf("VCVTPH2PS X%s, %s", y[1:], y), fmt.Sprintf("VCVTPH2PS X%s, %s", next[1:], next),
		fmt.Sprintf("VMULPS Y10, %s, %s", y, y), fmt.Sprintf("VMULPS Y10, %s, %s", next, next))
}

// smallHalves is the words of as many lanes as registers of a size hold.
func smallHalves(off int, r, size string) []string {
	return []string{
		fmt.Sprintf("VPMOVZXBW %d(SI), %s", off, r),
		fmt.Sprintf("VPSLLW epilogueArgs_small+smallFloat_up(BX), %s, %s", r, r),
		fmt.Sprintf("VPSRAW epilogueArgs_small+smallFloat_down(BX), %s, %s", r, r),
		fmt.Sprintf("VPAND %s11, %s, %s", size, r, r),
		fmt.Sprintf("VPAND epilogueArgs_small+smallFloat_test(BX), %s, %s8", r, size),
		fmt.Sprintf("VPCMPEQW epilogueArgs_small+smallFloat_special(BX), %s8, %s8", size, size),
		fmt.Sprintf("VPOR %s8, %s, %s", size, r, r),
	}
}
