// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "slices"

// laneLoops makes an epilogue ready whose operands change after few lanes but in a regular way: groups of
// 4, 12, 20 … lanes or of 2, 6, 10, 14 and 18, or operands of every lane that come again and again. It is nil if it is
// another one.
func (f *Frame) laneLoops(k *Epilogue) runner {
	place := k.laneSource()
	if k.S.Kind != None || len(k.Source.Codes.InPlace) > 1 || place < 0 {
		return nil
	}
	if group := groupOf(k); group == 0 {
		if made := f.mixed(k, place, noChain); made != nil {
			return made
		}
		return f.periodLoops(k, place)
	} else if place != laneFloats && k.form() <= formSubMul {
		return f.groupLoops(k, place, group)
	}
	return nil
}

// groupLoops is laneLoops for groups; nil where other loops are as good.
func (f *Frame) groupLoops(k *Epilogue, place, group int) runner {
	at := slices.Index([]int{4, 12, 20, 28, 24, 40, 0, 2, 6, 10, 14, 18}, group)
	unit := group
	switch {
	case at > 6:
		unit = [...]int{32, 48, 40, 56, 72}[at-7]
	case group == 4:
		unit = 4 * eightLanes
	case group%eightLanes == 4:
		unit = 2 * group
	case at < 0:
		return nil
	}
	if at < 0 {
		at = 6
	}
	if k.Lanes%unit != 0 || unit > pieceLanes {
		return nil
	}
	c := f.laneCall(k, unit, 4*unit/group)
	c.choose(f, k, &pairLanes[[...]int{0, 1, -1, 2}[place]][k.form()][at])
	a := &c.args
	switch {
	case at == 6:
		a.chunks = group / eightLanes
	case at > 6:
		a.runs = address(lanesOfFour(group))
	}
	if c.goesOn() {
		c.onward = a.groups
	}
	return c
}

// lanesOfFour is for each lane of four groups which one has it.
func lanesOfFour(group int) []int32 {
	index := make([]int32, 4*group)
	for l := range index {
		index[l] = int32(l / group % 4)
	}
	return index
}

// Places of sources in the tables of such loops.
const (
	laneFloats = 2
	laneTable  = 3
)

// laneSource is the place of the source, -1 if it has none.
func (k *Epilogue) laneSource() int {
	switch s := k.Source; {
	case s.Kind == FromTable && len(s.Table) <= 16, s.Kind == FromHeld && s.Entries <= 16 && s.Each == 0:
		return laneTable
	case s.Kind <= FromF32:
		return int(s.Kind)
	default:
		return -1
	}
}

// groupOf is for how many lanes all operands are the same, 0 if some differ.
func groupOf(k *Epilogue) int {
	group := 0
	for _, p := range []Parameter{k.Z, k.A, k.B} {
		switch {
		case p.Kind == None || p.Kind == Const:
		case p.Kind == Period || p.N == 1 || group != 0 && p.N != group:
			return 0
		default:
			group = p.N
		}
	}
	return group
}

// laneCall sets the arguments of a loop over units of lanes, after each of which the operands
// move by so many bytes.
func (f *Frame) laneCall(k *Epilogue, unit, step int) *epilogueCall {
	c := &epilogueCall{out: k.ToOut, lane: k.Lane}
	f.epilogueSource(k, c)
	if s := k.Source; s.Kind == FromTable {
		table := make([]float32, 16)
		for i := range table {
			table[i] = s.Table[i%len(s.Table)]
		}
		c.args.table = address(table)
	}
	operands := f.operands(k, c)
	f.regular(k, c, operands, k.Lanes, unit)
	a := &c.args
	a.chunks = 1
	for i, o := range []struct {
		at         **byte
		step, skip *int
	}{{&a.z, &a.zStep, &a.zSkip}, {&a.a, &a.aStep, &a.aSkip}, {&a.b, &a.bStep, &a.bSkip}} {
		if operands[i].group != 0 {
			*o.step, *o.skip = step, operands[i].pitch-step*a.groups
			continue
		}
		row := make([]float32, max(k.Lanes, slack))
		for l := range row {
			row[l] = c.constant[i]
		}
		*o.at, *o.step, *o.skip = address(row), 0, 0
	}
	return c
}

// choose takes the loop with the stores that fit.
func (c *epilogueCall) choose(f *Frame, k *Epilogue, loops *[2]func(*epilogueArgs)) {
	if c.loop = loops[0]; c.args.streams() && f.lanes%eightLanes == 0 && k.Lane%eightLanes == 0 {
		c.stream = loops[1]
	}
}
