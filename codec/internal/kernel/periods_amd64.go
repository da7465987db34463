// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// rowLanes is how long rows of operands get, so that they are whole units of 32 lanes.
const rowLanes = 512

// periodLoops makes an epilogue ready of which some operand is each lane's own, or comes again after some lanes:
// operands are rows in memory. It is nil for others.
func (f *Frame) periodLoops(k *Epilogue, place int) runner {
	period, own := f.rowOf(k)
	form, ok := periodForm(k)
	if !own || !ok || period == 0 || period > pieceLanes {
		return nil
	}
	row := *k
	var before calls
	var constant [3][]float32
	for i, p := range []*Parameter{&row.Z, &row.A, &row.B} {
		constant[i], before = f.asRow(p, k.Lanes, period, before)
	}
	c := f.laneCall(&row, period, 0)
	c.before = before
	a := &c.args
	for i, o := range []struct {
		at   **byte
		skip *int
	}{{&a.z, &a.zSkip}, {&a.a, &a.aSkip}, {&a.b, &a.bSkip}} {
		if constant[i] != nil {
			*o.at, *o.skip = address(constant[i]), 0
		}
	}
	loops, unit := &periodLanes[place][form][0], eightLanes
	if period%(4*eightLanes) == 0 {
		loops, unit = &periodLanes[place][form][1], 4*eightLanes
	}
	if c.args.chunks = period / unit; c.goesOn() {
		c.onward = a.groups
	}
	c.choose(f, k, loops)
	return c
}

// goesOn reports whether blocks follow each other as their groups do.
func (c *epilogueCall) goesOn() bool {
	a := &c.args
	return a.srcSkip|a.dstSkip|a.zSkip|a.aSkip|a.bSkip|a.tableSkip == 0
}

// periodForm is the place of a form in the table of loops.
func periodForm(k *Epilogue) (int, bool) {
	form := k.form()
	if form == formDiv && k.B.Kind == None {
		return formFull, true
	}
	return form, form <= formSubMul
}

// rowOf is how many lanes have a row of operands, 0 if there is none, and whether some operand needs it.
func (f *Frame) rowOf(k *Epilogue) (lanes int, own bool) {
	row, fixed := eightLanes, true
	for _, p := range []Parameter{k.Z, k.A, k.B} {
		if p.Kind == None || p.Kind == Const {
			continue
		}
		own, fixed = own || p.Kind == Period || p.N == 1, fixed && f.filled(p) != nil
		if p.Kind == Group || p.N >= k.Lanes {
			row = k.Lanes
		}
		if row != k.Lanes {
			row = lcm(row, p.N)
		}
		if k.Lanes%row != 0 {
			row = k.Lanes
		}
	}
	if row%eightLanes != 0 {
		return 0, own
	}
	if more := lcm(row, 4*eightLanes); k.Lanes%more == 0 && more <= rowLanes && (fixed || k.Lanes >= eightLanes*more) {
		row = more
	}
	return row, own
}

// asRow makes an operand a row of so many lanes: values that are known, or a buffer into which calls write it.
func (f *Frame) asRow(p *Parameter, lanes, row int, before calls) ([]float32, calls) {
	if p.Kind == None || p.Kind == Const {
		return nil, before
	}
	if values := f.filled(*p); values != nil {
		out := make([]float32, row+slack)
		for l := range row {
			out[l] = values[p.element(l)]
		}
		*p = Parameter{Kind: Const}
		return out, before
	}
	if p.Kind == Period && p.N == row || row == lanes && (p.Kind == Group && p.N == 1 || p.Kind == Period && p.N >= lanes) {
		*p = Parameter{Kind: Period, N: row, Buffer: p.Buffer}
		return nil, before
	}
	id := f.scratch(Buffer{F32, row})
	made := f.repeatFloats(*p, row, f.f32[id], f.pitch[id])
	*p = Parameter{Kind: Period, N: row, Buffer: id}
	return nil, append(before, made...)
}

// filled is what a parameter's elements always are, nil if they depend on the payload.
func (f *Frame) filled(p Parameter) []float32 { return f.program.fills(p.Buffer) }
