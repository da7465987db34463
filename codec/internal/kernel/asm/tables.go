// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// tableKernels are look-ups of bytes in tables of bytes, by shuffles, and of floats by words. Registers of the former: SI
// codes, DI result, DX table, Y8 the lower four bits of 32 codes, Y10 a mask of these, Y4 to Y7 bits 4 to 7 at the top.
func tableKernels(decls *strings.Builder) *emitter {
	e := newEmitter(decls)
	for _, n := range []int{128, 256} {
		e.flat(fmt.Sprintf("flatLut%d", n), []string{"MOVQ unpackArgs_with(BX), DX", "VPBROADCASTB unpackArgs_mask(BX), Y10"}, false,
			byteTable(n))
	}
	for _, op := range []string{"XOR", "ADDB"} {
		e.flat("flatHalves"+op, []string{
			"MOVQ unpackArgs_with(BX), DX", "VBROADCASTI128 (DX), Y8", "VBROADCASTI128 16(DX), Y9", "VPBROADCASTB unpackArgs_mask(BX), Y7",
		}, false, []string{
			"VPSRLW $4, Y0, Y1", "VPAND Y7, Y0, Y0", "VPAND Y7, Y1, Y1", "VPSHUFB Y0, Y8, Y0", "VPSHUFB Y1, Y9, Y1",
			"VP" + op + " Y1, Y0, Y0",
		})
	}
	list := "\n// heldLoops are by entries: 16, 32, 64, 128, 256.\nvar heldLoops = [5]func(*unpackArgs){"
	for n := 16; n <= 256; n *= 2 {
		name := fmt.Sprintf("held%d", n)
		e.held(name, n)
		list += name + ", "
	}
	decls.WriteString(list + "}\n")
	e.transpose()
	e.wordTable("wordTable", 2)
	e.wordTable("floatTable", 4)
	e.farTable()
	return e
}

// held looks codes up in the table of each block: count vectors of 32 a block.
func (e *emitter) held(name string, n int) {
	e.text(name, "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13", "with", "DX", "count", "R8", "step", "R15")
	e.op("VPBROADCASTB unpackArgs_mask(BX), Y10")
	e.loop("block", "R9", func() {
		e.op("MOVQ SI, R10", "MOVQ DI, R11", "MOVQ R8, CX")
		e.loop("next", "CX", func() {
			e.op("VMOVDQU (R10), Y0")
			e.op(byteTable(n)...)
			e.op("VMOVDQU Y0, (R11)", "ADDQ $32, R10", "ADDQ $32, R11")
		})
		e.op("ADDQ R12, SI", "ADDQ R13, DI", "ADDQ R15, DX")
	})
	e.ret()
}

// byteTable looks the codes of Y0 up in a table of n bytes at DX.
func byteTable(n int) []string {
	do := []string{"VPAND Y10, Y0, Y8"}
	for level := 0; 32<<level <= n; level++ {
		bit := "Y0"
		if level < 3 {
			bit = fmt.Sprintf("Y%d", 4+level)
			do = append(do, fmt.Sprintf("VPSLLW $%d, Y0, %s", 3-level, bit))
		} else {
			do = append(do, "VMOVDQA Y0, Y7")
		}
	}
	return append(do, tableHalf(0, n, "Y0")...)
}

// tableHalf is the n entries from at on.
func tableHalf(at, n int, y string) []string {
	if n == 16 {
		return []string{fmt.Sprintf("VBROADCASTI128 %d(DX), %s", at, y), fmt.Sprintf("VPSHUFB Y8, %s, %s", y, y)}
	}
	level := 0
	for 32<<level < n {
		level++
	}
	other := []string{"Y1", "Y2", "Y3", "Y9"}[level]
	do := append(tableHalf(at, n/2, y), tableHalf(at+n/2, n/2, other)...)
	return append(do, fmt.Sprintf("VPBLENDVB Y%d, %s, %s, %s", 4+level, other, y, y))
}

// wordTable looks floats up by words of two bytes, or by floats that are integers, eight at a time and then one by one:
// exactly count of a block. Words are loaded in pairs, as there are three loads a cycle.
func (e *emitter) wordTable(name string, size int) {
	low, high, one := "MOVWLZX AX, R15", "SHRL $16, AX", "MOVWLZX (R10), AX"
	if size == 4 {
		low, high, one = "MOVL AX, R15", "SHRQ $32, AX", "VCVTTSS2SI (R10), AX"
	}
	pair := func(i int) []string { return []string{fmt.Sprintf("MOVL %d(R10), AX", 4*i)} }
	if size == 4 {
		pair = func(i int) []string {
			return [][]string{{"VCVTTPS2DQ (R10), Y2", "VMOVQ X2, AX"}, {"VPEXTRQ $1, X2, AX"}, {"VEXTRACTI128 $1, Y2, X2", "VMOVQ X2, AX"}, {"VPEXTRQ $1, X2, AX"}}[i]
		}
	}
	e.text(name, "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13", "with", "DX", "count", "R8")
	e.loop("block", "R9", func() {
		e.op("MOVQ SI, R10", "MOVQ DI, R11", "MOVQ R8, CX", "SUBQ $8, CX", "JLT less")
		e.label("by8")
		for i := range 8 {
			index, x := "AX", fmt.Sprintf("X%d", i/4)
			if i%2 == 0 {
				e.op(pair(i / 2)...)
				e.op(low)
				index = "R15"
			} else {
				e.op(high)
			}
			if i%4 == 0 {
				e.opf("VMOVSS (DX)(%s*4), %s", index, x)
			} else {
				e.opf("VINSERTPS $%d, (DX)(%s*4), %s, %s", i%4<<4, index, x, x)
			}
		}
		e.op("VINSERTF128 $1, X1, Y0, Y0", "VMOVUPS Y0, (R11)")
		e.opf("ADDQ $%d, R10", 8*size)
		e.op("ADDQ $32, R11", "SUBQ $8, CX", "JGE by8")
		e.label("less")
		e.op("ADDQ $8, CX", "JEQ done")
		e.loop("by1", "CX", func() {
			e.op(one, "VMOVSS (DX)(AX*4), X0", "VMOVSS X0, (R11)")
			e.opf("ADDQ $%d, R10", size)
			e.op("ADDQ $4, R11")
		})
		e.label("done")
		e.op("ADDQ R12, SI", "ADDQ R13, DI")
	})
	e.ret()
}

// farTable looks up bytes that are equally far apart, eight at a time and then one by one: DX bytes from one to the next, R11
// three times as many.
func (e *emitter) farTable() {
	e.text("farTable", "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13", "with", "R10", "step", "DX")
	e.op("LEAQ (DX)(DX*2), R11")
	e.loop("block", "R9", func() {
		e.load("unpackArgs", "count", "CX")
		e.op("MOVQ SI, AX", "MOVQ DI, R8", "SUBQ $8, CX", "JLT less")
		e.label("by8")
		for i := range 8 {
			x := fmt.Sprintf("X%d", i/4)
			e.opf("MOVBLZX %s, R15", []string{"(AX)", "(AX)(DX*1)", "(AX)(DX*2)", "(AX)(R11*1)"}[i%4])
			if i%4 == 0 {
				e.opf("VMOVSS (R10)(R15*4), %s", x)
			} else {
				e.opf("VINSERTPS $%d, (R10)(R15*4), %s, %s", i%4<<4, x, x)
			}
			if i%4 == 3 {
				e.op("LEAQ (AX)(DX*4), AX")
			}
		}
		e.op("VINSERTF128 $1, X1, Y0, Y0", "VMOVUPS Y0, (R8)", "ADDQ $32, R8", "SUBQ $8, CX", "JGE by8")
		e.label("less")
		e.op("ADDQ $8, CX", "JEQ done")
		e.loop("by1", "CX", func() {
			e.op("MOVBLZX (AX), R15", "VMOVSS (R10)(R15*4), X0", "VMOVSS X0, (R8)", "ADDQ DX, AX", "ADDQ $4, R8")
		})
		e.label("done")
		e.op("ADDQ R12, SI", "ADDQ R13, DI")
	})
	e.ret()
}

// transpose goes through tiles of 16 rows of 8 columns of bytes: DX bytes from column to column, R11 three times as many,
// R15 columns of the matrix.
func (e *emitter) transpose() {
	e.text("transposeBytes", "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13", "step", "DX", "even", "R15")
	e.op("LEAQ (DX)(DX*2), R11")
	e.loop("block", "R9", func() {
		e.load("unpackArgs", "desc", "R8", "count", "CX")
		e.loop("tile", "CX", func() {
			e.op("MOVLQSX transposeTile_src(R8), AX", "MOVLQSX transposeTile_dst(R8), R10", "ADDQ SI, AX", "ADDQ DI, R10")
			for half := range 2 {
				for i, at := range []string{"(AX)", "(AX)(DX*1)", "(AX)(DX*2)", "(AX)(R11*1)"} {
					e.opf("VMOVDQU %s, X%d", at, 4*half+i)
				}
				if half == 0 {
					e.op("LEAQ (AX)(DX*4), AX")
				}
			}
			for i := range 4 {
				e.unpackPair("BW", 2*i, 2*i+1, 8+2*i)
			}
			for i := range 2 { // columns 0 to 3, and 4 to 7
				e.unpackPair("WD", 8+4*i, 10+4*i, 4*i)
				e.unpackPair("WD", 9+4*i, 11+4*i, 4*i+2)
			}
			for i := range 4 {
				e.unpackPair("DQ", i, 4+i, 8+2*i)
			}
			for i := range 8 {
				e.opf("VMOVQ X%d, (R10)", 8+i)
				e.opf("VMOVHPS X%d, (R10)(R15*1)", 8+i)
				if i < 7 {
					e.op("LEAQ (R10)(R15*2), R10")
				}
			}
			e.op("ADDQ $transposeTile__size, R8")
		})
		e.op("ADDQ R12, SI", "ADDQ R13, DI")
	})
	e.ret()
}

// unpackPair interleaves the elements of x and y in registers to and to+1.
func (e *emitter) unpackPair(size string, x, y, to int) {
	e.opf("VPUNPCKL%s X%d, X%d, X%d", size, y, x, to)
	e.opf("VPUNPCKH%s X%d, X%d, X%d", size, y, x, to+1)
}
