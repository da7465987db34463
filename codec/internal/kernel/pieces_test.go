// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import "testing"

// TestLargeBlocks: calls on blocks of many lanes are cut into pieces, which changes nothing.
func TestLargeBlocks(t *testing.T) {
	b := newBench(t, 21)
	cases := 12
	if testing.Short() {
		cases = 2
	}
	for range cases {
		lanes := 5000 + b.IntN(12000)
		if b.IntN(2) == 0 {
			lanes &^= 255
		}
		b.largeUnpacking(t, lanes)
		b.largeBytes(t, lanes)
		b.largeFloats(t, lanes)
		for range 6 {
			b.epilogue(t, lanes)
		}
	}
}

// large is a trial of one block.
func (b *bench) large(lanes, stride int) *trial {
	r := &trial{lanes: lanes, one: true}
	r.program.Stride = stride
	return r
}

func (b *bench) largeUnpacking(t *testing.T, lanes int) {
	width := 1 + b.IntN(8)
	for _, kind := range []Kind{U8, U16} {
		rows, size := b.rows(lanes, width)
		r := b.large(lanes, size)
		r.target = r.buffer(kind, lanes)
		b.check(t, r, &Plane{Rows: rows, Width: width, To: Target{Buffer: r.target}}, false)
		bits, size := b.spread(lanes, width)
		r.program.Stride = size
		b.check(t, r, &Spread{Bits: bits, Width: width, To: Target{Buffer: r.target}}, false)
		field := &Field{To: Target{Buffer: r.target}}
		for range lanes {
			var lane []Segment
			for range b.IntN(3) {
				lane = append(lane, Segment{Bit: b.IntN(8 * size), Width: 1 + b.IntN(8)})
			}
			field.Lanes = append(field.Lanes, lane)
		}
		b.check(t, r, field, false)
	}
}

func (b *bench) largeBytes(t *testing.T, lanes int) {
	r := b.large(lanes, 1)
	from, with := Buf(r.buffer(U8, lanes)), r.buffer(U8, lanes)
	r.target = r.buffer(U8, lanes)
	table := make([]byte, 256)
	b.bytes(table)
	for _, op := range []Op{
		&Affine{From: from, Lanes: lanes, Map: *b.affine(), To: r.target},
		&Lut{From: from, Lanes: lanes, Table: table, To: r.target},
		&Held{From: from, Lanes: lanes, Table: r.buffer(U8, 256), Entries: 256, To: r.target},
		&Steps{From: from, Lanes: lanes, Base: 3, Step: 5, Thresholds: []byte{9, 70}, To: r.target},
		&Binary{Op: ByteOp(b.IntN(6)), From: from, With: Operand{Buffer: with, Group: 1}, Lanes: lanes, To: r.target},
		&Binary{Op: ByteOp(b.IntN(6)), From: from, With: Operand{Buffer: with, Group: 4}, Lanes: lanes, To: r.target},
		&Binary{Op: ByteOp(b.IntN(6)), From: from, With: Operand{Constant: table[:100]}, Lanes: lanes, To: r.target},
	} {
		b.check(t, r, op, false)
	}
	size := 2 + b.IntN(15)
	rows := b.large(lanes/size*size, 1)
	index := rows.buffer(U8, lanes/size)
	rows.target = rows.buffer(U8, lanes/size*size)
	cells := make([]byte, size*256)
	b.bytes(cells)
	b.check(t, rows, &Rows{From: index, Count: lanes / size, R: size, Table: cells, To: rows.target}, false)
}

func (b *bench) largeFloats(t *testing.T, lanes int) {
	format := Format(b.IntN(int(Uint64) + 1))
	r := b.large(lanes, lanes*format.size()+1)
	halves := r.buffer(U16, lanes)
	r.target = r.buffer(F32, lanes)
	scalar, apart := &Scalar{Format: format, To: r.target}, &Scalar{Format: format, To: r.target}
	loose, wide := &Loose{Format: format, To: r.target}, &Wide{Width: 16, Xor: 1 << 15, Add: -1 << 15, To: r.target}
	for l := range lanes {
		scalar.Bytes, apart.Bytes = append(scalar.Bytes, l*format.size()), append(apart.Bytes, b.IntN(lanes))
		loose.Parts = append(loose.Parts, []Segment{{Bit: b.IntN(8 * lanes), Width: 8 * format.size()}})
		wide.Bits = append(wide.Bits, 16*l%(8*r.program.Stride-32))
	}
	for _, op := range []Op{
		scalar, apart, loose, wide, &Halves{From: halves, Lanes: lanes, Format: BF16, To: r.target},
	} {
		b.check(t, r, op, false)
	}
}

// TestLargePatterns has groups that are again where they were after more lanes than a call does, and such of which a block has no
// whole number.
func TestLargePatterns(t *testing.T) {
	b := newBench(t, 57)
	for range 12 {
		few := []int{20, 12, 4, 10, 2}[b.IntN(5)]
		many := []int{5000, 4104, 8200, 100 * few}[b.IntN(4)]
		lanes := many * (8200/many + 1)
		if b.IntN(2) == 0 {
			many, lanes = few, few*(4100/few+1+b.IntN(500))
		}
		r := b.large(lanes, 1)
		k := &Epilogue{Lanes: lanes, SubB: b.IntN(2) == 0, ToOut: b.IntN(2) == 0, Source: Source{Kind: FromU8, Codes: Buf(r.buffer(U8, lanes))}}
		k.A = Parameter{Kind: Group, N: few, Buffer: r.buffer(F32, lanes/few)}
		k.B = Parameter{Kind: Group, N: many, Buffer: r.buffer(F32, lanes/many)}
		if b.IntN(2) == 0 {
			k.Z, k.B = k.B, Parameter{}
		}
		if r.program.Lanes, r.toOut = 1, k.ToOut; k.ToOut {
			r.program.Lanes = lanes
		} else {
			r.target = r.buffer(F32, lanes)
			k.To = r.target
		}
		b.check(t, r, k, false)
	}
}

// TestLargeTurns places buffers in turns of which each takes one call or several.
func TestLargeTurns(t *testing.T) {
	b := newBench(t, 58)
	for range 12 {
		n := 2 + b.IntN(7)
		each := []int{512, 1024, 1032, 2048, 4096, 1000 + b.IntN(4000)}[b.IntN(6)]
		r := &trial{lanes: n * each, toOut: true, one: true}
		k := &Place{}
		for j := range n {
			k.From = append(k.From, r.buffer(F32, each))
			for l := range each {
				k.At = append(k.At, int32(l*n+j))
			}
		}
		r.program.Stride, r.program.Lanes = 1, r.lanes
		b.check(t, r, k, r.lanes%eightLanes == 0 && b.IntN(2) == 0)
	}
}
