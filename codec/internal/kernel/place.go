// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// Place writes all lanes of float buffers to output lanes anywhere in the block.
type Place struct {
	From []BufferID // F32
	At   []int32    // the output lane of each: those of the first buffer, then of the second, …
}

func (k *Place) last(*Program) int { return 0 }

func (k *Place) ready(*Frame) runner { return k }

func (k *Place) String() string {
	var from strings.Builder
	for _, id := range k.From {
		fmt.Fprintf(&from, " b%d", id)
	}
	return fmt.Sprintf("place%s -> out %d lanes", &from, len(k.At))
}

// each calls do with every buffer and the output lanes of its own.
func (k *Place) each(p *Program, do func(from BufferID, at []int32)) {
	rest := k.At
	for _, id := range k.From {
		n := p.Buffers[id].Lanes
		do(id, rest[:n])
		rest = rest[n:]
	}
}

func (k *Place) run(f *Frame) {
	k.each(f.program, func(from BufferID, at []int32) {
		for b := range f.n {
			src, dst := f.f32[from][b*f.pitch[from]:][:len(at)], f.out[b*f.lanes:][:f.lanes]
			for i, x := range src {
				dst[at[i]] = x
			}
		}
	})
}

// place is a Place of the lanes of n blocks.
func (m *merger) place(k *Place) Op {
	out := &Place{From: k.From, At: make([]int32, 0, m.n*len(k.At))}
	k.each(m.Program, func(_ BufferID, at []int32) {
		for b := range m.n {
			for _, lane := range at {
				out.At = append(out.At, lane+int32(b*m.Lanes))
			}
		}
	})
	return out
}

// placedMost is how many lanes are placed in a merged program, rather than written where they belong: no more
// than a vector loop needs to be worth while.
const placedMost = 32

// placed is a program whose ops that write a few lanes of the output write a buffer, which a Place empties:
// of several blocks such lanes do not follow each other.
func (p *Program) placed() *Program {
	out := &Program{Stride: p.Stride, Lanes: p.Lanes, Buffers: slices.Clone(p.Buffers)}
	all, behind := &Place{}, []Op(nil) // lanes that are replaced, which stays the last
	for _, op := range p.Ops {
		switch k := op.(type) {
		case *Place:
			all.From, all.At = append(all.From, k.From...), append(all.At, k.At...)
			continue
		case *Patch:
			if k.ToOut {
				behind = append(behind, k)
				continue
			}
		case *Epilogue:
			if k.ToOut && k.Lanes < min(p.Lanes, placedMost) {
				own := *k
				own.ToOut, own.To, op = false, out.place(all, k.Lane, k.Lanes), &own
			}
		case *Expression:
			if k.ToOut && k.Lanes < min(p.Lanes, placedMost) {
				own := *k
				own.ToOut, own.To, op = false, out.place(all, k.Lane, k.Lanes), &own
			}
		}
		out.Ops = append(out.Ops, op)
	}
	if len(all.From) > 0 {
		out.Ops = append(out.Ops, all)
	}
	out.Ops = append(out.Ops, behind...)
	return out
}

// place adds a buffer that is written to the output from a lane on.
func (p *Program) place(all *Place, lane, lanes int) BufferID {
	id := BufferID(len(p.Buffers))
	p.Buffers = append(p.Buffers, Buffer{F32, lanes})
	all.From = append(all.From, id)
	for l := range lanes {
		all.At = append(all.At, int32(lane+l))
	}
	return id
}

// ownRow is how many lanes in a row are written where they belong faster than by a buffer and a Place.
const ownRow = 16

// FewestPlaced is the number of lanes of the smallest piece of the output that the program writes by itself,
// all of them if it writes them together, or in rows that are long enough.
func (p *Program) FewestPlaced() int {
	fewest := p.Lanes
	for _, op := range p.Ops {
		switch k := op.(type) {
		case *Place:
			k.each(p, func(_ BufferID, at []int32) { fewest = min(fewest, len(at)) })
		case *Epilogue:
			if k.ToOut && k.Lanes < ownRow {
				fewest = min(fewest, k.Lanes)
			}
		case *Expression:
			if k.ToOut && k.Lanes < placedMost { // a pass takes as many together
				fewest = min(fewest, k.Lanes)
			}
		}
	}
	return fewest
}
