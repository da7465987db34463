// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package strip

// tileBlocks is the number of blocks that an instruction works on, and doubleBlocks that where blocks are lanes of columns, as
// long as there are so many.
const (
	tileBlocks   = 32
	doubleBlocks = 2 * tileBlocks
)

// stream is a program as instructions.
type stream struct {
	program *Program
	tile    int // blocks
	code    []int32
	past    []int32 // the same with stores past the caches; nil: none
	pieces  []int   // where in code what one call does begins
	cost    int     // of a tile in nanoseconds, roughly
	rows    int
	filled  []Constant // rows with words
	pairs   []Double   // of two words by turns
	tables  []uint32   // before the rows
	guessed bool       // what Check finds may be right, but is unusual
	double  *stream    // the same for more blocks; nil: none
}

// mostCost is what a call may take in nanoseconds, roughly: assembly is not preempted.
const mostCost = 8000

// nearWords is the size up to which tables stay in the first cache.
const nearWords = 1 << 12

// item is an instruction before rows are given out.
type item struct {
	code Code
	n    int32 // the value; the first word of load4 and store4
	form uint8 // which operand is the accumulator: none, X, Y, Z or both X and Y
	out  bool  // the result is the program's, which is written
}

// end is the code of the item that ends a piece.
const end = numAll

// assembler turns a graph into a stream.
type assembler struct {
	*graph
	stream   *stream
	items    []item
	memory   []int32 // uses of values in memory that are still to come
	row      []int32 // of values in memory
	loaded   []bool  // groups of four words
	checks   []int   // how many of them are checked to be numbers: four while they are loaded
	free     []int32
	held     int32   // the value in the accumulator
	last     int     // the instruction that stores results of a word or less
	cost     int     // of the piece
	tables   []int32 // where they are, in bytes
	of       *[numAll][4][4]uint16
	snippets [snippets]uint64 // their addresses
}

// assemble makes the stream of a program: one that guesses, of columns, has one for more lanes beside it.
func assemble(p *Program, guess bool) *stream {
	g := newGraph(p, guess)
	s := g.assemble(tileBlocks, &snippetOf)
	if p.Columns != nil && guess {
		if g.joinColumns(); g.doubles() {
			s.double = g.assemble(doubleBlocks, &doubleOf)
		}
	}
	return s
}

// doubles reports whether there are snippets for twice as many blocks.
func (g *graph) doubles() bool {
	for n := range g.values {
		if g.computed(int32(n)) && doubleOf[g.values[n].code] == ([4][4]uint16{}) {
			return false
		}
	}
	return true
}

func (g *graph) assemble(tile int, of *[numAll][4][4]uint16) *stream {
	a := &assembler{
		graph: g, of: of, stream: &stream{program: g.program, tile: tile, guessed: g.guessed}, memory: make([]int32, len(g.values)), row: make([]int32, len(g.values)),
		loaded: make([]bool, groups(g.program.InBytes)), checks: make([]int, groups(g.program.InBytes)), held: none,
	}
	for _, v := range g.values {
		if v.code == number && g.values[v.args[0]].code == input {
			a.checks[g.values[v.args[0]].word/4]++
		}
	}
	addresses(&a.snippets)
	for _, n := range g.order() {
		a.place(n)
	}
	a.stores()
	a.add(item{code: end})
	if tile == doubleBlocks {
		a.join()
	}
	a.fixed()
	a.ahead()
	for i, it := range a.items {
		if i == 0 || a.items[i-1].code == end {
			a.stream.pieces = append(a.stream.pieces, len(a.stream.code))
		}
		a.emit(it)
	}
	a.passing()
	return a.stream
}

// join makes the store and the end of the tile part of the last operation, or the end part of the store.
func (a *assembler) join() {
	n := len(a.items) - 2
	a.items = a.items[:n+1]
	if n == 0 || a.items[n].code != storeWord || a.items[n].form == 0 {
		return
	}
	if last := &a.items[n-1]; last.code < numAll && a.of[last.code][last.form][written] != 0 && a.memory[last.n] == 0 {
		last.out, a.items = true, a.items[:n]
	}
}

// groups is the number of groups of four words.
func groups(bytes int) int { return (bytes + 15) / 16 }

// narrow reports whether blocks are one number of one, two or four bytes.
func narrow(bytes int) bool { return bytes == 1 || bytes == 2 || bytes == 4 }

// place adds the item that computes a value: which of its operands is the accumulator is
// known now, and which of them must be in memory.
func (a *assembler) place(n int32) {
	v := &a.values[n]
	for x := range a.operands(n) {
		if a.values[x].code == input {
			a.load(a.values[x].word / 4)
		}
	}
	if x := v.args[0]; v.code == number && a.values[x].code == input && a.checks[a.values[x].word/4] == 4 {
		return
	}
	a.limit()
	if v.code == nearest { // all operands are in memory
		for x := range a.operands(n) {
			a.memory[x]++
		}
		a.add(item{code: v.code, n: n})
		a.held = n
		return
	}
	it := item{code: v.code, n: n, form: a.form(v)}
	if it.form == 0 && a.of[v.code][0][0] == 0 {
		a.memory[v.args[0]]++
		a.add(item{code: recall, n: v.args[0]})
		a.held = v.args[0]
		it.form = a.form(v)
	}
	for i, x := range v.args {
		if x != none && !it.holds(v, i) {
			a.memory[x]++
		}
	}
	a.add(it)
	if !a.graph.checks(n) {
		a.held = n
	}
}

// commutes tells where X and Y may change places.
func (v *value) commutes() bool {
	switch v.code {
	case AddF, MulF, EqualF, AddI, MulI, MaxI, MinI, And, Or, Xor, EqualI, AddD, MulD, EqualD, mulAdd, mulRound, mulAway:
		return true
	}
	return false
}

// form is the operand of a value that is the accumulator, if there is such a snippet.
func (a *assembler) form(v *value) uint8 {
	if a.held == none || crosses(v.code) {
		return 0
	}
	if v.args[1] == a.held && v.args[0] != a.held && v.commutes() {
		v.args[0], v.args[1] = v.args[1], v.args[0]
	}
	forms := &a.of[v.code]
	if v.args[0] == a.held && v.args[1] == a.held && v.args[2] == none && forms[3][0] != 0 {
		return 3
	}
	for i, x := range v.args {
		if x == a.held && forms[i+1][0] != 0 {
			return uint8(i + 1)
		}
	}
	return 0
}

// holds reports whether operand i is the accumulator.
func (it item) holds(v *value, i int) bool {
	return int(it.form) == i+1 || it.form == 3 && i < 2 && v.args[2] == none
}

// load adds the item that loads a group of words.
func (a *assembler) load(group uint32) {
	if a.loaded[group] {
		return
	}
	a.loaded[group] = true
	a.limit()
	it := item{code: load4, n: int32(4 * group)}
	if a.checks[group] == 4 {
		it.form = 1
	}
	a.add(it)
	a.held = none
}

// limit ends a piece that is long enough.
func (a *assembler) limit() {
	if a.cost > mostCost {
		a.add(item{code: end})
		a.cost, a.held = 0, none
	}
}

func (a *assembler) add(it item) {
	a.items = append(a.items, it)
	c := 4
	switch it.code {
	case DivF, SqrtF:
		c = 12
	case DivD, SqrtD:
		c = 24
	case gather:
		if c = 60; len(a.graph.tables[a.values[it.n].table]) > nearWords {
			c = 250
		}
	case nearest:
		c = 4 * a.length(a.values[it.n].table)
	case load4, store4:
		c = 25
	}
	c *= a.stream.tile / tileBlocks
	a.cost += c
	a.stream.cost += c
}

// stores adds the items that write the results: first the last words, since they are
// written with what does not belong to the block.
func (a *assembler) stores() {
	p := a.program
	if p.doubles() {
		a.memory[a.strips[a.out[0]]]++
		a.memory[a.strips[a.out[1]]]++
		a.add(item{code: storeDouble})
		return
	}
	if narrow(p.OutBytes) {
		n := a.strips[a.out[0]]
		it := item{code: map[int]Code{4: storeWord, 2: storeHalf, 1: storeByte}[p.OutBytes], n: n}
		if a.values[n].code == input {
			a.load(a.values[n].word / 4)
		}
		if n == a.held {
			it.form = 1
		} else {
			a.memory[n]++
		}
		a.add(it)
		return
	}
	for w := 4 * (groups(p.OutBytes) - 1); w >= 0; w -= 4 {
		for i := range 4 {
			n := a.result(w + i)
			if a.values[n].code == input {
				a.load(a.values[n].word / 4)
			}
			a.memory[n]++
		}
		a.limit()
		a.add(item{code: store4, n: int32(w)})
	}
}

// result is the value of a word of the results, any one behind them.
func (a *assembler) result(w int) int32 {
	return a.strips[a.out[min(w, len(a.out)-1)]]
}

// fixed gives rows to the inputs and to the constants that are used, and a place to the tables.
func (a *assembler) fixed() {
	s := a.stream
	if !narrow(a.program.InBytes) {
		s.rows = 4 * groups(a.program.InBytes)
	}
	for n := range a.values {
		v := &a.values[n]
		switch {
		case v.code == input:
			a.row[n] = int32(v.word)
		case v.code == constant && a.memory[n] > 0:
			a.row[n] = int32(s.rows)
			s.filled = append(s.filled, Constant{Row(s.rows), v.word})
			s.rows++
		case v.code == constantDouble && a.memory[n] > 0:
			a.row[n] = int32(s.rows)
			s.pairs = append(s.pairs, Double{Row(s.rows), uint64(v.word) | uint64(uint32(v.table))<<32})
			s.rows++
		}
	}
	for _, t := range a.graph.tables {
		a.tables = append(a.tables, int32(4*len(s.tables)))
		s.tables = append(s.tables, t...)
		for len(s.tables)%16 != 0 {
			s.tables = append(s.tables, 0)
		}
	}
}
