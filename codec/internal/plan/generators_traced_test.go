// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"slices"
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// TestTraced: loops, running results, reductions, products, and operators that move
// elements within a block, several in a row.
func TestTraced(t *testing.T) { runRandom(t, 6, traced) }

// block is a tensor whose first lead dimensions count blocks; inner are the others.
type block struct {
	name  string
	lead  int
	all   []int64 // the dimensions that count blocks
	inner []int64
}

func (b block) axis(i int) int64 { return int64(b.lead + i) }

func traced(c *decoderCase) (string, []int64) {
	r := c.random
	counts := c.counts()
	b := block{lead: len(counts), all: counts, inner: []int64{int64(1 + r.IntN(4)), int64(1 + r.IntN(8))}}
	n := int(b.inner[0] * b.inner[1])
	c.pad(0)
	c.add("q", packing(n, uint32(1+r.IntN(8))))
	x := c.bind("q.c0")
	elem := []tensor.Type{tensor.Float, tensor.Float, tensor.Int32, tensor.Float16}[r.IntN(4)]
	x = c.cast(x, elem)
	if elem != tensor.Int32 && r.IntN(2) == 0 {
		c.add("d", leafType(elem))
		x = c.node("Mul", []string{x, c.node("Unsqueeze", []string{c.bind("d"), c.longs(-1)})})
	}
	b.name = c.shaped(b, x)
	for range 1 + r.IntN(3) {
		b = c.tracedStep(b, elem)
	}
	if elem == tensor.Float && r.IntN(4) == 0 {
		b.name = c.cast(b.name, []tensor.Type{tensor.Uint4, tensor.Int2, tensor.Float8E4M3FN, tensor.Bool}[r.IntN(4)])
	}
	return b.name, counts
}

// shaped gives a tensor the dimensions of b.
func (c *decoderCase) shaped(b block, x string) string {
	return c.node("Reshape", []string{x, c.longs(slices.Concat(b.all, b.inner)...)})
}

// full is a constant of numbers that repeat from block to block.
func (c *decoderCase) full(b block, inner []int64, number func(i int) int64) string {
	each := 1
	for _, d := range inner {
		each *= int(d)
	}
	list := make([]int64, each)
	for i := range list {
		list[i] = number(i)
	}
	for _, d := range b.all {
		list = slices.Repeat(list, int(d))
	}
	return c.constant(tensor.Of(slices.Concat(b.all, inner), list...))
}

func (c *decoderCase) tracedStep(b block, elem tensor.Type) block {
	r := c.random
	if elem == tensor.Float16 { // loops and moves are the same in every type
		switch r.IntN(3) {
		case 0:
			return c.reduceStep(b)
		case 1:
			return c.cumulative(b)
		}
	}
	switch r.IntN(9) {
	case 0:
		return c.scanStep(b)
	case 1:
		return c.loopStep(b)
	case 2:
		return c.cumulative(b)
	case 3:
		return c.reduceStep(b)
	case 4:
		return c.gatherStep(b)
	case 5:
		return c.scatterStep(b, elem)
	case 6:
		return c.productStep(b, elem)
	default:
		return c.moveStep(b)
	}
}

// scanStep scans an axis within a block; the state begins with a constant or an element.
func (c *decoderCase) scanStep(b block) block {
	r := c.random
	op := []string{"Add", "Mul", "Sub", "Max"}[r.IntN(4)]
	body := &onnxpb.GraphProto{
		Name: "body", Input: infos("s", "x"), Output: infos("next", "y"),
		Node: []*onnxpb.NodeProto{
			{OpType: op, Input: []string{"s", "x"}, Output: []string{"next"}},
			{OpType: "Sub", Input: []string{"next", "x"}, Output: []string{"y"}},
		},
	}
	at := r.IntN(2)
	begin := c.node("Squeeze", []string{
		c.node("Slice", []string{b.name, c.longs(0), c.longs(1), c.longs(b.axis(at))}), c.longs(b.axis(at)),
	})
	out := c.several("Scan", 2, []string{begin, b.name}, graphAttr("body", body), intAttr("num_scan_inputs", 1),
		intsAttr("scan_input_axes", b.axis(at)), intsAttr("scan_input_directions", int64(r.IntN(2))),
		intsAttr("scan_output_axes", b.axis(at)), intsAttr("scan_output_directions", int64(r.IntN(2))))
	b.name = out[1]
	if r.IntN(3) == 0 {
		b.name = c.node("Add", []string{out[1], c.node("Unsqueeze", []string{out[0], c.longs(b.axis(at))})})
	}
	return b
}

// loopStep repeats an operator a few times.
func (c *decoderCase) loopStep(b block) block {
	body := &onnxpb.GraphProto{
		Name: "body", Input: infos("i", "go", "v"), Output: infos("on", "w"),
		Node: []*onnxpb.NodeProto{
			{OpType: "Identity", Input: []string{"go"}, Output: []string{"on"}},
			{OpType: []string{"Add", "Sub", "Max"}[c.random.IntN(3)], Input: []string{"v", b.name}, Output: []string{"w"}},
		},
	}
	b.name = c.node("Loop", []string{c.scalar(int64(c.random.IntN(5))), "", b.name}, graphAttr("body", body))
	return b
}

func (c *decoderCase) cumulative(b block) block {
	r := c.random
	b.name = c.node([]string{"CumSum", "CumSum", "CumProd"}[r.IntN(3)], []string{b.name, c.scalar(b.axis(r.IntN(2)))},
		intAttr("exclusive", int64(r.IntN(2))), intAttr("reverse", int64(r.IntN(2))))
	return b
}

func (c *decoderCase) reduceStep(b block) block {
	r := c.random
	op := []string{"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceSumSquare"}[r.IntN(7)]
	axes := [][]int64{{b.axis(0)}, {b.axis(1)}, {b.axis(1), b.axis(0)}}[r.IntN(3)]
	reduced := c.node(op, []string{b.name, c.longs(axes...)})
	if r.IntN(2) == 0 {
		b.name = c.node([]string{"Sub", "Max", "Mul"}[r.IntN(3)], []string{b.name, reduced})
		return b
	}
	b.name = reduced
	b.inner = slices.Clone(b.inner)
	for _, a := range axes {
		b.inner[int(a)-b.lead] = 1
	}
	return b
}

func (c *decoderCase) gatherStep(b block) block {
	r := c.random
	n := int64(1 + r.IntN(6))
	if r.IntN(2) == 0 {
		at := r.IntN(2)
		inner := slices.Clone(b.inner)
		inner[at] = n
		b.name = c.node("GatherElements", []string{b.name, c.full(b, inner, func(int) int64 {
			return r.Int64N(2*b.inner[at]) - b.inner[at]
		})}, intAttr("axis", b.axis(at)))
		b.inner = inner
		return b
	}
	pairs := c.full(b, []int64{n, 2}, func(i int) int64 { return r.Int64N(b.inner[i%2]) })
	b.name = c.node("GatherND", []string{b.name, pairs}, intAttr("batch_dims", int64(b.lead)))
	b.inner = []int64{n, 1}
	b.name = c.node("Unsqueeze", []string{b.name, c.longs(-1)})
	return b
}

// scatterStep lays some elements over others, in whole dimensions or at single places.
func (c *decoderCase) scatterStep(b block, elem tensor.Type) block {
	r := c.random
	at := r.IntN(2)
	inner := slices.Clone(b.inner)
	inner[at] = 1 + r.Int64N(3)
	inner[1-at] = 1 + r.Int64N(inner[1-at])
	index := c.full(b, inner, func(int) int64 { return r.Int64N(2*b.inner[at]) - b.inner[at] })
	if r.IntN(3) == 0 {
		numbers := c.cast(c.full(b, b.inner, func(i int) int64 { return int64(i % 7) }), elem)
		updates := c.node("Slice", []string{
			b.name, c.longs(0), c.longs(inner[1-at]), c.longs(b.axis(1 - at)),
		})
		b.name = c.node("ScatterElements", []string{numbers, index, c.repeated(b, updates, at, inner[at])}, intAttr("axis", b.axis(at)))
		return b
	}
	updates := c.cast(c.full(b, inner, func(i int) int64 { return int64(i%5) - 2 }), elem)
	b.name = c.node("ScatterElements", []string{b.name, index, updates}, intAttr("axis", b.axis(at)))
	return b
}

// repeated takes the first index of an axis so many times.
func (c *decoderCase) repeated(b block, x string, at int, times int64) string {
	return c.node("Gather", []string{x, c.constant(tensor.Of([]int64{times}, make([]int64, times)...))}, intAttr("axis", b.axis(at)))
}

// productStep multiplies by a small matrix, or with itself.
func (c *decoderCase) productStep(b block, elem tensor.Type) block {
	r := c.random
	n := 1 + r.Int64N(4)
	matrix := make([]int64, b.inner[1]*n)
	for i := range matrix {
		matrix[i] = r.Int64N(5) - 2
	}
	right := c.cast(c.constant(tensor.Of([]int64{b.inner[1], n}, matrix...)), elem)
	b.inner = []int64{b.inner[0], n}
	b.name = c.node("MatMul", []string{b.name, right})
	return b
}

// moveStep moves elements, or takes some away, or adds some.
func (c *decoderCase) moveStep(b block) block {
	r := c.random
	switch r.IntN(5) {
	case 0:
		b.name = c.node("Trilu", []string{b.name, c.scalar(r.Int64N(5) - 2)}, intAttr("upper", int64(r.IntN(2))))
	case 1:
		at := r.IntN(2)
		yes := make([]bool, b.inner[at])
		n := int64(0)
		for i := range yes {
			if yes[i] = i == 0 || r.IntN(2) == 0; yes[i] {
				n++
			}
		}
		b.name = c.node("Compress", []string{b.name, c.constant(tensor.Of([]int64{b.inner[at]}, yes...))}, intAttr("axis", b.axis(at)))
		b.inner = slices.Clone(b.inner)
		b.inner[at] = n
	case 2:
		before, after, at := r.Int64N(3), r.Int64N(3), r.IntN(2)
		mode := []string{"constant", "reflect", "edge", "wrap"}[r.IntN(4)]
		b.name = c.node("Pad", []string{b.name, c.longs(before, after), "", c.longs(b.axis(at))}, stringAttr("mode", mode))
		b.inner = slices.Clone(b.inner)
		b.inner[at] += before + after
	case 3:
		inner := []int64{1 + r.Int64N(5), 1 + r.Int64N(9)}
		b.name = c.node("CenterCropPad", []string{b.name, c.longs(inner...)}, intsAttr("axes", b.axis(0), -1))
		b.inner = inner
	default:
		if b.lead != 1 || b.inner[1]%4 != 0 {
			b.name = c.node("Tile", []string{b.name, c.longs(append(slices.Repeat([]int64{1}, b.lead+1), 2)...)})
			b.inner = []int64{b.inner[0], 2 * b.inner[1]}
			return b
		}
		x := c.node("Reshape", []string{b.name, c.longs(b.all[0], b.inner[1], 1, b.inner[0])})
		x = c.node("DepthToSpace", []string{x}, intAttr("blocksize", 2), stringAttr("mode", []string{"DCR", "CRD"}[r.IntN(2)]))
		b.inner = []int64{b.inner[1] / 2, 2 * b.inner[0]}
		b.name = c.shaped(b, x)
	}
	return b
}
