// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"slices"
	"strings"
)

// Numbers whose places go on by steps: a step is up to eight lanes, which come out of the payload by the
// same loads and shuffles, moved on. What a step writes too much, the next one overwrites.
//
// Registers: SI and AX, and of four pieces R8 and R9, where a step reads; else R8 and R9 are distances. R12
// and R13 are the steps of SI and AX, DI is the result and R14 its step, R10, R11 and DX are operands. Y4 to Y6 and Y7 to Y9
// are the terms, Y10 and X11 what words become floats with.

// gathering is how the words of a step are put together, into Y0.
type gathering struct {
	name     string
	load     []string // into Y0
	move     []string
	second   bool // AX is read from
	far      bool // R9 is three times R8
	pieces   bool // R8 and R9 are read from
	distance bool // R9 is a distance
	kinds    string
	half     bool     // words are 16 bits in X0
	split    bool     // lanes of the halves are stored one by one
	few      bool     // what is seldom has no loops of its own for a sum or a difference alone
	slow     bool     // caches take what it writes as fast as it is made
	shift    []string // of words that are to be converted; nil: that of the kind
	shuffles []int    // registers Y4 and on: what of the terms is used
}

const (
	shuffle1 = "VPSHUFB Y4, Y0, Y0"
	insert   = "VINSERTI128 $1, (SI)(R8*1), Y0, Y0"
	pair     = "VPBLENDD $0xCC, Y1, Y0, Y0"
)

var (
	loadOne   = []string{"VBROADCASTI128 (SI), Y0"}
	loadTwo   = []string{"VMOVDQU (SI), X0", insert}
	loadThree = []string{"VMOVDQU (SI), X0", insert, "VMOVDQU (SI)(R9*1), Y1", shuffle1, "VPSHUFB Y7, Y1, Y1", "VPOR Y1, Y0, Y0"}
	loadPair  = []string{"VPBROADCASTQ (SI), Y0", "VPBROADCASTQ (AX), Y1", pair}
	loadHalf  = []string{"VMOVDQU (SI), X0"}
	loadHalf2 = []string{"VMOVQ (SI), X0", "VMOVHPS (AX), X0, X0"}
	// A number is at its lane's place in the bytes that it is blended from.
	loadFar = []string{
		"VMOVUPS (SI), X0", "VMOVUPS (AX), X1", "VBLENDPS $2, (SI)(R8*1), X0, X0", "VBLENDPS $2, (AX)(R8*1), X1, X1",
		"VBLENDPS $4, (SI)(R8*2), X0, X0", "VBLENDPS $4, (AX)(R8*2), X1, X1", "VBLENDPS $8, (SI)(R9*1), X0, X0",
		"VBLENDPS $8, (AX)(R9*1), X1, X1", "VINSERTF128 $1, X1, Y0, Y0",
	}
	// Planes go on together: R13 is how far.
	loadQuad = []string{
		"VPBROADCASTQ (SI)(R13*1), Y0", "VPBROADCASTQ (AX)(R13*1), Y1", "VPBROADCASTQ (R8)(R13*1), Y2", "VPBROADCASTQ (R9)(R13*1), Y3", pair,
		"VPBLENDD $0xCC, Y3, Y2, Y2", shuffle1, "VPSHUFB Y7, Y2, Y2", "VPOR Y2, Y0, Y0",
	}
	loadTerms = []string{
		"VMOVDQU (SI), X0", insert, shuffle1, "VMOVDQU (AX), X1", "VINSERTI128 $1, (AX)(R9*1), Y1, Y1", "VPSHUFB Y7, Y1, Y1",
	}

	moveBytes  = []string{shuffle1}
	moveBits   = []string{shuffle1, "VPSLLVD Y5, Y0, Y0"}
	firstBits  = []string{"VPSLLVD Y5, Y0, Y0", "VPAND Y6, Y0, Y0"}
	otherBits  = []string{"VPSLLVD Y8, Y1, Y1", "VPAND Y9, Y1, Y1", "VPOR Y1, Y0, Y0"}
	moveMasked = append([]string{shuffle1}, firstBits...)
	moveSum    = []string{shuffle1, "VPAND Y6, Y0, Y0", "VPMADDWD Y5, Y0, Y0"}
	moveHalf   = []string{"VPSHUFB X4, X0, X0"}
	moveHalf2  = []string{"VPSHUFB X4, X0, X0", "VPMULLW X5, X0, X0", "VPSRLW X11, X0, X0", "VPAND X6, X0, X0"}
	twoHalves  = append(slices.Clone(loadTwo), shuffle1, "VPERMQ $8, Y0, Y0")

	toBytes, toBits, toMasked = []int{4}, []int{4, 5}, []int{4, 5, 6}
)

// gatherings are in the order of the constants.
var gatherings = []gathering{
	{name: "OneBytes", load: loadOne, move: moveBytes, kinds: "IF", shuffles: toBytes},
	{name: "OneBits", load: loadOne, move: moveBits, kinds: "IU", shuffles: toBits},
	{name: "OneMasked", load: loadOne, move: moveMasked, kinds: "IF", shuffles: toMasked},
	{name: "OneSum", load: loadOne, move: moveSum, kinds: "I", shuffles: toMasked},
	{name: "TwoBytes", load: loadTwo, move: moveBytes, kinds: "IFW", shuffles: toBytes},
	{name: "TwoBits", load: loadTwo, move: moveBits, kinds: "IU", shuffles: toBits},
	{name: "TwoMasked", load: loadTwo, move: moveMasked, kinds: "IF", shuffles: toMasked},
	{name: "TwoSum", slow: true, load: loadTwo, move: moveSum, kinds: "I", few: true, shuffles: toMasked},
	{name: "PairBytes", load: loadPair, move: moveBytes, second: true, kinds: "IF", few: true, shuffles: toBytes},
	{name: "PairMasked", slow: true, load: loadPair, move: moveMasked, second: true, kinds: "IF", few: true, shuffles: toMasked},
	{name: "PairSum", slow: true, load: loadPair, move: moveSum, second: true, kinds: "I", shuffles: toMasked},
	{name: "SplitBytes", load: loadTwo, move: moveBytes, distance: true, kinds: "IF", split: true, shuffles: toBytes},
	{name: "SplitBits", load: loadTwo, move: moveBits, distance: true, kinds: "IU", split: true, shuffles: toBits},
	{name: "SplitPlain", load: loadTwo, distance: true, kinds: "IF", split: true, shift: []string{}},
	{name: "ThreeMasked", load: loadThree, move: firstBits, distance: true, kinds: "IF", few: true, shuffles: []int{4, 5, 6, 7}},
	{name: "FarMasked", slow: true, load: loadFar, move: moveMasked, second: true, far: true, kinds: "IF", few: true, shuffles: toMasked},
	{name: "QuadBytes", load: loadQuad, second: true, pieces: true, kinds: "IF", few: true, shuffles: []int{4, 7}},
	{name: "OneWords", load: loadHalf, move: moveHalf, kinds: "H", half: true, shuffles: toBytes},
	{name: "OneFields", load: loadHalf, move: moveHalf2, kinds: "HX", half: true, shuffles: toMasked},
	{name: "TwoWords", load: twoHalves, kinds: "H", half: true, shuffles: toBytes},
	{name: "TwoFields", slow: true, load: twoHalves, move: moveHalf2[1:], kinds: "HX", half: true, shuffles: toMasked},
	{name: "PairWords", load: loadHalf2, move: moveHalf, second: true, kinds: "H", half: true, shuffles: toBytes},
	{name: "PairFields", slow: true, load: loadHalf2, move: moveHalf2, second: true, kinds: "HX", half: true, shuffles: toMasked},
	{
		name: "Terms", load: loadTerms, move: slices.Concat(firstBits, otherBits), second: true, distance: true, kinds: "IUFX", few: true, slow: true,
		shuffles: []int{4, 5, 6, 7, 8, 9},
	},
	{name: "Signed", load: []string{"VPMOVSXWD (SI), Y0"}, kinds: "I", shift: []string{}},
	{name: "Unsigned", load: []string{"VPMOVZXWD (SI), Y0"}, kinds: "I", shift: []string{}},
}

const (
	toFloat = "VCVTDQ2PS Y0, Y0"
	timesU  = "VMULPS Y10, Y0, Y0"
)

// seriesKinds is how words become floats, in the order of the kinds.
var seriesKinds = []wordKind{
	{"I", nil, []string{"VPSRAVD Y11, Y0, Y0"}}, // Y11 is loaded with the terms
	{"U", nil, []string{"VPSRLVD Y11, Y0, Y0"}},
	{"F", nil, nil},
	{"H", []string{"VMOVQ dwordArgs_shift(BX), X11"}, []string{"VCVTPH2PS X0, Y0"}},
	wordKinds[4],
	{"X", []string{"VMOVQ dwordArgs_shift(BX), X11", "VBROADCASTSS dwordArgs_unit(BX), Y10"}, []string{"VCVTPH2PS X0, Y0", timesU}},
}

// float is what makes floats of a gathering's words.
func (g gathering) float(k wordKind) []string {
	switch {
	case g.shift != nil && k.name == "I":
		return append(slices.Clone(g.shift), toFloat)
	case k.name == "I" || k.name == "U":
		return append(slices.Clone(k.float), toFloat)
	case k.name == "X" && !g.half:
		return wordKinds[3].float
	}
	return k.float
}

// seriesForms are the steps of an epilogue, in the order of the constants.
var seriesForms = []form{
	{name: "", compute: func(string) []string { return nil }},
	forms[0],
	{"Add", false, true, true, arithmetic(mulA, addB)},
	forms[3],
	forms[4],
}

// has reports whether there is a loop. Where there is none of a sum or a difference alone, that of both does it.
func (g gathering) has(k wordKind, f form) bool {
	exact := k.name != "I" && k.name != "U"
	if k.name == "H" && strings.Contains(g.kinds, "HX") {
		return f.name == "" // a factor of 1 does the others
	}
	switch f.name {
	case "":
		exact = exact && k.name != "W"
	case "Add":
		exact = !g.few && (!exact || g.split)
	case "SubMul":
		exact = !g.few && !exact
	default:
		exact = true
	}
	return exact && strings.Contains(g.kinds, k.name)
}

// quotients reports whether a loop multiplies by the sum of two numbers, in Y13 and Y10, and rounds once: which divides integers by
// a known number. Where nothing is divided, the second one is a zero of the sign of the first, but is the first one itself where an
// infinity is subtracted.
func (g gathering) quotients(k wordKind, f form) bool {
	return f.name == "Full" && (k.name == "I" || k.name == "U")
}

func stepLoops(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
	table := fmt.Sprintf("\n// seriesLoops are the loops over numbers whose places go on by steps: by gathering, kind, form and store.\n"+
		"var seriesLoops = [%d][%d][%d][2]func(*dwordArgs){\n", len(gatherings), len(seriesKinds), len(seriesForms))
	for _, g := range gatherings {
		table += "\t{\n"
		for _, k := range seriesKinds {
			table += "\t\t{"
			for _, f := range seriesForms {
				if !g.has(k, f) {
					table += "{}, "
					continue
				}
				name, other := "series"+g.name+k.name+f.name, "nil"
				e.series1(name, g, k, f, "VMOVUPS")
				if !g.split && !g.slow && (f.name == "" || f.name == "Mul") {
					other = name + "NT"
					e.series1(other, g, k, f, "VMOVNTPS")
				}
				table += fmt.Sprintf("{%s, %s}, ", name, other)
			}
			table += "},\n"
		}
		table += "\t},\n"
	}
	decls.WriteString(table + "}\n")
	return e
}

func (e *emitter) series1(name string, g gathering, k wordKind, f form, move string) {
	e.text(name, "dwordArgs")
	if g.shift == nil {
		e.op(k.init...)
	}
	e.load("epilogueArgs", "src", "SI", "dst", "DI", "a", "R10")
	if f.b {
		e.load("epilogueArgs", "b", "R11", "z", "DX")
	} else if f.z {
		e.load("epilogueArgs", "z", "DX")
	}
	if f.flip {
		e.op("VBROADCASTSS epilogueArgs_flip(BX), Y15")
	}
	e.seriesPlaces(g, k)
	e.label("block")
	e.load("epilogueArgs", "groups", "R15")
	e.loop("group", "R15", func() {
		e.seriesOperands(g, k, f)
		e.load("epilogueArgs", "chunks", "CX")
		if g.far || g.distance && !g.split {
			e.loop("eight", "CX", func() { e.seriesStep(g, k, f, move) })
		} else {
			e.twoSteps(g, k, f, move)
		}
		if g.pieces {
			e.op("ADDQ dwordArgs_turn(BX), R13")
		} else if e.op("ADDQ dwordArgs_turn(BX), SI"); g.second {
			e.op("ADDQ dwordArgs_turn2(BX), AX")
		}
	})
	e.op("ADDQ epilogueArgs_dstSkip(BX), DI")
	switch {
	case g.pieces:
		e.op("ADDQ epilogueArgs_srcSkip(BX), R13")
	case g.second:
		e.op("ADDQ dwordArgs_skip2(BX), AX")
		fallthrough
	default:
		e.op("ADDQ epilogueArgs_srcSkip(BX), SI")
	}
	e.seriesAdvance(f, "Skip")
	e.op("DECQ epilogueArgs_n(BX)", "JNZ block")
	e.ret()
	if f.name != "" {
		e.label("lanes")
		e.seriesLoads(f, "VMOVUPS")
		e.op("JMP operands")
	}
}

// seriesPlaces loads where steps read and how they move.
func (e *emitter) seriesPlaces(g gathering, k wordKind) {
	e.load("epilogueArgs", "dstStep", "R14")
	e.load("dwordArgs", "step", "R12", "terms", "CX")
	if g.second {
		e.load("dwordArgs", "second", "AX", "step2", "R13")
	}
	switch {
	case g.pieces:
		e.load("dwordArgs", "third", "R8", "fourth", "R9")
		e.op("XORL R13, R13")
	case g.far:
		e.load("dwordArgs", "delta", "R8")
		e.op("LEAQ (R8)(R8*2), R9")
	default:
		e.load("dwordArgs", "delta", "R8")
	}
	if g.distance {
		e.load("dwordArgs", "delta2", "R9")
	}
	for _, y := range g.shuffles {
		field := []string{"shuffle", "left", "mask"}[(y-4)%3]
		e.opf("VMOVDQU dwordTerm_%s+dwordTerm__size*%d(CX), Y%d", field, (y-4)/3, y)
	}
	if (k.name == "I" || k.name == "U") && g.shift == nil {
		e.op("VMOVDQU dwordTerm_down(CX), Y11")
	}
}

func (e *emitter) seriesAdvance(f form, by string) {
	e.opf("ADDQ epilogueArgs_a%s(BX), R10", by)
	if f.b {
		e.opf("ADDQ epilogueArgs_b%s(BX), R11", by)
	}
	if f.z {
		e.opf("ADDQ epilogueArgs_z%s(BX), DX", by)
	}
}

// seriesOperands loads a group's operands: those of all its lanes, or of each lane of a step.
func (e *emitter) seriesOperands(g gathering, k wordKind, f form) {
	if f.name == "" {
		return
	}
	e.op("CMPB dwordArgs_vectors(BX), $0", "JNE lanes")
	e.seriesLoads(f, "VBROADCASTSS")
	e.label("operands")
	if f.b {
		e.op("VXORPS Y15, Y14, Y14")
	}
	if g.quotients(k, f) {
		e.op("VSUBPS Y12, Y12, Y0", "VCMPPS $3, Y0, Y0, Y0", "VBROADCASTSS dwordArgs_signs(BX), Y10", "VORPS Y0, Y10, Y10")
		e.op("VANDPS Y13, Y10, Y10", "VBROADCASTSS dwordArgs_low(BX), Y0", "VORPS Y0, Y10, Y10")
	}
	e.seriesAdvance(f, "Step")
}

func (e *emitter) seriesLoads(f form, load string) {
	e.op(load + " (R10), Y13")
	if f.b {
		e.op(load + " (R11), Y14")
	}
	if f.z {
		e.op(load + " (DX), Y12")
	}
}

// seriesStep is one step.
func (e *emitter) seriesStep(g gathering, k wordKind, f form, move string) {
	e.seriesWords(g, k, f)
	e.seriesStore(g, move, "(DI)")
	e.op("ADDQ R14, DI")
}

// twoSteps are all steps of a group, two at a time, the second of which is stored behind the first. If they are odd, the first
// two are one.
func (e *emitter) twoSteps(g gathering, k wordKind, f form, move string) {
	e.op("TESTQ $1, CX", "JEQ two", "INCQ CX")
	if !g.split {
		e.op("SUBQ R14, DI")
	}
	e.op("JMP second")
	e.label("two")
	e.seriesWords(g, k, f)
	e.seriesStore(g, move, "(DI)")
	if g.split {
		e.op("ADDQ R14, DI")
	}
	e.label("second")
	e.seriesWords(g, k, f)
	if g.split {
		e.seriesStore(g, move, "(DI)")
		e.op("ADDQ R14, DI")
	} else {
		e.seriesStore(g, move, "(DI)(R14*1)")
		e.op("LEAQ (DI)(R14*2), DI")
	}
	e.op("SUBQ $2, CX", "JNZ two")
}

// seriesWords leaves the floats of a step in Y0 and goes on to where the next one reads.
func (e *emitter) seriesWords(g gathering, k wordKind, f form) {
	e.op(g.load...)
	e.op(g.move...)
	e.op(g.float(k)...)
	if g.quotients(k, f) {
		f.compute = func(string) []string {
			return []string{"VSUBPS Y12, Y0, Y0", "VMULPS Y10, Y0, Y1", "VFMADD213PS Y1, Y13, Y0", "VADDPS Y14, Y0, Y0"}
		}
	}
	e.op(f.compute("Y0")...)
	if g.pieces {
		e.op("ADDQ R12, R13")
		return
	}
	if e.op("ADDQ R12, SI"); g.second {
		e.op("ADDQ R13, AX")
	}
}

func (e *emitter) seriesStore(g gathering, move, to string) {
	if g.split {
		e.op("VMOVUPS X0, (DI)", "VEXTRACTF128 $1, Y0, (DI)(R9*1)")
		return
	}
	e.op(move + " Y0, " + to)
}
