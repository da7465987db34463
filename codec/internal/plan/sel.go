// SPDX-License-Identifier: Apache-2.0

package plan

import "slices"

// firstSel returns the first operand that is a kSel, -1 if there is none.
func firstSel(operands []lanes) int {
	return slices.IndexFunc(operands, func(o lanes) bool { return o.v.kind == kSel })
}

// piece returns which piece of a kSel holds lane l, and its lane there.
func (v *value) piece(l int32) (int, int32) {
	i, found := slices.BinarySearch(v.begins, l)
	if !found {
		i--
	}
	return i, v.args[i].m[l-v.begins[i]]
}

// byPiece lists for each piece of a selection the positions that it takes in l, and its lanes there. Pieces of one
// value are one, in the place of the first.
func (l lanes) byPiece() (at, inner [][]int32) {
	at, inner = make([][]int32, len(l.v.args)), make([][]int32, len(l.v.args))
	first, known := make([]int, len(l.v.args)), map[*value]int{}
	for p, a := range l.v.args {
		at, ok := known[a.v]
		if !ok {
			at = p
			known[a.v] = p
		}
		first[p] = at
	}
	for i, k := range l.m {
		p, lane := l.v.piece(k)
		p = first[p]
		at[p], inner[p] = append(at[p], int32(i)), append(inner[p], lane)
	}
	return at, inner
}

// distribute applies an operator to the pieces of a selection one by one. The
// results stay apart: merging them again could come back here without end.
func (g *graph) distribute(op operator, operands []lanes, which int) (lanes, error) {
	sel := operands[which]
	at, inner := sel.byPiece()
	var parts []lanes
	place := make([]int32, len(sel.m))
	total := int32(0)
	for p, positions := range at {
		if len(positions) == 0 {
			continue
		}
		sub := make([]lanes, len(operands))
		for k, o := range operands {
			sub[k] = o.pick(positions)
		}
		sub[which] = lanes{sel.v.args[p].v, inner[p]}
		result, err := g.apply(op, sub)
		if err != nil {
			return lanes{}, err
		}
		parts = append(parts, result)
		for i, position := range positions {
			place[position] = total + int32(i)
		}
		total += int32(len(positions))
	}
	return g.selection(parts).pick(place), nil
}

// selection puts lanes end to end without trying to merge them; pieces that are
// selections themselves are taken apart, neighbours of one value are joined.
func (g *graph) selection(parts []lanes) lanes {
	var pieces []arg
	for _, p := range parts {
		if p.v.kind != kSel {
			pieces = appendPiece(pieces, p.v, p.m...)
			continue
		}
		for _, l := range p.m {
			i, lane := p.v.piece(l)
			pieces = appendPiece(pieces, p.v.args[i].v, lane)
		}
	}
	if len(pieces) == 1 {
		return pieces[0]
	}
	n, begins := 0, make([]int32, len(pieces))
	for i, p := range pieces {
		begins[i] = int32(n)
		n += len(p.m)
	}
	v := g.intern(&value{kind: kSel, elem: pieces[0].v.elem, n: n, args: pieces, begins: begins})
	return lanes{v, iota32(n)}
}

func appendPiece(pieces []arg, v *value, m ...int32) []arg {
	if last := len(pieces) - 1; last >= 0 && pieces[last].v == v {
		pieces[last].m = append(pieces[last].m, m...) // made here, and nobody else's yet
		return pieces
	}
	return append(pieces, arg{v, slices.Clone(m)})
}

func iota32(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// concat puts lanes end to end, as lanes of one value where that is possible:
// constants, payload bits, and the same operator over operands that merge.
func (g *graph) concat(parts []lanes) lanes {
	if merged, ok := (&merger{graph: g, known: map[uint64][]mergeOf{}}).merge(parts); ok {
		return merged
	}
	return g.selection(parts)
}

// merger remembers which lanes it has merged: operands may meet again in many ways.
type merger struct {
	*graph
	known map[uint64][]mergeOf
	calls int
}

// maxMerges bounds the merges of operands that make one value.
const maxMerges = 1 << 12

type mergeOf struct {
	parts []lanes
	made  lanes
	ok    bool
}

func (g *merger) merge(parts []lanes) (lanes, bool) {
	h, n := seed, len(parts)
	for _, p := range parts {
		h, n = mix(h, p.hash()), n+len(p.m)
	}
	for _, k := range g.known[h] {
		if slices.EqualFunc(k.parts, parts, lanes.equal) {
			return k.made, k.ok
		}
	}
	if g.calls++; g.calls > maxMerges || !g.spend(n) {
		return lanes{}, false
	}
	list := slices.Clone(parts)
	made, ok := g.together(parts)
	g.known[h] = append(g.known[h], mergeOf{list, made, ok})
	return made, ok
}

func (g *merger) together(parts []lanes) (lanes, bool) {
	first := parts[0].v
	same, allBits := true, true
	for _, p := range parts {
		same = same && p.v == first
		allBits = allBits && (p.v.kind == kBits || p.v.kind == kConst && g.nonNegative(p.v)) && p.v.elem == first.elem
	}
	switch {
	case same:
		m := []int32{}
		for _, p := range parts {
			m = append(m, p.m...)
		}
		return lanes{first, m}, true
	case allConstants(parts):
		return g.mergeConstants(parts), true
	case allBits:
		return g.mergeBits(parts), true
	case alike(parts):
		return g.mergeArgs(parts)
	}
	return lanes{}, false
}

func allConstants(parts []lanes) bool {
	for _, p := range parts {
		if p.v.kind != kConst || p.v.elem != parts[0].v.elem {
			return false
		}
	}
	return true
}

func (g *graph) mergeConstants(parts []lanes) lanes {
	var all []uint64
	for _, p := range parts {
		all = append(all, p.codes()...)
	}
	return g.constant(fromCodes(parts[0].v.elem, all))
}

func (g *graph) mergeBits(parts []lanes) lanes {
	width := 1
	for i, p := range parts {
		parts[i] = g.asBits(p)
		width = max(width, parts[i].v.width)
	}
	if list, ok := allFields(parts); ok {
		return g.fields(parts[0].v.elem, list, width)
	}
	var bits []int32
	for _, p := range parts {
		for _, l := range p.m {
			row := p.v.row(l)
			bits = append(bits, row...)
			for range width - len(row) {
				bits = append(bits, zeroBit)
			}
		}
	}
	return g.payload(parts[0].v.elem, bits, width)
}

// allFields lists the fields of parts, if all are such.
func allFields(parts []lanes) ([]stretch, bool) {
	var all []stretch
	for _, p := range parts {
		list, ok := p.fieldsOf()
		if !ok {
			return nil, false
		}
		all = append(all, list...)
	}
	return all, true
}

// alike reports whether all parts are the same operator with operands of the same
// types.
func alike(parts []lanes) bool {
	first := parts[0].v
	for _, p := range parts {
		v := p.v
		if v.kind != first.kind || v.elem != first.elem || v.run != first.run ||
			v.table != first.table || v.cols != first.cols || len(v.args) != len(first.args) ||
			v.kind != kOp && v.kind != kTab && v.kind != kLeaf {
			return false
		}
		for k := range v.args {
			if v.args[k].v.elem != first.args[k].v.elem {
				return false
			}
		}
	}
	return true
}

// mergeArgs merges operand by operand. An operand that does not merge, and would be
// a selection, makes the whole not merge.
func (g *merger) mergeArgs(parts []lanes) (lanes, bool) {
	first := parts[0].v
	operands := make([]lanes, len(first.args))
	for k := range operands {
		list := make([]lanes, len(parts))
		for i, p := range parts {
			list[i] = lanes{p.v.args[k].v, p.v.args[k].m}.pick(p.m)
		}
		merged, ok := g.merge(list)
		if !ok {
			return lanes{}, false
		}
		operands[k] = merged
	}
	tuples, inverse := distinct(operands)
	v := &value{
		kind: first.kind, elem: first.elem, n: len(tuples[0].m), args: tuples,
		data: first.data, table: first.table, cols: first.cols, run: first.run,
	}
	return lanes{g.intern(v), inverse}, true
}
