// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// across are decoders of six blocks of 40 lanes (fewer would be joined, until all blocks are one) that do
// something along the axis that counts them, or with constants that differ from block to block. A block by
// itself says nothing about them.
var across = map[string]func(c *decoderCase) string{
	"Trilu": func(c *decoderCase) string {
		return c.node("Trilu", []string{c.codes4(40), c.scalar(1)}, intAttr("upper", 0))
	},
	"Trilu from the second dimension": func(c *decoderCase) string {
		return c.node("Trilu", []string{c.codes4(40)})
	},
	"Compress": func(c *decoderCase) string {
		yes := c.constant(tensor.Of([]int64{6}, true, true, false, true, true, false))
		return c.node("Compress", []string{c.codes4(40), yes}, intAttr("axis", 0))
	},
	"Compress from the end": func(c *decoderCase) string {
		yes := c.constant(tensor.Of([]int64{6}, true, false, true, true, false, true))
		return c.node("Compress", []string{c.codes4(40), yes}, intAttr("axis", -2))
	},
	"Compress flat": func(c *decoderCase) string {
		yes := c.constant(tensor.Of([]int64{7}, true, true, false, true, true, false, true))
		return c.node("Compress", []string{c.codes4(40), yes})
	},
	"Compress to a block": func(c *decoderCase) string {
		return c.node("Compress", []string{c.codes4(40), c.constant(tensor.Of([]int64{1}, true))}, intAttr("axis", 0))
	},
	"Compress to an element": func(c *decoderCase) string {
		return c.node("Compress", []string{c.codes4(40), c.constant(tensor.Of([]int64{3}, false, false, true))})
	},
	"CenterCropPad to a block": func(c *decoderCase) string {
		return c.node("CenterCropPad", []string{c.codes4(40), c.longs(1)}, intsAttr("axes", 0))
	},
	"Pad": func(c *decoderCase) string {
		return c.node("Pad", []string{c.codes4(40), c.longs(1, 0, -1, 0), c.float(0.5)})
	},
	"Pad axes": func(c *decoderCase) string {
		return c.node("Pad", []string{c.codes4(40), c.longs(-1, 1, 1, 1), "", c.longs(-2, 1)}, stringAttr("mode", "edge"))
	},
	"CenterCropPad": func(c *decoderCase) string {
		return c.node("CenterCropPad", []string{c.codes4(40), c.longs(6, 4)})
	},
	"CenterCropPad axes": func(c *decoderCase) string {
		return c.node("CenterCropPad", []string{c.codes4(40), c.longs(4)}, intsAttr("axes", -2))
	},
	"GatherND": func(c *decoderCase) string { return c.node("GatherND", []string{c.codes4(40), c.pairs(6, 3)}) },
	"GatherND batches": func(c *decoderCase) string {
		return c.gatheredPairs(func(block, i int) int64 { return int64(block*i) % 40 })
	},
	"GatherElements": func(c *decoderCase) string {
		return c.node("GatherElements", []string{c.codes4(40), c.indices(6, 40, 6)}, intAttr("axis", 0))
	},
	"GatherElements that differ": func(c *decoderCase) string {
		return c.node("GatherElements", []string{c.codes4(40), c.indices(6, 33, 40)}, intAttr("axis", 1))
	},
	"ScatterElements": func(c *decoderCase) string {
		return c.node("ScatterElements", []string{c.codes4(40), c.distinct(6), c.counted(6, 40)}, intAttr("axis", 0))
	},
	"ScatterElements that differ": func(c *decoderCase) string {
		return c.node("ScatterElements", []string{c.codes4(40), c.same(6, 0, 5, 3), c.counted(6, 3)}, intAttr("axis", 1))
	},
	"ScatterElements into others": func(c *decoderCase) string {
		return c.node("ScatterElements", []string{c.counted(6, 80), c.same(6, 0, 5, 3, 2), c.codes4(4)}, intAttr("axis", -1))
	},
	"ScatterElements into one block": func(c *decoderCase) string {
		zeros := c.constant(tensor.Of([]int64{6, 40}, make([]int64, 240)...))
		ones := c.constant(tensor.Of([]int64{6, 40}, slices.Repeat([]float32{1}, 240)...))
		return c.node("ScatterElements", []string{c.codes4(40), zeros, ones}, intAttr("axis", 0))
	},
	"GatherElements of one block": func(c *decoderCase) string {
		zeros := c.constant(tensor.Of([]int64{6, 40}, make([]int64, 240)...))
		return c.node("GatherElements", []string{c.codes4(40), zeros}, intAttr("axis", 0))
	},
	"a loop that does not begin": func(c *decoderCase) string {
		body := &onnxpb.GraphProto{
			Name: "body", Input: infos("i", "go", "v"), Output: infos("go", "w"),
			Node: []*onnxpb.NodeProto{{OpType: "Neg", Input: []string{"v"}, Output: []string{"w"}}},
		}
		never := c.constant(tensor.Of([]int64{}, false))
		return c.node("Loop", []string{c.scalar(3), never, c.codes4(40)}, graphAttr("body", body))
	},
	"ScatterElements that add": func(c *decoderCase) string {
		return c.node("ScatterElements", []string{c.codes4(40), c.same(6, 0, 5, 5), c.counted(6, 3)}, intAttr("axis", 1), stringAttr("reduction", "add"))
	},
	"ScatterElements that add the same": func(c *decoderCase) string {
		ones := c.constant(tensor.Of([]int64{6, 3}, slices.Repeat([]float32{1}, 18)...))
		return c.node("ScatterElements", []string{c.codes4(40), c.same(6, 0, 5, 5), ones}, intAttr("axis", 1), stringAttr("reduction", "add"))
	},
	"ScatterND": func(c *decoderCase) string {
		return c.node("ScatterND", []string{c.codes4(40), c.constant(tensor.Of([]int64{2, 1}, int64(4), 1)), c.counted(2, 40)})
	},
	"Scan": func(c *decoderCase) string {
		body := &onnxpb.GraphProto{
			Name: "body", Input: infos("s", "x"), Output: infos("next", "y"),
			Node: []*onnxpb.NodeProto{
				{OpType: "Add", Input: []string{"s", "x"}, Output: []string{"next"}},
				{OpType: "Identity", Input: []string{"next"}, Output: []string{"y"}},
			},
		}
		zero := c.constant(tensor.Of([]int64{40}, make([]float32, 40)...))
		return c.several("Scan", 2, []string{zero, c.codes4(40)}, graphAttr("body", body), intAttr("num_scan_inputs", 1))[1]
	},
	"CumSum": func(c *decoderCase) string { return c.node("CumSum", []string{c.codes4(40), c.scalar(0)}) },
	"ReduceMax": func(c *decoderCase) string {
		x := c.codes4(40)
		return c.node("Sub", []string{x, c.node("ReduceMax", []string{x, c.longs(0)})})
	},
	"ReduceSum": func(c *decoderCase) string {
		x := c.codes4(40)
		return c.node("Sub", []string{x, c.node("ReduceSum", []string{x})})
	},
	"Gather": func(c *decoderCase) string {
		return c.node("Gather", []string{c.codes4(40), c.longs(5, 1, 0, 3, 2, 4)})
	},
	"Slice": func(c *decoderCase) string {
		return c.node("Slice", []string{c.codes4(40), c.longs(-1), c.longs(-7), c.longs(0), c.longs(-1)})
	},
	"Split": func(c *decoderCase) string {
		s := c.several("Split", 2, []string{c.codes4(40)}, intAttr("num_outputs", 2))
		return c.node("Concat", []string{s[1], s[0]}, intAttr("axis", 0))
	},
	"Concat": func(c *decoderCase) string {
		x := c.codes4(40)
		return c.node("Concat", []string{x, c.node("Neg", []string{x})}, intAttr("axis", -2))
	},
	"Concat that differs": func(c *decoderCase) string {
		return c.node("Concat", []string{c.codes4(40), c.counted(6, 3)}, intAttr("axis", 1))
	},
	"Tile":      func(c *decoderCase) string { return c.node("Tile", []string{c.codes4(40), c.longs(2, 3)}) },
	"Expand":    func(c *decoderCase) string { return c.node("Expand", []string{c.codes4(40), c.longs(2, 6, 40)}) },
	"Transpose": func(c *decoderCase) string { return c.node("Transpose", []string{c.codes4(36)}) },
	"MatMul":    func(c *decoderCase) string { x := c.codes4(36); return c.node("MatMul", []string{c.counted(6, 6), x}) },
	"MatMul that differs": func(c *decoderCase) string {
		x := c.node("Unsqueeze", []string{c.codes4(40), c.longs(1)})
		return c.node("MatMul", []string{x, c.counted(6, 40, 2)})
	},
	"OneHot": func(c *decoderCase) string {
		c.add("q", packing(10, 2))
		return c.node("OneHot", []string{c.cast(c.bind("q.c0"), tensor.Int32), c.scalar(4), c.constant(tensor.Of([]int64{2}, float32(-0.5), 7))}, intAttr("axis", 0))
	},
	"GatherND of tables": func(c *decoderCase) string {
		c.add("q", packing(40, 1))
		index := c.node("Unsqueeze", []string{c.cast(c.bind("q.c0"), tensor.Int64), c.longs(-1)})
		return c.node("GatherND", []string{c.counted(6, 6), index}, intAttr("batch_dims", 1))
	},
	"a table that differs": func(c *decoderCase) string {
		c.add("q", packing(40, 2))
		c.add("p", leafType(tensor.Uint8))
		return c.node("GatherElements", []string{c.counted(6, 4), c.cast(c.bind("q.c0"), tensor.Int64)}, intAttr("axis", 1))
	},
	"an operand that differs": func(c *decoderCase) string { return c.node("Mul", []string{c.codes4(40), c.counted(6, 1)}) },
	"Where": func(c *decoderCase) string {
		odd := c.cast(c.node("Mod", []string{c.cast(c.counted(6, 1), tensor.Int32), c.constant(tensor.Of([]int64{}, int32(2)))}), tensor.Bool)
		x := c.codes4(40)
		return c.node("Where", []string{odd, x, c.node("Neg", []string{x})})
	},
	"DequantizeLinear": func(c *decoderCase) string {
		c.add("q", leafType(tensor.Uint8, 40))
		return c.node("DequantizeLinear", []string{c.bind("q"), c.constant(tensor.Of([]int64{6}, float32(1), 2, 3, 4, 5, 6))}, intAttr("axis", 0))
	},
	"DequantizeLinear in blocks": func(c *decoderCase) string {
		c.add("q", leafType(tensor.Uint8, 40))
		return c.node("DequantizeLinear", []string{c.bind("q"), c.counted(3, 40)}, intAttr("axis", 0), intAttr("block_size", 2))
	},
	"ArgMax": func(c *decoderCase) string {
		x := c.codes4(40)
		return c.node("Add", []string{x, c.float32(c.node("ArgMax", []string{x}, intAttr("axis", 0)))})
	},
	"Reshape": func(c *decoderCase) string {
		x := c.node("Reshape", []string{c.codes4(40), c.longs(40, 6)})
		return c.node("Mul", []string{x, c.constant(tensor.Of([]int64{6}, float32(1), 2, 3, 4, 5, 6))})
	},
}

// counted is a constant of different numbers.
func (c *decoderCase) counted(dims ...int64) string {
	n := int64(1)
	for _, d := range dims {
		n *= d
	}
	list := make([]float32, n)
	for i := range list {
		list[i] = float32(i) + 0.25
	}
	return c.constant(tensor.Of(dims, list...))
}

// indices are different indices below most, in rows that differ.
func (c *decoderCase) indices(rows, columns, most int) string {
	list := make([]int64, rows*columns)
	for i := range list {
		list[i] = int64(i*i+i/columns) % int64(most)
	}
	return c.constant(tensor.Of([]int64{int64(rows), int64(columns)}, list...))
}

// same are rows of the same indices.
func (c *decoderCase) same(rows int, list ...int64) string {
	return c.constant(tensor.Of([]int64{int64(rows), int64(len(list))}, slices.Repeat(list, rows)...))
}

// distinct are indices of 6 rows in rows of 40, none twice in a column.
func (c *decoderCase) distinct(most int) string {
	list := make([]int64, most*40)
	for i := range list {
		list[i] = int64((i/40*5 + i%40) % most)
	}
	return c.constant(tensor.Of([]int64{int64(most), 40}, list...))
}

// pairs are indices of rows and columns.
func (c *decoderCase) pairs(rows, n int) string {
	list := make([]int64, rows*n*2)
	for i := range list {
		list[i] = int64(i*5) % 6
	}
	return c.constant(tensor.Of([]int64{int64(rows), int64(n), 2}, list...))
}

// gatheredPairs takes some elements of each block.
func (c *decoderCase) gatheredPairs(index func(block, i int) int64) string {
	list := make([]int64, 6*3)
	for i := range list {
		list[i] = index(i/3, i%3)
	}
	return c.node("GatherND", []string{c.codes4(40), c.constant(tensor.Of([]int64{6, 3, 1}, list...))}, intAttr("batch_dims", 1))
}

// TestAcrossBlocks: whatever cut they are planned with, they give what eval gives.
func TestAcrossBlocks(t *testing.T) {
	for name, write := range across {
		t.Run(name, func(t *testing.T) {
			for _, counts := range [][]int64{{6}, {6, 1}, {1, 6}, {2, 3}} {
				c := &decoderCase{random: rand.New(rand.NewPCG(4, 4))}
				root, fn, err := c.finish(write(c), counts...)
				if err != nil {
					t.Fatal(err)
				}
				size, _ := root.Bytes()
				runs := false
				for try := range 4 {
					payload := fill(c.random, int(size), try)
					want, err := literally(t, root, fn, payload)
					if err != nil {
						if len(counts) == 1 {
							t.Fatal(err) // it is written for one dimension of blocks
						}
						break
					}
					p, err := plan.Decoder(root, fn, plan.Env{})
					if err != nil || !p.Runs() {
						break
					}
					runs = true
					if wrong := difference(p, decodeAll(t, p, payload), want); wrong != "" {
						t.Fatalf("%v, cut %d: %s\n%s", counts, p.Cut, wrong, text(p))
					}
				}
				t.Logf("%v: runs %v", counts, runs)
			}
		})
	}
}
