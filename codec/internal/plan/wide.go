// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"
	"math/bits"
	"slices"

	"github.com/structview/structview/codec/internal/kernel"
)

// codeSized reports whether lanes are integers that a code holds.
func (g *graph) codeSized(l lanes) bool {
	s, ok := g.interval(l.v)
	return ok && (s.lo >= -128 && s.hi <= 127 || s.lo >= 0 && s.hi <= 255)
}

// wideSource is integers, wherever their bits are, with or without a sign, and more or less by a number: those of more than 8 bits, and
// those whose codes cost more. What a Cast from an integer type makes of them may be rounded.
func (g *graph) wideSource(l lanes) (floatPlan, bool) {
	inside := l
	if l.v.kind == kOp && l.v.run.node.OpType == "Cast" && l.operand(0).v.elem.IsInteger() {
		inside = l.operand(0)
	}
	if _, ok := g.interval(inside.v); !ok {
		return floatPlan{}, false
	}
	list, ok := g.linears(inside, 0)
	if !ok {
		return floatPlan{}, false
	}
	op, ok := numbersOf(list)
	if !ok || g.codeSized(inside) && !single(op) {
		return floatPlan{}, false
	}
	if wide, ok := neighbours(op); ok {
		return buffered(len(l.m), costNumbers(len(l.m)), func(e *emitter) kernel.Source {
			return e.numbers(l, func(to kernel.BufferID) kernel.Op {
				own := *wide
				own.To = to
				return &own
			})
		}), true
	}
	return numbersPlan(l, func() *kernel.Loose {
		own := op
		return &own
	}), true
}

// single reports whether numbers are bits that follow each other.
func single(op kernel.Loose) bool {
	return !slices.ContainsFunc(op.Parts, func(runs []kernel.Segment) bool { return len(runs) != 1 })
}

// numbersOf are sums as numbers of bits, each at a place of its own. The highest bit may be a sign.
func numbersOf(list []linear) (kernel.Loose, bool) {
	op := kernel.Loose{Format: kernel.Int32, Add: int32(list[0].offset)}
	signs, width, signed, plain := make([]int, len(list)), 0, 0, 0
	least, most := int64(0), int64(0)
	for l, x := range list {
		row, sign, top, ok := x.places()
		if !ok || x.offset != list[0].offset {
			return op, false
		}
		if signs[l] = sign; sign == 0 {
			plain = max(plain, top)
		}
		signed, width = max(signed, sign), max(width, top)
		s := x.span()
		least, most = min(least, s.lo), max(most, s.hi)
		op.Parts = append(op.Parts, runsOf(row[:]))
	}
	if list[0].offset != int64(op.Add) || least < math.MinInt32 {
		return op, false
	}
	if most > math.MaxInt32 {
		op.Format = kernel.Uint32
		return op, op.Add == 0 && signed == 0 && most <= math.MaxUint32
	}
	if op.Sign = signed; signed != 0 && (plain >= signed || slices.ContainsFunc(signs, func(s int) bool { return s != 0 && s != signed })) {
		op.Sign, op.Signs = 0, signs
	}
	return op, width > 0 && (op.Signs == nil || plain < 32)
}

// places are the bits of a sum, but for its offset, at their places; the width of a number with a sign, else 0; and how
// many places there are. It is false if two bits have one place, or one is above a sign.
func (x linear) places() (row [maxLinearBits]int32, sign, top int, ok bool) {
	for j := range row {
		row[j] = zeroBit
	}
	for _, t := range x.terms {
		size := max(t.weight, -t.weight)
		j := bits.TrailingZeros64(uint64(size))
		if size != 1<<j || j >= maxLinearBits || row[j] != zeroBit || t.weight < 0 && sign != 0 {
			return row, 0, 0, false
		}
		if row[j] = t.bit; t.weight < 0 {
			sign = j + 1
		}
		top = max(top, j+1)
	}
	return row, sign, top, sign == 0 || sign == top
}

// neighbours are numbers that are words of 16 bits, one behind the other.
func neighbours(op kernel.Loose) (*kernel.Wide, bool) {
	wide := &kernel.Wide{Width: 16, Add: op.Add}
	if op.Sign == 16 {
		wide.Xor, wide.Add = 1<<15, op.Add-1<<15
	}
	for i, parts := range op.Parts {
		if len(parts) != 1 || parts[0].Width != 16 || parts[0].Left != 0 || parts[0].Bit%8 != 0 || parts[0].Bit != op.Parts[0][0].Bit+16*i {
			return nil, false
		}
		wide.Bits = append(wide.Bits, parts[0].Bit)
	}
	return wide, op.Signs == nil && (op.Sign == 0 || op.Sign == 16)
}

// halfSource is floats by codes of 9 to 12 bits that are halves with the code's bits.
func (g *graph) halfSource(l lanes) (floatPlan, bool) {
	width := len(l.v.support().of(l.m[0]))
	if _, integers := g.interval(l.v); integers || l.v.kind != kOp || width <= smallTable || width > maxTable || sharedRun(l) > 1 {
		return floatPlan{}, false
	}
	t := g.tabulate(l.v, maxTable)
	if t == nil || !t.uniformOn(l.m) {
		return floatPlan{}, false
	}
	x, ok := kernel.HalfFormOf(floatsOf(t.cells[t.class[l.m[0]]]))
	if !ok || len(x.Special) > 0 {
		return floatPlan{}, false
	}
	p := numbersPlan(l, func() *kernel.Loose {
		op := &kernel.Loose{Format: kernel.F16, Unit: x.Unit, Parts: make([][]kernel.Segment, len(l.m))}
		for i, k := range l.m {
			row := slices.Repeat([]int32{zeroBit}, 16)
			copy(row[x.At:], t.support.of(k)[:x.Width-x.Sign])
			if x.Sign == 1 {
				row[15] = t.support.of(k)[x.Width-1]
			}
			op.Parts[i] = runsOf(row)
		}
		return op
	})
	if x.Unit != 1 {
		p.cost += costStep + 1 // integers times a number are not slower
	}
	return p, true
}
