// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"errors"
	"fmt"

	"github.com/structview/structview"
	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// Encoding is an encoder cut into blocks and, if Program is not nil, lowered to strips: the
// program turns the values of a block into its bytes.
type Encoding struct {
	Cut     int   // leading dimensions of the root that count blocks
	Blocks  int64 // of a value
	Values  int   // elements of a block
	Stride  int   // bytes of a block in the payload
	Element tensor.Type
	Dims    []int64 // of the value
	Program *strip.Program
	// Reasons are what stood in the way of finer blocks or of strips.
	Reasons []string
}

// Encoder plans an encoder of a root: a function of constants and of one value of the given
// type, whose dimensions are known. An error says that no cut can be traced.
func Encoder(root *structview.Type, fn *onnxpb.FunctionProto, value eval.ValueType, env Env) (*Encoding, error) {
	e := &Encoding{Element: value.Element, Dims: value.Dims}
	env.literals = newLiterals(fn, env)
	counts, types := arrays(root)
	if root.Bits() == 0 || count(value.Dims) == 0 {
		e.Reasons = []string{"the value has no elements"}
		return e, ErrNoCut
	}
	if value.Element.Bits() < 8 || value.Element.Bits() > 64 || value.Element.IsComplex() {
		e.Reasons = []string{fmt.Sprintf("the value is %v", value.Element)}
		return e, ErrNoCut
	}
	for cut := len(counts); cut >= 0; cut-- {
		err := e.try(root, fn, env, cut, counts[:cut], types[cut])
		if err == nil {
			return e, nil
		}
		e.Reasons = refused(e.Reasons, cut, err)
	}
	return e, ErrNoCut
}

// try plans with a cut.
func (e *Encoding) try(root *structview.Type, fn *onnxpb.FunctionProto, env Env, cut int, counts []int64, block *structview.Type) error {
	bytes, whole := block.Bytes()
	if !whole || bytes > 1<<20 {
		return fmt.Errorf("a block has %d bits", block.Bits())
	}
	blocks, values := count(counts), count(e.Dims)
	if values%blocks != 0 || values/blocks > maxConstant {
		return fmt.Errorf("%d values in %d blocks", values, blocks)
	}
	g := newGraph(env.literals)
	g.without = env.without
	t := &tracer{g: g, functions: env.Functions, blocks: blocks, fold: 1, encoding: true}
	inputs, err := t.encoderInputs(root, fn, e, cut)
	if err != nil {
		return err
	}
	outputs, err := t.function(fn, inputs, nil)
	if err != nil {
		return err
	}
	env.show("trace", g)
	fields, err := t.fields(root, fn, outputs, cut)
	if err != nil {
		return err
	}
	e.Cut, e.Blocks, e.Values, e.Stride = cut, blocks, int(values/blocks), int(bytes)
	s := newStripper(g, e.Values*int(e.Element.Bits()/8))
	program, err := s.encoder(fields, e.Stride)
	if err != nil {
		e.Reasons = append(e.Reasons, err.Error())
	}
	env.show("facts", g)
	e.Program = program
	return nil
}

func (s *stripper) encoder(fields []outField, bytes int) (*strip.Program, error) {
	out, err := s.packed(fields, bytes)
	if err != nil {
		return nil, err
	}
	return s.program(out, bytes)
}

// encoderInputs binds constants, and the value where a decoder has its payload.
func (t *tracer) encoderInputs(root *structview.Type, fn *onnxpb.FunctionProto, e *Encoding, cut int) ([]*symbol, error) {
	in := make([]*symbol, len(fn.Input))
	for i, name := range fn.Input {
		leaf, err := root.Layout().Leaf(name)
		switch {
		case err != nil:
			in[i] = t.value(e, cut)
		case leaf.Constant == nil:
			return nil, fmt.Errorf("input %s is a part of the payload", name)
		default:
			in[i] = known(leaf.Constant)
		}
	}
	return in, nil
}

// value is the symbol of the value: its elements lie block by block.
func (t *tracer) value(e *Encoding, cut int) *symbol {
	width := int(e.Element.Bits())
	n := int(count(e.Dims) / t.blocks)
	bits := make([]int32, n*width)
	for i := range bits {
		bits[i] = int32(i)
	}
	made := t.g.read(e.Element, t.g.payload(unsigned(uint64(width)), bits, width))
	return &symbol{elem: e.Element, dims: e.Dims, batch: t.prefix(e.Dims, cut, t.blocks), lanes: made}
}

// fields are the places of all outputs' lanes in a block.
func (t *tracer) fields(root *structview.Type, fn *onnxpb.FunctionProto, outputs []*symbol, cut int) ([]outField, error) {
	var fields []outField
	for i, name := range fn.Output {
		leaf, err := root.Layout().Leaf(name)
		if err != nil {
			return nil, err
		}
		var dims, strides []int64
		for _, d := range leaf.Dims[cut:] {
			dims, strides = append(dims, int64(d.Len)), append(strides, int64(d.Stride))
		}
		at := strided(int64(leaf.Offset), dims, strides)
		out, err := t.lanesOf(outputs[i], leaf, cut)
		if err != nil {
			return nil, err
		}
		if len(at) == 0 {
			continue
		}
		if len(out.m) != len(at) || out.v.elem != leaf.Element {
			return nil, errors.New("an output does not have the elements of its path")
		}
		if !plainTruth(out.v, 0) {
			return nil, noStrip(out.v, "a BOOL may have been given as any byte")
		}
		path := ""
		if leaf.IsComponent {
			path = leaf.Path
		}
		for k, offset := range at {
			fields = append(fields, outField{out.v, out.m[k], int(offset), int(leaf.Width), path})
		}
	}
	return fields, nil
}

// plainTruth reports whether BOOL lanes are 0 and 1 as eval has them: as data they may be any byte.
func plainTruth(v *value, depth int) bool {
	switch {
	case v.elem != tensor.Bool || isTruth(v) || v.kind == kFold || v.kind == kBits && v.width == 1:
		return true
	case depth > 20 || v.kind == kOp && v.run.node.OpType != "Where" || v.kind != kOp && v.kind != kSel:
		return false
	}
	operands := v.args
	if v.kind == kOp { // of Where, behind its condition
		operands = operands[1:]
	}
	for _, a := range operands {
		if !plainTruth(a.v, depth+1) {
			return false
		}
	}
	return true
}

// lanesOf are the lanes of an output, or of a constant that is one.
func (t *tracer) lanesOf(x *symbol, leaf structview.Leaf, cut int) (lanes, error) {
	if x.known == nil {
		return x.lanes, nil
	}
	first, err := t.firstBlock(x, min(cut, len(x.dims)))
	if err != nil || first.Len() == 0 {
		return lanes{}, err
	}
	return t.g.constant(first), nil
}
