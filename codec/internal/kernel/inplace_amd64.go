// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// maxRows is how many rows of codes in place get a loop of their own each.
const maxRows = 8

// several are runners, one after the other.
type several []runner

func (s several) run(f *Frame) {
	for _, r := range s {
		r.run(f)
	}
}

// byRow makes an epilogue on a few equal rows of codes in place ready, as one on each row:
// whole groups follow each other there. It is nil where that is not so.
func (f *Frame) byRow(k *Epilogue) runner {
	rows := k.Source.Codes.InPlace
	if !k.Source.hasCodes() || len(rows) < 2 || len(rows) > maxRows || k.S.Kind != None {
		return nil
	}
	n := rows[0].Len
	if n%(2*eightLanes) != 0 {
		return nil
	}
	for _, p := range []Parameter{k.Z, k.A, k.B} {
		if p.Kind == Period || p.Kind == Group && (p.N%eightLanes != 0 || p.N%n != 0 && n%p.N != 0) {
			return nil
		}
	}
	var made several
	for _, r := range rows {
		own := *k
		if r.Len != n || r.Lane%n != 0 {
			return nil
		}
		own.Source.Codes.InPlace = []Row{{Byte: r.Byte, Len: n}}
		if own.Lanes = n; k.ToOut {
			own.Lane += r.Lane
		}
		one, ok := f.epilogue(&own).(*epilogueCall)
		if !ok || len(one.before)+len(one.after) > 0 {
			return nil
		}
		one.offset(f, k, r.Lane)
		made = append(made, one)
	}
	return made
}

// offset moves an epilogue's operands, and a target that is a buffer, on to those of a lane.
func (c *epilogueCall) offset(f *Frame, k *Epilogue, lane int) {
	for _, o := range []struct {
		p  Parameter
		at **byte
	}{{k.Z, &c.args.z}, {k.A, &c.args.a}, {k.B, &c.args.b}} {
		if o.p.Kind == Group {
			*o.at = address(f.f32[o.p.Buffer][lane/o.p.N:])
		}
	}
	if !k.ToOut {
		c.args.dst = address(f.f32[k.To][lane:])
	}
}

// shortRows makes an epilogue on rows of 8 or 16 codes in place ready that are equally far apart, as the groups of a flat
// loop; nil if it is another one.
func (f *Frame) shortRows(k *Epilogue) runner {
	rows, n := k.Source.Codes.InPlace, k.shortRow()
	if n == 0 || k.S.Kind != None || k.Lanes > pieceLanes {
		return nil
	}
	c := &epilogueCall{out: k.ToOut, lane: k.Lane, at: rows[0].Byte}
	a, form := &c.args, k.form()
	loops := &epilogueFlat[f.epilogueSource(k, c)][form][n/eightLanes-1]
	if loops[0] == nil {
		return nil
	}
	a.flip, a.groups, a.chunks, a.srcStep, a.dstStep = k.flip(form), len(rows), 1, rows[1].Byte-rows[0].Byte, 4*n
	a.srcSkip, a.dstSkip = f.stride-a.srcStep*len(rows), 4*(f.destination(k, c)-k.Lanes)
	operands := f.operands(k, c)
	for i, o := range []struct{ step, skip *int }{{&a.zStep, &a.zSkip}, {&a.aStep, &a.aSkip}, {&a.bStep, &a.bSkip}} {
		switch group := operands[i].group; {
		case group == n:
			*o.step, *o.skip = 4, operands[i].pitch-4*a.groups
		case group >= k.Lanes:
			*o.skip = operands[i].pitch
		case group != 0:
			return nil
		}
	}
	if c.goesOn() {
		c.onward = a.groups
	}
	c.choose(f, k, loops)
	return c
}

// shortRow is the length of an epilogue's rows, if they are equal, equally far apart, and 8 or 16 codes.
func (k *Epilogue) shortRow() int {
	rows := k.Source.Codes.InPlace
	if !k.Source.hasCodes() || len(rows) < 2 || rows[0].Len != eightLanes && rows[0].Len != 2*eightLanes {
		return 0
	}
	n, apart := rows[0].Len, rows[1].Byte-rows[0].Byte
	for i, r := range rows {
		if r != (Row{Byte: rows[0].Byte + i*apart, Lane: i * n, Len: n}) {
			return 0
		}
	}
	for _, p := range []Parameter{k.Z, k.A, k.B} {
		if p.Kind == Period {
			return 0
		}
	}
	return n
}
