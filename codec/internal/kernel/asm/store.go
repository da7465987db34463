// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import "strings"

// Registers: SI block of the float buffer, DI of the output, R9 blocks, R12 and R13 their
// distances, R15 lanes. AX and DX go through a block.

func stores(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
	e.halves("storeF16", nil, []string{"VCVTPS2PH $0, Y0, X0"})
	// The upper half, rounded to even by a sum; a NaN keeps its upper bits and becomes quiet.
	e.halves("storeBF16", []string{
		"MOVL $0x7fff, AX", "VMOVD AX, X8", "VPBROADCASTD X8, Y8", "VPCMPEQD Y9, Y9, Y9", "VPSRLD $31, Y9, Y9",
		"MOVL $0x400000, AX", "VMOVD AX, X10", "VPBROADCASTD X10, Y10",
	}, []string{
		"VCMPPS $3, Y0, Y0, Y1", "VPSRLD $16, Y0, Y2", "VPAND Y9, Y2, Y2", "VPADDD Y8, Y2, Y2", "VPADDD Y0, Y2, Y2",
		"VPOR Y10, Y0, Y0", "VBLENDVPS Y1, Y0, Y2, Y0", "VPSRLD $16, Y0, Y0", "VEXTRACTI128 $1, Y0, X1", "VPACKUSDW X1, X0, X0",
	})
	// Integers that fit.
	e.halves("storeI16", nil, []string{"VCVTTPS2DQ Y0, Y0", "VPSLLD $16, Y0, Y0", "VPSRAD $16, Y0, Y0", "VEXTRACTI128 $1, Y0, X1", "VPACKSSDW X1, X0, X0"})
	e.integers()
	e.doubles()
	return e
}

// halves writes eight lanes at a time as 16 bytes, and no more than there are.
func (e *emitter) halves(name string, init, convert []string) {
	e.text(name, "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13", "count", "R15")
	e.op(init...)
	e.loop("block", "R9", func() {
		e.op("MOVQ SI, AX", "MOVQ DI, DX", "MOVQ R15, CX", "SUBQ $8, CX", "JLT less8")
		e.label("by8")
		e.op("VMOVUPS (AX), Y0")
		e.op(convert...)
		e.op("VMOVDQU X0, (DX)", "ADDQ $32, AX", "ADDQ $16, DX", "SUBQ $8, CX", "JGE by8")
		e.label("less8")
		e.op("ADDQ $8, CX", "JEQ done", "VMOVUPS (AX), Y0") // buffers have slack
		e.op(convert...)
		e.op("TESTQ $4, CX", "JEQ less4", "VMOVQ X0, (DX)", "VPSRLDQ $8, X0, X0", "ADDQ $8, DX")
		e.label("less4")
		e.op("TESTQ $2, CX", "JEQ less2", "VMOVD X0, (DX)", "VPSRLDQ $4, X0, X0", "ADDQ $4, DX")
		e.label("less2")
		e.op("TESTQ $1, CX", "JEQ done", "VPEXTRW $0, X0, AX", "MOVW AX, (DX)")
		e.label("done")
		e.op("ADDQ R12, SI", "ADDQ R13, DI")
	})
	e.ret()
}

// integers makes integers of four bytes, eight lanes at a time and the last ones one by one.
func (e *emitter) integers() {
	e.text("storeI32", "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13", "count", "R15")
	e.loop("block", "R9", func() {
		e.op("MOVQ SI, AX", "MOVQ DI, DX", "MOVQ R15, CX", "SUBQ $8, CX", "JLT less8")
		e.label("by8")
		e.op("VCVTTPS2DQ (AX), Y0", "VMOVDQU Y0, (DX)", "ADDQ $32, AX", "ADDQ $32, DX", "SUBQ $8, CX", "JGE by8")
		e.label("less8")
		e.op("ADDQ $8, CX", "JEQ done")
		e.loop("by1", "CX", func() {
			e.op("VMOVSS (AX), X0", "VCVTTPS2DQ X0, X0", "VMOVD X0, (DX)", "ADDQ $4, AX", "ADDQ $4, DX")
		})
		e.label("done")
		e.op("ADDQ R12, SI", "ADDQ R13, DI")
	})
	e.ret()
}

// doubles widens four lanes at a time.
func (e *emitter) doubles() {
	e.text("storeF64", "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13", "count", "R15")
	e.loop("block", "R9", func() {
		e.op("MOVQ SI, AX", "MOVQ DI, DX", "MOVQ R15, CX", "SUBQ $4, CX", "JLT less4")
		e.label("by4")
		e.op("VCVTPS2PD (AX), Y0", "VMOVUPD Y0, (DX)", "ADDQ $16, AX", "ADDQ $32, DX", "SUBQ $4, CX", "JGE by4")
		e.label("less4")
		e.op("ADDQ $4, CX", "JEQ done")
		e.loop("by1", "CX", func() {
			e.op("VMOVSS (AX), X0", "VCVTSS2SD X0, X0, X0", "VMOVSD X0, (DX)", "ADDQ $4, AX", "ADDQ $8, DX")
		})
		e.label("done")
		e.op("ADDQ R12, SI", "ADDQ R13, DI")
	})
	e.ret()
}
