// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/tensor"
)

// code matches bytes that equal the lanes modulo 256. Lanes of a float type have
// to be known integers.
func (g *graph) code(l lanes) (codePlan, bool) {
	return g.codeAt(l, 0)
}

// maxMatch bounds how deep a match looks.
const maxMatch = 128

func (g *graph) codeAt(l lanes, depth int) (codePlan, bool) {
	if depth > maxMatch || l.v.kind == kConst || l.v.kind == kSel {
		return codePlan{}, false
	}
	if l.v.elem.IsFloat() {
		if _, ok := g.interval(l.v); !ok {
			return codePlan{}, false
		}
	}
	if known, ok := g.codes.find(l); ok {
		return known, known.emit != nil
	}
	if !g.spend(4*len(l.m) + 32) {
		return codePlan{}, false
	}
	plan, ok := g.findCode(l, depth)
	g.codes.keep(l, plan)
	return plan, ok
}

func (g *graph) findCode(l lanes, depth int) (codePlan, bool) {
	var plans []codePlan
	add := func(p codePlan, ok bool) {
		if ok {
			plans = append(plans, p)
		}
	}
	add(g.bitCode(l))
	add(g.tableCode(l))
	add(g.rowCode(l))
	add(g.ringCode(l, depth))
	add(g.heldCode(l, depth))
	best, ok := cheapestCode(plans)
	if chain, found := g.chainCode(l, depth, best, ok); found {
		best, ok = chain, true
	}
	if !ok {
		return best, false
	}
	return best.shared(l), true
}

// bitCode is payload bits as they are.
func (g *graph) bitCode(l lanes) (codePlan, bool) {
	switch {
	case l.v.kind == kLeaf && l.v.elem.IsInteger() && l.v.elem.Bits() >= 8:
		a := l.v.args[0]
		return g.bitCode(a.pick(l.m))
	case l.v.kind != kBits:
		return codePlan{}, false
	}
	width := min(l.v.width, 8)
	return unpack(l.rows(width), kernel.Post{})
}

// tableCode is a function of at most 8 payload bits that is the same in all lanes.
func (g *graph) tableCode(l lanes) (codePlan, bool) {
	if l.v.kind == kBits || l.v.kind == kLeaf && l.v.elem.Bits() >= 8 {
		return codePlan{}, false
	}
	t := g.uniform(l, smallTable)
	if t == nil || t.width == 0 {
		return codePlan{}, false
	}
	cells, ok := bytesOf(l.v.elem, t.cells[t.class[l.m[0]]])
	if !ok {
		return codePlan{}, false
	}
	rows := t.support.rows(l.m, t.width)
	if order, rest, ok := weights(cells, t.width); ok {
		columns := order[:]
		for columns[len(columns)-1] < 0 {
			columns = columns[:len(columns)-1]
		}
		return unpack(rows.ordered(columns), rest)
	}
	return g.mapped(func(post kernel.Post) (codePlan, bool) { return unpack(rows, post) }, cells, len(l.m))
}

// uniformOn reports whether the given lanes are one class.
func (t *table) uniformOn(m []int32) bool {
	for _, k := range m {
		if t.class[k] != t.class[m[0]] {
			return false
		}
	}
	return true
}

// bytesOf reads cells as integers modulo 256.
func bytesOf(elem tensor.Type, cells []uint64) ([]byte, bool) {
	out := make([]byte, len(cells))
	if elem.IsInteger() && elem.Bits() >= 8 && elem.Bits() < 64 {
		for i, c := range cells {
			out[i] = byte(c)
		}
		return out, true
	}
	for i, c := range cells {
		n, ok := integer(elem, c)
		if !ok {
			return nil, false
		}
		out[i] = byte(n)
	}
	return out, true
}

// weights reports whether cells are a constant plus a distinct power of two per bit:
// then the bits only have to be put in their places. order[k] is the column of bit
// k of the code.
func weights(cells []byte, width int) (order [8]int, post kernel.Post, ok bool) {
	for k := range order {
		order[k] = -1
	}
	used := byte(0)
	for b := range width {
		w := cells[1<<b] - cells[0]
		if w == 0 || w&(w-1) != 0 || used&w != 0 {
			return order, post, false
		}
		used |= w
		for k := range order {
			if w == 1<<k {
				order[k] = b
			}
		}
	}
	for i := 1; i < len(cells); i++ { // its lowest bit, and the others
		if cells[i] != cells[i&(i-1)]+cells[i&-i]-cells[0] {
			return order, post, false
		}
	}
	if cells[0] != 0 {
		post.Affine = &kernel.Map{Add: cells[0]}
	}
	return order, post, true
}

// mapped is codes made by from and mapped by a table, inside the unpacking kernel
// where that can do it.
func (g *graph) mapped(from func(kernel.Post) (codePlan, bool), cells []byte, lanes int) (codePlan, bool) {
	if isIdentity(cells) {
		return from(kernel.Post{})
	}
	post, ok := classify(cells)
	if ok {
		return from(post)
	}
	plain, ok := from(kernel.Post{})
	if !ok {
		return codePlan{}, false
	}
	make, cost := tableOp(cells)
	return codePlan{plain.cost + cost, func(e *emitter) kernel.Codes {
		codes := plain.emit(e)
		to := e.buffer(kernel.U8, lanes)
		e.op(make(codes, lanes, to))
		return kernel.Buf(to)
	}}, true
}

func isIdentity(cells []byte) bool {
	for i, c := range cells {
		if int(c) != i {
			return false
		}
	}
	return true
}

// classify finds what a table does: an affine map with or without a flipped sign
// bit, or a table of at most 16 entries.
func classify(cells []byte) (kernel.Post, bool) {
	if m, ok := affine(cells); ok {
		return kernel.Post{Affine: &m}, true
	}
	if len(cells) <= 16 {
		var table [16]byte
		for i := range table {
			table[i] = cells[i%len(cells)]
		}
		return kernel.Post{Lut: &table}, true
	}
	return kernel.Post{}, false
}

func affine(cells []byte) (kernel.Map, bool) {
	for xor := 0; xor < len(cells); xor = max(1, xor*2) {
		for shift := range 8 {
			for _, neg := range [...]bool{false, true} {
				m := kernel.Map{Xor: byte(xor), Shift: shift, Neg: neg}
				m.Add = cells[0] - mapOf(m, 0)
				if fits(cells, m) {
					return m, true
				}
			}
		}
	}
	return kernel.Map{}, false
}

func fits(cells []byte, m kernel.Map) bool {
	for i, c := range cells {
		if mapOf(m, byte(i)) != c {
			return false
		}
	}
	return true
}

func mapOf(m kernel.Map, x byte) byte {
	x = (x ^ m.Xor) << m.Shift
	if m.Neg {
		x = -x
	}
	return x + m.Add
}

// tableOp is the kernel for a table that is no post-operation.
func tableOp(cells []byte) (func(from kernel.Codes, lanes int, to kernel.BufferID) kernel.Op, float64) {
	if base, step, thresholds, ok := steps(cells); ok {
		return func(from kernel.Codes, lanes int, to kernel.BufferID) kernel.Op {
			return &kernel.Steps{From: from, Lanes: lanes, Base: base, Step: step, Thresholds: thresholds, To: to}
		}, float64(2 + 3*len(thresholds))
	}
	return func(from kernel.Codes, lanes int, to kernel.BufferID) kernel.Op {
		return &kernel.Lut{From: from, Lanes: lanes, Table: cells, To: to}
	}, tableCost(cells)
}

// tableCost is the cost of looking codes up.
func tableCost(cells []byte) float64 {
	if kernel.Halved(cells) {
		return 5
	}
	return lutCost(len(cells))
}

func lutCost(entries int) float64 {
	if entries <= 16 {
		return 3
	}
	return 3 * float64(entries) / 16
}

// steps reports whether a table is a base and at most four equal jumps.
func steps(cells []byte) (base, step byte, thresholds []byte, ok bool) {
	base = cells[0]
	for i := 1; i < len(cells); i++ {
		d := cells[i] - cells[i-1]
		switch {
		case d == 0:
		case step != 0 && d != step || len(thresholds) == 4:
			return 0, 0, nil, false
		default:
			step = d
			thresholds = append(thresholds, byte(i))
		}
	}
	return base, step, thresholds, len(cells) == 256 || len(thresholds) > 0
}
