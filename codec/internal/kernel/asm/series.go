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
		e.advance(f, "Skip")
	})
	e.ret()
}
