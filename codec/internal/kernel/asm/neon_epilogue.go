// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// Epilogues go through runs of lanes that share their operands, of any length: by 16
// lanes, then what is left by 8, 4 and 1, so that nothing is read or written beyond.
//
// Registers: R3, R4, R5 Z, A, B; R6 blocks left; R7 run, R8 runs left; R9 source, R10
// destination, R11 lanes left; R15 to R20 bytes from block to block, without R18, which
// belongs to the system. V0 to V3 are 16 lanes, V4 and V5 what they are made of, V16 to
// V27 the source's, V28, V29, V30 the operands.

// neonSource makes n lanes (16, 8, 4, 1) out of what lies at R9.
type neonSource struct {
	name string
	init func(e *neon)
	load func(e *neon, n int)
	copy bool // numbers of the payload: no steps
}

var neonSources = []neonSource{
	{
		"U8", func(e *neon) { e.places(func(lane, place int) byte { return at(place == 0, lane) }) },
		func(e *neon, n int) { e.codes(n, ucvtf) }, false,
	},
	{
		"I8", func(e *neon) { e.places(func(lane, place int) byte { return at(place == 3, lane) }) },
		func(e *neon, n int) { e.codes(n, scvtfTop) }, false,
	},
	{"F32", nil, func(e *neon, n int) { e.fetch(4*n, 0) }, false},
	{"Lut", (*neon).beginTable, (*neon).look, false},
	{"Table", func(e *neon) { e.load("with", "R21") }, (*neon).lookEach, false},
	{"U16", nil, func(e *neon, n int) { e.words(n, ucvtf) }, false},
	{"F16", nil, func(e *neon, n int) { e.widened(n, fcvtl, fcvtl2) }, true},
	{"BF16", nil, func(e *neon, n int) { e.widened(n, shll, shll2) }, true},
	{"I32", nil, func(e *neon, n int) {
		e.fetch(4*n, 0)
		e.each(n, func(v int) { e.two(scvtf, v, v) })
	}, true},
	{"Wide", func(e *neon) {
		e.dup("low", 4, 16)
		e.dup("plus", 4, 17)
	}, (*neon).wide, true},
}

// at is the index of a byte, or one beyond all tables.
func at(there bool, index int) byte {
	if there {
		return byte(index)
	}
	return 0xff
}

// places sets V20 to V23 to what makes words of 16 codes.
func (e *neon) places(index func(lane, place int) byte) {
	for v := range 4 {
		var bytes [16]byte
		for i := range bytes {
			bytes[i] = index(4*v+i/4, i%4)
		}
		e.constant(bytes, 20+v)
	}
}

// each does something for each register of n lanes.
func (e *neon) each(n int, do func(v int)) {
	for v := range (n + 3) / 4 {
		do(v)
	}
}

// fetch reads n bytes at R9 into registers from v on, and moves on.
func (e *neon) fetch(n, v int) {
	switch {
	case n >= 32:
		e.opf("FLDPQ.P 32(R9), (F%d, F%d)", v, v+1)
		if n > 32 {
			e.fetch(n-32, v+2)
		}
	case n >= 4:
		e.opf("%s.P %d(R9), F%d", map[int]string{16: "FMOVQ", 8: "FMOVD", 4: "FMOVS"}[n], n, v)
	default:
		e.opf("%s.P %d(R9), R22", map[int]string{2: "MOVHU", 1: "MOVBU"}[n], n)
		e.opf("FMOVS R22, F%d", v)
	}
}

// codes widens bytes and converts them.
func (e *neon) codes(n int, convert two) {
	e.fetch(n, 4)
	e.each(n, func(v int) { e.tbl(20+v, 4, 1, v) })
	e.each(n, func(v int) { e.two(convert, v, v) })
}

// words converts 16-bit codes.
func (e *neon) words(n int, convert two) {
	e.widenWords(n)
	e.each(n, func(v int) { e.two(convert, v, v) })
}

func (e *neon) widenWords(n int) {
	e.fetch(2*n, 4)
	e.each(n, func(v int) {
		if v%2 == 0 {
			e.opf("VUXTL V%d.H4, V%d.S4", 4+v/2, v)
		} else {
			e.opf("VUXTL2 V%d.H8, V%d.S4", 4+v/2, v)
		}
	})
}

func (e *neon) wide(n int) {
	e.widenWords(n)
	e.each(n, func(v int) { e.bitwise("VEOR", 16, v) })
	e.each(n, func(v int) { e.opf("VADD V17.S4, V%d.S4, V%d.S4", v, v) })
	e.each(n, func(v int) { e.two(scvtf, v, v) })
}

// widened makes floats of halves.
func (e *neon) widened(n int, low, high two) {
	e.fetch(2*n, 4)
	e.each(n, func(v int) { e.two([]two{low, high}[v%2], v, 4+v/2) })
}

// beginTable loads a table of 16 floats, V24 to V27.
func (e *neon) beginTable() {
	e.places(func(lane, _ int) byte { return byte(lane) })
	e.constant([16]byte{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}, 17)
	e.load("with", "R21")
	e.op("VLD1 (R21), "+b16s(24, 4), "VMOVI $15, V16.B16")
}

// look looks floats up: the bytes of float c begin at 4*c.
func (e *neon) look(n int) {
	e.fetch(n, 4)
	e.bitwise("VAND", 16, 4)
	e.op("VSHL $2, V4.B16, V4.B16")
	e.each(n, func(v int) { e.tbl(20+v, 4, 1, v) })
	e.each(n, func(v int) { e.bitwise("VADD", 17, v) })
	e.each(n, func(v int) { e.tbl(v, 24, 4, v) })
}

// lookEach looks floats up in a table of 256, one by one.
func (e *neon) lookEach(n int) {
	for l := range n {
		e.op("MOVBU.P 1(R9), R22", "ADD R22<<2, R21, R22")
		e.opf("VLD1 (R22), V%d.S[%d]", l/4, l%4)
	}
}

// step is an operation with an operand that a run shares.
type step struct {
	three
	operand int
}

// steps are those of a form, in order.
func (f form) steps() []step {
	var list []step
	if f.z {
		list = append(list, step{fsub, 28})
	}
	if f.name == "Div" {
		list = append(list, step{fdiv, 29})
	} else {
		list = append(list, step{fmul, 29})
	}
	switch {
	case f.name == "MulSub":
		list = append(list, step{fsub, 30})
	case f.b:
		list = append(list, step{fadd, 30})
	}
	return list
}

func neonEpilogues(decls *strings.Builder) *neon {
	e := newNeon(decls)
	list := "\n// epilogueLoops are by source and form.\nvar epilogueLoops = [...][6]func(*unpackArgs){\n"
	groups := "\n// groupLoops are by source and form.\nvar groupLoops = [...][6]func(*unpackArgs){\n"
	copies := "\n// copyLoops are by source, without steps.\nvar copyLoops = [...]func(*unpackArgs){\n"
	for _, s := range neonSources {
		if s.copy || s.name == "F32" {
			name := "copy" + s.name
			e.epilogue(name, s, form{}, nil)
			copies += "\tsource" + s.name + ": " + name + ",\n"
		}
		if s.copy {
			continue
		}
		list += "\tsource" + s.name + ": {"
		for _, f := range forms {
			name := "epilogue" + s.name + f.name
			e.epilogue(name, s, f, f.steps())
			list += name + ", "
		}
		list += "},\n"
		groups += e.groupsOf(s)
	}
	for _, o := range []three{fadd, fsub, fmul, fdiv} {
		e.lanes("lanes"+strings.ToUpper(o.name[1:2])+o.name[2:], o)
	}
	decls.WriteString(list + "}\n" + groups + "}\n" + copies + "}\n")
	return e
}

func (e *neon) epilogue(name string, s neonSource, f form, steps []step) {
	e.text(name)
	if s.init != nil {
		s.init(e)
	}
	if f.flip {
		e.dup("flip", 4, 31)
	}
	e.runs(func() {
		e.broadcast(f.z, "R3", "R12", 28)
		e.broadcast(len(steps) > 0, "R4", "R13", 29)
		e.broadcast(f.b, "R5", "R14", 30)
		if f.flip {
			e.bitwise("VEOR", 31, 30)
		}
	}, func(n int) { e.stepped(s, steps, n) })
}

// broadcast loads an operand of a run.
func (e *neon) broadcast(there bool, base, at string, v int) {
	if there {
		e.op("ADD "+base+", "+at, fmt.Sprintf("VLD1R (%s), [V%d.S4]", at, v))
	}
}

// runs loops over blocks and their runs.
func (e *neon) runs(begin func(), unit func(n int)) {
	e.load("src", "R1", "dst", "R2", "z", "R3", "a", "R4", "b", "R5", "n", "R6")
	e.load("stride", "R15", "pitch", "R16", "zPitch", "R17", "aPitch", "R19", "bPitch", "R20")
	e.count("block", "R6", func() {
		e.load("desc", "R7", "count", "R8")
		e.count("run", "R8", func() {
			e.op("LDPSW run_src(R7), (R9, R10)", "LDPSW run_n(R7), (R11, R12)", "LDPSW run_a(R7), (R13, R14)")
			e.op("ADD R1, R9", "ADD R2, R10")
			begin()
			e.op("ADD $run__size, R7", "SUBS $16, R11", "BLT small")
			e.label("by16")
			e.lanesOf(unit, 16)
			e.op("SUBS $16, R11", "BGE by16")
			e.label("small")
			e.op("ANDS $15, R11, R11", "BEQ done", "TBZ $3, R11, below8")
			e.lanesOf(unit, 8)
			e.label("below8")
			e.op("TBZ $2, R11, below4")
			e.lanesOf(unit, 4)
			e.label("below4")
			e.op("ANDS $3, R11, R11", "BEQ done")
			e.count("by1", "R11", func() { e.lanesOf(unit, 1) })
			e.label("done")
		})
		e.op("ADD R15, R1", "ADD R16, R2", "ADD R17, R3", "ADD R19, R4", "ADD R20, R5")
	})
	e.op("RET")
}

// lanesOf computes n lanes and stores them at R10.
func (e *neon) lanesOf(unit func(n int), n int) {
	unit(n)
	switch n {
	case 16:
		e.op("FSTPQ.P (F0, F1), 32(R10)", "FSTPQ.P (F2, F3), 32(R10)")
	case 8:
		e.op("FSTPQ.P (F0, F1), 32(R10)")
	case 4:
		e.op("FMOVQ.P F0, 16(R10)")
	default:
		e.op("FMOVS.P F0, 4(R10)")
	}
}

// lanes is an operation with an operand a lane: those of a run follow each other.
func (e *neon) lanes(name string, o three) {
	e.text(name)
	e.runs(func() { e.op("ADD R4, R13") }, func(n int) {
		e.fetch(4*n, 0)
		switch n {
		case 16:
			e.op("FLDPQ.P 32(R13), (F4, F5)", "FLDPQ.P 32(R13), (F6, F7)")
		case 8:
			e.op("FLDPQ.P 32(R13), (F4, F5)")
		case 4:
			e.op("FMOVQ.P 16(R13), F4")
		default:
			e.op("FMOVS.P 4(R13), F4")
		}
		e.each(n, func(v int) { e.three(o, v, v, 4+v) })
	})
}
