// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/tensor"
)

// TestStripObligations takes each obligation of strips away in turn: then what is written for it comes
// out wrong. With all of them it agrees with eval.
func TestStripObligations(t *testing.T) {
	for _, name := range plan.StripObligations() {
		t.Run(name, func(t *testing.T) {
			differs := strippedCase(name)
			if differs == nil {
				t.Fatal("no case is written for this obligation")
			}
			if wrong := differs(t, plan.Env{}.Stripped()); wrong != "" {
				t.Errorf("with every obligation: %s", wrong)
			}
			if differs(t, plan.Env{}.Stripped().Without(name)) == "" {
				t.Error("without it nothing goes wrong")
			}
		})
	}
}

func strippedCase(name string) func(*testing.T, plan.Env) string {
	if name == "a component's value fits its width" {
		return tooLarge
	}
	write := stripCases[name]
	if write == nil {
		return nil
	}
	return func(t *testing.T, env plan.Env) string {
		c := &decoderCase{random: rand.New(rand.NewPCG(3, 5))}
		root, fn, err := c.finish(write(c), 4)
		if err != nil {
			t.Fatal(err)
		}
		size, _ := root.Bytes()
		p, err := plan.Decoder(root, fn, env)
		if err != nil || p.Strips == nil {
			// Some cases have strips only without their obligation.
			return ""
		}
		for try := range 20 {
			payload := fill(rand.New(rand.NewPCG(9, uint64(try))), int(size), try)
			want, err := literally(t, root, fn, payload)
			if err != nil {
				t.Fatal(err)
			}
			if wrong := difference(p, decodeAll(t, p, payload), want); wrong != "" {
				return fmt.Sprintf("%s\n%s", wrong, p.Strips)
			}
		}
		return ""
	}
}

// tooLarge is an encoder whose codes can be 20, in 4 bits.
func tooLarge(t *testing.T, env plan.Env) string {
	c := &encoderCase{elem: tensor.Float, dims: []int64{4, 8}}
	c.add("q", packing(8, 4))
	c.field("q.c0", c.cast("x", tensor.Uint8))
	root, err := c.made(4)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float32, 32)
	x[19] = 20
	wrong, ran := wrongly(t, root, eval.TensorType(tensor.Float, 4, 8), env, []*tensor.Tensor{tensor.Of(c.dims, x...)})
	if !ran {
		t.Fatal("the encoder is not planned")
	}
	return wrong
}

// stripCases has a decoder for each other obligation.
var stripCases = map[string]func(c *decoderCase) string{
	// 200 + 100 is 44 in UINT8.
	"a word keeps the bits of its type alone": func(c *decoderCase) string {
		c.add("q", leafType(tensor.Uint8, 16))
		c.add("p", leafType(tensor.Uint8, 16))
		return c.float32(c.node("Add", []string{c.bind("q"), c.bind("p")}))
	},
	// The low word of 2^60 is 0.
	"a word holds an integer of 64 bits": func(c *decoderCase) string {
		c.add("q", leafType(tensor.Float, 16))
		return c.float32(c.cast(c.cast(c.bind("q"), tensor.Int64), tensor.Bool))
	},
	// So is 2^31 as a signed word.
	"large unsigned words are not compared as signed ones": func(c *decoderCase) string {
		c.add("q", leafType(tensor.Uint32, 16))
		return c.float32(c.node("Greater", []string{c.bind("q"), c.constant(tensor.Of([]int64{}, uint32(5)))}))
	},
	// In FLOAT, 2^31 - 1 is 2^31.
	"one quotient in FLOAT serves small integers alone": func(c *decoderCase) string {
		c.add("q", leafType(tensor.Int32, 16))
		return c.float32(c.node("Mod", []string{c.bind("q"), c.constant(tensor.Of([]int64{}, int32(7)))}))
	},
	// 6/7 is next to 1 where numbers are a quarter apart.
	"a product is a quotient of small integers alone": func(c *decoderCase) string {
		c.add("q", packing(16, 24))
		return c.float32(c.node("Mod", []string{c.cast(c.bind("q.c0"), tensor.Int32), c.constant(tensor.Of([]int64{}, int32(7)))}))
	},
	// The lesser one of the products is 0, and 9/6 no longer half-way.
	"a number that is divided by a sum of two products is not too small": func(c *decoderCase) string {
		c.add("q", packing(16, 12))
		x := c.node("Mul", []string{c.float32(c.bind("q.c0")), c.float(0x1p-149)})
		return c.node("Div", []string{x, c.float(6)})
	},
	// 2^30 + 1 is 2^30 in FLOAT.
	"a search compares integers that FLOAT tells apart": func(c *decoderCase) string {
		c.add("q", packing(16, 2))
		c.add("p", packing(16, 2))
		sum := c.node("Mul", []string{c.cast(c.bind("q.c0"), tensor.Int32), c.cast(c.bind("p.c0"), tensor.Int32)})
		sum = c.node("Add", []string{sum, c.constant(tensor.Of([]int64{}, int32(1<<30)))})
		return c.float32(c.node("ArgMax", []string{sum}, intAttr("axis", -1)))
	},
}

// TestStripOrder: float sums and searches keep the order of their elements, and the first or the last of equals.
func TestStripOrder(t *testing.T) {
	for _, last := range []int64{0, 1} {
		for _, op := range []string{"ArgMax", "ArgMin"} {
			c := &encoderCase{elem: tensor.Float, dims: []int64{3, 100}}
			c.add("sum", leafType(tensor.Float))
			c.add("at", leafType(tensor.Int64))
			c.add("root", leafType(tensor.Float16))
			minus := c.ints(-1)
			c.field("sum", c.node("ReduceSum", []string{"x", minus}, intAttr("keepdims", 0)))
			at := c.node(op, []string{"x"}, intAttr("axis", -1), intAttr("keepdims", 0), intAttr("select_last_index", last))
			c.field("at", at)
			c.field("root", c.cast(c.node("ReduceL2", []string{"x", minus}, intAttr("keepdims", 0)), tensor.Float16))
			root, err := c.made(3)
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(4, 4))
			x := make([]float32, 300)
			for i := range x {
				x[i] = float32(random.IntN(9)-4) * 0x1.234567p10 * float32(1+i%7)
			}
			wrong, ran := wrongly(t, root, eval.TensorType(tensor.Float, c.dims...), plan.Env{}, []*tensor.Tensor{tensor.Of(c.dims, x...)})
			if wrong != "" || !ran {
				t.Errorf("%s, last %d: ran %v: %s", op, last, ran, wrong)
			}
		}
	}
}
