// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// mixed are steps with two operands of which each is the same for a group (s) or a row in memory (m); the
// second operand of a chain follows the first by another product or quotient.
var mixed = []struct {
	form
	kinds string
}{
	{form{"MulMul", false, true, false, arithmetic(mulA, mulB)}, "ss"},
	{form{"MulDiv", false, true, false, arithmetic(mulA, divB)}, "ss"},
	{form{"MulMul", false, true, false, arithmetic(mulA, mulB)}, "ms"},
	{form{"MulMul", false, true, false, arithmetic(mulA, mulB)}, "sm"},
	{forms[1], "ms"},
	{forms[1], "sm"},
	{forms[2], "ms"},
	{forms[2], "sm"},
	{forms[3], "ms"},
	{forms[3], "sm"},
}

const (
	mulB = "VMULPS Y14, %s, %s"
	divB = "VDIVPS Y14, %s, %s"
)

func (e *emitter) mixedLoops() {
	list := "\n// mixedLanes are by source (u8, i8, f32, table of 16), steps (mul_mul, mul_div; mul_mul, mul_add, mul_sub and sub_mul, where A\n" +
		"// is a row and where the other operand is), size of the unit (8, 32 lanes) and store.\nvar mixedLanes = [4][10][2][2]func(*epilogueArgs){\n"
	for _, s := range sources[:4] {
		list += "\t{\n"
		for _, f := range mixed {
			list += "\t\t{"
			for _, unit := range []int{8, 32} {
				list += "{"
				for _, store := range []string{"", "NT"} {
					if unit == 8 && store != "" {
						list += "nil, "
						continue
					}
					name := fmt.Sprintf("mixed%s%s%s%d%s", s.name, f.name, f.kinds, unit, store)
					e.mixedLoop(name, s, f.form, f.kinds, unit, store)
					list += name + ", "
				}
				list += "}, "
			}
			list += "},\n"
		}
		list += "\t},\n"
	}
	e.decls.WriteString(list + "}\n")
}

// mixedLoop goes through blocks of groups of units. AX is how far rows in memory have come.
func (e *emitter) mixedLoop(name string, s source, f form, kinds string, unit int, store string) {
	e.begin(name, s, f)
	operands := operandsOf(f)
	e.loop("block", "R11", func() {
		e.op(s.table...)
		e.load("epilogueArgs", "groups", "CX")
		e.loop("group", "CX", func() {
			for i, o := range operands {
				if kinds[i] == 's' {
					e.opf("VBROADCASTSS (%s), %s", o.base, o.y)
				}
			}
			e.load("epilogueArgs", "chunks", "DX")
			e.op("XORL AX, AX")
			e.loop("chunk", "DX", func() {
				for off := 0; off < unit; off += 8 {
					y := fmt.Sprintf("Y%d", off/8)
					e.op(s.load(off, y)...)
					for _, line := range f.compute(y) {
						for i, o := range operands {
							if kinds[i] == 'm' {
								line = strings.Replace(line, o.y, fmt.Sprintf("%d(%s)(AX*1)", 4*off, o.base), 1)
							}
						}
						e.op(line)
					}
					e.opf("%s %s, %d(DI)", moves[store], y, 4*off)
				}
				e.opf("ADDQ $%d, AX", 4*unit)
				e.opf("ADDQ $%d, SI", unit*s.bytes)
				e.opf("ADDQ $%d, DI", 4*unit)
			})
			e.advance(f, "Step")
		})
		e.op("ADDQ epilogueArgs_srcSkip(BX), SI", "ADDQ epilogueArgs_dstSkip(BX), DI")
		e.op(s.skip...)
		e.advance(f, "Skip")
	})
	e.ret()
}
