// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import "testing"

func TestPlace(t *testing.T) {
	b := newBench(t, 51)
	for range 4 * trials {
		r := &trial{toOut: true}
		k := b.placed(r)
		b.check(t, r, k, r.lanes%eightLanes == 0 && b.IntN(2) == 0)
	}
}

// placed is buffers whose lanes alternate, have every second, third, … one, follow each other, take turns by rows, or lie anywhere.
func (b *bench) placed(r *trial) *Place {
	k := &Place{}
	buffers, each := 1+b.IntN(8), b.lanesOf()
	r.lanes = buffers*each + b.IntN(2)*b.IntN(9)
	all := b.Perm(r.lanes)
	kind, order, row := b.IntN(5), b.Perm(buffers), 2<<b.IntN(5)
	for j := range buffers {
		k.From = append(k.From, r.buffer(F32, each))
		for l := range each {
			at := all[j*each+l]
			switch kind {
			case 0:
				at = l*buffers + order[j]
			case 1:
				at = j*each + l
			case 2: // groups of two
				at = j*each + l
				at = at/2*2 + 1 - at%2
				if at >= buffers*each {
					at = j*each + l
				}
			}
			if kind == 3 && l < each/row*row {
				at = (l/row*buffers+order[j])*row + l%row
			} else if kind == 3 {
				at = each/row*row*buffers + order[j]*(each%row) + l%row
			}
			k.At = append(k.At, int32(at))
		}
	}
	r.program.Stride, r.program.Lanes = 1, r.lanes
	return k
}

// TestMergedPlace merges programs that write pieces of the output, where they follow each other and in turns.
func TestMergedPlace(t *testing.T) {
	b := newBench(t, 52)
	for range 2 * trials {
		r := &trial{}
		p := &r.program
		turns := b.IntN(2) == 0
		pieces := 2 + b.IntN(4)
		k := &Place{}
		each := 1 + b.IntN(12)
		p.Lanes, p.Stride = pieces*each, 20
		for j := range pieces {
			scale := &Scalar{Format: Float32, To: r.buffer(F32, each)}
			for range each {
				scale.Bytes = append(scale.Bytes, b.IntN(17))
			}
			e := &Epilogue{Source: Source{Kind: FromF32, From: scale.To}, Lanes: each, A: Parameter{Kind: Const, Value: b.float()}}
			if turns {
				e.To = r.buffer(F32, each)
				k.From = append(k.From, e.To)
				for l := range each {
					k.At = append(k.At, int32(l*pieces+j))
				}
			} else {
				e.ToOut, e.Lane = true, j*each
			}
			p.Ops = append(p.Ops, scale, e)
		}
		if turns {
			p.Ops = append(p.Ops, k)
		}
		n := []int{2, 3, 8, 32}[b.IntN(4)]
		large := p.Merged(n)
		if large == nil {
			t.Fatalf("not merged:\n%s", p)
		}
		b.sameMerged(t, p, large, n)
	}
}
