// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math"
	"slices"

	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/tensor"
)

// wholePlan is a way to make float lanes of which single ones are replaced behind everything else.
type wholePlan struct {
	floatPlan
	rest    lanes
	patches []patchPlan
}

// patchPlan makes the indices and values of a Patch; lanes count from that of the first lane.
type patchPlan struct {
	kernel.Patch
	index func(e *emitter) kernel.BufferID
	value func(e *emitter) kernel.BufferID
}

// whole matches lanes of FLOAT with or without lanes that are replaced, whichever costs less.
func (g *graph) whole(l lanes) (wholePlan, bool) {
	plan, ok := g.patched(l)
	if ok && plan.cost < costPatched {
		return plan, true
	}
	if plain, fits := g.float(l); fits && (!ok || plain.cost <= plan.cost) {
		return wholePlan{plain, l, nil}, true
	}
	return plan, ok
}

// patched is lanes of which some are replaced.
func (g *graph) patched(l lanes) (wholePlan, bool) {
	rest, list := g.patches(l)
	if len(list) == 0 {
		return wholePlan{}, false
	}
	body, ok := g.float(rest)
	if !ok {
		return wholePlan{}, false
	}
	plan := wholePlan{floatPlan: body, rest: rest}
	for _, p := range g.joinedPatches(list) {
		made, ok := g.patchOf(p)
		if !ok {
			return wholePlan{}, false
		}
		plan.patches = append(plan.patches, made)
		plan.cost += 32 * costPatch * float64(len(p.begins)) / float64(len(l.m))
	}
	return plan, true
}

// joinedPatches takes those together whose indices and values are lanes of one value each.
func (g *graph) joinedPatches(list []patch) []patch {
	var out []patch
	for _, p := range list {
		if last := len(out) - 1; last >= 0 && samePlaces(out[last].places, p.places) {
			index, value := g.concat([]lanes{out[last].index, p.index}), g.concat([]lanes{out[last].value, p.value})
			if index.v.kind != kSel && value.v.kind != kSel {
				out[last] = patch{&selector{index: index, begins: slices.Concat(out[last].begins, p.begins), places: p.places}, value}
				continue
			}
		}
		out = append(out, p)
	}
	return out
}

func samePlaces(a, b map[int64]int32) bool {
	for n, at := range a {
		if got, ok := b[n]; !ok || got != at {
			return false
		}
	}
	return len(a) == len(b)
}

// patchOf matches the index and the values of a patch.
func (g *graph) patchOf(p patch) (patchPlan, bool) {
	plan := patchPlan{Patch: kernel.Patch{Base: p.begins}}
	s, ok := g.interval(p.index.v)
	if !ok || !s.within(exactUpTo(tensor.Float)) {
		return plan, false
	}
	if plan.value, ok = g.patchValue(p.value); !ok {
		return plan, false
	}
	if codes, fits := g.code(p.index); fits && s.hi-s.lo <= 255 && (s.lo >= 0 && s.hi <= 255 || s.lo >= -128 && s.hi <= 127) {
		plan.Kind, plan.At = kernel.FromU8, make([]int32, 256)
		for i := range plan.At {
			n := int64(i)
			if n > s.hi {
				n = int64(int8(i))
			}
			plan.At[i] = p.at(n)
		}
		plan.index = func(e *emitter) kernel.BufferID { return inBuffer(e, codes.emit(e), len(p.begins)) }
		return plan, true
	}
	most := min(p.most(), s.hi)
	if most >= maxFolded || s.lo < 0 && p.least() < 0 {
		return plan, false // a list of places begins with that of 0
	}
	plan.Kind, plan.At = kernel.FromF32, []int32{}
	for n := range most + 1 {
		plan.At = append(plan.At, p.at(n))
	}
	number, ok := g.castTo(tensor.Float, p.index)
	if !ok {
		return plan, false
	}
	by, ok := g.float(number)
	plan.index = func(e *emitter) kernel.BufferID { return by.buffer(e, number) }
	return plan, ok
}

// at is the lane of an index, -1 if there is none.
func (s *selector) at(n int64) int32 {
	if at, ok := s.places[n]; ok {
		return at
	}
	return -1
}

// most is the largest index that finds a lane, -1 if all are negative.
func (s *selector) most() int64 {
	most := int64(-1)
	for n := range s.places {
		most = max(most, n)
	}
	return most
}

// least is the smallest index that finds a lane.
func (s *selector) least() int64 {
	least := int64(math.MaxInt64)
	for n := range s.places {
		least = min(least, n)
	}
	return least
}

// patchValue makes floats in a buffer.
func (g *graph) patchValue(l lanes) (func(e *emitter) kernel.BufferID, bool) {
	if l.v.kind == kConst {
		return func(e *emitter) kernel.BufferID {
			to := e.buffer(kernel.F32, len(l.m))
			e.op(&kernel.Fill{Values: floatsOf(l.codes()), To: to})
			return to
		}, true
	}
	plan, ok := g.float(l)
	return func(e *emitter) kernel.BufferID { return plan.buffer(e, l) }, ok
}

// buffer emits float lanes into a buffer: if some are replaced, into one of its own.
func (p wholePlan) buffer(e *emitter, l lanes) kernel.BufferID {
	if len(p.patches) == 0 {
		return p.floatPlan.buffer(e, l)
	}
	k := p.emit(e)
	to := e.buffer(kernel.F32, len(l.m))
	k.To = to
	e.op(k)
	for _, x := range p.patches {
		k := x.emit(e)
		k.To = to
		e.op(k)
	}
	return to
}

// outward emits float lanes as those of the output from one on.
func (p wholePlan) outward(e *emitter, at int) {
	if k := p.emit(e); p.columns {
		e.outward(at)
	} else {
		k.ToOut, k.Lane = true, at
		e.op(k)
	}
	for _, x := range p.patches {
		e.op(x.emit(e).Outward(at))
	}
}

// emit emits what a Patch takes, and returns the Patch, which has no target yet.
func (p *patchPlan) emit(e *emitter) *kernel.Patch {
	k := p.Patch
	k.Index, k.Values = p.index(e), p.value(e)
	return &k
}
