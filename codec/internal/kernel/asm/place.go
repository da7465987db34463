// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// Registers: SI block of the buffer, DI of the output, R9 blocks; AX and DX in the block, CX lanes left.

func placing(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
	for _, lanes := range []int{1, 2, 4, 8} {
		e.placeSteps(lanes)
	}
	e.placeList()
	for _, store := range []string{"", "NT"} {
		for _, k := range []int{2, 3, 4} {
			e.interleave(k, store)
		}
	}
	for k := 5; k <= 8; k++ {
		e.turns(k)
	}
	return e
}

// perBlock is a loop over blocks; inner has its counter in CX.
func (e *emitter) perBlock(inner func()) {
	e.loop("block", "R9", func() {
		e.load("placeArgs", "count", "CX")
		e.op("MOVQ SI, AX", "MOVQ DI, DX")
		inner()
		e.op("ADDQ placeArgs_pitch(BX), SI", "ADDQ placeArgs_lanes(BX), DI")
	})
	e.ret()
}

// placeSteps writes rows of so many lanes that are equally far apart to lanes that are. Addresses go on behind the last lane only after
// the last one is stored, and nothing sees them there but this loop.
func (e *emitter) placeSteps(lanes int) {
	name := "placeSteps"
	if lanes > 1 {
		name += fmt.Sprint(lanes)
	}
	move, regs := "VMOVUPS", [2]string{"Y0", "Y1"}
	switch lanes {
	case 1:
		move, regs = "MOVL", [2]string{"R12", "R13"}
	case 2:
		move, regs = "MOVQ", [2]string{"R12", "R13"}
	case 4:
		regs = [2]string{"X0", "X1"}
	}
	e.text(name, "placeArgs")
	e.load("placeArgs", "src", "SI", "dst", "DI", "n", "R9", "srcStep", "R10", "dstStep", "R11")
	e.op("LEAQ (R10)(R10*2), R8", "LEAQ (R11)(R11*2), R15")
	e.perBlock(func() {
		e.op("SUBQ $4, CX", "JLT less4")
		e.label("by4")
		from := []string{"(AX)", "(AX)(R10*1)", "(AX)(R10*2)", "(AX)(R8*1)"}
		to := []string{"(DX)", "(DX)(R11*1)", "(DX)(R11*2)", "(DX)(R15*1)"}
		for i := 0; i < 4; i += 2 { // two words are stored in a cycle
			e.opf("%s %s, %s", move, from[i], regs[0])
			e.opf("%s %s, %s", move, from[i+1], regs[1])
			e.opf("%s %s, %s", move, regs[0], to[i])
			e.opf("%s %s, %s", move, regs[1], to[i+1])
		}
		e.op("LEAQ (AX)(R10*4), AX", "LEAQ (DX)(R11*4), DX", "SUBQ $4, CX", "JGE by4")
		e.label("less4")
		e.op("ADDQ $4, CX", "JEQ done")
		e.loop("by1", "CX", func() {
			e.opf("%s (AX), %s", move, regs[0])
			e.opf("%s %s, (DX)", move, regs[0])
			e.op("ADDQ R10, AX", "ADDQ R11, DX")
		})
		e.label("done")
	})
}

// placeList writes lanes that follow each other anywhere.
func (e *emitter) placeList() {
	e.text("placeList", "placeArgs")
	e.load("placeArgs", "src", "SI", "dst", "DI", "n", "R9")
	e.perBlock(func() {
		e.load("placeArgs", "at", "R8")
		e.op("SUBQ $4, CX", "JLT less4")
		e.label("by4")
		e.op("MOVLQSX (R8), R10", "MOVLQSX 4(R8), R11", "MOVLQSX 8(R8), R15")
		e.op("MOVL (AX), R12", "MOVL 4(AX), R13", "MOVL R12, (DX)(R10*4)", "MOVLQSX 12(R8), R10", "MOVL R13, (DX)(R11*4)")
		e.op("MOVL 8(AX), R12", "MOVL 12(AX), R13", "MOVL R12, (DX)(R15*4)", "MOVL R13, (DX)(R10*4)")
		e.op("ADDQ $16, AX", "ADDQ $16, R8", "SUBQ $4, CX", "JGE by4")
		e.label("less4")
		e.op("ADDQ $4, CX", "JEQ done")
		e.loop("by1", "CX", func() {
			e.op("MOVLQSX (R8), R10", "MOVL (AX), R12", "MOVL R12, (DX)(R10*4)", "ADDQ $4, AX", "ADDQ $4, R8")
		})
		e.label("done")
	})
}

// interleave writes the lanes of k buffers in turns; count is eights of each.
func (e *emitter) interleave(k int, store string) {
	move := "VMOVUPS"
	if store == "NT" {
		move = "VMOVNTPS"
	}
	e.text(fmt.Sprintf("interleave%d%s", k, store), "placeArgs")
	e.load("placeArgs", "dst", "DI", "n", "R9")
	e.op("XORQ SI, SI")
	from := []string{"R10", "R11", "R12", "R13"}[:k]
	e.perBlock(func() {
		for i, r := range from {
			e.opf("MOVQ placeArgs_src+%d(BX), %s", 8*i, r)
		}
		e.loop("eight", "CX", func() {
			at := make([]string, k)
			for i, r := range from {
				at[i] = fmt.Sprintf("(%s)(AX*1)", r)
			}
			for i, y := range e.interleaved(at) {
				e.opf("%s %s, %d(DX)", move, y, 32*i)
			}
			e.opf("ADDQ $%d, DX", 32*k)
			e.op("ADDQ $32, AX")
		})
	})
}

// interleaved are the registers of eight lanes of each buffer.
func (e *emitter) interleaved(at []string) []string {
	e.op("VMOVUPS "+at[0]+", Y0", "VMOVUPS "+at[1]+", Y1")
	switch len(at) {
	case 2:
		e.op("VUNPCKLPS Y1, Y0, Y2", "VUNPCKHPS Y1, Y0, Y3")
		e.op("VPERM2F128 $0x20, Y3, Y2, Y0", "VPERM2F128 $0x31, Y3, Y2, Y1")
		return []string{"Y0", "Y1"}
	case 3:
		// Even lanes of two, odd ones of two, odd and even ones; of them, lanes 0, 4, 8 and so on of what is written, by halves.
		e.op("VMOVUPS "+at[2]+", Y2", "VSHUFPS $0x88, Y1, Y0, Y3", "VSHUFPS $0xdd, Y2, Y1, Y4", "VSHUFPS $0xd8, Y0, Y2, Y5")
		e.op("VSHUFPS $0x88, Y5, Y3, Y6", "VSHUFPS $0xd8, Y3, Y4, Y7", "VSHUFPS $0xdd, Y4, Y5, Y8")
		e.op("VPERM2F128 $0x20, Y7, Y6, Y0", "VPERM2F128 $0x30, Y6, Y8, Y1", "VPERM2F128 $0x31, Y8, Y7, Y2")
		return []string{"Y0", "Y1", "Y2"}
	}
	e.op("VMOVUPS "+at[2]+", Y2", "VMOVUPS "+at[3]+", Y3")
	e.op("VUNPCKLPS Y1, Y0, Y4", "VUNPCKHPS Y1, Y0, Y5", "VUNPCKLPS Y3, Y2, Y6", "VUNPCKHPS Y3, Y2, Y7")
	e.op("VUNPCKLPD Y6, Y4, Y0", "VUNPCKHPD Y6, Y4, Y1", "VUNPCKLPD Y7, Y5, Y2", "VUNPCKHPD Y7, Y5, Y3")
	e.op("VPERM2F128 $0x20, Y1, Y0, Y4", "VPERM2F128 $0x20, Y3, Y2, Y5", "VPERM2F128 $0x31, Y1, Y0, Y6", "VPERM2F128 $0x31, Y3, Y2, Y7")
	return []string{"Y4", "Y5", "Y6", "Y7"}
}

// turns is interleave for 5 to 8 buffers: eight turns are made of a matrix, and what is written behind a turn is overwritten by
// the next one. The last of eight ends where it ends.
func (e *emitter) turns(k int) {
	e.text(fmt.Sprintf("interleave%d", k), "placeArgs")
	e.load("placeArgs", "dst", "DI", "n", "R9")
	e.op("XORQ SI, SI")
	e.perBlock(func() {
		e.loop("eight", "CX", func() {
			for j := range k {
				r := []string{"R10", "R11", "R12", "R13"}[j%4]
				e.opf("MOVQ placeArgs_src+%d(BX), %s", 8*j, r)
				for h := range 2 {
					y := j%4 + 4*h
					if j < 4 {
						e.opf("VMOVUPS %d(%s)(AX*1), X%d", 16*h, r, y)
					} else {
						e.opf("VINSERTF128 $1, %d(%s)(AX*1), Y%d, Y%d", 16*h, r, y, y)
					}
				}
			}
			for h := range 2 {
				e.turned(k, h)
			}
			e.opf("ADDQ $%d, DX", 32*k)
			e.op("ADDQ $32, AX")
		})
	})
}

// turned writes four turns.
func (e *emitter) turned(k, h int) {
	y := func(i int) string { return fmt.Sprintf("Y%d", 4*h+i) }
	e.op("VUNPCKLPS "+y(1)+", "+y(0)+", Y8", "VUNPCKHPS "+y(1)+", "+y(0)+", Y9", "VUNPCKLPS "+y(3)+", "+y(2)+", Y10", "VUNPCKHPS "+y(3)+", "+y(2)+", Y11")
	e.op("VUNPCKLPD Y10, Y8, Y12", "VUNPCKHPD Y10, Y8, Y13", "VUNPCKLPD Y11, Y9, Y14", "VUNPCKHPD Y11, Y9, Y15")
	for i := range 4 {
		at := 4 * k * (4*h + i)
		if 4*h+i < 7 || k == 8 {
			e.opf("VMOVUPS Y%d, %d(DX)", 12+i, at)
			continue
		}
		e.opf("VMOVUPS X15, %d(DX)", at)
		e.op("VEXTRACTF128 $1, Y15, X15")
		if k == 5 {
			e.opf("VMOVSS X15, %d(DX)", at+16)
			continue
		}
		e.opf("VMOVLPS X15, %d(DX)", at+16)
		if k == 7 {
			e.opf("VEXTRACTPS $2, X15, %d(DX)", at+24)
		}
	}
}
