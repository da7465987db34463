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
	e.placeSteps()
	e.placeList()
	for _, store := range []string{"", "NT"} {
		for _, k := range []int{2, 3, 4} {
			e.interleave(k, store)
		}
	}
	return e
}

// moves copies words by general registers: two of them are stored in a cycle.
func (e *emitter) moves(from, to [4]string) {
	for i := 0; i < 4; i += 2 {
		e.op("MOVL "+from[i]+", R12", "MOVL "+from[i+1]+", R13", "MOVL R12, "+to[i], "MOVL R13, "+to[i+1])
	}
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

// placeSteps writes lanes that are equally far apart to lanes that are. Addresses go on behind the last lane only after the
// last one is stored, and nothing sees them there but this loop.
func (e *emitter) placeSteps() {
	e.text("placeSteps", "placeArgs")
	e.load("placeArgs", "src", "SI", "dst", "DI", "n", "R9", "srcStep", "R10", "dstStep", "R11")
	e.op("LEAQ (R10)(R10*2), R8", "LEAQ (R11)(R11*2), R15")
	e.perBlock(func() {
		e.op("SUBQ $4, CX", "JLT less4")
		e.label("by4")
		e.moves([4]string{"(AX)", "(AX)(R10*1)", "(AX)(R10*2)", "(AX)(R8*1)"}, [4]string{"(DX)", "(DX)(R11*1)", "(DX)(R11*2)", "(DX)(R15*1)"})
		e.op("LEAQ (AX)(R10*4), AX", "LEAQ (DX)(R11*4), DX", "SUBQ $4, CX", "JGE by4")
		e.label("less4")
		e.op("ADDQ $4, CX", "JEQ done")
		e.loop("by1", "CX", func() { e.op("MOVL (AX), R12", "MOVL R12, (DX)", "ADDQ R10, AX", "ADDQ R11, DX") })
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
	e.load("placeArgs", "dst", "DI", "n", "R9", "at", "R8")
	e.op("XORQ SI, SI")
	from := []string{"R10", "R11", "R12", "R13"}[:k]
	e.perBlock(func() {
		for i, r := range from {
			e.opf("MOVQ placeArgs_src+%d(BX), %s", 8*i, r)
		}
		if k == 3 {
			e.op("VMOVDQU (R8), Y13", "VMOVDQU 32(R8), Y14", "VMOVDQU 64(R8), Y15")
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
	switch len(at) {
	case 2:
		e.op("VMOVUPS "+at[0]+", Y0", "VMOVUPS "+at[1]+", Y1", "VUNPCKLPS Y1, Y0, Y2", "VUNPCKHPS Y1, Y0, Y3")
		e.op("VPERM2F128 $0x20, Y3, Y2, Y0", "VPERM2F128 $0x31, Y3, Y2, Y1")
		return []string{"Y0", "Y1"}
	case 4:
		e.op("VMOVUPS "+at[0]+", Y0", "VMOVUPS "+at[1]+", Y1", "VMOVUPS "+at[2]+", Y2", "VMOVUPS "+at[3]+", Y3")
		e.op("VUNPCKLPS Y1, Y0, Y4", "VUNPCKHPS Y1, Y0, Y5", "VUNPCKLPS Y3, Y2, Y6", "VUNPCKHPS Y3, Y2, Y7")
		e.op("VUNPCKLPD Y6, Y4, Y0", "VUNPCKHPD Y6, Y4, Y1", "VUNPCKLPD Y7, Y5, Y2", "VUNPCKHPD Y7, Y5, Y3")
		e.op("VPERM2F128 $0x20, Y1, Y0, Y4", "VPERM2F128 $0x20, Y3, Y2, Y5", "VPERM2F128 $0x31, Y1, Y0, Y6", "VPERM2F128 $0x31, Y3, Y2, Y7")
		return []string{"Y4", "Y5", "Y6", "Y7"}
	}
	// Lane p of register r is that of buffer (8r+p) mod 3, and its lane (8r+p)/3.
	for r := range 3 {
		for j := range 3 {
			e.opf("VPERMPS %s, Y%d, Y%d", at[j], 13+r, 3*r+j)
		}
		for j := 1; j < 3; j++ {
			mask := 0
			for p := range 8 {
				if (8*r+p)%3 == j {
					mask |= 1 << p
				}
			}
			e.opf("VBLENDPS $%d, Y%d, Y%d, Y%d", mask, 3*r+j, 3*r, 3*r)
		}
	}
	return []string{"Y0", "Y3", "Y6"}
}
