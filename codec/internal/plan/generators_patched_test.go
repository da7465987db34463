// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/tensor"
)

// TestPatched: single lanes that are replaced where an index of the payload says.
func TestPatched(t *testing.T) {
	t.Run("equal", func(t *testing.T) { runRandom(t, 71, patched) })
	taken := 0
	const cases = 60
	for i := range uint64(cases) {
		c := &decoderCase{random: rand.New(rand.NewPCG(71, i))}
		out, counts := patched(c)
		root, fn, err := c.finish(out, counts...)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := plan.Decoder(root, fn, plan.Env{}); err == nil && p.Program != nil && strings.Contains(text(p), "patch") {
			taken++
		}
	}
	if t.Logf("%d of %d replace lanes", taken, cases); taken < cases/3 {
		t.Errorf("only %d of %d replace lanes", taken, cases)
	}
}

// patched is codes with scales for groups, of which a few lanes are replaced before or after.
func patched(c *decoderCase) (string, []int64) {
	r := c.random
	groups, each := []int{1, 1, 1, 2, 4}[r.IntN(5)], []int{16, 24, 32, 64, 64, 100, 300}[r.IntN(7)]
	n := groups * each
	lead := c.lead(c.codes(n, 0))
	v := c.grouped(c.cast(c.inputs[0], tensor.Float), groups, n, lead)
	steps := 1 + r.IntN(3)
	at := r.IntN(4) // how many come before the scale
	for i := range steps {
		if i == at {
			v = c.node("Mul", []string{v, c.scale(groups, 100)})
		}
		v = c.patchStep(v, groups, each, i)
	}
	if at >= steps {
		v = c.node("Mul", []string{v, c.scale(groups, 100)})
	}
	flat := c.node("Concat", []string{lead, c.constant(tensor.Of([]int64{1}, int64(n)))}, intAttr("axis", 0))
	v = c.node("Reshape", []string{v, flat})
	if r.IntN(4) == 0 {
		v = c.cast(v, []tensor.Type{tensor.Float16, tensor.BFloat16, tensor.Double}[r.IntN(3)])
	}
	return v, c.counts()
}

// patchStep replaces single lanes of FLOAT [..., groups, each].
func (c *decoderCase) patchStep(v string, groups, each, i int) string {
	r := c.random
	width := bits.Len(uint(each-1)) + []int{0, 0, 1, -1}[r.IntN(4)]
	c.pad(1000 + i)
	name := fmt.Sprintf("at%d", i)
	index := name + ".c0"
	c.add(name, packing(groups, uint32(max(width, 1)), uint32(1+r.IntN(9))))
	elem := []tensor.Type{tensor.Int32, tensor.Int64, tensor.Uint16}[r.IntN(3)]
	if width <= 7 {
		elem = []tensor.Type{tensor.Uint8, tensor.Int32, tensor.Int64}[r.IntN(3)]
	}
	last := c.constant(tensor.Of([]int64{1}, int64(-1)))
	x := c.node("Unsqueeze", []string{c.cast(c.bind(index), elem), last})
	value := c.patchValue(v, groups, i)
	if 1<<max(width, 1) <= each && elem != tensor.Uint8 && elem != tensor.Uint16 && r.IntN(2) == 0 {
		if r.IntN(2) == 0 {
			x = c.node("Sub", []string{x, c.cast(c.scalar(r.Int64N(int64(each))), elem)})
		}
		zero := c.node("Mul", []string{x, c.cast(c.scalar(0), elem)})
		value = c.node("Add", []string{value, c.cast(zero, tensor.Float)}) // of the shape of the indices
		return c.node("ScatterElements", []string{v, x, c.node("Slice", []string{value, c.longs(0), c.longs(1), last})}, intAttr("axis", -1))
	}
	places := c.places(each)
	if elem != tensor.Uint8 && elem != tensor.Uint16 && r.IntN(3) == 0 {
		by := int64(r.IntN(each)) // some indices are negative, some find nothing
		x = c.node("Sub", []string{x, c.cast(c.scalar(by), elem)})
		for i := range places {
			places[i] -= by
		}
	}
	if elem == tensor.Int64 && r.IntN(4) == 0 {
		places[r.IntN(each)] = []int64{math.MaxInt64, math.MinInt64, 1 << 40, 1 << 17}[r.IntN(4)]
	}
	on := c.node("Equal", []string{c.cast(c.constant(tensor.Of([]int64{int64(each)}, places...)), elem), x})
	if r.IntN(3) == 0 {
		return c.node("Where", []string{c.node("Not", []string{on}), v, value})
	}
	return c.node("Where", []string{on, value, v})
}

// places are the lanes' numbers, in some order; seldom two of them are the same.
func (c *decoderCase) places(n int) []int64 {
	r := c.random
	out := make([]int64, n)
	by, turn := int64(r.IntN(2)*r.IntN(5)), r.IntN(3) == 0
	for i := range out {
		if out[i] = int64(i) + by; turn {
			out[i] = int64(n-1-i) + by
		}
	}
	if r.IntN(8) == 0 {
		out[r.IntN(n)] = out[0]
	}
	return out
}

// patchValue is FLOAT of each group, or of each lane.
func (c *decoderCase) patchValue(v string, groups, i int) string {
	switch r := c.random; r.IntN(8) {
	case 0:
		return c.float([]float32{0, -1.5, 1e30}[r.IntN(3)])
	case 1:
		return c.node([]string{"Mul", "Sub"}[r.IntN(2)], []string{v, c.scale(groups, 300+10*i)})
	case 2:
		return c.node("Mul", []string{c.node("Abs", []string{v}), c.float(3)})
	case 3:
		return c.node("Mul", []string{c.scale(groups, 300+10*i), c.scale(groups, 301+10*i)})
	default:
		return c.scale(groups, 300+10*i)
	}
}
