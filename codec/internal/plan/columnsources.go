// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"

	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/tensor"
)

// columnSource is the cheapest input for lanes, if there is one that costs no more than a limit.
func (g *graph) columnSource(l lanes, depth int, limit float64) (column, bool) {
	if x, ok := g.sharedColumn(l, depth); ok {
		return x, true
	}
	if l.v.kind == kConst || l.v.kind == kSel || l.v.elem == tensor.Double && l.v.kind == kLeaf {
		return column{}, false
	}
	if x, ok := g.placeColumn(l); ok {
		return x, true // nothing costs less
	}
	var found []column
	matches := []func(lanes, int) (column, bool){g.codeColumn, g.indexColumn, g.bitsColumn, g.lookupColumn, g.floatColumn, g.exactColumn}
	cheap := limit < costEpilogue+costFloatBytes
	if cheap { // floats that an epilogue makes cost more
		matches = matches[:4]
	}
	for _, match := range matches {
		if x, ok := match(l, depth); ok {
			if !x.few {
				x.cost *= wholeEights(l)
			}
			found = append(found, x)
		}
	}
	if best, ok := cheapest(found, func(x column) float64 { return x.cost }); ok || cheap {
		return best, ok
	}
	return g.operatorColumn(l, g.byLane)
}

// sharedColumn is lanes of which groups have one value, or that come again and again.
func (g *graph) sharedColumn(l lanes, depth int) (column, bool) {
	if l.v.elem == tensor.Double {
		return column{}, false
	}
	kind, n, own := kernel.Group, groupOf(l.m), l.every(groupOf(l.m))
	if p := period(l.m); n < 8 && p < len(own.m) {
		kind, n, own = kernel.Period, p, l.pick(iota32(p))
	}
	switch {
	case own.v.kind != kConst && 4*len(own.m) > len(l.m):
		return column{}, false
	case own.v.kind == kConst && n%8 != 0 && n < len(l.m):
		kind, n, own = kernel.Group, 1, l // they are written once
	}
	cost := float64(costColumn)
	if n%8 != 0 && n < len(l.m) && n > 1 {
		cost += costSpreaded
	}
	if own.v.kind == kConst {
		words, ok := wordsOf(own.v.elem, own.codes())
		return column{cost: cost, emit: func(e *emitter) kernel.Input {
			values := make([]float32, len(words))
			for i, w := range words {
				values[i] = math.Float32frombits(w)
			}
			to := e.buffer(kernel.F32, len(values))
			e.op(&kernel.Fill{Values: values, To: to})
			return kernel.Input{Kind: kernel.FromF32, Words: kernel.Parameter{Kind: kind, N: n, Buffer: to}}
		}}, ok
	}
	was := g.fusedOnly
	g.fusedOnly = false
	make, each, ok := g.words(own, depth)
	g.fusedOnly = was
	shared := sharedPlace(own, n, len(l.m))
	if kind != kernel.Group {
		shared = nil
	}
	return column{cost: cost + each*float64(len(own.m))/float64(len(l.m)), emit: func(e *emitter) kernel.Input {
		if shared != nil {
			return kernel.Input{Place: shared}
		}
		return kernel.Input{Kind: kernel.FromF32, Words: kernel.Parameter{Kind: kind, N: n, Buffer: make(e)}}
	}}, ok
}

// sharedPlace is where words of the payload lie that n lanes each share, if those are whole tiles.
func sharedPlace(own lanes, n, all int) *kernel.InPlace {
	bits := own
	if own.v.kind == kLeaf && own.v.elem.Bits() == 32 {
		bits = own.v.args[0].pick(own.m)
	}
	if bits.v.kind != kBits || bits.v.width != 32 || n%strip.TileLanes != 0 || n*len(own.m) != all {
		return nil
	}
	at, ok := wholeBytes(bits.rows(32))
	if !ok {
		return nil
	}
	return &kernel.InPlace{Bytes: at, Size: 4, Shared: n}
}

// codeColumn is integers of 8 bits.
func (g *graph) codeColumn(l lanes, _ int) (column, bool) {
	s, ok := g.interval(l.v)
	if l.v.elem == tensor.Bool {
		s, ok = span{0, 255}, true
	}
	if !ok || (s.lo < -128 || s.hi > 255 || s.lo < 0 && s.hi > 127) && g.demands(obCodeRange) {
		return column{}, false
	}
	codes, ok := g.code(l)
	if !ok {
		return column{}, false
	}
	kind := kernel.FromU8
	if s.lo < 0 {
		kind = kernel.FromI8
	}
	x := column{cost: codes.cost + costColumn + 2, emit: func(e *emitter) kernel.Input { // codes in place are copied
		return kernel.Input{Kind: kind, From: inBuffer(e, codes.emit(e), len(l.m))}
	}}
	return x.converted(l.v.elem)
}

// converted makes words of a type from integers.
func (x column) converted(elem tensor.Type) (column, bool) {
	switch {
	case elem == tensor.Bool:
		x.then = func(s *stripper, x []row) ([]row, bool) {
			return s.not(s.op(strip.EqualI, x, one(s.constant(0)))), true
		}
	case elem == tensor.Float:
		x.then = func(s *stripper, x []row) ([]row, bool) { return s.op(strip.Float, x), true }
	case elem == tensor.Double:
		x.then = func(s *stripper, x []row) ([]row, bool) { return s.widenedBy(strip.FirstI, strip.LastI, x), true }
	case elem.IsFloat():
		x.then = func(s *stripper, x []row) ([]row, bool) { return s.narrowed(elem, s.op(strip.Float, x)) }
	}
	if x.then != nil {
		x.cost, x.own = x.cost+costColumn, costColumn
	}
	return x, !elem.IsFloat() || elem.Bits() >= 16
}

// placeColumn is numbers of whole bytes that follow each other: they stay where they are.
func (g *graph) placeColumn(l lanes) (column, bool) {
	bits, width, signed := l, l.v.width, false
	if l.v.kind == kLeaf {
		bits, width = l.v.args[0].pick(l.m), int(l.v.elem.Bits())
		signed = l.v.elem.IsInteger() && l.v.elem.IsSigned()
	}
	if bits.v.kind != kBits || width%8 != 0 || width > 32 || bits.v.width != width || l.v.elem == tensor.Bool {
		return column{}, false
	}
	at, ok := wholeBytes(bits.rows(width))
	if !ok || !kernel.Follows(at, width/8) {
		return column{}, false
	}
	return column{cost: costColumn, emit: func(*emitter) kernel.Input {
		return kernel.Input{Place: &kernel.InPlace{Bytes: at, Size: width / 8, Signed: signed}}
	}}, true
}

// indexColumn is up to 16 payload bits.
func (g *graph) indexColumn(l lanes, _ int) (column, bool) {
	if l.v.kind != kBits || l.v.width > 16 {
		return column{}, false
	}
	index, ok := unpackIndex(l.rows(l.v.width))
	if !ok {
		return column{}, false
	}
	kind := kernel.FromU8
	if l.v.width > 8 {
		kind = kernel.FromU16
	}
	x := column{cost: index.cost + costColumn, emit: func(e *emitter) kernel.Input {
		return kernel.Input{Kind: kind, From: index.emit(e)}
	}}
	if l.v.elem == tensor.Bool {
		return x.converted(tensor.Bool)
	}
	return x, true
}

// bitsColumn is up to 32 payload bits, as a float with those bits.
func (g *graph) bitsColumn(l lanes, _ int) (column, bool) {
	if l.v.kind != kBits || l.v.width > 32 || l.v.elem == tensor.Bool {
		return column{}, false
	}
	rows := l.rows(l.v.width)
	plan, ok := looseSource(l, rows, kernel.Float32)
	if at, whole := wholeBytes(rows); whole && l.v.width == 32 {
		plan, ok = from(len(l.m), costWide, func(e *emitter) kernel.Source {
			return e.numbers(l, func(to kernel.BufferID) kernel.Op { return &kernel.Scalar{Bytes: at, Format: kernel.Float32, To: to} })
		}), true
	}
	return column{cost: plan.cost - costEpilogue + costColumn, emit: func(e *emitter) kernel.Input { return eachLane(plan.emit(e).Source.From) }}, ok
}

// eachLane is a float buffer with a word for each lane.
func eachLane(from kernel.BufferID) kernel.Input {
	return kernel.Input{Kind: kernel.FromF32, Words: kernel.Parameter{Kind: kernel.Group, N: 1, Buffer: from}}
}

// lookupColumn is one function of up to 4 payload bits: a table in registers.
func (g *graph) lookupColumn(l lanes, _ int) (column, bool) {
	if l.v.kind != kOp && l.v.kind != kTab || l.v.elem == tensor.Double {
		return column{}, false
	}
	cells, codes, ok := g.byCode(l)
	if !ok || len(cells) > 16 {
		return column{}, false
	}
	t := g.tabulate(l.v, smallTable)
	id := tableID{elem: l.v.elem, value: l.v.id + 1, class: t.class[l.m[0]]}
	return column{
		cost: codes.cost + costColumn + costLookup,
		own:  costLookup,
		emit: func(e *emitter) kernel.Input {
			return kernel.Input{Kind: kernel.FromU8, From: inBuffer(e, codes.emit(e), len(l.m))}
		},
		then: func(s *stripper, x []row) ([]row, bool) {
			return s.table(x, id, func() ([]uint32, bool) { return wordsOf(l.v.elem, cells) })
		},
	}, true
}

// floatColumn is whatever an epilogue makes.
func (g *graph) floatColumn(l lanes, depth int) (column, bool) {
	if l.v.elem != tensor.Float {
		return column{}, false
	}
	was := g.fusedOnly
	g.fusedOnly = true
	plan, ok := g.floatAt(l, signed_, depth)
	g.fusedOnly = was
	return column{cost: plan.cost + costFloatBytes, few: plan.buffered, emit: func(e *emitter) kernel.Input { return eachLane(plan.buffer(e, l)) }}, ok
}

// exactColumn is integers that FLOAT holds.
func (g *graph) exactColumn(l lanes, depth int) (column, bool) {
	s, ok := g.interval(l.v)
	if !ok || !l.v.elem.IsInteger() || !s.within(1<<24) && g.demands(obCarried) {
		return column{}, false
	}
	float, ok := g.castTo(tensor.Float, l)
	if !ok || float.v.elem != tensor.Float {
		return column{}, false
	}
	x, ok := g.floatColumn(float, depth)
	x.cost, x.own = x.cost+costColumn, costColumn
	x.then = func(s *stripper, x []row) ([]row, bool) { return s.op(strip.Int, x), true }
	return x, ok
}

// evaluatedColumn is an operator that strips do not have. It costs more than any that they have.
func (g *graph) evaluatedColumn(l lanes, depth int) (column, bool) {
	return g.operatorColumn(l, func(l lanes) (floatPlan, bool) { return g.evaluated(l, depth) })
}

// operatorColumn is an operator by itself, if FLOAT holds what it makes.
func (g *graph) operatorColumn(l lanes, match func(lanes) (floatPlan, bool)) (column, bool) {
	x := column{}
	if l.v.elem != tensor.Float {
		s, ok := g.interval(l.v)
		if !ok || l.v.kind != kOp || !l.v.elem.IsInteger() || !s.within(1<<24) && g.demands(obCarried) {
			return column{}, false
		}
		if l, ok = g.castTo(tensor.Float, l); !ok {
			return column{}, false
		}
		x.then = func(s *stripper, x []row) ([]row, bool) { return s.op(strip.Int, x), true }
	}
	was := g.fusedOnly
	g.fusedOnly = false
	plan, ok := match(l)
	g.fusedOnly = was
	x.cost, x.emit = plan.cost+costFloatBytes, func(e *emitter) kernel.Input { return eachLane(plan.buffer(e, l)) }
	return x, ok
}
