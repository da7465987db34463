// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"encoding/binary"
	"slices"

	"github.com/structview/structview/tensor"
)

// Caps of tables: bits of one lane, and cells of all classes together.
const (
	smallTable = 8
	maxTable   = 12
	maxCells   = 1 << 16
)

// table is a value tabulated over the payload bits that each lane depends on.
// Lanes of the same wiring form a class, with one row of cells.
type table struct {
	width   int       // bits of every lane
	support [][]int32 // per lane: its bits, ascending
	class   []int32   // per lane
	cells   [][]uint64
}

// uniform reports whether all lanes are one class.
func (t *table) uniform() bool { return len(t.cells) == 1 }

// tooMany stands for a support that is larger than a table takes.
var tooMany = []int32{-3}

func isTooMany(s []int32) bool { return len(s) == 1 && s[0] == -3 }

// support returns the payload bits that each lane depends on.
func (v *value) support() [][]int32 {
	if v.facts.supports != nil {
		return v.facts.supports
	}
	out := make([][]int32, v.n)
	for l := range out {
		out[l] = v.laneSupport(int32(l))
	}
	v.facts.supports = out
	return out
}

func (v *value) laneSupport(l int32) []int32 {
	var all []int32
	switch v.kind {
	case kConst:
	case kBits:
		for _, bit := range v.row(l) {
			if bit >= 0 {
				all = append(all, bit)
			}
		}
	case kSel:
		p, lane := v.piece(l)
		return v.args[p].v.support()[lane]
	default:
		for _, a := range v.args {
			s := a.v.support()[a.m[l]]
			if isTooMany(s) {
				return tooMany
			}
			all = append(all, s...)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) > maxTable {
		return tooMany
	}
	return all
}

// tabulate returns the table of a value of at most bits payload bits a lane, nil
// if there is none.
func (g *graph) tabulate(v *value, bits int) *table {
	if v.facts.table != nil || v.facts.tried >= bits {
		if t := v.facts.table; t != nil && t.width <= bits {
			return t
		}
		return nil
	}
	v.facts.tried = bits
	if v.n == 0 {
		return nil
	}
	support := v.support()
	width := len(support[0])
	for _, s := range support {
		if isTooMany(s) || len(s) != width || len(s) > bits {
			return nil
		}
	}
	t := &table{width: width, support: support, class: make([]int32, v.n)}
	classes := map[string]int32{}
	for l := range v.n {
		w := newWiring(support[l])
		w.add(v, int32(l))
		class, ok := classes[string(w.text)]
		if !ok {
			class = int32(len(t.cells))
			classes[string(w.text)] = class
			if (len(t.cells)+1)<<width > maxCells {
				return nil
			}
			cells := newLane(support[l]).eval(v, int32(l))
			if cells == nil {
				return nil
			}
			t.cells = append(t.cells, codes(cells))
		}
		t.class[l] = class
	}
	t.merge()
	g.lanes += len(t.cells) << width
	v.facts.table = t
	return t
}

// merge joins classes whose cells are equal.
func (t *table) merge() {
	first := map[string]int32{}
	number := make([]int32, len(t.cells))
	var kept [][]uint64
	for i, cells := range t.cells {
		var key []byte
		for _, c := range cells {
			key = binary.LittleEndian.AppendUint64(key, c)
		}
		class, ok := first[string(key)]
		if !ok {
			class = int32(len(kept))
			first[string(key)] = class
			kept = append(kept, cells)
		}
		number[i] = class
	}
	for l, c := range t.class {
		t.class[l] = number[c]
	}
	t.cells = kept
}

// wiring writes down how a lane is made, its payload bits numbered in ascending
// order: two lanes of one text compute the same function.
type wiring struct {
	position map[int32]int
	seen     map[laneID]int
	text     []byte
}

type laneID struct {
	v *value
	l int32
}

func newWiring(support []int32) *wiring {
	w := &wiring{position: map[int32]int{}, seen: map[laneID]int{}}
	for i, bit := range support {
		w.position[bit] = i
	}
	return w
}

func (w *wiring) add(v *value, l int32) {
	id := laneID{v, l}
	if at, ok := w.seen[id]; ok {
		w.text = binary.AppendUvarint(append(w.text, 'r'), uint64(at))
		return
	}
	w.seen[id] = len(w.seen)
	switch v.kind {
	case kConst:
		w.text = append(w.text, 'c', byte(v.elem))
		w.text = binary.LittleEndian.AppendUint64(w.text, codeAt(v.data.Bytes(), int(v.elem.Bits()), int(l)))
	case kBits:
		w.text = append(w.text, 'b', byte(v.elem))
		for _, bit := range v.row(l) {
			if bit >= 0 {
				bit = int32(w.position[bit])
			}
			w.text = binary.AppendVarint(w.text, int64(bit))
		}
		w.text = append(w.text, ';')
	case kSel:
		p, lane := v.piece(l)
		w.add(v.args[p].v, lane)
	default:
		w.text = append(w.text, 'a'+byte(v.kind), byte(v.elem))
		if v.run != nil {
			w.text = binary.AppendUvarint(w.text, uint64(v.run.id))
		}
		w.text = binary.AppendUvarint(w.text, uint64(v.table))
		for _, a := range v.args {
			w.add(a.v, a.m[l])
		}
	}
}

// lane evaluates one lane for every assignment of the payload bits that it
// depends on: cell i has bit k of i at support[k].
type lane struct {
	position map[int32]int
	cells    int
	memo     map[laneID]*tensor.Tensor
}

func newLane(support []int32) *lane {
	e := &lane{position: map[int32]int{}, cells: 1 << len(support), memo: map[laneID]*tensor.Tensor{}}
	for i, bit := range support {
		e.position[bit] = i
	}
	return e
}

// eval returns a tensor [cells], nil if an operator fails on some assignment.
func (e *lane) eval(v *value, l int32) *tensor.Tensor {
	id := laneID{v, l}
	if known, ok := e.memo[id]; ok {
		return known
	}
	out := e.make(v, l)
	e.memo[id] = out
	return out
}

func (e *lane) make(v *value, l int32) *tensor.Tensor {
	list := make([]uint64, e.cells)
	switch v.kind {
	case kConst:
		code := codeAt(v.data.Bytes(), int(v.elem.Bits()), int(l))
		for i := range list {
			list[i] = code
		}
	case kBits:
		e.numbers(v.row(l), list)
	case kSel:
		p, inner := v.piece(l)
		return e.eval(v.args[p].v, inner)
	case kLeaf:
		bits := e.eval(v.args[0].v, v.args[0].m[l])
		return fromCodes(v.elem, codes(bits))
	case kTab:
		return e.look(v, l)
	default:
		return e.operator(v, l)
	}
	return fromCodes(v.elem, list)
}

// numbers fills in the integer that bits make under each assignment.
func (e *lane) numbers(row []int32, list []uint64) {
	for j, bit := range row {
		if bit == zeroBit {
			continue
		}
		position := -1
		if bit >= 0 {
			position = e.position[bit]
		}
		for i := range list {
			if position < 0 || i>>position&1 != 0 {
				list[i] |= 1 << j
			}
		}
	}
}

func (e *lane) look(v *value, l int32) *tensor.Tensor {
	row := e.eval(v.args[0].v, v.args[0].m[l])
	col := e.eval(v.args[1].v, v.args[1].m[l])
	if row == nil || col == nil {
		return nil
	}
	rows, cols := codes(row), codes(col)
	data, width, n := v.data.Bytes(), int(v.elem.Bits()), uint64(v.data.Len())
	out := make([]uint64, e.cells)
	for i := range out {
		at := rows[i]*uint64(v.cols) + cols[i]
		if at >= n {
			return nil
		}
		out[i] = codeAt(data, width, int(at))
	}
	return fromCodes(v.elem, out)
}

func (e *lane) operator(v *value, l int32) *tensor.Tensor {
	inputs := make([]*tensor.Tensor, len(v.args))
	for i, a := range v.args {
		if inputs[i] = e.eval(a.v, a.m[l]); inputs[i] == nil {
			return nil
		}
	}
	results, err := v.run.call(inputs...)
	if err != nil || results[0].Len() != int64(e.cells) || results[0].Type() != v.elem {
		return nil
	}
	return results[0]
}
