// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import "testing"

// TestMerged runs programs on blocks, and on runs of blocks as on larger ones.
func TestMerged(t *testing.T) {
	b := newBench(t, 34)
	merged := 0
	for range 4 * trials {
		r := &trial{lanes: []int{4, 8, 12, 15, 20, 24, 28, 40, 3}[b.IntN(9)]}
		r.program.Lanes = r.lanes
		ops := b.smallProgram(r)
		r.program.Ops = ops
		n := []int{2, 3, 8, 32}[b.IntN(4)]
		large := r.program.Merged(n)
		if large == nil {
			continue
		}
		merged++
		b.sameMerged(t, &r.program, large, n)
	}
	if merged < trials {
		t.Errorf("%d programs were merged", merged)
	}
}

// sameMerged compares a program with that on runs of n blocks.
func (b *bench) sameMerged(t *testing.T, p, large *Program, n int) {
	t.Helper()
	runs := 1 + b.IntN(3)
	over := max(large.Over(), p.Over())
	payload := b.payload[len(b.payload)-runs*large.Stride-over:]
	b.bytes(payload)
	got, want := b.out[len(b.out)-runs*large.Lanes:], make([]float32, runs*large.Lanes)
	twin := p.NewFrame(runs * n)
	twin.ops = nil
	for _, op := range p.Ops {
		twin.ops = append(twin.ops, op.ready(twin))
	}
	large.NewFrame(runs).Run(payload[:runs*large.Stride+large.Over()], runs, got)
	twin.Run(payload, runs*n, want)
	sameFloats(t, p.String(), got, want)
}

// smallProgram is codes, perhaps mapped or combined, a parameter and an epilogue.
func (b *bench) smallProgram(r *trial) []Op {
	lanes, width := r.lanes, 1+b.IntN(6)
	codes := r.buffer(U8, lanes)
	var ops []Op
	if b.IntN(2) == 0 {
		rows, size := b.rows(lanes, width)
		r.program.Stride = size
		ops = append(ops, &Plane{Rows: rows, Width: width, To: Target{Buffer: codes, Post: b.post(1 << width)}})
	} else {
		bits, size := b.spread(lanes, width)
		r.program.Stride = size
		ops = append(ops, &Spread{Bits: bits, Width: width, To: Target{Buffer: codes, Post: b.post(1 << width)}})
	}
	more := []func() Op{
		func() Op { return &Affine{From: Buf(codes), Lanes: lanes, Map: *b.affine(), To: codes} },
		func() Op {
			table := make([]byte, 2<<b.IntN(8))
			b.bytes(table)
			return &Lut{From: Buf(codes), Lanes: lanes, Table: table, To: codes}
		},
		func() Op {
			row := make([]byte, 1+b.IntN(lanes))
			b.bytes(row)
			return &Binary{Op: ByteOp(b.IntN(6)), From: Buf(codes), With: Operand{Constant: row}, Lanes: lanes, To: codes}
		},
	}
	if i := b.IntN(2 * len(more)); i < len(more) {
		ops = append(ops, more[i]())
	}
	group := []int{lanes, lanes, 4, 1 + b.IntN(lanes)}[b.IntN(4)]
	scale := &Scalar{Format: Format(b.IntN(int(Uint64) + 1)), To: r.buffer(F32, (lanes+group-1)/group)}
	for range (lanes + group - 1) / group {
		scale.Bytes = append(scale.Bytes, b.IntN(20))
	}
	r.program.Stride = max(r.program.Stride, 28)
	k := &Epilogue{Source: Source{Kind: SourceKind(b.IntN(2)), Codes: Buf(codes)}, Lanes: lanes, ToOut: true}
	k.A = Parameter{Kind: Group, N: group, Buffer: scale.To}
	if b.IntN(3) == 0 {
		k.A = Parameter{Kind: Period, N: len(scale.Bytes), Buffer: scale.To}
	}
	if b.IntN(3) == 0 {
		k.B = Parameter{Kind: Const, Value: b.float()}
	}
	return append(ops, scale, k)
}
