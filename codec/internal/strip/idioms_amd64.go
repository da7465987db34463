// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package strip

// narrowed recognises a choice between the rounded X and the code of a NaN that has been spelled in
// integers: as values are numbered once, spelling it again gives the same numbers.
func (g *graph) narrowed(v *value) int32 {
	number := g.values[v.args[2]]
	if number.code != EqualF || number.args[0] != number.args[1] {
		return none
	}
	x := number.args[0]
	switch v.args[0] {
	case g.put(value{code: Half, args: [3]int32{x, none, none}}):
		sign := g.bits(&Step{Right: 31, Mask: 1, Left: 15, First: true}, x, none)
		if v.args[1] == g.two(Or, sign, 0x7e00) {
			return v.args[0]
		}
	case g.nearestUpper(x):
		quiet := g.bits(&Step{Right: 16, Mask: 0x3f, First: true}, x, none)
		quiet = g.bits(&Step{Right: 23, Mask: 0x1ff, Left: 7}, x, quiet)
		if v.args[1] == g.two(Or, quiet, 0x40) {
			return g.put(value{code: BFloat, args: [3]int32{x, none, none}})
		}
	}
	return none
}

// nearestUpper is the upper half of X rounded to nearest even, as a sum of halves that cannot leave
// a word: of X, of 7fff and of the last bit that is kept.
func (g *graph) nearestUpper(x int32) int32 {
	last := g.two(And, x, 1)
	half := g.added2(g.two(AddI, g.two(ShiftR, x, 1), 0x7fff>>1), last)
	odd := g.bits(&Step{Right: 16, Mask: 1, First: true}, x, none)
	carry := g.put(value{code: And, args: [3]int32{g.two(Xor, last, 1), odd, none}})
	return g.two(ShiftR, g.added2(half, carry), 15)
}

func (g *graph) added2(x, y int32) int32 { return g.put(value{code: AddI, args: [3]int32{x, y, none}}) }

// two is a value of a value and a word.
func (g *graph) two(code Code, x int32, w uint32) int32 {
	return g.put(value{code: code, args: [3]int32{x, g.constant(w), none}})
}

// link is a number of a list, with the word that stands for it, behind those before.
type link struct {
	before int32
	number int32
	word   uint32
}

// finding is what is known of a value that a search has found.
type finding struct {
	best int32 // the distance
	x    int32 // to what
	last int32 // link
	n    int   // links
}

// mostListed bounds a list: it is gone through without a place to stop.
const mostListed = 1 << 10

// nearer is what a step of a search finds that compares the distance of numbers to one
// number: none if the step is no such.
func (g *graph) nearer(code Code, x, best, at, z int32) int32 {
	w, known := g.word(z)
	first, begins := g.word(at)
	s, found := g.searches[at]
	switch {
	case code != ArgMinF || !known || s.n == mostListed:
		return none
	case found && s.best == best:
		if n := g.from(x, s.x); n != none {
			return g.chain(s.x, s.last, n, w)
		}
	case begins:
		for _, from := range g.distance(x) {
			if n, m := g.from(best, from), g.from(x, from); n != none && m != none {
				g.links = append(g.links, link{none, n, first})
				return g.chain(from, int32(len(g.links)-1), m, w)
			}
		}
	}
	return none
}

// chain adds a number to a list.
func (g *graph) chain(x, before, number int32, w uint32) int32 {
	g.links = append(g.links, link{before, number, w})
	return g.put(value{code: nearest, args: [3]int32{x, none, none}, table: int32(len(g.links) - 1)})
}

// found notes the distance of what a search has found.
func (g *graph) found(n, best int32) {
	v := &g.values[n]
	g.searches[n] = finding{best, v.args[0], v.table, g.length(v.table)}
}

// distance are the numbers whose distance a value is, if it is one.
func (g *graph) distance(n int32) []int32 {
	if v := g.values[n]; v.code == AbsF && g.values[v.args[0]].code == SubF {
		return g.values[v.args[0]].args[:2]
	}
	return nil
}

// from is the number whose distance to x a value is.
func (g *graph) from(n, x int32) int32 {
	d := g.distance(n)
	switch {
	case d == nil:
	case d[0] == x:
		return d[1]
	case d[1] == x:
		return d[0]
	}
	return none
}

// each goes through the numbers of a list.
func (g *graph) each(last int32, yield func(int32) bool) {
	for l := last; l != none; l = g.links[l].before {
		if !yield(g.links[l].number) {
			return
		}
	}
}

func (g *graph) length(last int32) int {
	n := 0
	for l := last; l != none; l = g.links[l].before {
		n++
	}
	return n
}
