// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"

	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/tensor"
)

// doubleInput is lanes of DOUBLE that are inputs as they are: one for whole tiles of lanes, or numbers that follow
// each other in the payload.
func (c *columnist) doubleInput(l lanes) ([]row, bool) {
	if l.v.elem != tensor.Double || len(c.inputs)+2 > maxColumns {
		return nil, false
	}
	if x, ok := c.g.doubleOne(l, c.depth+1); ok {
		made := c.put(&x)
		return c.both(made, made), true
	}
	if at, ok := doublePlaces(l); ok {
		first, last := halfOfTiles(at, 0), halfOfTiles(at, strip.TileLanes/2)
		return c.both(c.put(&first), c.put(&last)), true
	}
	return nil, false
}

// doubleCost is what such lanes cost; those that are words apart cost what the words do.
func (g *graph) doubleCost(l lanes, depth int) (float64, bool) {
	if l.v.elem == tensor.Double {
		if x, ok := g.doubleOne(l, depth); ok {
			return x.cost, true
		}
		if _, ok := doublePlaces(l); ok {
			return 2 * costColumn, true
		}
	}
	if l.v.elem.Bits() < 64 {
		return 0, false
	}
	if l.v.kind == kOp && (l.v.elem != tensor.Double || l.v.run.node.OpType != "Cast") {
		return 0, false
	}
	inside := l
	if l.v.kind == kOp {
		inside = l.operand(0)
	}
	low, high, ok := g.lowHigh(inside)
	if !ok {
		return 0, false
	}
	cost := g.choose(low, depth).cost + g.choose(high, depth).cost + 6*costColumn
	return cost, !math.IsInf(cost, 1)
}

// doubleOne is one DOUBLE for each tile of lanes, or for several.
func (g *graph) doubleOne(l lanes, depth int) (column, bool) {
	n := groupOf(l.m)
	if l.v.elem != tensor.Double || len(l.m)%strip.TileLanes != 0 || n%strip.TileLanes != 0 {
		return column{}, false
	}
	own := l.every(n)
	make, each, ok := g.doublePairs(own, depth)
	at, inPlace := doubleBytes(own)
	return column{cost: costColumn + each*float64(len(own.m))/float64(len(l.m)), emit: func(e *emitter) kernel.Input {
		if inPlace {
			return kernel.Input{Place: &kernel.InPlace{Bytes: at, Size: 8, Shared: n}}
		}
		return kernel.Input{Kind: kernel.FromF32, Pairs: true, Words: kernel.Parameter{Kind: kernel.Group, N: n, Buffer: make(e)}}
	}}, ok
}

// doublePairs are lanes of DOUBLE in a buffer, two words each.
func (g *graph) doublePairs(l lanes, depth int) (func(e *emitter) kernel.BufferID, float64, bool) {
	if at, ok := doubleBytes(l); ok {
		words := make([]int, 0, 2*len(at))
		for _, a := range at {
			words = append(words, a, a+4)
		}
		return func(e *emitter) kernel.BufferID {
			return e.once(l, func() kernel.BufferID {
				to := e.buffer(kernel.F32, len(words))
				e.op(&kernel.Scalar{Bytes: words, Format: kernel.Float32, To: to})
				return to
			})
		}, 2 * costWide, true
	}
	if l.v.kind != kOp {
		return nil, 0, false
	}
	make, cost, ok := g.expression(l, depth+1, true)
	return func(e *emitter) kernel.BufferID {
		return e.once(l, func() kernel.BufferID {
			k := make(e)
			k.Pairs, k.To = true, e.buffer(kernel.F32, 2*kernel.Buffer{Kind: kernel.F32, Lanes: len(l.m)}.Pitch())
			e.op(k)
			return k.To
		})
	}, cost, ok
}

// once emits lanes into a buffer, unless they are there.
func (e *emitter) once(l lanes, emit func() kernel.BufferID) kernel.BufferID {
	if known, ok := e.floats.find(l); ok {
		return known
	}
	to := emit()
	e.floats.keep(l, to)
	return to
}

// doubleBytes is where DOUBLE of the payload begin.
func doubleBytes(l lanes) ([]int, bool) {
	if l.v.kind != kLeaf || l.v.elem != tensor.Double {
		return nil, false
	}
	bits := l.operand(0)
	if bits.v.kind != kBits || bits.v.width != 64 {
		return nil, false
	}
	return wholeBytes(bits.rows(64))
}

// doublePlaces are those of DOUBLE that follow each other, 16 at least.
func doublePlaces(l lanes) ([]int, bool) {
	at, ok := doubleBytes(l)
	if !ok || len(at)%strip.TileLanes != 0 {
		return nil, false
	}
	for i, a := range at {
		if i%(strip.TileLanes/2) != 0 && a != at[i-1]+8 {
			return nil, false
		}
	}
	return at, true
}

// halfOfTiles is the first or the last DOUBLE of each tile of lanes, in place, as words.
func halfOfTiles(at []int, from int) column {
	words := make([]int, len(at))
	for i := range words {
		words[i] = at[i/strip.TileLanes*strip.TileLanes+from] + 4*(i%strip.TileLanes)
	}
	return column{cost: costColumn, emit: func(*emitter) kernel.Input {
		return kernel.Input{Place: &kernel.InPlace{Bytes: words, Size: 4}}
	}}
}

// doubleStore is lanes of DOUBLE that operators on lanes make.
func (g *graph) doubleStore(l lanes) (storePlan, bool) {
	if l.v.elem != tensor.Double || l.v.kind != kOp {
		return storePlan{}, false
	}
	make, cost, ok := g.doublePairs(l, 0)
	return storePlan{cost + 2*costFloatBytes, func(e *emitter, lane int) kernel.Store {
		return &kernel.PairStore{From: make(e), Lanes: len(l.m), Lane: lane}
	}}, ok
}
