// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// lanesKernels are epilogues whose operands are those of few lanes: pairs of groups that are an
// odd number of half vectors, and operands of each lane that come again and again; and
// numbers of the payload that are equally far apart.
func lanesKernels(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
	pairs := "\n// pairLanes are by source (u8, i8, table of 16), form (mul, mul_add, mul_sub, sub_mul), size of the groups\n" +
		"// (4, 12, 20, 28, 24, 40; others that are an odd number of half vectors; 2, 6, 10, 14, 18) and store.\n" +
		"var pairLanes = [3][4][12][2]func(*epilogueArgs){\n"
	periods := "\n// periodLanes are by source (u8, i8, f32, table of 16), form (the last divides), size of the unit (8, 32 lanes) and store.\n" +
		"var periodLanes = [4][5][2][2]func(*epilogueArgs){\n"
	for _, i := range []int{0, 1, 2, 3} {
		s := sources[i]
		if i != 2 {
			pairs += "\t{\n"
		}
		periods += "\t{\n"
		for _, f := range forms[:4] {
			if i != 2 {
				pairs += "\t\t{"
				for _, group := range laneGroups {
					pairs += "{"
					for _, store := range []string{"", "NT"} {
						name := fmt.Sprintf("pairs%s%s%d%s", s.name, f.name, group, store)
						switch {
						case group == 0:
							e.largePairs(name, s, f, store)
						case group%4 == 2:
							e.foursOf(name, s, f, group, store)
						default:
							e.pairsOf(name, s, f, group, store)
						}
						pairs += name + ", "
					}
					pairs += "}, "
				}
				pairs += "},\n"
			}
		}
		for _, f := range append(forms[:4:4], form{"SubDiv", true, false, false, arithmetic(subZ, divA)}) {
			periods += "\t\t{"
			for _, unit := range []int{8, 32} {
				periods += "{"
				for _, store := range []string{"", "NT"} {
					name := fmt.Sprintf("period%s%s%d%s", s.name, f.name, unit, store)
					e.period(name, s, f, unit, store)
					periods += name + ", "
				}
				periods += "}, "
			}
			periods += "},\n"
		}
		if i != 2 {
			pairs += "\t},\n"
		}
		periods += "\t},\n"
	}
	decls.WriteString(pairs + "}\n" + periods + "}\n")
	e.mixedLoops()
	e.apart()
	return e
}

// laneGroups are the groups that have loops of their own; 0 stands for larger ones.
var laneGroups = []int{4, 12, 20, 28, 24, 40, 0, 2, 6, 10, 14, 18}

// units goes through blocks of units: DI and SI move on by so many lanes, operands by their step.
func (e *emitter) units(s source, f form, lanes int, body func()) {
	e.loop("block", "R11", func() {
		e.op(s.table...)
		e.load("epilogueArgs", "groups", "CX")
		e.loop("unit", "CX", func() {
			body()
			e.advance(f, "Step")
			if lanes > 0 {
				e.opf("ADDQ $%d, SI", lanes*s.bytes)
				e.opf("ADDQ $%d, DI", 4*lanes)
			}
		})
		e.op("ADDQ epilogueArgs_srcSkip(BX), SI", "ADDQ epilogueArgs_dstSkip(BX), DI")
		e.op(s.skip...)
		e.advance(f, "Skip")
	})
	e.ret()
}

// laneOperand is where an operand is, and its register.
type laneOperand struct{ base, y string }

// operandsOf are the registers of a form's operands.
func operandsOf(f form) []laneOperand {
	out := []laneOperand{{"R8", "Y13"}}
	if f.b {
		out = append(out, laneOperand{"R9", "Y14"})
	}
	if f.z {
		out = append(out, laneOperand{"R10", "Y12"})
	}
	return out
}

// pairsOf does two groups at a time, or eight of 4 lanes. Between two groups lies a vector that has half of
// each: its operands are in Y6 (A) and Y7 (B or Z), those of the second group in Y5 and Y4.
func (e *emitter) pairsOf(name string, s source, f form, group int, store string) {
	e.begin(name, s, f)
	lanes := group
	if group%8 == 4 {
		lanes = 2 * group
	}
	if group == 4 {
		lanes = 32
		e.op("MOVQ $0x0101010100000000, AX", "VMOVQ AX, X6", "VPMOVZXBD X6, Y6")
	}
	operands := operandsOf(f)
	e.units(s, f, lanes, func() {
		switch {
		case group%8 == 0:
			e.operand(f, "(R8)", "(R9)", "(R10)")
		case group != 4:
			e.operandPairs(operands)
		}
		for off := 0; off < lanes; off += 8 {
			y := fmt.Sprintf("Y%d", off/8%4)
			if group == 4 {
				for _, o := range operands {
					e.opf("VBROADCASTSD %d(%s), %s", off, o.base, o.y)
					e.opf("VPERMILPS Y6, %s, %s", o.y, o.y)
				}
			}
			e.op(s.load(off, y)...)
			which := 0
			if group%8 == 4 && group != 4 && off+8 > group {
				which = 1 + min(1, off/group)
			}
			e.op(ofPair(f.compute(y), operands, which)...)
			e.opf("%s %s, %d(DI)", moves[store], y, 4*off)
		}
	})
}

// operandPairs loads the operands of two groups.
func (e *emitter) operandPairs(operands []laneOperand) {
	for i, o := range operands {
		e.opf("VBROADCASTSS (%s), %s", o.base, o.y)
		e.opf("VBROADCASTSS 4(%s), Y%d", o.base, 5-i)
		e.opf("VBLENDPS $0xf0, Y%d, %s, Y%d", 5-i, o.y, 6+i)
	}
}

// ofPair is a computation with the operands of the first group (0), of both (1), or of the second (2).
func ofPair(lines []string, operands []laneOperand, which int) []string {
	var out []string
	for _, line := range lines {
		for i, o := range operands {
			if which > 0 {
				line = strings.Replace(line, o.y, fmt.Sprintf("Y%d", [...]int{6 + i, 5 - i}[which-1]), 1)
			}
		}
		out = append(out, line)
	}
	return out
}

// largePairs is pairsOf for larger groups: chunks is how many vectors one has, half a one less.
func (e *emitter) largePairs(name string, s source, f form, store string) {
	e.begin(name, s, f)
	operands := operandsOf(f)
	some := func(n, which int) {
		for k := range n {
			y := fmt.Sprintf("Y%d", k)
			e.op(s.load(8*k, y)...)
			e.op(ofPair(f.compute(y), operands, which)...)
			e.opf("%s %s, %d(DI)", moves[store], y, 32*k)
		}
		e.opf("ADDQ $%d, SI", 8*n*s.bytes)
		e.opf("ADDQ $%d, DI", 32*n)
	}
	e.units(s, f, 0, func() {
		e.operandPairs(operands)
		for which := range 3 {
			if which == 1 {
				some(1, 1)
				continue
			}
			e.load("epilogueArgs", "chunks", "DX")
			e.op("SUBQ $4, DX")
			e.label(fmt.Sprintf("by4%d", which))
			some(4, which)
			e.op("SUBQ $4, DX", fmt.Sprintf("JGE by4%d", which), "ADDQ $4, DX", fmt.Sprintf("JEQ done%d", which))
			e.loop(fmt.Sprintf("by1%d", which), "DX", func() { some(1, which) })
			e.label(fmt.Sprintf("done%d", which))
		}
	})
}

var moves = map[string]string{"": "VMOVUPS", "NT": "VMOVNTPS"}

// period goes through blocks of groups of units, each lane of a group with operands of its own, which
// are the same for all groups of a block. AX is where they are.
func (e *emitter) period(name string, s source, f form, unit int, store string) {
	e.begin(name, s, f)
	e.loop("block", "R11", func() {
		e.op(s.table...)
		e.load("epilogueArgs", "groups", "CX")
		e.loop("group", "CX", func() {
			e.load("epilogueArgs", "chunks", "DX")
			e.op("XORL AX, AX")
			e.loop("chunk", "DX", func() {
				for off := 0; off < unit; off += 8 {
					y := fmt.Sprintf("Y%d", off/8)
					e.op(s.load(off, y)...)
					for _, line := range f.compute(y) {
						for _, o := range operandsOf(f) {
							line = strings.Replace(line, o.y, fmt.Sprintf("%d(%s)(AX*1)", 4*off, o.base), 1)
						}
						e.op(line)
					}
					e.opf("%s %s, %d(DI)", moves[store], y, 4*off)
				}
				e.opf("ADDQ $%d, AX", 4*unit)
				e.opf("ADDQ $%d, SI", unit*s.bytes)
				e.opf("ADDQ $%d, DI", 4*unit)
			})
		})
		e.op("ADDQ epilogueArgs_srcSkip(BX), SI", "ADDQ epilogueArgs_dstSkip(BX), DI")
		e.op(s.skip...)
		e.advance(f, "Skip")
	})
	e.ret()
}

// apart reads numbers that are equally far apart, eight at a time: AX and DX are the first and the
// fifth, R10 and R11 one distance and three.
func (e *emitter) apart() {
	places := []string{"(AX)", "(AX)(R10*1)", "(AX)(R10*2)", "(AX)(R11*1)", "(DX)", "(DX)(R10*1)", "(DX)(R10*2)", "(DX)(R11*1)"}
	var words, floats []string
	for i, at := range places {
		words = append(words, fmt.Sprintf("VPINSRW $%d, %s, X%d, X0", i, at, 8*min(1, max(0, 1-i))))
		switch x := i / 4; i % 4 {
		case 0:
			floats = append(floats, fmt.Sprintf("VMOVSS %s, X%d", at, x))
		default:
			floats = append(floats, fmt.Sprintf("VINSERTPS $%d, %s, X%d, X%d", i%4<<4, at, x, x))
		}
	}
	for _, k := range []struct {
		name string
		read []string
	}{
		{"F16", append(words[:8:8], "VCVTPH2PS X0, Y0")},
		{"BF16", append(words[:8:8], "VPMOVZXWD X0, Y0", "VPSLLD $16, Y0, Y0")},
		{"F32", append(floats[:8:8], "VINSERTF128 $1, X1, Y0, Y0")},
	} {
		e.text("apart"+k.name, "unpackArgs")
		e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13", "count", "R15", "step", "R10")
		e.op("LEAQ (R10)(R10*2), R11", "VPXOR X8, X8, X8")
		e.loop("block", "R9", func() {
			e.op("MOVQ SI, AX", "MOVQ DI, R8", "MOVQ R15, CX")
			e.loop("next", "CX", func() {
				e.op("LEAQ (AX)(R10*4), DX")
				e.op(k.read...)
				e.op("VMOVUPS Y0, (R8)", "LEAQ (DX)(R10*4), AX", "ADDQ $32, R8")
			})
			e.op("ADDQ R12, SI", "ADDQ R13, DI")
		})
		e.ret()
	}
}
