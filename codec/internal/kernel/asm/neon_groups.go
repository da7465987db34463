// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

// Where a block is whole groups of a multiple of 16 lanes, which share their operands and follow
// each other, nothing has to be said of each: R8 chunks of 16 of a group, R11 those left, R23 groups
// left; R9 and R10 source and destination. R12 to R14 follow a group, R15 to R20 a block.

// groupsOf are the loops over groups of a source.
func (e *neon) groupsOf(s neonSource) string {
	if s.name == "Table" || s.name == "U16" {
		return ""
	}
	list := "\tsource" + s.name + ": {"
	for _, f := range forms {
		name := "groups" + s.name + f.name
		e.groups(name, s, f)
		list += name + ", "
	}
	return list + "},\n"
}

func (e *neon) groups(name string, s neonSource, f form) {
	e.text(name)
	if s.init != nil {
		s.init(e)
	}
	if f.flip {
		e.dup("flip", 4, 31)
	}
	e.load("src", "R9", "dst", "R10", "a", "R4", "n", "R6", "chunks", "R8")
	e.load("srcSkip", "R15", "dstSkip", "R16", "aStep", "R13", "aSkip", "R19")
	if f.z {
		e.load("z", "R3", "zStep", "R12", "zSkip", "R17")
	}
	if f.b {
		e.load("b", "R5", "bStep", "R14", "bSkip", "R20")
	}
	e.count("block", "R6", func() {
		e.load("count", "R23")
		e.count("group", "R23", func() {
			e.op("VLD1R.P (R4)(R13), [V29.S4]", "MOVD R8, R11")
			if f.z {
				e.op("VLD1R.P (R3)(R12), [V28.S4]")
			}
			if f.b {
				e.op("VLD1R.P (R5)(R14), [V30.S4]")
			}
			if f.flip {
				e.bitwise("VEOR", 31, 30)
			}
			e.count("by16", "R11", func() {
				e.lanesOf(func(n int) { e.stepped(s, f.steps(), n) }, 16)
			})
		})
		e.op("ADD R15, R9", "ADD R16, R10", "ADD R19, R4")
		if f.z {
			e.op("ADD R17, R3")
		}
		if f.b {
			e.op("ADD R20, R5")
		}
	})
	e.op("RET")
}

// stepped makes n lanes and does all steps, one after the other on all registers.
func (e *neon) stepped(s neonSource, steps []step, n int) {
	s.load(e, n)
	for _, s := range steps {
		e.each(n, func(v int) { e.three(s.three, v, v, s.operand) })
	}
}
