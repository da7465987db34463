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
