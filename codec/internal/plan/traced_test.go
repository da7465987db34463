// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

func intsAttr(name string, list ...int64) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_INTS, Ints: list}
}

func stringAttr(name, s string) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_STRING, S: []byte(s)}
}

// longs is a constant list of INT64; scalar is one.
func (c *decoderCase) longs(list ...int64) string {
	return c.constant(tensor.Of([]int64{int64(len(list))}, list...))
}

func (c *decoderCase) scalar(i int64) string { return c.constant(tensor.Of([]int64{}, i)) }

// codes4 is a leaf of codes of four bits in the given dimensions, as FLOAT.
func (c *decoderCase) codes4(dims ...int64) string {
	c.add("q", leafType(tensor.Uint4, dims...))
	return c.float32(c.bind("q"))
}

// operators has a decoder for each operator that is traced in its own way, of six blocks;
// the axes that count blocks are in front.
var operators = map[string]func(c *decoderCase) string{
	"DepthToSpace": func(c *decoderCase) string {
		return c.node("DepthToSpace", []string{c.codes4(8, 2, 4)}, intAttr("blocksize", 2))
	},
	"DepthToSpace CRD": func(c *decoderCase) string {
		return c.node("DepthToSpace", []string{c.codes4(8, 2, 4)}, intAttr("blocksize", 2), stringAttr("mode", "CRD"))
	},
	"SpaceToDepth": func(c *decoderCase) string {
		return c.node("SpaceToDepth", []string{c.codes4(2, 4, 8)}, intAttr("blocksize", 2))
	},
	"Trilu": func(c *decoderCase) string {
		return c.node("Trilu", []string{c.codes4(6, 6), c.scalar(1)}, intAttr("upper", 0))
	},
	"ReverseSequence": func(c *decoderCase) string {
		return c.node("ReverseSequence", []string{c.codes4(4, 8), c.longs(4, 1, 3, 2, 4, 0)}, intAttr("batch_axis", 0), intAttr("time_axis", 1))
	},
	"ReverseSequence of blocks": func(c *decoderCase) string {
		return c.node("ReverseSequence", []string{c.codes4(4, 8), c.longs(6, 2, 5, 1)})
	},
	"Compress": func(c *decoderCase) string {
		yes := c.constant(tensor.Of([]int64{4}, true, false, true, true))
		return c.node("Compress", []string{c.codes4(4, 8), yes}, intAttr("axis", 1))
	},
	"Pad": func(c *decoderCase) string {
		return c.node("Pad", []string{c.codes4(4, 8), c.longs(0, 1, 2, 0, -1, 3), c.float(0.5)})
	},
	"Pad reflect": func(c *decoderCase) string {
		return c.node("Pad", []string{c.codes4(4, 8), c.longs(2, 3), "", c.longs(-1)}, stringAttr("mode", "reflect"))
	},
	"CenterCropPad": func(c *decoderCase) string {
		return c.node("CenterCropPad", []string{c.codes4(5, 8), c.longs(8, 4)}, intsAttr("axes", 1, 2))
	},
	"GatherND": func(c *decoderCase) string {
		index := make([]int64, 6*10*2)
		for i := range index {
			index[i] = int64(i*7%20) * 3 % [2]int64{4, 8}[i%2]
			if i >= 20 {
				index[i] = index[i-20]
			}
		}
		return c.node("GatherND", []string{c.codes4(4, 8), c.constant(tensor.Of([]int64{6, 10, 2}, index...))}, intAttr("batch_dims", 1))
	},
	"GatherND of a table": func(c *decoderCase) string {
		c.add("q", packing(16, 2, 2))
		c.add("p", leafType(tensor.Uint8))
		axis := c.longs(-1)
		x := c.node("Concat", []string{
			c.node("Unsqueeze", []string{c.cast(c.bind("q.c0"), tensor.Int64), axis}),
			c.node("Unsqueeze", []string{c.cast(c.bind("q.c1"), tensor.Int64), axis}),
		}, intAttr("axis", -1))
		table := make([]float32, 16)
		for i := range table {
			table[i] = float32(i*i) - 3.5
		}
		return c.node("GatherND", []string{c.constant(tensor.Of([]int64{4, 4}, table...)), x})
	},
	"GatherND of a table from its ends": func(c *decoderCase) string {
		c.add("q", packing(16, 2, 2))
		axis, two := c.longs(-1), c.scalar(2)
		x := c.node("Concat", []string{
			c.node("Unsqueeze", []string{c.node("Sub", []string{c.cast(c.bind("q.c0"), tensor.Int64), two}), axis}),
			c.node("Unsqueeze", []string{c.node("Sub", []string{c.cast(c.bind("q.c1"), tensor.Int64), two}), axis}),
		}, intAttr("axis", -1))
		return c.node("GatherND", []string{c.counted(4, 4), x})
	},
	"GatherElements": func(c *decoderCase) string {
		index := make([]int64, 6*4*3)
		for i := range index {
			index[i] = int64(i%12)*5%16 - 8
		}
		return c.node("GatherElements", []string{c.codes4(4, 8), c.constant(tensor.Of([]int64{6, 4, 3}, index...))}, intAttr("axis", 2))
	},
	"GatherElements of a table": func(c *decoderCase) string {
		c.add("q", packing(4, 2))
		c.add("p", leafType(tensor.Uint8))
		table := make([]float32, 6*4*4)
		for i := range table {
			table[i] = float32(i%16) * 1.5
		}
		x := c.node("Unsqueeze", []string{c.cast(c.bind("q.c0"), tensor.Int64), c.longs(1)})
		return c.node("GatherElements", []string{c.constant(tensor.Of([]int64{6, 4, 4}, table...)), x}, intAttr("axis", 1))
	},
	"ScatterElements": func(c *decoderCase) string {
		index := make([]int64, 6*2*8)
		for i := range index {
			index[i] = int64(i%16) * 3 % 4
		}
		c.add("u", leafType(tensor.Uint4, 2, 8))
		return c.node("ScatterElements", []string{
			c.codes4(4, 8), c.constant(tensor.Of([]int64{6, 2, 8}, index...)), c.float32(c.bind("u")),
		}, intAttr("axis", 1))
	},
	"ScatterElements into constants": func(c *decoderCase) string {
		index := make([]int64, 6*3)
		for i := range index {
			index[i] = int64(i%3)*2 + 1
		}
		zeros := c.constant(tensor.Of([]int64{6, 8}, make([]float32, 48)...))
		return c.node("ScatterElements", []string{zeros, c.constant(tensor.Of([]int64{6, 3}, index...)), c.codes4(3)}, intAttr("axis", -1))
	},
	"ScatterND": func(c *decoderCase) string {
		return c.node("ScatterND", []string{
			c.codes4(8), c.constant(tensor.Of([]int64{3, 2}, int64(5), -1, 0, 3, 5, 7)),
			c.constant(tensor.Of([]int64{3}, float32(1.5), 2.5, 3.5)),
		})
	},
	"EyeLike": func(c *decoderCase) string {
		x := c.node("Reshape", []string{c.codes4(16), c.longs(6, 4, 4)})
		eye := c.node("EyeLike", []string{c.constant(tensor.Of([]int64{4, 4}, make([]float32, 16)...))})
		return c.node("Add", []string{x, eye})
	},
	"OneHot": func(c *decoderCase) string {
		c.add("q", packing(8, 3))
		x := c.node("Sub", []string{c.cast(c.bind("q.c0"), tensor.Int32), c.constant(tensor.Of([]int64{}, int32(3)))})
		return c.node("OneHot", []string{x, c.scalar(4), c.constant(tensor.Of([]int64{2}, float32(-0.5), 7))}, intAttr("axis", 1))
	},
	"MatMul": func(c *decoderCase) string {
		signs := make([]float32, 64)
		for i := range signs {
			signs[i] = 1 - 2*float32(bitCount(i/8&(i%8))%2)
		}
		return c.node("MatMul", []string{c.codes4(8), c.constant(tensor.Of([]int64{8, 8}, signs...))})
	},
	"ReduceMean": func(c *decoderCase) string { return c.node("ReduceMean", []string{c.codes4(4, 8), c.longs(1)}) },
	"ReduceSum two": func(c *decoderCase) string {
		return c.node("ReduceSum", []string{c.codes4(4, 4, 3), c.longs(-1, 1)}, intAttr("keepdims", 0))
	},
	"ReduceSumSquare": func(c *decoderCase) string { return c.node("ReduceSumSquare", []string{c.codes4(4, 8), c.longs(1)}) },
	"ReduceL1":        func(c *decoderCase) string { return c.node("ReduceL1", []string{c.codes4(4, 8), c.longs(2)}) },
	"ReduceMax":       func(c *decoderCase) string { return c.node("ReduceMax", []string{c.codes4(4, 8), c.longs(2)}) },
	"CumSum": func(c *decoderCase) string {
		return c.node("CumSum", []string{c.codes4(32), c.scalar(-1)}, intAttr("exclusive", 1), intAttr("reverse", 1))
	},
	"CumProd": func(c *decoderCase) string {
		return c.node("CumProd", []string{c.codes4(2, 8), c.scalar(2)}, intAttr("exclusive", 1))
	},
	"Scan": func(c *decoderCase) string {
		body := &onnxpb.GraphProto{
			Name: "body", Input: infos("sum", "x"), Output: infos("next", "y"),
			Node: []*onnxpb.NodeProto{
				{OpType: "Add", Input: []string{"sum", "x"}, Output: []string{"next"}},
				{OpType: "Mul", Input: []string{"next", "half"}, Output: []string{"y"}},
			},
			Initializer: []*onnxpb.TensorProto{tensor.Of([]int64{}, float32(0.5)).Proto("half")},
		}
		zero := c.constant(tensor.Of([]int64{6, 4}, make([]float32, 24)...))
		out := c.several("Scan", 2, []string{zero, c.codes4(4, 8)}, graphAttr("body", body), intAttr("num_scan_inputs", 1),
			intsAttr("scan_input_axes", 2), intsAttr("scan_input_directions", 1), intsAttr("scan_output_axes", -1))
		return c.node("Concat", []string{out[1], c.node("Unsqueeze", []string{out[0], c.longs(2)})}, intAttr("axis", 2))
	},
	"Loop": func(c *decoderCase) string {
		body := &onnxpb.GraphProto{
			Name: "body", Input: infos("i", "go", "v"), Output: infos("on", "w"),
			Node: []*onnxpb.NodeProto{
				{OpType: "Less", Input: []string{"i", "last"}, Output: []string{"on"}},
				{OpType: "Gather", Input: []string{"factors", "i"}, Output: []string{"f"}},
				{OpType: "Mul", Input: []string{"v", "f"}, Output: []string{"w"}},
			},
			Initializer: []*onnxpb.TensorProto{
				tensor.Of([]int64{}, int64(2)).Proto("last"), tensor.Of([]int64{4}, float32(3), 0.25, -1, 9).Proto("factors"),
			},
		}
		return c.node("Loop", []string{c.scalar(10), "", c.codes4(16)}, graphAttr("body", body))
	},
	"If": func(c *decoderCase) string {
		x := c.codes4(16)
		branch := func(op string) *onnxpb.GraphProto {
			return &onnxpb.GraphProto{
				Name: op, Output: infos("r"),
				Node:        []*onnxpb.NodeProto{{OpType: op, Input: []string{x, "two"}, Output: []string{"r"}}},
				Initializer: []*onnxpb.TensorProto{tensor.Of([]int64{}, float32(2)).Proto("two")},
			}
		}
		long := c.node("Greater", []string{c.node("Size", []string{x}), c.scalar(64)})
		return c.node("If", []string{long}, graphAttr("then_branch", branch("Sub")), graphAttr("else_branch", branch("Add")))
	},
}

func bitCount(x int) int { return strings.Count(strings.Trim(binary(x), "0"), "1") }

func binary(x int) string {
	if x == 0 {
		return ""
	}
	return binary(x/2) + string(rune('0'+x%2))
}

func graphAttr(name string, g *onnxpb.GraphProto) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_GRAPH, G: g}
}

func infos(names ...string) []*onnxpb.ValueInfoProto {
	var list []*onnxpb.ValueInfoProto
	for _, n := range names {
		list = append(list, &onnxpb.ValueInfoProto{Name: n})
	}
	return list
}

// several is a node with several outputs.
func (c *decoderCase) several(op string, outputs int, inputs []string, attributes ...*onnxpb.AttributeProto) []string {
	c.node(op, inputs, attributes...)
	n := c.nodes[len(c.nodes)-1]
	for len(n.Output) < outputs {
		n.Output = append(n.Output, n.Output[0]+string(rune('a'+len(n.Output))))
	}
	return n.Output
}

// TestOperators: each of them is planned, and gives what eval gives.
func TestOperators(t *testing.T) {
	for name, write := range operators {
		t.Run(name, func(t *testing.T) {
			c := &decoderCase{random: rand.New(rand.NewPCG(4, 4))}
			out := write(c)
			root, fn, err := c.finish(out, 6)
			if err != nil {
				t.Fatal(err)
			}
			size, _ := root.Bytes()
			if _, err := literally(t, root, fn, make([]byte, size)); err != nil {
				t.Fatal(err)
			}
			p, err := plan.Decoder(root, fn, plan.Env{})
			if err != nil || !p.Runs() {
				t.Fatalf("%v: %q", err, p.Reasons)
			}
			if whole := strings.HasPrefix(name, "ScatterND") || strings.HasPrefix(name, "ReverseSequence"); whole != (p.Cut == 0) {
				t.Errorf("cut %d: %q", p.Cut, p.Reasons)
			}
			if !agree(t, c, out, 6) {
				t.Error("not fused")
			}
		})
	}
}
