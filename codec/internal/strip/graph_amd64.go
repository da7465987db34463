// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package strip

import "iter"

// The codes of values that programs do not spell, and of what moves blocks.
const (
	bitsFirst  = numCodes + iota
	bitsLow    // without Right
	bitsHigh   // without Left
	bitsOr     // into Y
	bitsOrLow  // the same without Right
	bitsOrHigh // and without Left
	gather     // a table of any length
	lookup8    // up to 8 words
	lookup16
	beatsMax // mask of X > Y, or X is NaN and Y is not
	beatsMin
	maxAbs      // the greater of X without its sign and Y, which has none
	farther     // X if its magnitude is greater or it alone is NaN, else Y
	extend      // X with the bits that the word tells shifted out and in again, as a sign
	away        // f32 X plus the largest number below a half, with X's sign
	roundAway   // f32 X to the nearest integer, halves away from zero; zeros give +0
	count       // Z, and one more where the word, an f32, is at most Y
	mulAdd      // f32 X * Y, rounded, + Z
	mulAway     // away of f32 X * Y, rounded
	mulRound    // RoundF of f32 X * Y, rounded
	mulFloor    // FloorF of f32 X * Y, rounded
	mulCut      // Cut of f32 X * Y, rounded
	mulSub      // Z - f32 X * Y, rounded
	rest        // f32 X - floor(X * the word) * the other word, each rounded
	nearest     // the word of the first number of a list that is nearest to f32 X; of the first NaN if a distance is one
	maxN        // MaxF where Y is a number
	minN        // MinF where Y is a number
	subMulAdd   // f32 (X - Y) * Z + the word, each rounded
	selectEqual // X where Z is the word, else Y
	bitsOrShift // X << Left | Y
	toInt       // f32 X towards zero; what is no 32-bit integer is collected, as by Check: the following do that, too
	toIntChecked
	toIntMin    // the lesser of toInt and another word; it is checked
	toIntSigned // toInt that is at least the word less than 0 and less than it
	pack        // toIntMin << Left | Y
	packMasked  // (toInt & the word) << Left | Y
	number      // Check that X is no NaN
	mulOne      // MulF of X and column of one word for a tile, which the word tells; the following have such operands, too
	addOne
	subOne
	addIOne
	subIOne
	mulOneAdd  // X times the column, + Y
	mulAddOne  // X * Y + the column
	mulAddOnes // X times the column + another one
	mulWords   // X times a column of words; this and what follows are in tiles of 64 lanes alone (join)
	addWords
	subWords
	addIWords
	subIWords
	mulWordsAdd // X times the column, + Y
	mulAddWords // X * Y + the column
	mulEights
	addEights
	subEights
	addIEights
	subIEights
	mulEightsAdd
	mulAddEights
	mulShared
	addShared
	subShared
	addIShared
	subIShared
	mulSharedAdd
	mulAddShared
	selectOnes    // Select of two columns of one word by X
	selectOneX    // of a column of one word and X by Y
	selectOneY    // of X and a column of one word by Y
	scaleBytes    // floats of a column of bytes, times one of one word
	scaleBytesAdd // + X
	scaleSigned
	scaleSignedAdd
	load4
	loadWord
	loadHalf
	loadByte
	ofWords // columns, in the order of their kinds
	ofHalves
	ofBytes
	ofSigned
	ofEights
	ofShared
	atWords
	atHalves
	atShorts
	atBytes
	atSigned
	atOne
	atDouble
	floatWords // floats of integers in columns
	floatHalves
	floatBytes
	floatSigned
	floatAtHalves
	floatAtShorts
	floatAtBytes
	floatAtSigned
	store4
	storeWord
	storeHalf
	storeByte
	storeDouble
	pastWord // storeWord past the caches
	pastDouble
	near   // asks for lines of the input ahead
	far    // into the second caches
	recall // loads the accumulator
	spill  // stores it
	numAll
)

// Values that need no code.
const (
	input          = numAll + iota // a word of the block
	constant                       // a word
	constantDouble                 // two words by turns
)

// joinings is how many operations have a kind of column as an operand.
const joinings = int(mulEights - mulWords)

// none is no value.
const none = -1

// value is what one step computes: each value is computed once, whatever strips
// it stands in.
type value struct {
	code        Code
	right, left uint8
	args        [3]int32
	word        uint32 // of a constant; the mask of Bits and Check; the number of an input
	table       int32  // or the list of nearest: the last of its links; the other word of toIntMin and its like
}

// graph is a program as values, each after its operands.
type graph struct {
	program *Program
	guess   bool // that values are the usual ones: what else there is, is found as by Check
	guessed bool
	values  []value
	numbers map[value]int32
	ones    []uint32 // the bits of values that may be set
	strips  []int32
	out     []Row // the strips of the results
	tables  [][]uint32
	known   map[*uint32]int32 // tables by their first words
	words   []uint32          // of each table: the bits that are set in any word
	uses    []int32           // of live values

	searches map[int32]finding
	links    []link
}

func newGraph(p *Program, guess bool) *graph {
	g := &graph{
		program: p, guess: guess, numbers: map[value]int32{}, known: map[*uint32]int32{}, searches: map[int32]finding{},
		strips: make([]int32, p.Rows), out: p.Out,
	}
	zero := g.constant(0) // no program reads what it did not write
	for i := range g.strips {
		g.strips[i] = zero
	}
	for _, c := range p.Constants {
		g.strips[c.Row] = g.constant(c.Word)
	}
	for _, d := range p.Doubles {
		g.strips[d.Row] = g.put(value{code: constantDouble, args: [3]int32{none, none, none}, word: uint32(d.Bits), table: int32(d.Bits >> 32)})
	}
	for w := range words(p.InBytes) {
		g.strips[p.In+Row(w)] = g.input(w)
	}
	for c, kind := range p.Columns {
		g.strips[p.In+Row(c)] = g.put(value{code: ofWords + Code(kind), args: [3]int32{none, none, none}, word: uint32(c)})
	}
	for i := range p.Ops {
		g.op(&p.Ops[i])
	}
	g.whole()
	g.live()
	g.fuse()
	return g
}

func (g *graph) constant(w uint32) int32 {
	return g.put(value{code: constant, args: [3]int32{none, none, none}, word: w})
}

// input is a word of the block: one that is loaded alone if there are no others.
func (g *graph) input(w int) int32 {
	v := value{code: input, args: [3]int32{none, none, none}, word: uint32(w)}
	switch g.program.InBytes {
	case 4:
		v.code = loadWord
	case 2:
		v.code = loadHalf
	case 1:
		v.code = loadByte
	}
	return g.put(v)
}

// put numbers a value, or finds one that is the same or simpler.
func (g *graph) put(v value) int32 {
	if n := g.simpler(&v); n != none {
		return n
	}
	if n, ok := g.numbers[v]; ok {
		return n
	}
	n := int32(len(g.values))
	g.numbers[v] = n
	g.values = append(g.values, v)
	g.ones = append(g.ones, g.mayBeSet(&v))
	return n
}

func (g *graph) op(op *Op) {
	table := int32(none)
	if op.Code == Table {
		table = g.table(op.Table)
	}
	for i := range op.Steps {
		g.step(op, &op.Steps[i], table)
	}
}

func (g *graph) step(op *Op, s *Step, table int32) {
	x, y, z, old := g.strips[s.X], g.strips[s.Y], g.strips[s.Z], g.strips[s.Dst]
	switch code := op.Code; code {
	case Copy:
		g.strips[s.Dst] = x
	case Check:
		g.check(x, s.Mask)
	case ArgMaxF, ArgMinF:
		if code == ArgMaxF && g.is(x, AbsF, z) && g.is(old, AbsF, y) {
			g.strips[s.Y] = g.put(value{code: farther, args: [3]int32{z, y, none}})
			if s.Y != s.Dst {
				g.strips[s.Dst] = g.put(value{code: AbsF, args: [3]int32{g.strips[s.Y], none, none}})
			}
			return
		}
		nearer := g.nearer(code, x, old, y, z)
		beats := g.put(value{code: beatsMax + (code - ArgMaxF), args: [3]int32{x, old, none}})
		g.strips[s.Dst] = g.put(value{code: Select, args: [3]int32{x, old, beats}})
		if nearer == none {
			nearer = g.put(value{code: Select, args: [3]int32{z, y, beats}})
		} else {
			g.found(nearer, g.strips[s.Dst])
		}
		g.strips[s.Y] = nearer
	case Pick:
		at := g.put(value{code: EqualI, args: [3]int32{y, z, none}})
		g.strips[s.Dst] = g.put(value{code: Select, args: [3]int32{x, old, at}})
	case Bits:
		g.strips[s.Dst] = g.bits(s, x, old)
	case Table:
		g.strips[s.Dst] = g.lookup(op, x, table)
	default:
		g.strips[s.Dst] = g.simple(code, x, y, z)
	}
}

// check checks bits of a value, or of what is masked or shifted to give it. What uses the value may rely on it.
func (g *graph) check(x int32, allowed uint32) {
	if g.ones[x]&^allowed == 0 {
		return
	}
	v := &g.values[x]
	switch w, known := g.word(v.args[1]); {
	case known && v.code == And && g.guess: // that the mask takes nothing away
		g.guessed = true
		g.check(v.args[0], allowed&w)
	case known && v.code == And:
		g.check(v.args[0], allowed|^w)
	case known && v.code == ShiftR && w < 32:
		g.check(v.args[0], allowed<<w|(1<<w-1))
	default:
		g.put(value{code: Check, args: [3]int32{x, none, none}, word: allowed})
	}
	g.ones[x] &= allowed
}

// simple is a value of code's operands alone.
func (g *graph) simple(code Code, x, y, z int32) int32 {
	switch {
	case code == ByF:
		high, _ := g.word(y)
		low, _ := g.word(z)
		return g.put(value{code: ByF, args: [3]int32{x, none, none}, word: high, table: int32(low)})
	case code == Select:
	case code <= EqualF, code >= AddI && code <= LessI, twoDoubles(code):
		z = none
	default:
		y, z = none, none
	}
	return g.put(value{code: code, args: [3]int32{x, y, z}})
}

func (g *graph) bits(s *Step, x, old int32) int32 {
	v := value{code: bitsFirst, args: [3]int32{x, none, none}, word: s.Mask, right: s.Right, left: s.Left}
	if !s.First {
		v.code, v.args[1] = bitsOr, old
	}
	return g.put(v)
}

// table numbers a table: operations that look up one table share it.
func (g *graph) table(words []uint32) int32 {
	var first *uint32
	if len(words) > 0 {
		first = &words[0]
	}
	n, ok := g.known[first]
	if !ok || len(g.tables[n]) != len(words) {
		n = int32(len(g.tables))
		g.known[first] = n
		g.tables, g.words = append(g.tables, words), append(g.words, union(words))
	}
	return n
}

// union is the bits that are set in any word.
func union(words []uint32) uint32 {
	all := uint32(0)
	for _, w := range words {
		all |= w
	}
	return all
}

func (g *graph) lookup(op *Op, x, table int32) int32 {
	v := value{code: gather, args: [3]int32{x, none, none}, table: table}
	switch n := len(op.Table); {
	case n <= 8:
		v.code = lookup8
	case n <= 16:
		v.code = lookup16
	}
	return g.put(v)
}

// live counts the uses of values that the results or checks need.
func (g *graph) live() {
	g.uses = make([]int32, len(g.values))
	for _, r := range g.out {
		g.uses[g.strips[r]]++
	}
	for i := len(g.values) - 1; i >= 0; i-- {
		if g.uses[i] == 0 && !g.checks(int32(i)) {
			continue
		}
		for a := range g.operands(int32(i)) {
			g.uses[a]++
		}
	}
}

// operands are those of a value.
func (g *graph) operands(n int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		v := &g.values[n]
		for _, a := range v.args {
			if a != none && !yield(a) {
				return
			}
		}
		if v.code == nearest {
			g.each(v.table, yield)
		}
	}
}

// computed reports whether a value needs an instruction.
func (g *graph) computed(n int32) bool {
	v := &g.values[n]
	return v.code < numAll && (g.uses[n] > 0 || g.checks(n))
}

// checks reports whether a value is none, but is checked.
func (g *graph) checks(n int32) bool { return g.values[n].code == Check || g.values[n].code == number }
