// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import "strings"

// Words of four bytes as integers of two, four and eight: moved to the left and back, which extends a
// sign, with bits that are always 1. Registers as in stores.

var (
	wordsInit = []string{"VMOVQ unpackArgs_shift(BX), X8", "VPBROADCASTD unpackArgs_plus(BX), Y9"}
	extend    = []string{"VPSLLD X8, Y0, Y0", "VPSRAD X8, Y0, Y0", "VPOR Y9, Y0, Y0"}
)

func words(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
	e.halves("storeWords2", wordsInit, append(extend[:3:3],
		"VPSLLD $16, Y0, Y0", "VPSRAD $16, Y0, Y0", "VEXTRACTI128 $1, Y0, X1", "VPACKSSDW X1, X0, X0"))
	e.wholes("storeWords4", 4, []string{"VMOVDQU Y0, (DX)"}, []string{"VMOVD X0, (DX)"})
	for _, k := range []struct{ name, widen string }{{"storeWords8", "VPMOVZXDQ"}, {"storeSigned8", "VPMOVSXDQ"}} {
		e.wholes(k.name, 8, []string{
			"VEXTRACTI128 $1, Y0, X1", k.widen + " X0, Y0", k.widen + " X1, Y1", "VMOVDQU Y0, (DX)", "VMOVDQU Y1, 32(DX)",
		}, []string{k.widen + " X0, X0", "VMOVQ X0, (DX)"})
	}
	return e
}

// wholes writes eight lanes at a time, and the last ones one by one.
func (e *emitter) wholes(name string, size int, eight, one []string) {
	e.text(name, "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13", "count", "R15")
	e.op(wordsInit...)
	e.loop("block", "R9", func() {
		e.op("MOVQ SI, AX", "MOVQ DI, DX", "MOVQ R15, CX", "SUBQ $8, CX", "JLT less8")
		e.label("by8")
		e.op("VMOVDQU (AX), Y0")
		e.op(extend...)
		e.op(eight...)
		e.op("ADDQ $32, AX")
		e.opf("ADDQ $%d, DX", 8*size)
		e.op("SUBQ $8, CX", "JGE by8")
		e.label("less8")
		e.op("ADDQ $8, CX", "JEQ done")
		e.loop("by1", "CX", func() {
			e.op("VMOVD (AX), X0")
			e.op(extend...)
			e.op(one...)
			e.opf("ADDQ $4, AX")
			e.opf("ADDQ $%d, DX", size)
		})
		e.label("done")
		e.op("ADDQ R12, SI", "ADDQ R13, DI")
	})
	e.ret()
}
