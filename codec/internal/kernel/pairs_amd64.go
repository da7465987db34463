// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "slices"

// laneLoops makes an epilogue ready whose operands change after few lanes but in a regular way: groups of
// 4, 12, 20 and 28 lanes, or operands of every lane that come again and again. It is nil if it is
// another one.
func (f *Frame) laneLoops(k *Epilogue) runner {
	form, operands := k.form(), []Parameter{k.Z, k.A, k.B}
	if form > formSubMul || k.S.Kind != None || len(k.Source.Codes.InPlace) > 1 {
		return nil
	}
	place := k.laneSource()
	if place < 0 {
		return nil
	}
	group, period := rates(operands, k.Lanes)
	switch {
	case group != 0 && place != laneFloats:
		return f.groupLoops(k, place, group)
	case period != 0 && period%eightLanes == 0 && period <= pieceLanes && k.Lanes%period == 0:
		c := f.laneCall(k, period, 0)
		loops, unit := &periodLanes[place][form][0], eightLanes
		if period%(4*eightLanes) == 0 {
			loops, unit = &periodLanes[place][form][1], 4*eightLanes
		}
		c.args.chunks = period / unit
		c.choose(f, k, loops)
		return c
	}
	return nil
}

// groupLoops is laneLoops for groups; nil where other loops are as good.
func (f *Frame) groupLoops(k *Epilogue, place, group int) runner {
	at := slices.Index([]int{4, 12, 20, 28, 24, 40}, group)
	unit := group
	switch {
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
	if at == 6 {
		a.chunks = group / eightLanes
	}
	if a.srcSkip == 0 && a.dstSkip == 0 && a.zSkip == 0 && a.aSkip == 0 && a.bSkip == 0 {
		c.onward = a.groups
	}
	return c
}

// Places of sources in the tables of such loops.
const (
	laneFloats = 2
	laneTable  = 3
)

// laneSource is the place of the source, -1 if it has none.
func (k *Epilogue) laneSource() int {
	switch s := k.Source; {
	case s.Kind == FromTable && len(s.Table) <= 16:
		return laneTable
	case s.Kind <= FromF32:
		return int(s.Kind)
	default:
		return -1
	}
}

// rates finds what operands have in common: each is the same for groups of so many lanes, or each lane's own
// and again after so many; 0 if not.
func rates(operands []Parameter, lanes int) (group, period int) {
	for _, p := range operands {
		g, n := 0, 0
		switch {
		case p.Kind == None || p.Kind == Const:
			continue
		case p.Kind == Group && p.N == 1 || p.Kind == Period && p.N >= lanes:
			n = lanes
		case p.Kind == Period:
			n = p.N
		default:
			g = p.N
		}
		if g != 0 && (period != 0 || group != 0 && g != group) || n != 0 && (group != 0 || period != 0 && n != period) {
			return 0, 0
		}
		group, period = g, n
	}
	return group, period
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
