// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "math"

// The sources of the epilogues' loops; from sourceF16 on they have no steps.
const (
	sourceU8 = iota
	sourceI8
	sourceF32
	sourceLut // a table of 16
	sourceTable
	sourceU16
	sourceF16
	sourceBF16
	sourceI32
	sourceWide
)

// step is one of an epilogue's steps.
type step struct {
	place     int // Z, A, B
	by        Parameter
	div, subB bool
}

// epilogue makes an Epilogue ready: as many steps as runs of lanes share operands in one
// loop, the others as loops of their own on what it wrote.
func (f *Frame) epilogue(k *Epilogue) calls {
	if k.Source.Kind == FromRows || k.Source.Kind == FromHeld || k.Lanes == 0 {
		return nil
	}
	first := &Epilogue{Source: k.Source, Lanes: k.Lanes, ToOut: k.ToOut, Lane: k.Lane, To: k.To}
	var late []step
	for i, s := range []step{{0, k.Z, false, false}, {1, k.A, k.Div, false}, {2, k.B, false, k.SubB}, {1, k.S, false, false}} {
		switch {
		case s.by.Kind == None:
		case len(late) == 0 && i < 3 && s.by.shared(k.Lanes):
			first.set(s)
		default:
			late = append(late, s)
		}
	}
	var out calls
	inPlace := false
	if len(late) == 0 || k.Source.Kind != FromF32 || first.hasSteps() {
		out, inPlace = append(out, f.runs(first, false)), true
	}
	for _, s := range late {
		own := &Epilogue{Source: k.Source, Lanes: k.Lanes, ToOut: k.ToOut, Lane: k.Lane, To: k.To}
		if inPlace {
			own.Source = Source{Kind: FromF32, From: k.To}
		}
		var c *call
		if s.by.shared(k.Lanes) {
			own.set(s)
			c = f.runs(own, inPlace)
		} else {
			c = f.series(own, s, inPlace)
		}
		inPlace = true
		out = append(out, c)
	}
	return out
}

// shared reports whether lanes that follow each other share an element.
func (p Parameter) shared(lanes int) bool {
	return p.Kind == Const || p.Kind == Group && (p.N > 1 || lanes == 1)
}

func (k *Epilogue) set(s step) {
	switch s.place {
	case 0:
		k.Z = s.by
	case 1:
		k.A, k.Div = s.by, s.div
	default:
		k.B, k.SubB = s.by, s.subB
	}
}

// hasSteps reports whether there are any.
func (k *Epilogue) hasSteps() bool { return k.Z.Kind != None || k.A.Kind != None || k.B.Kind != None }

// runs is the loop over runs of lanes that share their operands.
func (f *Frame) runs(k *Epilogue, inPlace bool) *call {
	c := &call{size: sizeOf[run](), inPlace: inPlace}
	source, size := f.epilogueSource(k, c)
	form := k.form()
	c.loop = epilogueLoops[source][form]
	if source == sourceF32 && !k.hasSteps() {
		c.loop = copyLoops[source]
	}
	if k.SubB && (form == formFull || form == formDiv) {
		c.args.flip = 1 << 31
	}
	rows := k.Source.Codes.InPlace
	if rows == nil {
		rows = []Row{{Len: k.Lanes}}
	}
	f.destination(k, c)
	f.operands(k, c)
	if c.inPlace {
		c.args.stride = c.args.pitch
	}
	if f.grouped(k, c, source, size) {
		return c
	}
	return c.listed(cutRuns(runsOf(rows, size, [3]int{k.Z.group(), k.A.group(), k.B.group()}), size))
}

func (c *call) listed(list []run) *call {
	c.args.desc, c.args.count = address(list), len(list)
	return c.cut(func(i int) int { return int(list[i].n) })
}

// series is a loop with an operand a lane, on floats.
func (f *Frame) series(k *Epilogue, s step, inPlace bool) *call {
	c := &call{size: sizeOf[run](), inPlace: inPlace}
	f.epilogueSource(k, c)
	if f.destination(k, c); inPlace {
		c.args.stride = c.args.pitch
	}
	switch {
	case s.place == 0 || s.subB:
		c.loop = lanesSub
	case s.place == 2:
		c.loop = lanesAdd
	case s.div:
		c.loop = lanesDiv
	default:
		c.loop = lanesMul
	}
	period := k.Lanes
	if s.by.Kind == Period {
		period = s.by.N
	}
	c.args.a, c.args.aPitch = address(f.f32[s.by.Buffer]), 4*f.pitch[s.by.Buffer]
	var list []run
	for at := 0; at < k.Lanes; {
		n := min(period-at%period, k.Lanes-at, slowLanes)
		list = append(list, run{src: int32(4 * at), dst: int32(4 * at), n: int32(n), a: int32(4 * (at % period))})
		at += n
	}
	return c.listed(list)
}

// epilogueSource sets where the source is, and returns its place in the tables and the size
// of a lane.
func (f *Frame) epilogueSource(k *Epilogue, c *call) (source, size int) {
	a, s := &c.args, k.Source
	switch {
	case s.Kind == FromF32:
		if s.From < BufferID(len(f.f32)) && f.f32[s.From] != nil { // or it is in place
			a.src, a.stride = address(f.f32[s.From]), 4*f.pitch[s.From]
		}
		return sourceF32, 4
	case s.Kind == FromU16:
		a.src, a.stride = address(f.u16[s.From]), 2*f.pitch[s.From]
		return sourceU16, 2
	case s.Codes.InPlace != nil:
		c.payload, a.stride = true, f.stride
	default:
		a.src, a.stride = address(f.u8[s.Codes.Buffer]), f.pitch[s.Codes.Buffer]
	}
	if s.Kind != FromTable {
		return int(s.Kind), 1
	}
	source, size = sourceLut, 16
	if len(s.Table) > 16 {
		source, size = sourceTable, 256
	}
	table := make([]float32, size)
	for i := range table {
		table[i] = s.Table[i%len(s.Table)]
	}
	a.with = address(table)
	return source, 1
}

// operands sets where Z, A and B are; absent ones are what changes nothing.
func (f *Frame) operands(k *Epilogue, c *call) {
	for i, o := range []struct {
		p      Parameter
		absent float32
		at     **byte
		pitch  *int
	}{
		{k.Z, 0, &c.args.z, &c.args.zPitch},
		{k.A, 1, &c.args.a, &c.args.aPitch},
		{k.B, float32(math.Copysign(0, -1)), &c.args.b, &c.args.bPitch},
	} {
		switch o.p.Kind {
		case Group:
			*o.at, *o.pitch = address(f.f32[o.p.Buffer]), 4*f.pitch[o.p.Buffer]
			continue
		case Const:
			c.constant[i] = o.p.Value
		default:
			c.constant[i] = o.absent
		}
		*o.at = address(c.constant[i:])
	}
}

// destination sets where lanes go.
func (f *Frame) destination(k *Epilogue, c *call) {
	c.out, c.lane, c.args.pitch = k.ToOut, k.Lane, 4*f.lanes
	if !k.ToOut {
		c.args.dst, c.args.pitch = address(f.f32[k.To]), 4*f.pitch[k.To]
	}
}
