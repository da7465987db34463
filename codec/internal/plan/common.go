// SPDX-License-Identifier: Apache-2.0

package plan

import "github.com/structview/structview/codec/internal/kernel"

// reached is which piece of the output reaches lanes first, and how many do.
type reached struct{ first, count int }

// findCommon looks for lanes that several pieces of the output are made of: a pass of their own makes them once.
func (g *graph) findCommon(pieces []lanes) {
	if len(pieces) < 2 || len(pieces) > maxPieces {
		return
	}
	for i, p := range pieces {
		g.reach(p, i, 0)
	}
}

// reach notes that a piece is made of lanes. What they are made of counts for the first piece alone: others have the
// lanes themselves.
func (g *graph) reach(l lanes, piece, depth int) {
	if l.v.kind != kOp || depth > maxMatch || !g.spend(len(l.m)) {
		return
	}
	if _, ok := uniform(l); ok {
		return
	}
	if known, ok := g.common.find(l); ok {
		if known.first != piece {
			known.count++
		}
		return
	}
	g.common.keep(l, &reached{piece, 1})
	for i := range l.v.args {
		g.reach(l.operand(i), piece, depth+1)
	}
}

// commonColumn is lanes that another pass has left in a buffer: a load, and of the pass itself and its store a share.
func (g *graph) commonColumn(l lanes, down float64, depth int) (column, bool) {
	known, ok := g.common.find(l)
	if !ok || known.count < 2 || depth > maxMatch {
		return column{}, false
	}
	cost := costColumn + (down+costColumn)/float64(known.count)
	if cost >= down {
		return column{}, false
	}
	was := g.fusedOnly
	g.fusedOnly = false
	make, _, ok := g.words(l, depth)
	g.fusedOnly = was
	return column{cost: cost, emit: func(e *emitter) kernel.Input { return eachLane(make(e)) }}, ok
}
