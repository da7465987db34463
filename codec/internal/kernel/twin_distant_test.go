// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import "testing"

// TestDistant reads numbers that are equally far apart, in bytes or in bits, into the output or a buffer.
func TestDistant(t *testing.T) {
	b := newBench(t, 41)
	found := 0
	for range 12 * trials {
		lanes := b.lanesOf()
		if b.IntN(200) == 0 {
			lanes = 8 * (600 + b.IntN(300))
		}
		r := &trial{lanes: lanes, toOut: b.IntN(3) > 0}
		op, source := b.distant(r, lanes)
		k := &Epilogue{Source: source, Lanes: lanes, ToOut: r.toOut}
		if r.toOut {
			k.Lane = 8 * b.IntN(2)
			r.program.Lanes = k.Lane + lanes + []int{0, 0, 1, 8}[b.IntN(4)]
		} else {
			r.program.Lanes = 1
			r.target = r.buffer(F32, lanes)
			k.To = r.target
		}
		b.checkAll(t, r, b.IntN(2) == 0, op, k)
		if r.program.NewFrame(1).readsDistant() {
			found++
		}
	}
	t.Logf("%d found", found)
	if found < 4*trials && fusing() {
		t.Errorf("only %d were found to be equally far apart", found)
	}
}

// distant is an op that reads numbers or codes which are equally far apart.
func (b *bench) distant(r *trial, lanes int) (Op, Source) {
	first, gap := b.IntN(40), b.IntN(30)
	if b.IntN(2) == 0 {
		first, gap = first&^7, 8*b.IntN(5)
	}
	if b.IntN(12) == 0 {
		gap += 8 * b.IntN(40)
	}
	bits := make([]int, lanes)
	at := func(width int) {
		for l := range bits {
			bits[l] = first + l*(width+gap)
		}
		r.program.Stride = (bits[lanes-1]+width+7)/8 + b.IntN(2)
	}
	if b.IntN(3) == 0 {
		width := []int{8, 8, 1 + b.IntN(8)}[b.IntN(3)]
		at(width)
		to := r.buffer(U8, lanes)
		source := Source{Kind: []SourceKind{FromU8, FromI8}[b.IntN(2)], Codes: Buf(to)}
		if b.IntN(2) == 0 {
			if k := (&Spread{Bits: bits, Width: width, To: Target{Buffer: to}}); k.valid() {
				return k, source
			}
		}
		return &Field{Lanes: wholeFields(bits, width), To: Target{Buffer: to}}, source
	}
	to := r.buffer(F32, lanes)
	source := Source{Kind: FromF32, From: to}
	format := Format(b.IntN(int(Uint64) + 1))
	width := 8 * format.size()
	if b.IntN(4) == 0 {
		width = 9 + b.IntN(16)
		at(width)
		k := &Wide{Bits: bits, Width: width, To: to}
		if b.IntN(2) == 0 {
			k.Xor, k.Add = 1<<(width-1), -1<<(width-1)
		}
		return k, source
	}
	k := &Loose{Format: format, To: to}
	if k.Format == Int32 {
		if width = 1 + b.IntN(32); b.IntN(2) == 0 {
			k.Sign = width
		}
	}
	at(width)
	if k.Parts = wholeFields(bits, width); first%8 == 0 && gap%8 == 0 && k.Format != Int32 {
		s := &Scalar{Format: format, To: to}
		for _, bit := range bits {
			s.Bytes = append(s.Bytes, bit/8)
		}
		return s, source
	}
	return k, source
}

// wholeFields are fields of one part.
func wholeFields(bits []int, width int) [][]Segment {
	out := make([][]Segment, len(bits))
	for l, bit := range bits {
		out[l] = []Segment{{Bit: bit, Width: width}}
	}
	return out
}

// valid reports whether each eight lanes lie as Spread wants them.
func (k *Spread) valid() bool {
	for l := range k.Bits {
		from := k.Bits[l&^7]
		if (k.Bits[l]+k.Width+7)/8-from/8 > windowBytes || k.Bits[l]%8+k.Width > 16 {
			return false
		}
	}
	return true
}
