// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// lanesArgs are the arguments of a loop dst = x op y over lanes. A step follows
// eight lanes, one lane, or a block; all in bytes.
type lanesArgs struct {
	x, y, dst                *byte
	n, count                 int
	xStep, yStep             int
	xOne, yOne               int
	xPitch, yPitch, dstPitch int
}

// lanesCall is such a loop with its arguments.
type lanesCall struct {
	before  calls
	loop    func(*lanesArgs)
	args    lanesArgs
	inPlace bool // x is dst
	out     bool
	lane    int
}

func (c *lanesCall) run(f *Frame) {
	c.before.run(f)
	c.args.n = f.n
	if c.out {
		c.args.dst = address(f.out[c.lane:])
	}
	if c.inPlace {
		c.args.x = c.args.dst
	}
	if c.long(f) {
		c.pieces()
		return
	}
	c.loop(&c.args)
}

// lane is an operand at the rate of lanes.
type lane struct {
	at               *byte
	step, one, pitch int
}

// lanesOf makes a parameter available for every lane.
func (f *Frame) lanesOf(p Parameter, lanes int) (lane, calls) {
	if p.Kind == Const {
		row := make([]float32, eightLanes)
		for i := range row {
			row[i] = p.Value
		}
		return lane{at: address(row)}, nil
	}
	from := f.f32[p.Buffer]
	if p.Kind == Group && p.N == 1 || p.Kind == Period && p.N >= lanes {
		return lane{address(from), 32, 4, 4 * f.pitch[p.Buffer]}, nil
	}
	pitch := (lanes + 7) &^ 7
	to := make([]float32, f.tile*pitch+slack)
	return lane{address(to), 32, 4, 4 * pitch}, f.repeatFloats(p, lanes, to, pitch)
}

// spreadFloats is eight lanes out of eight floats.
type spreadFloats struct {
	first, dst int32
	index      [8]int32
}

// repeatFloats spreads a parameter over lanes.
func (f *Frame) repeatFloats(p Parameter, lanes int, to []float32, pitch int) calls {
	var list []spreadFloats
	few := true
	for from := 0; from < lanes; from += eightLanes {
		d := spreadFloats{dst: int32(4 * from)}
		low, high := p.element(from), p.element(from)
		for i := from; i < min(from+eightLanes, lanes); i++ {
			low, high = min(low, p.element(i)), max(high, p.element(i))
		}
		if high-low >= eightLanes {
			return calls{{loop: func(*unpackArgs) { f.copyPeriod(p, lanes, to, pitch) }}}
		}
		d.first, few = int32(4*low), few && high-low < 4
		for i := from; i < min(from+eightLanes, lanes); i++ {
			d.index[i-from] = int32(p.element(i) - low)
		}
		list = append(list, d)
	}
	c := &call{loop: repeatFours, pace: pace{units: pieceLanes / eightLanes, desc: sizeOf[spreadFloats](), dst: 4 * eightLanes}}
	if !few {
		c.loop, c.pace.dst = repeatFloats, 0
	}
	c.args = unpackArgs{
		src: address(f.f32[p.Buffer]), stride: 4 * f.pitch[p.Buffer], dst: address(to), pitch: 4 * pitch,
		desc: address(list), count: len(list),
	}
	return calls{c}
}

// element is the index of a lane's element.
func (p Parameter) element(lane int) int {
	if p.Kind == Period {
		return lane % p.N
	}
	return lane / p.N
}

func (f *Frame) copyPeriod(p Parameter, lanes int, to []float32, pitch int) {
	for b := range f.n {
		row := f.f32[p.Buffer][b*f.pitch[p.Buffer]:][:p.N]
		for at := 0; at < lanes; at += p.N {
			copy(to[b*pitch+at:b*pitch+lanes], row)
		}
	}
}

// simplify takes off an epilogue what its loops do not know: steps with an operand
// a lane, which follow as loops of their own, and rows of floats, which come before.
func (f *Frame) simplify(k *Epilogue, c *epilogueCall) bool {
	if k.Source.Kind == FromRows && !f.floatRows(k, c) {
		return false
	}
	scale, offset := lanesMul, lanesAdd
	if k.Div {
		scale = lanesDiv
	}
	if k.SubB {
		offset = lanesSub
	}
	late := false
	for i, s := range []struct {
		p    *Parameter
		loop func(*lanesArgs)
	}{{&k.Z, lanesSub}, {&k.A, scale}, {&k.B, offset}, {&k.S, lanesMul}} {
		if s.p.Kind == None || !late && i < 3 && s.p.broadcast(k.Lanes) {
			continue
		}
		late = true
		c.after = append(c.after, f.step(k, s.loop, *s.p))
		*s.p = Parameter{}
		if i == 1 {
			k.Div = false
		}
		if i == 2 {
			k.SubB = false
		}
	}
	return true
}

// broadcast reports whether a parameter is the same for several lanes that follow
// each other.
func (p Parameter) broadcast(lanes int) bool {
	return p.Kind == Const || p.Kind == Group && (p.N >= 4 || p.N >= lanes)
}

// step is an operation on what the epilogue wrote.
func (f *Frame) step(k *Epilogue, loop func(*lanesArgs), p Parameter) *lanesCall {
	c := &lanesCall{loop: loop, inPlace: true, out: k.ToOut, lane: k.Lane}
	y, before := f.lanesOf(p, k.Lanes)
	c.before = before
	c.args = lanesArgs{
		y: y.at, count: k.Lanes, xStep: 32, yStep: y.step, xOne: 4, yOne: y.one, yPitch: y.pitch,
		xPitch: 4 * f.lanes, dstPitch: 4 * f.lanes,
	}
	if !k.ToOut {
		c.args.dst, c.args.xPitch, c.args.dstPitch = address(f.f32[k.To]), 4*f.pitch[k.To], 4*f.pitch[k.To]
	}
	return c
}

// floatRows writes rows of floats into a scratch buffer and makes that the source.
func (f *Frame) floatRows(k *Epilogue, c *epilogueCall) bool {
	id := f.scratch(Buffer{F32, k.Lanes})
	made := f.rowFloats(k, id)
	c.before = append(c.before, made...)
	k.Source = Source{Kind: FromF32, From: id}
	return made != nil
}

// onlyRows makes an epilogue ready that does nothing but write rows into a buffer; nil if it is another one.
func (f *Frame) onlyRows(k *Epilogue) runner {
	if k.Source.Kind != FromRows || k.form() != formMul || k.A.Kind != None || k.S.Kind != None {
		return nil
	}
	if k.ToOut {
		if k.Source.R != 1 || f.u8[k.Source.From] != nil {
			return nil
		}
		c := f.entries(k)
		c.out, c.lane, c.args.pitch = true, k.Lane, 4*f.lanes
		return calls{c}
	}
	if made := f.rowFloats(k, k.To); made != nil {
		return made
	}
	return nil
}

// rowFloats writes an epilogue's rows of floats into a buffer; nil if they are too long.
func (f *Frame) rowFloats(k *Epilogue, id BufferID) calls {
	s := k.Source
	if s.R == 1 && f.u8[s.From] == nil {
		c := f.entries(k)
		c.args.dst, c.args.pitch = address(f.f32[id]), 4*f.pitch[id]
		return calls{c}
	}
	size := 2
	for size < s.R {
		size *= 2
	}
	if size > 16 {
		return nil
	}
	count, entries := len(s.Table)/s.R, 1<<8
	src, stride := address(f.u8[s.From]), f.pitch[s.From]
	place := 0
	if f.u16[s.From] != nil {
		entries = count
		src, stride, place = address(f.u16[s.From]), 2*f.pitch[s.From], 1
	}
	table := make([]float32, entries*size)
	for i := range entries {
		copy(table[i*size:], s.Table[i%count*s.R:][:s.R])
	}
	loop := map[int][2]func(*unpackArgs){2: {rows8U8, rows8U16}, 4: {rows16U8, rows16U16}, 8: {rows32U8, rows32U16}, 16: {rows64U8, rows64U16}}[size][place]
	made := &call{loop: loop, pace: pace{units: slowLanes, src: 1 + place, dst: 4 * s.R}}
	made.args = unpackArgs{
		src: src, stride: stride, dst: address(f.f32[id]), pitch: 4 * f.pitch[id],
		with: address(table), count: (k.Lanes + s.R - 1) / s.R, step: 4 * s.R,
	}
	return calls{made}
}
