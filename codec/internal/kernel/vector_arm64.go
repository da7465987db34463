// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// vectorState is nothing here: an op's fast form is its own.
type vectorState struct{}

// vectors reports whether the processor runs the assembly: every arm64 processor that Go
// runs on has the instructions.
func vectors() bool { return true }

// vector is the fast form of op i and how many ops it stands for, 0 if there is none.
func (f *Frame) vector(i int) (runner, int) {
	if made, n := f.direct(i); n > 0 {
		return made, n
	}
	var made calls
	switch k := f.program.Ops[i].(type) {
	case *Plane:
		made = f.unpack(rowBits(k.Rows), k.Width, k.To)
	case *Spread:
		made = f.unpack(k.Bits, k.Width, k.To)
	case *Field:
		made = f.field(k)
	case *Loose:
		made = f.loose(k)
	case *Scalar:
		made = f.scalars(k)
	case *Wide:
		made = f.wide(k)
	case *Halves:
		made = f.halves(k)
	case *Affine, *Lut, *Steps, *Binary, *Sign, *Rows:
		made = f.byteCalls(k)
	case *Fill:
		made = f.fill(k)
	case *Epilogue:
		made = f.epilogue(k)
	}
	if made == nil {
		return nil, 0
	}
	return made, 1
}

// unpackArgs are the arguments of every kernel. Pointers are to the first block.
type unpackArgs struct {
	src, dst               *byte
	z, a, b                *byte // operands of an epilogue
	with                   *byte // tables, second operands
	desc                   *byte
	n, count               int // blocks; descriptors of a block
	stride, pitch          int // bytes from block to block of src and dst
	zPitch, aPitch, bPitch int

	// Of loops over groups, whose number is count.
	chunks              int // of 16 lanes
	zStep, aStep, bStep int // bytes from group to group
	srcSkip, dstSkip    int // bytes behind a block's last lane
	zSkip, aSkip, bSkip int

	flip                 uint32 // sign bit: subtract B
	low, plus            uint32 // of integers that are wide; the mask of an index
	mask                 uint16
	step, sign           int     // parts of a number; how far it moves up and down again
	unit                 float32 // of an F16
	add, xor, shift, neg byte    // of a Map
	lut                  [16]byte
}

// call is one kernel with its arguments.
type call struct {
	loop     func(*unpackArgs)
	args     unpackArgs
	payload  bool // src is the payload, from byte at on
	at       int
	out      bool // dst is the output, from lane on
	lane     int
	inPlace  bool // src is dst
	flat     int  // not 0: elements of a block; blocks are vectors of 32
	constant [3]float32

	// Assembly is not preempted: a call does so many blocks, or one piece of one.
	blocks int
	pieces []piece
	// Bytes that a descriptor, and what lies in src and dst for it, has.
	size, srcSize, dstSize int
}

// piece is some descriptors of a block.
type piece struct{ from, count int }

// calls are the kernels of an op, one after the other.
type calls []*call

func (c calls) run(f *Frame) {
	for _, k := range c {
		k.run(f)
	}
}

func (c *call) run(f *Frame) {
	a, n := &c.args, f.n
	if c.flat != 0 {
		n = (f.n*c.flat + 31) / 32
	}
	if c.payload {
		a.src = address(f.payload[c.at:])
	}
	if c.out {
		a.dst = address(f.out[c.lane:])
	}
	if c.inPlace {
		a.src = a.dst
	}
	all := c.args
	for b := 0; b < n; b += c.blocks {
		a.n = min(c.blocks, n-b)
		a.z, a.a, a.b = advance(all.z, b*all.zPitch), advance(all.a, b*all.aPitch), advance(all.b, b*all.bPitch)
		for _, p := range c.pieces {
			a.count, a.desc = p.count, advance(all.desc, p.from*c.size)
			a.src = advance(all.src, b*all.stride+p.from*c.srcSize)
			a.dst = advance(all.dst, b*all.pitch+p.from*c.dstSize)
			c.loop(a)
		}
	}
	c.args = all
}

// cut says how many lanes each descriptor has, so that no call does more than pieceLanes.
func (c *call) cut(lanes func(i int) int) *call {
	sum, total, from := 0, 0, 0
	for i := range c.args.count {
		n := lanes(i)
		if sum > 0 && sum+n > pieceLanes {
			c.pieces, from, sum = append(c.pieces, piece{from, i - from}), i, 0
		}
		sum, total = sum+n, total+n
	}
	c.pieces = append(c.pieces, piece{from, c.args.count - from})
	c.blocks = max(pieceLanes/max(total, 1), 1)
	return c
}

func alike(lanes int) func(int) int { return func(int) int { return lanes } }

// Fence orders non-temporal stores before what follows: there are none.
func Fence() {}

func (k *FloatStore) vector(*Frame, int, int, []byte) bool { return false }
