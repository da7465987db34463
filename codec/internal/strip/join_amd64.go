// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package strip

// joinColumns makes columns operands of what uses them, and loads and conversions of integers one instruction. Only tiles of 64 lanes
// have such instructions: the graph is no longer one for others.
func (g *graph) joinColumns() {
	for n := range g.values {
		if v := &g.values[n]; g.uses[n] > 0 {
			g.joinColumn(v)
		}
	}
}

func (g *graph) joinColumn(v *value) {
	switch v.code {
	case Float:
		g.joinFloat(v)
	case mulOne, mulOneAdd:
		g.joinScale(v)
	case Select:
		g.joinSelect(v)
	case mulAdd:
		if k := g.direct(v.args[2]); k >= 0 && g.direct(v.args[0]) < 0 && g.direct(v.args[1]) < 0 {
			*v = value{code: mulAddWords + Code(k*joinings), args: [3]int32{v.args[0], v.args[1], none}, word: g.column(v.args[2])}
			return
		}
		if k := g.direct(v.args[0]); k >= 0 && g.direct(v.args[1]) < 0 {
			v.args[0], v.args[1] = v.args[1], v.args[0]
		}
		if k := g.direct(v.args[1]); k >= 0 {
			*v = value{code: mulWordsAdd + Code(k*joinings), args: [3]int32{v.args[0], v.args[2], none}, word: g.column(v.args[1])}
		}
	case MulF, AddF, AddI:
		if g.direct(v.args[1]) < 0 && g.direct(v.args[0]) >= 0 {
			v.args[0], v.args[1] = v.args[1], v.args[0]
		}
		g.joinSecond(v)
	case SubF, SubI:
		g.joinSecond(v)
	}
}

// withColumn are the codes of operations with a column of words.
var withColumn = map[Code]Code{MulF: mulWords, AddF: addWords, SubF: subWords, AddI: addIWords, SubI: subIWords}

// joinSecond makes Y an operand, if it is a column.
func (g *graph) joinSecond(v *value) {
	if k := g.direct(v.args[1]); k >= 0 {
		*v = value{code: withColumn[v.code] + Code(k*joinings), args: [3]int32{v.args[0], none, none}, word: g.column(v.args[1])}
	}
}

// direct is the kind of a column that may be an operand; -1: it is none. If others use it as well, it is loaded once.
func (g *graph) direct(n int32) int {
	if n != none && g.uses[n] == 1 {
		switch g.values[n].code {
		case ofWords:
			return 0
		case ofEights:
			return 1
		case ofShared:
			return 2
		}
	}
	return -1
}

// column is the number of a column that has one use less.
func (g *graph) column(n int32) uint32 {
	g.uses[n]--
	return g.values[n].word
}

// asFloats are the columns of integers that are loaded as floats.
var asFloats = map[Code]Code{
	ofWords: floatWords, ofHalves: floatHalves, ofBytes: floatBytes, ofSigned: floatSigned,
	atHalves: floatAtHalves, atShorts: floatAtShorts, atBytes: floatAtBytes, atSigned: floatAtSigned,
}

func (g *graph) joinFloat(v *value) {
	if to, ok := asFloats[g.values[v.args[0]].code]; ok && g.uses[v.args[0]] == 1 {
		*v = value{code: to, args: [3]int32{none, none, none}, word: g.column(v.args[0])}
	}
}

// joinScale makes a column of bytes an operand of the product.
func (g *graph) joinScale(v *value) {
	x := g.values[v.args[0]]
	to, ok := map[Code]Code{floatBytes: scaleBytes, floatSigned: scaleSigned}[x.code]
	if !ok || g.uses[v.args[0]] != 1 {
		return
	}
	if v.code == mulOneAdd {
		to++
	}
	g.uses[v.args[0]]--
	*v = value{code: to, args: [3]int32{v.args[1], none, none}, word: v.word, table: int32(x.word)}
}

// joinSelect makes columns of one word operands of a choice.
func (g *graph) joinSelect(v *value) {
	one := func(n int32) bool { return g.values[n].code == atOne }
	switch x, y, z := v.args[0], v.args[1], v.args[2]; {
	case one(x) && one(y):
		*v = value{code: selectOnes, args: [3]int32{z, none, none}, word: g.column(x), table: int32(g.column(y))}
	case one(x):
		*v = value{code: selectOneX, args: [3]int32{y, z, none}, word: g.column(x)}
	case one(y):
		*v = value{code: selectOneY, args: [3]int32{x, z, none}, word: g.column(y)}
	}
}
