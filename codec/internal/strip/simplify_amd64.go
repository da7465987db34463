// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package strip

import (
	"math"
	"math/bits"
)

// simpler finds the number of a value that equals v in fewer or shorter instructions, but for
// the payloads of NaN; none if there is none. It may change v to one that is as good.
func (g *graph) simpler(v *value) int32 {
	g.sort(v)
	if w, ok := g.folded(v); ok {
		return g.constant(w)
	}
	x, y := v.args[0], v.args[1]
	if v.code != constant && v.code != constantDouble && v.code != input && v.code != Check && v.code != number && g.mayBeSet(v) == 0 {
		return g.constant(0)
	}
	switch v.code {
	case And:
		return g.masked(v)
	case Select:
		if w := g.values[v.args[2]]; w.code == Xor && g.isWord(w.args[1], math.MaxUint32) {
			return g.put(value{code: Select, args: [3]int32{y, x, w.args[0]}})
		}
		if x == y {
			return x
		}
		return g.narrowed(v)
	case AddI:
		return g.added(x, y)
	case SubI:
		if c := g.values[y]; c.code == AtMostF && g.values[c.args[0]].code == constant {
			return g.put(value{code: count, args: [3]int32{none, c.args[1], x}, word: g.values[c.args[0]].word})
		}
	case ShiftA:
		return g.extended(x, y)
	case MaxF:
		if (g.ones[x]|g.ones[y])>>31 == 0 {
			return g.greater(x, y)
		}
		if g.areNumbers(x, y) {
			v.code = maxN
		}
	case MinF:
		if g.areNumbers(x, y) {
			v.code = minN
		}
	case MulF:
		if r := g.roundedAway(x, y); r != none {
			return g.put(value{code: roundAway, args: [3]int32{r, none, none}})
		}
	case Int:
		if w := g.values[x]; w.code == roundAway {
			return g.put(value{code: Int, args: [3]int32{g.put(value{code: away, args: w.args}), none, none}})
		}
		if g.guess {
			g.guessed, v.code = true, toInt
		}
	case bitsFirst, bitsOr:
		return g.simplerBits(v)
	case FirstW, LastW, LowD, HighD:
		return g.apart(v)
	}
	return none
}

// sort puts a constant behind the other operand.
func (g *graph) sort(v *value) {
	switch v.code {
	case And, Or, Xor, AddI, MulI, MaxI, MinI, EqualI:
		if g.values[v.args[0]].code == constant {
			v.args[0], v.args[1] = v.args[1], v.args[0]
		}
	}
}

// is reports whether a value is code of x.
func (g *graph) is(n int32, code Code, x int32) bool {
	return g.values[n].code == code && g.values[n].args[0] == x
}

func (g *graph) isWord(n int32, w uint32) bool {
	return n != none && g.values[n].code == constant && g.values[n].word == w
}

// word is the word of a constant.
func (g *graph) word(n int32) (uint32, bool) {
	if n == none || g.values[n].code != constant {
		return 0, false
	}
	return g.values[n].word, true
}

// folded is the word of a value whose operands are known.
func (g *graph) folded(v *value) (uint32, bool) {
	if v.code >= Table || v.code == Bits || v.args[0] == none {
		return 0, false
	}
	var w [3]uint32
	for i, a := range v.args {
		var ok bool
		if w[i], ok = g.word(a); !ok && a != none {
			return 0, false
		}
	}
	switch {
	case v.code == ByF:
		return quotient(w[0], v.word, uint32(v.table)), true
	case v.code == Select:
		return w[0]&w[2] | w[1]&^w[2], true
	case v.code <= EqualF:
		return float(v.code, f32(w[0]), f32(w[1])), true
	case v.code >= AddI && v.code <= LessI:
		return integer(v.code, w[0], w[1]), true
	}
	return one(v.code, w[0]), true
}

// masked simplifies And with a word.
func (g *graph) masked(v *value) int32 {
	x := v.args[0]
	w, ok := g.word(v.args[1])
	switch inner := &g.values[x]; {
	case !ok:
	case g.ones[x]&^w == 0:
		return x
	case inner.code == And:
		if m, ok := g.word(inner.args[1]); ok {
			return g.put(value{code: And, args: [3]int32{inner.args[0], g.constant(m & w), none}})
		}
	}
	return none
}

// added simplifies AddI: one more where a mask is set is the mask less.
func (g *graph) added(x, y int32) int32 {
	if g.isWord(y, 0) {
		return x
	}
	for _, o := range [][2]int32{{x, y}, {y, x}} {
		if w := g.values[o[1]]; w.code == And && g.isWord(w.args[1], 1) && g.isMask(w.args[0]) {
			return g.put(value{code: SubI, args: [3]int32{o[0], w.args[0], none}})
		}
	}
	return none
}

// isMask reports whether all bits of a value are equal.
func (g *graph) isMask(n int32) bool {
	switch g.values[n].code {
	case LessF, AtMostF, EqualF, EqualI, LessI:
		return true
	}
	return false
}

// extended is the arithmetic shift right of a shift left by as much.
func (g *graph) extended(x, y int32) int32 {
	n, ok := g.word(y)
	if w := g.values[x]; ok && n < 32 && w.code == ShiftL && w.args[1] == y {
		if g.ones[w.args[0]]>>(31-n) == 0 {
			return w.args[0]
		}
		if of := g.values[w.args[0]]; of.code == toInt {
			half := uint32(1) << (31 - n)
			return g.put(value{code: toIntSigned, args: of.args, word: half, table: int32(2*half - 1)})
		}
		return g.put(value{code: extend, args: [3]int32{w.args[0], none, none}, word: n})
	}
	return none
}

// greater is MaxF of numbers without signs: NaN has the greatest words.
func (g *graph) greater(x, y int32) int32 {
	if v := g.values[y]; v.code == AbsF {
		return g.put(value{code: maxAbs, args: [3]int32{v.args[0], x, none}})
	}
	if v := g.values[x]; v.code == AbsF {
		return g.put(value{code: maxAbs, args: [3]int32{v.args[0], y, none}})
	}
	return g.put(value{code: MaxI, args: [3]int32{x, y, none}})
}

// roundedAway is the number whose magnitude x rounds, and whose sign is y; or the other way round. The
// magnitude is rounded by its floor, to which 1 is added if the rest is a half at least.
func (g *graph) roundedAway(x, y int32) int32 {
	if g.values[x].code == SignF {
		x, y = y, x
	}
	if g.values[y].code != SignF {
		return none
	}
	of, sum := g.values[y].args[0], g.values[x]
	if sum.code != AddF {
		return none
	}
	for _, o := range [][2]int32{{sum.args[0], sum.args[1]}, {sum.args[1], sum.args[0]}} {
		whole, up := g.values[o[0]], g.values[o[1]]
		if whole.code != FloorF || !g.is(whole.args[0], AbsF, of) || up.code != And || !g.isWord(up.args[1], 0x3f800000) {
			continue
		}
		half := g.values[up.args[0]]
		if half.code != AtMostF || !g.isWord(half.args[0], 0x3f000000) {
			continue
		}
		if rest := g.values[half.args[1]]; rest.code == SubF && rest.args[0] == whole.args[0] && rest.args[1] == o[0] {
			return of
		}
	}
	return none
}

// simplerBits reads through masks and shifts of the operand.
func (g *graph) simplerBits(v *value) int32 {
	for g.through(v) {
	}
	x := v.args[0]
	has := g.ones[x] >> v.right & v.word
	switch {
	case has == 0 && v.code == bitsOr:
		return v.args[1]
	case has == 0:
		return g.constant(0)
	case v.code == bitsFirst && v.right == 0 && v.left == 0:
		return g.put(value{code: And, args: [3]int32{x, g.constant(v.word), none}})
	case v.code == bitsOr && v.right == 0 && g.ones[x]&^v.word == 0:
		if v.left == 0 {
			return g.put(value{code: Or, args: [3]int32{x, v.args[1], none}})
		}
		v.code = bitsOrShift
	case v.right == 0:
		v.code++
	case v.left == 0:
		v.code += 2
	}
	return none
}

func (g *graph) through(v *value) bool {
	x := &g.values[v.args[0]]
	w, ok := g.word(x.args[1])
	switch {
	case x.code == And && ok:
		v.word &= w >> v.right
	case x.code == extend && int(v.right)+bits.Len32(v.word) <= 32-int(x.word):
	case x.code == ShiftR && ok && w+uint32(v.right) < 32:
		v.right += uint8(w)
	default:
		return false
	}
	v.args[0] = x.args[0]
	return true
}

// mayBeSet are the bits that a value may have.
func (g *graph) mayBeSet(v *value) uint32 {
	var in [3]uint32
	for i, a := range v.args {
		if a != none {
			in[i] = g.ones[a]
		}
	}
	x, y := uint64(in[0]), uint64(in[1])
	n, known := g.word(v.args[1])
	switch v.code {
	case constant:
		return v.word
	case And:
		return in[0] & in[1]
	case Or, Xor, Select:
		return in[0] | in[1]
	case AddI:
		return below(x + y)
	case MulI:
		return below(x * y)
	case count:
		return below(uint64(in[2]) + 1)
	case MaxI:
		if (in[0]|in[1])>>31 == 0 {
			return below(max(x, y))
		}
		return in[0]&in[1]>>31<<31 | math.MaxInt32
	case MinI:
		if (in[0]|in[1])>>31 == 0 {
			return below(min(x, y))
		}
	case ShiftL, ShiftR:
		if known {
			return integer(v.code, in[0], n)
		}
	}
	return g.alwaysSet(v, in)
}

// alwaysSet is mayBeSet of operations whose results have bits of their own.
func (g *graph) alwaysSet(v *value, in [3]uint32) uint32 {
	switch v.code {
	case AbsF, maxAbs:
		return math.MaxInt32
	case Half, BFloat, loadHalf, ofHalves, atHalves:
		return math.MaxUint16
	case loadByte, ofBytes, atBytes:
		return math.MaxUint8
	case bitsFirst, bitsLow, bitsHigh, bitsOr, bitsOrLow, bitsOrHigh, bitsOrShift:
		return in[0]>>v.right&v.word<<v.left | in[1]
	case gather, lookup8, lookup16:
		return g.words[v.table]
	}
	return math.MaxUint32
}

// below are the bits of numbers up to n; all if a word does not hold them.
func below(n uint64) uint32 { return uint32(min(1<<bits.Len64(n)-1, math.MaxUint32)) }
