// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "math"

// shortRow is the length of rows of codes in place below which codes are looked up one by one.
const shortRow = eightLanes

// placedCodes makes an epilogue ready that is a function of codes of the payload which lie apart, or of a few of a
// block: each is looked up. It is nil if it is another one.
func (f *Frame) placedCodes(k *Epilogue) runner {
	rows := k.Source.Codes.InPlace
	few := k.Lanes <= fewLanes
	if k.ToOut || !k.ofCodes() || !few && (rows == nil || k.Lanes >= shortRow*len(rows)) {
		return nil
	}
	if step, ok := farRows(rows); ok && !few {
		return calls{f.farTable(k, rows[0].Byte, step)}
	}
	table := k.values()
	c := &call{loop: placedTable, args: f.floatTarget(k.To), pace: pace{units: slowLanes / eightLanes, dst: 32, offsets: 32}}
	if c.payload = rows != nil; !c.payload {
		rows = []Row{{Len: k.Lanes}}
		c.args.src, c.args.stride = address(f.u8[k.Source.Codes.Buffer]), f.pitch[k.Source.Codes.Buffer]
	}
	var offsets []int32
	for _, bit := range rowBits(rows) {
		offsets = append(offsets, int32(bit/8))
	}
	if c.args.count = len(offsets); few {
		c.loop, c.pace = scalarTable, pace{}
	} else {
		for len(offsets)%eightLanes != 0 {
			offsets = append(offsets, offsets[len(offsets)-1])
		}
		c.args.count = len(offsets) / eightLanes
	}
	c.args.with, c.args.offsets = address(table), address(offsets)
	return calls{c}
}

// farRows is how far single codes in place are apart, if it is always the same.
func farRows(rows []Row) (step int, ok bool) {
	at := make([]int, len(rows))
	for i, r := range rows {
		if at[i] = r.Byte; r.Len != 1 {
			return 0, false
		}
	}
	return evenly(at)
}

// fewLanes is how many lanes of a block are looked up one at a time.
const fewLanes = 4

// planeTables are the tables that have loops of bytes, in the order of shuffledLoops: up to so many entries, of whose bytes so
// many, the upper ones, are not zero.
var planeTables = [...]struct{ entries, bytes int }{{16, 2}, {16, 4}, {32, 2}, {32, 4}, {64, 2}, {64, 3}, {64, 4}, {128, 2}}

// planes prepares for looking up each byte of a known table's floats by shuffles. It is false where other loops are as good.
func (c *epilogueCall) planes(table []float32, form int, loops **[2]func(*epilogueArgs)) bool {
	if len(table) == 0 || form > formSubMul {
		return false
	}
	any := uint32(0)
	for _, x := range table {
		any |= math.Float32bits(x)
	}
	for i, t := range planeTables {
		if len(table) > t.entries || any<<(8*t.bytes) != 0 {
			continue
		}
		planes := make([]byte, t.bytes*t.entries)
		for at := range planes {
			place := 4 - t.bytes + at/t.entries
			planes[at] = byte(math.Float32bits(table[at%t.entries%len(table)]) >> (8 * place))
		}
		c.args.table, *loops = address(planes), &shuffledLoops[i][form]
		return true
	}
	return false
}
