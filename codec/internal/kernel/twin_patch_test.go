// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import "testing"

func TestPatch(t *testing.T) {
	b := newBench(t, 53)
	for range 4 * trials {
		r := &trial{lanes: b.lanesOf(), toOut: b.IntN(2) == 0}
		r.program.Stride, r.program.Lanes = 1, r.lanes
		k := b.patch(r, r.lanes)
		if k.ToOut = r.toOut; !r.toOut {
			r.target = r.buffer(F32, r.lanes)
			k.To = r.target
		}
		b.check(t, r, k, b.IntN(2) == 0)
	}
}

// patch has indices of which most find a lane, several perhaps the same.
func (b *bench) patch(r *trial, lanes int) *Patch {
	n := 1 + b.IntN(6)
	k := &Patch{Values: r.buffer(F32, n)}
	within := 1 + b.IntN(lanes)
	size := 256
	if b.IntN(2) == 0 {
		k.Kind, size = FromF32, 1+b.IntN(2*lanes)
	}
	k.Index = r.buffer(map[SourceKind]Kind{FromU8: U8, FromF32: F32}[k.Kind], n)
	for range n {
		k.Base = append(k.Base, int32(b.IntN(lanes-within+1)))
	}
	for range size {
		k.At = append(k.At, int32(b.IntN(within+1)-1))
	}
	if k.Kind == FromF32 {
		r.bits, r.codes = int(k.Index)+1, size+3
	}
	return k
}

// TestMergedPatch merges programs whose output is made as a whole or in pieces before lanes are replaced.
func TestMergedPatch(t *testing.T) {
	b := newBench(t, 54)
	for range trials {
		r := &trial{}
		p := &r.program
		pieces, each := 1+b.IntN(3), 1+b.IntN(placedMost-1)
		p.Lanes, p.Stride = pieces*each, 60
		numbers := func(lanes int, format Format) *Scalar {
			k := &Scalar{Format: format, To: r.buffer(F32, lanes)}
			for range lanes {
				k.Bytes = append(k.Bytes, b.IntN(57))
			}
			return k
		}
		for j := range pieces {
			s := numbers(each, Float32)
			p.Ops = append(p.Ops, s, &Epilogue{Source: Source{Kind: FromF32, From: s.To}, Lanes: each, A: Parameter{Kind: Const, Value: 2}, ToOut: true, Lane: j * each})
		}
		k := b.patch(r, p.Lanes)
		k.ToOut = true
		values := numbers(len(k.Base), Float32)
		k.Values = values.To
		if k.Kind == FromU8 {
			p.Ops = append(p.Ops, &Plane{Rows: []Row{{Byte: b.IntN(40), Len: len(k.Base)}}, Width: 8, To: Target{Buffer: k.Index}})
		} else {
			index := &Wide{Width: 12, To: k.Index}
			for range k.Base {
				index.Bits = append(index.Bits, b.IntN(400))
			}
			p.Ops = append(p.Ops, index)
		}
		p.Ops = append(p.Ops, values, k)
		n := []int{2, 3, 8, 32}[b.IntN(4)]
		large := p.Merged(n)
		if large == nil {
			t.Fatalf("not merged:\n%s", p)
		}
		b.sameMerged(t, p, large, n)
	}
}

// TestPick compares with bits that are read one by one.
func TestPick(t *testing.T) {
	b := newBench(t, 55)
	for range trials {
		r := &trial{lanes: 1 + b.IntN(6), codes: 1 + b.IntN(256)}
		k := &Pick{Index: r.buffer(U8, r.lanes), Width: 1 + b.IntN(8), To: r.buffer(U8, r.lanes)}
		r.target, r.program.Stride = k.To, 40
		for range r.lanes {
			k.Base = append(k.Base, b.IntN(100))
		}
		for range r.codes {
			k.At = append(k.At, b.IntN(212))
		}
		b.check(t, r, k, false)
		f := r.program.NewFrame(3)
		payload := b.payload[len(b.payload)-3*r.program.Stride-r.program.Over():]
		for i := range f.u8[k.Index] {
			f.u8[k.Index][i] = byte(b.IntN(r.codes))
		}
		f.Run(payload, 3, nil)
		for block := range 3 {
			for j, base := range k.Base {
				at := base + k.At[f.u8[k.Index][block*f.pitch[k.Index]+j]]
				want := byte(bitsAt(payload[block*r.program.Stride:], at, k.Width))
				if got := f.u8[k.To][block*f.pitch[k.To]+j]; got != want {
					t.Fatalf("%s: block %d, lane %d is %d, not %d", k, block, j, got, want)
				}
			}
		}
	}
}
