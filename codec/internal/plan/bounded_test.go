// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// costly are declarations whose size says little about what planning them takes if work is
// not counted: each returns its output, and the arrays around the block.
var costly = map[string]func(c *decoderCase) (string, []int64){
	"sums of sums, side by side": func(c *decoderCase) (string, []int64) {
		list := c.floats("a", "b")
		for range 200 {
			for i, x := range list {
				list[i] = c.node("Add", []string{x, x})
			}
		}
		return c.node("Concat", list, intAttr("axis", -1)), []int64{6}
	},
	"squares of squares": func(c *decoderCase) (string, []int64) {
		c.add("d", leafType(tensor.Float16, 1))
		x := c.float32(c.bind("d"))
		for range 100 {
			x = c.node("Mul", []string{c.node("Mul", []string{x, c.float(0.5)}), x})
		}
		return c.node("Mul", []string{c.node("Mul", []string{c.codes4(32), x}), x}), []int64{6}
	},
	"products of many scales": func(c *decoderCase) (string, []int64) {
		x := c.codes4(64)
		for i := range 60 {
			name := fmt.Sprintf("d%d", i)
			c.add(name, leafType(tensor.Float8E5M2, 1))
			x = c.node("Mul", []string{x, c.float32(c.bind(name))})
		}
		return x, []int64{6}
	},
	"products of powers of two": func(c *decoderCase) (string, []int64) {
		x := c.codes4(64)
		for i := range 100 {
			c.add(fmt.Sprintf("s%d", i), packing(1, 1))
			sign := c.node("Sub", []string{c.node("Mul", []string{c.float32(c.bind(fmt.Sprintf("s%d.c0", i))), c.float(2)}), c.float(1)})
			x = c.node("Mul", []string{x, sign})
		}
		return x, []int64{6}
	},
	"large blocks together": func(c *decoderCase) (string, []int64) {
		c.add("pad", leafType(tensor.Uint8, 1<<20-16))
		c.add("d", leafType(tensor.Float, 4))
		x := c.node("Gather", []string{c.bind("d"), c.constant(tensor.Of([]int64{}, int64(1)))}, intAttr("axis", -1))
		x = c.node("Reshape", []string{x, c.constant(tensor.Of([]int64{2}, int64(-1), 512))})
		first := c.node("Gather", []string{x, c.constant(tensor.Of([]int64{1}, int64(0)))}, intAttr("axis", -1))
		return c.node("Reshape", []string{c.node("Sub", []string{x, first}), c.constant(tensor.Of([]int64{1}, int64(-1)))}), []int64{1024}
	},
	"Gather of Gather": func(c *decoderCase) (string, []int64) {
		x := c.codes4(2, 2, 2)
		for axis := range int64(3) {
			x = c.node("Gather", []string{x, c.constant(tensor.Of([]int64{4096}, make([]int64, 4096)...))}, intAttr("axis", 1+axis))
		}
		return x, []int64{6}
	},
	"a broadcast": func(c *decoderCase) (string, []int64) {
		c.add("a", leafType(tensor.Uint8, 1<<14, 1))
		c.add("b", leafType(tensor.Uint8, 1, 1<<14))
		return c.node("Add", []string{c.bind("a"), c.bind("b")}), []int64{6}
	},
	"Concat of itself": func(c *decoderCase) (string, []int64) {
		x := c.codes4(4)
		for range 40 {
			x = c.node("Concat", []string{x, x}, intAttr("axis", 1))
		}
		return x, []int64{6}
	},
	"many pieces": func(c *decoderCase) (string, []int64) {
		c.add("q", packing(2048, 4))
		x := c.node("Transpose", []string{c.bind("q.c0")})
		x = c.node("Reshape", []string{x, c.longs(1, 2048)})
		x = c.cast(x, tensor.Int64)
		parts := slices.Clone(c.several("Split", 2048, []string{x}, intAttr("axis", 1), intAttr("num_outputs", 2048)))
		for i, p := range parts {
			parts[i] = c.node("BitwiseXor", []string{p, c.scalar(int64(i % 15))})
			if i%2 == 0 {
				parts[i] = c.node("Max", []string{p, c.scalar(3)})
			}
		}
		x = c.node("Concat", parts, intAttr("axis", 1))
		for range 20 {
			x = c.node("Add", []string{x, c.scalar(1)})
		}
		table := make([]float32, 64)
		for i := range table {
			table[i] = float32(i) / 3
		}
		return c.node("Gather", []string{c.constant(tensor.Of([]int64{64}, table...)), x}), nil
	},
	"a deep chain": func(c *decoderCase) (string, []int64) {
		c.add("d", leafType(tensor.Float, 1))
		x := c.node("Expand", []string{c.bind("d"), c.longs(1, 64)})
		for range 4000 {
			x = c.node("Add", []string{c.node("ReduceSum", []string{x, c.longs(-1)}), x})
		}
		return x, []int64{6}
	},
	"a deep chain of one lane": func(c *decoderCase) (string, []int64) {
		c.add("d", leafType(tensor.Float, 1))
		return c.unrolled("Sin", c.bind("d"), 200), []int64{6}
	},
	"many operators on few lanes": func(c *decoderCase) (string, []int64) {
		return c.unrolled("Erf", c.codes4(32), 80), []int64{1 << 12}
	},
	"blocks of padding": func(c *decoderCase) (string, []int64) {
		c.add("p", leafType(tensor.Uint8, 1<<19))
		return c.codes4(2), []int64{1 << 12}
	},
	"loops in loops": func(c *decoderCase) (string, []int64) {
		return c.unrolled("Exp", c.codes4(512), 63), []int64{6}
	},
	"products of constants": func(c *decoderCase) (string, []int64) {
		square := c.node("ConstantOfShape", []string{c.longs(512, 512)})
		for range 2000 {
			square = c.node("MatMul", []string{square, square})
		}
		return c.node("Add", []string{c.codes4(4), c.node("ReduceSum", []string{square}, intAttr("keepdims", 0))}), []int64{6}
	},
	"a large constant": func(c *decoderCase) (string, []int64) {
		zeros := c.node("ConstantOfShape", []string{c.longs(1 << 31)})
		return c.node("Add", []string{c.codes4(4), c.node("ReduceSum", []string{zeros}, intAttr("keepdims", 0))}), []int64{6}
	},
	"OneHot of a large depth": func(c *decoderCase) (string, []int64) {
		c.add("q", packing(8192, 8))
		return c.node("OneHot", []string{c.cast(c.bind("q.c0"), tensor.Int32), c.scalar(1 << 16), c.constant(tensor.Of([]int64{2}, float32(0), 1))}), []int64{6}
	},
	"rows of a large table": func(c *decoderCase) (string, []int64) {
		c.add("q", packing(8192, 2))
		table := c.constant(tensor.Of([]int64{4, 1 << 14}, slices.Repeat([]float32{1, 2, 3, 4}, 1<<14)...))
		return c.node("Gather", []string{table, c.cast(c.bind("q.c0"), tensor.Int64)}), []int64{6}
	},
	"arrays of arrays": func(c *decoderCase) (string, []int64) {
		x := c.codes4(1024)
		for range 300 {
			x = c.node("Exp", []string{x})
		}
		return c.node("Einsum", []string{x}, stringAttr("equation", "...i->...i")), slices.Repeat([]int64{1}, 40)
	},
	"many views": func(c *decoderCase) (string, []int64) {
		x := c.codes4(256, 128)
		for range 8000 {
			x = c.node("Transpose", []string{x}, intsAttr("perm", 0, 2, 1))
		}
		return x, []int64{6}
	},
	"a long row": func(c *decoderCase) (string, []int64) {
		row := slices.Repeat([]float32{0}, 1<<15)
		row[len(row)-1] = 1
		x := c.codes4(1 << 15)
		for range 30 {
			x = c.node("Mul", []string{x, c.constant(tensor.Of([]int64{1, 1 << 15}, row...))})
			row[0]++
		}
		return x, []int64{6}
	},
	"a long chain of bytes": func(c *decoderCase) (string, []int64) {
		c.add("q", packing(64, 3, 4))
		x := c.node("Max", []string{c.bind("q.c0"), c.bind("q.c1")})
		for i := range 1000 {
			x = c.node([]string{"Add", "Mul", "BitwiseXor"}[i%3], []string{x, c.constant(tensor.Of([]int64{}, uint8(2*i+1)))})
		}
		return c.float32(x), []int64{6}
	},
	"a search by strips": func(c *decoderCase) (string, []int64) {
		c.add("d", leafType(tensor.Float, 256))
		d := c.bind("d")
		x := c.node("Abs", []string{c.node("Sub", []string{
			c.node("Unsqueeze", []string{d, c.longs(-1)}), c.node("Unsqueeze", []string{d, c.longs(1)}),
		})})
		return c.node("ArgMin", []string{x}, intAttr("axis", 2)), []int64{6}
	},
	"a large table by strips": func(c *decoderCase) (string, []int64) {
		c.add("q", packing(4096, 16))
		table := make([]float32, 1<<16)
		for i := range table {
			table[i] = float32(i * i)
		}
		x := c.node("Gather", []string{c.constant(tensor.Of([]int64{1 << 16}, table...)), c.cast(c.bind("q.c0"), tensor.Int64)})
		return c.node("Floor", []string{x}), []int64{6}
	},
	"many dimensions": func(c *decoderCase) (string, []int64) {
		x := c.node("Reshape", []string{c.codes4(1 << 12), c.longs(append([]int64{6, 1 << 12}, slices.Repeat([]int64{1}, 1000)...)...)})
		for range 300 {
			x = c.node("Add", []string{x, x})
		}
		return x, []int64{6}
	},
}

// floats are leaves of 8 FLOAT each.
func (c *decoderCase) floats(names ...string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		c.add(name, leafType(tensor.Float, 8))
		out[i] = c.bind(name)
	}
	return out
}

// unrolled applies an operator in a loop within a loop.
func (c *decoderCase) unrolled(op, x string, steps int64) string {
	count := tensor.Of([]int64{}, steps).Proto("steps")
	inner := &onnxpb.GraphProto{
		Name: "inner", Input: infos("j", "go2", "w"), Output: infos("on2", "y"),
		Node: []*onnxpb.NodeProto{
			{OpType: "Identity", Input: []string{"go2"}, Output: []string{"on2"}},
			{OpType: op, Input: []string{"w"}, Output: []string{"y"}},
		},
	}
	outer := &onnxpb.GraphProto{
		Name: "outer", Input: infos("i", "go", "v"), Output: infos("on", "u"), Initializer: []*onnxpb.TensorProto{count},
		Node: []*onnxpb.NodeProto{
			{OpType: "Identity", Input: []string{"go"}, Output: []string{"on"}},
			{OpType: "Loop", Input: []string{"steps", "", "v"}, Output: []string{"u"}, Attribute: []*onnxpb.AttributeProto{graphAttr("body", inner)}},
		},
	}
	return c.node("Loop", []string{c.scalar(steps), "", x}, graphAttr("body", outer))
}

// TestBoundedWork: no declaration makes planning take long. What costs too much runs through eval.
func TestBoundedWork(t *testing.T) {
	for name, make := range costly {
		t.Run(name, func(t *testing.T) {
			c := &decoderCase{random: rand.New(rand.NewPCG(1, 1))}
			out, counts := make(c)
			root, fn, err := c.finish(out, counts...)
			if err != nil {
				t.Fatal(err)
			}
			env := plan.Env{}
			if strings.Contains(name, "strips") {
				env = env.Stripped()
			}
			began := processorTime(t)
			p, err := plan.Decoder(root, fn, env)
			runs := err == nil && p.Runs()
			t.Logf("%v: %d units of work, runs %v, %.300q", processorTime(t)-began, p.Work(), runs, p.Reasons)
			if p.Work() > plan.MaxWork+1<<20 {
				t.Errorf("%d units of work, at most %d", p.Work(), plan.MaxWork)
			}
			if !runs && len(p.Reasons) == 0 {
				t.Error("no reason is given")
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if began = processorTime(t); runs {
				p.NewRunner()
			}
			t.Logf("%v: made ready", processorTime(t)-began)
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
				t.Errorf("a runner takes %d bytes", n)
			}
		})
	}
}
