// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/codec/internal/kernel"
)

// found makes lanes anew as only the lanes that a selector finds, one of each run.
type found struct {
	*graph
	*selector
	n int // places that an index can find
}

// valueOf is what lanes are where the selector finds them: one lane of each run, or a formula of the payload's lanes at
// that place.
func (g *graph) valueOf(l lanes, s *selector) (lanes, bool) {
	if s.shares(l) || !g.demands(obSameInRun) {
		return l.pick(s.begins), true
	}
	n := s.most() + 1
	span, ok := g.interval(s.index.v)
	if !ok || span.lo < 0 || span.hi >= n || int64(len(s.places)) != n || n > maxHeld {
		return lanes{}, false // some indices find no lane, and nothing is there to be read
	}
	return (&found{g, s, int(n)}).of(l, 0)
}

func (f *found) of(l lanes, depth int) (lanes, bool) {
	switch {
	case depth > maxChain || !f.spend(len(l.m)):
		return lanes{}, false
	case f.shares(l):
		return l.pick(f.begins), true
	case l.v.kind == kBits || l.v.kind == kLeaf:
		return f.picked(l), true
	case l.v.kind != kOp && l.v.kind != kTab:
		return lanes{}, false
	}
	x := make([]lanes, len(l.v.args))
	for i := range x {
		var ok bool
		if x[i], ok = f.of(l.operand(i), depth+1); !ok {
			return lanes{}, false
		}
	}
	if l.v.kind == kTab {
		if x[1].v.kind != kConst {
			return lanes{}, false
		}
		made, err := f.look(l.v.data, l.v.data.Len()/int64(l.v.cols), x[0], columnsOf(x[1]), l.v.cols)
		return made, err == nil
	}
	made, err := f.apply(operator{l.v.elem, l.v.run}, x)
	return made, err == nil
}

// picked are the payload's lanes that the indices find.
func (f *found) picked(l lanes) lanes {
	candidates := make([]int32, 0, f.n*len(f.begins))
	for _, begin := range f.begins {
		for i := range f.n {
			candidates = append(candidates, l.m[begin+f.places[int64(i)]])
		}
	}
	f.picks = true
	v := &value{
		kind: kPick, elem: l.v.elem, n: len(f.begins), args: []arg{{l.v, candidates}, f.index},
		cols: f.n, picked: iota32(len(f.begins)),
	}
	return lanes{f.intern(v), iota32(len(f.begins))}
}

// What reading one field by an index costs, for 32 of them.
const costPicked = 96

// pickedCode is codes that are picked from fields of the payload: where few are, they are read where they lie.
func (g *graph) pickedCode(l lanes, by codePlan) (codePlan, bool) {
	v := l.v
	places, base, ok := v.pickPlaces(l.m)
	if !ok {
		return codePlan{}, false
	}
	_, width, _ := v.args[0].codeFields()
	index := v.args[1].pick(l.m)
	return codePlan{by.cost + costPicked, func(e *emitter) kernel.Codes {
		from := inBuffer(e, by.emit(e), len(index.m))
		to := e.buffer(kernel.U8, len(l.m))
		e.op(&kernel.Pick{Index: from, Base: base, At: places, Width: min(width, 8), To: to})
		return kernel.Buf(to)
	}}, true
}

// pickPlaces are the bits from a run's first field to each of its fields, if all runs lie alike, and the first field of
// the run that each lane takes.
func (v *value) pickPlaces(m []int32) (places, base []int, ok bool) {
	if v.cols > maxHeld {
		return nil, nil, false
	}
	for _, l := range m {
		fields, width, ok := (lanes{v.args[0].v, v.taken(l)}).codeFields()
		if !ok {
			return nil, nil, false
		}
		least := fields[0].from
		var own []int
		for _, at := range fields {
			if int(at.to-at.from) != width || at.from < least {
				return nil, nil, false
			}
			own = append(own, int(at.from-least))
		}
		if places != nil && !slices.Equal(own, places) {
			return nil, nil, false
		}
		places, base = own, append(base, int(least))
	}
	return places, base, true
}

// codeFields are the fields of lanes that are payload bits, or integers of whole bytes.
func (l lanes) codeFields() (fields []stretch, width int, ok bool) {
	if l.v.kind == kLeaf && l.v.elem.IsInteger() && l.v.elem.Bits() >= 8 {
		l = l.operand(0)
	}
	fields, ok = l.fieldsOf()
	return fields, l.v.width, ok
}
