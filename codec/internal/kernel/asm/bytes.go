// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// Registers of the flat byte kernels: SI codes, DX second operand, DI result, CX
// vectors of 32 left. They write whole vectors: buffers have slack.

func bytesKernels(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
	for _, p := range posts[1:] {
		init, do := p.init, p.do("Y0")
		if p.name == "Lut" {
			init = append([]string{"VPBROADCASTB unpackArgs_mask(BX), Y7"}, init...)
			do = append([]string{"VPAND Y7, Y0, Y0"}, do...)
		}
		e.flat("flat"+p.name, init, false, do)
	}
	for _, op := range []struct {
		name string
		do   []string
	}{
		{"Add", []string{"VPADDB (DX), Y0, Y0"}},
		{"Sub", []string{"VPSUBB (DX), Y0, Y0"}},
		{"And", []string{"VPAND (DX), Y0, Y0"}},
		{"Or", []string{"VPOR (DX), Y0, Y0"}},
		{"Xor", []string{"VPXOR (DX), Y0, Y0"}},
		{"Mul", []string{
			"VMOVDQU (DX), Y1", "VPMULLW Y1, Y0, Y2", "VPAND Y7, Y2, Y2", "VPSRLW $8, Y0, Y0",
			"VPANDN Y1, Y7, Y1", "VPMULLW Y1, Y0, Y0", "VPOR Y2, Y0, Y0",
		}},
		{"Sign", []string{"VMOVDQU (DX), Y1", "VPSIGNB Y1, Y0, Y0"}},
	} {
		var init []string
		if op.name == "Mul" {
			init = []string{"VPCMPEQD Y7, Y7, Y7", "VPSRLW $8, Y7, Y7"}
		}
		e.flat("binary"+op.name, init, true, op.do)
	}
	e.steps()
	e.tables()
	e.repeat()
	for _, r := range []int{4, 8, 16, 32, 64} {
		e.rows(r, "U8")
		e.rows(r, "U16")
	}
	return e
}

func (e *emitter) flat(name string, init []string, second bool, do []string) {
	e.text(name, "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "CX")
	if second {
		e.load("unpackArgs", "with", "DX")
	}
	e.op(init...)
	e.loop("next", "CX", func() {
		e.op("VMOVDQU (SI), Y0")
		e.op(do...)
		e.op("VMOVDQU Y0, (DI)", "ADDQ $32, SI", "ADDQ $32, DI")
		if second {
			e.op("ADDQ $32, DX")
		}
	})
	e.ret()
}

// steps has always four thresholds: absent ones add 0.
func (e *emitter) steps() {
	init := []string{"VPBROADCASTB unpackArgs_add(BX), Y8"}
	do := []string{"VMOVDQA Y8, Y2"}
	for t := range 2 {
		init = append(init, fmt.Sprintf("VPBROADCASTB unpackArgs_lut+%d(BX), Y%d", t, 9+2*t),
			fmt.Sprintf("VPBROADCASTB unpackArgs_lut+%d(BX), Y%d", 8+t, 10+2*t))
		do = append(do, fmt.Sprintf("VPMAXUB Y%d, Y0, Y1", 9+2*t), "VPCMPEQB Y0, Y1, Y1",
			fmt.Sprintf("VPAND Y%d, Y1, Y1", 10+2*t), "VPADDB Y1, Y2, Y2")
	}
	e.flat("flatSteps2", init, false, append(append([]string{}, do...), "VMOVDQA Y2, Y0"))
	for t := 2; t < 4; t++ {
		low, step := []string{"Y13", "Y3"}[t-2], []string{"Y14", "Y4"}[t-2]
		init = append(init, fmt.Sprintf("VPBROADCASTB unpackArgs_lut+%d(BX), %s", t, low),
			fmt.Sprintf("VPBROADCASTB unpackArgs_lut+%d(BX), %s", 8+t, step))
		do = append(do, fmt.Sprintf("VPMAXUB %s, Y0, Y1", low), "VPCMPEQB Y0, Y1, Y1",
			fmt.Sprintf("VPAND %s, Y1, Y1", step), "VPADDB Y1, Y2, Y2")
	}
	e.flat("flatSteps4", init, false, append(do, "VMOVDQA Y2, Y0"))
}

// tables looks codes up in two or four tables of 16, all in registers: by the code's low bits in each, of which
// bit 4 and then bit 5 choose.
func (e *emitter) tables() {
	for _, n := range []int{2, 4} {
		init := []string{"VPBROADCASTB unpackArgs_mask(BX), Y7", "MOVQ unpackArgs_with(BX), DX"}
		do := []string{"VPAND Y7, Y0, Y0"}
		for t := range n {
			init = append(init, fmt.Sprintf("VBROADCASTI128 %d(DX), Y%d", 16*t, 8+t))
			do = append(do, fmt.Sprintf("VPSHUFB Y0, Y%d, Y%d", 8+t, 1+t))
		}
		do = append(do, "VPSLLW $3, Y0, Y5", "VPBLENDVB Y5, Y2, Y1, Y1")
		if n == 4 {
			do = append(do, "VPBLENDVB Y5, Y4, Y3, Y3", "VPSLLW $2, Y0, Y5", "VPBLENDVB Y5, Y3, Y1, Y1")
		}
		e.flat(fmt.Sprintf("flatLut%d", 16*n), init, false, append(do, "VMOVDQA Y1, Y0"))
	}
}

// repeat spreads an operand by group over the lanes: 16 lanes of each of two
// windows a descriptor.
func (e *emitter) repeat() {
	e.text("repeatBytes", "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13")
	e.blocks("window__size", func() {
		e.window("Y0")
		e.op("VPSHUFB window_shuffle(R8), Y0, Y0")
		e.finish(false, posts[0], 32)
	})
}

// rows copies rows of r bytes by index.
func (e *emitter) rows(r int, kind string) {
	e.text(fmt.Sprintf("rows%d%s", r, kind), "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13", "with", "DX", "count", "R8", "step", "R15")
	load, size := "MOVBLZX", 1
	if kind == "U16" {
		load, size = "MOVWLZX", 2
	}
	move := func(at int, a, b string) {
		e.opf("%s %d(R10), %s", load, at*size, a)
		switch r {
		case 64:
			e.op("SHLQ $6, "+a, fmt.Sprintf("VMOVDQU (DX)(%s*1), Y0", a), fmt.Sprintf("VMOVDQU 32(DX)(%s*1), Y1", a),
				"VMOVDQU Y0, (R11)", "VMOVDQU Y1, 32(R11)")
		case 32:
			e.op("SHLQ $5, "+a, fmt.Sprintf("VMOVDQU (DX)(%s*1), Y0", a), "VMOVDQU Y0, (R11)")
		case 16:
			e.op("SHLQ $4, "+a, fmt.Sprintf("VMOVDQU (DX)(%s*1), X0", a), "VMOVDQU X0, (R11)")
		case 8:
			e.op(fmt.Sprintf("MOVQ (DX)(%s*8), %s", a, b), fmt.Sprintf("MOVQ %s, (R11)", b))
		case 4:
			e.op(fmt.Sprintf("MOVL (DX)(%s*4), %s", a, b), fmt.Sprintf("MOVL %s, (R11)", b))
		}
		e.op("ADDQ R15, R11")
	}
	e.loop("block", "R9", func() {
		e.op("MOVQ SI, R10", "MOVQ DI, R11", "MOVQ R8, CX", "SUBQ $4, CX", "JLT less")
		e.label("by4")
		for at := range 4 {
			move(at, []string{"AX", "BX"}[at%2], []string{"AX", "BX"}[at%2])
		}
		e.opf("ADDQ $%d, R10", 4*size)
		e.op("SUBQ $4, CX", "JGE by4")
		e.label("less")
		e.op("ADDQ $4, CX", "JEQ done")
		e.loop("by1", "CX", func() {
			move(0, "AX", "AX")
			e.opf("ADDQ $%d, R10", size)
		})
		e.label("done")
		e.op("ADDQ R12, SI", "ADDQ R13, DI")
	})
	e.ret()
}
