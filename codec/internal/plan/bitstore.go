// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math/bits"
	"slices"

	"github.com/structview/structview/codec/internal/kernel"
)

// bitStore is payload bits as they are, or a two's complement number of them in a
// wider type.
func (g *graph) bitStore(l lanes) (storePlan, bool) {
	store := &kernel.BitStore{Width: storeWidth(l.v.elem)}
	if l.v.kind == kOp && l.v.run.node.OpType == "Cast" && l.v.elem.IsSigned() {
		from := l.operand(0)
		if !from.v.elem.IsSigned() || !from.v.elem.IsInteger() || from.v.elem.Bits() > l.v.elem.Bits() {
			return storePlan{}, false
		}
		store.Sign, l = int(from.v.elem.Bits()), from
	}
	if l.v.kind == kLeaf {
		l = lanes{l.v.args[0].v, l.v.args[0].m}.pick(l.m)
	}
	if l.v.kind != kBits || store.Sign != 0 && l.v.width != store.Sign {
		return storePlan{}, false
	}
	ones := make([]uint64, len(l.m))
	for i, k := range l.m {
		row := l.v.row(k)
		for j, bit := range row {
			if bit == oneBit {
				ones[i] |= 1 << j
			}
		}
		store.Parts = append(store.Parts, runsOf(row))
	}
	if slices.Max(ones) != 0 {
		store.Ones = ones
	}
	if numbers, ok := storedWords(store); ok {
		return g.wordStore(l, store, numbers), true
	}
	return storePlan{costField, func(e *emitter, lane int) kernel.Store {
		store.Lane = lane
		return store.Ready(e.program.Stride)
	}}, true
}

// storedWords are the numbers of a store as words of four bytes, if those hold them, and if there are as many as are gathered
// together.
func storedWords(store *kernel.BitStore) (kernel.Loose, bool) {
	numbers := kernel.Loose{Format: kernel.Float32, Parts: store.Parts}
	if len(store.Parts) < 8 || store.Width == 1 || store.Copies() {
		return numbers, false
	}
	for _, parts := range store.Parts {
		if n := len(parts); n > 0 && parts[n-1].Left+parts[n-1].Width > 32 {
			return numbers, false
		}
	}
	for _, x := range store.Ones {
		if x != store.Ones[0] || x>>32 != 0 || store.Sign != 0 {
			return numbers, false
		}
	}
	return numbers, store.Sign <= 32
}

// wordStore writes numbers that are gathered as words.
func (g *graph) wordStore(l lanes, store *kernel.BitStore, numbers kernel.Loose) storePlan {
	ones := uint32(0)
	if store.Ones != nil {
		ones = uint32(store.Ones[0])
	}
	if !g.demands(obCarried) || max(highest(numbers.Parts), bits.Len32(ones)) <= exactBits {
		return integerStore(l, store, numbers, int32(ones))
	}
	return storePlan{costLoose + costFloatBytes, func(e *emitter, lane int) kernel.Store {
		own := numbers
		own.To = e.buffer(kernel.F32, len(l.m))
		e.op(&own)
		return &kernel.WordStore{From: own.To, Sign: store.Sign, Ones: ones, Width: store.Width, Lanes: len(l.m), Lane: lane}
	}}
}

// exactBits is how many bits of integers FLOAT holds.
const exactBits = 24

// highest is where the highest of all bits ends.
func highest(parts [][]kernel.Segment) int {
	top := 0
	for _, list := range parts {
		for _, s := range list {
			top = max(top, s.Left+s.Width)
		}
	}
	return top
}

// integerStore makes floats of the numbers, exactly, and narrows those: a loop of numbers then writes them. Bits that
// are always 1 lie beside all others, so they are added.
func integerStore(l lanes, store *kernel.BitStore, numbers kernel.Loose, ones int32) storePlan {
	numbers.Format, numbers.Sign, numbers.Add = kernel.Int32, store.Sign, ones
	return storePlan{costLoose + costFloatBytes, func(e *emitter, lane int) kernel.Store {
		to := e.buffer(kernel.F32, len(l.m))
		if wide, ok := neighbours(numbers); ok {
			wide.To = to
			e.op(wide)
		} else {
			own := numbers
			own.To = to
			e.op(&own)
		}
		return &kernel.ConvertStore{
			From: to, Code: func(x float32) uint64 { return uint64(int64(x)) }, Width: store.Width, Name: l.v.elem.String(),
			Lanes: len(l.m), Lane: lane, Whole: true,
		}
	}}
}

// runsOf cuts a lane's row into runs of neighbours.
func runsOf(row []int32) []kernel.Segment {
	var out []kernel.Segment
	for j, bit := range row {
		if bit < 0 {
			continue
		}
		if n := len(out) - 1; n >= 0 && out[n].Left+out[n].Width == j && out[n].Bit+out[n].Width == int(bit) {
			out[n].Width++
			continue
		}
		out = append(out, kernel.Segment{Bit: int(bit), Width: 1, Left: j})
	}
	return out
}
