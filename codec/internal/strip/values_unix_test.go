// SPDX-License-Identifier: Apache-2.0

//go:build unix && amd64 && !purego

package strip

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

// inner are the codes that no program spells, with the number of operands and what they compute.
var inner = []struct {
	code  Code
	args  int
	kind  kind
	words func(v *value, x, y, z uint32) uint32
}{
	{beatsMax, 2, isInt, func(_ *value, x, y, _ uint32) uint32 {
		return mask(f32(x) > f32(y) || isNaN(x, isFloat) && !isNaN(y, isFloat))
	}},
	{beatsMin, 2, isInt, func(_ *value, x, y, _ uint32) uint32 {
		return mask(f32(x) < f32(y) || isNaN(x, isFloat) && !isNaN(y, isFloat))
	}},
	{maxAbs, 2, isInt, func(_ *value, x, y, _ uint32) uint32 { return integer(MaxI, one(AbsF, x), y) }},
	{farther, 2, isInt, func(_ *value, x, y, _ uint32) uint32 {
		if one(AbsF, x) > one(AbsF, y) {
			return x
		}
		return y
	}},
	{extend, 1, isInt, func(v *value, x, _, _ uint32) uint32 { return uint32(int32(x<<v.word) >> v.word) }},
	{away, 1, isFloat, func(_ *value, x, _, _ uint32) uint32 { return awayFrom(x) }},
	{roundAway, 1, isFloat, func(_ *value, x, _, _ uint32) uint32 {
		a := f32(one(AbsF, x))
		whole := float32(math.Floor(float64(a)))
		if a-whole >= 0.5 {
			whole++
		}
		return float(MulF, whole, f32(sign(f32(x))))
	}},
	{count, 3, isInt, func(v *value, _, y, z uint32) uint32 { return z - mask(f32(v.word) <= f32(y)) }},
	{mulAdd, 3, isFloat, func(_ *value, x, y, z uint32) uint32 { return float(AddF, f32(float(MulF, f32(x), f32(y))), f32(z)) }},
	{mulAway, 2, isFloat, func(_ *value, x, y, _ uint32) uint32 { return awayFrom(float(MulF, f32(x), f32(y))) }},
	{mulRound, 2, isFloat, func(_ *value, x, y, _ uint32) uint32 { return one(RoundF, float(MulF, f32(x), f32(y))) }},
	{mulFloor, 2, isFloat, func(_ *value, x, y, _ uint32) uint32 { return one(FloorF, float(MulF, f32(x), f32(y))) }},
	{mulCut, 2, isInt, func(_ *value, x, y, _ uint32) uint32 { return one(Cut, float(MulF, f32(x), f32(y))) }},
	{mulSub, 3, isFloat, func(_ *value, x, y, z uint32) uint32 { return float(SubF, f32(z), f32(float(MulF, f32(x), f32(y)))) }},
	{rest, 1, isFloat, func(v *value, x, _, _ uint32) uint32 {
		q := one(FloorF, float(MulF, f32(x), f32(v.word)))
		return float(SubF, f32(x), f32(float(MulF, f32(q), f32(uint32(v.table)))))
	}},
	{subMulAdd, 3, isFloat, func(v *value, x, y, z uint32) uint32 {
		return float(AddF, f32(float(MulF, f32(float(SubF, f32(x), f32(y))), f32(z))), f32(v.word))
	}},
	{selectEqual, 3, isInt, func(v *value, x, y, z uint32) uint32 {
		if z == v.word {
			return x
		}
		return y
	}},
	{bitsOrShift, 2, isInt, func(v *value, x, y, _ uint32) uint32 { return x<<v.left | y }},
	{bitsFirst, 1, isInt, func(v *value, x, _, _ uint32) uint32 { return x >> v.right & v.word << v.left }},
	{bitsOr, 2, isInt, func(v *value, x, y, _ uint32) uint32 { return x>>v.right&v.word<<v.left | y }},
	{bitsOrLow, 2, isInt, func(v *value, x, y, _ uint32) uint32 { return x&v.word<<v.left | y }},
	{bitsOrHigh, 2, isInt, func(v *value, x, y, _ uint32) uint32 { return x>>v.right&v.word | y }},
}

func awayFrom(x uint32) uint32 {
	return float(AddF, f32(x), f32(x>>31<<31|math.Float32bits(math.Nextafter32(0.5, 0))))
}

// values runs the codes that no program spells, with operands in the accumulator or not.
func (b *both) values(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, in := range inner {
		for wiring := range 1 << in.args {
			for _, stored := range []bool{false, true} {
				v := value{code: in.code, word: 8}
				switch {
				case in.code == count, in.code == subMulAdd:
					v.word = math.Float32bits(1.5)
				case in.code == selectEqual:
					v.word = 0
				case in.code == rest:
					v.word, v.table = math.Float32bits(1.0/7), int32(math.Float32bits(7))
				case in.code == bitsOrShift:
					v.left = 7
				case in.code >= bitsFirst && in.code <= bitsOrHigh:
					v.word, v.right, v.left = 0xfff, 5, 7
				}
				g := wired(&v, in.args, wiring, stored)
				b.value(t, g, func(w []uint32) uint32 {
					at := operands(w, in.args, wiring)
					return in.words(&v, at[0], at[1], at[2])
				}, stored, in.kind, &choices{randomBytes(r, 20000)})
			}
		}
	}
}

// wired is a graph whose first word is a value of some operands: words of the input, or where bits of wiring tell, the
// combination of two. If the value is not stored, it is combined with the input's last word.
func wired(v *value, args, wiring int, stored bool) *graph {
	p := &Program{Rows: 8, InBytes: 16, OutBytes: 8, Out: []Row{4, 5}}
	g := newGraph(p, false)
	made := g.put(value{code: Xor, args: [3]int32{g.strips[0], g.strips[1], none}})
	v.args = [3]int32{none, none, none}
	for i := range args {
		v.args[i] = g.strips[i]
		if wiring>>i&1 > 0 {
			v.args[i] = made
		}
	}
	if v.code == count {
		v.args[0] = none
	}
	n := int32(len(g.values))
	g.values, g.ones = append(g.values, *v), append(g.ones, math.MaxUint32)
	g.strips[4], g.strips[5] = n, g.strips[3]
	if !stored {
		g.strips[4] = g.put(value{code: Xor, args: [3]int32{n, g.strips[3], none}})
	}
	g.live()
	return g
}

// operands are those of a value of wired, by the input's words.
func operands(w []uint32, args, wiring int) (at [3]uint32) {
	for i := range args {
		at[i] = w[i]
		if wiring>>i&1 > 0 {
			at[i] = w[0] ^ w[1]
		}
	}
	return at
}

// value runs a graph and compares its first word with what is computed from the input's words.
func (b *both) value(t *testing.T, g *graph, want func(w []uint32) uint32, stored bool, k kind, c *choices) {
	t.Helper()
	p := g.program
	s := g.assemble(tileBlocks, &snippetOf)
	p.prepared.stream.Store(s)
	b.note(s)
	const n = 1000
	in, out := make([]byte, n*p.InBytes), make([]byte, n*p.OutBytes)
	fill(c, in)
	p.NewFrame().Run(in, n, out)
	for i := range n {
		w := make([]uint32, 4)
		for j := range w {
			w[j] = binary.LittleEndian.Uint32(in[16*i+4*j:])
		}
		got, x := tail(out[8*i:8*i+4], 0), want(w)
		if !stored {
			got ^= w[3]
		}
		if got != x && !(isNaN(got, k) && isNaN(x, k)) {
			t.Fatalf("%v %x: %#x, expected %#x", g.values[len(g.values)-1], w, got, x)
		}
	}
}
