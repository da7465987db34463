// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// The flat kernels go through whole buffers, which have slack: R3 vectors of 32 codes
// left, R4 second operand.

func neonBytes(decls *strings.Builder) *neon {
	e := newNeon(decls)
	for _, p := range []string{"Add", "Affine"} {
		e.flat("flat"+p, false, func() { e.prepare(p) }, func(v int) { e.post(p, v) })
	}
	e.flat("flatLut", false, func() {
		e.prepare("Lut")
		e.dup("mask", 1, 7)
	}, func(v int) {
		e.bitwise("VAND", 7, v)
		e.post("Lut", v)
	})
	e.lut()
	e.thresholds(2)
	e.thresholds(4)
	for _, op := range []struct{ name, text string }{{"And", "VAND"}, {"Or", "VORR"}, {"Xor", "VEOR"}, {"Add", "VADD"}, {"Sub", "VSUB"}} {
		e.flat("binary"+op.name, true, func() {}, func(v int) { e.bitwise(op.text, v+2, v) })
	}
	e.flat("binaryMul", true, func() {}, func(v int) { e.three(mul, v, v, v+2) })
	for _, r := range []int{4, 8} {
		e.rows(r, 1)
		e.rows(r, 2)
	}
	return e
}

func (e *neon) flat(name string, second bool, init func(), do func(v int)) {
	e.text(name)
	e.load("src", "R1", "dst", "R2", "n", "R3", map[bool]string{false: "with", true: "a"}[second], "R4")
	init()
	e.count("next", "R3", func() {
		e.op("FLDPQ.P 32(R1), (F0, F1)")
		if second {
			e.op("FLDPQ.P 32(R4), (F2, F3)")
		}
		do(0)
		do(1)
		e.op("FSTPQ.P (F0, F1), 32(R2)")
	})
	e.op("RET")
}

// lut looks codes up in 256 bytes, which are V16 to V31: what lies beyond the first 64
// leaves no trace, and the next 64 replace where they are meant.
func (e *neon) lut() {
	e.flat("flatLut256", false, func() {
		for at := 0; at < 16; at += 4 {
			e.opf("VLD1.P 64(R4), %s", b16s(16+at, 4))
		}
		e.op("VMOVI $64, V7.B16")
	}, func(v int) {
		e.tbl(v, 16, 4, 2)
		for at := 20; at < 32; at += 4 {
			e.bitwise("VSUB", 7, v)
			e.opf("VTBX %s, %s, %s", b16(v), b16s(at, 4), b16(2))
		}
		e.opf("VORR %s, %s, %s", b16(2), b16(2), b16(v))
	})
}

// thresholds counts the thresholds that are reached; absent ones add 0.
func (e *neon) thresholds(n int) {
	e.flat(fmt.Sprintf("flatSteps%d", n), false, func() {
		e.dup("add", 1, 8)
		for t := range n {
			e.dup(fmt.Sprintf("lut+%d", t), 1, 16+2*t)
			e.dup(fmt.Sprintf("lut+%d", 8+t), 1, 17+2*t)
		}
	}, func(v int) {
		e.opf("VORR %s, %s, %s", b16(8), b16(8), b16(2))
		for t := range n {
			e.three(cmhs, 3, v, 16+2*t)
			e.bitwise("VAND", 17+2*t, 3)
			e.bitwise("VADD", 3, 2)
		}
		e.opf("VORR %s, %s, %s", b16(2), b16(2), b16(v))
	})
}

// rows copies rows of r bytes by an index of size bytes.
func (e *neon) rows(r, size int) {
	e.text(fmt.Sprintf("rows%dU%d", r, 8*size))
	e.load("src", "R1", "dst", "R2", "n", "R3", "stride", "R4", "pitch", "R5", "with", "R6", "low", "R7")
	move := func(a string) {
		load := map[int]string{1: "MOVBU", 2: "MOVHU"}[size]
		e.opf("%s.P %d(R9), %s", load, size, a)
		e.opf("AND R7, %s", a)
		if r == 8 {
			e.op(fmt.Sprintf("MOVD (R6)(%s<<3), %s", a, a), fmt.Sprintf("MOVD.P %s, 8(R10)", a))
		} else {
			e.op(fmt.Sprintf("MOVWU (R6)(%s<<2), %s", a, a), fmt.Sprintf("MOVW.P %s, 4(R10)", a))
		}
	}
	e.count("block", "R3", func() {
		e.op("MOVD R1, R9", "MOVD R2, R10")
		e.load("count", "R8")
		e.op("SUBS $4, R8", "BLT less")
		e.label("by4")
		for i := range 4 {
			move(fmt.Sprintf("R%d", 11+i))
		}
		e.op("SUBS $4, R8", "BGE by4")
		e.label("less")
		e.op("ADDS $4, R8", "BEQ done")
		e.count("by1", "R8", func() { move("R11") })
		e.label("done")
		e.op("ADD R4, R1", "ADD R5, R2")
	})
	e.op("RET")
}
