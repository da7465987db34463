// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/prototext"

	"github.com/structview/structview"
	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

var (
	randomCases = flag.Int("cases", 200, "random decoders of each generator")
	randomSeed  = flag.Uint64("seed", 0, "chooses other random decoders")
)

// decoderCase is a random block and a decoder for an array of it.
type decoderCase struct {
	random *rand.Rand
	fields []*onnxpb.StructTypeProto_Field
	nodes  []*onnxpb.NodeProto
	inputs []string
	next   int

	edges    bool // payloads of nothing but least and greatest numbers, too
	stripped bool // it runs as strips, too
}

const opset = 26

func (c *decoderCase) node(op string, inputs []string, attributes ...*onnxpb.AttributeProto) string {
	out := fmt.Sprintf("t%d", c.next)
	c.next++
	c.nodes = append(c.nodes, &onnxpb.NodeProto{OpType: op, Input: inputs, Output: []string{out}, Attribute: attributes})
	return out
}

func intAttr(name string, i int64) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_INT, I: i}
}

func (c *decoderCase) constant(t *tensor.Tensor) string {
	return c.node("Constant", nil, &onnxpb.AttributeProto{Name: "value", Type: onnxpb.AttributeProto_TENSOR, T: t.Proto("")})
}

func (c *decoderCase) cast(x string, to tensor.Type) string {
	return c.node("Cast", []string{x}, intAttr("to", int64(to)))
}

func (c *decoderCase) float(x float32) string { return c.constant(tensor.Of([]int64{}, x)) }

func (c *decoderCase) add(name string, t *onnxpb.TypeProto) {
	c.fields = append(c.fields, &onnxpb.StructTypeProto_Field{
		Name: name, Content: &onnxpb.StructTypeProto_Field_Type{Type: t},
	})
}

func leafType(elem tensor.Type, dims ...int64) *onnxpb.TypeProto {
	shape := &onnxpb.TensorShapeProto{}
	for _, d := range dims {
		shape.Dim = append(shape.Dim, &onnxpb.TensorShapeProto_Dimension{
			Value: &onnxpb.TensorShapeProto_Dimension_DimValue{DimValue: d},
		})
	}
	return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_TensorType{
		TensorType: &onnxpb.TypeProto_Tensor{ElemType: int32(elem), Shape: shape},
	}}
}

func inlineType(s *onnxpb.StructTypeProto) *onnxpb.TypeProto {
	return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_StructType{StructType: s}}
}

func packing(n int, widths ...uint32) *onnxpb.TypeProto {
	p := &onnxpb.StructTypeProto_BitPacking{Dimension: uint64(n)}
	for i, w := range widths {
		p.Component = append(p.Component, &onnxpb.StructTypeProto_BitPacking_Component{
			Name: fmt.Sprintf("c%d", i), BitWidth: w,
		})
	}
	return inlineType(&onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_BitPacking_{BitPacking: p}})
}

func (c *decoderCase) bind(path string) string {
	c.inputs = append(c.inputs, path)
	return path
}

// pad adds padding: whole bytes, or with bits nothing is byte-aligned any more.
func (c *decoderCase) pad(i int) {
	switch c.random.IntN(4) {
	case 0:
		c.add(fmt.Sprintf("pad%d", i), leafType(tensor.Uint8, 1+c.random.Int64N(3)))
	case 1:
		c.add(fmt.Sprintf("pad%d", i), packing(1, uint32(1+c.random.IntN(7))))
	}
}

// finish pads the block to whole bytes and makes the root.
func (c *decoderCase) finish(out string, counts ...int64) (*structview.Type, *onnxpb.FunctionProto, error) {
	fn := &onnxpb.FunctionProto{
		Input: c.inputs, Output: []string{out}, Node: c.nodes,
		OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: opset}},
	}
	block := &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Structure_{Structure: &onnxpb.StructTypeProto_Structure{Field: c.fields}}}
	if bits, err := structview.BitSize(nil, block); err == nil && bits%8 != 0 {
		c.add("rest", packing(1, uint32(8-bits%8)))
		block.GetStructure().Field = c.fields
	}
	root := block
	for i := len(counts) - 1; i >= 0; i-- {
		root = &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Array_{Array: &onnxpb.StructTypeProto_Array{
			ElementType: inlineType(root), Dimension: uint64(counts[i]),
		}}}
	}
	declarations, findings := structview.Resolve(nil)
	if err := structview.Errors(findings); err != nil {
		return nil, nil, err
	}
	t, findings := declarations.Root(root)
	return t, fn, structview.Errors(findings)
}

// literally runs a decoder with eval.
func literally(t testing.TB, root *structview.Type, fn *onnxpb.FunctionProto, payload []byte) (*tensor.Tensor, error) {
	t.Helper()
	program, err := eval.Compile(fn, eval.Env{})
	if err != nil {
		return nil, err
	}
	view, err := structview.NewView(root, payload)
	if err != nil {
		return nil, err
	}
	in := make([]eval.Value, len(fn.Input))
	for i, name := range fn.Input {
		if in[i], err = structview.Bind(view, name); err != nil {
			return nil, err
		}
	}
	out, err := program.Run(t.Context(), in)
	if err != nil {
		return nil, err
	}
	return out[0].(*tensor.Tensor), nil
}

// agree plans a case and compares it with eval; it reports whether it was fused.
func agree(t *testing.T, c *decoderCase, out string, counts ...int64) bool {
	t.Helper()
	root, fn, err := c.finish(out, counts...)
	if err != nil {
		t.Fatal(err)
	}
	size, _ := root.Bytes()
	payloads := [][]byte{fill(c.random, int(size), 0), fill(c.random, int(size), 1), fill(c.random, int(size), 2)}
	if c.edges {
		odd := ends(c.random, int(size))
		floats := bytes.Clone(payloads[0])
		scatter(c.random, root, floats)
		payloads = append(payloads, odd, floats, make([]byte, size), bytes.Repeat([]byte{0xff}, int(size)))
	}
	if _, err := literally(t, root, fn, payloads[0]); err != nil {
		return false // the generator made a decoder that ONNX does not run
	}
	if c.next%12 == 0 { // strips take longer to make than to run
		c.stripped = agreesWith(t, plan.Env{}.Stripped(), root, fn, payloads[:2])
	}
	return agreesWith(t, plan.Env{}, root, fn, payloads)
}

// agreesWith plans with an environment; it reports whether there was a program.
func agreesWith(t *testing.T, env plan.Env, root *structview.Type, fn *onnxpb.FunctionProto, payloads [][]byte) bool {
	t.Helper()
	p, err := plan.Decoder(root, fn, env)
	if err != nil || !p.Runs() {
		return false
	}
	for _, payload := range payloads {
		want, err := literally(t, root, fn, payload)
		if err != nil {
			return false
		}
		if wrong := difference(p, decodeAll(t, p, payload), want); wrong != "" {
			t.Fatalf("%s\n%s\n%s", wrong, text(p), listing(root, fn))
		}
	}
	return true
}

// decodeAll runs a plan on a whole payload.
func decodeAll(t testing.TB, p *plan.Plan, payload []byte) *tensor.Tensor {
	t.Helper()
	var out *tensor.Tensor
	var err error
	if p.Element == tensor.Float {
		floats := make([]float32, p.Blocks*int64(p.Lanes))
		p.NewRunner().Decode(payload, 0, p.Blocks, floats)
		out, err = tensor.FromSlice(tensor.Float, p.Dims, floats)
	} else {
		raw := make([]byte, p.Bytes(p.Blocks))
		p.NewRunner().DecodeBytes(payload, 0, p.Blocks, raw)
		out, err = tensor.New(p.Element, p.Dims, raw)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// difference says where two values differ, NaN for NaN; "" if they do not.
func difference(p *plan.Plan, got, want *tensor.Tensor) string {
	if tensor.EqualValues(got, want) {
		return ""
	}
	if got.Type() != want.Type() || got.Len() != want.Len() {
		return fmt.Sprintf("%v%v, want %v%v", got.Type(), got.Dims(), want.Type(), want.Dims())
	}
	w := int(want.Type().Bits() / 8)
	if w == 0 {
		return fmt.Sprintf("%x, want %x (%v%v)", got.Bytes(), want.Bytes(), want.Type(), want.Dims())
	}
	for i := range int(want.Len()) {
		g, x := got.Bytes()[i*w:(i+1)*w], want.Bytes()[i*w:(i+1)*w]
		if !bytes.Equal(g, x) && !(isNaN(want.Type(), g) && isNaN(want.Type(), x)) {
			return fmt.Sprintf("element %d of block %d: %x, want %x (%v)", i%p.Lanes, i/p.Lanes, g, x, want.Type())
		}
	}
	return fmt.Sprintf("dimensions %v, want %v", got.Dims(), want.Dims())
}

func isNaN(elem tensor.Type, b []byte) bool {
	code := uint64(0)
	for i, x := range b {
		code |= uint64(x) << (8 * i)
	}
	return elem.IsFloat() && math.IsNaN(tensor.ToFloat(elem, code))
}

// text prints a plan's kernels and stores.
func text(p *plan.Plan) string {
	if p.Strips != nil {
		return p.Strips.String()
	}
	out := p.Program.String()
	for _, s := range p.Stores {
		out += s.String() + "\n"
	}
	return out
}

func listing(root *structview.Type, fn *onnxpb.FunctionProto) string {
	var b strings.Builder
	for leaf := range root.Layout().Leaves() {
		fmt.Fprintf(&b, "%s @%d w%d %v\n", leaf.Path, leaf.Offset, leaf.Width, leaf.Dims)
	}
	for _, n := range fn.Node {
		fmt.Fprintln(&b, prototext.MarshalOptions{}.Format(n))
	}
	return b.String()
}

// runRandom runs many cases of one generator and reports how many were fused.
func runRandom(t *testing.T, seed uint64, generate func(*decoderCase) (string, []int64)) {
	t.Parallel()
	fused, stripped := 0, 0
	for i := range *randomCases {
		c := &decoderCase{random: rand.New(rand.NewPCG(seed+100**randomSeed, uint64(i)))}
		out, counts := generate(c)
		if agree(t, c, out, counts...) {
			fused++
		}
		if c.stripped {
			stripped++
		}
		if t.Failed() {
			t.Fatalf("case %d", i)
		}
	}
	t.Logf("%d of %d cases fused, %d as strips", fused, *randomCases, stripped)
	if fused < *randomCases/4 {
		t.Errorf("only %d of %d cases fused: the generator tests the fallback", fused, *randomCases)
	}
}
