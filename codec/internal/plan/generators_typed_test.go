// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// TestTyped: outputs of every element type.
func TestTyped(t *testing.T) { runRandom(t, 3, typed) }

// TestNested: arrays within a block, several reductions over axes of them, pieces
// put together, dimensions of 1.
func TestNested(t *testing.T) { runRandom(t, 4, nested) }

var outputs = []tensor.Type{
	tensor.Uint8, tensor.Int8, tensor.Uint16, tensor.Int16, tensor.Uint32, tensor.Int32, tensor.Uint64, tensor.Int64,
	tensor.Bool, tensor.Float16, tensor.BFloat16, tensor.Double,
	tensor.Int4, tensor.Uint4, tensor.Int2, tensor.Uint2, tensor.Float4E2M1,
	tensor.Float8E4M3FN, tensor.Float8E4M3FNUZ, tensor.Float8E5M2, tensor.Float8E5M2FNUZ, tensor.Float8E8M0,
}

func typed(c *decoderCase) (string, []int64) {
	r := c.random
	n := []int{16, 32, 5, 1, 24}[r.IntN(5)]
	to := outputs[r.IntN(len(outputs))]
	switch r.IntN(6) {
	case 0: // integers
		elem := []tensor.Type{tensor.Int32, tensor.Uint8, tensor.Int8}[r.IntN(3)]
		x := c.cast(c.codes(n+n%2*3, 0), elem)
		for i := range r.IntN(3) {
			x = c.integerStep(x, n+n%2*3, i+1, elem)
		}
		return c.cast(x, to), c.counts()
	case 1: // wide fields
		c.pad(0)
		c.add("w", packing(n, uint32(1+r.IntN(64)), uint32(1+r.IntN(20))))
		return c.cast(c.bind(fmt.Sprintf("w.c%d", r.IntN(2))), to), c.counts()
	case 2: // leaves as they are, or wider
		from := outputs[r.IntN(len(outputs))]
		c.pad(0)
		c.add("w", leafType(from, int64(n)))
		x := c.bind("w")
		if r.IntN(2) == 0 {
			x = c.cast(x, to)
		}
		return x, c.counts()
	case 3: // arithmetic of half types
		half := []tensor.Type{tensor.Float16, tensor.BFloat16}[r.IntN(2)]
		c.add("s", leafType(half, 1))
		x := c.cast(c.codes(n+n%2*3, 0), half)
		return c.node([]string{"Mul", "Add", "Sub", "Div"}[r.IntN(4)], []string{x, c.bind("s")}), c.counts()
	case 4: // floats
		x, counts := aimed(c)
		return c.cast(x, to), counts
	default: // conditions
		x, counts := aimed(c)
		y := c.float([]float32{0, 1, -0.5, 100}[r.IntN(4)])
		b := c.node([]string{"Less", "Equal", "GreaterOrEqual"}[r.IntN(3)], []string{x, y})
		if r.IntN(2) == 0 {
			return b, counts
		}
		return c.cast(c.node("Where", []string{b, x, y}), to), counts
	}
}

// group is a nested array of structures: a scale and codes for each.
func (c *decoderCase) group(groups, each int) (codes, scale string) {
	r := c.random
	inside := &decoderCase{random: r}
	inside.pad(0)
	inside.add("d", leafType(tensor.Float16))
	inside.add("q", packing(each, uint32(1+r.IntN(8)), uint32(1+r.IntN(3))))
	for i, f := range inside.fields {
		f.Name = []string{"x", "y", "z"}[i]
	}
	last := len(inside.fields)
	block := &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Structure_{
		Structure: &onnxpb.StructTypeProto_Structure{Field: inside.fields},
	}}
	c.add("g", inlineType(&onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Array_{
		Array: &onnxpb.StructTypeProto_Array{ElementType: inlineType(block), Dimension: uint64(groups)},
	}}))
	names := []string{"x", "y", "z"}
	return c.bind("g." + names[last-1] + ".c0"), c.bind("g." + names[last-2])
}

func nested(c *decoderCase) (string, []int64) {
	r := c.random
	groups, each := []int{1, 2, 4, 8}[r.IntN(4)], []int{8, 16, 1, 5, 32}[r.IntN(5)]
	codes, scale := c.group(groups, each)
	x := codes
	axis := c.constant(tensor.Of([]int64{1}, int64(-1)))
	if r.IntN(3) == 0 {
		x = c.cast(x, tensor.Int32)
		op := []string{"ReduceSum", "ReduceMax", "ReduceMin"}[r.IntN(3)]
		reduced := c.node(op, []string{x, axis}, intAttr("keepdims", 1))
		x = c.node([]string{"Sub", "Add"}[r.IntN(2)], []string{x, reduced})
	}
	if r.IntN(4) == 0 {
		x = c.node("CumSum", []string{c.cast(x, tensor.Int32), c.constant(tensor.Of([]int64{}, int64(-1)))})
	}
	d := c.node("Unsqueeze", []string{c.cast(scale, tensor.Float), axis})
	y := c.node([]string{"Mul", "Add"}[r.IntN(2)], []string{c.cast(x, tensor.Float), d})
	if r.IntN(4) == 0 {
		y = c.node("Concat", []string{y, c.node("Neg", []string{y})}, intAttr("axis", -1))
	}
	if r.IntN(4) == 0 {
		y = c.node("ReduceSum", []string{y, axis}, intAttr("keepdims", int64(r.IntN(2))))
	}
	return y, [][]int64{{7}, {1}, {3, 4}, {1, 5}, {2, 1}, {0}, {3, 0}, {1, 1}}[r.IntN(8)]
}

// TestQuantized: DequantizeLinear with scales for all, for each index of an axis and
// for blocks, look-ups by indices that may be negative, and operators that no
// epilogue has.
func TestQuantized(t *testing.T) { runRandom(t, 5, quantized) }

func quantized(c *decoderCase) (string, []int64) {
	r := c.random
	n := []int{16, 32, 64}[r.IntN(3)]
	if r.IntN(3) == 0 {
		return c.lookedUp(n), c.counts()
	}
	elem := []tensor.Type{tensor.Int8, tensor.Uint8, tensor.Int4, tensor.Uint4, tensor.Int32, tensor.Int16, tensor.Uint2}[r.IntN(7)]
	scale := []tensor.Type{tensor.Float, tensor.Float16, tensor.BFloat16}[r.IntN(3)]
	c.pad(0)
	c.add("q", leafType(elem, int64(n)))
	x := c.bind("q")
	attributes := []*onnxpb.AttributeProto{}
	operands := func(scales, zeros string) []string {
		if r.IntN(2) == 0 || elem == tensor.Int32 {
			return []string{x, scales}
		}
		return []string{x, scales, zeros}
	}
	var in []string
	if r.IntN(3) > 0 {
		block := []int{8, 16, n}[r.IntN(3)]
		c.add("s", leafType(scale, int64(n/block)))
		c.add("z", leafType(elem, int64(n/block)))
		in = operands("s", "z")
		attributes = append(attributes, intAttr("axis", -1), intAttr("block_size", int64(block)))
	} else {
		s := c.constant(mustConvert(tensor.Of([]int64{}, float32(0.37)), scale))
		z := c.constant(mustConvert(tensor.Of([]int64{}, int64(1)), elem))
		in = operands(s, z)
	}
	for _, name := range in[1:] {
		if name == "s" || name == "z" {
			c.bind(name)
		}
	}
	y := c.node("DequantizeLinear", in, attributes...)
	if scale == tensor.Float {
		y = c.afterwards(y)
	}
	return y, c.counts()
}

// lookedUp indexes a table by codes less a number, which counts from its end.
func (c *decoderCase) lookedUp(n int) string {
	r := c.random
	width := 1 + r.IntN(6)
	c.pad(0)
	c.add("i", packing(n, uint32(width)))
	index := c.cast(c.bind("i.c0"), tensor.Int64)
	low := r.IntN(1 << width)
	index = c.node("Sub", []string{index, c.constant(tensor.Of([]int64{}, int64(low)))})
	table := make([]float32, 1<<width)
	for i := range table {
		table[i] = r.Float32()*100 - 50
		if r.IntN(2) == 0 {
			table[i] = float32(int(table[i]))
		}
	}
	return c.afterwards(c.node("Gather", []string{c.constant(tensor.Of([]int64{int64(len(table))}, table...)), index}))
}

func (c *decoderCase) afterwards(y string) string {
	switch c.random.IntN(5) {
	case 0:
		return c.node([]string{"Max", "Min"}[c.random.IntN(2)], []string{y, c.float(3)})
	case 1:
		return c.node([]string{"Floor", "Ceil", "Round", "Reciprocal", "Abs"}[c.random.IntN(5)], []string{y})
	case 2:
		bounds := []string{c.float(-4), c.float(7)}
		bounds[c.random.IntN(2)] = []string{"", c.float(float32(math.NaN())), c.float(-5), c.float(0)}[c.random.IntN(4)]
		return c.node("Clip", append([]string{y}, bounds...))
	default:
		return y
	}
}
