// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/tensor"
)

// costEntry is that of single floats of a large table, loaded one by one.
const costEntry = 92

// entrySource is single floats of a known table: by 9 to 16 payload bits, or by any code.
func (g *graph) entrySource(l lanes) (floatPlan, bool) {
	if p, ok := g.largeTable(l); ok {
		return p, true
	}
	tab, ops := below(l, kTab)
	if tab.v == nil {
		return floatPlan{}, false
	}
	column, ok := uniform(tab.operand(1))
	if !ok {
		return floatPlan{}, false
	}
	places := make([]int32, tab.v.data.Len()/int64(tab.v.cols))
	for i := range places {
		places[i] = int32(i*tab.v.cols) + int32(column)
	}
	if !g.spend(len(places)) {
		return floatPlan{}, false
	}
	table, ok := g.afterwards(g.constant(tab.v.data).pick(places), ops)
	if !ok || table.v.kind != kConst {
		return floatPlan{}, false
	}
	return g.entriesBy(tab.operand(0), floatsOf(codes(gather(table))))
}

// largeTable is floats that are one function of 9 to 12 payload bits, which share none of them.
func (g *graph) largeTable(l lanes) (floatPlan, bool) {
	width := len(l.v.support().of(l.m[0]))
	if l.v.kind != kOp && l.v.kind != kTab || width <= smallTable || width > maxTable || sharedRun(l) > 1 {
		return floatPlan{}, false
	}
	t := g.uniform(l, maxTable)
	if t == nil {
		return floatPlan{}, false
	}
	return wordEntries(t.support.rows(l.m, t.width), floatsOf(t.cells[t.class[l.m[0]]]))
}

// wordEntries is floats of a table by an index of more than 8 bits, as a word or as a number.
func wordEntries(rows matrix, table []float32) (floatPlan, bool) {
	index, ok := unpackIndex(rows)
	cost, make := 2*index.cost, index.emit // twice the bytes that codes have
	if (!ok || costLoose < cost) && !hasOnes(rows) {
		ok, cost, make = true, costLoose, func(e *emitter) kernel.BufferID {
			to := e.buffer(kernel.F32, len(rows.begin))
			e.op(&kernel.Loose{Parts: looseParts(rows), Format: kernel.Int32, To: to})
			return to
		}
	}
	return entriesOf(table, len(rows.begin), cost, make), ok
}

// entriesOf is floats of a table by what makes indices.
func entriesOf(table []float32, n int, cost float64, make func(e *emitter) kernel.BufferID) floatPlan {
	plan := from(n, cost+costEntry, func(e *emitter) kernel.Source {
		return kernel.Source{Kind: kernel.FromRows, From: make(e), Table: table, R: 1}
	})
	plan.rows = true
	return plan
}

// entriesBy is floats of a table by lanes that are known to be indices into it.
func (g *graph) entriesBy(index lanes, table []float32) (floatPlan, bool) {
	s, ok := g.interval(index.v)
	if !ok || s.lo < 0 || s.hi >= int64(len(table)) {
		return floatPlan{}, false
	}
	if s.hi < maxHeld {
		by, ok := g.code(index)
		size := maxHeld
		if s.hi < 16 {
			size = 16
		}
		table = append(slices.Clone(table), make([]float32, size)...)[:size]
		return from(len(index.m), by.cost+costEntries(len(table)), func(e *emitter) kernel.Source {
			return kernel.Source{Kind: kernel.FromTable, Codes: by.emit(e), Table: table}
		}), ok
	}
	if index.v.kind == kBits {
		rows := index.rows(index.v.width)
		for !slices.ContainsFunc(rows.begin, func(at int32) bool { return rows.bits[int(at)+rows.width-1] != zeroBit }) {
			rows.width--
		}
		return wordEntries(rows, table)
	}
	number, ok := g.castTo(tensor.Float, index)
	if !ok {
		return floatPlan{}, false
	}
	by, ok := g.floatAt(number, signed_, maxMatch/2)
	return entriesOf(table, len(index.m), by.cost+costFloatBytes, func(e *emitter) kernel.BufferID { return by.buffer(e, number) }), ok
}

// below goes down operators whose other operands are the same constant in all lanes, to lanes of a kind. It returns
// them and the operators, the outermost first.
func below(l lanes, k kind) (lanes, []lanes) {
	var ops []lanes
	for range maxChain {
		if l.v.kind == k {
			return l, ops
		}
		next, ok := onlyOperand(l)
		if !ok {
			break
		}
		ops, l = append(ops, l), next
	}
	return lanes{}, nil
}

// heldCode is codes that are picked by a code from codes of the block.
func (g *graph) heldCode(l lanes, depth int) (codePlan, bool) {
	if l.v.kind != kPick {
		return codePlan{}, false
	}
	entries, offsets, index := l.tables()
	if len(entries) > maxHeld && g.demands(obEntries) {
		return codePlan{}, false
	}
	by, ok := g.codeAt(index, depth+1)
	if !ok {
		return codePlan{}, false
	}
	one, fields := g.pickedCode(l, by)
	table, ok := g.codeAt(lanes{l.v.args[0].v, entries}, depth+1)
	if !ok {
		return one, fields
	}
	n := len(l.m)
	cost := by.cost + table.cost*float64(len(entries))/float64(n) + 1 + lutCost(len(entries))
	if fields && one.cost < cost {
		return one, true
	}
	return codePlan{cost, func(e *emitter) kernel.Codes {
		from := inBuffer(e, table.emit(e), len(entries))
		to := e.buffer(kernel.U8, n)
		e.op(&kernel.Held{From: offset(e, by.emit(e), offsets, n), Lanes: n, Table: from, Entries: len(entries), To: to})
		return kernel.Buf(to)
	}}, true
}
