// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/codec/internal/kernel"
)

// maxHeld is the entries that codes of a byte tell apart.
const maxHeld = 256

// held is lanes that are picked by a code from floats of the block: these become a table in a buffer, which a
// source looks up. What is done to each lane alone, with constants, is done to the table.
func (g *graph) held(l lanes, depth int) (floatPlan, bool) {
	if !g.picks {
		return floatPlan{}, false
	}
	picked, ops := below(l, kPick)
	if picked.v == nil {
		return floatPlan{}, false
	}
	entries, offsets, index := picked.tables()
	if len(entries) > maxHeld && g.demands(obEntries) {
		return floatPlan{}, false
	}
	table, ok := g.afterwards(lanes{picked.v.args[0].v, entries}, ops)
	if !ok {
		return floatPlan{}, false
	}
	codes, ok := g.codeAt(index, depth+1)
	if !ok {
		return floatPlan{}, false
	}
	floats, ok := g.floatAt(table, signed_, depth+1)
	if !ok {
		return floatPlan{}, false
	}
	n := len(l.m)
	cost := codes.cost + costEntries(len(entries)) + floats.cost*float64(len(entries))/float64(n)
	return from(n, cost, func(e *emitter) kernel.Source {
		from := floats.buffer(e, table)
		return kernel.Source{Kind: kernel.FromHeld, From: from, Codes: offset(e, codes.emit(e), offsets, n), Entries: len(entries)}
	}), true
}

// offset adds a table's first entry to each code, where there are several tables.
func offset(e *emitter, codes kernel.Codes, by []byte, n int) kernel.Codes {
	if slices.Max(by) == 0 {
		return codes
	}
	to := e.buffer(kernel.U8, n)
	e.op(&kernel.Binary{Op: kernel.Add, From: codes, With: kernel.Operand{Constant: by[:period(by)]}, Lanes: n, To: to})
	return kernel.Buf(to)
}

// afterwards is what operators make of other lanes in the place of those that are picked.
func (g *graph) afterwards(x lanes, ops []lanes) (lanes, bool) {
	for _, op := range slices.Backward(ops) {
		operands := make([]lanes, len(op.v.args))
		for i := range operands {
			operands[i] = x
			if a := op.operand(i); a.v.kind == kConst {
				operands[i] = a.pick(make([]int32, len(x.m)))
			}
		}
		var err error
		if x, err = g.apply(operator{op.v.elem, op.v.run}, operands); err != nil {
			return lanes{}, false
		}
	}
	return x, true
}

// tables are the lanes that picked lanes can be, one table after the other, the first entry of each lane's
// table, and the index into it.
func (l lanes) tables() (entries []int32, offsets []byte, index lanes) {
	v := l.v
	number, first := renumber(len(l.m), len(v.args[0].m)/v.cols, func(i int) int { return int(v.picked[l.m[i]]) })
	for _, k := range first {
		entries = append(entries, v.taken(l.m[k])...)
	}
	offsets = make([]byte, len(l.m))
	for i, n := range number {
		offsets[i] = byte(int(n) * v.cols)
	}
	return entries, offsets, lanes{v.args[1].v, v.args[1].m}.pick(l.m)
}
