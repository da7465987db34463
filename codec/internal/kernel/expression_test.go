// SPDX-License-Identifier: Apache-2.0

//go:build unix

package kernel

import (
	"testing"

	"github.com/structview/structview/codec/internal/strip"
)

func TestExpression(t *testing.T) {
	b := newBench(t, 12)
	for range 4 * trials {
		lanes := b.lanesOf()
		if b.IntN(2) == 0 {
			lanes = 32 * (1 + b.IntN(6))
		}
		r := &trial{lanes: lanes}
		r.program.Stride, r.program.Lanes = 1, 1
		k := b.expression(r, lanes)
		if k.Pairs {
			r.target = r.buffer(F32, 2*Buffer{F32, lanes}.Pitch())
			k.To = r.target
			b.check(t, r, k, false)
			continue
		}
		switch b.IntN(3) {
		case 0:
			r.target = r.buffer(F32, lanes)
			k.To = r.target
		case 1:
			r.toOut, k.ToOut, r.program.Lanes = true, true, lanes
		default:
			r.toOut, k.ToOut, k.Lane = true, true, b.IntN(9)
			r.program.Lanes = k.Lane + lanes + b.IntN(9)
		}
		b.check(t, r, k, k.Lane == 0 && lanes%eightLanes == 0)
	}
}

// expression is a random chain over inputs of all kinds.
func (b *bench) expression(r *trial, lanes int) *Expression {
	p := &strip.Program{OutBytes: 4}
	var in []Input
	for range 1 + b.IntN(4) {
		x := Input{Kind: []SourceKind{FromU8, FromI8, FromU16, FromF32, FromF32, FromF32}[b.IntN(6)]}
		code := strip.Float
		if lanes%strip.TileLanes == 0 && b.IntN(2) == 0 {
			x.Place = &InPlace{Size: 1 << b.IntN(3), Signed: b.IntN(2) == 0}
			for l := range lanes {
				if l%strip.TileLanes == 0 {
					x.Place.Bytes = append(x.Place.Bytes, b.IntN(40)+4*l)
					continue
				}
				x.Place.Bytes = append(x.Place.Bytes, x.Place.Bytes[l-1]+x.Place.Size)
			}
			r.program.Stride = max(r.program.Stride, 4*lanes+40)
			x.Kind = FromRows
			if n := lanes >> b.IntN(2); b.IntN(3) == 0 && n%strip.TileLanes == 0 {
				x.Place.Shared, x.Place.Bytes, x.Place.Size = n, x.Place.Bytes[:lanes/n], 4
				if b.IntN(2) == 0 {
					code, x.Place.Size = strip.NarrowD, 8
				}
			}
		}
		if lanes%strip.TileLanes == 0 && x.Place == nil && b.IntN(4) == 0 {
			code, x.Kind, x.Pairs, x.Words = strip.NarrowD, FromRows, true, Parameter{Kind: Group, N: lanes >> b.IntN(2)}
			if x.Words.N%strip.TileLanes != 0 {
				x.Words.N = lanes
			}
			x.Words.Buffer = r.buffer(F32, 2*lanes/x.Words.N)
		}
		switch x.Kind {
		case FromRows:
		case FromU16:
			x.From = r.buffer(U16, lanes)
		case FromF32:
			code = strip.Copy
			for x.Words.Kind == None || x.Words.Kind == Const {
				x.Words = b.parameter(r, lanes, []int{1, 8, 16, 32, lanes, 2, 24, 40}[b.IntN(8)])
			}
		default:
			x.From = r.buffer(U8, lanes)
		}
		at := strip.Row(len(in))
		in = append(in, x)
		p.Ops = append(p.Ops, strip.Op{Code: code, Steps: []strip.Step{{Dst: 4 + at, X: at, Y: at}}})
	}
	for at := range in {
		code := []strip.Code{strip.AddF, strip.SubF, strip.MulF, strip.MaxF, strip.MinF}[b.IntN(5)]
		p.Ops = append(p.Ops, strip.Op{Code: code, Steps: []strip.Step{{Dst: 9, X: 9, Y: 4 + strip.Row(at)}}})
	}
	p.Rows, p.Out, p.Constants = 10, []strip.Row{9}, []strip.Constant{{Row: 8, Word: 0x3f800000}}
	p.Ops = append([]strip.Op{{Code: strip.Copy, Steps: []strip.Step{{Dst: 9, X: 8}}}}, p.Ops...)
	if b.IntN(4) == 0 {
		p.Out, p.OutBytes = []strip.Row{9, 8}, 8
	}
	k := NewExpression(p, in, lanes)
	k.Pairs = p.OutBytes == 8
	return k
}
