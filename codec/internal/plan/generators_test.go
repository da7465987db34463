// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"fmt"
	"testing"

	"github.com/structview/structview/tensor"
)

// TestBroad: random layouts, random chains of integer operators that may wrap, a
// cast, and random float operators with scales at other rates.
func TestBroad(t *testing.T) { runRandom(t, 1, broad) }

// TestAimed: products and sums of codes, signs, scales with any bits, powers of
// two, in random order and association.
func TestAimed(t *testing.T) { runRandom(t, 2, aimed) }

// dims picks how many blocks there are; now and then one.
func (c *decoderCase) counts() []int64 {
	return [][]int64{{7}, {1}, {3, 4}, {1, 5}, {2, 1}, {40}}[c.random.IntN(6)]
}

// codes adds a leaf of n integers a block and returns its name as INT32 or UINT8.
func (c *decoderCase) codes(n, i int) string {
	r := c.random
	c.pad(i)
	name := fmt.Sprintf("f%d", i)
	switch r.IntN(4) {
	case 0:
		c.add(name, leafType([]tensor.Type{tensor.Uint8, tensor.Int8}[r.IntN(2)], int64(n)))
		return c.bind(name)
	case 1:
		c.add(name, leafType([]tensor.Type{tensor.Int4, tensor.Uint4, tensor.Int2, tensor.Uint2}[r.IntN(4)], int64(n)))
		return c.bind(name)
	case 2:
		// Several components, side by side: planes.
		parts := []int{2, 4}[r.IntN(2)]
		widths := make([]uint32, parts)
		names := make([]string, parts)
		for k := range widths {
			widths[k] = uint32(1 + r.IntN(8/parts))
		}
		c.add(name, packing(n/parts, widths...))
		for k := range names {
			names[k] = c.bind(fmt.Sprintf("%s.c%d", name, k))
		}
		return c.node("Concat", names, intAttr("axis", -1))
	default:
		c.add(name, packing(n, uint32(1+r.IntN(8))))
		return c.bind(name + ".c0")
	}
}

// scale adds n floats a block of some type and returns them as FLOAT [..., n, 1].
func (c *decoderCase) scale(n, i int) string {
	c.pad(100 + i)
	name := fmt.Sprintf("s%d", i)
	elem := []tensor.Type{tensor.Float16, tensor.BFloat16, tensor.Float, tensor.Float16}[c.random.IntN(4)]
	c.add(name, leafType(elem, int64(n)))
	x := c.bind(name)
	if elem != tensor.Float {
		x = c.cast(x, tensor.Float)
	}
	return c.node("Unsqueeze", []string{x, c.constant(tensor.Of([]int64{1}, int64(-1)))})
}

// grouped gives lanes the shape [..., groups, n/groups].
func (c *decoderCase) grouped(x string, groups, n int, lead string) string {
	tail := c.constant(tensor.Of([]int64{2}, int64(groups), int64(n/groups)))
	return c.node("Reshape", []string{x, c.node("Concat", []string{lead, tail}, intAttr("axis", 0))})
}

func (c *decoderCase) lead(x string) string { return c.node("Shape", []string{x}, intAttr("end", -1)) }

var integerOps = []string{"Add", "Sub", "Mul", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Div", "Mod", "Max", "Min"}

func broad(c *decoderCase) (string, []int64) {
	r := c.random
	n := []int{16, 32, 64, 24, 40}[r.IntN(5)]
	elem := []tensor.Type{tensor.Int32, tensor.Uint8, tensor.Int8, tensor.Uint32, tensor.Int64}[r.IntN(5)]
	x := c.cast(c.codes(n, 0), elem)
	for i := range r.IntN(5) {
		x = c.integerStep(x, n, i+1, elem)
	}
	lead := c.lead(x)
	v := c.cast(x, tensor.Float)
	groups := []int{1, 2, 4, n / 8}[r.IntN(4)]
	for n%groups != 0 {
		groups /= 2
	}
	v = c.grouped(v, groups, n, lead)
	for i := range 1 + r.IntN(3) {
		v = c.floatStep(v, groups, i)
	}
	if r.IntN(8) == 0 {
		v = c.patchStep(v, groups, n/groups, 50)
	}
	flat := c.node("Concat", []string{lead, c.constant(tensor.Of([]int64{1}, int64(n)))}, intAttr("axis", 0))
	return c.node("Reshape", []string{v, flat}), c.counts()
}

// integerStep applies one integer operator to x.
func (c *decoderCase) integerStep(x string, n, i int, elem tensor.Type) string {
	r := c.random
	op := integerOps[r.IntN(len(integerOps))]
	if elem == tensor.Uint8 && r.IntN(4) == 0 {
		direction := []string{"LEFT", "RIGHT"}[r.IntN(2)]
		a := intAttr("direction", 0)
		a.Type, a.S = 3, []byte(direction)
		by := c.constant(mustConvert(tensor.Of([]int64{}, int64(r.IntN(9))), elem))
		return c.node("BitShift", []string{x, by}, a)
	}
	var y string
	switch r.IntN(3) {
	case 0:
		y = c.cast(c.codes(n, i), elem)
		if op == "Div" || op == "Mod" {
			op = "Add"
		}
	case 1:
		y = c.constant(mustConvert(tensor.Of([]int64{}, int64(1)<<r.IntN(6)), elem))
	default:
		y = c.constant(mustConvert(tensor.Of([]int64{}, 1+r.Int64N(100)), elem))
	}
	if r.IntN(2) == 0 && op != "Div" && op != "Mod" {
		x, y = y, x
	}
	return c.node(op, []string{x, y})
}

func mustConvert(t *tensor.Tensor, to tensor.Type) *tensor.Tensor {
	out, err := tensor.Convert(t, to, true, tensor.RoundMode(0))
	if err != nil {
		panic(err)
	}
	return out
}

// floatStep applies one float operator with an operand of a rate of its own.
func (c *decoderCase) floatStep(v string, groups, i int) string {
	r := c.random
	op := []string{"Mul", "Mul", "Add", "Sub", "Div"}[r.IntN(5)]
	var y string
	switch r.IntN(3) {
	case 0:
		y = c.scale(groups, i)
	case 1:
		y = c.scale(1, i)
	default:
		y = c.float([]float32{0.5, 8, -3, 0.1, 127, -1}[r.IntN(6)])
	}
	if r.IntN(3) == 0 && op != "Div" {
		v, y = y, v
	}
	return c.node(op, []string{v, y})
}

// aimed makes what is nearly a quantization format.
func aimed(c *decoderCase) (string, []int64) {
	r := c.random
	n := []int{32, 64, 16}[r.IntN(3)]
	terms := []string{c.cast(c.codes(n, 0), tensor.Float)}
	if r.IntN(2) == 0 {
		terms = append(terms, c.signs(n))
	}
	if r.IntN(3) == 0 {
		terms = append(terms, c.cast(c.codes(n, 1), tensor.Float))
	}
	v := terms[0]
	lead := c.lead(v)
	if r.IntN(2) == 0 {
		v = c.node([]string{"Sub", "Add"}[r.IntN(2)], []string{v, c.float([]float32{8, 16, 0.5, 1 << 18, 1 << 25}[r.IntN(5)])})
	}
	if r.IntN(4) == 0 {
		v = c.node("Sub", []string{v, c.float([]float32{1 << 18, 1 << 27, 3}[r.IntN(3)])})
	}
	groups := []int{1, 2, 4}[r.IntN(3)]
	factors := []string{c.grouped(v, groups, n, lead)}
	for _, term := range terms[1:] {
		factors = append(factors, c.grouped(term, groups, n, lead))
	}
	factors = append(factors, c.scale(groups, 0))
	if r.IntN(2) == 0 {
		factors = append(factors, c.float([]float32{0.25, 0.5, 3, 0x1p-100}[r.IntN(4)]))
	}
	if r.IntN(2) == 0 {
		factors = append(factors, c.scale(1, 1))
	}
	v = c.product(factors)
	if r.IntN(2) == 0 {
		v = c.node([]string{"Add", "Sub"}[r.IntN(2)], []string{v, c.scale(groups, 2)})
	}
	flat := c.node("Concat", []string{lead, c.constant(tensor.Of([]int64{1}, int64(n)))}, intAttr("axis", 0))
	return c.node("Reshape", []string{v, flat}), c.counts()
}

// product multiplies factors in random order and association.
func (c *decoderCase) product(factors []string) string {
	for len(factors) > 1 {
		i := c.random.IntN(len(factors) - 1)
		if c.random.IntN(3) == 0 {
			c.random.Shuffle(len(factors), func(a, b int) { factors[a], factors[b] = factors[b], factors[a] })
		}
		merged := c.node("Mul", []string{factors[i], factors[i+1]})
		factors = append(append(append([]string{}, factors[:i]...), merged), factors[i+2:]...)
	}
	return factors[0]
}

// signs makes ±1 from bits, in one of several spellings.
func (c *decoderCase) signs(n int) string {
	c.add("sign", packing(n, 1))
	bit := c.bind("sign.c0")
	if c.random.IntN(2) == 0 {
		yes := c.cast(bit, tensor.Bool)
		return c.node("Where", []string{yes, c.float(-1), c.float(1)})
	}
	f := c.cast(bit, tensor.Float)
	return c.node("Sub", []string{c.float(1), c.node("Mul", []string{f, c.float(2)})})
}
