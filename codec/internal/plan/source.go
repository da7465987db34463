// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"
	"slices"

	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/tensor"
)

// Costs of the sources of an epilogue per 32 lanes, on top of costEpilogue.
const (
	costEpilogue   = 16
	costStep       = 4
	costLutF       = 12
	costLutF32     = 28
	costLutF64     = 48
	costLutF256    = 96
	costSmall      = 20
	costFloatBytes = 24
	costPair       = costEpilogue + costFloatBytes // what two epilogues in one loop save
	costScalar     = 96
	costWide       = 20
	costLoose      = 28
	maxRowFloats   = 2 << 10 // 8 KiB
	fewNumbers     = 4       // fewer are read one by one, wherever their bits are
)

// source matches what an epilogue can begin with, for lanes of FLOAT. It is the same whatever is peeled.
func (g *graph) source(l lanes) (floatPlan, bool) {
	if l.v.elem != tensor.Float {
		return floatPlan{}, false
	}
	if known, ok := g.sources.find(l); ok {
		return known, known.emit != nil
	}
	plan, ok := g.findSource(l)
	g.sources.keep(l, plan)
	return plan, ok
}

func (g *graph) findSource(l lanes) (floatPlan, bool) {
	var plans []floatPlan
	add := func(p floatPlan, ok bool) {
		if ok {
			plans = append(plans, p)
		}
	}
	add(g.codeSource(l))
	if best, ok := cheapestFloat(plans); !ok || g.leastTable(l) < best.cost {
		add(g.tableSource(l))
	}
	if best, ok := cheapestFloat(plans); !g.codeSized(l) || !ok || best.cost > costEpilogue+costLoose {
		add(g.wideSource(l))
	}
	for _, match := range []func(lanes) (floatPlan, bool){g.rowSource, g.scalarSource, g.halfSource, g.entrySource} {
		add(match(l))
	}
	return cheapestFloat(plans)
}

// from makes a plan of an epilogue without steps.
func from(lanes int, cost float64, source func(*emitter) kernel.Source) floatPlan {
	return floatPlan{cost: cost + costEpilogue, emit: func(e *emitter) *kernel.Epilogue {
		return &kernel.Epilogue{Source: source(e), Lanes: lanes}
	}}
}

// buffered is from for numbers that are in a buffer already.
func buffered(lanes int, cost float64, source func(*emitter) kernel.Source) floatPlan {
	p := from(lanes, cost, source)
	p.buffered = true
	return p
}

// codeSource is lanes that are integers of 8 bits.
func (g *graph) codeSource(l lanes) (floatPlan, bool) {
	s, ok := g.interval(l.v)
	if !ok || (s.lo < -128 || s.hi > 255 || s.lo < 0 && s.hi > 127) && g.demands(obCodeRange) {
		return floatPlan{}, false
	}
	codes, ok := g.code(l)
	if !ok {
		return floatPlan{}, false
	}
	kind := kernel.FromI8
	if s.lo >= 0 {
		kind = kernel.FromU8
	}
	return from(len(l.m), codes.cost, func(e *emitter) kernel.Source {
		return kernel.Source{Kind: kind, Codes: codes.emit(e)}
	}), true
}

// floatsOf reads cells of a FLOAT table.
func floatsOf(cells []uint64) []float32 {
	out := make([]float32, len(cells))
	for i, c := range cells {
		out[i] = math.Float32frombits(uint32(c))
	}
	return out
}

// tableSource is any floats by a code of at most 8 bits.
func (g *graph) tableSource(l lanes) (floatPlan, bool) {
	cells, codes, ok := g.byCode(l)
	if !ok {
		return floatPlan{}, false
	}
	table := floatsOf(cells)
	return from(len(l.m), codes.cost+costTable(table), func(e *emitter) kernel.Source {
		return kernel.Source{Kind: kernel.FromTable, Codes: codes.emit(e), Table: table}
	}), true
}

// leastTable is what tableSource costs at least, before the codes are looked for.
func (g *graph) leastTable(l lanes) float64 {
	t := g.tabulate(l.v, smallTable)
	if t == nil {
		return 0
	}
	return costEpilogue + min(costEntries(1<<t.width), costSmall)
}

// costTable is the cost of a table of floats: of small floats, or by its entries.
func costTable(table []float32) float64 {
	if len(table) > 16 {
		if x, ok := kernel.HalfFormOf(table); ok && len(x.Special) <= 2 {
			return costSmall
		}
	}
	return costEntries(len(table))
}

// costEntries is the cost of a table of so many floats, known or the payload's.
func costEntries(n int) float64 {
	switch {
	case n <= 16:
		return costLutF
	case n <= 32:
		return costLutF32
	case n <= 64:
		return costLutF64
	default:
		return costLutF256
	}
}

// byCode finds lanes that are one function of at most 8 payload bits: its cells, and
// the bits as a code.
func (g *graph) byCode(l lanes) ([]uint64, codePlan, bool) {
	t := g.uniform(l, smallTable)
	if t == nil || t.width == 0 {
		return nil, codePlan{}, false
	}
	codes, ok := unpack(t.support.rows(l.m, t.width), kernel.Post{})
	return t.cells[t.class[l.m[0]]], codes, ok
}

// rowSource is rows of floats by an index.
func (g *graph) rowSource(l lanes) (floatPlan, bool) {
	group, t, ok := g.rowGroups(l, maxRowFloats)
	if !ok {
		return floatPlan{}, false
	}
	index, ok := unpackIndex(group.index)
	if !ok {
		return floatPlan{}, false
	}
	plan := from(len(l.m), index.cost/float64(group.r)+costFloatBytes, func(e *emitter) kernel.Source {
		table := make([]float32, group.r<<t.width)
		for k, cells := range group.cells {
			for i, c := range cells {
				table[i*group.r+k] = math.Float32frombits(uint32(c))
			}
		}
		return kernel.Source{Kind: kernel.FromRows, From: index.emit(e), Table: table, R: group.r}
	})
	plan.rows = true
	return plan, true
}

// scalarSource is floats that the payload holds as such.
func (g *graph) scalarSource(l lanes) (floatPlan, bool) {
	rows, format, ok := g.floatBits(l)
	if !ok {
		return floatPlan{}, false
	}
	if at, ok := wholeBytes(rows); ok {
		return buffered(len(l.m), costNumbers(len(at)), func(e *emitter) kernel.Source {
			return e.numbers(l, func(to kernel.BufferID) kernel.Op {
				return &kernel.Scalar{Bytes: at, Format: format, To: to}
			})
		}), true
	}
	return looseSource(l, rows, format)
}

// costNumbers is the cost of so many numbers that lie at whole bytes.
func costNumbers(n int) float64 {
	if n < fewNumbers {
		return costScalar
	}
	return costWide
}

// numbers emits float lanes that an op writes as they are, once for equal lanes.
func (e *emitter) numbers(l lanes, op func(to kernel.BufferID) kernel.Op) kernel.Source {
	to, known := e.floats.find(l)
	if !known {
		to = e.buffer(kernel.F32, len(l.m))
		e.op(op(to))
		e.floats.keep(l, to)
	}
	return kernel.Source{Kind: kernel.FromF32, From: to}
}

// looseSource is numbers that do not lie at whole bytes.
func looseSource(l lanes, rows matrix, format kernel.Format) (floatPlan, bool) {
	if hasOnes(rows) {
		return floatPlan{}, false
	}
	return numbersPlan(l, func() *kernel.Loose { return &kernel.Loose{Parts: looseParts(rows), Format: format} }), true
}

// hasOnes reports whether some bits are known to be 1.
func hasOnes(rows matrix) bool {
	for i, begin := range rows.begin {
		if rows.whole {
			break
		}
		if (i == 0 || begin != rows.begin[i-1]) && slices.Contains(rows.row(i), oneBit) {
			return true
		}
	}
	return false
}

// looseParts are the runs of bits of each lane.
func looseParts(rows matrix) [][]kernel.Segment {
	parts := make([][]kernel.Segment, len(rows.begin))
	for i := range parts {
		parts[i] = runsOf(rows.row(i))
	}
	return parts
}

// numbersPlan is lanes that one op reads.
func numbersPlan(l lanes, op func() *kernel.Loose) floatPlan {
	cost := float64(costLoose)
	if len(l.m) < fewNumbers {
		cost = 4 * costScalar
	}
	return buffered(len(l.m), cost, func(e *emitter) kernel.Source {
		return e.numbers(l, func(to kernel.BufferID) kernel.Op {
			own := op()
			own.To = to
			return own
		})
	})
}

// floatBits returns the payload bits of lanes that are FLOAT itself, or a number of
// another type that is cast to FLOAT.
func (g *graph) floatBits(l lanes) (matrix, kernel.Format, bool) {
	format := kernel.Float32
	if l.v.kind == kOp && l.v.run.node.OpType == "Cast" {
		l = l.operand(0)
		var ok bool
		if format, ok = formats(l.v.elem); !ok {
			return matrix{}, 0, false
		}
	}
	bits, width := l, int(l.v.elem.Bits())
	switch {
	case l.v.kind == kLeaf:
		bits = lanes{l.v.args[0].v, l.v.args[0].m}.pick(l.m)
	case l.v.kind != kBits || l.v.width != width:
		return matrix{}, 0, false
	}
	rows := bits.rows(bits.v.width).extended(width)
	if format == kernel.Float32 {
		if upper, ok := upperHalves(rows); ok {
			return upper, kernel.BF16, true
		}
	}
	return rows, format, true
}

// formats are the element types that are widened or rounded to FLOAT as they lie in
// the payload.
func formats(elem tensor.Type) (kernel.Format, bool) {
	switch elem {
	case tensor.Float16:
		return kernel.F16, true
	case tensor.BFloat16:
		return kernel.BF16, true
	case tensor.Double:
		return kernel.Float64, true
	case tensor.Int32:
		return kernel.Int32, true
	case tensor.Uint32:
		return kernel.Uint32, true
	case tensor.Int64:
		return kernel.Int64, true
	case tensor.Uint64:
		return kernel.Uint64, true
	}
	return 0, false
}

// upperHalves reports whether the low 16 bits are zero in every lane: a BFLOAT16.
func upperHalves(rows matrix) (matrix, bool) {
	for i, begin := range rows.begin {
		if i > 0 && begin == rows.begin[i-1] {
			continue
		}
		for _, bit := range rows.row(i)[:16] {
			if bit != zeroBit {
				return matrix{}, false
			}
		}
	}
	return rows.above(16), true
}

// wholeBytes returns the byte offset of each lane, if its bits are neighbours that
// begin at a byte.
func wholeBytes(rows matrix) ([]int, bool) {
	var at []int
	for i, begin := range rows.begin {
		if i > 0 && begin == rows.begin[i-1] {
			at[i] = at[i-1]
			continue
		}
		row := rows.row(i)
		if row[0] < 0 || row[0]%8 != 0 {
			return nil, false
		}
		for j, bit := range row {
			if rows.whole {
				break
			}
			if bit != row[0]+int32(j) {
				return nil, false
			}
		}
		if at == nil {
			at = make([]int, len(rows.begin))
		}
		at[i] = int(row[0] / 8)
	}
	return at, true
}
