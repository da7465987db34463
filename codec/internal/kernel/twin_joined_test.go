// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import "testing"

// TestJoined makes chains of functions of single bytes that end in an epilogue.
func TestJoined(t *testing.T) {
	b := newBench(t, 21)
	joined := 0
	for range 2 * trials {
		lanes := b.lanesOf()
		r := &trial{lanes: lanes, toOut: b.IntN(4) > 0}
		ops, codes := b.chain(r, lanes)
		k := &Epilogue{Lanes: lanes, SubB: b.IntN(2) == 0, ToOut: r.toOut}
		k.Source = Source{Kind: []SourceKind{FromU8, FromI8, FromTable}[b.IntN(3)], Codes: codes}
		if k.Source.Kind == FromTable {
			k.Source.Table = make([]float32, 2<<b.IntN(8))
			for i := range k.Source.Table {
				k.Source.Table[i] = b.float()
			}
		}
		group := []int{8, 16, 32, lanes, 4, 1}[b.IntN(6)]
		for _, p := range []*Parameter{&k.Z, &k.A, &k.B} {
			if b.IntN(3) > 0 {
				*p = b.parameter(r, lanes, group)
			}
		}
		r.program.Lanes = 1
		if r.toOut {
			k.Lane = b.IntN(3)
			r.program.Lanes = k.Lane + lanes + b.IntN(3)
		} else {
			r.target = r.buffer(F32, lanes)
			k.To = r.target
		}
		b.checkAll(t, r, false, append(ops, k)...)
		if made := r.program.NewFrame(1).portable(); len(made) < len(ops)+1 {
			joined++
		}
	}
	if joined < trials/2 {
		t.Errorf("only %d chains were joined", joined)
	}
}

// chain is ops that read the payload's bytes and then each other's codes.
func (b *bench) chain(r *trial, lanes int) ([]Op, Codes) {
	rows, size := b.rows(lanes, 8)
	r.program.Stride = size
	from := Codes{InPlace: rows}
	var ops []Op
	switch b.IntN(3) {
	case 0:
		from, ops = b.segments(r, lanes)
	case 1:
		width := 1 + b.IntN(8)
		rows, size := b.rows(lanes, width)
		r.program.Stride = size
		k := &Plane{Rows: rows, Width: width, To: Target{Buffer: r.buffer(U8, lanes), Left: b.IntN(9 - width)}}
		k.To.Post = b.post(1 << (width + k.To.Left))
		from, ops = Buf(k.To.Buffer), append(ops, k)
	}
	for range b.IntN(4) {
		to := r.buffer(U8, lanes)
		var op Op
		switch b.IntN(4) {
		case 0:
			op = &Affine{From: from, Lanes: lanes, Map: *b.affine(), To: to}
		case 1:
			table := make([]byte, 2<<b.IntN(8))
			b.bytes(table)
			op = &Lut{From: from, Lanes: lanes, Table: table, To: to}
		case 2:
			thresholds := make([]byte, b.IntN(5))
			b.bytes(thresholds)
			op = &Steps{From: from, Lanes: lanes, Base: byte(b.Uint32()), Step: byte(b.Uint32()), Thresholds: thresholds, To: to}
		default:
			row := make([]byte, []int{1, 2, 3, 16, lanes}[b.IntN(5)])
			b.bytes(row)
			op = &Binary{Op: ByteOp(b.IntN(6)), From: from, With: Operand{Constant: row}, Lanes: lanes, To: to}
		}
		from, ops = Buf(to), append(ops, op)
	}
	return ops, from
}

// segments is one or two fields of a buffer, finished at last.
func (b *bench) segments(r *trial, lanes int) (Codes, []Op) {
	to := Target{Buffer: r.buffer(U8, lanes)}
	width := 1 + b.IntN(6)
	rows, size := b.rows(lanes, width)
	ops := []Op{&Plane{Rows: rows, Width: width, To: to}}
	to.Or, to.Left, to.Post = true, width, b.post(256)
	width = 1 + b.IntN(8-width)
	bits, last := b.spread(lanes, width)
	r.program.Stride = max(size, last)
	return Buf(to.Buffer), append(ops, &Spread{Bits: bits, Width: width, To: to})
}

// Codes that two ops read, or that are written twice, stay in their buffer.
func TestNotJoined(t *testing.T) {
	rows := []Row{{Len: 8}}
	plane := &Plane{Rows: rows, Width: 4}
	or := &Plane{Rows: rows, Width: 4, To: Target{Left: 4, Or: true}}
	epilogue := &Epilogue{Source: Source{Kind: FromU8}, Lanes: 8, ToOut: true}
	other := &Epilogue{Source: Source{Kind: FromI8}, Lanes: 8, ToOut: true, Lane: 8}
	for _, c := range []struct {
		ops   []Op
		lanes int
		want  int
	}{
		{[]Op{plane, epilogue}, 8, 1},
		{[]Op{plane, or, epilogue}, 8, 3},
		{[]Op{plane, epilogue, other}, 16, 3},
		{[]Op{plane, epilogue}, 0, 2}, // a store may read the codes as well
	} {
		p := &Program{Stride: 8, Lanes: c.lanes, Buffers: []Buffer{{U8, 8}}, Ops: c.ops}
		if made := p.NewFrame(1).portable(); len(made) != c.want {
			t.Errorf("%v: %d loops, not %d", p, len(made), c.want)
		}
	}
}
