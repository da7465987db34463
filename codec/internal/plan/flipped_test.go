// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/tensor"
)

// TestFlipped: bits that are moved after some were flipped.
func TestFlipped(t *testing.T) { runRandom(t, 36, flippedBits) }

func flippedBits(c *decoderCase) (string, []int64) {
	r := c.random
	n := []int{8, 16, 32, 40}[r.IntN(4)]
	c.pad(0)
	width := 8 << r.IntN(2)
	elem := map[int]tensor.Type{8: tensor.Uint8, 16: tensor.Uint16}[width]
	c.add("w", packing(n, uint32(width)))
	number := func(x int) string { return c.cast(c.constant(tensor.Of([]int64{}, float64(x))), elem) }
	x := c.node("BitwiseXor", []string{c.cast(c.bind("w.c0"), elem), number(r.IntN(1 << width))})
	var parts []string
	for range 2 {
		y := x
		for range 1 + r.IntN(2) {
			switch k := r.IntN(width); r.IntN(5) {
			case 0:
				y = c.node("BitwiseAnd", []string{y, number(r.IntN(1 << width))})
			case 1:
				y = c.node("BitShift", []string{y, number(k)}, stringAttr("direction", []string{"LEFT", "RIGHT"}[r.IntN(2)]))
			case 2:
				y = c.node([]string{"Div", "Mod", "Mul"}[r.IntN(3)], []string{y, number(1 << k)})
			case 3:
				y = c.node("BitwiseXor", []string{y, number(r.IntN(1 << width))})
			default:
				y = c.node([]string{"Div", "Mod"}[r.IntN(2)], []string{y, number(1 + r.IntN(20))})
			}
		}
		parts = append(parts, y)
	}
	return c.cast(c.node("Concat", parts, intAttr("axis", -1)), tensor.Float), []int64{int64(2 * n)}
}

// TestHalvesOfFlipped: both halves of flipped bytes are one op.
func TestHalvesOfFlipped(t *testing.T) {
	c := &decoderCase{random: rand.New(rand.NewPCG(1, 1))}
	c.add("w", packing(32, 8))
	number := func(x float64) string { return c.cast(c.constant(tensor.Of([]int64{}, x)), tensor.Uint8) }
	x := c.node("BitwiseXor", []string{c.cast(c.bind("w.c0"), tensor.Uint8), number(0x88)})
	low, high := c.node("BitwiseAnd", []string{x, number(15)}), c.node("BitShift", []string{x, number(4)}, stringAttr("direction", "RIGHT"))
	root, fn, err := c.finish(c.cast(c.node("Concat", []string{low, high}, intAttr("axis", -1)), tensor.Float), 64)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Decoder(root, fn, plan.Env{})
	if err != nil || p.Program == nil || len(p.Program.Ops) > 2 {
		t.Errorf("%v\n%s", err, strings.Join(p.Kernels(), "\n"))
	}
}
