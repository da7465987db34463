// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import "fmt"

// flats writes the flat loops of a source of codes: of tables, those that rows of a few codes need.
func (e *emitter) flats(s source) string {
	list := "\t{\n"
	for _, f := range forms {
		list += "\t\t{"
		for _, unit := range []int{8, 16, 32} {
			list += "{"
			for _, store := range []string{"", "NT"} {
				plain := s.name == "U8" || s.name == "I8"
				if s.bytes != 1 || !worth(s, f, unit, store) || !plain && (unit == 32 || f.flip) {
					list += "nil, "
					continue
				}
				name := fmt.Sprintf("epilogue%s%sFlat%d%s", s.name, f.name, unit, store)
				e.flat1(name, s, f, unit, store, plain)
				list += name + ", "
			}
			list += "}, "
		}
		list += "},\n"
	}
	return list + "\t},\n"
}

// flat1 goes through blocks of groups of one unit each. Steps of operands are in registers where these are free.
func (e *emitter) flat1(name string, s source, f form, unit int, store string, free bool) {
	e.begin(name, s, f)
	if free {
		e.load("epilogueArgs", "aStep", "R12")
		if f.b {
			e.load("epilogueArgs", "bStep", "DX")
		}
		if f.z {
			e.load("epilogueArgs", "zStep", "AX")
		}
	}
	e.loop("block", "R11", func() {
		e.op(s.table...)
		e.load("epilogueArgs", "groups", "CX", "srcStep", "R13", "dstStep", "R15")
		e.loop("group", "CX", func() {
			e.operand(f, "(R8)", "(R9)", "(R10)")
			if free {
				e.op("ADDQ R12, R8")
				if f.b {
					e.op("ADDQ DX, R9")
				}
				if f.z {
					e.op("ADDQ AX, R10")
				}
			} else {
				e.advance(f, "Step")
			}
			e.unit(s, f, unit, store, !free)
			e.op("ADDQ R13, SI", "ADDQ R15, DI")
		})
		e.op("ADDQ epilogueArgs_srcSkip(BX), SI", "ADDQ epilogueArgs_dstSkip(BX), DI")
		e.op(s.skip...)
		e.advance(f, "Skip")
	})
	e.ret()
}
