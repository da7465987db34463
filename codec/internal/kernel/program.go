// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"fmt"
	"strings"
)

// Kind is the element type of a buffer.
type Kind uint8

// The kinds of buffers.
const (
	U8  Kind = iota // codes of one byte
	U16             // codes of two bytes: indices
	F32             // values and parameters
)

func (k Kind) String() string { return [...]string{"u8", "u16", "f32"}[k] }

// Buffer declares scratch memory: lanes elements a block.
type Buffer struct {
	Kind  Kind
	Lanes int
}

// Pitch is the distance between blocks in elements.
func (b Buffer) Pitch() int { return (b.Lanes + 7) &^ 7 }

// BufferID names a buffer of a program by its place in Program.Buffers.
type BufferID int

// Op is one kernel with its parameters.
type Op interface {
	// ready makes the portable form of the kernel for a frame: what can be computed
	// ahead is, so that running allocates nothing.
	ready(f *Frame) runner
	// last is the number of payload bytes, from a block's begin, that run may
	// touch; 0 for kernels that read no payload.
	last(p *Program) int
	// String names the kernel and its parameters in one line, as plans print it.
	String() string
}

// Program turns blocks of a payload into lanes of float32.
type Program struct {
	Stride  int // bytes of a block
	Lanes   int // output lanes of a block
	Buffers []Buffer
	Ops     []Op
}

// Over returns the number of bytes behind the last block that running the
// program may read.
func (p *Program) Over() int {
	over := 0
	for _, op := range p.Ops {
		over = max(over, op.last(p)-p.Stride)
	}
	return over
}

// String prints one kernel a line.
func (p *Program) String() string {
	var b strings.Builder
	for _, op := range p.Ops {
		fmt.Fprintln(&b, op)
	}
	return b.String()
}

// Frame is the memory of one goroutine that runs a program.
type Frame struct {
	// Stream asks for stores that bypass the caches: for output much larger than
	// them. Only output aligned to 32 bytes gets them. The caller then calls Fence once,
	// behind its last Run.
	Stream bool

	program *Program
	ops     []runner
	tile    int
	n       int    // blocks in this run
	payload []byte // from the first block on, Over bytes behind the last included
	stride  int
	u8      [][]byte
	u16     [][]uint16
	f32     [][]float32
	pitch   []int
	out     []float32
	lanes   int  // output lanes of a block
	over    int  // bytes of payload behind the last block
	stream  bool // in this run
	patched bool // lanes of the output are written twice

	vectorState
}

// NewFrame allocates the buffers for tiles of up to n blocks.
func (p *Program) NewFrame(n int) *Frame {
	f := &Frame{program: p, tile: n, stride: p.Stride, lanes: p.Lanes, over: p.Over(), patched: p.patchesOut()}
	for _, b := range p.Buffers {
		f.add(b)
	}
	f.prepare()
	return f
}

// add allocates a buffer, with slack that lets vector code write whole registers.
func (f *Frame) add(b Buffer) {
	var u8 []byte
	var u16 []uint16
	var f32 []float32
	switch size := f.tile*b.Pitch() + slack; b.Kind {
	case U8:
		u8 = make([]byte, size+mostEntries)
	case U16:
		u16 = make([]uint16, size)
	default:
		f32 = make([]float32, size+mostEntries)
	}
	f.u8, f.u16, f.f32 = append(f.u8, u8), append(f.u16, u16), append(f.f32, f32)
	f.pitch = append(f.pitch, b.Pitch())
}

// mostEntries is how many elements behind its begin a table in a buffer is looked up in: vector code works on
// lanes that are not there as well, and what a buffer of codes holds for them can be any byte.
const mostEntries = 256

// slack is the number of elements behind a buffer's last block that a kernel may
// overwrite.
const slack = 32

// Run decodes n blocks, at most as many as the frame was made for, into n*Lanes
// elements of out. payload begins at the first block and has n*Stride bytes and
// Over bytes more.
func (f *Frame) Run(payload []byte, n int, out []float32) {
	if n == 0 {
		return
	}
	if n > f.tile || len(payload) < n*f.stride+f.over {
		panic("kernel: Run beyond its frame or payload")
	}
	f.n, f.payload, f.out = n, payload, out[:n*f.lanes]
	f.stream = f.Stream && !f.patched && aligned(f.out)
	for _, op := range f.ops {
		op.run(f)
	}
}
