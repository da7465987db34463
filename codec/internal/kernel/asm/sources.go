// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import "fmt"

// Registers of placedTable: SI block of the payload, R8 byte offsets of eight lanes, DI result, R10 table.

// placedTable looks up codes of the payload wherever they are, eight at a time.
func (e *emitter) placedTable() {
	e.text("placedTable", "unpackArgs")
	e.load("unpackArgs", "src", "SI", "dst", "DI", "n", "R9", "stride", "R12", "pitch", "R13", "with", "R10")
	e.loop("block", "R9", func() {
		e.load("unpackArgs", "offsets", "R8", "count", "CX")
		e.op("MOVQ DI, R11")
		e.loop("eight", "CX", func() {
			for i := range 8 {
				x := fmt.Sprintf("X%d", i/4)
				e.opf("MOVLQSX %d(R8), AX", 4*i)
				e.op("MOVBLZX (SI)(AX*1), AX")
				if i%4 == 0 {
					e.opf("VMOVSS (R10)(AX*4), %s", x)
				} else {
					e.opf("VINSERTPS $%d, (R10)(AX*4), %s, %s", i%4<<4, x, x)
				}
			}
			e.op("VINSERTF128 $1, X1, Y0, Y0", "VMOVUPS Y0, (R11)", "ADDQ $32, R8", "ADDQ $32, R11")
		})
		e.op("ADDQ R12, SI", "ADDQ R13, DI")
	})
	e.ret()
}

// source loads 8 lanes as floats. Registers: SI codes, R12 table, Y10 and Y11 a
// table of 16, Y8 and Y9 free.
type source struct {
	name  string
	bytes int // of a lane
	init  []string
	load  func(off int, y string) []string
	table []string // loads a block's table
	skip  []string // moves on to the next block's
}

var sources = []source{
	{"U8", 1, nil, func(off int, y string) []string {
		return []string{fmt.Sprintf("VPMOVZXBD %d(SI), %s", off, y), fmt.Sprintf("VCVTDQ2PS %s, %s", y, y)}
	}, nil, nil},
	{"I8", 1, nil, func(off int, y string) []string {
		return []string{fmt.Sprintf("VPMOVSXBD %d(SI), %s", off, y), fmt.Sprintf("VCVTDQ2PS %s, %s", y, y)}
	}, nil, nil},
	{"F32", 4, nil, func(off int, y string) []string {
		return []string{fmt.Sprintf("VMOVUPS %d(SI), %s", off*4, y)}
	}, nil, nil},
	// Two permutations and a choice by bit 3 of the code.
	{
		"Lut", 1,
		[]string{"MOVQ epilogueArgs_table(BX), R12"},
		func(off int, y string) []string {
			return []string{
				fmt.Sprintf("VPMOVZXBD %d(SI), %s", off, y), fmt.Sprintf("VPSLLD $28, %s, Y8", y),
				fmt.Sprintf("VPERMPS Y10, %s, Y9", y), fmt.Sprintf("VPERMPS Y11, %s, %s", y, y),
				fmt.Sprintf("VBLENDVPS Y8, %s, Y9, %s", y, y),
			}
		},
		[]string{"VMOVUPS (R12), Y10", "VMOVUPS 32(R12), Y11"},
		nextTable,
	},
	{"Table", 1, []string{"MOVQ epilogueArgs_table(BX), R12"}, func(off int, y string) []string { return tableEight(off, y, false) }, nil, nextTable},
	{"U16", 2, nil, func(off int, y string) []string {
		return []string{fmt.Sprintf("VPMOVZXWD %d(SI), %s", 2*off, y), fmt.Sprintf("VCVTDQ2PS %s, %s", y, y)}
	}, nil, nil},
	{"Lut8", 1, []string{"MOVQ epilogueArgs_table(BX), R12"}, func(off int, y string) []string {
		return []string{fmt.Sprintf("VPMOVZXBD %d(SI), %s", off, y), fmt.Sprintf("VPERMPS Y10, %s, %s", y, y)}
	}, []string{"VMOVUPS (R12), Y10"}, nextTable},
	small,
}

// tableEight looks eight codes up one by one, which takes half the time of a gather: loads of the table go
// into the registers' elements. Where AX and DX are free, a load has all eight codes: there are three loads a cycle.
func tableEight(off int, y string, free bool) []string {
	var out []string
	if free {
		out = append(out, fmt.Sprintf("MOVQ %d(SI), AX", off))
	}
	for i := range 8 {
		code, x := "R14", "X"+y[1:]
		if i >= 4 {
			x = "X8"
		}
		switch {
		case !free:
			out = append(out, fmt.Sprintf("MOVBLZX %d(SI), R14", off+i))
		case i%2 == 0:
			out = append(out, "MOVBLZX AL, DX")
			code = "DX"
		default:
			out = append(out, "MOVBLZX AH, DX")
			code = "DX"
			if i < 7 {
				out = append(out, "SHRQ $16, AX")
			}
		}
		if i%4 == 0 {
			out = append(out, fmt.Sprintf("VMOVSS (R12)(%s*4), %s", code, x))
		} else {
			out = append(out, fmt.Sprintf("VINSERTPS $%d, (R12)(%s*4), %s, %s", i%4<<4, code, x, x))
		}
	}
	return append(out, fmt.Sprintf("VINSERTF128 $1, X8, %s, %s", y, y))
}

// nextTable moves on to the next block's table, if each has one.
var nextTable = []string{"ADDQ epilogueArgs_tableSkip(BX), R12"}
