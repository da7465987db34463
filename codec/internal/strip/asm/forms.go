// SPDX-License-Identifier: Apache-2.0

//go:build ignore

package main

import (
	"fmt"
	"slices"
	"strings"
)

// Every operation has one snippet: X is the accumulator, as the result is. Where an operand or the result is elsewhere, an assembler adds
// a snippet that loads or stores the accumulator, which takes a jump more. Below are the operations that have other snippets as well, since
// programs need them often.

// wanted are their names, by the operand that is the accumulator (m: none, all are in memory) and where the result goes.
type wanted map[string]string

// ofBlocks are for 32 blocks. Where there are encoders, they are what takes the time.
var ofBlocks = wanted{
	"m":       "AddF SubF MulF DivF AbsF LessF AtMostF EqualF EqualI AddI And ShiftR Select bitsFirst bitsHigh lookup8 mulAdd mulRound mulAway subMulAdd farther maxAbs",
	"m_store": "MulF DivF EqualI bitsHigh lookup8 mulAdd",
	"x_store": "AddF SubF MulF DivF AbsF MaxF MinF maxN minN AddI SubI MulI And Or Xor ShiftA EqualI LessI Float SqrtF mulAdd bitsOr bitsOrLow " +
		"toInt toIntChecked toIntMin toIntSigned pack packMasked lookup8 lookup16 ByF",
	"xy":      "MulF",
	"y":       "SubF DivF LessF AtMostF SubI LessI AndNot Select selectEqual bitsOrLow farther maxAbs",
	"y_store": "SubF DivF SubI AndNot Select bitsOrLow farther maxAbs",
	"z":       "Select selectEqual count mulAdd",
	"z_store": "Select count mulAdd",
}

// ofLanes are for 64 lanes of columns. The last operation writes the output, in the caches or past them.
var ofLanes = wanted{
	"x_store": "AddF SubF MulF DivF ByF mulFloor rest AddI SubI MulI And Or Xor ShiftL ShiftR ShiftA EqualI LessI Float FromHalf NegF maxN minN toInt extend lookup16 mulAdd " +
		"AddD SubD MulD DivD mulOne addOne subOne mulOneAdd mulAddOne mulAddOnes mulWords addWords subWords addIWords mulWordsAdd mulShared mulSharedAdd",
	"x_out": "AddF SubF MulF DivF ByF Select Float FromHalf mulAdd maxN minN mulOne addOne subOne mulOneAdd mulAddOne mulAddOnes " +
		"mulWords addWords subWords mulWordsAdd mulEights mulShared addShared subShared mulSharedAdd selectOnes scaleBytesAdd scaleSignedAdd",
	"m_out":   "scaleBytes scaleSigned",
	"xy":      "MulF",
	"y":       "SubF DivF SubI LessI AndNot Select selectEqual mulOneAdd mulWordsAdd",
	"y_store": "SubF DivF SubI AndNot mulWordsAdd mulSharedAdd selectOneX",
	"y_out":   "SubF DivF selectEqual mulOneAdd mulWordsAdd mulEightsAdd mulSharedAdd selectOneX selectOneY",
	"z":       "Select selectEqual mulAdd",
	"z_store": "Select mulAdd",
	"z_out":   "Select selectEqual mulAdd",
}

// ofBlocksAlone are operations of encoders, and searches.
var ofBlocksAlone = []string{
	"toIntChecked", "toIntMin", "toIntSigned", "pack", "packMasked", "beatsMax", "beatsMin", "maxAbs", "farther", "count",
	"bitsOr", "bitsOrLow", "bitsOrHigh", "bitsOrShift", "mulRound", "mulAway", "subMulAdd",
}

// target is where a result goes.
type target int

const (
	kept target = iota // it stays in the accumulator
	stored
	written // to the output; the tile ends
	passed  // to the output past the caches
)

var targets = []string{"", "_store", "_out", "_past"}

// has reports whether an operation has a snippet.
func (e *emitter) has(o *operation, form string, to target) bool {
	forms := o.forms()
	if to == kept && (form == "x" || !slices.Contains(forms, "x") && form == forms[0]) {
		return true
	}
	list, key := ofBlocks, form
	if e.vectors > 4 {
		list = ofLanes
	}
	if form == "" {
		key = "m"
	}
	return slices.Contains(strings.Fields(list[key+targets[min(to, written)]]), o.name)
}

// forms writes the snippets of a form, and 0 for those that there are not.
func (e *emitter) forms(o *operation, form string) {
	e.table.WriteString("{")
	for to := kept; to <= passed; to++ {
		if form == "-" || !e.has(o, form, to) {
			e.table.WriteString("0, ")
			continue
		}
		fmt.Fprintf(e.table, "%d, ", e.operation(o, form, to))
	}
	e.table.WriteString("}, ")
}

// moved are the snippets that load and store the accumulator.
func (e *emitter) moved() {
	fmt.Fprintf(e.table, "recall: {{%d}},\n", e.begin("recall"))
	e.operands("x", "", kept)
	for i := range e.vectors {
		e.opf("VMOVDQU %d(R9)(AX*1), Y%d", 32*i, i)
	}
	e.next(short)
	fmt.Fprintf(e.table, "spill: {{%d}},\n", e.begin("spill"))
	e.operands("", "", stored)
	for i := range e.vectors {
		e.put(stored, i)
	}
	e.next(short)
}
