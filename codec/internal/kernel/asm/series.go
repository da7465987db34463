// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// seriesOf writes the series of a source of codes and a form, where non-temporal stores are
// of use too.
func (e *emitter) seriesOf(s source, f form) string {
	if s.bytes != 1 || !worth(s, f, 16, "NT") {
		return "{}, "
	}
	name := fmt.Sprintf("epilogue%s%sSeries", s.name, f.name)
	e.series(name, s, f, "")
	e.series(name+"NT", s, f, "NT")
	return fmt.Sprintf("{%s, %sNT}, ", name, name)
}

// fourOperands loads the operands of eight lanes, each out of four, as laneOperands does.
func (e *emitter) fourOperands(f form, behind int) {
	at := strings.Repeat("+eight__size", behind)
	for _, o := range operandsOf(f) {
		field := map[string]string{"R8": "a", "R9": "b", "R10": "z"}[o.base]
		e.opf("MOVLQSX eight_%s%s(R13), CX", field, at)
		e.opf("VBROADCASTF128 (%s)(CX*1), %s", o.base, o.y)
		e.opf("VPERMILPS eight_%sIndex%s(R13), %s, %s", field, at, o.y, o.y)
	}
}

// series is eights whose lanes follow each other in a block, as many at a time as are
// unrolled, and operands are those of few groups. The list comes again for each group, whose operands are a step further.
func (e *emitter) series(name string, s source, f form, store string) {
	e.begin(name, s, f)
	move := "VMOVUPS"
	if store == "NT" {
		move = "VMOVNTPS"
	}
	some := func(n int) {
		for k := range n {
			y := fmt.Sprintf("Y%d", k)
			e.fourOperands(f, k)
			e.op(s.load(8*k, y)...)
			e.op(f.compute(y)...)
			e.opf("%s %s, %d(DI)", move, y, 32*k)
		}
		e.opf("ADDQ $%d, SI", 8*n*s.bytes)
		e.opf("ADDQ $%d, DI", 32*n)
		e.op("ADDQ $(" + strings.Repeat("eight__size+", n-1) + "eight__size), R13")
	}
	e.loop("block", "R11", func() {
		e.op(s.table...)
		e.load("epilogueArgs", "groups", "DX")
		e.loop("group", "DX", func() {
			e.load("epilogueArgs", "runs", "R13", "count", "R15")
			e.op("SUBQ $4, R15", "JLT less4")
			e.label("by4")
			some(4)
			e.op("SUBQ $4, R15", "JGE by4")
			e.label("less4")
			e.op("ADDQ $4, R15", "JEQ done")
			e.loop("by1", "R15", func() { some(1) })
			e.label("done")
			e.advance(f, "Step")
		})
		e.op("ADDQ epilogueArgs_srcSkip(BX), SI", "ADDQ epilogueArgs_dstSkip(BX), DI")
		e.op(s.skip...)
		e.advance(f, "Skip")
	})
	e.ret()
}

// foursOf does four groups of an odd number of pairs of lanes at a time: one vector after the other takes their
// operands, which are in half a register, by the index of its lanes, from R13 on. Of groups of two and six, more are done.
func (e *emitter) foursOf(name string, s source, f form, group int, store string) {
	e.begin(name, s, f)
	e.load("epilogueArgs", "runs", "R13")
	lanes := foursUnit(group)
	e.units(s, f, lanes, func() {
		for off := 0; off < lanes; off += 8 {
			for i, o := range operandsOf(f) {
				if off%(4*group) == 0 {
					e.opf("VBROADCASTF128 %d(%s), %s", 4*off/group, o.base, o.y)
				}
				e.opf("VPERMILPS %d(R13), %s, Y%d", 4*off%(16*group), o.y, 6+i)
			}
			y := fmt.Sprintf("Y%d", off/8%4)
			e.op(s.load(off, y)...)
			e.op(ofPair(f.compute(y), operandsOf(f), 1)...)
			e.opf("%s %s, %d(DI)", moves[store], y, 4*off)
		}
	})
}

// foursUnit is how many lanes are done together.
func foursUnit(group int) int { return map[int]int{2: 32, 6: 48, 10: 40, 14: 56, 18: 72}[group] }

// repeatFours spreads an operand over lanes that follow each other: those of a descriptor take one of four floats.
func (e *emitter) repeatFours() {
	e.text("repeatFours", "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13")
	some := func(n int) {
		for k := range n {
			at := strings.Repeat("+spreadFloats__size", k)
			e.opf("MOVLQSX spreadFloats_first%s(R8), AX", at)
			e.opf("VBROADCASTF128 (SI)(AX*1), Y%d", k)
			e.opf("VPERMILPS spreadFloats_index%s(R8), Y%d, Y%d", at, k, k)
			e.opf("VMOVUPS Y%d, %d(R10)", k, 32*k)
		}
		e.opf("ADDQ $%d, R10", 32*n)
		e.op("ADDQ $(" + strings.Repeat("spreadFloats__size+", n-1) + "spreadFloats__size), R8")
	}
	e.loop("block", "R9", func() {
		e.load("unpackArgs", "desc", "R8", "count", "R15")
		e.op("MOVQ DI, R10", "SUBQ $4, R15", "JLT less4")
		e.label("by4")
		some(4)
		e.op("SUBQ $4, R15", "JGE by4")
		e.label("less4")
		e.op("ADDQ $4, R15", "JEQ done")
		e.loop("by1", "R15", func() { some(1) })
		e.label("done")
		e.op("ADDQ R12, SI", "ADDQ R13, DI")
	})
	e.ret()
}
