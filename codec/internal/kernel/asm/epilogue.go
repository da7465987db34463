// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// form is the steps of an epilogue. Registers: Y12 Z, Y13 A, Y14 B, Y15 the sign
// that B is flipped by.
type form struct {
	name    string
	z, b    bool
	flip    bool
	compute func(y string) []string
}

func arithmetic(ops ...string) func(y string) []string {
	return func(y string) []string {
		var out []string
		for _, op := range ops {
			out = append(out, fmt.Sprintf(op, y, y))
		}
		return out
	}
}

const (
	subZ = "VSUBPS Y12, %s, %s"
	mulA = "VMULPS Y13, %s, %s"
	divA = "VDIVPS Y13, %s, %s"
	addB = "VADDPS Y14, %s, %s"
	subB = "VSUBPS Y14, %s, %s"
)

// The last two take every epilogue: absent operands are 0, 1 and -0, which change
// no value.
var forms = []form{
	{"Mul", false, false, false, arithmetic(mulA)},
	{"MulAdd", false, true, false, arithmetic(mulA, addB)},
	{"MulSub", false, true, false, arithmetic(mulA, subB)},
	{"SubMul", true, false, false, arithmetic(subZ, mulA)},
	{"Full", true, true, true, arithmetic(subZ, mulA, addB)},
	{"Div", true, true, true, arithmetic(subZ, divA, addB)},
}

func epilogues(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
	var table strings.Builder
	table.WriteString("\n// epilogueLoops are the loops over whole groups: by source, form, size of the unit\n" +
		"// (8, 16, 32 lanes) and store (cached, non-temporal).\nvar epilogueLoops = [8][6][3][2]func(*epilogueArgs){\n")
	flat := "\n// epilogueFlat are the loops over groups of one unit: by source, form, size of the\n" +
		"// unit and store.\nvar epilogueFlat = [8][6][3][2]func(*epilogueArgs){\n"
	series := "\n// epilogueSeries are the same where lanes follow each other.\nvar epilogueSeries = [8][6][2]func(*epilogueArgs){\n"
	lanes := "\n// epilogueLanes are the loops over eights of lanes, by source, form and store.\nvar epilogueLanes = [8][6][2]func(*epilogueArgs){\n"
	runs := "\n// epilogueRuns are the loops over runs, by source and form.\nvar epilogueRuns = [8][6]func(*epilogueArgs){\n"
	for _, s := range sources {
		flat += e.flats(s)
		table.WriteString("\t{\n")
		runs += "\t{"
		lanes += "\t{"
		series += "\t{"
		for _, f := range forms {
			table.WriteString("\t\t{")
			for _, unit := range []int{8, 16, 32} {
				table.WriteString("{")
				for _, store := range []string{"", "NT"} {
					if !worth(s, f, unit, store) {
						table.WriteString("nil, ")
						continue
					}
					name := fmt.Sprintf("epilogue%s%s%d%s", s.name, f.name, unit, store)
					e.regular(name, s, f, unit, store)
					table.WriteString(name + ", ")
				}
				table.WriteString("}, ")
			}
			table.WriteString("},\n")
			name := fmt.Sprintf("epilogue%s%sRuns", s.name, f.name)
			e.runs(name, s, f)
			runs += name + ", "
			lanes += "{"
			for _, store := range []string{"", "NT"} {
				if !worth(s, f, 16, store) {
					lanes += "nil, "
					continue
				}
				name := fmt.Sprintf("epilogue%s%sLanes%s", s.name, f.name, store)
				e.eights(name, s, f, store)
				lanes += name + ", "
			}
			lanes += "}, "
			series += e.seriesOf(s, f)
		}
		table.WriteString("\t},\n")
		runs += "},\n"
		lanes += "},\n"
		series += "},\n"
	}
	decls.WriteString(table.String() + "}\n" + flat + "}\n" + runs + "}\n" + lanes + "}\n" + series + "}\n")
	return e
}

// worth reports whether a variant is written: non-temporal stores only where the
// stores and not the loop are what limits.
func worth(s source, f form, unit int, store string) bool {
	return store == "" || unit >= 16 && f.name != "Full" && f.name != "Div" && s.name != "Table"
}

// begin loads the pointers and constants of an epilogue.
func (e *emitter) begin(name string, s source, f form) {
	e.text(name, "epilogueArgs")
	e.load("epilogueArgs", "src", "SI", "dst", "DI", "a", "R8", "n", "R11")
	if f.b {
		e.load("epilogueArgs", "b", "R9")
	}
	if f.z {
		e.load("epilogueArgs", "z", "R10")
	}
	if f.flip {
		e.op("VBROADCASTSS epilogueArgs_flip(BX), Y15")
	}
	e.op(s.init...)
}

// unit computes and stores lanes 0 to n-1 from SI and DI on. free says that AX and DX are.
func (e *emitter) unit(s source, f form, n int, store string, free bool) {
	for off := 0; off < n; off += 8 {
		y := fmt.Sprintf("Y%d", off/8)
		switch {
		case s.name == "Table":
			e.op(tableEight(off, y, free)...)
		case s.name != "Small" || n < 16:
			e.op(s.load(off, y)...)
		case off%16 == 0:
			e.op(smallPair(off, y, fmt.Sprintf("Y%d", off/8+1))...)
		}
		e.op(f.compute(y)...)
		if store == "NT" {
			e.opf("VMOVNTPS %s, %d(DI)", y, off*4)
		} else {
			e.opf("VMOVUPS %s, %d(DI)", y, off*4)
		}
	}
}

// regular goes through blocks of groups of chunks of unit lanes.
func (e *emitter) regular(name string, s source, f form, unit int, store string) {
	e.begin(name, s, f)
	e.groups(s, f, func() {
		e.unit(s, f, unit, store, true)
		e.opf("ADDQ $%d, SI", unit*s.bytes)
		e.opf("ADDQ $%d, DI", unit*4)
	})
}

// groups goes through blocks of groups of chunks. Blocks take several cycles more than groups, which may have gaps
// between them: R14 bytes of the source, R15 of the result.
func (e *emitter) groups(s source, f form, chunk func()) {
	e.load("epilogueArgs", "srcStep", "R14", "dstStep", "R15")
	e.loop("block", "R11", func() {
		e.op(s.table...)
		e.load("epilogueArgs", "groups", "CX")
		e.loop("group", "CX", func() {
			e.operand(f, "(R8)", "(R9)", "(R10)")
			e.load("epilogueArgs", "chunks", "R13")
			e.advance(f, "Step")
			e.loop("chunk", "R13", chunk)
			e.op("ADDQ R14, SI", "ADDQ R15, DI")
		})
		e.op("ADDQ epilogueArgs_srcSkip(BX), SI", "ADDQ epilogueArgs_dstSkip(BX), DI")
		e.op(s.skip...)
		e.advance(f, "Skip")
	})
	e.ret()
}

// operand broadcasts a group's operands.
func (e *emitter) operand(f form, a, b, z string) {
	e.opf("VBROADCASTSS %s, Y13", a)
	if f.b {
		e.opf("VBROADCASTSS %s, Y14", b)
	}
	if f.flip {
		e.op("VXORPS Y15, Y14, Y14")
	}
	if f.z {
		e.opf("VBROADCASTSS %s, Y12", z)
	}
}

// advance moves the pointers of the operands.
func (e *emitter) advance(f form, by string) {
	e.opf("ADDQ epilogueArgs_a%s(BX), R8", by)
	if f.b {
		e.opf("ADDQ epilogueArgs_b%s(BX), R9", by)
	}
	if f.z {
		e.opf("ADDQ epilogueArgs_z%s(BX), R10", by)
	}
}

// runs goes through blocks of runs of any length. R13 is the run, SI and DI are
// the block's until they are pushed aside into AX and DX.
func (e *emitter) runs(name string, s source, f form) {
	e.begin(name, s, f)
	e.loop("block", "R11", func() {
		e.op(s.table...)
		e.load("epilogueArgs", "runs", "R13", "count", "R15")
		e.loop("next", "R15", func() {
			for _, o := range []struct{ field, base, y string }{{"a", "R8", "Y13"}, {"b", "R9", "Y14"}, {"z", "R10", "Y12"}} {
				if o.field == "b" && !f.b || o.field == "z" && !f.z {
					continue
				}
				e.opf("MOVLQSX run_%s(R13), CX", o.field)
				e.opf("VBROADCASTSS (%s)(CX*1), %s", o.base, o.y)
			}
			if f.flip {
				e.op("VXORPS Y15, Y14, Y14")
			}
			e.op("MOVQ SI, AX", "MOVQ DI, DX")
			e.op("MOVLQSX run_src(R13), CX", "ADDQ CX, SI", "MOVLQSX run_dst(R13), CX", "ADDQ CX, DI", "MOVLQSX run_n(R13), CX")
			e.run(s, f)
			e.op("MOVQ AX, SI", "MOVQ DX, DI", "ADDQ $run__size, R13")
		})
		e.op("ADDQ epilogueArgs_srcSkip(BX), SI", "ADDQ epilogueArgs_dstSkip(BX), DI")
		e.op(s.skip...)
		e.advance(f, "Skip")
	})
	e.ret()
}

// run does CX lanes from SI to DI.
func (e *emitter) run(s source, f form) {
	e.op("SUBQ $32, CX", "JLT less32")
	e.label("by32")
	e.unit(s, f, 32, "", false)
	e.opf("ADDQ $%d, SI", 32*s.bytes)
	e.op("ADDQ $128, DI", "SUBQ $32, CX", "JGE by32")
	e.label("less32")
	e.op("ADDQ $24, CX", "JLT less8")
	e.label("by8")
	e.unit(s, f, 8, "", false)
	e.opf("ADDQ $%d, SI", 8*s.bytes)
	e.op("ADDQ $32, DI", "SUBQ $8, CX", "JGE by8")
	e.label("less8")
	e.op("ADDQ $8, CX", "JEQ done")
	e.op(s.load(0, "Y0")...)
	e.op(f.compute("Y0")...)
	e.op("TESTQ $4, CX", "JEQ less4", "VMOVUPS X0, (DI)", "VEXTRACTF128 $1, Y0, X0", "ADDQ $16, DI")
	e.label("less4")
	e.op("TESTQ $2, CX", "JEQ less2", "VMOVLPS X0, (DI)", "VPSRLDQ $8, X0, X0", "ADDQ $8, DI")
	e.label("less2")
	e.op("TESTQ $1, CX", "JEQ done", "VMOVSS X0, (DI)")
	e.label("done")
}

// eights goes through blocks by eights of lanes, each lane with operands of its own out of
// windows of eight. DX is the block's begin; the last ones, of fewer lanes, are stored
// with a mask.
func (e *emitter) eights(name string, s source, f form, store string) {
	e.begin(name, s, f)
	move := "VMOVUPS"
	if store == "NT" {
		move = "VMOVNTPS"
	}
	one := func() {
		e.laneOperands(f)
		e.op("MOVLQSX eight_src(R13), AX", "LEAQ (DX)(AX*1), SI")
		e.op(s.load(0, "Y0")...)
		e.op(f.compute("Y0")...)
		e.op("MOVLQSX eight_dst(R13), AX")
	}
	e.op("MOVQ SI, DX")
	e.loop("block", "R11", func() {
		e.op(s.table...)
		e.load("epilogueArgs", "runs", "R13", "count", "R15")
		e.op("TESTQ R15, R15", "JEQ rest")
		e.loop("next", "R15", func() {
			one()
			e.op(move+" Y0, (DI)(AX*1)", "ADDQ $eight__size, R13")
		})
		e.label("rest")
		e.load("epilogueArgs", "rest", "R15")
		e.op("TESTQ R15, R15", "JEQ done")
		e.loop("masked", "R15", func() {
			one()
			e.op("MOVLQSX eight_mask(R13), CX", "ADDQ epilogueArgs_masks(BX), CX", "VMOVDQU (CX), Y7")
			e.op("VMASKMOVPS Y0, Y7, (DI)(AX*1)", "ADDQ $eight__size, R13")
		})
		e.label("done")
		e.op("ADDQ epilogueArgs_srcSkip(BX), DX", "ADDQ epilogueArgs_dstSkip(BX), DI")
		e.op(s.skip...)
		e.advance(f, "Skip")
	})
	e.ret()
}

// laneOperands loads the operands of eight lanes, whose descriptor R13 is.
func (e *emitter) laneOperands(f form) {
	for _, o := range []struct{ field, base, y string }{{"a", "R8", "Y13"}, {"b", "R9", "Y14"}, {"z", "R10", "Y12"}} {
		if o.field == "b" && !f.b || o.field == "z" && !f.z {
			continue
		}
		e.opf("MOVLQSX eight_%s(R13), CX", o.field)
		e.opf("VMOVDQU eight_%sIndex(R13), %s", o.field, o.y)
		e.opf("VPERMPS (%s)(CX*1), %s, %s", o.base, o.y, o.y)
	}
	if f.flip {
		e.op("VXORPS Y15, Y14, Y14")
	}
}
