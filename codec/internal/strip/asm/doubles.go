// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"strings"
)

// doubleOperations are those of DOUBLE, 16 of which are four vectors.
var doubleOperations = []operation{
	{name: "AddD", args: "xy", do: "VADDPD Y, X, D", memory: "y"},
	{name: "SubD", args: "xy", do: "VSUBPD Y, X, D", memory: "y"},
	{name: "MulD", args: "xy", do: "VMULPD Y, X, D", memory: "y"},
	{name: "DivD", args: "xy", do: "VDIVPD Y, X, D", memory: "y"},
	{name: "MaxD", args: "xy", do: "VCMPPD $3, Y, Y, T; VMAXPD X, Y, U; VBLENDVPD T, Y, U, D"},
	{name: "MinD", args: "xy", do: "VCMPPD $3, Y, Y, T; VMINPD X, Y, U; VBLENDVPD T, Y, U, D"},
	{name: "LessD", args: "xy", do: "VCMPPD $17, Y, X, D", memory: "y"},
	{name: "AtMostD", args: "xy", do: "VCMPPD $18, Y, X, D", memory: "y"},
	{name: "EqualD", args: "xy", do: "VCMPPD $0, Y, X, D", memory: "y"},
	{name: "FloorD", args: "x", do: "VROUNDPD $9, X, D", memory: "x"},
	{name: "CeilD", args: "x", do: "VROUNDPD $10, X, D", memory: "x"},
	{name: "RoundD", args: "x", do: "VROUNDPD $8, X, D", memory: "x"},
	{name: "TruncD", args: "x", do: "VROUNDPD $11, X, D", memory: "x"},
	{name: "SqrtD", args: "x", do: "VSQRTPD X, D", memory: "x"},
}

// crossing are operations whose results lie elsewhere than their operands, which are in memory: X from AX on, Y from CX on. All
// vectors are there before the first is stored. Of each 32 lanes, first is where the words of vector i begin if it is one of those that
// hold the first 16.
var crossing = []struct {
	name, args string
	do         func(i int) string
}{
	{"FirstD", "x", func(i int) string { return fmt.Sprintf("VCVTPS2PD %d(R9)(AX*1), Y%d", first(i), i) }},
	{"LastD", "x", func(i int) string { return fmt.Sprintf("VCVTPS2PD %d(R9)(AX*1), Y%d", first(i)+64, i) }},
	{"FirstI", "x", func(i int) string { return fmt.Sprintf("VCVTDQ2PD %d(R9)(AX*1), Y%d", first(i), i) }},
	{"LastI", "x", func(i int) string { return fmt.Sprintf("VCVTDQ2PD %d(R9)(AX*1), Y%d", first(i)+64, i) }},
	{"FirstW", "xy", func(i int) string { return interleaved(first(i), i) }},
	{"LastW", "xy", func(i int) string { return interleaved(first(i)+64, i) }},
	{"NarrowD", "xy", func(i int) string { return narrowed("VCVTPD2PSY", i) }},
	{"IntD", "xy", func(i int) string { return narrowed("VCVTTPD2DQY", i) }},
	{"LowD", "xy", func(i int) string { return separated(0x88, i) }},
	{"HighD", "xy", func(i int) string { return separated(0xdd, i) }},
}

func first(i int) int { return i/4*128 + i%4*16 }

// half is where the DOUBLE of vector i of words are: of X or of Y.
func half(i int) (from string, at int) {
	return []string{"AX", "CX"}[i%4/2], i/4*128 + i%2*64
}

// interleaved puts words of X and Y together.
func interleaved(at, i int) string {
	return fmt.Sprintf("VPMOVZXDQ %d(R9)(AX*1), Y%[2]d; VPMOVZXDQ %[1]d(R9)(CX*1), Y8; VPSLLQ $32, Y8, Y8; VPOR Y8, Y%[2]d, Y%[2]d", at, i)
}

// narrowed converts vectors of X or Y to half of them.
func narrowed(name string, i int) string {
	from, at := half(i)
	return fmt.Sprintf("%s %d(R9)(%s*1), X%d; %[1]s %[5]d(R9)(%[3]s*1), X8; VINSERTF128 $1, X8, Y%[4]d, Y%[4]d", name, at, from, i, at+32)
}

// separated takes one word of each DOUBLE of X or Y.
func separated(pick, i int) string {
	from, at := half(i)
	return fmt.Sprintf("VMOVUPS %d(R9)(%s*1), Y%d; VSHUFPS $0x%x, %d(R9)(%[2]s*1), Y%[3]d, Y%[3]d; VPERMQ $0xd8, Y%[3]d, Y%[3]d",
		at, from, i, pick, at+32)
}

func (e *emitter) doubles() {
	for _, o := range crossing {
		fmt.Fprintf(e.table, "%s: {{", o.name)
		for _, to := range []target{kept, stored} {
			fmt.Fprintf(e.table, "%d, ", e.begin(snippetName(o.name, "", to)))
			e.operands(o.args, "", to)
			for i := range e.vectors {
				e.op(strings.Split(o.do(i), "; ")...)
			}
			for i := range e.vectors {
				e.put(to, i)
			}
			e.next(short)
		}
		e.table.WriteString("}},\n")
	}
	e.loadNarrow("atDouble", e.oneDouble())
	for _, s := range [][2]string{{"storeDouble", "VMOVDQU"}, {"pastDouble", "VMOVNTDQ"}} {
		fmt.Fprintf(e.table, "%s: {{%d}},\n", s[0], e.begin(s[0]))
		e.operands("xy", "", kept)
		for i := range 2 * e.vectors {
			e.opf("VMOVDQU %d(R9)(%s*1), Y%d", i/8*128+i%4*32, []string{"AX", "CX"}[i%8/4], i%4)
			e.opf("%s Y%d, %d(DI)", s[1], i%4, 32*i)
		}
		e.finish(e.last(), short)
	}
}

// oneDouble broadcasts the DOUBLE that a column has for each 32 lanes.
func (e *emitter) oneDouble() []string {
	lines := e.one(8, "Y0", "Y4")
	for i := range lines {
		lines[i] = strings.Replace(lines[i], "VBROADCASTSS", "VBROADCASTSD", 1)
	}
	for i := range e.vectors {
		if i%4 > 0 {
			lines = append(lines, fmt.Sprintf("VMOVDQA Y%d, Y%d", i/4*4, i))
		}
	}
	return lines
}
