// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// TestObligations takes each obligation away in turn: then the decoder written for
// it comes out wrong, or the planner fails. With all of them it agrees with eval.
func TestObligations(t *testing.T) {
	for _, name := range plan.Obligations() {
		t.Run(name, func(t *testing.T) {
			write, ok := obligationCases[name]
			if !ok {
				t.Fatal("no case is written for this obligation")
			}
			c := &decoderCase{random: rand.New(rand.NewPCG(3, 5))}
			root, fn, err := c.finish(write(c), 4)
			if err != nil {
				t.Fatal(err)
			}
			if wrong := disagreement(t, root, fn, plan.Env{}); wrong != "" {
				t.Errorf("with every obligation: %s", wrong)
			}
			if disagreement(t, root, fn, plan.Env{}.Without(name)) == "" {
				t.Errorf("without it nothing goes wrong\n%s", listing(root, fn))
			}
		})
	}
}

// disagreement plans and runs a decoder on several payloads and says how it differs
// from eval; "" if it agrees or is not fused.
func disagreement(t *testing.T, root *structview.Type, fn *onnxpb.FunctionProto, env plan.Env) (wrong string) {
	defer func() {
		if r := recover(); r != nil {
			wrong = fmt.Sprint("panic: ", r)
		}
	}()
	p, err := plan.Decoder(root, fn, env)
	if err != nil || !p.Runs() {
		return ""
	}
	size, _ := root.Bytes()
	for try := range 20 {
		payload := fill(rand.New(rand.NewPCG(9, uint64(try))), int(size), try)
		want, err := literally(t, root, fn, payload)
		if err != nil {
			return ""
		}
		got := make([]float32, want.Len())
		p.NewRunner().Decode(payload, 0, p.Blocks, got)
		for i, w := range tensor.Slice[float32](want) {
			if g := got[i]; math.Float32bits(g) != math.Float32bits(w) && !(g != g && w != w) {
				return fmt.Sprintf("element %d: %v, want %v\n%s", i, g, w, text(p))
			}
		}
	}
	return ""
}

// obligationCases has a decoder for each obligation, of four blocks.
var obligationCases = map[string]func(c *decoderCase) string{
	// 3 + 3 carries into bit 2.
	"sums of bits have no carry": func(c *decoderCase) string {
		c.add("q", packing(16, 2, 2))
		return c.float32(c.node("Add", []string{c.bind("q.c0"), c.bind("q.c1")}))
	},
	// The top bit of a byte is the sign of an INT8.
	"a cast does not read a sign from a bit": func(c *decoderCase) string {
		c.add("q", leafType(tensor.Uint8, 16))
		return c.float32(c.cast(c.bind("q"), tensor.Int8))
	},
	// 6 bits times 4 reach the sign of an INT8.
	"a signed product loses no bit": func(c *decoderCase) string {
		c.add("q", packing(16, 7))
		return c.float32(c.node("Mul", []string{c.cast(c.bind("q.c0"), tensor.Int8), c.int8(4)}))
	},
	// 0 * -3 is -0. Three fields, so that no table sees it.
	"a float product is not -0": func(c *decoderCase) string {
		c.add("q", packing(16, 3, 3, 3))
		c.add("p", packing(16, 3))
		sum := c.node("Add", []string{c.float32(c.bind("q.c0")), c.float32(c.bind("q.c1"))})
		sum = c.node("Add", []string{sum, c.float32(c.bind("q.c2"))})
		return c.node("Mul", []string{sum, c.node("Sub", []string{c.float32(c.bind("p.c0")), c.float(4)})})
	},
	// 100 + 60 is -96 in INT8.
	"an integer result that leaves its type may be anything": func(c *decoderCase) string {
		c.add("q", packing(16, 7))
		c.add("p", packing(16, 6))
		return c.float32(c.node("Add", []string{c.cast(c.bind("q.c0"), tensor.Int8), c.cast(c.bind("p.c0"), tensor.Int8)}))
	},
	// (127 + 127 + 2^25) - 2^25 is 256.
	"float sums and products are exact only up to a limit": func(c *decoderCase) string {
		c.add("q", packing(16, 7))
		c.add("p", packing(16, 7))
		c.add("r", packing(16, 1))
		sum := c.farAndBack(c.node("Add", []string{c.float32(c.bind("q.c0")), c.float32(c.bind("p.c0"))}))
		return c.node("Add", []string{sum, c.float32(c.bind("r.c0"))})
	},
	// A table knows that (17 + 2^28) - 2^28 is 32; arithmetic modulo 256 does not.
	"float arithmetic on codes does not round": func(c *decoderCase) string {
		c.add("q", packing(16, 7))
		far := c.float(1 << 28) // rounds to multiples of 32, which no table of half the bits does
		return c.node("Sub", []string{c.node("Add", []string{c.float32(c.bind("q.c0")), far}), far})
	},
	// q*d rounds, and so does its product with e.
	"products are regrouped only where nothing rounds": func(c *decoderCase) string {
		c.add("q", packing(16, 8))
		x := c.node("Mul", []string{c.float32(c.bind("q.c0")), c.one("d", tensor.Float)})
		return c.node("Mul", []string{x, c.one("e", tensor.Float)})
	},
	// Sums of two bytes have 9 bits.
	"a code has 8 bits": func(c *decoderCase) string {
		c.add("q", packing(16, 8))
		c.add("p", packing(16, 8))
		return c.node("Add", []string{c.float32(c.bind("q.c0")), c.float32(c.bind("p.c0"))})
	},
	// Even lanes are at least 1.5, odd lanes at least 9.5.
	"one table serves all lanes only if they agree": func(c *decoderCase) string {
		c.add("q", packing(16, 4))
		least := make([]float32, 16)
		for i := range least {
			least[i] = []float32{1.5, 9.5}[i%2]
		}
		return c.node("Max", []string{c.float32(c.bind("q.c0")), c.constant(tensor.Of([]int64{16}, least...))})
	},
	"the lanes of a row share their index": func(c *decoderCase) string {
		c.add("q", packing(16, 4))
		steps := make([]float32, 16)
		for i := range steps {
			steps[i] = float32(3 + i)
		}
		return c.node("Mul", []string{c.float32(c.bind("q.c0")), c.constant(tensor.Of([]int64{16}, steps...))})
	},
	// Two blocks change places.
	"an axis that counts blocks is not touched": func(c *decoderCase) string {
		c.add("q", leafType(tensor.Uint8, 4))
		turned := c.node("Transpose", []string{c.bind("q")}, &onnxpb.AttributeProto{
			Name: "perm", Type: onnxpb.AttributeProto_INTS, Ints: []int64{1, 0},
		})
		return c.float32(turned)
	},
	// A bias per block is no bias of every block.
	"a constant is the same for every block": func(c *decoderCase) string {
		c.add("q", leafType(tensor.Uint8, 32))
		bias := c.constant(tensor.Of([]int64{4, 1}, float32(1), 2, 3, 4))
		return c.node("Mul", []string{c.float32(c.bind("q")), bias})
	},
	// A number of 26 bits, of which a float loses one, is wanted for its last bits.
	"a float stands only for integers that it holds": func(c *decoderCase) string {
		c.add("q", packing(16, 26))
		x := c.cast(c.bind("q.c0"), tensor.Int32)
		number := func(v int32) string { return c.constant(tensor.Of([]int64{}, v)) }
		signed := c.node("Where", []string{c.node("Less", []string{x, number(1 << 25)}), x, c.node("Sub", []string{x, number(1 << 26)})})
		return c.float32(c.node("BitwiseAnd", []string{signed, number(7)}))
	},
	// Two tables have 288 entries together.
	"a code tells all entries of a table apart": func(c *decoderCase) string {
		c.add("table", leafType(tensor.Float16, 2, 144))
		c.add("q", packing(64, 7))
		index := c.node("Reshape", []string{c.cast(c.bind("q.c0"), tensor.Int64), c.longs(4, 2, 32)})
		return c.node("GatherElements", []string{c.float32(c.bind("table")), index}, intAttr("axis", -1))
	},
	// 0.1 is another number in FLOAT.
	"a FLOAT stands for a DOUBLE only if it holds it": func(c *decoderCase) string {
		c.add("q", packing(16, 8))
		c.add("p", packing(16, 8))
		x := c.node("Add", []string{c.cast(c.bind("q.c0"), tensor.Double), c.cast(c.bind("p.c0"), tensor.Double)})
		return c.float32(c.node("Mul", []string{x, c.constant(tensor.Of([]int64{}, 0.1))}))
	},
	// A number of 14 bits loses three of them in FLOAT16.
	"a half type is left out only where it does not round": func(c *decoderCase) string {
		c.add("q", packing(16, 14))
		return c.float32(c.cast(c.bind("q.c0"), tensor.Float16))
	},
	// Each lane has a number of its own beside its code.
	"a table for a group holds what its lanes share": func(c *decoderCase) string {
		c.add("q", packing(64, 2))
		c.add("d", leafType(tensor.Float16, 64))
		e, q := c.one("e", tensor.Float), c.float32(c.bind("q.c0"))
		return c.node("Where", []string{
			c.node("Less", []string{q, c.float(2)}),
			c.node("Mul", []string{c.float32(c.bind("d")), e}), c.node("Mul", []string{q, e}),
		})
	},
	// Places 0, 0, 1, 1, ….
	"an index finds one lane of a run at most": func(c *decoderCase) string {
		c.add("q", packing(64, 4))
		c.add("at", packing(1, 5))
		places := make([]uint8, 64)
		for i := range places {
			places[i] = uint8(i / 2)
		}
		on := c.node("Equal", []string{c.constant(tensor.Of([]int64{64}, places...)), c.bind("at.c0")})
		return c.node("Where", []string{on, c.one("e", tensor.Float), c.float32(c.bind("q.c0"))})
	},
	// The lane that is replaced has a code of its own.
	"lanes that may be replaced share the value": func(c *decoderCase) string {
		q, on := c.replaceable("at")
		return c.node("Where", []string{on, c.node("Add", []string{q, c.one("e", tensor.Float)}), q})
	},
	// Both indices can be the same.
	"of several conditions the outermost decides": func(c *decoderCase) string {
		q, inner := c.replaceable("at")
		outer := c.replaced("to")
		q = c.node("Where", []string{inner, c.one("d", tensor.Float), q})
		return c.node("Where", []string{outer, c.one("e", tensor.Float), q})
	},
	// 3 times the FLOAT next to 1/7 is not the FLOAT next to 3/7.
	"a factor stands for a divisor of few integers only where all were tried": func(c *decoderCase) string {
		c.add("q", leafType(tensor.Uint8, 32))
		return c.node("Div", []string{c.float32(c.bind("q")), c.float(7)})
	},
	// 4095 + 3 is 2 modulo 4096.
	"a remainder of a sum is a sum of remainders only if that is less than the divisor": func(c *decoderCase) string {
		c.add("q", leafType(tensor.Int16, 32))
		x := c.node("Add", []string{c.cast(c.bind("q"), tensor.Int32), c.constant(tensor.Of([]int64{}, int32(3)))})
		return c.float32(c.node("Mod", []string{x, c.constant(tensor.Of([]int64{}, int32(4096)))}))
	},
	// -0 + 0 is 0.
	"a float sum begins with +0": func(c *decoderCase) string {
		c.add("q", leafType(tensor.Float8E5M2, 16, 1))
		return c.node("ReduceSum", []string{c.float32(c.bind("q")), c.longs(-1)})
	},
}

func (c *decoderCase) float32(x string) string { return c.cast(x, tensor.Float) }

func (c *decoderCase) int8(v int8) string { return c.constant(tensor.Of([]int64{}, v)) }

// farAndBack adds 2^25 and takes it off again.
func (c *decoderCase) farAndBack(x string) string {
	return c.node("Sub", []string{c.node("Add", []string{x, c.float(1 << 25)}), c.float(1 << 25)})
}

// one is one float a block, as FLOAT [..., 1].
func (c *decoderCase) one(name string, elem tensor.Type) string {
	c.add(name, leafType(elem))
	x := c.bind(name)
	if elem != tensor.Float {
		x = c.float32(x)
	}
	return c.node("Unsqueeze", []string{x, c.constant(tensor.Of([]int64{1}, int64(-1)))})
}

// replaceable is 64 codes and a condition that is true for one of them.
func (c *decoderCase) replaceable(name string) (codes, on string) {
	c.add("q", packing(64, 4))
	return c.float32(c.bind("q.c0")), c.replaced(name)
}

// replaced is true for the one of 64 lanes that a field says.
func (c *decoderCase) replaced(name string) string {
	c.add(name, packing(1, 6))
	places := make([]uint8, 64)
	for i := range places {
		places[i] = uint8(i)
	}
	return c.node("Equal", []string{c.constant(tensor.Of([]int64{64}, places...)), c.bind(name + ".c0")})
}
