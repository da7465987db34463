// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import "strings"

// Numbers and codes one by one, in general registers: R3 blocks left, R4 and R5 bytes from
// block to block of R1 and R2, R6 descriptor, R7 numbers left, R8 destination.

// number is how one, in R9, is converted and stored.
type number struct {
	name    string
	load    string // one that lies at whole bytes
	convert []string
}

var neonNumbers = []number{
	{"F16", "MOVHU", []string{"FMOVS R9, F0", "FCVTHS F0, F0", "FMULS F31, F0", "FMOVS.P F0, 4(R8)"}},
	{"BF16", "MOVHU", []string{"LSL $16, R9", "MOVW.P R9, 4(R8)"}},
	{"F32", "MOVWU", []string{"MOVW.P R9, 4(R8)"}},
	{"F64", "MOVD", []string{"FMOVD R9, F0", "FCVTDS F0, F0", "FMOVS.P F0, 4(R8)"}},
	{"I32", "MOVWU", []string{"LSL R16, R9", "ASR R16, R9", "EORW R17, R9", "ADDW R19, R9", "SCVTFWS R9, F0", "FMOVS.P F0, 4(R8)"}},
	{"U32", "MOVWU", []string{"UCVTFWS R9, F0", "FMOVS.P F0, 4(R8)"}},
	{"I64", "MOVD", []string{"SCVTFS R9, F0", "FMOVS.P F0, 4(R8)"}},
	{"U64", "MOVD", []string{"UCVTFS R9, F0", "FMOVS.P F0, 4(R8)"}},
}

func neonSingles(decls *strings.Builder) *neon {
	e := newNeon(decls)
	for _, n := range neonNumbers {
		e.single("scalar"+n.name, n, func() { e.op("MOVW.P 4(R6), R9", n.load+" (R1)(R9), R9") })
		e.single("loose"+n.name, n, func() { e.parts("MOVD") })
		if n.name == "I32" {
			e.single("wideI32", n, func() { e.parts("MOVWU") })
		}
	}
	e.field("fieldU8", 1, false)
	e.field("fieldU8Or", 1, true)
	e.field("fieldU16", 2, false)
	e.field("fieldU16Or", 2, true)
	return e
}

// eachSingle goes through blocks and their descriptors.
func (e *neon) eachSingle(body func()) {
	e.count("block", "R3", func() {
		e.load("desc", "R6", "count", "R7")
		e.op("MOVD R2, R8")
		e.count("next", "R7", body)
		e.op("ADD R4, R1", "ADD R5, R2")
	})
	e.op("RET")
}

func (e *neon) single(name string, n number, read func()) {
	e.beginUnpack(name)
	switch n.name {
	case "F16":
		e.op("FMOVS unpackArgs_unit(R0), F31")
	case "I32":
		e.load("sign", "R16")
		e.op("MOVWU unpackArgs_low(R0), R17", "MOVWU unpackArgs_plus(R0), R19")
	}
	e.eachSingle(func() {
		read()
		e.op(n.convert...)
	})
}

// parts puts a number together in R9: of each part where a word begins that has it, how far it
// is moved to the right, what stays, and how far that is moved to the left.
func (e *neon) parts(load string) {
	e.load("step", "R10")
	e.op("MOVD ZR, R9")
	e.count("part", "R10", func() {
		e.op("LDP.P 16(R6), (R11, R12)", "LDP.P 16(R6), (R13, R14)", load+" (R1)(R11), R11")
		e.op("LSR R12, R11", "AND R13, R11", "LSL R14, R11", "ORR R11, R9")
	})
}

// field is a code, which a table finishes if it is a byte.
func (e *neon) field(name string, size int, or bool) {
	e.beginUnpack(name)
	e.load("with", "R15")
	load, store := "MOVBU", "MOVB"
	if size == 2 {
		load, store = "MOVHU", "MOVH"
	}
	e.eachSingle(func() {
		e.parts("MOVWU")
		if or {
			e.op(load+" (R8), R11", "ORR R11, R9")
		}
		if size == 1 {
			e.op("AND $255, R9", "MOVBU (R15)(R9), R9")
		}
		e.opf("%s.P R9, %d(R8)", store, size)
	})
}
