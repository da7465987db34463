// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "slices"

// asWords makes op i ready as words, if that is better than number by number. Where one epilogue
// behind it is the only reader, the words become what that makes of them.
func (f *Frame) asWords(i int) (runner, int) {
	if oneByOne(f.program.Ops[i]) {
		return nil, 0
	}
	d, to, ok := dwordsOf(f.program.Ops[i])
	if !ok {
		return nil, 0
	}
	run, wide := f.program.Ops[i].(*Wide)
	run16 := wide && run.words()
	if j := f.onlyReader(i, to); j > 0 {
		k := f.program.Ops[j].(*Epilogue)
		if c := f.dwordEpilogue(d, k); c != nil && !(run16 && k.copies(to)) {
			f.made[j] = c
			return calls{}, 1
		}
	}
	if run16 {
		return nil, 0
	}
	copied := &Epilogue{Source: Source{Kind: FromF32, From: to}, Lanes: d.lanes, To: to}
	if c := f.dwordEpilogue(d, copied); c != nil {
		return c, 1
	}
	return f.dwordList(d, to), 1
}

// oneByOne reports whether an op's numbers are few, or have loops that take them as they follow
// each other.
func oneByOne(op Op) bool {
	switch k := op.(type) {
	case *Loose:
		return k.few()
	case *Scalar:
		return len(k.Bytes) < fewNumbers || k.neighbours() || k.farApart()
	case *Wide:
		return len(k.Bits) < fewNumbers
	}
	return false
}

// onlyReader is the epilogue behind op i that alone reads the buffer that i writes, 0 if there is
// none. Programs without an output have stores, which may read any buffer.
func (f *Frame) onlyReader(i int, to BufferID) int {
	reader := 0
	for j, op := range f.program.Ops[i+1:] {
		if !reads([]Op{op}, to) {
			continue
		}
		if reader != 0 {
			return 0
		}
		reader = i + 1 + j
	}
	if reader == 0 || f.lanes == 0 {
		return 0
	}
	k, ok := f.program.Ops[reader].(*Epilogue)
	if !ok || k.Source.Kind != FromF32 || k.Source.From != to || k.Lanes != f.program.Buffers[to].Lanes {
		return 0
	}
	for _, p := range []Parameter{k.Z, k.A, k.B, k.S} {
		if p.Kind != None && p.Kind != Const && p.Buffer == to {
			return 0
		}
	}
	return reader
}

// dwordEpilogue makes an epilogue of words ready that lie regularly and have operands by groups;
// nil for others.
func (f *Frame) dwordEpilogue(d *dwords, k *Epilogue) *dwordCall {
	place, ok := d.series()
	if !ok || k.Div || k.ToOut && k.Lanes%eightLanes != 0 {
		return nil
	}
	c := &dwordCall{epilogueCall: epilogueCall{out: k.ToOut, lane: k.Lane}}
	own := *k
	if !own.takesGroups() || !f.simplify(&own, &c.epilogueCall) {
		return nil
	}
	form, full := own.form(), 0
	if form != formMul {
		form, full = formFull, 1
	}
	c.args.flip = own.flip(form)
	f.align(&own, &c.epilogueCall)
	operands := f.operands(&own, &c.epilogueCall)
	lanes := (own.Lanes + 7) &^ 7
	for i := range operands {
		if operands[i].group >= own.Lanes {
			operands[i].group = lanes
		}
	}
	group, ok := commonGroup(operands, lanes)
	if !ok {
		return nil
	}
	f.regular(&own, &c.epilogueCall, operands, lanes, group)
	c.args.chunks = group / eightLanes
	f.series(d, c, &place)
	c.loops = dwordSeries[place.gathering][d.kind][full]
	if f.lanes%eightLanes != 0 || k.Lane%eightLanes != 0 || !c.args.streams() {
		c.loops[1] = nil
	}
	if a := &c.args; a.groups == 1 && a.srcSkip == 0 && c.words.skip2 == 0 && a.dstSkip == 0 && a.zSkip == 0 && a.aSkip == 0 && a.bSkip == 0 {
		c.flat = a.chunks
	}
	c.ready(d, place.terms)
	return c
}

// takesGroups reports whether no operand but that of the last step is of single lanes.
func (k *Epilogue) takesGroups() bool {
	for _, p := range []Parameter{k.Z, k.A, k.B} {
		if p.Kind != None && p.Kind != Const && !(p.Kind == Group && (p.N >= k.Lanes || p.N%eightLanes == 0)) {
			return false
		}
	}
	return true
}

// dwordSeriesPlace is eights whose terms are the same and move by steps.
type dwordSeriesPlace struct {
	terms        []dwordTerm
	gathering    int
	first, delta []int // of each term
	step         []int
}

// series finds the steps; it is false where eights differ.
func (d *dwords) series() (dwordSeriesPlace, bool) {
	e := d.eights[0]
	s := dwordSeriesPlace{terms: e.terms}
	for t, p := range e.place {
		s.first, s.delta, s.step = append(s.first, p[0]), append(s.delta, p[1]-p[0]), append(s.step, 0)
		if len(d.eights) > 1 && t < len(d.eights[1].place) {
			s.step[t] = d.eights[1].place[t][0] - p[0]
		}
	}
	if len(e.terms) > 2 {
		return s, false
	}
	for i, o := range d.eights {
		if !slices.Equal(o.terms, e.terms) {
			return s, false
		}
		for t, p := range o.place {
			if p[0] != s.first[t]+i*s.step[t] || p[1]-p[0] != s.delta[t] {
				return s, false
			}
		}
	}
	return s, s.gather(d.gap())
}

// gap is how many low bits of words are dropped.
func (d *dwords) gap() int {
	if d.kind == wordFloat {
		return 0
	}
	return d.top
}

// gather chooses how words are put together. Terms of whole bytes come last.
func (s *dwordSeriesPlace) gather(gap int) bool {
	if len(s.terms) == 1 {
		shifts, masks := s.terms[0].moves(gap)
		if !masks {
			s.gathering = gatherBytes
			if shifts {
				s.gathering = gatherBits
			}
			return true
		}
		s.append(emptyTerm())
	}
	plain := [2]bool{}
	for i := range plain {
		if s.terms[i].right != [8]uint32{} {
			return false
		}
		shifts, masks := s.terms[i].moves(0)
		plain[i] = !shifts && !masks
	}
	if plain[0] && !plain[1] {
		s.turn()
		plain[0], plain[1] = false, true
	}
	switch {
	case plain[0]:
		s.gathering = gatherBytes2
	case plain[1]:
		s.gathering = gatherBitsBytes
	default:
		s.gathering = gatherBits2
	}
	return true
}

// append adds a term at the places of the first.
func (s *dwordSeriesPlace) append(t dwordTerm) {
	s.terms = append(slices.Clone(s.terms), t)
	s.first, s.delta, s.step = append(s.first, s.first[0]), append(s.delta, s.delta[0]), append(s.step, s.step[0])
}

// turn is the terms in the opposite order.
func (s *dwordSeriesPlace) turn() {
	s.terms = slices.Clone(s.terms)
	slices.Reverse(s.terms)
	slices.Reverse(s.first)
	slices.Reverse(s.delta)
	slices.Reverse(s.step)
}

const (
	gatherBytes = iota
	gatherBits
	gatherBytes2
	gatherBitsBytes
	gatherBits2
)

// series sets the arguments that say where windows are.
func (f *Frame) series(d *dwords, c *dwordCall, s *dwordSeriesPlace) {
	a := &c.words
	n := len(d.eights)
	c.first, c.other = s.first[0], s.first[0]
	a.delta, a.step = s.delta[0], s.step[0]
	c.args.srcSkip = f.stride - n*a.step
	if len(s.terms) == 2 {
		c.other, a.delta2, a.step2 = s.first[1], s.delta[1], s.step[1]
		a.skip2 = f.stride - n*a.step2
	}
}
