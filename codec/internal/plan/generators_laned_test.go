// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/tensor"
)

// TestLaned: conditions, arithmetic of every type and casts on lanes of the payload, at rates of
// blocks, of groups, of lanes and of lanes that come again.
func TestLaned(t *testing.T) {
	t.Run("equal", func(t *testing.T) { runRandom(t, 23, laned) })
	made := 0
	const cases = 60
	for i := range uint64(cases) {
		c := &decoderCase{random: rand.New(rand.NewPCG(23, i))}
		out, counts := laned(c)
		root, fn, err := c.finish(out, counts...)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := plan.Decoder(root, fn, plan.Env{}); err == nil && p.Program != nil && strings.Contains(text(p), "lanes [") {
			made++
		}
	}
	if t.Logf("%d of %d have programs of lanes", made, cases); made < cases/3 {
		t.Errorf("only %d of %d have programs of lanes", made, cases)
	}
}

// lanedCase makes expressions of lanes: groups of the same number of lanes in every block.
type lanedCase struct {
	*decoderCase
	block
	left int // operators
}

var lanedTypes = []tensor.Type{
	tensor.Float, tensor.Float, tensor.Float, tensor.Int32, tensor.Int32, tensor.Uint32, tensor.Int64,
	tensor.Float16, tensor.BFloat16, tensor.Int16, tensor.Uint16, tensor.Uint8, tensor.Int8,
}

func laned(c *decoderCase) (string, []int64) {
	r := c.random
	c.edges = true
	counts := c.counts()
	if r.IntN(6) == 0 {
		counts = []int64{130}
	}
	groups, each := []int{1, 1, 2, 3, 4, 8}[r.IntN(6)], []int{2, 3, 4, 8, 13, 16, 32, 32, 64}[r.IntN(9)]
	l := &lanedCase{c, block{lead: len(counts), all: counts, inner: []int64{int64(groups), int64(each)}}, 3 + r.IntN(7)}
	elem := l.element()
	x := l.value(3+r.IntN(2), elem, l.inner)
	if r.IntN(4) == 0 {
		y := l.value(2, elem, l.inner)
		x = c.node("Concat", []string{x, y}, intAttr("axis", []int64{-1, -2}[r.IntN(2)]))
		return c.lanedOutput(x, elem), counts
	}
	switch r.IntN(4) {
	case 0: // as an operand of what an epilogue does
		q := c.cast(l.source(l.inner), tensor.Float)
		q = c.node("Mul", []string{q, c.scale(groups, 200)})
		return c.node([]string{"Add", "Mul", "Sub"}[r.IntN(3)], []string{q, c.cast(x, tensor.Float)}), counts
	case 1: // as its source
		x = c.node("Mul", []string{c.cast(x, tensor.Float), c.scale([]int{1, groups}[r.IntN(2)], 200)})
		if r.IntN(2) == 0 {
			x = c.node("Add", []string{x, c.scale(groups, 201)})
		}
		return x, counts
	}
	return c.lanedOutput(x, elem), counts
}

// lanedOutput leaves lanes as they are or casts them.
func (c *decoderCase) lanedOutput(x string, elem tensor.Type) string {
	switch c.random.IntN(4) {
	case 0:
		return x
	case 1:
		return c.cast(x, outputs[c.random.IntN(len(outputs))])
	}
	if elem == tensor.Float {
		return x
	}
	return c.cast(x, tensor.Float)
}

func (l *lanedCase) element() tensor.Type { return lanedTypes[l.random.IntN(len(lanedTypes))] }

// rate is dimensions that broadcast to those of all lanes; they are mostly all lanes.
func (l *lanedCase) rate(inner []int64) []int64 {
	out := slices.Clone(inner)
	switch l.random.IntN(7) {
	case 0:
		out[0] = 1
	case 1:
		out[1] = 1
	case 2:
		out[0], out[1] = 1, 1
	}
	return out
}

// value makes lanes of a type.
func (l *lanedCase) value(depth int, elem tensor.Type, inner []int64) string {
	r := l.random
	if l.left--; depth == 0 || l.left < 0 {
		return l.cast(l.source(inner), elem)
	}
	switch r.IntN(8) {
	case 0:
		return l.cast(l.value(depth-1, l.element(), inner), elem)
	case 1:
		in := []string{l.condition(depth-1, l.rate(inner)), l.value(depth-1, elem, inner), l.operand(depth-1, elem, inner)}
		if r.IntN(2) == 0 {
			in[1], in[2] = in[2], in[1]
		}
		return l.node("Where", in)
	case 2, 3:
		return l.unary(l.value(depth-1, elem, inner), elem)
	}
	return l.binary(l.value(depth-1, elem, inner), l.operand(depth-1, elem, inner), elem)
}

// operand is a second operand: lanes, or a number.
func (l *lanedCase) operand(depth int, elem tensor.Type, inner []int64) string {
	if l.random.IntN(3) == 0 {
		return l.number(elem)
	}
	return l.value(depth, elem, l.rate(inner))
}

// number is a constant, some at the ends of its type.
func (l *lanedCase) number(elem tensor.Type) string {
	r := l.random
	if elem.IsFloat() {
		x := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.5, 0.1, -3, 127, 0x1p24, 0x1p-130, float32(math.Inf(1)), float32(math.NaN())}[r.IntN(12)]
		return l.constant(mustConvert(tensor.Of([]int64{}, x), elem))
	}
	x := []int64{0, 1, 2, -1, 8, 100, -128, 1 << 15, math.MinInt32, math.MaxInt32, math.MaxUint32, 1<<31 - 7}[r.IntN(12)]
	whole, err := tensor.Convert(tensor.Of([]int64{}, x), elem, false, tensor.RoundMode(0))
	if err != nil {
		return l.cast(l.scalar(x), elem)
	}
	return l.constant(whole)
}

// condition is BOOL lanes.
func (l *lanedCase) condition(depth int, inner []int64) string {
	r := l.random
	elem := l.element()
	switch r.IntN(8) {
	case 0:
		return l.cast(l.source(inner), tensor.Bool)
	case 1:
		if depth > 0 {
			in := []string{l.condition(depth-1, inner), l.condition(depth-1, inner)}
			return l.node([]string{"And", "Or", "Xor", "Equal"}[r.IntN(4)], in)
		}
	case 2:
		if elem.IsFloat() && elem != tensor.Float {
			elem = tensor.Float
		}
		if elem == tensor.Float {
			return l.node([]string{"IsNaN", "IsInf"}[r.IntN(2)], []string{l.value(depth, elem, inner)})
		}
	case 3:
		return l.node("Not", []string{l.condition(max(depth-1, 0), inner)})
	}
	op := []string{"Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual"}[r.IntN(5)]
	in := []string{l.value(max(depth-1, 0), elem, inner), l.operand(0, elem, inner)}
	return l.node(op, in)
}

// unary is an operator of one operand, or one with bounds.
func (l *lanedCase) unary(x string, elem tensor.Type) string {
	r := l.random
	if r.IntN(4) == 0 {
		in := []string{x, l.number(elem), l.number(elem)}
		if drop := r.IntN(4); drop > 1 {
			in[drop-1] = ""
		}
		return l.node("Clip", in)
	}
	ops := []string{"Neg", "Abs", "Sign", "Relu"}
	switch {
	case elem.IsFloat():
		ops = append(ops, "Floor", "Ceil", "Round", "Sqrt", "Reciprocal", "Sqrt", "Floor")
	case !elem.IsSigned():
		ops = []string{"Abs", "Sign", "BitwiseNot"}
	default:
		ops = append(ops, "BitwiseNot")
	}
	return l.node(ops[r.IntN(len(ops))], []string{x})
}

// binary is an operator of two operands.
func (l *lanedCase) binary(x, y string, elem tensor.Type) string {
	r := l.random
	ops := []string{"Add", "Sub", "Mul", "Max", "Min", "Mul", "Sub"}
	if elem.IsFloat() {
		ops = append(ops, "Div", "Div", "Mean", "Sum")
	} else {
		ops = append(ops, "BitwiseAnd", "BitwiseOr", "BitwiseXor")
		if r.IntN(8) == 0 {
			divisor := l.constant(mustConvert(tensor.Of([]int64{}, []int64{1, 2, 3, 7, 16, 100}[r.IntN(6)]), elem))
			return l.node([]string{"Div", "Mod"}[r.IntN(2)], []string{x, divisor})
		}
	}
	if r.IntN(2) == 0 {
		x, y = y, x
	}
	return l.node(ops[r.IntN(len(ops))], []string{x, y})
}

// source adds lanes to the payload.
func (l *lanedCase) source(inner []int64) string {
	r := l.random
	n := int(inner[0] * inner[1])
	i := len(l.fields)
	name := fmt.Sprintf("f%d", i)
	if r.IntN(3) == 0 {
		l.pad(i)
	}
	b := l.block
	b.inner = inner
	switch r.IntN(6) {
	case 0, 1:
		elem := []tensor.Type{
			tensor.Uint8, tensor.Int8, tensor.Uint16, tensor.Int16, tensor.Uint32, tensor.Int32, tensor.Float, tensor.Float16, tensor.BFloat16,
		}[r.IntN(9)]
		l.add(name, leafType(elem, int64(n)))
		return l.shaped(b, l.bind(name))
	case 2:
		elem := []tensor.Type{tensor.Int64, tensor.Double, tensor.Float8E4M3FN, tensor.Int4, tensor.Uint4, tensor.Int2, tensor.Float4E2M1}[r.IntN(7)]
		l.add(name, leafType(elem, int64(n)))
		return l.shaped(b, l.bind(name))
	case 3:
		width := 1 + r.IntN(6)
		l.add(name, packing(n, uint32(width)))
		index := l.cast(l.bind(name+".c0"), tensor.Int64)
		table := make([]float32, 1<<width)
		for k := range table {
			table[k] = math.Float32frombits(r.Uint32())
			if r.IntN(2) == 0 {
				table[k] = float32(r.IntN(400) - 200)
			}
		}
		return l.shaped(b, l.node("Gather", []string{l.constant(tensor.Of([]int64{int64(len(table))}, table...)), index}))
	}
	width := []int{1, 2, 4, 4, 8, 8, 12, 16, 24, 24, 32, 5, 11, 20, 31}[r.IntN(15)]
	widths := []uint32{uint32(width)}
	if r.IntN(4) == 0 {
		widths = append(widths, uint32(1+r.IntN(20)))
	}
	l.add(name, packing(n, widths...))
	return l.shaped(b, l.bind(name+".c0"))
}

// ends fills a payload with the least and the greatest of numbers of one to eight bytes.
func ends(random *rand.Rand, n int) []byte {
	list := []string{
		"\x00", "\xff", "\x80", "\x7f", "\x01", "\x00\x80", "\xff\x7f", "\x00\x00\x80", "\x00\x00\x00\x80", "\xff\xff\xff\x7f", "\xff\xff\xff\xff",
		"\x01\x00\x00\x00", "\x00\x00\x80\x7f", "\x00\x00\xc0\xff", "\x00\x00\x00\x00\x00\x00\x00\x80", "\x00\x00\x00\x4f", "\x00\x00\x80\x4f",
	}
	payload := make([]byte, 0, n+8)
	for len(payload) < n {
		payload = append(payload, list[random.IntN(len(list))]...)
	}
	return payload[:n]
}
