// SPDX-License-Identifier: Apache-2.0

//go:build unix && amd64 && !purego

package strip

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

// guessed are the codes that are right for usual operands alone, and what they compute. All but maxN and minN
// collect the others.
var guessed = []struct {
	value value
	args  int
	usual func(v *value, x, y uint32) bool
	words func(v *value, x, y uint32) uint32
}{
	{value{code: maxN}, 2, yIsNumber, func(_ *value, x, y uint32) uint32 { return float(MaxF, f32(x), f32(y)) }},
	{value{code: minN}, 2, yIsNumber, func(_ *value, x, y uint32) uint32 { return float(MinF, f32(x), f32(y)) }},
	{value{code: toInt}, 1, short, func(_ *value, x, _ uint32) uint32 { return truncated(f32(x)) }},
	{value{code: toIntChecked, word: 0xff}, 1, fitting, func(_ *value, x, _ uint32) uint32 { return truncated(f32(x)) }},
	{value{code: toIntMin, word: 0x7f, table: 100}, 1, fitting, limited},
	{value{code: toIntSigned, word: 0x80, table: 0xff}, 1, func(_ *value, x, _ uint32) bool {
		return short(nil, x, 0) && truncated(f32(x))+0x80 < 0x100
	}, func(_ *value, x, _ uint32) uint32 { return truncated(f32(x)) }},
	{value{code: pack, word: 0x7f, table: 100, left: 8}, 2, fitting, func(v *value, x, y uint32) uint32 {
		return limited(v, x, 0)<<8 | y
	}},
	{value{code: packMasked, word: 0xff, left: 8}, 2, short, func(_ *value, x, y uint32) uint32 { return truncated(f32(x))&0xff<<8 | y }},
}

func yIsNumber(_ *value, _, y uint32) bool { return !isNaN(y, isFloat) }

// short reports whether the integer part has 32 bits, and is not the least of them.
func short(_ *value, x, _ uint32) bool { return math.Abs(float64(f32(x))) < 1<<31 }

func limited(v *value, x, _ uint32) uint32 { return integer(MinI, truncated(f32(x)), uint32(v.table)) }

func fitting(v *value, x, _ uint32) bool {
	n := truncated(f32(x))
	if v.table > 0 {
		n = limited(v, x, 0)
	}
	return short(nil, x, 0) && n&^v.word == 0
}

// guesses runs them on tiles of usual blocks, and on such in which one block is not.
func (b *both) guesses(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for i := range guessed {
		for wiring := range 1 << guessed[i].args {
			for _, stored := range []bool{false, true} {
				b.guess(t, r, i, wiring, stored)
			}
		}
	}
}

func (b *both) guess(t *testing.T, r *rand.Rand, i, wiring int, stored bool) {
	t.Helper()
	in := guessed[i]
	v := in.value
	g := wired(&v, in.args, wiring, stored)
	s := g.assemble(tileBlocks, &snippetOf)
	g.program.prepared.stream.Store(s)
	b.note(s)
	f := g.program.NewFrame()
	usual := func(w [4]uint32) bool {
		at := operands(w[:], in.args, wiring)
		return in.usual(&v, at[0], at[1])
	}
	words := make([][4]uint32, tileBlocks)
	for range 30 {
		for i := range words {
			words[i] = searched(r, func(w [4]uint32) bool { return usual(w) })
		}
		out, ok := runWords(f, words)
		if !ok {
			t.Fatalf("%v, wiring %d: %x are usual", v, wiring, words)
		}
		for i, w := range words {
			at, got := operands(w[:], in.args, wiring), binary.LittleEndian.Uint32(out[8*i:])
			if !stored {
				got ^= w[3]
			}
			if want := in.words(&v, at[0], at[1]); got != want && !(v.code <= minN && isNaN(got, isFloat) && isNaN(want, isFloat)) {
				t.Fatalf("%v, wiring %d: %x: %#x, expected %#x", v, wiring, w, got, want)
			}
		}
		at := r.IntN(len(words))
		words[at] = searched(r, func(w [4]uint32) bool { return !usual(w) })
		if _, ok := runWords(f, words); ok && v.code > minN {
			t.Fatalf("%v, wiring %d: %x is not usual", v, wiring, words[at])
		}
	}
}

// searched is a random block that meets a condition. A sign alone, as the second word, lets the combination of the first two be
// as usual as the first is.
func searched(r *rand.Rand, found func([4]uint32) bool) (w [4]uint32) {
	for !found(w) || w == [4]uint32{} {
		c := &choices{randomBytes(r, 64)}
		w = [4]uint32{c.word(), c.word(), c.word(), c.word()}
		if c.intN(2) == 0 {
			w[0], w[1] = math.Float32bits(float32(c.intN(1<<16))/200), uint32(c.intN(2))<<31
		}
	}
	return w
}

func runWords(f *Frame, words [][4]uint32) ([]byte, bool) {
	in, out := make([]byte, 0, 16*len(words)), make([]byte, 8*len(words))
	for _, block := range words {
		for _, w := range block {
			in = binary.LittleEndian.AppendUint32(in, w)
		}
	}
	ok := f.Run(in, len(words), out)
	return out, ok
}

// numbers runs programs that look for the least and the greatest of a block's words: usual ones, or with a NaN. Some convert the
// words' distances from the least, which finds a NaN as well.
func (b *both) numbers(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, k := range []int{3, 4, 7, 8, 12} {
		for _, convert := range []bool{false, true} {
			p, kinds := extremes(k, convert)
			for range 100 {
				const n = 4 * tileBlocks
				in, out := b.in.end(n*p.InBytes), b.out.end(n*p.OutBytes)
				for i := 0; i < len(in); i += 4 {
					w := math.Float32bits(float32(r.IntN(5) - 2))
					if r.IntN(3) == 0 {
						w = []uint32{0, 1 << 31, 1, 1<<31 | 1, 0x7f800000, 0xff800000}[r.IntN(6)]
					}
					if convert { // the distance is no infinity
						w &= 0xbfffffff
					}
					binary.LittleEndian.PutUint32(in[i:], w)
				}
				if r.IntN(2) == 0 {
					binary.LittleEndian.PutUint32(in[4*r.IntN(len(in)/4):], 0x7f800001)
				}
				b.compareOn(t, p, kinds, in, out, 32)
			}
		}
	}
}

// extremes is a program of k words.
func extremes(k int, convert bool) (*Program, []kind) {
	p := &Program{Rows: 2*k + 2, InBytes: 4 * k, OutBytes: 8, Out: []Row{Row(k), Row(k + 1)}}
	kinds := []kind{isFloat, isFloat}
	low, high, differences, integers := Op{Code: MinF}, Op{Code: MaxF}, Op{Code: SubF}, Op{Code: Int}
	for i := range Row(k) {
		at := Row(k) + 2 + i
		if i > 0 {
			low.Steps = append(low.Steps, Step{Dst: p.Out[0], X: p.Out[0], Y: i})
			high.Steps = append(high.Steps, Step{Dst: p.Out[1], X: p.Out[1], Y: i})
		}
		differences.Steps = append(differences.Steps, Step{Dst: at, X: i, Y: p.Out[0]})
		integers.Steps = append(integers.Steps, Step{Dst: at, X: at})
	}
	if k == 7 { // two words of a group alone
		low.Steps, high.Steps = low.Steps[:1], high.Steps[:1]
	}
	p.Ops = []Op{{Code: Copy, Steps: []Step{{Dst: p.Out[0], X: 0}, {Dst: p.Out[1], X: 0}}}, low, high}
	if convert {
		p.Ops = append(p.Ops, differences, integers)
		for i := range Row(k) {
			p.Out, kinds = append(p.Out, Row(k)+2+i), append(kinds, isInt)
		}
		p.OutBytes = 4 * len(p.Out)
	}
	return p, kinds
}
