// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import (
	"math"
	"testing"
)

// TestDwords makes floats of numbers that lie regularly or anywhere, with an epilogue behind them,
// which may become one loop.
func TestDwords(t *testing.T) {
	b := newBench(t, 31)
	ways := map[int]int{}
	fused, cases := 0, 12*trials
	if testing.Short() {
		cases = 2 * trials
	}
	for range cases {
		lanes := b.lanesOf()
		if b.IntN(200) == 0 {
			lanes = 8 * (600 + b.IntN(300))
		}
		r := &trial{lanes: lanes, toOut: b.IntN(3) > 0}
		from := r.buffer(F32, lanes)
		op := b.numbers(r, lanes, from)
		group := []int{8, 16, 32, lanes, 24, 64, 1 + b.IntN(lanes)}[b.IntN(7)]
		period := []int{0, 0, 1, 2, 3, 4, 6, 8}[b.IntN(8)]
		k := &Epilogue{Source: Source{Kind: FromF32, From: from}, Lanes: lanes, SubB: b.IntN(2) == 0, Div: b.IntN(8) == 0, ToOut: r.toOut}
		for _, p := range []*Parameter{&k.Z, &k.A, &k.B} {
			if b.IntN(2) == 0 {
				if *p = b.parameter(r, lanes, group); period != 0 && p.Kind != Const {
					*p = Parameter{Kind: Period, N: period, Buffer: r.buffer(F32, period)}
				}
			}
		}
		if b.IntN(10) == 0 {
			k.S = b.parameter(r, lanes, 1)
		}
		if k.Div && b.IntN(4) > 0 {
			divisor := math.Ldexp(float64(b.IntN(1<<20)-1<<19), b.IntN(48)-40)
			if k.A = (Parameter{Kind: Const, Value: float32(divisor)}); b.IntN(2) == 0 {
				k.Z = Parameter{}
			}
		}
		r.program.Lanes = 1
		if r.toOut {
			k.Lane = 8 * b.IntN(3)
			r.program.Lanes = k.Lane + lanes + []int{0, 0, 1, 8}[b.IntN(4)]
		} else {
			r.target = r.buffer(F32, lanes)
			k.To = r.target
		}
		stream := b.IntN(2) == 0
		b.checkAll(t, r, stream, op, k)
		if r.program.NewFrame(1).fuses(ways) {
			fused++
		}
	}
	t.Logf("%d in one loop", fused)
	if fused < cases/12 && fusing() {
		t.Errorf("only %d in one loop", fused)
	}
	rare := 0
	for way := range wayCount {
		if ways[way] == 0 {
			rare++
			t.Logf("no numbers were read in way %d", way)
		}
	}
	if rare > 2 && fusing() && !testing.Short() {
		t.Errorf("%d ways to read numbers were not tried", rare)
	}
}

// numbers is an op that reads numbers of any width, at steps that are the same or not.
func (b *bench) numbers(r *trial, lanes int, to BufferID) Op {
	if b.IntN(8) == 0 {
		k := &Wide{Width: 16, To: to}
		if b.IntN(2) == 0 {
			k.Xor, k.Add = 1<<15, -1<<15
		}
		for l := range lanes {
			k.Bits = append(k.Bits, 16*l)
		}
		r.program.Stride = 2*lanes + b.IntN(3)
		return k
	}
	if b.IntN(4) == 0 {
		k := &Scalar{Format: Format(b.IntN(int(Uint32) + 1)), To: to}
		n, size := []int{1, 1, 2, 3, 4, 6}[b.IntN(6)], k.Format.size()
		step, at := n*size+b.IntN(7), b.IntN(5)
		for l := range lanes {
			k.Bytes = append(k.Bytes, at+l/n*step+l%n*size)
		}
		r.program.Stride = at + (lanes+n-1)/n*step + b.IntN(3)
		return k
	}
	k := &Loose{Format: []Format{F16, BF16, Float32, Int32, Int32, Int32, Uint32}[b.IntN(7)], To: to}
	width := 8 * k.Format.size()
	if k.Format == Int32 {
		if width = 1 + b.IntN(32); b.IntN(2) == 0 {
			k.Sign = width
		}
		if width < 25 && b.IntN(2) == 0 {
			k.Add = int32(b.IntN(1<<24) - 1<<23)
		}
	}
	if k.Format == F16 && b.IntN(2) == 0 {
		k.Unit = 256
	}
	left := 0
	if k.Format == F16 && b.IntN(2) == 0 {
		width = 5 + b.IntN(11)
		left = b.IntN(17 - width)
	}
	if k.Parts, r.program.Stride = b.runs(lanes, width); b.IntN(2) == 0 {
		k.Parts, r.program.Stride = b.records(lanes, width)
	}
	for _, parts := range k.Parts {
		for i := range parts {
			parts[i].Left += left
		}
	}
	if k.Format == Int32 && b.IntN(3) == 0 {
		b.mixedSigns(k, min(width, 31))
	}
	return k
}

// mixedSigns makes numbers narrower, each in its way, and some of them signed.
func (b *bench) mixedSigns(k *Loose, width int) {
	k.Sign, k.Signs = 0, make([]int, len(k.Parts))
	turn := 1 + b.IntN(10)
	widths, signs := make([]int, turn), make([]bool, turn)
	for l := range turn {
		widths[l], signs[l] = 1+b.IntN(width), b.IntN(2) == 0
	}
	for l, parts := range k.Parts {
		w, kept := widths[l%turn], []Segment(nil)
		for _, s := range parts {
			if s.Width = min(s.Width, w-s.Left); s.Width > 0 {
				kept = append(kept, s)
			}
		}
		if k.Parts[l] = kept; signs[l%turn] {
			k.Signs[l] = w
		}
	}
}

// records is where the bits of numbers are: a few lanes anywhere in a few bytes, and the next ones so many bytes
// further, or parts of them each by a step of its own. After some lanes they may jump.
func (b *bench) records(lanes, width int) (parts [][]Segment, size int) {
	n := []int{1, 2, 3, 4, 6, 8, 8, 8}[b.IntN(8)]
	at := b.IntN(width + 1)
	if b.IntN(2) == 0 {
		at &^= 7
	}
	cuts := []int{0, at, width}
	room, unit := []int{4, 8, 12, 16, 20, 40}[b.IntN(6)], []int{1, 4, 8}[b.IntN(3)]
	dense := b.IntN(2) == 0
	var first [8][2]int
	var begin, step [2]int
	for i := range 2 {
		begin[i], step[i] = b.IntN(20), b.IntN(24)
		for l := range n {
			if first[l][i] = b.IntN(8*room+8) / unit * unit; dense {
				first[l][i] = ((cuts[i+1]-cuts[i]+unit-1)/unit*unit)*l + b.IntN(8)/unit*unit
			}
		}
	}
	if b.IntN(2) == 0 {
		step[1] = step[0]
	}
	turn, jump := lanes, b.IntN(20)
	if b.IntN(3) == 0 {
		turn = 8 * (1 + b.IntN(4))
	}
	parts = make([][]Segment, lanes)
	for l := range parts {
		for i, from := range cuts[:2] {
			if w := cuts[i+1] - from; w > 0 {
				bit := 8*(begin[i]+l/n*step[i]+l/turn*jump) + first[l%n][i]
				parts[l] = append(parts[l], Segment{Bit: bit, Width: w, Left: from})
				size = max(size, (bit+w+7)/8)
			}
		}
	}
	return parts, max(size, 1) + b.IntN(3)
}

// runs is where the bits of numbers are: in one run or a few, of steps of their own.
func (b *bench) runs(lanes, width int) (parts [][]Segment, size int) {
	parts = make([][]Segment, lanes)
	cuts := []int{0}
	for n := b.IntN(3); n > 0; n-- {
		if at := 8 * b.IntN(width/8+1); b.IntN(2) == 0 {
			at = b.IntN(width + 1)
			cuts = append(cuts, max(cuts[len(cuts)-1], at))
		} else {
			cuts = append(cuts, max(cuts[len(cuts)-1], at))
		}
	}
	cuts = append(cuts, width)
	steps := []int{0, 8, 1, 3}[b.IntN(4)]
	for i, from := range cuts[:len(cuts)-1] {
		n := cuts[i+1] - from
		if n == 0 {
			continue
		}
		at, step := b.IntN(100), n+b.IntN(steps+1)
		if b.IntN(2) == 0 {
			at, step = at&^7, (n+7)&^7+8*b.IntN(3)
		}
		jumps := b.IntN(4) == 0
		for l := range parts {
			bit := at + step*l
			if jumps {
				bit += 8 * b.IntN(20)
			}
			parts[l] = append(parts[l], Segment{Bit: bit, Width: n, Left: from})
			size = max(size, (bit+n+7)/8)
		}
	}
	return parts, max(size, 1) + b.IntN(3)
}
