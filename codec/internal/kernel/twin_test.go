// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"
)

// maxTest is the size of the memory behind guard pages.
const maxTest = 1 << 20

// bench is where ops and their twins run.
type bench struct {
	random
	payload []byte
	out     []float32
}

func newBench(t *testing.T, seed uint64) *bench {
	return &bench{newRandom(seed), guarded(t, maxTest), guardedFloats(t, maxTest)}
}

// trial is an op with the program it stands in.
type trial struct {
	program Program
	target  BufferID // what the op writes, unless ToOut
	toOut   bool
	lanes   int
	codes   int  // codes in buffers are below this; 0: any
	bits    int  // not 0: the number of a buffer of floats that are codes, plus one
	one     bool // one block
}

// buffer adds a buffer to the trial's program.
func (t *trial) buffer(kind Kind, lanes int) BufferID {
	t.program.Buffers = append(t.program.Buffers, Buffer{kind, lanes})
	return BufferID(len(t.program.Buffers) - 1)
}

// check runs the op and its twin on the same random memory.
func (b *bench) check(t *testing.T, r *trial, op Op, stream bool) {
	t.Helper()
	b.checkAll(t, r, stream, op)
}

// checkAll is check for ops that follow each other.
func (b *bench) checkAll(t *testing.T, r *trial, stream bool, ops ...Op) {
	t.Helper()
	r.program.Ops = ops
	op := ops[len(ops)-1]
	n := 1 + b.IntN(20)
	if r.one || r.lanes > pieceOfTests {
		n = 1
	}
	over := r.program.Over()
	payload := b.payload[len(b.payload)-n*r.program.Stride-over:]
	b.bytes(payload)
	fast, twin := r.program.NewFrame(n+b.IntN(3)), r.program.NewFrame(n+2)
	twin.ops = nil
	for _, op := range ops {
		twin.ops = append(twin.ops, op.ready(twin))
	}
	b.fill(r, fast, twin, n)
	portable := r.program.NewFrame(n + 1)
	portable.ops = portable.portable()
	for i := range portable.pitch {
		if r.program.fills(BufferID(i)) != nil {
			continue
		}
		size := n * fast.pitch[i]
		copy(portable.u8[i], fast.u8[i][:min(size, len(fast.u8[i]))])
		copy(portable.u16[i], fast.u16[i][:min(size, len(fast.u16[i]))])
		copy(portable.f32[i], fast.f32[i][:min(size, len(fast.f32[i]))])
	}
	want := make([]float32, n*r.program.Lanes)
	for i := range want {
		want[i] = float32(i)
	}
	twin.Run(payload, n, want)
	fast.Stream = stream
	where := fmt.Sprintf("%s, %d blocks of %d", op, n, r.program.Stride)
	b.compare(t, r, where, fast, twin, payload, n, want)
	b.compare(t, r, where+", portable", portable, twin, payload, n, want)
}

// pieceOfTests is how many lanes make a block so large that one is enough.
const pieceOfTests = 4096

func same[E comparable](t *testing.T, where string, got, want []E) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s: lane %d is %v, not %v\n got %v\nwant %v", where, i, got[i], want[i], got, want)
		}
	}
}

func sameFloats(t *testing.T, where string, got, want []float32) {
	t.Helper()
	for i, w := range want {
		if g := got[i]; math.Float32bits(g) != math.Float32bits(w) && !(g != g && w != w) {
			t.Fatalf("%s: lane %d is %v (%#x), not %v (%#x)", where, i, g, math.Float32bits(g), w, math.Float32bits(w))
		}
	}
}

// fill gives both frames the same random buffers, except those that ops of the
// program fill once.
func (b *bench) fill(r *trial, fast, twin *Frame, n int) {
	for i := range r.program.Buffers {
		pitch := fast.pitch[i]
		if r.program.fills(BufferID(i)) != nil {
			continue
		}
		for j := range n * pitch {
			c := b.Uint32()
			if r.codes != 0 {
				c %= uint32(r.codes)
			}
			switch {
			case fast.u8[i] != nil:
				fast.u8[i][j], twin.u8[i][j] = byte(c), byte(c)
			case fast.u16[i] != nil:
				fast.u16[i][j], twin.u16[i][j] = uint16(c), uint16(c)
			default:
				x := b.float()
				if r.bits == i+1 {
					x = float32(c)
				}
				fast.f32[i][j], twin.f32[i][j] = x, x
			}
		}
	}
}

// bytes are random, with runs of 0, 0xff and special halves.
func (b *bench) bytes(p []byte) {
	for i := range p {
		p[i] = byte(b.Uint32())
		switch b.IntN(8) {
		case 0:
			p[i] = 0
		case 1:
			p[i] = 0xff
		}
	}
	for range len(p) / 16 {
		if at := b.IntN(len(p)); at+4 <= len(p) {
			binary.LittleEndian.PutUint32(p[at:], math.Float32bits(b.float()))
		}
	}
}

// lanesOf is a number of lanes: small, odd, and round ones.
// lanesOf is a number of lanes, sometimes more than a call does.
func (b *bench) lanesOf() int { return b.orMany(b.fewLanes()) }

// orMany is n lanes, or a multiple of them that are more than a call does.
func (b *bench) orMany(n int) int {
	if b.IntN(40) == 0 {
		return n * (pieceOfTests/n + 1 + b.IntN(pieceOfTests/n+1))
	}
	return n
}

func (b *bench) fewLanes() int {
	switch b.IntN(4) {
	case 0:
		return 1 + b.IntN(12)
	case 1:
		return 8 * (1 + b.IntN(12))
	case 2:
		return 32 * (1 + b.IntN(8))
	default:
		return 1 + b.IntN(150)
	}
}

func (b *bench) post(codes int) Post {
	switch b.IntN(4) {
	case 0:
		return Post{Affine: &Map{Add: byte(b.Uint32())}}
	case 1:
		return Post{Affine: b.affine()}
	case 2:
		if codes <= 16 {
			var table [16]byte
			b.bytes(table[:])
			return Post{Lut: &table}
		}
	}
	return Post{}
}

func (b *bench) affine() *Map {
	return &Map{Xor: byte(b.Uint32()), Shift: b.IntN(8), Neg: b.IntN(2) == 1, Add: byte(b.Uint32())}
}

// rows cuts lanes into rows of the payload.
func (b *bench) rows(lanes, width int) (rows []Row, size int) {
	length := []int{1, 3, 4, 8, 12, 16, 32, 64, lanes}[b.IntN(9)]
	room := b.IntN(40) + lanes
	for at := 0; at < lanes; {
		n := min(length, lanes-at)
		if b.IntN(10) == 0 {
			n = 1 + b.IntN(n)
		}
		r := Row{Byte: b.IntN(room), Lane: at, Len: n, Shift: b.IntN(9 - width)}
		rows, size = append(rows, r), max(size, r.Byte+n)
		at += n
	}
	return rows, size
}

// codes is a source of codes: a buffer, or the payload in place.
func (b *bench) codes(t *trial, lanes int) Codes {
	if b.IntN(2) == 0 {
		return Buf(t.buffer(U8, lanes))
	}
	rows, size := b.rows(lanes, 8)
	t.program.Stride = size + b.IntN(3)
	return Codes{InPlace: rows}
}

func TestPlane(t *testing.T) {
	b := newBench(t, 1)
	for range 4 * trials {
		lanes, width := b.lanesOf(), 1+b.IntN(8)
		r := &trial{lanes: lanes, codes: 16}
		k := &Plane{Width: width, To: Target{Left: b.IntN(9 - width), Or: b.IntN(2) == 1}}
		if k.To.Or || k.To.Left+width > 4 {
			r.codes = 0
		}
		k.Rows, r.program.Stride = b.rows(lanes, width)
		if b.IntN(4) == 0 {
			k.To.Left = b.IntN(17 - width)
			r.target = r.buffer(U16, lanes)
		} else {
			r.target = r.buffer(U8, lanes)
			k.To.Post = b.post(max(r.codes, 1<<(k.To.Left+width)))
		}
		if r.codes == 0 && k.To.Post.Lut != nil {
			k.To.Post = Post{}
		}
		k.To.Buffer = r.target
		b.check(t, r, k, false)
	}
}

func TestSpread(t *testing.T) {
	b := newBench(t, 2)
	for range 8 * trials {
		lanes, width := b.lanesOf(), 1+b.IntN(12)
		if b.IntN(3) == 0 {
			width = 1
		}
		r := &trial{lanes: lanes}
		k := &Spread{Width: width, To: Target{Or: b.IntN(2) == 1}}
		k.Bits, r.program.Stride = b.spread(lanes, width)
		if width > 8 || b.IntN(4) == 0 {
			k.To.Left = b.IntN(17 - width)
			r.target = r.buffer(U16, lanes)
		} else {
			k.To.Left = b.IntN(9 - width)
			r.target = r.buffer(U8, lanes)
			k.To.Post = b.post(1 << (width + k.To.Left))
			if k.To.Post.Lut != nil {
				r.codes = 16
			}
		}
		k.To.Buffer = r.target
		b.check(t, r, k, false)
	}
}

// spread is fields of one width within two bytes each: dense, or anywhere in a
// window.
func (b *bench) spread(lanes, width int) (bits []int, size int) {
	window := []int{8 * 16, 8 * 10, 8 * 4, 8 * 64}[b.IntN(4)]
	if b.IntN(4) == 0 {
		return b.columns(lanes, width)
	}
	dense := b.IntN(2) == 0
	at, base := b.IntN(30), 0
	for l := range lanes {
		if l%eightLanes == 0 {
			base = 8 * b.IntN(40)
		}
		bit := at
		if !dense {
			bit = base + b.IntN(window-width)
		}
		for bit%8+width > 16 {
			bit, at = bit+1, at+1
		}
		if at += width; b.IntN(40) == 0 {
			bit = -1
		}
		bits, size = append(bits, bit), max(size, (bit+width+7)/8)
	}
	return bits, max(size, 1)
}

// columns is fields of words of four bytes, one after the other.
func (b *bench) columns(lanes, width int) (bits []int, size int) {
	row := []int{8, 16, 32, 24, 64}[b.IntN(5)]
	for len(bits) < lanes {
		at := b.IntN(17 - width)
		if b.IntN(2) == 0 {
			at += 8 * b.IntN(30)
		}
		for at%8+width > 16 {
			at++
		}
		for i := range min(row, lanes-len(bits)) {
			bit := at + 32*i
			bits, size = append(bits, bit), max(size, (bit+width+7)/8)
		}
	}
	return bits, size
}

// TestSmall ORs segments into a few lanes.
func TestSmall(t *testing.T) {
	b := newBench(t, 12)
	for range 4 * trials {
		r := &trial{lanes: 1 + b.IntN(20)}
		r.target = r.buffer(U8, r.lanes)
		var ops []Op
		for range 1 + b.IntN(4) {
			width := 1 + b.IntN(8)
			to := Target{Buffer: r.target, Left: b.IntN(9 - width), Or: len(ops) > 0}
			if b.IntN(6) == 0 {
				to.Post = Post{Affine: b.affine()}
			}
			if b.IntN(2) == 0 {
				rows, size := b.rows(r.lanes, width)
				ops = append(ops, &Plane{Rows: rows, Width: width, To: to})
				r.program.Stride = max(r.program.Stride, size)
				continue
			}
			bits, size := b.spread(r.lanes, width)
			ops = append(ops, &Spread{Bits: bits, Width: width, To: to})
			r.program.Stride = max(r.program.Stride, size)
		}
		b.checkAll(t, r, false, ops...)
	}
}

func TestField(t *testing.T) {
	b := newBench(t, 3)
	for range trials {
		lanes := b.lanesOf()
		r := &trial{lanes: lanes}
		k := &Field{To: Target{Or: b.IntN(2) == 1}}
		room := 1 + b.IntN(200)
		for range lanes {
			var lane []Segment
			for range b.IntN(5) {
				width := 1 + b.IntN(16)
				lane = append(lane, Segment{Bit: b.IntN(8 * room), Width: width, Left: b.IntN(17 - width)})
			}
			k.Lanes = append(k.Lanes, lane)
		}
		r.program.Stride = room
		if b.IntN(2) == 0 {
			r.target = r.buffer(U16, lanes)
		} else {
			r.target = r.buffer(U8, lanes)
			k.To.Post = b.post(256)
		}
		k.To.Buffer = r.target
		b.check(t, r, k, false)
	}
}

func TestFloatsOfPayload(t *testing.T) {
	b := newBench(t, 4)
	for range trials {
		lanes, room := b.lanesOf(), 1+b.IntN(100)
		r := &trial{lanes: lanes}
		r.target = r.buffer(F32, lanes)
		wide := &Wide{Width: 9 + b.IntN(16), Xor: b.Uint32() & 0xff, Add: int32(b.IntN(1000) - 500), To: r.target}
		scalar := &Scalar{Format: Format(b.IntN(int(Uint64) + 1)), To: r.target}
		neighbours := b.IntN(2) == 0
		for l := range lanes {
			wide.Bits = append(wide.Bits, b.IntN(8*room))
			at := b.IntN(room)
			if neighbours {
				at = l * scalar.Format.size()
			}
			scalar.Bytes = append(scalar.Bytes, at)
		}
		r.program.Stride = room + 4
		b.check(t, r, wide, false)
		r.program.Stride = room + 8
		if neighbours {
			r.program.Stride = lanes * scalar.Format.size()
		}
		b.check(t, r, scalar, false)
	}
	for range trials {
		r := &trial{lanes: 1 + b.IntN(5)}
		k := &Loose{Format: Format(b.IntN(int(Uint64) + 1)), To: r.buffer(F32, r.lanes)}
		r.program.Stride = 1 + b.IntN(40)
		for range r.lanes {
			k.Parts = append(k.Parts, b.parts(8*k.Format.size(), 8*r.program.Stride))
		}
		r.target = k.To
		b.check(t, r, k, false)
	}
	for range trials / 4 {
		r := &trial{lanes: b.lanesOf()}
		r.program.Stride = 1
		from := r.buffer(U16, r.lanes)
		r.target = r.buffer(F32, r.lanes)
		b.check(t, r, &Halves{From: from, Lanes: r.lanes, Format: Format(b.IntN(2)), To: r.target}, false)
	}
}

// parts is a number of width bits out of room bits, in one run or several.
func (b *bench) parts(width, room int) []Segment {
	var out []Segment
	for at := 0; at < width; {
		n := min(width-at, 1+b.IntN(57), room)
		if b.IntN(3) == 0 {
			n = min(width-at, 57, room)
		}
		if b.IntN(8) > 0 {
			out = append(out, Segment{Bit: b.IntN(room - n + 1), Width: n, Left: at})
		}
		at += n
	}
	return out
}
