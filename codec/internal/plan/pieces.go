// SPDX-License-Identifier: Apache-2.0

package plan

// Bounds of the pieces of an output: of those that are made each for itself, and of
// runs of them beyond which lanes that lie apart are made together.
const (
	maxPieces = 256
	maxRuns   = 16
)

// outputPieces cuts lanes of a selection into pieces of one value: runs of lanes, or
// where runs are many all lanes of a value. Then order says where each lane belongs;
// it is nil where they follow each other.
func outputPieces(l lanes) (pieces []lanes, order []int32) {
	if l.v.kind != kSel {
		return []lanes{l}, nil
	}
	runs := runPieces(l)
	places, inner := l.byPiece()
	for p, m := range inner {
		if len(m) > 0 {
			pieces, order = append(pieces, lanes{l.v.args[p].v, m}), append(order, places[p]...)
		}
	}
	if len(runs) <= maxRuns || len(runs) <= 2*len(pieces) {
		return runs, nil
	}
	return pieces, order
}

func runPieces(l lanes) []lanes {
	var pieces []lanes
	last := -1
	for _, k := range l.m {
		p, lane := l.v.piece(k)
		if p != last {
			pieces = append(pieces, lanes{v: l.v.args[p].v})
			last = p
		}
		tail := &pieces[len(pieces)-1]
		tail.m = append(tail.m, lane)
	}
	return pieces
}
