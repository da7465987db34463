// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// A joined operation has an operand P that a column is, without a load of its own. They work on 64 lanes.

// joining are what is done with P, before it is known what kind of column it is: in names, P stands for that.
var joining = []operation{
	{name: "mulP", args: "x", do: "VMULPS P, X, D", wide: true},
	{name: "addP", args: "x", do: "VADDPS P, X, D", wide: true},
	{name: "subP", args: "x", do: "VSUBPS P, X, D", wide: true},
	{name: "addIP", args: "x", do: "VPADDD P, X, D", wide: true},
	{name: "subIP", args: "x", do: "VPSUBD P, X, D", wide: true},
	{name: "mulPAdd", args: "xy", do: "VMULPS P, X, T; VADDPS Y, T, D", memory: "y", wide: true},
	{name: "mulAddP", args: "xy", do: "VMULPS Y, X, T; VADDPS P, T, D", memory: "y", wide: true},
}

// choosing are choices of which operands are columns with one word for 32 lanes.
var choosing = []operation{
	{name: "selectOnes", args: "x", ones: []string{"P", "Q"}, do: "VPXOR P, Q, U; VPAND X, U, T; VPXOR T, Q, D", memory: "x", wide: true},
	{name: "selectOneX", args: "xy", ones: []string{"P"}, do: "VPXOR X, P, T; VPAND Y, T, T; VPXOR T, X, D", memory: "y", wide: true},
	{name: "selectOneY", args: "xy", ones: []string{"P"}, do: "VPXOR X, P, T; VPAND Y, T, T; VPXOR T, P, D", memory: "xy", wide: true},
}

// scaling are integers of a column, as floats, times one word for 32 lanes.
var scaling = []operation{
	{name: "scaleP", ones: []string{"P"}, do: "VCVTDQ2PS C, T; VMULPS P, T, D", wide: true},
	{name: "scalePAdd", args: "x", ones: []string{"P"}, do: "VCVTDQ2PS C, T; VMULPS P, T, T; VADDPS X, T, D", memory: "x", wide: true},
}

// joined writes them all.
func (e *emitter) joined() {
	for _, kind := range []string{"Words", "Eights", "Shared"} {
		e.each(joining, kind)
	}
	e.each(choosing, "")
	for _, kind := range []string{"Bytes", "Signed"} {
		e.each(scaling, kind)
	}
}

// each writes operations with a kind of column.
func (e *emitter) each(list []operation, kind string) {
	for _, o := range list {
		o.name, o.column = strings.Replace(o.name, "P", kind, 1), kind
		fmt.Fprintf(e.table, "%s: {", o.name)
		for _, form := range o.forms() {
			e.forms(&o, form)
		}
		e.table.WriteString("},\n")
	}
}

// put writes vector i where it belongs.
func (e *emitter) put(to target, i int) {
	switch to {
	case stored:
		e.opf("VMOVDQU Y%d, %d(R9)(BX*1)", i, 32*i)
	case written:
		e.opf("VMOVDQU Y%d, %d(DI)", i, 32*i)
	case passed:
		e.opf("VMOVNTDQ Y%d, %d(DI)", i, 32*i)
	}
}

// finish ends a snippet: with the next one, or behind the output with the next tile.
func (e *emitter) finish(to target, size int) {
	if to < written {
		e.next(size)
	} else {
		e.stop()
	}
}

// stop goes to the next tile.
func (e *emitter) stop() {
	e.op("DECQ R11", "JEQ done", "ADDQ executeArgs_inStep(R10), SI", "ADDQ executeArgs_outStep(R10), DI", "MOVQ R13, R8")
	e.next(0)
	e.b.WriteString("done:\n")
	e.op("VMOVDQU Y15, executeArgs_wrong(R10)", "VZEROUPPER", "RET")
}

// place finds the column that is P, whose number is at 20, or the column of integers, whose number is at 24.
func (e *emitter) place(kind string) {
	at := map[string]int{"Bytes": 24, "Signed": 24}[kind]
	switch kind {
	case "":
		return
	case "Eights", "Shared":
		e.op("MOVL 20(R8), DX", "ADDQ executeArgs_columns(R10), DX", "MOVQ columnArgs_base(DX), R12", "MOVQ columnArgs_at(DX), DX",
			"MOVQ SI, R15", "SHRQ $1, R15", "ADDQ R15, DX")
		return
	case "Words":
		at = 20
	}
	e.opf("MOVL %d(R8), DX", at)
	e.op("ADDQ executeArgs_columns(R10), DX", "MOVQ columnArgs_base(DX), R12")
}

// column is vector i of a column: an operand, or a register to which it goes.
func (e *emitter) columnOf(kind string, i int, names map[string]string) {
	switch kind {
	case "Words":
		names["P"] = fmt.Sprintf("%d(R12)(SI*4)", 32*i)
	case "Eights":
		e.opf("MOVLQSX %d(DX), R15", 4*i)
		names["P"] = "(R12)(R15*1)"
	case "Shared":
		e.opf("MOVLQSX %d(DX), R15", 4*i)
		e.opf("VBROADCASTSS (R12)(R15*1), %s", names["V"])
		names["P"] = names["V"]
	case "Bytes", "Signed":
		e.opf("%s %d(R12)(SI*1), %s", map[string]string{"Bytes": "VPMOVZXBD", "Signed": "VPMOVSXBD"}[kind], 8*i, names["V"])
		names["C"] = names["V"]
	}
}
