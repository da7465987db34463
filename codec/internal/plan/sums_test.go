// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"math/rand/v2"
	"testing"

	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/tensor"
)

// TestSums: integers put together of bits in ways that are sums of them, or nearly.
func TestSums(t *testing.T) { runRandom(t, 9, sums) }

func sums(c *decoderCase) (string, []int64) {
	r := c.random
	n := []int{8, 16, 32, 5, 40}[r.IntN(5)]
	c.pad(0)
	above, below := 1, 1+r.IntN(16) // a bit that may be a sign, or several
	if r.IntN(2) == 0 {
		above += r.IntN(16)
	}
	c.add("w", packing(n, uint32(above), uint32(below)))
	c.pad(1)
	elem := []tensor.Type{tensor.Int32, tensor.Int64, tensor.Uint32, tensor.Float, tensor.Uint16, tensor.Int16}[r.IntN(6)]
	high, low := c.cast(c.bind("w.c0"), elem), c.cast(c.bind("w.c1"), elem)
	x := c.node([]string{"Add", "Sub"}[r.IntN(2)], []string{c.node("Mul", []string{high, c.weights(n, below, elem)}), low})
	for range r.IntN(4) {
		x, elem = c.sumStep(x, n, elem)
	}
	return c.cast(x, tensor.Float), c.counts()
}

// weights are powers of two, often one that is given, with signs, for all lanes or one for each.
func (c *decoderCase) weights(n, usual int, elem tensor.Type) string {
	list := make([]float64, n)
	if c.random.IntN(3) == 0 {
		usual = c.random.IntN(18)
	}
	for i := range list {
		if list[i] = float64(int64(1) << usual); c.random.IntN(4) == 0 {
			list[i] = -list[i]
		}
	}
	if c.random.IntN(2) == 0 {
		return c.cast(c.constant(tensor.Of([]int64{}, list[0])), elem)
	}
	return c.cast(c.constant(tensor.Of([]int64{int64(n)}, list...)), elem)
}

func (c *decoderCase) sumStep(x string, n int, elem tensor.Type) (string, tensor.Type) {
	r := c.random
	number := c.cast(c.constant(tensor.Of([]int64{}, []float64{1, 2, 128, 255, 256, 2047, 2048, 32767, 32768, 65535, 65536, -1, -128}[r.IntN(13)])), elem)
	switch r.IntN(6) {
	case 0:
		return c.node([]string{"Add", "Sub", "Mul"}[r.IntN(3)], []string{x, number}), elem
	case 1:
		if elem != tensor.Float {
			return c.node("BitwiseXor", []string{x, number}), elem
		}
		return c.node("Mul", []string{x, c.weights(n, 0, elem)}), elem
	case 2:
		decided := c.node([]string{"Greater", "GreaterOrEqual", "Less", "LessOrEqual"}[r.IntN(4)], []string{x, number})
		return c.node("Where", []string{decided, c.node("Sub", []string{x, c.node("Add", []string{number, number})}), x}), elem
	case 3:
		to := []tensor.Type{tensor.Int32, tensor.Int64, tensor.Uint32, tensor.Float, tensor.Uint16, tensor.Int16}[r.IntN(6)]
		return c.cast(x, to), to
	case 4:
		return c.node("Div", []string{x, c.cast(c.constant(tensor.Of([]int64{}, []float64{2, 4, 256}[r.IntN(3)])), elem)}), elem
	default:
		return c.node("Concat", []string{x, c.node("Sub", []string{x, number})}, intAttr("axis", -1)), elem
	}
}

// TestSharedSums: an operand that meets itself is looked at once.
func TestSharedSums(t *testing.T) {
	c := &decoderCase{random: rand.New(rand.NewPCG(1, 1))}
	c.add("w", packing(1024, 13, 3))
	x := c.cast(c.bind("w.c0"), tensor.Int32)
	for range 11 {
		x = c.node("Add", []string{x, x})
	}
	root, fn, err := c.finish(c.cast(x, tensor.Float), 8)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Decoder(root, fn, plan.Env{})
	if err != nil || p.Program == nil || p.Work() > 1<<18 {
		t.Errorf("%d units of work, %v, %v", p.Work(), p.Reasons, err)
	}
}
