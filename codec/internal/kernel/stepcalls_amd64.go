// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import (
	"math"
	"slices"

	"github.com/structview/structview/codec/internal/strip"
)

// Forms of series, as the table of loops has them.
const (
	seriesCopy = iota
	seriesMul
	seriesMulAdd
	seriesSubMul
	seriesFull
)

// dwordEpilogue makes an epilogue of words ready that go on by steps and have operands by groups, or by lanes
// of a step; nil for others. Nothing of a block is read from last on.
func (f *Frame) dwordEpilogue(d *dwords, k *Epilogue, last int) runner {
	own := *k
	if d.plus != 0 {
		if own.Z.Kind != None || d.width > 24 || d.plus > 1<<24 || d.plus < -1<<24 {
			return nil
		}
		own.Z = Parameter{Kind: Const, Value: -float32(d.plus)} // what is exact is rounded once, as the sum would be
	}
	list := d.series(last)
	if n := f.turn(&own); n > 1 {
		if s := d.stepsFrom(0, len(d.parts), last, n); s != nil {
			list = []*laneSteps{s}
		}
	}
	if list == nil {
		if s := d.twoTerms(); s != nil {
			list = []*laneSteps{s}
		}
	}
	var made several
	for _, s := range list {
		c := f.seriesCall(d, own, s, len(list))
		if c == nil {
			return nil
		}
		made = append(made, c)
	}
	if made == nil {
		return nil
	}
	return made
}

// seriesCall makes one of several series of an epilogue ready.
func (f *Frame) seriesCall(d *dwords, k Epilogue, s *laneSteps, count int) *dwordCall {
	low, divides := k.inverted(s.kind)
	if k.Div || !f.ends(&k, s, count == 1) || count > 1 && k.S.Kind != None {
		return nil
	}
	c := &dwordCall{epilogueCall: epilogueCall{out: k.ToOut, lane: k.Lane + s.lane}, steps: s}
	if c.words.low = low; !divides {
		c.words.signs = 1 << 31
	}
	lanes := s.count() * s.n
	vectors := k.ownOperands()
	var form, group int
	if vectors {
		if form, group = f.stepOperands(&k, c, s), lanes; s.turn != 0 {
			group = s.turn * s.n
		}
	} else {
		form, group = f.groupOperands(&k, c, s, count == 1)
	}
	if divides && form >= 0 {
		form = seriesFull
	}
	kind := s.kind
	if kind == wordHalfUnit && d.unit == 1 && form == seriesCopy && seriesLoops[s.gathering][wordHalf][form][0] != nil {
		kind = wordHalf
	}
	if form < 0 || seriesLoops[s.gathering][kind][form][0] == nil {
		return nil
	}
	a := &c.args
	c.lanes, c.group = lanes, group
	a.groups, a.chunks = lanes/group, group/s.n
	a.dstStep, a.dstSkip = 4*s.n, 4*(f.destination(&k, &c.epilogueCall)-lanes)
	if !k.ToOut {
		a.dst = address(f.f32[k.To][s.lane:])
	}
	if c.loops = seriesLoops[s.gathering][kind][form]; s.n != eightLanes || f.lanes%eightLanes != 0 || c.lane%eightLanes != 0 || !a.streams() {
		c.loops[1] = nil
	}
	c.ready(d, s.terms)
	f.readSteps(c)
	if k.ToOut {
		c.spill(s)
	}
	if c.tail > 0 && a.groups > 1 {
		return nil
	}
	return c
}

// inverted makes a product of a division of integers by a known number, with a factor that is less than its inverse, and the rest
// as a second one. Integers are zeros or large enough. Loops take the first factor twice where an infinity is subtracted.
func (k *Epilogue) inverted(kind int) (low float32, two bool) {
	z := float64(k.Z.Value)
	whole := k.Z.Kind == None || k.Z.Kind == Const && math.Trunc(z) == z && !math.IsInf(z, 0)
	high, low, two := strip.Reciprocal(k.A.Value)
	if !k.Div || k.A.Kind != Const || kind > wordUnsigned || !whole || !two {
		return 0, false
	}
	k.A.Value, k.Div = high, false
	return low, true
}

// ends reports whether what the last step of a block writes behind the lanes does no harm: the next block's steps
// follow, and behind the last block there is scratch memory.
func (f *Frame) ends(k *Epilogue, s *laneSteps, alone bool) bool {
	end := (s.count()-1)*s.n + s.width()
	switch {
	case end <= s.lanes:
		return true
	case !alone:
		return false
	case k.ToOut:
		return k.Lane == 0 && k.Lanes == f.lanes && end <= 2*f.lanes
	default:
		return end <= f.pitch[k.To] || k.Lanes == f.program.Buffers[k.To].Lanes
	}
}

// spill prepares for the last block, whose last steps write behind the output.
func (c *dwordCall) spill(s *laneSteps) {
	count := s.count()
	for c.tail < count && (count-1-c.tail)*s.n+s.width() > s.lanes {
		c.tail++
	}
	if c.tail > 0 {
		c.scratch = make([]float32, c.tail*s.n+eightLanes)
	}
}

// readSteps sets the arguments that say where steps read.
func (f *Frame) readSteps(c *dwordCall) {
	s, a := c.steps, &c.words
	a.delta, a.delta2 = s.delta, s.delta2
	for i, o := range []struct{ step, turn, skip *int }{{&a.step, &a.turn, &a.srcSkip}, {&a.step2, &a.turn2, &a.skip2}} {
		if i < len(s.places) {
			*o.step, *o.turn = s.places[i].step, s.places[i].jump
			*o.skip = f.stride - s.count()**o.step - a.groups**o.turn
		}
	}
	if a.groups != 1 || a.dstSkip != 0 || a.zSkip != 0 || a.aSkip != 0 || a.bSkip != 0 {
		return
	}
	if a.srcSkip == 0 && a.skip2 == 0 {
		c.flat = a.chunks
	}
}

// seriesForm is the place of an epilogue's steps in the table of loops, and the sign of what it adds.
func (k *Epilogue) seriesForm(s *laneSteps, c *epilogueCall) int {
	z, b := k.Z.Kind != None, k.B.Kind != None
	loops := &seriesLoops[s.gathering][s.kind]
	form := seriesFull
	switch {
	case !z && !b && k.A.Kind == None && loops[seriesCopy][0] != nil:
		form = seriesCopy
	case !z && !b:
		form = seriesMul
	case !z && loops[seriesMulAdd][0] != nil:
		form = seriesMulAdd
	case !b && loops[seriesSubMul][0] != nil:
		form = seriesSubMul
	}
	if k.SubB && b {
		c.args.flip = 1 << 31
	}
	return form
}

// groupOperands prepares for operands that are the same for groups of lanes. The form is -1 if they are not.
func (f *Frame) groupOperands(k *Epilogue, c *dwordCall, s *laneSteps, alone bool) (form, group int) {
	if !k.takesGroups() || !f.simplify(k, &c.epilogueCall) {
		return -1, 0
	}
	form = k.seriesForm(s, &c.epilogueCall)
	if alone {
		f.align(k, &c.epilogueCall)
	}
	var from [3]int // elements before those of the series
	for i, p := range []*Parameter{&k.Z, &k.A, &k.B} {
		if p.Kind != Group || p.N >= k.Lanes {
			continue
		}
		from[i] = s.lane / p.N
		if from[i] == (s.lane+s.lanes-1)/p.N {
			p.N = s.lanes
		} else if s.lane%p.N != 0 {
			return -1, 0
		}
	}
	operands := f.operands(k, &c.epilogueCall)
	lanes, whole := s.count()*s.n, true
	for i := range operands {
		if operands[i].group >= s.lanes {
			operands[i].group = lanes
		}
		whole = whole && (operands[i].group == 0 || operands[i].group == lanes)
	}
	if group = lanes; s.turn != 0 {
		group = s.turn * s.n
		whole = true
		for _, o := range operands {
			if o.group != 0 && o.group != lanes && o.group != group {
				return -1, 0
			}
		}
	}
	if !whole {
		var ok bool
		if group, ok = commonGroup(operands, lanes); !ok || s.n != eightLanes {
			return -1, 0
		}
	}
	a := &c.args
	for i, o := range []struct {
		at         **byte
		step, skip *int
	}{{&a.z, &a.zStep, &a.zSkip}, {&a.a, &a.aStep, &a.aSkip}, {&a.b, &a.bStep, &a.bSkip}} {
		switch operands[i].group {
		case 0:
			continue
		case group:
			*o.step, *o.skip = 4, operands[i].pitch-4*(lanes/group)
		default:
			*o.skip = operands[i].pitch
		}
		*o.at = advance(*o.at, 4*from[i])
	}
	return form, group
}

// stepOperands prepares for operands that each lane of a step has on its own, the same for every step. The form is
// -1 if they are not so.
func (f *Frame) stepOperands(k *Epilogue, c *dwordCall, s *laneSteps) int {
	form := k.seriesForm(s, &c.epilogueCall)
	c.words.vectors = true
	if k.S.Kind != None {
		c.after = append(c.after, f.step(k, lanesMul, k.S))
	}
	a := &c.args
	for _, o := range []struct {
		p      Parameter
		absent float32
		at     **byte
		skip   *int
	}{{k.Z, 0, &a.z, &a.zSkip}, {k.A, 1, &a.a, &a.aSkip}, {k.B, negativeZero(), &a.b, &a.bSkip}} {
		row, index := make([]float32, eightLanes), [eightLanes]int32{}
		switch o.p.Kind {
		case None, Const:
			for l := range row {
				if row[l] = o.absent; o.p.Kind == Const {
					row[l] = o.p.Value
				}
			}
			*o.at = address(row)
			continue
		case Group:
			if o.p.N < k.Lanes {
				return -1
			}
		default:
			n := f.leastPeriod(o.p, k.Lanes)
			if s.n%n != 0 || s.lane%n != 0 {
				return -1
			}
			for l := range s.n {
				index[s.position(l)] = int32(l % n)
			}
		}
		*o.at, *o.skip = f.stepVector(c, o.p.Buffer, index)
	}
	return form
}

// leastPeriod is after how many lanes the elements of a Period come again. Where blocks were merged, known ones come
// earlier than it says.
func (f *Frame) leastPeriod(p Parameter, lanes int) int {
	most := min(p.N, lanes)
	values := f.filled(p)
	if len(values) < most {
		return most
	}
	for n := 1; n <= eightLanes && n < most; n++ {
		if most%n == 0 && sameBits(values[n:most], values[:most-n]) {
			return n
		}
	}
	return most
}

// turn is after how many lanes all operands come again: steps of so many lanes have them in registers. It is 1 if
// there is nothing to choose.
func (f *Frame) turn(k *Epilogue) int {
	n := 1
	for _, p := range []Parameter{k.Z, k.A, k.B} {
		if p.Kind == Period {
			n = lcm(n, f.leastPeriod(p, k.Lanes))
		}
	}
	return n
}

// stepVector is eight elements of a buffer by index, and how far those of the next block are.
func (f *Frame) stepVector(c *dwordCall, from BufferID, index [eightLanes]int32) (*byte, int) {
	for _, op := range f.program.Ops {
		if k, ok := op.(*Fill); ok && k.To == from {
			row := make([]float32, eightLanes)
			for l, i := range index {
				row[l] = k.Values[i]
			}
			return address(row), 0
		}
	}
	id := f.scratch(Buffer{F32, eightLanes})
	made := &call{loop: repeatFloats}
	made.args = unpackArgs{
		src: address(f.f32[from]), stride: 4 * f.pitch[from], dst: address(f.f32[id]), pitch: 4 * f.pitch[id],
		desc: address([]spreadFloats{{index: index}}), count: 1,
	}
	c.before = append(c.before, made)
	return address(f.f32[id]), 4 * f.pitch[id]
}

// sameBits reports whether floats are the same, bit for bit.
func sameBits(x, y []float32) bool {
	return slices.EqualFunc(x, y, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}
