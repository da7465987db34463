// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/structview/structview/tensor"
)

// kind tells the forms of a value apart.
type kind uint8

const (
	kConst kind = iota // known elements
	kBits              // unsigned integers made of payload bits
	kLeaf              // the bits of its argument, read as another element type
	kOp                // an elementwise ONNX operator
	kTab               // an element of a known table, by index and column
	kSel               // lanes of several values, one piece after the other
	kFold              // runs of lanes of its argument, reduced or searched in order
	kPick              // one of a run of lanes of its first argument, by the index in the second
)

// Entries of value.bits that are no payload bit.
const (
	zeroBit int32 = -1
	oneBit  int32 = -2
)

// value is n lanes of a block. Values are immutable and hash-consed: equal values
// are one.
type value struct {
	id   int
	kind kind
	elem tensor.Type
	n    int
	args []arg

	data  *tensor.Tensor // kConst: [n]; kTab: the table, [rows*cols]
	bits  []int32        // kBits: [n*width] payload bits, the least significant first; see rowsOf
	runs  []stretch      // kBits: [n] fields, or nil
	width int            // kBits
	table int            // kTab: the number of its table
	cols  int            // kTab: argument 0 is the row, argument 1 the column; kPick: lanes of a run
	run   *literal       // kOp: the operator with its attributes
	fold  folding        // kFold; its argument has as many lanes for each lane as are reduced to it

	begins []int32 // kSel: the first lane of each piece
	picked []int32 // kPick: the run that each lane takes
	depth  int     // operators in a row, the longest way from the payload

	facts facts
}

// arg is an operand: lane l of the value reads lane m[l] of v.
type arg struct {
	v *value
	m []int32
}

// lanes is a list of lanes of one value: what a tensor or a kernel refers to.
type lanes = arg

// graph makes values and keeps equal ones equal.
type graph struct {
	interned map[uint64][]*value
	values   []*value
	tables   map[*tensor.Tensor]int
	literals *literals
	chains   map[laneID]*chain              // by the lane that they begin with
	codes    memory[codePlan]               // matches of codes, and failures
	floats   [signed_ + 1]memory[floatPlan] // matches of floats, by what may be peeled
	fused    [signed_ + 1]memory[floatPlan] // the same without operators by themselves
	sources  memory[floatPlan]              // what epilogues begin with
	sums     memory[*sumsOf]                // integers as sums of bits
	choices  memory[choice]                 // how programs of lanes make them
	passes   memory[floatPlan]              // operators in one pass over the lanes
	common   memory[*reached]               // what pieces of the output are made of
	integers memory[wordsPlan]              // words that are no FLOAT
	eval     memory[floatPlan]              // operators that eval computes
	picks    bool                           // some lanes are picked from the payload
	without  obligation                     // tests only

	fusedOnly bool // matches of floats are without operators by themselves
}

func newGraph(l *literals) *graph {
	g := &graph{
		interned: map[uint64][]*value{}, tables: map[*tensor.Tensor]int{}, literals: l, chains: map[laneID]*chain{},
		codes: memory[codePlan]{}, sources: memory[floatPlan]{}, sums: memory[*sumsOf]{}, choices: memory[choice]{},
		passes: memory[floatPlan]{}, common: memory[*reached]{}, integers: memory[wordsPlan]{}, eval: memory[floatPlan]{},
	}
	for i := range g.floats {
		g.floats[i], g.fused[i] = memory[floatPlan]{}, memory[floatPlan]{}
	}
	return g
}

// intern returns the value equal to v.
func (g *graph) intern(v *value) *value {
	h := v.hash()
	for _, known := range g.interned[h] {
		if known.equal(v) {
			return known
		}
	}
	v.id = len(g.values)
	for _, a := range v.args {
		v.depth = max(v.depth, a.v.depth+1)
	}
	g.values = append(g.values, v)
	g.interned[h] = append(g.interned[h], v)
	g.spend(v.n)
	return v
}

// hash covers what makes a value what it is; equal compares that.
func (v *value) hash() uint64 {
	h := mix(mix(seed, uint64(v.kind)), uint64(v.elem))
	h = mix(mix(h, uint64(v.n)), uint64(v.width))
	h = mix(mix(h, uint64(v.cols)), uint64(v.table)<<8|uint64(v.fold))
	for _, a := range v.args {
		h = mixInts(mix(h, uint64(a.v.id)), a.m)
	}
	if v.runs == nil {
		h = mixInts(h, v.bits)
	}
	h = mixInts(h, v.picked)
	for _, f := range v.runs {
		h = mix(h, uint64(uint32(f.from))<<32|uint64(uint32(f.to)))
	}
	if v.kind == kConst {
		for _, b := range v.data.Bytes() {
			h = mix(h, uint64(b))
		}
	}
	if v.run != nil {
		h = mix(h, uint64(v.run.id))
	}
	return h
}

func (v *value) equal(w *value) bool {
	return v.kind == w.kind && v.elem == w.elem && v.n == w.n && v.width == w.width && v.cols == w.cols &&
		v.table == w.table && v.run == w.run && v.fold == w.fold && slices.EqualFunc(v.args, w.args, lanes.equal) && sameBits(v, w) && slices.Equal(v.picked, w.picked) &&
		(v.kind != kConst || bytes.Equal(v.data.Bytes(), w.data.Bytes()))
}

// sameBits compares bits as they are written down, which for equal ones is the same.
func sameBits(v, w *value) bool {
	if v.runs != nil || w.runs != nil {
		return slices.Equal(v.runs, w.runs)
	}
	return slices.Equal(v.bits, w.bits)
}

// constant makes lanes of known elements; equal elements become one lane.
func (g *graph) constant(t *tensor.Tensor) lanes {
	all := codes(t)
	m, first := numbered(len(all), func(i int) uint64 { return mix(seed, all[i]) }, func(i, j int) bool { return all[i] == all[j] })
	kept := make([]uint64, len(first))
	for i, k := range first {
		kept[i] = all[k]
	}
	v := &value{kind: kConst, elem: t.Type(), n: len(kept), data: fromCodes(t.Type(), kept)}
	return lanes{g.intern(v), m}
}

// payload makes lanes of payload bits. Equal lanes become one, and leading zero
// columns are left out.
func (g *graph) payload(elem tensor.Type, bits []int32, width int) lanes {
	width, bits = trim(bits, width)
	if list, ok := asFields(bits, width); ok {
		return g.fields(elem, list, width)
	}
	n := len(bits) / width
	row := func(i int) []int32 { return bits[i*width : (i+1)*width] }
	m, first := numbered(n, func(i int) uint64 { return mixInts(seed, row(i)) }, func(i, j int) bool { return slices.Equal(row(i), row(j)) })
	kept := bits
	if len(first) < n {
		kept = make([]int32, 0, len(first)*width)
		for _, k := range first {
			kept = append(kept, row(int(k))...)
		}
	}
	v := &value{kind: kBits, elem: elem, n: len(first), bits: kept, width: width}
	return lanes{g.intern(v), m}
}

// trim drops columns that are zero in every lane from the top, but keeps one.
func trim(bits []int32, width int) (int, []int32) {
	keep := 1
	for end := width; end <= len(bits) && keep < width; end += width {
		for column := width; column > keep; column-- {
			if bits[end-width+column-1] != zeroBit {
				keep = column
			}
		}
	}
	if keep == width {
		return width, bits
	}
	n := len(bits) / width
	out := make([]int32, 0, n*keep)
	for i := range n {
		out = append(out, bits[i*width:i*width+keep]...)
	}
	return keep, out
}

// row returns the bits of lane l.
func (v *value) row(l int32) []int32 { return v.rowsOf()[int(l)*v.width : (int(l)+1)*v.width] }

// pick returns the lanes that index selects.
func (l lanes) pick(index []int32) lanes {
	if len(index) == len(l.m) && inOrder(index) {
		return l
	}
	if inOrder(l.m) {
		return lanes{l.v, index}
	}
	m := make([]int32, len(index))
	for i, k := range index {
		m[i] = l.m[k]
	}
	return lanes{l.v, m}
}

// codeAt reads the bits of element i of packed data.
func codeAt(data []byte, width, i int) uint64 {
	if width < 8 {
		perByte := 8 / width
		return uint64(data[i/perByte]>>(i%perByte*width)) & (1<<width - 1)
	}
	switch width {
	case 8:
		return uint64(data[i])
	case 16:
		return uint64(binary.LittleEndian.Uint16(data[2*i:]))
	case 32:
		return uint64(binary.LittleEndian.Uint32(data[4*i:]))
	default:
		return binary.LittleEndian.Uint64(data[8*i:])
	}
}

// fromCodes makes a tensor [n] of element bits. Types over 64 bits do not occur.
func fromCodes(elem tensor.Type, codes []uint64) *tensor.Tensor {
	t, err := tensor.New(elem, []int64{int64(len(codes))}, packed(int(elem.Bits()), codes))
	if err != nil {
		panic(err) // the length was computed from the type
	}
	return t
}

func packed(width int, codes []uint64) []byte {
	data := make([]byte, packedLen(width, len(codes)))
	pack(data, width, codes)
	return data
}

func packedLen(width, n int) int { return (n*width + 7) / 8 }

// pack writes the bits of elements.
func pack(data []byte, width int, codes []uint64) {
	switch width {
	case 8:
		for i, code := range codes {
			data[i] = byte(code)
		}
	case 16:
		for i, code := range codes {
			binary.LittleEndian.PutUint16(data[2*i:], uint16(code))
		}
	case 32:
		for i, code := range codes {
			binary.LittleEndian.PutUint32(data[4*i:], uint32(code))
		}
	case 64:
		for i, code := range codes {
			binary.LittleEndian.PutUint64(data[8*i:], code)
		}
	default:
		perByte := 8 / width
		clear(data)
		for i, code := range codes {
			data[i/perByte] |= byte(code) << (i % perByte * width)
		}
	}
}

// codes returns the element bits of a tensor.
func codes(t *tensor.Tensor) []uint64 {
	width, data := int(t.Type().Bits()), t.Bytes()
	out := make([]uint64, t.Len())
	switch width {
	case 8:
		for i, b := range data {
			out[i] = uint64(b)
		}
	case 32:
		for i := range out {
			out[i] = uint64(binary.LittleEndian.Uint32(data[4*i:]))
		}
	default:
		for i := range out {
			out[i] = codeAt(data, width, i)
		}
	}
	return out
}
