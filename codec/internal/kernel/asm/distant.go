// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// Numbers at the same distance from each other, in bits, eight at a time and as they are: nothing is
// computed with them, so that none is slow because it is denormal.
//
// Registers: SI and AX windows of the first number of eight lanes, R13 the step from eight to eight, R8
// to R12, DX and R15 how far the windows of the others are from there, DI the result, CX eights. Y4 to Y7
// say how bytes become words, Y13 what stays of them, Y10 and Y11 what words become floats with.

// distance is how eight numbers become words of four bytes that end with the numbers.
type distance struct {
	name   string
	shifts bool
	gather func(e *emitter, src, y, other string)
}

var distances = []distance{
	{"Bytes4", false, func(e *emitter, src, y, _ string) { e.fourInWindow(src, y) }},
	{"Bits4", true, func(e *emitter, src, y, _ string) {
		e.fourInWindow(src, y)
		e.opf("VPSLLVD Y6, %s, %s", y, y)
	}},
	{"BytesLine", false, func(e *emitter, src, y, _ string) {
		e.opf("VMOVDQU (%s), %s", src, y)
		e.opf("VPSHUFB Y4, %s, %s", y, y)
	}},
	{"BitsLine", true, func(e *emitter, src, y, _ string) {
		e.opf("VMOVDQU (%s), %s", src, y)
		e.opf("VPSHUFB Y4, %s, %s", y, y)
		e.opf("VPSLLVD Y6, %s, %s", y, y)
	}},
	{"Bytes3", false, func(e *emitter, src, y, other string) { e.threeInWindow(src, y, other) }},
	{"Bits3", true, func(e *emitter, src, y, other string) {
		e.threeInWindow(src, y, other)
		e.opf("VPSLLVD Y6, %s, %s", y, y)
	}},
	{"Bytes2", false, func(e *emitter, src, y, other string) {
		e.twoInWindow(src, y, other)
		e.opf("VSHUFPS $0xdd, %s, %s, %s", other, y, y)
	}},
	{"Bits2", true, func(e *emitter, src, y, other string) {
		e.twoInWindow(src, y, other)
		e.upperHalves(y, other)
	}},
	{"BytesOne", false, func(e *emitter, src, y, _ string) { e.allInWindow(src, y) }},
	{"BitsOne", true, func(e *emitter, src, y, _ string) {
		e.allInWindow(src, y)
		e.opf("VPSLLVD Y6, %s, %s", y, y)
	}},
	{"Bits1", true, func(e *emitter, src, y, other string) {
		e.oneInWindow("VMOVQ", "VMOVHPS", src, y, other)
		e.upperHalves(y, other)
	}},
}

// distantKinds are how the words become floats.
var distantKinds = []wordKind{
	{"I", distantShift, []string{"VPSRAVD Y11, Y0, Y0", "VCVTDQ2PS Y0, Y0"}},
	{"U", distantShift, []string{"VPSRLVD Y11, Y0, Y0", "VCVTDQ2PS Y0, Y0"}},
	{"F", nil, nil},
	{"H", nil, nil},
	{"W", wordKinds[4].init, wordKinds[4].float},
	{"N", nil, []string{"VCVTDQ2PS Y0, Y0"}}, // whole words
}

var distantShift = []string{"VPBROADCASTD distantArgs_shift(BX), Y11"}

// deltas are the registers of distances from the first window.
var deltas = []string{"R8", "R9", "R10", "R11", "R12", "DX", "R15"}

// has reports whether there are loops of a kind: one window for all lanes is too small for wide ones.
func (d distance) has(k wordKind) bool {
	return !strings.HasSuffix(d.name, "One") || k.name == "I" || k.name == "U"
}

// loop is the name of a kind's loop. Halves are put together in the same way wherever two windows are.
func (d distance) loop(k wordKind) string {
	if k.name == "H" {
		return "distant" + strings.Replace(d.name, "Line", "4", 1) + k.name
	}
	return "distant" + d.name + k.name
}

func (e *emitter) allInWindow(src, y string) {
	e.opf("VBROADCASTI128 (%s), %s", src, y)
	e.opf("VPSHUFB Y4, %s, %s", y, y)
}

func (e *emitter) fourInWindow(src, y string) {
	e.opf("VMOVDQU (%s), X%s", src, y[1:])
	e.opf("VINSERTI128 $1, (%s)(R8*1), %s, %s", src, y, y)
	e.opf("VPSHUFB Y4, %s, %s", y, y)
}

// threeInWindow has the first and the last lanes in a window each, and those between in a third one of 32 bytes.
func (e *emitter) threeInWindow(src, y, other string) {
	e.opf("VMOVDQU (%s), X%s", src, y[1:])
	e.opf("VINSERTI128 $1, (%s)(R8*1), %s, %s", src, y, y)
	e.opf("VMOVDQU (%s)(R9*1), %s", src, other)
	e.opf("VPSHUFB Y4, %s, %s", y, y)
	e.opf("VPSHUFB Y5, %s, %s", other, other)
	e.opf("VPOR %s, %s, %s", other, y, y)
}

func (e *emitter) twoInWindow(src, y, other string) {
	e.opf("VMOVDQU (%s), X%s", src, y[1:])
	e.opf("VMOVDQU (%s)(R8*1), X%s", src, other[1:])
	e.opf("VINSERTI128 $1, (%s)(R9*1), %s, %s", src, y, y)
	e.opf("VINSERTI128 $1, (%s)(R10*1), %s, %s", src, other, other)
	e.opf("VPSHUFB Y4, %s, %s", y, y)
	e.opf("VPSHUFB Y5, %s, %s", other, other)
}

// halvesInWindows makes floats of halves: two, three or four windows hold eight.
func (e *emitter) halvesInWindows(name, src, y, other string) {
	x := "X" + y[1:]
	e.opf("VMOVDQU (%s), %s", src, x)
	e.opf("VPSHUFB X4, %s, %s", x, x)
	for i, r := range deltas[:map[string]int{"Bytes4": 1, "BytesLine": 1, "Bytes3": 2, "Bytes2": 3}[name]] {
		o := fmt.Sprintf("X%s", other[1:])
		e.opf("VMOVDQU (%s)(%s*1), %s", src, r, o)
		e.opf("VPSHUFB X%d, %s, %s", 5+i, o, o)
		e.opf("VPOR %s, %s, %s", o, x, x)
	}
	e.opf("VCVTPH2PS %s, %s", x, y)
}

// oneInWindow puts words of eight bytes of lanes 0, 1, 4 and 5 into y, those of the others into other.
func (e *emitter) oneInWindow(low, high, src, y, other string) {
	for h, x := range []string{"X" + y[1:], "X" + other[1:]} {
		first := "(" + src + ")"
		if h == 1 {
			first += "(R9*1)"
		}
		e.opf("%s %s, %s", low, first, x)
		e.opf("%s (%s)(%s*1), %s, %s", high, src, []string{"R8", "R10"}[h], x, x)
		e.opf("%s (%s)(%s*1), X3", low, src, []string{"R11", "DX"}[h])
		e.opf("%s (%s)(%s*1), X3, X3", high, src, []string{"R12", "R15"}[h])
		e.opf("VINSERTF128 $1, X3, Y%s, Y%s", x[1:], x[1:])
	}
}

// upperHalves moves numbers to the end of words of eight bytes and takes their upper halves.
func (e *emitter) upperHalves(y, other string) {
	e.opf("VPSLLVQ Y6, %s, %s", y, y)
	e.opf("VPSLLVQ Y7, %s, %s", other, other)
	e.opf("VSHUFPS $0xdd, %s, %s, %s", other, y, y)
}

func distants(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
	table := "\n// distantLoops are the loops over numbers of up to 32 bits: by how they are read, kind, and store.\n" +
		"var distantLoops = [11][6][2]func(*distantArgs){\n"
	for _, d := range distances {
		table += "\t{"
		for _, k := range distantKinds {
			table += "{"
			for _, store := range []string{"", "NT"} {
				if name := d.loop(k) + store; d.has(k) {
					if table += name + ", "; name == "distant"+d.name+k.name+store {
						e.distant(name, d, k, store)
					}
				}
			}
			table += "}, "
		}
		table += "},\n"
	}
	table += "}\n\n// distantWide are those over numbers of eight bytes: floats and integers; at whole bytes, at bits, and\n// at whole bytes with two in a window; by store.\n" +
		"var distantWide = [2][3][2]func(*distantArgs){\n"
	for _, k := range []struct {
		name  string
		loops [3]func(e *emitter, move string)
	}{
		{"F64", [3]func(e *emitter, move string){(*emitter).doublesApart, (*emitter).doublesAtBits, (*emitter).doublesInLines}},
		{"I64", [3]func(e *emitter, move string){(*emitter).longsApart}},
	} {
		table += "\t{"
		for i, body := range k.loops {
			if i == len(k.loops)-1 && body == nil {
				continue
			}
			table += "{"
			for _, store := range []string{"", "NT"} {
				name := "distant" + []string{"Bytes", "Bits", "Line"}[i] + k.name + store
				if body == nil {
					e.longsAtBits(name, store)
				} else {
					e.distantWide(name, body, store)
				}
				table += name + ", "
			}
			table += "}, "
		}
		table += "},\n"
	}
	decls.WriteString(table + "}\n")
	return e
}

func moveOf(store string) string {
	if store == "NT" {
		return "VMOVNTPS"
	}
	return "VMOVUPS"
}

// distantBegin reads the arguments.
func (e *emitter) distantBegin(name, frame string) {
	e.textWith(name, "distantArgs", frame)
	e.load("distantArgs", "src", "SI", "dst", "DI", "step", "R13", "words", "CX")
	for i, r := range []string{"Y4", "Y5", "Y6", "Y7"} {
		e.opf("VMOVDQU %d(CX), %s", 32*i, r)
	}
	for i, r := range deltas {
		e.opf("MOVQ distantArgs_delta+%d(BX), %s", 8*i, r)
	}
}

// distantEnd goes on to the next block.
func (e *emitter) distantEnd() {
	e.op("ADDQ distantArgs_srcSkip(BX), SI", "ADDQ distantArgs_dstSkip(BX), DI", "DECQ distantArgs_n(BX)", "JNZ block")
	e.ret()
}

// distant does two eights in a loop, and the last one by itself.
func (e *emitter) distant(name string, d distance, k wordKind, store string) {
	move := moveOf(store)
	e.distantBegin(name, "$0-8")
	float := k.float
	half := k.name == "H" && d.shifts
	switch {
	case half && d.name == "Bits4":
		e.halvesAtBits(move)
		return
	case half:
		float = []string{"VPSRLD $16, Y0, Y0"}
	case k.name == "H":
		e.op("VMOVDQU (CX), X4", "VMOVDQU 16(CX), X5", "VMOVDQU 32(CX), X6", "VMOVDQU 48(CX), X7")
		d.gather = func(e *emitter, src, y, other string) { e.halvesInWindows(d.name, src, y, other) }
	case k.name == "F" && d.shifts:
		e.op("VPBROADCASTD distantArgs_mask(BX), Y13")
		float = []string{"VPAND Y13, Y0, Y0"}
	default:
		e.op(k.init...)
	}
	var second []string
	for _, op := range float {
		second = append(second, strings.ReplaceAll(op, "Y0", "Y8"))
	}
	e.label("block")
	e.load("distantArgs", "eights", "CX")
	e.op("SUBQ $2, CX", "JLT one")
	e.label("two")
	e.op("LEAQ (SI)(R13*1), AX")
	d.gather(e, "SI", "Y0", "Y1")
	d.gather(e, "AX", "Y8", "Y2")
	e.op(float...)
	e.op(second...)
	if half {
		e.op("VPACKUSDW Y8, Y0, Y0", "VEXTRACTI128 $1, Y0, X8", "VPUNPCKLQDQ X8, X0, X1", "VPUNPCKHQDQ X8, X0, X8", "VCVTPH2PS X1, Y0", "VCVTPH2PS X8, Y8")
	}
	e.opf("%s Y0, (DI)", move)
	e.opf("%s Y8, 32(DI)", move)
	e.op("LEAQ (AX)(R13*1), SI", "ADDQ $64, DI", "SUBQ $2, CX", "JGE two")
	e.label("one")
	e.op("ADDQ $2, CX", "JEQ done")
	d.gather(e, "SI", "Y0", "Y1")
	e.op(float...)
	if half {
		e.op(halve...)
	}
	e.opf("%s Y0, (DI)", move)
	e.op("ADDQ R13, SI", "ADDQ $32, DI")
	e.label("done")
	e.distantEnd()
}

// halvesAtBits makes sixteen halves out of four windows: lanes 0 to 3 and 8 to 11 are in one register, those between in the
// other, so that packing puts them in order.
func (e *emitter) halvesAtBits(move string) {
	words := func(y, shuffle, right string) {
		e.opf("VPSHUFB %s, %s, %s", shuffle, y, y)
		e.opf("VPSRLVD %s, %s, %s", right, y, y)
		e.opf("VPAND %s13, %s, %s", y[:1], y, y)
	}
	e.op("VPCMPEQD Y13, Y13, Y13", "VPSRLD $16, Y13, Y13")
	e.label("block")
	e.load("distantArgs", "eights", "CX")
	e.op("SUBQ $2, CX", "JLT one")
	e.label("two")
	e.op("LEAQ (SI)(R13*1), AX")
	e.op("VMOVDQU (SI), X0", "VMOVDQU (SI)(R8*1), X8", "VPBLENDD $0xF0, -16(AX), Y0, Y0", "VPBLENDD $0xF0, -16(AX)(R8*1), Y8, Y8")
	words("Y0", "Y4", "Y6")
	words("Y8", "Y5", "Y7")
	e.op("VPACKUSDW Y8, Y0, Y0", "VEXTRACTI128 $1, Y0, X8", "VCVTPH2PS X0, Y0", "VCVTPH2PS X8, Y8")
	e.opf("%s Y0, (DI)", move)
	e.opf("%s Y8, 32(DI)", move)
	e.op("LEAQ (AX)(R13*1), SI", "ADDQ $64, DI", "SUBQ $2, CX", "JGE two")
	e.label("one")
	e.op("ADDQ $2, CX", "JEQ done", "VMOVDQU (SI), X0", "VMOVDQU (SI)(R8*1), X8")
	words("X0", "X4", "X6")
	words("X8", "X5", "X7")
	e.op("VPACKUSDW X8, X0, X0", "VCVTPH2PS X0, Y0")
	e.opf("%s Y0, (DI)", move)
	e.op("ADDQ R13, SI", "ADDQ $32, DI")
	e.label("done")
	e.distantEnd()
}

// distantWide does one eight in a loop; a body stores it.
func (e *emitter) distantWide(name string, body func(e *emitter, move string), store string) {
	e.distantBegin(name, "$0-8")
	e.op("VXORPS X15, X15, X15")
	e.label("block")
	e.load("distantArgs", "eights", "R14")
	e.loop("eight", "R14", func() {
		body(e, moveOf(store))
		e.op("ADDQ R13, SI", "ADDQ $32, DI")
	})
	e.distantEnd()
}

// doublesApart blends numbers from where their places in a register begin: nothing is shuffled.
func (e *emitter) doublesApart(move string) {
	for h, y := range []string{"Y0", "Y1"} {
		at := e.lanesAt(4*h, 0, 8, 16, 24)
		e.opf("VMOVDQU %s, %s", at[0], y)
		for i, from := range at[1:] {
			e.opf("VPBLENDD $%#x, %s, %s, %s", 12<<(2*i), from, y, y)
		}
	}
	e.narrowDoubles(move)
}

// doublesInLines takes lanes 0 and 2, and 1 and 3, out of windows of 32 bytes.
func (e *emitter) doublesInLines(move string) {
	for h, y := range []string{"Y0", "Y1"} {
		at := e.lanesAt(4*h, 0, 0, 0, 0)
		e.opf("VMOVDQU %s, %s", at[0], y)
		e.opf("VMOVDQU %s, Y2", at[1])
		e.opf("VPSHUFB Y4, %s, %s", y, y)
		e.op("VPSHUFB Y5, Y2, Y2")
		e.opf("VPOR Y2, %s, %s", y, y)
	}
	e.narrowDoubles(move)
}

// narrowDoubles stores each four by themselves: joining them takes longer.
func (e *emitter) narrowDoubles(move string) {
	e.op("VCVTPD2PSY Y0, X0", "VCVTPD2PSY Y1, X1", move+" X0, (DI)", move+" X1, 16(DI)")
}

// lanesAt is where the windows of four lanes are, from so many bytes before them on.
func (e *emitter) lanesAt(lane int, back ...int) []string {
	var at []string
	for i, b := range back {
		from := "(SI)"
		if l := lane + i; l > 0 {
			from += fmt.Sprintf("(%s*1)", deltas[l-1])
		}
		if b != 0 {
			from = fmt.Sprintf("-%d%s", b, from)
		}
		at = append(at, from)
	}
	return at
}

// wideAtBits joins what eight bytes and the byte behind them hold of numbers, four in Y0 and four in Y1.
func (e *emitter) wideAtBits() {
	for h, y := range []string{"Y0", "Y1"} {
		at := e.lanesAt(4*h, 0, 0, 0, 0)
		e.opf("VMOVDQU %s, X%s", at[0], y[1:])
		e.opf("VMOVDQU %s, X2", at[1])
		e.opf("VBROADCASTI128 %s, Y3", at[2])
		e.opf("VBROADCASTI128 %s, Y12", at[3])
		e.opf("VPBLENDD $0xF0, Y3, %s, %s", y, y)
		e.op("VPBLENDD $0xF0, Y12, Y2, Y2")
		e.opf("VPUNPCKHQDQ Y2, %s, Y3", y)
		e.opf("VPUNPCKLQDQ Y2, %s, %s", y, y)
		e.opf("VPSRLVQ Y%d, %s, %s", 4+h, y, y)
		e.opf("VPSLLVQ Y%d, Y3, Y3", 6+h)
		e.opf("VPOR Y3, %s, %s", y, y)
	}
}

func (e *emitter) doublesAtBits(move string) {
	e.wideAtBits()
	e.narrowDoubles(move)
}

func (e *emitter) longsApart(move string) { e.longs(move, e.lanesAt(0, 0, 0, 0, 0, 0, 0, 0, 0)) }

// longsAtBits puts up to eight eights of integers into memory and then converts them, one by one: what was stored just now
// would have to be waited for. AX is where lines begin there, as what crosses lines takes long to read.
func (e *emitter) longsAtBits(name, store string) {
	e.distantBegin(name, "$592-8")
	e.op("VXORPS X15, X15, X15", "LEAQ longs-584(SP), AX", "ADDQ $63, AX", "ANDQ $-64, AX")
	e.label("block")
	e.load("distantArgs", "eights", "CX")
	e.op("MOVQ CX, left-8(SP)")
	e.label("some")
	e.op("MOVQ left-8(SP), CX", "CMPQ CX, $8", "JLE few", "MOVL $8, CX")
	e.label("few")
	e.op("SUBQ CX, left-8(SP)", "MOVQ AX, R14")
	e.loop("eight", "CX", func() {
		e.wideAtBits()
		e.op("VMOVDQU Y0, (R14)", "VMOVDQU Y1, 32(R14)", "ADDQ $64, R14", "ADDQ R13, SI")
	})
	e.op("MOVQ AX, CX")
	e.label("floats")
	var at []string
	for l := range 8 {
		at = append(at, fmt.Sprintf("%d(CX)", 8*l))
	}
	e.longs(moveOf(store), at)
	e.op("ADDQ $64, CX", "ADDQ $32, DI", "CMPQ CX, R14", "JNE floats", "CMPQ left-8(SP), $0", "JNE some")
	e.distantEnd()
}

// longs makes floats of integers of eight bytes.
func (e *emitter) longs(move string, at []string) {
	for h, x := range []int{0, 8} {
		for i, from := range at[4*h : 4*h+4] {
			e.opf("VCVTSI2SSQ %s, X15, X%d", from, x+i)
		}
		e.opf("VUNPCKLPS X%d, X%d, X%d", x+1, x, x)
		e.opf("VUNPCKLPS X%d, X%d, X%d", x+3, x+2, x+2)
		e.opf("VMOVLHPS X%d, X%d, X%d", x+2, x, x)
	}
	e.op("VINSERTF128 $1, X8, Y0, Y0", move+" Y0, (DI)")
}
