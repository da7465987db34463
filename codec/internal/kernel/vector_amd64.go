// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "golang.org/x/sys/cpu"

// vectors reports whether the processor runs the assembly.
func vectors() bool { return cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasF16C && cpu.X86.HasBMI2 }

// vector is the fast form of op i and how many ops it stands for, 0 if there is
// none.
func (f *Frame) vector(i int) (runner, int) {
	if !vectors() {
		return nil, 0
	}
	if f.pending == nil {
		f.pending, f.made = map[int]*planes{}, map[int]runner{}
	}
	if made := f.made[i]; made != nil {
		return made, 1
	}
	if p := f.pending[i]; p != nil {
		return f.rowEpilogue(f.program.Ops[i].(*Epilogue), p), 1
	}
	if n := f.postponed(i); n > 0 {
		return calls{}, n
	}
	if n := f.chained(i); n > 0 {
		return calls{}, n
	}
	if made, n := f.small(i); n > 0 {
		return made, n
	}
	if made, n := f.distant(i); n > 0 {
		return made, n
	}
	if made, n := f.farCodes(i); n > 0 {
		return made, n
	}
	if made, n := f.asWords(i); n > 0 {
		return made, n
	}
	if made, n := f.direct(i); n > 0 {
		return made, n
	}
	if made := f.one(f.program.Ops[i]); made != nil {
		return made, 1
	}
	return nil, 0
}

// one is the fast form of an op, nil if there is none.
func (f *Frame) one(op Op) runner {
	var made calls
	switch k := op.(type) {
	case *Plane:
		made = f.unpack(rowBits(k.Rows), k.Width, k.To)
	case *Spread:
		made = f.unpack(k.Bits, k.Width, k.To)
	case *Field:
		if made = f.uniform(k); made == nil {
			made = f.gatherFields(k)
		}
	case *Wide:
		made = f.gatherWide(k)
	case *Scalar:
		made = f.scalars(k)
	case *Loose:
		made = f.loose(k)
	case *Halves:
		made = f.halves(k)
	case *Affine, *Lut, *Steps, *Binary, *Sign, *Rows, *Held:
		made = f.byteCalls(k)
	case *Transpose:
		made = f.transpose(k)
	case *Fill:
		made = f.fill(k)
	case *Place:
		return f.place(k)
	case *Epilogue:
		return f.epilogue(k)
	}
	if made == nil {
		return nil
	}
	return made
}

// vectorState is what making a program ready keeps.
type vectorState struct {
	pending map[int]*planes // by the index of their epilogue
	made    map[int]runner  // epilogues that do what an op before them was to do
}

// scratch adds a buffer of the frame's own.
func (f *Frame) scratch(b Buffer) BufferID {
	f.add(b)
	return BufferID(len(f.pitch) - 1)
}

// unpackArgs are the arguments of most kernels. Pointers are to the first block.
type unpackArgs struct {
	src, dst      *byte
	with          *byte // tables, second operands
	desc, offsets *byte
	n             int // blocks; in flat kernels vectors
	stride, pitch int // bytes from block to block of src and dst
	count         int // descriptors or lanes of a block
	step          int
	shift         int // of an affine map
	even, odd     int // shifts of words
	low, plus     uint32
	mask          uint16
	add, xor      byte
	keep, neg     byte
	lut           [16]byte
}

// call is one kernel with its arguments.
type call struct {
	loop    func(*unpackArgs)
	stream  func(*unpackArgs) // with non-temporal stores; nil: none
	args    unpackArgs
	payload bool // src is the payload, from byte at on
	at      int
	out     bool // dst is the output, from lane on
	lane    int
	flat    int // not 0: elements of a block; n counts vectors of 32
	tables  int // bytes from block to block of with
	pace    pace
}

// calls are the kernels of an op, one after the other.
type calls []*call

func (c calls) run(f *Frame) {
	for _, k := range c {
		k.run(f)
	}
}

func (c *call) run(f *Frame) {
	c.args.n = f.n
	if c.flat != 0 {
		c.args.n = (f.n*c.flat + 31) / 32
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
	switch {
	case c.pace.units == 0:
		loop(&c.args)
	case c.long(f):
		c.pieces(loop)
	default:
		if n := c.blocks(f); n < f.n {
			c.someBlocks(f, n, loop)
		} else {
			loop(&c.args)
		}
	}
}

// Fence orders non-temporal stores before what follows.
func Fence() { fence(nil) }
