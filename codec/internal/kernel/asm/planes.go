// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// planeTables are the tables that are looked up byte by byte: entries, and how many of a float's bytes are not zero, from
// the upper ones on.
var planeTables = [][2]int{{16, 2}, {16, 4}, {32, 2}, {32, 4}, {64, 2}, {64, 3}, {64, 4}, {128, 2}}

// planeEpilogues are epilogues on tables of floats in which each byte of 32 floats is looked up by shuffles: a table is
// planes of sixteens. Registers as in regular; Y8 codes, Y9, Y7 and Y6 their bits 4, 5 and 6 at the top, Y15 the order of
// the codes.
func planeEpilogues(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
	for i, pair := range []int{0 | 2<<32, 4 | 6<<32, 1 | 3<<32, 5 | 7<<32} {
		fmt.Fprintf(&e.b, "DATA planeOrder<>+%d(SB)/8, $0x%016x\n", 8*i, pair)
		fmt.Fprintf(&e.b, "DATA planeMask<>+%d(SB)/8, $0x%016x\n", 8*i, 0x7f7f7f7f7f7f7f7f)
	}
	e.b.WriteString("GLOBL planeOrder<>(SB), RODATA|NOPTR, $32\nGLOBL planeMask<>(SB), RODATA|NOPTR, $32\n")
	list := "\n// shuffledLoops are by table (planeTables), form (mul, mul_add, mul_sub, sub_mul) and store.\n" +
		fmt.Sprintf("var shuffledLoops = [%d][4][2]func(*epilogueArgs){\n", len(planeTables))
	for _, t := range planeTables {
		list += "\t{"
		for _, f := range forms[:4] {
			list += "{"
			for _, store := range []string{"", "NT"} {
				name := fmt.Sprintf("shuffled%dx%d%s%s", t[0], t[1], f.name, store)
				e.planes(name, t[0], t[1], f, store)
				list += name + ", "
			}
			list += "}, "
		}
		list += "},\n"
	}
	decls.WriteString(list + "}\n")
	return e
}

// planes goes through blocks of groups of chunks of 32 lanes.
func (e *emitter) planes(name string, entries, planes int, f form, store string) {
	init := []string{"MOVQ epilogueArgs_table(BX), R12", "VMOVDQU planeOrder<>(SB), Y15"}
	if entries == 16 {
		for p := range planes {
			init = append(init, fmt.Sprintf("VBROADCASTI128 %d(R12), Y%d", 16*p, 4+p))
		}
	}
	e.begin(name, source{init: init}, f)
	e.groups(source{}, f, func() {
		e.planeLanes(entries, planes)
		for k := range 4 {
			y := fmt.Sprintf("Y%d", k)
			e.op(f.compute(y)...)
			e.opf("%s %s, %d(DI)", moves[store], y, 32*k)
		}
		e.op("ADDQ $32, SI", "ADDQ $128, DI")
	})
}

// planeLanes makes 32 floats in Y0 to Y3.
func (e *emitter) planeLanes(entries, planes int) {
	e.op("VPERMD (SI), Y15, Y8", "VPAND planeMask<>(SB), Y8, Y8")
	for level := 0; 32<<level <= entries; level++ {
		e.opf("VPSLLW $%d, Y8, %s", 3-level, []string{"Y9", "Y7", "Y6"}[level])
	}
	for p := range planes {
		y := fmt.Sprintf("Y%d", 4-planes+p)
		if entries == 16 {
			e.opf("VPSHUFB Y8, Y%d, %s", 4+p, y)
		} else {
			e.planeByte(p*entries, entries, y)
		}
	}
	// Bytes to words, and words to floats.
	e.op("VPUNPCKLBW Y3, Y2, Y10", "VPUNPCKHBW Y3, Y2, Y11")
	if planes == 2 {
		e.op("VPXOR Y8, Y8, Y8", "VPUNPCKLWD Y10, Y8, Y0", "VPUNPCKHWD Y10, Y8, Y1", "VPUNPCKLWD Y11, Y8, Y2", "VPUNPCKHWD Y11, Y8, Y3")
		return
	}
	if planes == 3 {
		e.op("VPXOR Y0, Y0, Y0")
	}
	e.op("VPUNPCKLBW Y1, Y0, Y8", "VPUNPCKHBW Y1, Y0, Y9")
	e.op("VPUNPCKLWD Y10, Y8, Y0", "VPUNPCKHWD Y10, Y8, Y1", "VPUNPCKLWD Y11, Y9, Y2", "VPUNPCKHWD Y11, Y9, Y3")
}

// planeByte looks one byte of the floats up in n entries of a plane, which begin at byte at of the table.
func (e *emitter) planeByte(at, n int, y string) {
	if n == 16 {
		e.opf("VBROADCASTI128 %d(R12), %s", at, y)
		e.opf("VPSHUFB Y8, %s, %s", y, y)
		return
	}
	level := map[int]int{32: 0, 64: 1, 128: 2}[n]
	other := []string{"Y10", "Y11", "Y5"}[level]
	e.planeByte(at, n/2, y)
	e.planeByte(at+n/2, n/2, other)
	e.opf("VPBLENDVB %s, %s, %s, %s", []string{"Y9", "Y7", "Y6"}[level], other, y, y)
}
