// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// chain is what an epilogue's second operand does, if that is not the epilogue's own step: it is in the place of B.
type chain int

const (
	noChain chain = iota
	chainMul
	chainDiv
)

// The places in the table of loops: chains of groups, and from mixedMul on pairs for a row in A's place and for one
// in the other's, by form from mixedForms on.
const (
	mixedMul   = 2
	mixedForms = 4
)

// mixed makes an epilogue ready of two operands, at most one of which is a row in memory. It is nil for others, and
// where other loops do as well.
func (f *Frame) mixed(k *Epilogue, place int, with chain) runner {
	row := *k
	first, second := &row.A, &row.B
	if k.Z.Kind != None {
		second = &row.Z
	}
	if k.Z.Kind != None && k.B.Kind != None || with == noChain && k.Div || first.Kind == None && with == noChain || second.Kind == None {
		return nil
	}
	if with == noChain && first.alone(k.Lanes) && second.alone(k.Lanes) {
		return nil
	}
	group, ok := mixedGroup(k.Lanes, *first, *second)
	loops := mixedPlace(k.form(), with, *first, *second)
	if !ok || loops < 0 {
		return nil
	}
	var before calls
	var fixed [3][]float32
	for i, p := range []*Parameter{&row.Z, &row.A, &row.B} {
		if p.isRow(k.Lanes) && !p.own(k.Lanes) {
			fixed[i], before = f.asRow(p, k.Lanes, group, before)
		}
	}
	c := f.laneCall(&row, group, 0)
	c.before = before
	f.mixedSteps(c, &row, group, fixed)
	unit, at := eightLanes, 0
	if group%(4*eightLanes) == 0 {
		unit, at = 4*eightLanes, 1
	}
	if c.args.chunks = group / unit; c.goesOn() {
		c.onward = c.args.groups
	}
	c.choose(f, k, &mixedLanes[place][loops][at])
	return c
}

// mixedSteps sets how operands go on from group to group.
func (f *Frame) mixedSteps(c *epilogueCall, k *Epilogue, group int, fixed [3][]float32) {
	a := &c.args
	for i, o := range []struct {
		p          Parameter
		at         **byte
		step, skip *int
	}{{k.Z, &a.z, &a.zStep, &a.zSkip}, {k.A, &a.a, &a.aStep, &a.aSkip}, {k.B, &a.b, &a.bStep, &a.bSkip}} {
		*o.step = 0
		switch {
		case fixed[i] != nil:
			*o.at, *o.skip = address(fixed[i]), 0
			continue
		case o.p.Kind == None || o.p.Kind == Const:
			continue
		case o.p.own(k.Lanes) && group < k.Lanes:
			*o.step = 4 * group
		case o.p.Kind == Group && o.p.N == group && group < k.Lanes:
			*o.step = 4
		}
		*o.skip = 4*f.pitch[o.p.Buffer] - *o.step*a.groups
	}
}

// isRow reports whether a parameter has elements of single lanes.
func (p Parameter) isRow(lanes int) bool { return p.Kind == Period || p.own(lanes) }

// own reports whether each lane of a block has an element.
func (p Parameter) own(lanes int) bool {
	return lanes > 1 && (p.Kind == Group && p.N == 1 || p.Kind == Period && p.N >= lanes)
}

// alone reports whether a parameter is not that of groups.
func (p Parameter) alone(lanes int) bool { return p.Kind == Const || p.isRow(lanes) }

// mixedGroup is for how many lanes an operand is the same and the other a row.
func mixedGroup(lanes int, operands ...Parameter) (int, bool) {
	group := lanes
	for _, p := range operands {
		if p.Kind == Group && !p.own(lanes) && p.N < lanes {
			if group != lanes && group != p.N {
				return 0, false
			}
			group = p.N
		}
	}
	for _, p := range operands {
		if p.Kind == Period && p.N < lanes && group%p.N != 0 {
			return 0, false
		}
	}
	return group, group%eightLanes == 0 && lanes%group == 0 && group <= pieceLanes
}

// mixedPlace is the place of the loops in their table, -1 if there are none.
func mixedPlace(form int, with chain, first, second Parameter) int {
	a, b := first.isRow(1<<31-1), second.isRow(1<<31-1)
	row := 0
	if b {
		row = 1
	}
	switch {
	case a && b || with == chainDiv && (a || b) || with == noChain && !a && !b:
		return -1
	case with == noChain && form >= formMulAdd && form <= formSubMul:
		return mixedForms + 2*(form-formMulAdd) + row
	case with == noChain:
		return -1
	case a || b:
		return mixedMul + row
	default:
		return int(with - chainMul)
	}
}

// chained makes op i, an epilogue, part of the one that alone reads its floats and only multiplies or divides them. It
// returns the number of ops, 0 if it must run by itself.
func (f *Frame) chained(i int) int {
	k, ok := f.program.Ops[i].(*Epilogue)
	if !ok || f.lanes == 0 || k.ToOut || k.Div || k.Z.Kind != None || k.B.Kind != None || k.S.Kind != None {
		return 0
	}
	place := k.laneSource()
	if place < 0 || len(k.Source.Codes.InPlace) > 1 {
		return 0
	}
	for j, op := range f.program.Ops[i+1:] {
		if next, ok := op.(*Epilogue); ok {
			if made := f.chain(k, next, place, i+1+j); made != nil {
				f.made[i+1+j] = made
				return 1
			}
		}
		if !k.goesPast(op) {
			return 0
		}
	}
	return 0
}

// goesPast reports whether an epilogue may as well run behind an op, which makes operands of a later one.
func (k *Epilogue) goesPast(op Op) bool {
	var codes BufferID
	switch o := op.(type) {
	case *Scalar, *Loose, *Wide, *Fill:
		return true
	case *Epilogue:
		return !o.ToOut && !(o.Source.Kind == FromF32 && o.Source.From == k.To)
	case *Plane:
		codes = o.To.Buffer
	case *Spread:
		codes = o.To.Buffer
	case *Field:
		codes = o.To.Buffer
	default:
		return false
	}
	return k.Source.Kind == FromF32 || k.Source.Codes.InPlace != nil || codes != k.Source.Codes.Buffer
}

// chain is both epilogues, nil if they do not belong together.
func (f *Frame) chain(k, next *Epilogue, place, at int) runner {
	if next.Source.Kind != FromF32 || next.Source.From != k.To || next.Lanes != k.Lanes || f.program.Buffers[k.To].Lanes != k.Lanes ||
		next.Z.Kind != None || next.A.Kind == None || next.B.Kind != None || next.S.Kind != None || reads(f.program.Ops[at+1:], k.To) ||
		next.A.Kind != Const && next.A.Buffer == k.To {
		return nil
	}
	with := chainMul
	if next.Div {
		with = chainDiv
	}
	both := *next
	both.Source, both.A, both.B, both.Div, both.SubB = k.Source, k.A, next.A, false, false
	return f.mixed(&both, place, with)
}
