// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// TestWoven: fields of a record, each with its type and a formula of its own, whose numbers take turns; and formulas of
// several fields.
func TestWoven(t *testing.T) {
	t.Run("equal", func(t *testing.T) { runRandom(t, 29, woven) })
	made := 0
	const cases = 60
	for i := range uint64(cases) {
		c := &decoderCase{random: rand.New(rand.NewPCG(29, i))}
		out, counts := woven(c)
		root, fn, err := c.finish(out, counts...)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := plan.Decoder(root, fn, plan.Env{}); err == nil && p.Program != nil && !strings.Contains(text(p), "place ") {
			made++
		}
	}
	// The others have formulas that differ in more than constants, or so few numbers that moving them is cheaper.
	if t.Logf("%d of %d are one piece", made, cases); made < cases/8 {
		t.Errorf("only %d of %d are one piece", made, cases)
	}
}

// wovenFactors and wovenOffsets have numbers that change nothing among them, and zeros of both signs.
var (
	wovenFactors = []float32{1, 1, 0.5, -1, 0.1, -3, 1e-3, 0}
	wovenOffsets = []float32{0, float32(math.Copysign(0, -1)), 500, -40, -0.25, 1e7}
)

func woven(c *decoderCase) (string, []int64) {
	r := c.random
	c.edges = true
	counts := c.counts()
	fields := c.record([]int{1, 4, 7, 16, 32}[r.IntN(5)])
	for i := range fields {
		for range r.IntN(3) {
			fields[i] = c.wovenStep(fields[i])
		}
	}
	if r.IntN(3) == 0 {
		fields = c.combined(fields)
	}
	out := c.node("Concat", fields, intAttr("axis", -1))
	if r.IntN(6) == 0 { // a known number beside each record's
		out = c.node("Pad", []string{out, c.longs(int64(r.IntN(2)), 1), c.float(wovenOffsets[r.IntN(len(wovenOffsets))]), c.longs(-1)})
	}
	for range r.IntN(3) {
		out = c.wovenStep(out)
	}
	return out, counts
}

// combined is operators on several fields each, so that pieces have much in common.
func (c *decoderCase) combined(fields []string) []string {
	r := c.random
	for range 1 + r.IntN(2) {
		from := fields
		fields = nil
		for i, x := range from {
			y := from[(i+1+r.IntN(len(from)-1))%len(from)]
			switch r.IntN(4) {
			case 0:
				fields = append(fields, c.node("Max", []string{x, c.node("Abs", []string{y})}))
			case 1:
				fields = append(fields, c.node("Where", []string{c.node("Less", []string{x, y}), x, from[0]}))
			default:
				fields = append(fields, c.node([]string{"Add", "Sub", "Mul"}[r.IntN(3)], []string{x, y}))
			}
		}
	}
	return fields
}

func (c *decoderCase) wovenStep(x string) string {
	r := c.random
	switch r.IntN(5) {
	case 0, 1:
		return c.node([]string{"Add", "Sub"}[r.IntN(2)], []string{x, c.float(wovenOffsets[r.IntN(len(wovenOffsets))])})
	case 2:
		return c.node("Neg", []string{x})
	}
	return c.node("Mul", []string{x, c.float(wovenFactors[r.IntN(len(wovenFactors))])})
}

// record is so many records of a few integers, each field as FLOAT with one lane for a record.
func (c *decoderCase) record(n int) []string {
	r := c.random
	var fields []string
	if r.IntN(2) == 0 { // bits, some with a sign
		widths := make([]uint32, 2+r.IntN(6))
		for i := range widths {
			widths[i] = uint32(1 + r.IntN(17))
		}
		c.add("r", packing(n, widths...))
		for i, w := range widths {
			x := c.cast(c.bind(fmt.Sprintf("r.c%d", i)), tensor.Int32)
			if r.IntN(2) == 0 {
				half := c.constant(tensor.Of([]int64{}, int32(1)<<(w-1)))
				x = c.node("Sub", []string{c.node("BitwiseXor", []string{x, half}), half})
			}
			fields = append(fields, c.node("Unsqueeze", []string{c.float32(x), c.longs(-1)}))
		}
		return fields
	}
	list := &onnxpb.StructTypeProto_Structure{}
	types := []tensor.Type{tensor.Int8, tensor.Uint8, tensor.Int16, tensor.Uint16, tensor.Int16, tensor.Int32, tensor.Uint32}
	for i := range 2 + r.IntN(6) {
		name := fmt.Sprintf("f%d", i)
		list.Field = append(list.Field, &onnxpb.StructTypeProto_Field{
			Name: name, Content: &onnxpb.StructTypeProto_Field_Type{Type: leafType(types[r.IntN(len(types))])},
		})
		fields = append(fields, c.node("Unsqueeze", []string{c.float32(c.bind("r." + name)), c.longs(-1)}))
	}
	c.add("r", inlineType(&onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Array_{Array: &onnxpb.StructTypeProto_Array{
		ElementType: inlineType(&onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Structure_{Structure: list}}), Dimension: uint64(n),
	}}}))
	return fields
}
