// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import "testing"

// TestScaled multiplies a few codes by a half of the block.
func TestScaled(t *testing.T) {
	b := newBench(t, 37)
	together := 0
	for range 2 * trials {
		r := &trial{lanes: 1 + b.IntN(16)}
		codes, scale, width := r.buffer(U8, r.lanes), r.buffer(F32, 1), 1+b.IntN(4)
		var ops []Op
		for i := range 1 + b.IntN(2) {
			to := Target{Buffer: codes, Left: 4 * i, Or: i > 0}
			if b.IntN(3) == 0 {
				rows, size := b.rows(r.lanes, width)
				ops = append(ops, &Plane{Rows: rows, Width: width, To: to})
				r.program.Stride = max(r.program.Stride, size)
				continue
			}
			bits, size := b.spread(r.lanes, width)
			ops = append(ops, &Spread{Bits: bits, Width: width, To: to})
			r.program.Stride = max(r.program.Stride, size)
		}
		number := &Scalar{Format: []Format{F16, F16, F16, BF16}[b.IntN(4)], Bytes: []int{b.IntN(40)}, To: scale}
		r.program.Stride = max(r.program.Stride, number.Bytes[0]+2)
		r.program.Lanes = 1
		r.target = r.buffer(F32, r.lanes)
		k := &Epilogue{Source: Source{Kind: FromU8, Codes: Buf(codes)}, Lanes: r.lanes, A: Parameter{Kind: Group, N: r.lanes + b.IntN(2), Buffer: scale}, To: r.target}
		ops = append(ops, number, k)
		b.checkAll(t, r, false, ops...)
		if len(r.program.NewFrame(1).ops) == 1 {
			together++
		}
	}
	t.Logf("%d times in one loop", together)
}
