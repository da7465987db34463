// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"encoding/binary"

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
	bits  []int32        // kBits: [n*width] payload bits, the least significant first
	width int            // kBits
	table int            // kTab: the number of its table
	cols  int            // kTab: argument 0 is the row, argument 1 the column
	run   *literal       // kOp: the operator with its attributes

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
	interned map[string]*value
	values   []*value
	tables   map[*tensor.Tensor]int
	literals *literals
	without  obligation // tests only
	lanes    int        // lanes handled so far: the measure of planning work
}

// maxLanes bounds the planning work; beyond it a decoder is not planned.
const maxLanes = 1 << 22

func newGraph(l *literals) *graph {
	return &graph{interned: map[string]*value{}, tables: map[*tensor.Tensor]int{}, literals: l}
}

// intern returns the value equal to v.
func (g *graph) intern(v *value) *value {
	key := v.key()
	if known, ok := g.interned[key]; ok {
		return known
	}
	v.id = len(g.values)
	g.values = append(g.values, v)
	g.interned[key] = v
	g.lanes += v.n
	return v
}

// key encodes everything that makes a value what it is.
func (v *value) key() string {
	b := binary.AppendUvarint(nil, uint64(v.kind))
	b = binary.AppendUvarint(b, uint64(v.elem))
	b = binary.AppendUvarint(b, uint64(v.n))
	b = binary.AppendUvarint(b, uint64(v.width))
	b = binary.AppendUvarint(b, uint64(v.cols))
	for _, a := range v.args {
		b = binary.AppendUvarint(b, uint64(a.v.id))
		b = appendInts(b, a.m)
	}
	b = appendInts(b, v.bits)
	b = binary.AppendUvarint(b, uint64(v.table))
	if v.kind == kConst {
		b = append(b, v.data.Bytes()...)
	}
	if v.run != nil {
		b = binary.AppendUvarint(b, uint64(v.run.id)+1)
	}
	return string(b)
}

func appendInts(b []byte, list []int32) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, i := range list {
		b = binary.LittleEndian.AppendUint32(b, uint32(i))
	}
	return b
}

// constant makes lanes of known elements; equal elements become one lane.
func (g *graph) constant(t *tensor.Tensor) lanes {
	n, width := int(t.Len()), int(t.Type().Bits())
	seen := map[uint64]int32{}
	m := make([]int32, n)
	var codes []uint64
	for i := range n {
		code := codeAt(t.Bytes(), width, i)
		lane, ok := seen[code]
		if !ok {
			lane = int32(len(codes))
			seen[code] = lane
			codes = append(codes, code)
		}
		m[i] = lane
	}
	v := &value{kind: kConst, elem: t.Type(), n: len(codes), data: fromCodes(t.Type(), codes)}
	return lanes{g.intern(v), m}
}

// payload makes lanes of payload bits. Equal lanes become one, and leading zero
// columns are left out.
func (g *graph) payload(elem tensor.Type, bits []int32, width int) lanes {
	width, bits = trim(bits, width)
	n := 0
	if width > 0 {
		n = len(bits) / width
	}
	seen := map[string]int32{}
	m := make([]int32, n)
	var kept []int32
	for i := range n {
		row := bits[i*width : (i+1)*width]
		key := string(appendInts(nil, row))
		lane, ok := seen[key]
		if !ok {
			lane = int32(len(seen))
			seen[key] = lane
			kept = append(kept, row...)
		}
		m[i] = lane
	}
	v := &value{kind: kBits, elem: elem, n: len(seen), bits: kept, width: width}
	return lanes{g.intern(v), m}
}

// trim drops columns that are zero in every lane from the top, but keeps one.
func trim(bits []int32, width int) (int, []int32) {
	n := len(bits) / width
	keep := width
	for keep > 1 && columnIsZero(bits, width, n, keep-1) {
		keep--
	}
	if keep == width {
		return width, bits
	}
	out := make([]int32, 0, n*keep)
	for i := range n {
		out = append(out, bits[i*width:i*width+keep]...)
	}
	return keep, out
}

func columnIsZero(bits []int32, width, n, column int) bool {
	for i := range n {
		if bits[i*width+column] != zeroBit {
			return false
		}
	}
	return true
}

// row returns the bits of lane l.
func (v *value) row(l int32) []int32 { return v.bits[int(l)*v.width : (int(l)+1)*v.width] }

// pick returns the lanes that index selects.
func (l lanes) pick(index []int32) lanes {
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
	width := int(elem.Bits())
	data := make([]byte, (len(codes)*width+7)/8)
	for i, code := range codes {
		switch width {
		case 8:
			data[i] = byte(code)
		case 16:
			binary.LittleEndian.PutUint16(data[2*i:], uint16(code))
		case 32:
			binary.LittleEndian.PutUint32(data[4*i:], uint32(code))
		case 64:
			binary.LittleEndian.PutUint64(data[8*i:], code)
		default:
			perByte := 8 / width
			data[i/perByte] |= byte(code) << (i % perByte * width)
		}
	}
	t, err := tensor.New(elem, []int64{int64(len(codes))}, data)
	if err != nil {
		panic(err) // the length was computed from the type
	}
	return t
}

// codes returns the element bits of a tensor.
func codes(t *tensor.Tensor) []uint64 {
	width := int(t.Type().Bits())
	out := make([]uint64, t.Len())
	for i := range out {
		out[i] = codeAt(t.Bytes(), width, i)
	}
	return out
}
