// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/tensor"
)

// TestLanes: operators on lanes of several types and rates, whose results are used more than once,
// on payloads of numbers at which something changes.
func TestLanes(t *testing.T) { onTypes(t, 8, laneTypes) }

// onTypes runs operators on lanes of some types.
func onTypes(t *testing.T, seed uint64, types []tensor.Type) {
	t.Parallel()
	fused := 0
	for i := range *randomCases {
		c := &decoderCase{random: rand.New(rand.NewPCG(seed+100**randomSeed, uint64(i)))}
		out, counts := onLanes(c, types)
		root, fn, err := c.finish(out, counts...)
		if err != nil {
			t.Fatal(err)
		}
		size, _ := root.Bytes()
		var payloads [][]byte
		for try := range 6 {
			payload := fill(c.random, int(size), try)
			if try >= 3 {
				scatter(c.random, root, payload)
			}
			if _, err := literally(t, root, fn, payload); err == nil {
				payloads = append(payloads, payload)
			}
		}
		if agreesWith(t, plan.Env{}, root, fn, payloads) {
			fused++
		}
		if i%4 == 0 {
			agreesWith(t, plan.Env{}.Stripped(), root, fn, payloads)
		}
		if t.Failed() {
			t.Fatalf("case %d", i)
		}
	}
	if t.Logf("%d of %d cases fused", fused, *randomCases); fused < *randomCases/4 {
		t.Errorf("only %d of %d cases fused", fused, *randomCases)
	}
}

// typedLanes is lanes with their element type.
type typedLanes struct {
	name string
	elem tensor.Type
}

// pool is lanes that operators are applied to, all of dimensions that broadcast.
type pool struct {
	*decoderCase
	lanes []typedLanes
	types []tensor.Type
	b     block
}

var laneTypes = []tensor.Type{
	tensor.Float, tensor.Float, tensor.Float, tensor.Float16, tensor.BFloat16, tensor.Int8, tensor.Uint8, tensor.Int16,
	tensor.Uint16, tensor.Int32, tensor.Uint32, tensor.Int64, tensor.Uint64, tensor.Bool,
}

func onLanes(c *decoderCase, types []tensor.Type) (string, []int64) {
	r := c.random
	counts := [][]int64{{7}, {1}, {3, 4}, {40}, {2, 1}}[r.IntN(5)]
	g, n := []int64{1, 2, 3, 8, 5}[r.IntN(5)], []int64{1, 3, 5, 8, 12, 16, 32, 64}[r.IntN(8)]
	p := &pool{decoderCase: c, types: types, b: block{lead: len(counts), all: counts}}
	for i := range 2 + r.IntN(3) {
		dims := [][]int64{{g, n}, {g, n}, {g, 1}, {1, n}, {1, 1}}[r.IntN(5)]
		if i == 0 {
			dims = []int64{g, n}
		}
		p.leaf(i, dims)
	}
	for range 2 + r.IntN(8) {
		p.step()
	}
	last := p.lanes[len(p.lanes)-1]
	x := last.name
	if r.IntN(3) > 0 && last.elem != tensor.Float {
		x = c.cast(x, tensor.Float)
	} else if r.IntN(6) == 0 {
		x = c.cast(x, outputs[r.IntN(len(outputs))])
	}
	return x, counts
}

// leaf adds a leaf or codes, or a constant.
func (p *pool) leaf(i int, dims []int64) {
	r, n := p.random, int(dims[0]*dims[1])
	elem := p.types[r.IntN(len(p.types))]
	switch r.IntN(6) {
	case 0, 1, 2:
		p.pad(i)
		name := fmt.Sprintf("leaf%d", i)
		p.add(name, leafType(elem, dims...))
		p.keep(p.bind(name), elem)
	case 3, 4:
		p.pad(i)
		name := fmt.Sprintf("code%d", i)
		p.add(name, packing(n, uint32(1+r.IntN([]int{4, 8, 16, 33}[r.IntN(4)]))))
		p.b.inner = dims
		p.keep(p.cast(p.shaped(p.b, p.bind(name+".c0")), elem), elem)
	default:
		values := make([]float64, n)
		for k := range values {
			values[k] = []float64{0, 1, -1, 2.5, 100, -0.5, 3, math.Copysign(0, -1), 70000, math.Inf(1), math.NaN()}[r.IntN(11)]
		}
		p.keep(p.cast(p.constant(tensor.Of(dims, values...)), elem), elem)
	}
}

func (p *pool) keep(name string, elem tensor.Type) {
	p.lanes = append(p.lanes, typedLanes{name, elem})
}

// any is some lanes, mostly late ones.
func (p *pool) any() typedLanes {
	n := len(p.lanes)
	if p.random.IntN(2) == 0 {
		return p.lanes[n-1]
	}
	return p.lanes[p.random.IntN(n)]
}

// as is some lanes of a type.
func (p *pool) as(elem tensor.Type) string {
	x := p.any()
	if x.elem == elem {
		return x.name
	}
	return p.cast(x.name, elem)
}

func (p *pool) number(elem tensor.Type, list ...float64) string {
	return p.cast(p.constant(tensor.Of([]int64{}, list[p.random.IntN(len(list))])), elem)
}

func (p *pool) choice(list ...string) string { return list[p.random.IntN(len(list))] }

func (p *pool) step() {
	x := p.any()
	switch {
	case p.random.IntN(5) == 0:
		elem := p.types[p.random.IntN(len(p.types))]
		p.keep(p.cast(x.name, elem), elem)
	case p.random.IntN(4) == 0:
		p.keep(p.node("Where", []string{p.as(tensor.Bool), x.name, p.as(x.elem)}), x.elem)
	case x.elem == tensor.Bool:
		p.truth(x)
	case p.random.IntN(5) == 0:
		p.keep(p.node(p.choice("Less", "Greater", "Equal", "LessOrEqual", "GreaterOrEqual"), []string{x.name, p.as(x.elem)}), tensor.Bool)
	case x.elem.IsFloat():
		p.float(x)
	default:
		p.integer(x)
	}
}

func (p *pool) truth(x typedLanes) {
	if p.random.IntN(3) == 0 {
		p.keep(p.node("Not", []string{x.name}), tensor.Bool)
		return
	}
	p.keep(p.node(p.choice("And", "Or", "Xor", "Equal"), []string{x.name, p.as(tensor.Bool)}), tensor.Bool)
}

func (p *pool) float(x typedLanes) {
	var out string
	switch p.random.IntN(6) {
	case 0:
		out = p.node(p.choice("Abs", "Neg", "Floor", "Ceil", "Round", "Sqrt", "Sign", "Relu", "Reciprocal"), []string{x.name})
	case 1:
		bounds := []string{p.number(x.elem, -4, 0, math.Copysign(0, -1)), p.number(x.elem, 7, 0, 1, math.NaN())}
		out = p.node("Clip", append([]string{x.name}, bounds...))
	case 2:
		p.keep(p.node(p.choice("IsNaN", "IsInf"), []string{x.name}), tensor.Bool)
		return
	case 3:
		out = p.node(p.choice("Max", "Min", "Mean", "Sum"), []string{x.name, p.as(x.elem), p.number(x.elem, 0, math.Copysign(0, -1), 2)})
	default:
		out = p.node(p.choice("Add", "Sub", "Mul", "Div", "Max", "Min", "Mul", "Add"), []string{x.name, p.as(x.elem)})
	}
	p.keep(out, x.elem)
}

func (p *pool) integer(x typedLanes) {
	var out string
	switch p.random.IntN(6) {
	case 0:
		out = p.node(p.choice("Abs", "Neg", "Sign", "BitwiseNot", "Relu"), []string{x.name})
	case 1:
		out = p.node("Clip", []string{x.name, p.number(x.elem, 0, 3, 1), p.number(x.elem, 7, 100, 2)})
	case 2:
		out = p.node(p.choice("Div", "Mod"), []string{x.name, p.number(x.elem, 1, 2, 3, 7, 16, 100)})
	case 3:
		out = p.node(p.choice("BitwiseAnd", "BitwiseOr", "BitwiseXor"), []string{x.name, p.as(x.elem)})
	case 4:
		if !x.elem.IsSigned() {
			by := p.number(x.elem, 0, 1, 3, 4, 7, 8, 15, 31, 32, 40, 63, 64, 100)
			if p.random.IntN(3) == 0 {
				by = p.as(x.elem)
			}
			out = p.node("BitShift", []string{x.name, by}, stringAttr("direction", p.choice("LEFT", "RIGHT")))
			break
		}
		fallthrough
	default:
		out = p.node(p.choice("Add", "Sub", "Mul", "Max", "Min"), []string{x.name, p.as(x.elem)})
	}
	p.keep(out, x.elem)
}

// TestTruths: a BOOL that is read may have any byte, of which all but 0 are cast to 1.
func TestTruths(t *testing.T) {
	for name, write := range map[string]func(c *decoderCase, truth string) string{
		"cast": func(c *decoderCase, truth string) string { return c.float32(truth) },
		"sum": func(c *decoderCase, truth string) string {
			c.add("p", leafType(tensor.Uint8, 12))
			high := c.node("Mul", []string{c.cast(c.bind("p"), tensor.Int32), c.cast(c.scalar(256), tensor.Int32)})
			return c.float32(c.node("Add", []string{high, c.cast(truth, tensor.Int32)}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := &decoderCase{random: rand.New(rand.NewPCG(3, 5))}
			c.add("q", leafType(tensor.Bool, 12))
			q := c.bind("q")
			if !agree(t, c, write(c, c.node("Where", []string{q, q, q})), 4) {
				t.Error("it is not fused")
			}
		})
	}
}
