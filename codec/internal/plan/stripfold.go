// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/tensor"
)

// run returns what lane l of a reduction or a choice takes, in order.
func (v *value) taken(l int32) []int32 {
	each := int32(len(v.args[0].m) / v.n)
	if v.kind == kPick {
		each, l = int32(v.cols), v.picked[l]
	}
	return v.args[0].m[l*each : (l+1)*each]
}

// reduced folds runs of lanes, one after the other.
func (s *stripper) reduced(v *value, m []int32) ([]row, error) {
	if v.args[0].v.elem == tensor.Double {
		return nil, noStrip(v, "no strips reduce DOUBLE")
	}
	out := make([]row, len(m))
	for i, l := range m {
		var err error
		if v.fold >= argMaxFold {
			out[i], err = s.searched(v, l, nil)
		} else {
			out[i], err = s.foldedRun(v, l)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// foldCode is the operation of a fold, and the word that it begins with, if there is one.
func (s *stripper) foldCode(v *value) (code strip.Code, begin row, ok bool) {
	begin = noRow
	x := v.args[0].v
	switch elem := x.elem; {
	case elem == tensor.Float && v.fold == addFold:
		begin = s.float(0) // which turns a first -0 into +0
	case elem == tensor.Bool && v.fold != maxFold && v.fold != minFold,
		elem.IsFloat() && elem != tensor.Float, elem.IsInteger() && v.fold >= maxFold && s.large(x):
		return 0, noRow, false
	}
	all := map[folding][3]strip.Code{ // FLOAT, integers, BOOL
		addFold: {strip.AddF, strip.AddI}, mulFold: {strip.MulF, strip.MulI},
		maxFold: {strip.MaxF, strip.MaxI, strip.Or}, minFold: {strip.MinF, strip.MinI, strip.And},
	}[v.fold]
	switch {
	case x.elem == tensor.Float:
		return all[0], begin, true
	case x.elem == tensor.Bool:
		return all[2], begin, true
	}
	return all[1], begin, true
}

func (s *stripper) foldedRun(v *value, l int32) (row, error) {
	code, acc, ok := s.foldCode(v)
	if !ok {
		return noRow, noStrip(v, "a fold of %v", v.args[0].v.elem)
	}
	if r, done, err := s.counted(v, l); done {
		return r, err
	}
	for part := range slices.Chunk(v.taken(l), atATime) {
		x, err := s.of(v.args[0].v, part)
		if err != nil {
			return noRow, err
		}
		for _, r := range x {
			if acc == noRow {
				acc = r
			} else {
				acc = s.op(code, one(acc), one(r))[0]
			}
		}
	}
	if v.elem.IsInteger() {
		if r, ok := s.g.interval(v.args[0].v); v.fold >= maxFold || ok && s.stays(v.elem, span{r.lo * int64(len(v.taken(l))), r.hi * int64(len(v.taken(l)))}) && v.fold == addFold {
			return acc, nil
		}
		acc = s.wrapped(v.elem, one(acc))[0]
	}
	return acc, nil
}

// searched looks through the run of lane l of a search for its best element. It returns what
// belongs to it: its index or, if they are given, one of the lanes with.
func (s *stripper) searched(v *value, l int32, with *lanes) (row, error) {
	keys := v.args[0].v
	code := strip.ArgMaxF
	if v.fold == argMinFold || v.fold == lastMinFold {
		code = strip.ArgMinF
	}
	run := slices.Clone(v.taken(l))
	index := iota32(len(run))
	if v.fold >= lastMaxFold { // the first from behind
		slices.Reverse(run)
		slices.Reverse(index)
	}
	best, at := noRow, noRow
	for n := 0; n < len(run); n += atATime {
		part := index[n:min(n+atATime, len(run))]
		x, err := s.keys(keys, run[n:][:len(part)])
		if err != nil {
			return noRow, err
		}
		y := make([]row, len(part))
		for i, k := range part {
			if with == nil {
				y[i] = s.constant(uint32(k))
			}
		}
		if with != nil {
			chosen := make([]int32, len(part))
			for i, k := range part {
				chosen[i] = with.m[k]
			}
			if y, err = s.of(with.v, chosen); err != nil {
				return noRow, err
			}
		}
		if n == 0 {
			best, at = s.fresh(x[0]), s.fresh(y[0])
			x, y = x[1:], y[1:]
		}
		for i := range x {
			s.into(code, strip.Step{Dst: best, X: x[i], Y: at, Z: y[i]})
		}
	}
	return at, nil
}

// keys are lanes that are compared as FLOAT.
func (s *stripper) keys(v *value, m []int32) ([]row, error) {
	x, err := s.of(v, m)
	if err != nil {
		return nil, err
	}
	if v.elem.IsFloat() {
		wide, ok := s.widened(v.elem, x)
		if !ok {
			return nil, noStrip(v, "a search in %v", v.elem)
		}
		return wide, nil
	}
	r, ok := s.g.interval(v)
	if v.elem == tensor.Bool || !(ok && r.within(1<<24)) && s.g.demands(obSearch) {
		return nil, noStrip(v, "a search in integers beyond 2^24")
	}
	return s.op(strip.Float, x), nil
}

// picked chooses lanes by an index. Where a search found the index, it carries the lane along.
func (s *stripper) picked(v *value, m []int32) ([]row, error) {
	out := make([]row, len(m))
	for i, l := range m {
		r, err := s.pickedLane(v, l)
		if err != nil {
			return nil, err
		}
		out[i] = r
	}
	return out, nil
}

func (s *stripper) pickedLane(v *value, l int32) (row, error) {
	data, candidates := v.args[0].v, v.taken(l)
	index := v.args[1]
	if by := index.v; by.kind == kFold && by.fold >= argMaxFold && len(by.taken(0)) == len(candidates) {
		run := by.taken(index.m[l])
		if by.args[0].v == data && slices.Equal(run, candidates) && data.elem == tensor.Float {
			return s.extreme(by, run)
		}
		return s.searched(by, index.m[l], &lanes{data, candidates})
	}
	at, err := s.of(index.v, []int32{index.m[l]})
	if err != nil {
		return noRow, err
	}
	x, err := s.of(data, candidates)
	if err != nil {
		return noRow, err
	}
	chosen := s.fresh(x[0])
	for i, r := range x[1:] {
		s.into(strip.Pick, strip.Step{Dst: chosen, X: r, Y: at[0], Z: s.constant(uint32(i + 1))})
	}
	return chosen, nil
}

// extreme is the element that a search finds in its own keys.
func (s *stripper) extreme(search *value, run []int32) (row, error) {
	code := strip.MaxF
	if search.fold == argMinFold || search.fold == lastMinFold {
		code = strip.MinF
	}
	if search.fold >= lastMaxFold {
		run = slices.Clone(run)
		slices.Reverse(run)
	}
	x, err := s.of(search.args[0].v, run)
	if err != nil {
		return noRow, err
	}
	acc := x[0]
	for _, r := range x[1:] {
		acc = s.op(code, one(acc), one(r))[0]
	}
	return acc, nil
}

// counted is a sum of comparisons, for which there is a shorter way.
func (s *stripper) counted(*value, int32) (row, bool, error) { return noRow, false, nil }
