// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/tensor"
)

// TestCatalogue plans every entry and compares the plan with the literal evaluator
// on random bytes.
func TestCatalogue(t *testing.T) {
	for _, name := range catalog.Builtin().Names() {
		t.Run(name, func(t *testing.T) {
			entry, err := catalog.Builtin().Entry(name)
			if err != nil {
				t.Fatal(err)
			}
			if entry.Block.GetDecoder() == nil {
				t.Skip("no decoder")
			}
			const rows = 5
			in, err := entry.Instantiate([]int64{rows, 3 * max(entry.Values, 1)})
			if err != nil {
				t.Fatal(err)
			}
			root, err := in.Type()
			if err != nil {
				t.Fatal(err)
			}
			p, err := plan.Decoder(root, root.Decoder(), plan.Env{Functions: in.Functions, Opsets: in.Opsets})
			if err != nil {
				t.Fatalf("%v: %q", err, p.Reasons)
			}
			if p.Program == nil {
				t.Fatalf("not fused: %q", p.Reasons)
			}
			t.Logf("cut %d, %d blocks of %d bytes, %d lanes\n%s", p.Cut, p.Blocks, p.Stride, p.Lanes, p.Program)
			c, err := codec.New(root, codec.Env{Functions: in.Functions, Opsets: in.Opsets, Literal: true})
			if err != nil {
				t.Fatal(err)
			}
			size, _ := root.Bytes()
			random := rand.New(rand.NewPCG(7, 11))
			for try := range 20 {
				payload := fill(random, int(size), try)
				want, err := c.Decode(t.Context(), payload)
				if err != nil {
					t.Fatal(err)
				}
				got := make([]float32, want.Len())
				p.NewRunner().Decode(payload, 0, p.Blocks, got)
				compare(t, got, tensor.Slice[float32](want))
			}
		})
	}
}

func fill(random *rand.Rand, n, try int) []byte {
	payload := make([]byte, n)
	for i := range payload {
		switch payload[i] = byte(random.Uint32()); {
		case try%2 == 1 && random.IntN(10) < 3:
			payload[i] = 0xff
		case try%4 == 2 && random.IntN(10) < 3:
			payload[i] = 0
		}
	}
	return payload
}

func compare(t *testing.T, got, want []float32) {
	t.Helper()
	for i, w := range want {
		g := got[i]
		if math.Float32bits(g) != math.Float32bits(w) && !(g != g && w != w) {
			t.Fatalf("element %d: %v (%#x), want %v (%#x)", i, g, math.Float32bits(g), w, math.Float32bits(w))
		}
	}
}

// TestSpanOfTheLeastInteger: (x - 32) ^ 29 is negative, so that nothing is known
// about it as an INT64; its sums must not come out as codes from 0 on.
func TestSpanOfTheLeastInteger(t *testing.T) {
	c := &decoderCase{random: rand.New(rand.NewPCG(1, 1))}
	c.add("q", packing(8, 2, 1))
	c.add("p", leafType(tensor.Int4, 16))
	int64s := func(v int64) string { return c.constant(tensor.Of([]int64{}, v)) }
	q := c.node("Concat", []string{c.bind("q.c0"), c.bind("q.c1")}, intAttr("axis", -1))
	x := c.node("Sub", []string{c.cast(q, tensor.Int64), int64s(32)})
	x = c.node("Min", []string{int64s(11), c.node("BitwiseXor", []string{x, int64s(29)})})
	sum := c.node("Add", []string{x, c.cast(c.bind("p"), tensor.Int64)})
	if !agree(t, c, c.float32(sum), 6) {
		t.Log("not fused")
	}
}

// TestSharedNumbers: numbers that are an output by themselves are also the operand of an
// operator that runs by itself.
func TestSharedNumbers(t *testing.T) {
	for _, op := range []string{"Floor", "Exp", "Neg"} {
		c := &decoderCase{random: rand.New(rand.NewPCG(1, 1))}
		c.add("d", leafType(tensor.Float, 32))
		d := c.bind("d")
		if !agree(t, c, c.node("Concat", []string{d, c.node(op, []string{d})}, intAttr("axis", -1)), 6) {
			t.Errorf("%s: not fused", op)
		}
	}
}

// TestNoZero: FLOAT8E8M0 has no 0, and an integer that is 0 becomes its least number.
func TestNoZero(t *testing.T) {
	c := &decoderCase{random: rand.New(rand.NewPCG(1, 1))}
	c.add("q", packing(4, 1, 3))
	q := c.node("Concat", []string{c.bind("q.c0"), c.bind("q.c1")}, intAttr("axis", -1))
	x := c.node("Div", []string{c.cast(q, tensor.Int32), c.constant(tensor.Of([]int64{}, int32(28)))})
	x = c.node("Mul", []string{c.constant(tensor.Of([]int64{}, int32(93))), x})
	if !agree(t, c, c.cast(x, tensor.Float8E8M0), 6) {
		t.Error("not planned")
	}
}
