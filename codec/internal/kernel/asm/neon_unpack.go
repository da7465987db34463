// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import "strings"

// Registers of unpacking: R3 blocks left, R4 and R5 bytes from block to block of R1
// and R2, R6 descriptor, R7 descriptors left, R8 to R11 its numbers; V7 mask, V8 to
// V12 post-operation.

func neonUnpacks(decls *strings.Builder) *neon {
	e := newNeon(decls)
	e.family("plane", "planeLoops", 1, func(name string, or bool, p post, _ int) { e.plane(name, or, p.name) })
	e.family("oneByte", "oneByteLoops", 1, func(name string, or bool, p post, _ int) { e.oneByte(name, or, p.name) })
	e.family("twoBytes", "twoBytesLoops", 1, func(name string, or bool, p post, _ int) { e.twoBytes(name, or, p.name) })
	e.halfWords("halfWords", false)
	e.halfWords("halfWordsOr", true)
	return e
}

func (e *neon) beginUnpack(name string) {
	e.text(name)
	e.load("src", "R1", "dst", "R2", "n", "R3", "stride", "R4", "pitch", "R5")
}

// prepare sets the registers of a post-operation.
func (e *neon) prepare(post string) {
	switch post {
	case "Add":
		e.dup("add", 1, 8)
	case "Lut":
		e.op("ADD $unpackArgs_lut, R0, R8", "VLD1 (R8), [V12.B16]")
	case "Affine":
		e.dup("add", 1, 8)
		e.dup("xor", 1, 9)
		e.dup("shift", 1, 10)
		e.dup("neg", 1, 11)
	}
}

// post finishes the codes of a register.
func (e *neon) post(post string, v int) {
	switch post {
	case "Add":
		e.bitwise("VADD", 8, v)
	case "Lut":
		e.tbl(v, 12, 1, v)
	case "Affine":
		e.bitwise("VEOR", 9, v)
		e.three(ushl, v, v, 10)
		e.bitwise("VEOR", 11, v)
		e.bitwise("VADD", 8, v)
	}
}

// plane does 32 lanes from two rows of 16 bytes.
func (e *neon) plane(name string, or bool, post string) {
	e.beginUnpack(name)
	e.dup("mask", 1, 7)
	e.prepare(post)
	e.blocks(48, func() {
		e.op("LDPSW (R6), (R8, R9)", "MOVW 8(R6), R10", "FLDPQ 16(R6), (F2, F3)")
		e.ldr(0, 1, 8)
		e.ldr(1, 1, 9)
		e.op("ADD R2, R10")
		for v := range 2 {
			e.three(ushl, v, v, 2+v)
		}
		e.bitwise("VAND", 7, 0)
		e.bitwise("VAND", 7, 1)
		if or {
			e.op("FLDPQ (R10), (F4, F5)")
			e.bitwise("VORR", 4, 0)
			e.bitwise("VORR", 5, 1)
		}
		e.post(post, 0)
		e.post(post, 1)
		e.op("FSTPQ (F0, F1), (R10)")
	})
}

// windows loads two windows of 16 bytes, V0 and V1, and makes R10 the address of their
// lanes.
func (e *neon) windows() {
	e.op("LDPSW (R6), (R8, R9)", "LDPSW 8(R6), (R10, R11)")
	e.ldr(0, 1, 8)
	e.ldr(1, 1, 9)
	e.op("ADD R2, R10")
}

// finish ORs, finishes and stores 16 lanes, or 8 if R11 is not 0.
func (e *neon) finish(or bool, post string) {
	if or {
		e.op("FMOVQ (R10), F4")
		e.bitwise("VORR", 4, 0)
	}
	e.post(post, 0)
	e.op("CBNZ R11, eight", "FMOVQ F0, (R10)", "B stored")
	e.label("eight")
	e.op("FMOVD F0, (R10)")
	e.label("stored")
}

// oneByte does 16 lanes, each within a byte of one of two windows.
func (e *neon) oneByte(name string, or bool, post string) {
	e.beginUnpack(name)
	e.dup("mask", 1, 7)
	e.prepare(post)
	e.blocks(48, func() {
		e.op("FLDPQ 16(R6), (F2, F3)")
		e.windows()
		e.tbl(2, 0, 2, 0)
		e.three(ushl, 0, 0, 3)
		e.bitwise("VAND", 7, 0)
		e.finish(or, post)
	})
}

// twoBytes does 16 lanes, each within two bytes of one of two windows: the byte that has the
// low bits, and the one that has the others, each moved where they belong.
func (e *neon) twoBytes(name string, or bool, post string) {
	e.beginUnpack(name)
	e.dup("mask", 1, 7)
	e.prepare(post)
	e.blocks(80, func() {
		e.op("FLDPQ 16(R6), (F2, F3)", "FLDPQ 48(R6), (F4, F5)")
		e.windows()
		e.tbl(2, 0, 2, 2)
		e.tbl(4, 0, 2, 4)
		e.three(ushl, 2, 2, 3)
		e.three(ushl, 4, 4, 5)
		e.opf("VORR %s, %s, %s", b16(2), b16(4), b16(0))
		e.bitwise("VAND", 7, 0)
		e.finish(or, post)
	})
}

// halfWords does 16 lanes of up to 16 bits into a buffer of such codes.
func (e *neon) halfWords(name string, or bool) {
	e.beginUnpack(name)
	e.dup("mask", 2, 7)
	e.blocks(80, func() {
		e.op("FLDPQ 16(R6), (F2, F3)", "FLDPQ 48(R6), (F4, F5)")
		e.windows()
		for v := range 2 {
			e.tbl(2+v, v, 1, v)
			e.three(ushlHalf, v, v, 4+v)
			e.bitwise("VAND", 7, v)
		}
		if or {
			e.op("FLDPQ (R10), (F2, F3)")
			e.bitwise("VORR", 2, 0)
			e.bitwise("VORR", 3, 1)
		}
		e.op("CBNZ R11, eight", "FSTPQ (F0, F1), (R10)", "B stored")
		e.label("eight")
		e.op("FMOVQ F0, (R10)")
		e.label("stored")
	})
}
