// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// distantArgs are the arguments of the loops over numbers that are equally far apart. A step follows eight
// lanes, a skip a block.
type distantArgs struct {
	src, dst         *byte
	words            *distantWords
	n, eights        int // blocks, and eights of a block
	step             int
	srcSkip, dstSkip int
	delta            [7]int // from the window of the first lanes to the others
	shift            int    // of finished words to the right
	mask             uint32
	right, other     [8]byte // shifts of the eight bytes where a lane begins, and of those behind the first byte
}

// distantWords is how bytes of windows become words, and how far those are moved to the left.
type distantWords struct {
	shuffle [64]byte // wide numbers that begin inside bytes: shifts to the right
	left    [8]uint64
}

// wordWhole is the kind of whole words with a sign, behind those of all words.
const wordWhole = wordWide + 1

// How numbers are read: four, three, two or eight out of a window, or one by one; at whole bytes or not. Of three, the
// second window has two, so that each half of a register has one of them.
const (
	distantBytes4 = iota
	distantBits4
	distantBytesLine // two windows follow each other
	distantBitsLine
	distantBytes3
	distantBits3
	distantBytes2
	distantBits2
	distantBytesOne // one window for all eight
	distantBitsOne
	distantBits1
)

// distant is numbers that are equally far apart.
type distant struct {
	format       Format // integers are Int32 or Uint32, up to 32 bits
	width        int
	first, apart int // bits
	lanes        int
}

// distantOf is an op's numbers, if they are equally far apart, many, and need nothing but a conversion.
func distantOf(op Op) (d distant, to BufferID, ok bool) {
	switch k := op.(type) {
	case *Scalar:
		d.format, d.width = k.Format, 8*k.Format.size()
		return d, k.To, d.places(k.Bytes, 8)
	case *Wide:
		d.format, d.width = Uint32, k.Width
		sign := uint32(1) << (k.Width - 1)
		if k.Xor == sign && k.Add == -int32(sign) {
			d.format = Int32
		}
		return d, k.To, (k.Xor == 0 && k.Add == 0 || d.format == Int32) && d.places(k.Bits, 1)
	case *Loose:
		bits, width := alone(k.Parts)
		d.format, d.width = k.Format, width
		if k.Format == Int32 && k.Sign == 0 && width < 32 {
			d.format = Uint32
		}
		whole := width == 8*k.Format.size() || k.Format == Int32 && (k.Sign == width || k.Sign == 0)
		return d, k.To, whole && k.Signs == nil && k.Add == 0 && (k.Unit == 0 || k.Unit == 1) && d.places(bits, 1)
	}
	return d, 0, false
}

// distantCodes is an op's codes in the same way.
func distantCodes(op Op) (d distant, to Target, ok bool) {
	d.format = Uint32
	bits := []int(nil)
	switch k := op.(type) {
	case *Spread:
		bits, d.width, to = k.Bits, k.Width, k.To
	case *Field:
		bits, d.width = alone(k.Lanes)
		to = k.To
	}
	return d, to, d.width > 0 && d.width <= 8 && to.Left == 0 && !to.Or && to.Post.none() && d.places(bits, 1) && d.apart > d.width
}

// places sets where the numbers are. Those that follow each other at whole bytes have other loops.
func (d *distant) places(at []int, unit int) bool {
	d.lanes = len(at)
	if d.lanes < eightLanes || d.width == 0 {
		return false
	}
	step, ok := evenly(at)
	d.first, d.apart = unit*at[0], unit*step
	dense := d.apart == d.width && d.width%8 == 0 && d.first%8 == 0 && d.format != Int64
	return ok && d.first >= 0 && d.apart >= d.width && !dense
}

// bit is where a lane begins.
func (d *distant) bit(lane int) int { return d.first + lane*d.apart }

// within reports whether so many lanes lie in a window, wherever the first eight are cut.
func (d *distant) within(lanes int) bool {
	for l := range eightLanes - lanes + 1 {
		if d.end(l+lanes-1)-d.bit(l)/8 > windowBytes {
			return false
		}
	}
	return true
}

// end is the byte behind a lane.
func (d *distant) end(lane int) int { return (d.bit(lane) + d.width + 7) / 8 }

// words reports whether each number lies in a word of so many bytes.
func (d *distant) words(bytes int) bool {
	for l := range eightLanes {
		if d.bit(l)%8+d.width > 8*bytes {
			return false
		}
	}
	return true
}

// around reports whether windows that end and begin at lane 4 have two lanes each, and two others the rest.
func (d *distant) around() bool {
	middle := d.bit(4) / 8
	return d.within(2) && d.bit(2)/8 >= middle-windowBytes && d.end(3) <= middle
}

// kind is the numbers' place in the tables of loops of up to 32 bits, or of wide ones.
func (d *distant) kind() (kind int, wide, ok bool) {
	switch d.format {
	case F16:
		return wordHalf, false, true
	case BF16, Float32:
		return wordFloat, false, true
	case Int32:
		if d.width == 32 {
			return wordWhole, false, true
		}
		return wordSigned, false, d.width < 32
	case Uint32:
		if d.width == 32 {
			return wordWide, false, true
		}
		return wordUnsigned, false, d.width < 32
	case Float64:
		return 0, true, true
	case Int64:
		return 1, true, true
	}
	return 0, false, false
}

// call makes a loop ready; nil if there is none. Lanes go to the output, from a lane on, or to a buffer.
func (d *distant) call(f *Frame, to BufferID, out bool, lane int) *distantCall {
	rest := d.lanes % eightLanes
	kind, wide, ok := d.kind()
	if !ok || rest != 0 && d.apart%8 != 0 {
		return nil
	}
	c := &distantCall{first: d.first / 8, out: out, lane: lane}
	a := &c.args
	a.words = new(distantWords)
	if wide {
		c.loops = distantWide[kind][d.wide(a)]
	} else {
		how := d.how()
		if how < 0 {
			return nil
		}
		c.loops = distantLoops[how][kind]
		c.first -= d.narrow(a, how)
	}
	pitch := f.lanes
	if !out {
		pitch = f.pitch[to]
		a.dst = address(f.f32[to])
	}
	if !out || pitch%eightLanes != 0 || lane%eightLanes != 0 || rest != 0 {
		c.loops[1] = c.loops[0]
	}
	c.eights = d.lanes / eightLanes
	a.step = d.apart
	a.srcSkip, a.dstSkip = f.stride-c.eights*a.step, 4*(pitch-c.eights*eightLanes)
	a.shift, a.mask = 32-d.width, ^uint32(0)<<(32-min(d.width, 32))
	c.flat = a.srcSkip == 0 && a.dstSkip == 0
	if rest != 0 {
		c.rest = d.last(f, c, pitch)
	}
	return c
}

// last is the last eight lanes of blocks that are not whole eights.
func (d *distant) last(f *Frame, c *distantCall, pitch int) *distantCall {
	own := *c
	back := d.lanes - eightLanes
	own.first, own.eights, own.flat = c.first+back*d.apart/8, 1, false
	if own.lane += back; !c.out {
		own.args.dst = advance(c.args.dst, 4*back)
	}
	own.args.srcSkip, own.args.dstSkip = f.stride-own.args.step, 4*(pitch-eightLanes)
	return &own
}

// how is how numbers of up to 32 bits are read, -1 if they are not.
func (d *distant) how() int {
	next := 1
	if d.first%8 == 0 && d.apart%8 == 0 && d.width%8 == 0 {
		next = 0
	}
	three := d.around()
	if next == 0 && d.format == F16 {
		three = d.within(3)
	}
	switch words := d.words(4); {
	case d.width <= 16 && d.format != F16 && d.format != BF16 && d.within(eightLanes):
		return distantBytesOne + next
	case words && d.within(4) && d.bit(4)/8-d.first/8 == windowBytes:
		return distantBytesLine + next
	case words && d.within(4):
		return distantBytes4 + next
	case words && three:
		return distantBytes3 + next
	case d.words(8) && d.within(2):
		return distantBytes2 + next
	case d.words(8):
		return distantBits1
	}
	return -1
}

// wide says how numbers of eight bytes are put together, and returns their place in the table.
func (d *distant) wide(a *distantArgs) int {
	for l := range eightLanes - 1 {
		a.delta[l] = d.bit(l+1)/8 - d.first/8
	}
	apart := d.apart / 8
	switch {
	case d.first%8 != 0 || d.apart%8 != 0:
		for l := range eightLanes {
			right := d.bit(l) % 8
			a.words.shuffle[8*l], a.words.left[l] = byte(right), uint64(64-right)
			a.right[l], a.other[l] = byte(right), byte(8-right)
		}
		return 1
	case d.format == Float64 && 2*apart >= windowBytes && 2*apart+8 <= 2*windowBytes:
		// The first lane of each pair stays, and moves to the lower half of its half register; the second to the upper.
		for i := range a.words.shuffle {
			a.words.shuffle[i] = 0x80
		}
		for i := range 8 {
			second := byte(2*apart - windowBytes + i)
			a.words.shuffle[i], a.words.shuffle[16+i] = byte(i), second
			a.words.shuffle[40+i], a.words.shuffle[56+i] = byte(i), second
		}
		return 2
	}
	return 0
}

// distantCall is such a loop with its arguments.
type distantCall struct {
	loops  [2]func(*distantArgs)
	args   distantArgs
	first  int // byte of the payload
	eights int
	flat   bool // blocks go on in the next
	out    bool
	lane   int
	rest   *distantCall
}

func (c *distantCall) run(f *Frame) {
	a := &c.args
	a.n, a.eights, a.src = f.n, c.eights, address(f.payload[c.first:])
	if c.flat {
		a.n, a.eights = 1, f.n*c.eights
	}
	loop, dst := c.loops[0], a.dst
	if c.out {
		a.dst = address(f.out[c.lane:])
		if f.stream {
			loop = c.loops[1]
		}
	}
	if a.n == 1 {
		c.pieces(loop)
	} else {
		loop(a)
	}
	if a.dst = dst; c.rest != nil {
		c.rest.run(f)
	}
}

// pieces does a long block, some eights at a time.
func (c *distantCall) pieces(loop func(*distantArgs)) {
	all, a := c.args, &c.args
	for at := 0; at < all.eights; at += pieceLanes / eightLanes {
		a.n, a.eights = 1, min(pieceLanes/eightLanes, all.eights-at)
		a.src, a.dst = advance(all.src, at*all.step), advance(all.dst, 4*at*eightLanes)
		loop(a)
	}
	c.args = all
}

// distant makes op i ready if its numbers are equally far apart. Where one epilogue copies them into the
// output, they are written there.
func (f *Frame) distant(i int) (runner, int) {
	if d, to, ok := distantOf(f.program.Ops[i]); ok {
		if j := f.onlyReader(i, to); j > 0 && f.program.Ops[j].(*Epilogue).copies(to) {
			if c := d.call(f, to, true, f.program.Ops[j].(*Epilogue).Lane); c != nil {
				f.made[j] = c
				return calls{}, 1
			}
		}
		if words, _, ok := dwordsOf(f.program.Ops[i]); ok && words.stepwise(f.program.Ops[i].last(f.program)) {
			return nil, 0 // an epilogue may be part of the loop
		}
		if c := d.call(f, to, false, 0); c != nil {
			return c, 1
		}
		return nil, 0
	}
	d, to, ok := distantCodes(f.program.Ops[i])
	if !ok {
		return nil, 0
	}
	j := f.codeReader(i, to.Buffer)
	if j == 0 {
		return nil, 0
	}
	k := f.program.Ops[j].(*Epilogue)
	if k.Source.Kind == FromI8 && d.width == 8 {
		d.format = Int32
	}
	if c := d.call(f, 0, true, k.Lane); c != nil {
		f.made[j] = c
		return calls{}, 1
	}
	return nil, 0
}

// codeReader is the epilogue behind op i that converts its codes into the output and is all that reads them, 0 if
// there is none.
func (f *Frame) codeReader(i int, id BufferID) int {
	j := f.reader(id, i)
	if j < 0 || f.lanes == 0 {
		return 0
	}
	k, ok := f.program.Ops[j].(*Epilogue)
	bare := ok && k.ToOut && k.Z.Kind == None && k.A.Kind == None && k.B.Kind == None && k.S.Kind == None
	if !bare || k.Source.Kind != FromU8 && k.Source.Kind != FromI8 || k.Lanes != f.program.Buffers[id].Lanes {
		return 0
	}
	return j
}
