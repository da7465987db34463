// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "slices"

// asWords makes op i ready as words, if that is better than number by number. Where one epilogue
// behind it is the only reader, the words become what that makes of them.
func (f *Frame) asWords(i int) (runner, int) {
	op := f.program.Ops[i]
	if oneByOne(op) {
		return nil, 0
	}
	d, to, ok := dwordsOf(op)
	if !ok {
		return nil, 0
	}
	wide, run16 := op.(*Wide)
	run16 = run16 && wide.words()
	last := op.last(f.program)
	if j := f.onlyReader(i, to); j > 0 {
		k := f.program.Ops[j].(*Epilogue)
		if c := f.dwordEpilogue(d, k, last); c != nil && !(run16 && k.copies(to)) {
			f.made[j] = c
			return calls{}, 1
		}
	}
	if run16 {
		return nil, 0
	}
	copied := &Epilogue{Source: Source{Kind: FromF32, From: to}, Lanes: d.lanes, To: to}
	if c := f.dwordEpilogue(d, copied, last); c != nil {
		return c, 1
	}
	if !d.make() {
		return nil, 0
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

// takesGroups reports whether no operand but that of the last step is of single lanes.
func (k *Epilogue) takesGroups() bool {
	for _, p := range []Parameter{k.Z, k.A, k.B} {
		if p.Kind != None && p.Kind != Const && !(p.Kind == Group && (p.N >= k.Lanes || p.N%eightLanes == 0)) {
			return false
		}
	}
	return true
}

// twoTerms is eights whose terms are the same, two at most, and move by steps; nil if they are not.
func (d *dwords) twoTerms() *laneSteps {
	if d.kind == wordWide || !d.make() || !d.regular() {
		return nil
	}
	e := d.eights[0]
	s := &laneSteps{gathering: bitsOfTerms, lanes: len(d.parts), n: eightLanes, kind: d.kind, shift: d.top, terms: e.terms}
	if s.kind == wordHalf {
		s.kind = wordHalfUnit
	}
	var deltas [maxTerms]int
	for t, p := range e.place {
		step := 0
		if len(d.eights) > 1 {
			step = d.eights[1].place[t][0] - p[0]
		}
		s.places, deltas[t] = append(s.places, stepPlace{first: p[0], step: step}), p[1]-p[0]
	}
	if len(e.terms) == 1 {
		s.terms, s.places = append(slices.Clone(s.terms), emptyTerm()), append(s.places, s.places[0])
	}
	s.delta, s.delta2 = deltas[0], deltas[1]
	for _, t := range s.terms {
		if t.right != [8]uint32{} {
			return nil
		}
	}
	return s
}

// regular reports whether all eights have the same few terms, moved by steps.
func (d *dwords) regular() bool {
	e, next := d.eights[0], d.eights[min(1, len(d.eights)-1)]
	if len(e.terms) > 2 || len(next.terms) != len(e.terms) {
		return false
	}
	for i, o := range d.eights {
		if !slices.Equal(o.terms, e.terms) {
			return false
		}
		for t, p := range o.place {
			first, delta := e.place[t][0], e.place[t][1]-e.place[t][0]
			if step := next.place[t][0] - first; p[0] != first+i*step || p[1]-p[0] != delta {
				return false
			}
		}
	}
	return true
}
