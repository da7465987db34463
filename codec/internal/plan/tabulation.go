// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/tensor"
)

// tabulation evaluates the classes of a value's lanes, each on its first lane.
type tabulation struct {
	*functions
	v    *value
	args []*functions
	wiring

	*scratch
}

// scratch is memory that one class uses after the other.
type scratch struct {
	places []int32
	words  [2][]uint64
	bytes  [][]byte
}

// size is how many cells a class has.
func (t *tabulation) size(class int) int { return 1 << len(t.support.of(t.first[class])) }

// evaluate fills in the cells of each class from its first lane.
func (t *tabulation) evaluate() {
	total := 0
	var of []int // classes
	for c, l := range t.first {
		if t.known[l] {
			of = append(of, c)
			total += t.size(c)
		}
	}
	if t.v.kind == kOp {
		t.operate(of, total)
		return
	}
	all := make([]uint64, total)
	for _, c := range of {
		n := t.size(c)
		cells := all[:n:n]
		all = all[n:]
		switch l := t.first[c]; t.v.kind {
		case kBits:
			t.bits(l, cells)
		case kTab:
			if !t.look(l, cells) {
				continue
			}
		default: // kLeaf: the same bits
			t.operand(0, l, cells)
		}
		t.cells[c] = cells
	}
}

// bits are those of the payload: the number of the cell itself, if they are a field.
func (t *tabulation) bits(l int32, out []uint64) {
	if t.v.runs == nil {
		row := make([]int32, t.v.width)
		wireBits(row, t.v.row(l), t.support.of(l))
		fromBits(row, out)
		return
	}
	for i := range out {
		out[i] = uint64(i)
	}
}

// operand lays the cells of an operand over those of lane l.
func (t *tabulation) operand(k int, l int32, out []uint64) {
	lane := t.v.args[k].m[l]
	cells := t.args[k].cells[t.args[k].class[lane]]
	switch mask := place(t.args[k].support.of(lane), t.support.of(l)); {
	case len(cells) == 1:
		fill(out, cells[0])
	case mask&(mask+1) == 0: // the lowest bits
		for len(out) > 0 {
			out = out[copy(out, cells):]
		}
	default:
		t.spread(mask, cells, out)
	}
}

func fill(out []uint64, cell uint64) {
	for i := range out {
		out[i] = cell
	}
}

// spread doubles what is there for each bit: those of a mask lead on, others do not.
func (t *tabulation) spread(mask int, cells, out []uint64) {
	index := append(t.places[:0], 0)
	own := int32(1)
	for n := 1; n < len(out); n *= 2 {
		step := int32(0)
		if mask&n != 0 {
			step, own = own, own*2
		}
		for _, i := range index[:n] {
			index = append(index, i+step)
		}
	}
	for i, k := range index {
		out[i] = cells[k]
	}
	t.places = index
}

// fromBits fills in the integer that bits make under each assignment; they are
// given by their place in the support.
func fromBits(row []int32, cells []uint64) {
	n := 1
	for j, at := range row {
		switch {
		case at == zeroBit:
		case int(at) == j && n == 1<<j: // the number of the cell itself
			for i, c := range cells[:n] {
				cells[n+i] = c | 1<<j
			}
			n *= 2
		default:
			n = repeated(cells, n)
			for i := range cells {
				if at < 0 || i>>at&1 != 0 {
					cells[i] |= 1 << j
				}
			}
		}
	}
	repeated(cells, n)
}

// repeated fills cells with copies of the first n of them.
func repeated(cells []uint64, n int) int {
	for ; n < len(cells); n *= 2 {
		copy(cells[n:], cells[:n])
	}
	return n
}

// tensor is fromCodes for operand k, in memory that the next operator uses again.
func (s *scratch) tensor(k int, elem tensor.Type, codes []uint64) *tensor.Tensor {
	for len(s.bytes) <= k {
		s.bytes = append(s.bytes, nil)
	}
	n := packedLen(int(elem.Bits()), len(codes))
	s.bytes[k] = slices.Grow(s.bytes[k][:0], n)[:n]
	pack(s.bytes[k], int(elem.Bits()), codes)
	t, err := tensor.New(elem, []int64{int64(len(codes))}, s.bytes[k])
	if err != nil {
		panic(err) // the length was computed from the type
	}
	return t
}

// memory is room for n words that another call may use again.
func (s *scratch) memory(k, n int) []uint64 {
	s.words[k] = slices.Grow(s.words[k][:0], n)[:n]
	return s.words[k]
}

func (t *tabulation) look(l int32, out []uint64) bool {
	rows, cols := t.memory(0, len(out)), t.memory(1, len(out))
	t.operand(0, l, rows)
	t.operand(1, l, cols)
	data, width, n := t.v.data.Bytes(), int(t.v.elem.Bits()), uint64(t.v.data.Len())
	for i := range out {
		at := rows[i]*uint64(t.v.cols) + cols[i]
		if at >= n {
			return false
		}
		out[i] = codeAt(data, width, int(at))
	}
	return true
}

// operate evaluates an operator for classes at once, or where that fails one by
// one.
func (t *tabulation) operate(of []int, total int) {
	if len(of) == 0 || t.run(of, total) || len(of) == 1 {
		return
	}
	for i, c := range of {
		t.run(of[i:i+1], t.size(c))
	}
}

// run evaluates an operator for some classes; it reports whether that worked.
func (t *tabulation) run(of []int, total int) bool {
	inputs := make([]*tensor.Tensor, len(t.v.args))
	for k, a := range t.v.args {
		all, at := t.memory(0, total), 0
		for _, c := range of {
			n := t.size(c)
			t.operand(k, t.first[c], all[at:at+n])
			at += n
		}
		inputs[k] = t.tensor(k, a.v.elem, all)
	}
	results, err := t.v.run.call(inputs...)
	if err != nil || results[0].Len() != inputs[0].Len() || results[0].Type() != t.v.elem {
		return false
	}
	all := codes(results[0])
	for _, c := range of {
		n := t.size(c)
		t.cells[c], all = all[:n:n], all[n:]
	}
	return true
}
