// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"slices"
	"strings"
)

// operation is a code: what it does to one of the vectors. In do, D is the result's
// register, X, Y and Z are operands, registers or, if last in the list, memory; T, U and V
// are free registers, P and Q the operands in ones. In across, D0 to D3 are the results of four vectors, T0 to T3 are free.
type operation struct {
	name string // of the Go constant
	args string // the operands: "x", "xy", "xyz"
	init []string
	do   string // instructions by semicolon
	// memory names the operands that may stand in memory where do has them; others are
	// loaded first.
	memory string
	wide   bool // the instruction is a long one
	// When do is done with X in all four vectors, across comes, and then then in each of them, with Y in memory. Only
	// X may be the accumulator.
	across []string
	then   string
	column string   // the kind of the column that P is, or C; "": none
	ones   []string // operands that are columns with one word for 32 lanes; their numbers are at 20 and 24
}

func broadcast(name, y string) string { return fmt.Sprintf("VBROADCASTSS %s<>(SB), %s", name, y) }

func (e *emitter) constants() {
	e.words("sign", 1<<31)
	e.words("magnitude", 1<<31-1)
	e.words("magnitudes", 1<<31-1, 1<<31-1, 1<<31-1, 1<<31-1, 1<<31-1, 1<<31-1, 1<<31-1, 1<<31-1)
	e.words("infinite", 0x7f800000)
	e.words("one", 0x3f800000)
	e.words("unit", 1)
	e.words("belowHalf", 0x3effffff)
	e.words("round16", 0x7fff)
	e.words("quiet16", 0x40)
	e.words("low16", 0xffff)
	e.words("low8", 0xff)
	e.words("hidden", 0x800000)
	e.words("fraction", 0x7fffff)
	e.words("exponent", 150)
	e.words("beyond", 0x5effffff)
	e.words("infinity", 0x7f800001)
	e.words("interleave", 0, 4, 1, 5, 2, 6, 3, 7)
}

// shifts are what Bits steps need.
var (
	bitsMask  = "VPBROADCASTD 20(R8), Y12"
	bitsRight = "VPBROADCASTD 24(R8), Y13"
	bitsLeft  = "VPBROADCASTD 28(R8), Y14"
)

// collected collects the bits of four vectors outside of the mask Y12.
var collected = []string{"VPOR D0, D1, T0", "VPOR D2, D3, T1", "VPOR T0, T1, T0", "VPANDN T0, Y12, T0", "VPOR T0, Y15, Y15"}

// indefinite collects conversions that had no 32-bit integer: there the vectors have the least one, as Y13 has.
var indefinite = []string{"VPMINSD D0, D1, T0", "VPMINSD D2, D3, T1", "VPMINSD T0, T1, T0", "VPCMPEQD T0, Y13, T0", "VPOR T0, Y15, Y15"}

var operations = []operation{
	{name: "AddF", args: "xy", do: "VADDPS Y, X, D", memory: "y"},
	{name: "SubF", args: "xy", do: "VSUBPS Y, X, D", memory: "y"},
	{name: "MulF", args: "xy", do: "VMULPS Y, X, D", memory: "y"},
	{name: "DivF", args: "xy", do: "VDIVPS Y, X, D", memory: "y"},
	{name: "MaxF", args: "xy", do: "VCMPPS $3, Y, Y, T; VMAXPS X, Y, U; VBLENDVPS T, Y, U, D"},
	{name: "MinF", args: "xy", do: "VCMPPS $3, Y, Y, T; VMINPS X, Y, U; VBLENDVPS T, Y, U, D"},
	{name: "LessF", args: "xy", do: "VCMPPS $17, Y, X, D", memory: "y"},
	{name: "AtMostF", args: "xy", do: "VCMPPS $18, Y, X, D", memory: "y"},
	{name: "EqualF", args: "xy", do: "VCMPPS $0, Y, X, D", memory: "y"},
	{name: "AbsF", args: "x", init: []string{broadcast("magnitude", "Y12")}, do: "VANDPS X, Y12, D", memory: "x"},
	{name: "NegF", args: "x", init: []string{broadcast("sign", "Y12")}, do: "VXORPS X, Y12, D", memory: "x"},
	{name: "FloorF", args: "x", do: "VROUNDPS $9, X, D", memory: "x"},
	{name: "CeilF", args: "x", do: "VROUNDPS $10, X, D", memory: "x"},
	{name: "RoundF", args: "x", do: "VROUNDPS $8, X, D", memory: "x"},
	{name: "TruncF", args: "x", do: "VROUNDPS $11, X, D", memory: "x"},
	{name: "SqrtF", args: "x", do: "VSQRTPS X, D", memory: "x"},
	// The sign on 1, nothing for zeros, the bits of a NaN on top.
	{
		name: "SignF", args: "x",
		init: []string{broadcast("sign", "Y12"), broadcast("one", "Y13"), "VXORPS Y14, Y14, Y14"},
		do:   "VANDPS X, Y12, T; VCMPPS $4, Y14, X, U; VORPS Y13, T, T; VANDPS U, T, T; VCMPPS $3, X, X, U; VANDPS U, X, U; VORPS U, T, D",
	},
	{name: "AddI", args: "xy", do: "VPADDD Y, X, D", memory: "y"},
	{name: "SubI", args: "xy", do: "VPSUBD Y, X, D", memory: "y"},
	{name: "MulI", args: "xy", do: "VPMULLD Y, X, D", memory: "y"},
	{name: "MaxI", args: "xy", do: "VPMAXSD Y, X, D", memory: "y"},
	{name: "MinI", args: "xy", do: "VPMINSD Y, X, D", memory: "y"},
	{name: "And", args: "xy", do: "VPAND Y, X, D", memory: "y"},
	{name: "Or", args: "xy", do: "VPOR Y, X, D", memory: "y"},
	{name: "Xor", args: "xy", do: "VPXOR Y, X, D", memory: "y"},
	{name: "AndNot", args: "xy", do: "VPANDN X, Y, D", memory: "x"},
	{name: "ShiftL", args: "xy", do: "VPSLLVD Y, X, D", memory: "y"},
	{name: "ShiftR", args: "xy", do: "VPSRLVD Y, X, D", memory: "y"},
	{name: "ShiftA", args: "xy", do: "VPSRAVD Y, X, D", memory: "y"},
	{name: "EqualI", args: "xy", do: "VPCMPEQD Y, X, D", memory: "y"},
	{name: "LessI", args: "xy", do: "VPCMPGTD X, Y, D", memory: "x"},
	{name: "Select", args: "xyz", do: "VPXOR X, Y, T; VPAND Z, T, T; VPXOR T, Y, D", memory: "xz", wide: true},
	{name: "Float", args: "x", do: "VCVTDQ2PS X, D", memory: "x"},
	// The payload of a NaN loses all bits but the quiet one.
	{
		name: "Half", args: "x",
		do: "VCVTPS2PH $0, X, XT; VCMPPS $3, X, X, U; VPMOVZXWD XT, T; VPSRLD $23, U, U; VPANDN T, U, D",
	},
	{
		name: "FromHalf", args: "x", init: []string{broadcast("low16", "Y12")},
		do: "VPAND X, Y12, T; VEXTRACTI128 $1, T, XU; VPACKUSDW XU, XT, XT; VCVTPH2PS XT, D", memory: "x",
	},
	{
		name: "BFloat", args: "x",
		init: []string{broadcast("round16", "Y12"), broadcast("quiet16", "Y13"), broadcast("unit", "Y14")},
		do: "VPSRLD $16, X, T; VPAND Y14, T, U; VPADDD Y12, X, V; VPADDD U, V, V; VPSRLD $16, V, V; " +
			"VPOR Y13, T, T; VCMPPS $3, X, X, U; VBLENDVPS U, T, V, D",
	},
	{name: "bitsFirst", args: "x", init: []string{bitsMask, bitsRight, bitsLeft}, do: "VPSRLVD Y13, X, T; VPAND Y12, T, T; VPSLLVD Y14, T, D", wide: true},
	{name: "bitsLow", args: "x", init: []string{bitsMask, bitsLeft}, do: "VPAND X, Y12, T; VPSLLVD Y14, T, D", memory: "x", wide: true},
	{name: "bitsHigh", args: "x", init: []string{bitsMask, bitsRight}, do: "VPSRLVD Y13, X, T; VPAND Y12, T, D", wide: true},
	{
		name: "bitsOr", args: "xy", init: []string{bitsMask, bitsRight, bitsLeft},
		do: "VPSRLVD Y13, X, T; VPAND Y12, T, T; VPSLLVD Y14, T, T; VPOR Y, T, D", memory: "y", wide: true,
	},
	{
		name: "bitsOrLow", args: "xy", init: []string{bitsMask, bitsLeft},
		do: "VPAND X, Y12, T; VPSLLVD Y14, T, T; VPOR Y, T, D", memory: "xy", wide: true,
	},
	{
		name: "bitsOrHigh", args: "xy", init: []string{bitsMask, bitsRight},
		do: "VPSRLVD Y13, X, T; VPAND Y12, T, T; VPOR Y, T, D", memory: "y", wide: true,
	},
	{
		name: "gather", args: "x", init: []string{"MOVL 20(R8), DX", "ADDQ R9, DX", "VPBROADCASTD 24(R8), Y14"},
		do: "VPMINUD X, Y14, T; VPCMPEQD U, U, U; VPGATHERDD U, (DX)(T*4), D", memory: "x", wide: true,
	},
	{name: "lookup8", args: "x", init: []string{"MOVL 20(R8), DX", "VMOVDQU (R9)(DX*1), Y12"}, do: "VPERMD Y12, X, D", wide: true},
	{
		name: "lookup16", args: "x", init: []string{"MOVL 20(R8), DX", "VMOVDQU (R9)(DX*1), Y12", "VMOVDQU 32(R9)(DX*1), Y13"},
		do: "VPSLLD $28, X, T; VPERMD Y12, X, U; VPERMD Y13, X, V; VBLENDVPS T, V, U, D", wide: true,
	},
	// Where X beats Y: greater, or a NaN where Y is none.
	{name: "beatsMax", args: "xy", do: "VCMPPS $6, Y, X, T; VCMPPS $7, Y, Y, U; VPAND T, U, D"},
	{name: "beatsMin", args: "xy", do: "VCMPPS $9, Y, X, T; VCMPPS $7, Y, Y, U; VPAND T, U, D"},
	{name: "maxAbs", args: "xy", init: []string{broadcast("magnitude", "Y12")}, do: "VPAND X, Y12, T; VPMAXSD Y, T, D", memory: "xy"},
	{
		name: "farther", args: "xy", init: []string{broadcast("magnitude", "Y12")},
		do: "VPAND X, Y12, T; VPAND Y, Y12, U; VPCMPGTD U, T, T; VBLENDVPS T, X, Y, D",
	},
	{name: "extend", args: "x", init: []string{bitsMask}, do: "VPSLLVD Y12, X, T; VPSRAVD Y12, T, D", wide: true},
	{
		name: "away", args: "x", init: []string{broadcast("sign", "Y12"), broadcast("belowHalf", "Y13")},
		do: "VANDPS X, Y12, T; VORPS Y13, T, T; VADDPS X, T, D", memory: "x",
	},
	{
		name: "roundAway", args: "x", init: []string{broadcast("sign", "Y12"), broadcast("belowHalf", "Y13"), "VXORPS Y14, Y14, Y14"},
		do: "VANDPS X, Y12, T; VORPS Y13, T, T; VADDPS X, T, T; VROUNDPS $11, T, T; VCMPPS $4, X, Y14, U; VANDPS U, T, D", memory: "x",
	},
	{name: "count", args: "yz", init: []string{"VBROADCASTSS 24(R8), Y12"}, do: "VCMPPS $18, Y, Y12, T; VPSUBD T, Z, D", memory: "y", wide: true},
	{name: "mulAdd", args: "xyz", do: "VMULPS Y, X, T; VADDPS Z, T, D", memory: "yz", wide: true},
	{name: "mulRound", args: "xy", do: "VMULPS Y, X, T; VROUNDPS $8, T, D", memory: "y"},
	{
		name: "mulAway", args: "xy", init: []string{broadcast("sign", "Y12"), broadcast("belowHalf", "Y13")},
		do: "VMULPS Y, X, T; VANDPS T, Y12, U; VORPS Y13, U, U; VADDPS T, U, D", memory: "y",
	},
	{name: "mulFloor", args: "xy", do: "VMULPS Y, X, T; VROUNDPS $9, T, D", memory: "y"},
	{name: "mulCut", args: "xy", do: "VMULPS Y, X, T; VCVTTPS2DQ T, D", memory: "y"},
	{name: "mulSub", args: "xyz", do: "VMULPS Y, X, T; VSUBPS T, Z, D", memory: "y", wide: true},
	{
		name: "rest", args: "x", init: []string{"VBROADCASTSS 20(R8), Y12", "VBROADCASTSS 24(R8), Y13"},
		do: "VMULPS X, Y12, T; VROUNDPS $9, T, T; VMULPS T, Y13, T; VSUBPS T, X, D", wide: true,
	},
	{
		name: "ByF", args: "x", init: []string{"VBROADCASTSS 20(R8), Y12", "VBROADCASTSS 24(R8), Y13"},
		do: "VMULPS X, Y13, T; VFMADD231PS X, Y12, T; VMOVAPS T, D", wide: true,
	},
	{name: "Cut", args: "x", do: "VCVTTPS2DQ X, D", memory: "x"},
	{name: "maxN", args: "xy", do: "VMAXPS X, Y, D", memory: "x"},
	{name: "minN", args: "xy", do: "VMINPS X, Y, D", memory: "x"},
	{
		name: "subMulAdd", args: "xyz", init: []string{"VBROADCASTSS 24(R8), Y12"},
		do: "VSUBPS Y, X, T; VMULPS Z, T, T; VADDPS Y12, T, D", memory: "yz", wide: true,
	},
	{
		name: "selectEqual", args: "xyz", init: []string{"VPBROADCASTD 24(R8), Y12"},
		do: "VPCMPEQD Z, Y12, T; VBLENDVPS T, X, Y, D", memory: "xz", wide: true,
	},
	{name: "bitsOrShift", args: "xy", init: []string{bitsLeft}, do: "VPSLLVD Y14, X, T; VPOR Y, T, D", memory: "y", wide: true},
	{name: "toInt", args: "x", init: []string{broadcast("sign", "Y13")}, do: "VCVTTPS2DQ X, D", memory: "x", across: indefinite},
	{name: "toIntChecked", args: "x", init: []string{bitsMask}, do: "VCVTTPS2DQ X, D", memory: "x", across: collected, wide: true},
	{
		name: "toIntMin", args: "x", init: []string{bitsMask, "VPBROADCASTD 24(R8), Y13"}, do: "VCVTTPS2DQ X, D; VPMINSD Y13, D, D",
		memory: "x", across: collected, wide: true,
	},
	{
		name: "toIntSigned", args: "x", init: []string{"VPBROADCASTD 20(R8), Y13", "VPBROADCASTD 24(R8), Y12"}, do: "VCVTTPS2DQ X, D",
		memory: "x", wide: true,
		across: append([]string{
			"VPADDD D0, Y13, T0", "VPADDD D1, Y13, T1", "VPADDD D2, Y13, T2", "VPADDD D3, Y13, T3",
			"VPOR T2, T3, T2", "VPOR T0, T1, T0", "VPOR T0, T2, T0",
		}, collected[3:]...),
	},
	{
		name: "pack", args: "xy", init: []string{bitsMask, "VPBROADCASTD 24(R8), Y13", bitsLeft}, do: "VCVTTPS2DQ X, D; VPMINSD Y13, D, D",
		memory: "xy", across: collected, then: "VPSLLVD Y14, D, D; VPOR Y, D, D", wide: true,
	},
	{
		name: "packMasked", args: "xy", init: []string{bitsMask, broadcast("sign", "Y13"), bitsLeft}, do: "VCVTTPS2DQ X, D",
		memory: "xy", across: indefinite, then: "VPAND Y12, D, D; VPSLLVD Y14, D, D; VPOR Y, D, D", wide: true,
	},
	{name: "mulOne", args: "x", ones: []string{"P"}, do: "VMULPS X, P, D", memory: "x", wide: true},
	{name: "addOne", args: "x", ones: []string{"P"}, do: "VADDPS X, P, D", memory: "x", wide: true},
	{name: "subOne", args: "x", ones: []string{"P"}, do: "VSUBPS P, X, D", wide: true},
	{name: "addIOne", args: "x", ones: []string{"P"}, do: "VPADDD X, P, D", memory: "x", wide: true},
	{name: "subIOne", args: "x", ones: []string{"P"}, do: "VPSUBD P, X, D", wide: true},
	{name: "mulOneAdd", args: "xy", ones: []string{"P"}, do: "VMULPS X, P, T; VADDPS Y, T, D", memory: "xy", wide: true},
	{name: "mulAddOne", args: "xy", ones: []string{"P"}, do: "VMULPS Y, X, T; VADDPS P, T, D", memory: "y", wide: true},
	{
		name: "mulAddOnes", args: "x", ones: []string{"P", "Q"}, do: "VMULPS X, P, T; VADDPS Q, T, D",
		memory: "x", wide: true,
	},
}

// one broadcasts the words that a column has for each 32 lanes; its number is at a place of the instruction.
func (e *emitter) one(at int, to ...string) []string {
	lines := []string{
		fmt.Sprintf("MOVL %d(R8), DX", at), "ADDQ executeArgs_columns(R10), DX", "MOVQ SI, R12", "SHRQ $3, R12",
		"ADDQ columnArgs_at(DX), R12", "MOVQ columnArgs_base(DX), DX",
	}
	for i := range e.vectors / 4 {
		lines = append(lines, fmt.Sprintf("MOVLQSX %d(R12), R15", 4*i), "VBROADCASTSS (DX)(R15*1), "+to[i])
	}
	return lines
}

// registers of the operands in ones, for the first and for the last 32 lanes.
var registers = map[string][2]string{"P": {"Y12", "Y13"}, "Q": {"Y14", "Y11"}}

// forms by number: which operands are the accumulator.
func (o *operation) forms() []string {
	switch {
	case o.args == "":
		return []string{""}
	case o.args == "x", o.across != nil:
		return []string{"", "x"}
	}
	switch o.args {
	case "xy":
		return []string{"", "x", "y", "xy"}
	case "yz":
		return []string{"", "-", "y", "z"}
	}
	return []string{"", "x", "y", "z"}
}

func (e *emitter) arithmetic() {
	for _, o := range slices.Concat(operations, doubleOperations) {
		if e.vectors > 4 && slices.Contains(ofBlocksAlone, o.name) {
			continue
		}
		fmt.Fprintf(e.table, "%s: {", o.name)
		for _, form := range o.forms() {
			e.forms(&o, form)
		}
		e.table.WriteString("},\n")
	}
}

// where are the registers that hold rows' offsets, and the offsets' places.
var (
	where = map[string]string{"x": "AX", "y": "CX", "z": "DX"}
	place = map[string]int{"x": 8, "y": 12, "z": 20}
)

// operands loads the offsets of those operands that are in memory.
func (e *emitter) operands(args, form string, to target) {
	for _, a := range strings.Split(args, "") {
		if !strings.Contains(form, a) {
			e.opf("MOVL %d(R8), %s", place[a], where[a])
		}
	}
	if to == stored {
		e.op("MOVL 16(R8), BX")
	}
}

func snippetName(name, form string, to target) string {
	if form != "" {
		name += "_" + form
	}
	return name + targets[to]
}

func (e *emitter) operation(o *operation, form string, to target) int {
	number := e.begin(snippetName(o.name, form, to))
	e.operands(o.args, form, to)
	e.op(o.init...)
	for i, p := range o.ones {
		e.op(e.one(20+4*i, registers[p][0], registers[p][1])...)
	}
	e.place(o.column)
	args := o.args
	if o.then != "" {
		args = "x"
	}
	for i := range e.vectors {
		e.vector(o, o.do, args, form, i)
		if o.then == "" {
			e.put(to, i)
		}
	}
	for i := 0; i < e.vectors; i += 4 {
		e.across(o.across, i)
	}
	if o.then != "" {
		for i := range e.vectors {
			e.vector(o, o.then, "y", form, i)
			e.put(to, i)
		}
	}
	e.finish(to, o.size())
	return number
}

// across does lines with four vectors.
func (e *emitter) across(lines []string, first int) {
	var names []string
	for i := range 4 {
		names = append(names, fmt.Sprintf("D%d", i), fmt.Sprintf("Y%d", first+i), fmt.Sprintf("T%d", i), fmt.Sprintf("Y%d", e.vectors+i))
	}
	r := strings.NewReplacer(names...)
	for _, l := range lines {
		e.op(r.Replace(l))
	}
}

func (o *operation) size() int {
	if o.wide {
		return wide
	}
	return short
}

// vector does vector i. Operands that may not stand in memory go to registers that are free.
func (e *emitter) vector(o *operation, do, args, form string, i int) {
	names := e.names(i)
	e.columnOf(o.column, i, names)
	for k, a := range strings.Split(args, "") {
		name := strings.ToUpper(a)
		memory := fmt.Sprintf("%d(R9)(%s*1)", 32*i, where[a])
		switch {
		case strings.Contains(form, a):
			names[name] = fmt.Sprintf("Y%d", i)
		case strings.Contains(o.memory, a):
			names[name] = memory
		default:
			names[name] = fmt.Sprintf("Y%d", 7+k)
			if e.vectors > 4 { // none of those that have two such operands needs V
				names[name] = fmt.Sprintf("Y%d", 11-k)
			}
			e.opf("VMOVDQU %s, %s", memory, names[name])
		}
	}
	for line := range strings.SplitSeq(do, "; ") {
		words := strings.SplitN(line, " ", 2)
		parts := strings.Split(words[1], ", ")
		for j, p := range parts {
			if to, ok := names[p]; ok {
				parts[j] = to
			}
		}
		e.op(words[0] + " " + strings.ReplaceAll(strings.Join(parts, ", "), "(T*4)", "("+names["T"]+"*4)"))
	}
}

// names are registers for vector i.
func (e *emitter) names(i int) map[string]string {
	names := map[string]string{"D": fmt.Sprintf("Y%d", i)}
	for k, name := range []string{"T", "U", "V"} {
		names[name], names["X"+name] = fmt.Sprintf("Y%d", e.vectors+k), fmt.Sprintf("X%d", e.vectors+k)
	}
	for name, y := range registers {
		names[name] = y[i/4]
	}
	return names
}

// int converts to integers. The conversion's 80000000 may be a value that needs 64 bits:
// then the mantissa is shifted by the exponent.
func (e *emitter) int() {
	e.table.WriteString("Int: {")
	for _, form := range []string{"", "x"} {
		e.table.WriteString("{")
		for _, to := range []target{kept, stored} {
			fmt.Fprintf(e.table, "%d, ", e.begin(snippetName("Int", form, to)))
			e.operands("x", form, to)
			e.op(broadcast("sign", "Y12"))
			for i := range 4 {
				x := fmt.Sprintf("Y%d", 4+i)
				if form == "" {
					e.opf("VMOVDQU %d(R9)(AX*1), %s", 32*i, x)
				} else {
					e.opf("VMOVDQA Y%d, %s", i, x)
				}
				e.opf("VCVTTPS2DQ %s, Y%d", x, i)
				e.opf("VPCMPEQD Y%d, Y12, Y%d", i, 8+i)
			}
			e.op("VPOR Y8, Y9, Y13", "VPOR Y10, Y11, Y14", "VPOR Y13, Y14, Y13", "VPTEST Y13, Y13", "JNE slow")
			e.b.WriteString("fast:\n")
			for i := range 4 {
				e.put(to, i)
			}
			e.next(short)
			e.b.WriteString("slow:\n")
			for i := range 4 {
				e.long(fmt.Sprintf("Y%d", i), fmt.Sprintf("Y%d", 4+i), fmt.Sprintf("Y%d", 8+i))
			}
			e.op("JMP fast")
		}
		e.table.WriteString("}, ")
	}
	e.table.WriteString("},\n")
}

// long replaces lanes of d that the mask m has by the low word of x as an integer of 64 bits.
// Counts beyond 31 shift everything out: so do those of NaN and of what saturates to the least integer.
func (e *emitter) long(d, x, m string) {
	lines := []string{
		"VPSRLD $23, X, Y13", broadcast("low8", "Y14"), "VPAND Y14, Y13, Y13", broadcast("exponent", "Y14"), "VPSUBD Y14, Y13, Y13",
		broadcast("fraction", "Y14"), "VPAND Y14, X, Y12", broadcast("hidden", "Y14"), "VPOR Y14, Y12, Y12", "VPSLLVD Y13, Y12, Y12",
		"VPSRAD $31, X, Y13", "VPXOR Y13, Y12, Y12", "VPSUBD Y13, Y12, Y12",
		broadcast("beyond", "Y14"), "VPCMPGTD Y14, X, Y13", broadcast("infinity", "Y14"), "VPCMPGTD X, Y14, Y14", "VPAND Y14, Y13, Y13",
		"VPOR Y13, Y12, Y12", "VBLENDVPS M, Y12, D, D",
	}
	r := strings.NewReplacer("X,", x+",", "M,", m+",", "D, D", d+", "+d)
	for _, l := range lines {
		e.op(r.Replace(l))
	}
}
