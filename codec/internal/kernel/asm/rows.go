// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// rowEpilogues are epilogues whose codes are planes of the payload: 32 lanes a
// descriptor go from the payload to the output in registers. Registers: SI block of
// the payload, DI output, R8 A, R9 B, R13 descriptor, CX descriptors left, R11 blocks;
// Y5 post-operation, Y6 and Y7 masks, Y10 and Y11 shuffles that make words.
func rowEpilogues(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
	list := "\n// rowLoops are by source (u8, i8), segments less one, post-operation (none, add, table),\n" +
		"// form (mul, mul_add, mul_sub) and store.\nvar rowLoops = [2][2][3][3][2]func(*epilogueArgs){\n"
	for i, source := range []string{"U8", "I8"} {
		list += "\t{\n"
		for segments := 1; segments <= 2; segments++ {
			list += "\t\t{"
			for _, p := range posts[:3] {
				list += "{"
				for _, f := range forms[:3] {
					list += "{"
					for _, store := range []string{"", "NT"} {
						if i == 1 && segments == 1 {
							list += "nil, " // no gain over a buffer
							continue
						}
						name := fmt.Sprintf("rows%s%d%s%s%s", source, segments, p.name, f.name, store)
						e.rowEpilogue(name, i == 1, segments, p, f, store)
						list += name + ", "
					}
					list += "}, "
				}
				list += "}, "
			}
			list += "},\n"
		}
		list += "\t},\n"
	}
	decls.WriteString(list + "}\n")
	// Byte i of a word's four, at its bottom or (signed) at its top.
	for _, at := range []struct {
		name  string
		place int
	}{{"lowBytes", 0}, {"highBytes", 3}} {
		for half := range 2 {
			for word := range 8 {
				if word%2 == 0 {
					fmt.Fprintf(&e.b, "DATA %s<>+%d(SB)/8, $0x%016x\n", at.name, 32*half+4*word, wordPair(8*half+word, at.place))
				}
			}
		}
		fmt.Fprintf(&e.b, "GLOBL %s<>(SB), RODATA|NOPTR, $64\n\n", at.name)
	}
	return e
}

// wordPair is the shuffle of two neighbouring words.
func wordPair(code, place int) uint64 {
	out := ^uint64(0)
	for i := range 2 {
		at := 8 * (4*i + place)
		out = out&^(0xff<<at) | uint64(code+i)<<at
	}
	return out
}

func (e *emitter) rowEpilogue(name string, signed bool, segments int, p post, f form, store string) {
	e.text(name, "epilogueArgs")
	e.load("epilogueArgs", "src", "SI", "dst", "DI", "a", "R8", "n", "R11")
	if f.b {
		e.load("epilogueArgs", "b", "R9")
	}
	e.op("VPBROADCASTB epilogueArgs_mask+0(BX), Y7")
	if segments == 2 {
		e.op("VPBROADCASTB epilogueArgs_mask+1(BX), Y6")
	}
	for _, line := range p.init {
		e.op(strings.ReplaceAll(strings.ReplaceAll(line, "unpackArgs", "epilogueArgs"), "Y8", "Y5"))
	}
	table := "lowBytes"
	if signed {
		table = "highBytes"
	}
	e.opf("VMOVDQU %s<>+0(SB), Y10", table)
	e.opf("VMOVDQU %s<>+32(SB), Y11", table)
	e.loop("block", "R11", func() {
		e.load("epilogueArgs", "runs", "R13", "count", "CX")
		e.loop("row", "CX", func() { e.row(signed, segments, p, f, store) })
		e.op("ADDQ epilogueArgs_srcSkip(BX), SI", "ADDQ epilogueArgs_dstSkip(BX), DI")
		e.advance(f, "Skip")
	})
	e.ret()
}

// row does 32 lanes.
func (e *emitter) row(signed bool, segments int, p post, f form, store string) {
	e.op("MOVLQSX planeLanes_first(R13), AX", "MOVLQSX planeLanes_second(R13), DX", "MOVLQSX planeLanes_operand(R13), R10")
	e.op("VBROADCASTSS (R8)(R10*1), Y13")
	if f.b {
		e.op("VBROADCASTSS (R9)(R10*1), Y14")
	}
	// Each row is loaded into both halves of a register: no shuffle crosses them.
	e.op("VBROADCASTI128 (SI)(AX*1), Y1", "VBROADCASTI128 (SI)(DX*1), Y3")
	e.op("VBROADCASTI128 planeLanes_right(R13), Y2", "VBROADCASTI128 planeLanes_right+16(R13), Y4")
	e.op("VPSRLVD Y2, Y1, Y1", "VPSRLVD Y4, Y3, Y3", "VPAND Y7, Y1, Y1", "VPAND Y7, Y3, Y3")
	if segments == 2 {
		at := "planeLanes__size"
		e.opf("MOVLQSX planeLanes_first+%s(R13), AX", at)
		e.opf("MOVLQSX planeLanes_second+%s(R13), DX", at)
		e.op("VBROADCASTI128 (SI)(AX*1), Y0", "VBROADCASTI128 (SI)(DX*1), Y2")
		for i, y := range []string{"Y0", "Y2"} {
			e.opf("VBROADCASTI128 planeLanes_right+%s+%d(R13), Y4", at, 16*i)
			e.opf("VBROADCASTI128 planeLanes_left+%s+%d(R13), Y8", at, 16*i)
			e.opf("VPSRLVD Y4, %s, %s", y, y)
			e.opf("VPSLLVD Y8, %s, %s", y, y)
			e.opf("VPAND Y6, %s, %s", y, y)
		}
		e.op("VPOR Y0, Y1, Y1", "VPOR Y2, Y3, Y3")
	}
	for _, y := range []string{"Y1", "Y3"} {
		for _, line := range p.do(y) {
			e.op(strings.ReplaceAll(line, "Y8", "Y5"))
		}
	}
	e.op("VPSHUFB Y10, Y1, Y0", "VPSHUFB Y11, Y1, Y1", "VPSHUFB Y10, Y3, Y2", "VPSHUFB Y11, Y3, Y3")
	for i := range 4 {
		y := fmt.Sprintf("Y%d", i)
		if signed {
			e.opf("VPSRAD $24, %s, %s", y, y)
		}
		e.opf("VCVTDQ2PS %s, %s", y, y)
		e.op(f.compute(y)...)
		move := "VMOVUPS"
		if store == "NT" {
			move = "VMOVNTPS"
		}
		e.opf("%s %s, %d(DI)", move, y, 32*i)
	}
	e.opf("ADDQ $(planeLanes__size*%d), R13", segments)
	e.op("ADDQ $128, DI")
}
