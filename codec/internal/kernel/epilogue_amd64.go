// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "math"

// epilogueArgs are the arguments of an epilogue's loop. Steps and skips are in
// bytes: a step follows a group, a skip a block.
type epilogueArgs struct {
	src     *byte
	dst     *byte
	z, a, b *byte
	table   *byte // 8, 16 or 256 floats
	runs    *byte
	n       int // blocks
	groups  int // of a block
	chunks  int // units of a group
	count   int // runs of a block

	srcStep, dstStep    int // from group to group, or (regular loops) between them
	srcSkip, dstSkip    int
	zSkip, aSkip, bSkip int
	zStep, aStep, bStep int
	tableSkip           int // of tables that each block has

	flip uint32 // sign bit: subtract B

	rest  int   // eights that are stored with a mask
	masks *byte // by number of lanes

	// Of codes that are planes of the payload; runs are their descriptors.
	mask [2]byte
	add  byte
	lut  [16]byte

	small smallFloat
}

// epilogueCall is an epilogue's loop with its arguments.
type epilogueCall struct {
	before   calls // makes operands
	loop     func(*epilogueArgs)
	stream   func(*epilogueArgs)
	args     epilogueArgs
	payload  bool
	at       int // byte of the payload
	out      bool
	lane     int
	constant [3]float32
	after    []*lanesCall
	own      bool // the source is what the target holds
	onward   int  // not 0: the groups of all blocks are one series of so many a block
	whole    int  // not 0: the chunks of all blocks are one group of so many a block

	// For cutting large blocks.
	lanes, group, size int // of a block, of a group; bytes of a lane of the source
	listed             int // not 0: bytes of an element of the list that the loop goes through
	srcEach, dstEach   int // bytes by which source and target move for an element of the list
}

func (c *epilogueCall) run(f *Frame) {
	c.before.run(f)
	if c.args.n = f.n; c.onward != 0 {
		c.args.n, c.args.groups = 1, c.onward*f.n
	}
	if c.whole != 0 {
		c.args.groups, c.args.chunks = 1, c.whole*f.n
	}
	if c.payload {
		c.args.src = address(f.payload[c.at:])
	}
	loop := c.loop
	if c.out {
		c.args.dst = address(f.out[c.lane:])
		if f.stream && c.stream != nil {
			loop = c.stream
		}
	}
	if c.own {
		c.args.src = c.args.dst
	}
	if c.long(f) {
		c.pieces(loop)
	} else {
		loop(&c.args)
	}
	for _, k := range c.after {
		k.run(f)
	}
}

// epilogue makes an Epilogue ready.
func (f *Frame) epilogue(k *Epilogue) runner {
	if k.Source.Each != 0 {
		return f.heldGroups(k)
	}
	if made := f.placedCodes(k); made != nil {
		return made
	}
	if made := f.onlyRows(k); made != nil {
		return made
	}
	if made := f.shortRows(k); made != nil {
		return made
	}
	if made := f.byRow(k); made != nil {
		return made
	}
	if made := f.laneLoops(k); made != nil {
		return made
	}
	if made := f.inTwo(k); made != nil {
		return made
	}
	c := &epilogueCall{out: k.ToOut, lane: k.Lane}
	own := *k
	if own.Source.Kind != FromRows && own.ownOperands() {
		if made := f.laneEpilogue(own); made != nil {
			return made
		}
	}
	if !f.simplify(&own, c) {
		return nil
	}
	source := f.epilogueSource(&own, c)
	form := own.form()
	c.args.flip = own.flip(form)
	f.align(&own, c)
	operands := f.operands(&own, c)
	lanes := own.Lanes
	if !own.ToOut && own.Source.Codes.InPlace == nil {
		lanes = (lanes + 7) &^ 7
	}
	for i := range operands {
		if operands[i].group >= own.Lanes {
			operands[i].group = lanes
		}
	}
	group, ok := commonGroup(operands, lanes)
	if rows := own.Source.Codes.InPlace; !ok || len(rows) > 1 && own.Source.Kind != FromF32 {
		if f.ragged(&own) && f.eights(&own, c, source, form) {
			return c
		}
		f.runs(&own, c, operands)
		c.loop = epilogueRuns[source][form]
		return c
	}
	f.regular(&own, c, operands, lanes, group)
	unit := 0
	for unit < 2 && group%(16<<unit) == 0 {
		unit++
	}
	c.args.chunks = group / (8 << unit)
	loops := &epilogueLoops[source][form][unit]
	streams := c.args.streams() && f.lanes%8 == 0 && k.Lane%8 == 0
	if unit == 2 && source != sourceSmall && source != sourceLut8 && c.planes(own.Source.Table, form, &loops) {
		c.args.chunks = group / (4 * eightLanes)
	} else if flat := &epilogueFlat[source][form][unit]; flat[0] != nil && c.args.chunks == 1 {
		loops, c.args.srcStep, c.args.dstStep = flat, group, 4*group
	}
	c.flatten()
	if c.loop = loops[0]; streams {
		c.stream = loops[1]
	}
	return c
}

// laneEpilogue makes an epilogue ready whose operands differ from lane to lane; nil if they are
// too far apart.
func (f *Frame) laneEpilogue(k Epilogue) runner {
	c := &epilogueCall{out: k.ToOut, lane: k.Lane}
	if k.S.Kind != None {
		c.after, k.S = append(c.after, f.step(&k, lanesMul, k.S)), Parameter{}
	}
	source, form := f.epilogueSource(&k, c), k.form()
	if c.args.flip = k.flip(form); !f.eights(&k, c, source, form) {
		return nil
	}
	return c
}

// flatten makes blocks of one group, and groups that go on from block to block, one series of groups.
func (c *epilogueCall) flatten() {
	a := &c.args
	if a.groups == 1 && a.tableSkip == 0 {
		a.srcStep, a.dstStep = a.srcStep+a.srcSkip, a.dstStep+a.dstSkip
		a.zStep, a.aStep, a.bStep = a.zStep+a.zSkip, a.aStep+a.aSkip, a.bStep+a.bSkip
		a.srcSkip, a.dstSkip, a.zSkip, a.aSkip, a.bSkip = 0, 0, 0, 0, 0
	}
	if c.goesOn() {
		if c.onward = a.groups; a.groups == 1 && a.srcStep|a.dstStep|a.zStep|a.aStep|a.bStep == 0 {
			c.whole = a.chunks
		}
	}
}

// align spreads operands of larger groups to the smallest group, so that all advance
// together.
func (f *Frame) align(k *Epilogue, c *epilogueCall) {
	group, mixed := 0, false
	for _, p := range []Parameter{k.Z, k.A, k.B} {
		if p.Kind == Group && p.N < k.Lanes {
			mixed = mixed || group != 0 && p.N != group
			if group == 0 || p.N < group {
				group = p.N
			}
		}
	}
	if !mixed || group%eightLanes != 0 || k.Lanes%group != 0 {
		return
	}
	for _, p := range []*Parameter{&k.Z, &k.A, &k.B} {
		if p.Kind != Group || p.N >= k.Lanes || p.N == group || p.N%group != 0 {
			continue
		}
		n := k.Lanes / group
		id := f.scratch(Buffer{F32, n})
		c.before = append(c.before, f.repeatFloats(Parameter{Kind: Group, N: p.N / group, Buffer: p.Buffer}, n, f.f32[id], f.pitch[id])...)
		*p = Parameter{Kind: Group, N: group, Buffer: id}
	}
}

// streams reports whether whole vectors follow each other from one block to the
// next.
func (a *epilogueArgs) streams() bool { return a.dstSkip%32 == 0 }

func (k *Epilogue) flip(form int) uint32 {
	if k.SubB && (form == formFull || form == formDiv) && k.B.Kind != None {
		return 1 << 31
	}
	return 0
}

// epilogueSource sets where the source is and returns its place in the tables.
func (f *Frame) epilogueSource(k *Epilogue, c *epilogueCall) int {
	s := k.Source
	switch {
	case s.Kind == FromF32:
		c.args.src = address(f.f32[s.From])
	case s.Kind == FromU16:
		c.args.src = address(f.u16[s.From])
	case s.Codes.InPlace != nil:
		c.payload = true
	default:
		c.args.src = address(f.u8[s.Codes.Buffer])
	}
	if s.Kind == FromHeld {
		c.args.table, c.args.tableSkip = address(f.f32[s.From]), 4*f.pitch[s.From]
		return tableSource(s.Entries)
	}
	if s.Kind != FromTable {
		return int(s.Kind)
	}
	if len(s.Table) > 16 {
		if small, ok := smallFloats(s.Table); ok {
			c.args.small = small
			return sourceSmall
		}
	}
	source := tableSource(len(s.Table))
	table := make([]float32, map[int]int{sourceLut8: 8, sourceLut16: 16, sourceTable: 256}[source])
	for i := range table {
		table[i] = s.Table[i%len(s.Table)]
	}
	c.args.table = address(table)
	return source
}

// tableSource is the place of tables of so many floats.
func tableSource(entries int) int {
	switch {
	case entries <= 8:
		return sourceLut8
	case entries <= 16:
		return sourceLut16
	default:
		return sourceTable
	}
}

// Places of sources in the tables of loops; others are at their kind.
const (
	sourceLut16 = int(FromTable)
	sourceTable = int(FromTable) + 1
	sourceLut8  = int(FromU16) + 1
	sourceSmall = int(FromU16) + 2
)

// operand is a parameter as a loop reads it.
type operand struct {
	group int // lanes; 0: the same for all
	pitch int // bytes from block to block
}

// operands sets where Z, A and B are; absent ones are what changes nothing.
func (f *Frame) operands(k *Epilogue, c *epilogueCall) [3]operand {
	var out [3]operand
	negative := float32(math.Copysign(0, -1))
	if c.args.flip != 0 {
		negative = 0
	}
	for i, o := range []struct {
		p      Parameter
		absent float32
		at     **byte
	}{{k.Z, 0, &c.args.z}, {k.A, 1, &c.args.a}, {k.B, negative, &c.args.b}} {
		switch o.p.Kind {
		case Group, Period:
			*o.at = address(f.f32[o.p.Buffer])
			out[i] = operand{o.p.N, 4 * f.pitch[o.p.Buffer]}
			continue
		case Const:
			c.constant[i] = o.p.Value
		default:
			c.constant[i] = o.absent
		}
		*o.at = address(c.constant[i:])
	}
	return out
}

// commonGroup is the number of lanes that share all operands, if the block is whole
// groups of a multiple of 8 lanes.
func commonGroup(operands [3]operand, lanes int) (int, bool) {
	group := lanes
	for _, o := range operands {
		if o.group == 0 || o.group >= lanes {
			continue
		}
		if group != lanes && o.group != group {
			return 0, false
		}
		group = o.group
	}
	return group, group > 0 && group%8 == 0 && lanes%group == 0
}

// regular sets the arguments of a loop over whole groups.
func (f *Frame) regular(k *Epilogue, c *epilogueCall, operands [3]operand, lanes, group int) {
	a := &c.args
	a.groups = lanes / group
	size := 1
	switch s := k.Source; {
	case s.Kind == FromF32:
		size = 4
		a.srcSkip = 4*f.pitch[s.From] - 4*lanes
	case s.Kind == FromU16:
		size = 2
		a.srcSkip = 2*f.pitch[s.From] - 2*lanes
	case c.payload:
		c.at = s.Codes.InPlace[0].Byte
		a.srcSkip = f.stride - lanes
	default:
		a.srcSkip = f.pitch[s.Codes.Buffer] - size*lanes
	}
	c.lanes, c.group, c.size = lanes, group, size
	a.dstSkip = 4 * (f.destination(k, c) - lanes)
	for i, o := range []struct{ step, skip *int }{{&a.zStep, &a.zSkip}, {&a.aStep, &a.aSkip}, {&a.bStep, &a.bSkip}} {
		switch {
		case operands[i].group == group:
			*o.step, *o.skip = 4, operands[i].pitch-4*a.groups
		case operands[i].group != 0:
			*o.skip = operands[i].pitch
		}
	}
}

// destination sets where lanes go and returns the elements from block to block.
func (f *Frame) destination(k *Epilogue, c *epilogueCall) int {
	if k.ToOut {
		return f.lanes
	}
	c.args.dst = address(f.f32[k.To])
	return f.pitch[k.To]
}

// runs sets the arguments of a loop over runs.
func (f *Frame) runs(k *Epilogue, c *epilogueCall, operands [3]operand) {
	a := &c.args
	size := 1
	rows := k.Source.Codes.InPlace
	switch s := k.Source; {
	case s.Kind == FromF32:
		size, rows = 4, nil
		a.srcSkip = 4 * f.pitch[s.From]
	case s.Kind == FromU16:
		size, rows = 2, nil
		a.srcSkip = 2 * f.pitch[s.From]
	case c.payload:
		a.srcSkip = f.stride
	default:
		a.srcSkip = f.pitch[s.Codes.Buffer]
	}
	if rows == nil {
		rows = []Row{{Len: k.Lanes}}
	}
	a.dstSkip = 4 * f.destination(k, c)
	a.zSkip, a.aSkip, a.bSkip = operands[0].pitch, operands[1].pitch, operands[2].pitch
	list := cutRuns(runsOf(rows, size, [3]int{operands[0].group, operands[1].group, operands[2].group}), size)
	c.lanes, c.listed = k.Lanes, sizeOf[run]()
	// What a run writes too much, the next one overwrites; the last may do so in a
	// buffer only, whose blocks end at a multiple of 8.
	for i := range list {
		if i < len(list)-1 || !k.ToOut {
			list[i].n = (list[i].n + 7) &^ 7
		}
		if i < len(list)-1 {
			over := list[i].dst + 4*list[i].n - int32(4*k.Lanes)
			if over > 0 && k.ToOut {
				list[i].n = (list[i+1].dst - list[i].dst) / 4
			}
		}
	}
	a.runs, a.count = address(list), len(list)
}
