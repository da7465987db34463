// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// windowKind is a way to make 32 lanes out of a few windows of 16 bytes for each half. A
// descriptor is where the lanes go, the operands of the fields, and for each window where it
// is in the payload and its shuffles.
type windowKind struct {
	name     string
	windows  []int
	operands int                                     // registers of operands of a descriptor
	shuffles int                                     // of a window
	init     []string                                // constants
	fields   func(operand func(int) string) []string // of what was shuffled into Y0 (and Y1) to Y0
}

var windowKinds = []windowKind{
	// Bytes.
	{"wholeFields", []int{1, 2, 3, 4}, 0, 1, nil, func(func(int) string) []string { return nil }},
	// Fields inside their bytes at one of two places: as they are, and shifted.
	{
		"byteFields",
		[]int{1, 2, 3, 4},
		2,
		1,
		[]string{"MOVQ unpackArgs_even(BX), AX", "VMOVQ AX, X5", "MOVQ unpackArgs_odd(BX), AX", "VMOVQ AX, X6"},
		func(operand func(int) string) []string {
			return []string{
				fmt.Sprintf("VPAND %s, Y0, Y1", operand(0)), "VPSRLW X5, Y0, Y0",
				fmt.Sprintf("VPAND %s, Y0, Y0", operand(1)), "VPOR Y1, Y0, Y0",
			}
		},
	},
	// Fields within two bytes: even and odd lanes as words, moved to the top by a product and
	// back by a shift.
	{
		"pairFields",
		[]int{1, 2},
		2,
		2,
		[]string{
			"MOVQ unpackArgs_even(BX), AX", "VMOVQ AX, X5", "MOVQ unpackArgs_odd(BX), AX", "VMOVQ AX, X6",
			"VPBROADCASTW unpackArgs_mask(BX), Y7", "VPSLLW $8, Y7, Y4",
		},
		func(operand func(int) string) []string {
			return []string{
				fmt.Sprintf("VPMULLW %s, Y0, Y0", operand(0)), fmt.Sprintf("VPMULLW %s, Y1, Y1", operand(1)),
				"VPSRLW X5, Y0, Y0", "VPSRLW X6, Y1, Y1", "VPAND Y7, Y0, Y0", "VPAND Y4, Y1, Y1", "VPOR Y1, Y0, Y0",
			}
		},
	},
	{
		"bitFields",
		[]int{1, 2},
		1,
		1,
		[]string{"VPBROADCASTB unpackArgs_mask(BX), Y7"},
		func(operand func(int) string) []string {
			return []string{
				fmt.Sprintf("VMOVDQU %s, Y1", operand(0)), "VPAND Y1, Y0, Y0", "VPCMPEQB Y1, Y0, Y0", "VPAND Y7, Y0, Y0",
			}
		},
	},
}

// windowLoops writes all of them, and the tables of each kind: by windows (1, 2, …), OR and
// post-operation.
func (e *emitter) windowLoops() {
	for _, k := range windowKinds {
		list := fmt.Sprintf("\n// %[1]sLoops are by windows (1, 2, …), OR and post-operation.\n"+
			"var %[1]sLoops = [%[2]d][2][4]func(*unpackArgs){\n", k.name, len(k.windows))
		for _, n := range k.windows {
			list += "\t{"
			for _, or := range []string{"", "Or"} {
				list += "{"
				for _, p := range posts {
					name := fmt.Sprintf("%s%d%s%s", k.name, n, or, p.name)
					e.windowLoop(name, k, n, or != "", p)
					list += name + ", "
				}
				list += "}, "
			}
			list += "},\n"
		}
		e.decls.WriteString(list + "}\n")
	}
}

func (e *emitter) windowLoop(name string, k windowKind, windows int, or bool, p post) {
	e.beginUnpack(name, p)
	e.op(k.init...)
	head, size := 8+32*k.operands, 8+32*k.shuffles
	e.blocks(fmt.Sprint(head+windows*size), func() {
		for w := range windows {
			e.windowOf(k, w, head+w*size)
		}
		e.op("MOVLQSX (R8), R10")
		e.op(k.fields(func(i int) string { return fmt.Sprintf("%d(R8)", 8+32*i) })...)
		if or {
			if k.name == "byteFields" {
				e.op("VPSLLW X6, Y0, Y0")
			}
			e.op("VPOR (DI)(R10*1), Y0, Y0")
		}
		e.op(p.do("Y0")...)
		e.op("VMOVDQU Y0, (DI)(R10*1)")
	})
}

// windowOf shuffles a window's bytes into Y0 (and Y1), OR-ed to what other windows gave.
func (e *emitter) windowOf(k windowKind, window, at int) {
	y := "Y2"
	if window == 0 {
		y = "Y0"
	}
	e.opf("MOVLQSX %d(R8), AX", at)
	e.opf("MOVLQSX %d(R8), DX", at+4)
	e.opf("VMOVDQU (SI)(AX*1), %s", strings.Replace(y, "Y", "X", 1))
	e.opf("VINSERTI128 $1, (SI)(DX*1), %s, %s", y, y)
	if k.shuffles == 2 {
		if window == 0 {
			e.opf("VPSHUFB %d(R8), Y0, Y1", at+40)
		} else {
			e.opf("VPSHUFB %d(R8), Y2, Y3", at+40)
			e.op("VPOR Y3, Y1, Y1")
		}
	}
	e.opf("VPSHUFB %d(R8), %s, %s", at+8, y, y)
	if window > 0 {
		e.op("VPOR Y2, Y0, Y0")
	}
}
