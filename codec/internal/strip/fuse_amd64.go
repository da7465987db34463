// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package strip

import "math"

// isNumber reports whether a value is never NaN. Of the input's words that is a guess, which is checked.
func (g *graph) isNumber(n int32) bool {
	switch v := g.values[n]; v.code {
	case constant:
		return v.word&^(1<<31) <= math.Float32bits(float32(math.Inf(1)))
	case Float:
		return true
	case AbsF, NegF, FloorF, CeilF, RoundF, TruncF, SignF:
		return g.isNumber(v.args[0])
	case input:
		if g.guess && 16*int(v.word/4)+16 <= g.program.InBytes {
			g.guessed = true
			g.put(value{code: number, args: [3]int32{n, none, none}})
			return true
		}
	}
	return false
}

// areNumbers reports whether Y is never NaN, where X is an operand of the same operation: if that is a word of the input, too, four
// words will be checked at once.
func (g *graph) areNumbers(x, y int32) bool {
	if !g.isNumber(y) {
		return false
	}
	if g.values[x].code == input {
		g.isNumber(x)
	}
	return true
}

// unneeded drops checks of numbers whose NaN other checks find: arithmetic hands a NaN on, and a conversion collects it.
func (g *graph) unneeded() {
	found := make([]bool, len(g.values))
	for n := len(g.values) - 1; n >= 0; n-- {
		v := &g.values[n]
		switch {
		case v.code == number:
			// of a word, which stands before it
		case g.uses[n] == 0:
		case v.code >= toInt && v.code <= packMasked:
			found[v.args[0]] = true
		case found[n] && (v.code <= DivF && v.code >= AddF || v.code >= FloorF && v.code <= SqrtF || v.code == mulAdd || v.code == subMulAdd ||
			v.code == mulAway || v.code == mulRound || v.code == away || v.code == roundAway):
			for a := range g.operands(int32(n)) {
				found[a] = true
			}
		}
	}
	for n := range g.values {
		if v := &g.values[n]; v.code == number && found[v.args[0]] {
			*v = value{code: constant, args: [3]int32{none, none, none}}
		}
	}
}

// fuse joins values with the only one that uses them.
func (g *graph) fuse() {
	for n := range g.values {
		v := &g.values[n]
		switch {
		case v.code == Check:
			g.joinCheck(v)
			continue
		case g.uses[n] == 0:
			continue
		}
		for i := range 2 {
			if p := v.args[i]; p != none && g.values[p].code == MulF && g.uses[p] == 1 && v.args[1-i] != p {
				g.joinProduct(v, p, v.args[1-i])
			}
		}
	}
	for n := range g.values {
		if v := &g.values[n]; g.uses[n] > 0 {
			g.joinBits(v)
			g.joinOne(v)
			g.joinEqual(v)
		}
	}
	g.unneeded()
}

// joinOne makes a column that has one word for a tile an operand of what uses it.
func (g *graph) joinOne(v *value) {
	one := func(k int) bool { return v.args[k] != none && g.values[v.args[k]].code == atOne }
	switch v.code {
	case MulF, AddF, AddI, mulAdd:
		if one(0) && !one(1) {
			v.args[0], v.args[1] = v.args[1], v.args[0]
		}
	}
	y, z := one(1), v.code == mulAdd && one(2)
	column := func(k int) uint32 {
		n := v.args[k]
		g.uses[n]--
		return g.values[n].word
	}
	switch code := v.code; {
	case code == mulAdd && y && z:
		*v = value{code: mulAddOnes, args: [3]int32{v.args[0], none, none}, word: column(1), table: int32(column(2))}
	case code == mulAdd && y:
		*v = value{code: mulOneAdd, args: [3]int32{v.args[0], v.args[2], none}, word: column(1)}
	case z:
		*v = value{code: mulAddOne, args: [3]int32{v.args[0], v.args[1], none}, word: column(2)}
	case y && withOne[code] != 0:
		*v = value{code: withOne[code], args: [3]int32{v.args[0], none, none}, word: column(1)}
	}
}

// joinEqual makes a comparison with a known word part of the choice that it is for. Columns of one word are better off as its operands.
func (g *graph) joinEqual(v *value) {
	if v.code != Select || g.values[v.args[0]].code == atOne || g.values[v.args[1]].code == atOne {
		return
	}
	mask := g.values[v.args[2]]
	if w, known := g.word(mask.args[1]); known && mask.code == EqualI && g.uses[v.args[2]] == 1 {
		g.uses[v.args[2]] = 0
		*v = value{code: selectEqual, args: [3]int32{v.args[0], v.args[1], mask.args[0]}, word: w}
	}
}

// withOne are the codes of operations with a column of one word.
var withOne = map[Code]Code{MulF: mulOne, AddF: addOne, SubF: subOne, AddI: addIOne, SubI: subIOne}

func (g *graph) joinProduct(v *value, product, other int32) {
	p := g.values[product]
	switch v.code {
	case AddF:
		*v = value{code: mulAdd, args: [3]int32{p.args[0], p.args[1], other}}
		g.joinDifference(v)
	case away:
		*v = value{code: mulAway, args: p.args}
	case RoundF:
		*v = value{code: mulRound, args: p.args}
	case FloorF, Cut:
		if _, known := g.word(p.args[1]); !known { // another operand may be a column that is loaded here
			return
		}
		*v = value{code: map[Code]Code{FloorF: mulFloor, Cut: mulCut}[v.code], args: p.args}
	case SubF:
		if _, known := g.word(p.args[1]); !known || v.args[1] != product {
			return
		}
		*v = value{code: mulSub, args: [3]int32{p.args[0], p.args[1], other}}
		g.joinRest(v)
	default:
		return
	}
	g.uses[product] = 0
}

// joinRest joins mulSub with the quotient that it alone uses.
func (g *graph) joinRest(v *value) {
	q := g.values[v.args[0]]
	if q.code != mulFloor || q.args[0] != v.args[2] || g.uses[v.args[0]] != 1 {
		return
	}
	r, known := g.word(q.args[1])
	if c, ok := g.word(v.args[1]); known && ok {
		g.uses[v.args[0]] = 0
		*v = value{code: rest, args: [3]int32{v.args[2], none, none}, word: r, table: int32(c)}
	}
}

// joinDifference joins mulAdd of a difference and of a known word.
func (g *graph) joinDifference(v *value) {
	w, known := g.word(v.args[2])
	for i := range 2 {
		if d := v.args[i]; known && g.values[d].code == SubF && g.uses[d] == 1 && v.args[1-i] != d {
			*v = value{code: subMulAdd, args: [3]int32{g.values[d].args[0], g.values[d].args[1], v.args[1-i]}, word: w}
			g.uses[d] = 0
			return
		}
	}
}

// joinCheck makes the check of an integer part of its conversion: the check finds what is no 32-bit integer, too.
func (g *graph) joinCheck(check *value) {
	n := check.args[0]
	v := &g.values[n]
	if check.word>>31 != 0 || g.uses[n] == 1 {
		return
	}
	most, known := g.word(v.args[1])
	switch {
	case v.code == toInt:
		*v = value{code: toIntChecked, args: v.args, word: check.word}
	case v.code == MinI && known && g.values[v.args[0]].code == toInt && g.uses[v.args[0]] == 1:
		g.uses[v.args[0]] = 0
		*v = value{code: toIntMin, args: g.values[v.args[0]].args, word: check.word, table: int32(most)}
	case v.code == toIntChecked || v.code == toIntMin:
		v.word &= check.word
	default:
		return
	}
	g.uses[n]--
	*check = value{code: constant, args: [3]int32{none, none, none}}
}

// joinBits joins a conversion with what packs its only use.
func (g *graph) joinBits(v *value) {
	n := v.args[0]
	if n == none || v.code != bitsOrShift && v.code != bitsOrLow || g.uses[n] != 1 || v.args[1] == n {
		return
	}
	x := g.values[n]
	args := [3]int32{x.args[0], v.args[1], none}
	switch {
	case v.code == bitsOrLow && (x.code == toInt || x.code == toIntSigned && v.word <= uint32(x.table)):
		*v = value{code: packMasked, args: args, word: v.word, left: v.left}
	case v.code == bitsOrShift && x.code == toIntChecked:
		*v = value{code: pack, args: args, word: x.word, table: math.MaxInt32, left: v.left}
	case v.code == bitsOrShift && x.code == toIntMin:
		*v = value{code: pack, args: args, word: x.word, table: x.table, left: v.left}
	default:
		return
	}
	g.uses[n] = 0
}
