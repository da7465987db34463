// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"cmp"
	"fmt"
)

// moves are the snippets between blocks and strips, and Check.
func (e *emitter) moves() {
	e.check()
	e.nearest()
	e.load4()
	e.ahead()
	e.loadNarrow("loadWord", []string{
		"VMOVDQU (SI), Y0", "VMOVDQU 32(SI), Y1", "VMOVDQU 64(SI), Y2", "VMOVDQU 96(SI), Y3", "PREFETCHT0 4096(SI)", "PREFETCHT0 4160(SI)",
	})
	e.loadNarrow("loadHalf", []string{
		"VPMOVZXWD (SI), Y0", "VPMOVZXWD 16(SI), Y1", "VPMOVZXWD 32(SI), Y2", "VPMOVZXWD 48(SI), Y3", "PREFETCHT0 4096(SI)",
	})
	e.loadNarrow("loadByte", []string{
		"VPMOVZXBD (SI), Y0", "VPMOVZXBD 8(SI), Y1", "VPMOVZXBD 16(SI), Y2", "VPMOVZXBD 24(SI), Y3", "PREFETCHT0 4096(SI)",
	})
	e.columns()
	e.store4()
	e.narrows()
}

// narrows are the stores of blocks that are one number; four vectors at a time.
func (e *emitter) narrows() {
	e.storeNarrow("pastWord", "", "VMOVNTDQ D0, (BX)", "VMOVNTDQ D1, 32(BX)", "VMOVNTDQ D2, 64(BX)", "VMOVNTDQ D3, 96(BX)")
	e.storeNarrow("storeWord", "", "VMOVDQU D0, (BX)", "VMOVDQU D1, 32(BX)", "VMOVDQU D2, 64(BX)", "VMOVDQU D3, 96(BX)")
	e.storeNarrow("storeHalf", "low16",
		"VPACKUSDW D1, D0, D0", "VPACKUSDW D3, D2, D2", "VPERMQ $0xd8, D0, D0", "VPERMQ $0xd8, D2, D2", "VMOVDQU D0, (BX)", "VMOVDQU D2, 32(BX)")
	e.storeNarrow("storeByte", "low8",
		"VPACKUSDW D1, D0, D0", "VPACKUSDW D3, D2, D2", "VPACKUSWB D2, D0, D0", "VMOVDQU interleave<>(SB), D1", "VPERMD D0, D1, D0", "VMOVDQU D0, (BX)")
}

// check collects the bits of X outside of the mask, and number where X is NaN, which is no accumulator; the accumulator stays.
func (e *emitter) check() {
	e.table.WriteString("Check: {")
	for _, form := range []string{"", "x"} {
		fmt.Fprintf(e.table, "{%d}, ", e.begin(snippetName("Check", form, kept)))
		e.operands("x", form, kept)
		x := e.four(form)
		e.op(bitsMask)
		if form == "" {
			e.opf("VMOVDQU %s, Y4", x[0])
			e.opf("VMOVDQU %s, Y5", x[2])
			x[0], x[2] = "Y4", "Y5"
		}
		e.opf("VPOR %s, %s, Y4", x[1], x[0])
		e.opf("VPOR %s, %s, Y5", x[3], x[2])
		e.op("VPOR Y4, Y5, Y4", "VPANDN Y4, Y12, Y4", "VPOR Y4, Y15, Y15")
		e.next(wide)
	}
	fmt.Fprintf(e.table, "},\nnumber: {{%d}},\n", e.begin("number"))
	e.operands("x", "", kept)
	x := e.four("")
	e.opf("VMOVDQU %s, Y4", x[0])
	e.opf("VMOVDQU %s, Y5", x[2])
	e.opf("VCMPPS $3, %s, Y4, Y4", x[1])
	e.opf("VCMPPS $3, %s, Y5, Y5", x[3])
	e.op("VPOR Y4, Y15, Y15", "VPOR Y5, Y15, Y15")
	e.next(short)
}

// four are the vectors of X.
func (e *emitter) four(form string) (x [4]string) {
	for i := range x {
		x[i] = fmt.Sprintf("%d(R9)(AX*1)", 32*i)
		if form == "x" {
			x[i] = fmt.Sprintf("Y%d", i)
		}
	}
	return x
}

// transpose turns the words of 4 rows of 4, in both halves of Y0 to Y3, into Y4 to Y7.
func (e *emitter) transpose() {
	e.op("VUNPCKLPS Y1, Y0, Y8", "VUNPCKHPS Y1, Y0, Y9", "VUNPCKLPS Y3, Y2, Y10", "VUNPCKHPS Y3, Y2, Y11",
		"VUNPCKLPD Y10, Y8, Y4", "VUNPCKHPD Y10, Y8, Y5", "VUNPCKLPD Y11, Y9, Y6", "VUNPCKHPD Y11, Y9, Y7")
}

// load4 makes strips of 4 words, from byte X of a block on. The second form collects where one of them is NaN.
func (e *emitter) load4() {
	e.table.WriteString("load4: {")
	for _, numbers := range []bool{false, true} {
		name := "load4"
		if numbers {
			name = "load4_numbers"
		}
		fmt.Fprintf(e.table, "{%d}, ", e.begin(name))
		e.blocks32(numbers)
	}
	e.table.WriteString("},\n")
}

func (e *emitter) blocks32(numbers bool) {
	e.op("MOVL 8(R8), AX", "MOVL 16(R8), BX", "ADDQ SI, AX", "ADDQ R9, BX", "MOVQ executeArgs_inSize(R10), CX",
		"LEAQ (CX)(CX*2), DX")
	for i := range 4 {
		if i > 0 {
			e.op("LEAQ (AX)(CX*8), AX")
		}
		e.load8()
		for w := range 4 {
			e.opf("VMOVUPS Y%d, %d(BX)", 4+w, 128*w+32*i)
		}
		if numbers {
			e.op("VCMPPS $3, Y4, Y5, Y8", "VCMPPS $3, Y6, Y7, Y9", "VPOR Y8, Y15, Y15", "VPOR Y9, Y15, Y15")
		}
	}
	e.next(short)
}

// load8 reads 8 blocks from AX on: t and t+4 share a register. CX is the size of a block, DX three times it.
func (e *emitter) load8() {
	e.op("VMOVUPS (AX), X0", "VMOVUPS (AX)(CX*1), X1", "VMOVUPS (AX)(CX*2), X2", "VMOVUPS (AX)(DX*1), X3", "LEAQ (AX)(CX*4), R15",
		"VINSERTF128 $1, (R15), Y0, Y0", "VINSERTF128 $1, (R15)(CX*1), Y1, Y1", "VINSERTF128 $1, (R15)(CX*2), Y2, Y2",
		"VINSERTF128 $1, (R15)(DX*1), Y3, Y3")
	e.transpose()
}

// ahead asks for lines of the input from the byte at 8 on, into the first caches or into the second ones: 1, 2, 4 or 8.
func (e *emitter) ahead() {
	for _, a := range [][2]string{{"near", "PREFETCHT0"}, {"far", "PREFETCHT1"}} {
		fmt.Fprintf(e.table, "%s: {", a[0])
		for _, lines := range []int{1, 2, 4, 8} {
			fmt.Fprintf(e.table, "{%d}, ", e.begin(fmt.Sprintf("%s_%d", a[0], lines)))
			e.op("MOVL 8(R8), AX")
			for i := range lines {
				e.opf("%s %d(SI)(AX*1)", a[1], 64*i)
			}
			e.next(short)
		}
		e.table.WriteString("},\n")
	}
}

// loadNarrow reads blocks that are one number, and asks for the lines a page further on: what foresees reads ends with the page.
func (e *emitter) loadNarrow(name string, lines []string) {
	fmt.Fprintf(e.table, "%s: {{", name)
	for _, to := range []target{kept, stored} {
		fmt.Fprintf(e.table, "%d, ", e.begin(snippetName(name, "", to)))
		e.op(lines...)
		e.operands("", "", to)
		for i := range e.vectors {
			e.put(to, i)
		}
		e.next(short)
	}
	e.table.WriteString("}},\n")
}

// columns are loads of lanes that follow each other in a column.
func (e *emitter) columns() {
	for _, c := range []struct {
		name, move string
		size       int // of a lane; 0: eights have places; negative: tiles have places
	}{
		{"ofWords", "VMOVDQU", 4},
		{"ofHalves", "VPMOVZXWD", 2},
		{"ofBytes", "VPMOVZXBD", 1},
		{"ofSigned", "VPMOVSXBD", 1},
		{"ofEights", "VMOVDQU", 0},
		{"ofShared", "VPBROADCASTD", 0},
		{"atWords", "VMOVDQU", -4},
		{"atHalves", "VPMOVZXWD", -2},
		{"atShorts", "VPMOVSXWD", -2},
		{"atBytes", "VPMOVZXBD", -1},
		{"atSigned", "VPMOVSXBD", -1},
	} {
		e.loadNarrow(c.name, e.column(c.move, c.size))
	}
	e.floats()
	lines := e.one(8, "Y0", "Y4")
	for i := range e.vectors {
		if i%4 != 0 {
			lines = append(lines, fmt.Sprintf("VMOVDQA Y%d, Y%d", i/4*4, i))
		}
	}
	e.loadNarrow("atOne", lines)
}

// floats are columns of integers as floats.
func (e *emitter) floats() {
	if e.vectors == 4 {
		return
	}
	for _, c := range []struct {
		name, move string
		size       int
	}{
		{"floatWords", "", 4},
		{"floatHalves", "VPMOVZXWD", 2},
		{"floatBytes", "VPMOVZXBD", 1},
		{"floatSigned", "VPMOVSXBD", 1},
		{"floatAtHalves", "VPMOVZXWD", -2},
		{"floatAtShorts", "VPMOVSXWD", -2},
		{"floatAtBytes", "VPMOVZXBD", -1},
		{"floatAtSigned", "VPMOVSXBD", -1},
	} {
		lines := e.column(cmp.Or(c.move, "VCVTDQ2PS"), c.size)
		for i := 0; i < e.vectors && c.move != ""; i++ {
			lines = append(lines, fmt.Sprintf("VCVTDQ2PS Y%d, Y%d", i, i))
		}
		e.loadNarrow(c.name, lines)
	}
}

// column reads lanes from the place of column 8(R8) on.
func (e *emitter) column(move string, size int) []string {
	lines := []string{"MOVL 8(R8), AX", "ADDQ executeArgs_columns(R10), AX", "MOVQ columnArgs_base(AX), DX"}
	if size <= 0 {
		lines = append(lines, "MOVQ SI, CX", fmt.Sprintf("SHRQ $%d, CX", map[bool]int{true: 1, false: 3}[size == 0]), "ADDQ columnArgs_at(AX), CX")
	}
	for i := range e.vectors {
		switch {
		case size == 0:
			lines = append(lines, fmt.Sprintf("MOVLQSX %d(CX), BX", 4*i), fmt.Sprintf("%s (DX)(BX*1), Y%d", move, i))
		case size > 0:
			lines = append(lines, fmt.Sprintf("%s %d(DX)(SI*%d), Y%d", move, 8*size*i, size, i))
		case i%4 == 0:
			lines = append(lines, fmt.Sprintf("MOVLQSX %d(CX), BX", i))
			fallthrough
		default:
			lines = append(lines, fmt.Sprintf("%s %d(DX)(BX*1), Y%d", move, -8*size*(i%4), i))
		}
	}
	return lines
}

// store4 writes 4 words of each block, in the order of the blocks: the rows are at 8, 12, 20 and
// 24, the place in the block at 16.
func (e *emitter) store4() {
	fmt.Fprintf(e.table, "store4: {{%d}},\n", e.begin("store4"))
	e.op("MOVQ executeArgs_outSize(R10), CX", "MOVL 16(R8), DX", "ADDQ DI, DX")
	for i := range 4 {
		for k, at := range []int{8, 12, 20, 24} {
			e.opf("MOVL %d(R8), AX", at)
			e.opf("VMOVUPS %d(R9)(AX*1), Y%d", 32*i, k)
		}
		e.transpose()
		e.op("LEAQ (CX)(CX*2), BX")
		e.op("VMOVUPS X4, (DX)", "VMOVUPS X5, (DX)(CX*1)", "VMOVUPS X6, (DX)(CX*2)", "VMOVUPS X7, (DX)(BX*1)", "LEAQ (DX)(CX*4), DX",
			"VEXTRACTF128 $1, Y4, (DX)", "VEXTRACTF128 $1, Y5, (DX)(CX*1)", "VEXTRACTF128 $1, Y6, (DX)(CX*2)",
			"VEXTRACTF128 $1, Y7, (DX)(BX*1)", "LEAQ (DX)(CX*4), DX")
	}
	e.next(wide)
}

// last is the target of stores: with 64 lanes the end of the tile is part of them.
func (e *emitter) last() target {
	if e.vectors > 4 {
		return written
	}
	return kept
}

// storeNarrow writes blocks of one word or less. What they need not be afterwards, vectors of the accumulator are no longer.
func (e *emitter) storeNarrow(name, mask string, lines ...string) {
	fmt.Fprintf(e.table, "%s: {", name)
	for _, form := range []string{"", "x"} {
		fmt.Fprintf(e.table, "{%d}, ", e.begin(snippetName(name, form, kept)))
		e.operands("x", form, kept)
		if mask != "" {
			e.op(broadcast(mask, "Y12"))
		}
		for i := range e.vectors {
			x := fmt.Sprintf("%d(R9)(AX*1)", 32*i)
			if form == "x" {
				x = fmt.Sprintf("Y%d", i)
			}
			switch {
			case mask != "":
				e.opf("VPAND %s, Y12, Y%d", x, i)
			case form == "":
				e.opf("VMOVDQU %s, Y%d", x, i)
			}
		}
		for i := 0; i < e.vectors; i += 4 {
			e.op(map[int]string{0: "MOVQ DI, BX", 4: "ADDQ $" + map[string]string{"": "128", "low16": "64", "low8": "32"}[mask] + ", BX"}[i])
			e.across(lines, i)
		}
		e.finish(e.last(), short)
	}
	e.table.WriteString("},\n")
}

// nearest finds which of a list's numbers is nearest to X: Y0 to Y3 are the words found, Y4 to
// Y7 the distances, of which NaN is made the least, Y8 to Y11 X. The number of pairs is at
// 12, the pairs of offset and word begin at 24.
func (e *emitter) nearest() {
	e.table.WriteString("nearest: {{")
	for _, to := range []target{kept, stored} {
		store := to == stored
		fmt.Fprintf(e.table, "%d, ", e.begin(snippetName("nearest", "", to)))
		e.op("VMOVDQU Y15, executeArgs_wrong(R10)", broadcast("infinite", "Y15"), "MOVL 8(R8), AX", "MOVL 12(R8), CX")
		if store {
			e.op("MOVL 16(R8), DX")
		}
		for i := range 4 {
			e.opf("VMOVUPS %d(R9)(AX*1), Y%d", 32*i, 8+i)
		}
		e.op("MOVL 24(R8), AX", "VPBROADCASTD 28(R8), Y14", "ADDQ $32, R8")
		for i := range 4 {
			e.distance(i)
			e.opf("VMOVDQA Y12, Y%d", 4+i)
			e.opf("VMOVDQA Y14, Y%d", i)
		}
		e.op("DECQ CX", "JEQ done")
		e.b.WriteString("another:\n")
		e.op("MOVL (R8), AX", "VPBROADCASTD 4(R8), Y14", "ADDQ $8, R8")
		for i := range 4 {
			e.distance(i)
			e.opf("VPCMPGTD Y12, Y%d, Y13", 4+i)
			e.opf("VPMINSD Y12, Y%d, Y%d", 4+i, 4+i)
			e.opf("VBLENDVPS Y13, Y14, Y%d, Y%d", i, i)
		}
		e.op("DECQ CX", "JNE another")
		e.b.WriteString("done:\n")
		e.op("VMOVDQU executeArgs_wrong(R10), Y15")
		if store {
			for i := range 4 {
				e.opf("VMOVDQU Y%d, %d(R9)(DX*1)", i, 32*i)
			}
		}
		e.next(0)
	}
	e.table.WriteString("}},\n")
}

// distance makes Y12 the distance of vector i of X to a number's.
func (e *emitter) distance(i int) {
	e.opf("VSUBPS %d(R9)(AX*1), Y%d, Y12", 32*i, 8+i)
	e.op("VPAND magnitudes<>(SB), Y12, Y12", "VPCMPGTD Y15, Y12, Y13", "VPOR Y13, Y12, Y12")
}
