// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import "testing"

func TestBytes(t *testing.T) {
	b := newBench(t, 5)
	for range 4 * trials {
		lanes := b.lanesOf()
		r := &trial{lanes: lanes}
		r.program.Stride = 1
		from := b.codes(r, lanes)
		r.target = r.buffer(U8, lanes)
		var op Op
		switch b.IntN(5) {
		case 0:
			op = &Affine{From: from, Lanes: lanes, Map: *b.affine(), To: r.target}
		case 1:
			table := make([]byte, 2<<b.IntN(8))
			if b.bytes(table); b.IntN(2) == 0 {
				b.halves(table)
			}
			op = &Lut{From: from, Lanes: lanes, Table: table, To: r.target}
		case 2:
			thresholds := make([]byte, b.IntN(5))
			b.bytes(thresholds)
			op = &Steps{From: from, Lanes: lanes, Base: byte(b.Uint32()), Step: byte(b.Uint32()), Thresholds: thresholds, To: r.target}
		default:
			op = &Binary{Op: ByteOp(b.IntN(6)), From: from, With: b.operand(r, lanes), Lanes: lanes, To: r.target}
		}
		b.check(t, r, op, false)
	}
}

func TestHeld(t *testing.T) {
	b := newBench(t, 31)
	for range 2 * trials {
		lanes := b.lanesOf()
		r := &trial{lanes: lanes}
		r.program.Stride = 1
		k := &Held{From: b.codes(r, lanes), Lanes: lanes, Entries: 256}
		if k.From.InPlace == nil {
			k.Entries = 1 + b.IntN(1<<(1+b.IntN(8)))
			r.codes = k.Entries
		}
		k.Table = r.buffer(U8, k.Entries)
		r.target = r.buffer(U8, lanes)
		k.To = r.target
		b.check(t, r, k, false)
	}
}

func TestTranspose(t *testing.T) {
	b := newBench(t, 32)
	for range trials {
		k := &Transpose{Rows: 1 + b.IntN(60), Cols: 2 + b.IntN(50)}
		k.Step = k.Rows + b.IntN(3)*b.IntN(20)
		size := k.Step * k.Cols
		for m := range 1 + b.IntN(3) {
			k.Bytes = append(k.Bytes, b.IntN(9)+m*size)
		}
		r := &trial{lanes: len(k.Bytes) * k.Rows * k.Cols}
		r.program.Stride = k.last(nil) + b.IntN(2)*b.IntN(20)
		r.target = r.buffer(U8, r.lanes)
		k.To = r.target
		b.check(t, r, k, false)
	}
}

// halves is a table that is two of 16 entries.
func (b *bench) halves(table []byte) {
	parts := make([]byte, 32)
	b.bytes(parts)
	sum := b.IntN(2) == 0
	for c := range table {
		if table[c] = parts[c%16] ^ parts[16+c/16]; sum {
			table[c] = parts[c%16] + parts[16+c/16]
		}
	}
}

func (b *bench) operand(r *trial, lanes int) Operand {
	if b.IntN(2) == 0 {
		row := make([]byte, 1+b.IntN(lanes))
		b.bytes(row)
		return Operand{Constant: row}
	}
	group := []int{1, 1, 2, 3, 4, 8, 16, 32, 1 + b.IntN(lanes)}[b.IntN(9)]
	return Operand{Buffer: r.buffer(U8, (lanes+group-1)/group), Group: group}
}

func TestSign(t *testing.T) {
	b := newBench(t, 6)
	for range trials {
		lanes := b.lanesOf()
		r := &trial{lanes: lanes}
		r.program.Stride = 1
		from := b.codes(r, lanes)
		r.target = r.buffer(U8, lanes)
		row := make([]byte, lanes)
		for i := range row {
			row[i] = 1 - 2*byte(b.IntN(2))
		}
		b.check(t, r, &Sign{From: from, With: Operand{Constant: row}, Lanes: lanes, To: r.target}, false)
	}
}

func TestRows(t *testing.T) {
	b := newBench(t, 7)
	for range trials {
		size, width := 2+b.IntN(15), 1+b.IntN(11)
		count := 1 + b.IntN(60)
		kind := U16
		if width <= 8 && b.IntN(2) == 0 {
			kind = U8
		}
		r := &trial{lanes: size * count, codes: 1 << width}
		r.program.Stride = 1
		k := &Rows{Count: count, R: size, Table: make([]byte, size<<width)}
		b.bytes(k.Table)
		k.From = r.buffer(kind, count)
		r.target = r.buffer(U8, r.lanes)
		k.To = r.target
		b.check(t, r, k, false)
	}
}
