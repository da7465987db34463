// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// encoderCase is a random block and an encoder for an array of it.
type encoderCase struct {
	decoderCase
	outputs []string
	elem    tensor.Type
	dims    []int64 // of the value
}

// field gives a path of the block the elements of x.
func (c *encoderCase) field(path, x string) {
	c.nodes = append(c.nodes, &onnxpb.NodeProto{OpType: "Identity", Input: []string{x}, Output: []string{path}})
	c.outputs = append(c.outputs, path)
}

// padded adds a field between others, which the encoder fills with zeros.
func (c *encoderCase) padded(i int, lead string) {
	if c.random.IntN(3) > 0 {
		return
	}
	c.zeros(fmt.Sprintf("pad%d", i), uint32(1+c.random.IntN(9)), lead)
}

// zeros is a component of 0.
func (c *encoderCase) zeros(name string, width uint32, lead string) {
	c.add(name, packing(1, width))
	one := c.node("Concat", []string{lead, c.ints(1)}, intAttr("axis", 0))
	zero := c.constant(tensor.Of([]int64{1}, uint8(0)))
	if width > 8 {
		zero = c.constant(tensor.Of([]int64{1}, uint16(0)))
	}
	c.field(name+".c0", c.node("Expand", []string{zero, one}))
}

func (c *encoderCase) ints(v ...int64) string {
	return c.constant(tensor.Of([]int64{int64(len(v))}, v...))
}

// made builds the root with its encoder.
func (c *encoderCase) made(counts ...int64) (*structview.Type, error) {
	block := &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Structure_{Structure: &onnxpb.StructTypeProto_Structure{Field: c.fields}}}
	root := block
	for i := len(counts) - 1; i >= 0; i-- {
		root = &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Array_{Array: &onnxpb.StructTypeProto_Array{
			ElementType: inlineType(root), Dimension: uint64(counts[i]),
		}}}
	}
	root.Encoder = &onnxpb.FunctionProto{
		Input: []string{"x"}, Output: c.outputs, Node: c.nodes,
		OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: opset}},
		ValueInfo:   []*onnxpb.ValueInfoProto{{Name: "x", Type: leafType(c.elem, c.dims...)}},
	}
	declarations, findings := structview.Resolve(nil)
	if err := structview.Errors(findings); err != nil {
		return nil, err
	}
	t, findings := declarations.Root(root)
	return t, structview.Errors(findings)
}

// wrongly plans an encoder and says how it differs from eval on some values; "" if it agrees. ran
// reports whether it was planned.
func wrongly(t testing.TB, root *structview.Type, value eval.ValueType, env plan.Env, xs []*tensor.Tensor) (wrong string, ran bool) {
	t.Helper()
	literal, err := codec.New(root, codec.Env{Literal: true})
	if err != nil {
		return "", false // the generator made an encoder that is none
	}
	e, err := plan.Encoder(root, root.Encoder(), value, env)
	if err != nil || e.Program == nil {
		return "", false
	}
	size, _ := root.Bytes()
	got := make([]byte, size)
	for i, x := range xs {
		want, err := literal.Encode(t.Context(), x)
		fits := e.Program.NewFrame().Run(x.Bytes(), int(e.Blocks), got)
		if fits != (err == nil) {
			return fmt.Sprintf("value %d: fits: %v, and eval says %v\n%s", i, fits, err, e.Program), true
		}
		if fits && !bytes.Equal(got, want) {
			return fmt.Sprintf("value %d, blocks of %d bytes:\n%x, want\n%x\n%s", i, e.Stride, got, want, e.Program), true
		}
	}
	return "", true
}

// TestRandomEncoders compares random encoders with eval.
func TestRandomEncoders(t *testing.T) {
	t.Parallel()
	planned, cases := 0, *randomCases/2
	for i := range cases {
		c := &encoderCase{decoderCase: decoderCase{random: rand.New(rand.NewPCG(11+100**randomSeed, uint64(i)))}}
		ran := encoderAgrees(t, c)
		if t.Failed() {
			t.Fatalf("case %d", i)
		}
		if ran {
			planned++
		}
	}
	t.Logf("%d of %d encoders planned", planned, cases)
	if planned < cases/2 {
		t.Errorf("only %d of %d encoders planned: the generator tests the fallback", planned, cases)
	}
}

func encoderAgrees(t *testing.T, c *encoderCase) bool {
	t.Helper()
	block, counts := quantizer(c)
	root, err := c.made(counts...)
	if err != nil {
		return false
	}
	n, _ := tensor.Count(c.dims)
	var xs []*tensor.Tensor
	for try := range 4 {
		xs = append(xs, tensor.Of(c.dims, hardFloats(c.random, int(n), block, try)...))
	}
	wrong, ran := wrongly(t, root, eval.TensorType(tensor.Float, c.dims...), plan.Env{}, xs)
	if wrong != "" {
		t.Fatalf("%s\n%s", wrong, listing(root, root.Encoder()))
	}
	return ran
}

// FuzzEncoder drives the generator of encoders from bytes.
func FuzzEncoder(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 40, 200, 90, 160, 30, 220, 120, 10, 250, 70})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) <= 256 {
			encoderAgrees(t, &encoderCase{decoderCase: decoderCase{random: rand.New(&byteSource{data, rand.NewPCG(1, 1)})}})
		}
	})
}

// quantizer writes an encoder of the usual form: a scale from a reduction, codes by rounding, by thresholds or
// by the nearest of a few, packed in one piece or two. It returns the values of a block and the arrays.
func quantizer(c *encoderCase) (int, []int64) {
	r := c.random
	groups, each := int64(1+r.IntN(3)), int64(1+r.IntN(12))
	n := groups * each
	counts := [][]int64{{}, {3}, {2, 3}, {1, 5}, {40}}[r.IntN(5)]
	c.elem, c.dims = tensor.Float, append(append([]int64{}, counts...), n)
	if len(counts) > 0 && r.IntN(2) == 0 { // blocks and values in one dimension
		c.dims = append(append([]int64{}, counts[:len(counts)-1]...), counts[len(counts)-1]*n)
	}
	lead := c.ints(counts...)
	grouped := c.node("Concat", []string{lead, c.ints(groups, each)}, intAttr("axis", 0))
	x := c.node("Reshape", []string{"x", grouped})
	scale := c.reduced(x)
	d := c.node("Div", []string{scale, c.float([]float32{3, 7, 15, 31, 127, -8}[r.IntN(6)])})
	id := c.node("Where", []string{c.node("Equal", []string{d, c.float(0)}), c.float(0), c.node("Reciprocal", []string{d})})
	width := uint32(1 + r.IntN(8))
	codes := c.codes(x, d, id, width)
	flat := c.node("Reshape", []string{codes, c.node("Concat", []string{lead, c.ints(n)}, intAttr("axis", 0))})
	c.padded(0, lead)
	c.scaleField(d, groups, lead)
	c.padded(1, lead)
	c.codeFields(flat, int(n), width)
	c.padded(2, lead)
	block := &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Structure_{Structure: &onnxpb.StructTypeProto_Structure{Field: c.fields}}}
	if bits, err := structview.BitSize(nil, block); err == nil && bits%8 != 0 {
		c.zeros("rest", uint32(8-bits%8), lead)
	}
	return int(n), counts
}

// reduced makes one number of each group.
func (c *encoderCase) reduced(x string) string {
	last := c.ints(-1)
	magnitude := c.node("Abs", []string{x})
	switch op := []string{"ReduceMax", "ReduceMin", "ReduceSum", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceMean", "ArgMax", "ArgMin", "Range", "ReduceProd"}[c.random.IntN(11)]; op {
	case "ArgMax", "ArgMin":
		from := []string{x, magnitude}[c.random.IntN(2)]
		i := c.node(op, []string{from}, intAttr("axis", -1), intAttr("select_last_index", c.random.Int64N(2)))
		return c.node("GatherElements", []string{x, i}, intAttr("axis", -1))
	case "Range":
		return c.node("Sub", []string{c.node("ReduceMax", []string{x, last}), c.node("ReduceMin", []string{x, last})})
	default:
		return c.node(op, []string{[]string{x, magnitude}[c.random.IntN(2)], last})
	}
}

// codes are integers of the given width, mostly.
func (c *encoderCase) codes(x, d, id string, width uint32) string {
	r := c.random
	most := float32(uint32(1)<<width - 1)
	switch r.IntN(4) {
	case 0: // thresholds reached
		list := make([]float32, min(1<<width-1, 15))
		for i := range list {
			list[i] = float32(i-len(list)/2) + 0.5
		}
		xs := c.node("Unsqueeze", []string{c.node("Mul", []string{x, id}), c.ints(-1)})
		reached := c.node([]string{"Greater", "GreaterOrEqual"}[r.IntN(2)], []string{xs, c.constant(tensor.Of([]int64{int64(len(list))}, list...))})
		return c.cast(c.node("ReduceSum", []string{c.cast(reached, tensor.Int32), c.ints(-1)}, intAttr("keepdims", 0)), tensor.Uint8)
	case 1: // the nearest of a few
		list := make([]float32, min(1<<width, 16))
		for i := range list {
			list[i] = float32(r.IntN(40) - 20)
		}
		k := c.node("Mul", []string{c.constant(tensor.Of([]int64{int64(len(list))}, list...)), c.node("Unsqueeze", []string{d, c.ints(-1)})})
		distance := c.node("Abs", []string{c.node("Sub", []string{k, c.node("Unsqueeze", []string{x, c.ints(-1)})})})
		return c.cast(c.node("ArgMin", []string{distance}, intAttr("axis", -1), intAttr("keepdims", 0)), tensor.Uint8)
	}
	q := c.node("Mul", []string{x, id})
	if r.IntN(2) == 0 {
		q = c.node("Add", []string{q, c.float(most/2 + 0.5)})
	}
	if r.IntN(2) == 0 {
		q = c.node([]string{"Round", "Floor", "Ceil"}[r.IntN(3)], []string{q})
	}
	switch r.IntN(4) {
	case 0: // some do not fit
		return c.cast(q, tensor.Uint8)
	case 1:
		q = c.cast(c.node("Clip", []string{q, c.float(0), c.float(most)}), tensor.Int32)
	case 2:
		number := func(v int32) string { return c.constant(tensor.Of([]int64{}, v)) }
		q = c.node("Min", []string{c.node("Max", []string{c.cast(q, tensor.Int32), number(0)}), number(int32(most))})
		if r.IntN(2) == 0 {
			q = c.node([]string{"Div", "Mod"}[r.IntN(2)], []string{q, number(int32(1 + r.IntN(9)))})
		}
	default:
		q = c.node("BitwiseAnd", []string{c.cast(q, tensor.Int32), c.constant(tensor.Of([]int64{}, int32(most)))})
	}
	return c.cast(q, tensor.Uint8)
}

// scaleField stores the scales, without NaN, whose bits nobody promises.
func (c *encoderCase) scaleField(d string, groups int64, lead string) {
	elem := []tensor.Type{tensor.Float, tensor.Float16, tensor.BFloat16, tensor.Float8E4M3FN, tensor.Float8E5M2, tensor.Float8E8M0, tensor.Int16}[c.random.IntN(7)]
	safe := c.node("Where", []string{c.node("IsNaN", []string{d}), c.float(1), d})
	s := c.cast(safe, elem)
	c.add("scale", leafType(elem, groups))
	c.field("scale", c.node("Reshape", []string{s, c.node("Concat", []string{lead, c.ints(groups)}, intAttr("axis", 0))}))
}

// codeFields packs codes as one component, or as low and high bits apart.
func (c *encoderCase) codeFields(codes string, n int, width uint32) {
	if width == 1 || c.random.IntN(2) == 0 {
		c.add("q", packing(n, width))
		c.field("q.c0", codes)
		return
	}
	low := uint32(1 + c.random.IntN(int(width)-1))
	number := func(v uint8) string { return c.constant(tensor.Of([]int64{}, v)) }
	c.add("low", packing(n, low))
	c.field("low.c0", c.node("BitwiseAnd", []string{codes, number(1<<low - 1)}))
	high := c.node("BitShift", []string{codes, number(uint8(low))},
		&onnxpb.AttributeProto{Name: "direction", Type: onnxpb.AttributeProto_STRING, S: []byte("RIGHT")})
	c.add("high", packing(n, width-low))
	c.field("high.c0", high)
}
