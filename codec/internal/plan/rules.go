// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// rule traces one operator.
type rule func(t *tracer, s *step) ([]*symbol, error)

// ruleFor returns the rule of an operator, nil if it has none: such a node ends
// the trace.
func ruleFor(op string) rule {
	switch op {
	case "Identity":
		return func(_ *tracer, s *step) ([]*symbol, error) { return s.in[:1], nil }
	case "Shape":
		return shapeRule
	case "Size":
		return sizeRule
	case "Reshape", "Flatten", "Squeeze", "Unsqueeze":
		return reshapeRule
	case "Transpose":
		return transposeRule
	case "Einsum":
		return einsumRule
	case "Concat":
		return concatRule
	case "Split":
		return splitRule
	case "Slice":
		return sliceRule
	case "Expand", "Tile":
		return expandRule
	case "Gather":
		return gatherRule
	case "GatherElements":
		return gatherElementsRule
	case "GatherND":
		return gatherNDRule
	case "Scatter", "ScatterElements", "ScatterND":
		return scatterRule
	case "DepthToSpace", "SpaceToDepth", "Trilu", "ReverseSequence", "Compress", "Pad", "CenterCropPad":
		return movedRule
	case "EyeLike":
		return eyeRule
	case "OneHot":
		return oneHotRule
	case "MatMul":
		return matMulRule
	case "Clip":
		return clipRule
	case "DequantizeLinear":
		return dequantizeRule
	case "CastLike":
		return castLikeRule
	case "CumSum":
		return foldRule
	}
	switch {
	case reductionFor(op) != nil:
		return reductionFor(op)
	case foldOperators[op] != "":
		return foldRule
	case isElementwise(op):
		return elementwiseRule
	}
	return nil
}

// isElementwise reports whether an operator computes each element of its output from
// one of each input, as ONNX broadcasts them.
func isElementwise(op string) bool {
	switch op {
	case "Abs", "Acos", "Acosh", "Add", "And", "Asin", "Asinh", "Atan", "Atanh", "BitCast", "BitShift", "BitwiseAnd",
		"BitwiseNot", "BitwiseOr", "BitwiseXor", "Cast", "Ceil", "Celu", "Cos", "Cosh", "Div", "Elu", "Equal",
		"Erf", "Exp", "Floor", "Gelu", "Greater", "GreaterOrEqual", "HardSigmoid", "HardSwish", "IsInf", "IsNaN",
		"LeakyRelu", "Less", "LessOrEqual", "Log", "Max", "Mean", "Min", "Mish", "Mod", "Mul", "Neg", "Not", "Or",
		"PRelu", "Pow", "Reciprocal", "Relu", "Round", "Selu", "Shrink", "Sigmoid", "Sign", "Sin", "Sinh", "Softplus",
		"Softsign", "Sqrt", "Sub", "Sum", "Swish", "Tan", "Tanh", "ThresholdedRelu", "Where", "Xor":
		return true
	}
	return false
}

// elementwiseRule broadcasts the operands and applies the operator.
func elementwiseRule(t *tracer, s *step) ([]*symbol, error) {
	out, err := t.elementwise(s.node, s.scope, s.in)
	if err != nil {
		return nil, err
	}
	return []*symbol{out}, nil
}

func (t *tracer) elementwise(n *onnxpb.NodeProto, s *scope, in []*symbol) (*symbol, error) {
	var present []*symbol
	for _, x := range in {
		if x != nil {
			present = append(present, x)
		}
	}
	frame, inner, err := t.align(present)
	if err != nil {
		return nil, err
	}
	if err := t.room(count(inner)); err != nil {
		return nil, err
	}
	run, err := t.g.literals.node(n, s.opsets, t.functions)
	if err != nil {
		return nil, refuse("%v", err)
	}
	elem, err := run.element(present)
	if err != nil {
		return nil, err
	}
	operands := make([]lanes, len(present))
	for i, x := range present {
		if operands[i], err = t.spread(x, frame, inner); err != nil {
			return nil, err
		}
	}
	if n.OpType == "Cast" && elem == present[0].elem { // nothing is converted
		out := *present[0]
		return &out, nil
	}
	result, err := t.g.apply(operator{elem, run}, operands)
	if err != nil {
		return nil, refuse("%v", err)
	}
	if frame.batch < 0 {
		return &symbol{elem: elem, dims: frame.dims, batch: -1, lanes: result}, nil
	}
	return frame.with(inner, result), nil
}

// align finds the batch that operands share and the inner dimensions that they
// broadcast to.
func (t *tracer) align(in []*symbol) (*symbol, []int64, error) {
	var frame *symbol
	for _, x := range in {
		if x.known == nil && (frame == nil || len(x.dims)-x.batch > len(frame.dims)-frame.batch) {
			frame = x
		}
	}
	for _, x := range in {
		if x.known != nil || x == frame {
			continue
		}
		if (x.batch < 0) != (frame.batch < 0) || x.batch >= 0 && x.fold != frame.fold || x.batch < 0 && !slices.Equal(x.dims, frame.dims) {
			return nil, nil, refuse("shapes %v and %v meet where blocks and lanes share a dimension", x.dims, frame.dims)
		}
	}
	if frame.batch < 0 {
		return frame, nil, nil
	}
	// Right-aligned, every batch dimension of every operand has to fall on the
	// same place.
	inner := slices.Clone(frame.inner())
	rank := len(frame.dims)
	for _, x := range in {
		dims := x.dims
		if x.known == nil {
			if len(x.dims) != rank || x.batch != frame.batch {
				realigned, ok := t.realign(x, frame)
				if !ok {
					return nil, nil, refuse("shapes %v and %v do not have their blocks in the same dimensions", x.dims, frame.dims)
				}
				dims = realigned
			} else {
				dims = x.inner()
			}
		} else if extra := len(dims) - len(inner); extra > 0 {
			dims = dims[extra:]
		}
		var ok bool
		if inner, ok = broadcastDims(inner, dims); !ok {
			return nil, nil, refuse("shapes %v and %v do not broadcast", x.dims, frame.dims)
		}
	}
	return frame, inner, nil
}

// realign reads an operand's inner dimensions with the batch of frame, which can
// differ only by dimensions of 1: those that meet are the same, and others meet nothing.
func (t *tracer) realign(x, frame *symbol) ([]int64, bool) {
	pad := len(frame.dims) - len(x.dims)
	at := frame.batch - pad
	if at < 0 || at > len(x.dims) || count(x.dims[:at]) != t.batches(frame) {
		return nil, false
	}
	for i := range frame.batch {
		if other := i - pad; other < 0 && frame.dims[i] != 1 || other >= 0 && frame.dims[i] != x.dims[other] {
			return nil, false
		}
	}
	return frame.folded(x.dims[at:]), true
}

func broadcastDims(a, b []int64) ([]int64, bool) {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := slices.Clone(a)
	pad := len(a) - len(b)
	for i, d := range b {
		switch {
		case out[pad+i] == 1:
			out[pad+i] = d
		case d != 1 && d != out[pad+i]:
			return nil, false
		}
	}
	return out, true
}

// spread lays an operand over the inner dimensions of the result.
func (t *tracer) spread(x, frame *symbol, inner []int64) (lanes, error) {
	if frame.batch < 0 {
		return t.spreadMerged(x, frame)
	}
	dims := inner
	var err error
	if x.known != nil {
		if x, err = t.inBlock(x, len(inner)); err != nil {
			return lanes{}, err
		}
		dims = x.dims
	} else if len(x.dims) == len(frame.dims) && x.batch == frame.batch {
		dims = x.inner()
	} else {
		dims, _ = t.realign(x, frame)
	}
	if count(dims) == count(inner) { // they differ by dimensions of 1
		return x.lanes, nil
	}
	index, err := broadcast(dims, inner)
	if err != nil {
		return lanes{}, err
	}
	return x.lanes.pick(index), nil
}

// spreadMerged: only one element, or the very shape, can stand beside a merged
// tensor.
func (t *tracer) spreadMerged(x, frame *symbol) (lanes, error) {
	if x.known == nil {
		return x.lanes, nil
	}
	if x.known.Len() != 1 {
		return lanes{}, refuse("a constant of shape %v meets a dimension that blocks and lanes share", x.dims)
	}
	if x.elem.Bits() == 0 || x.elem.Bits() > 64 {
		return lanes{}, refuse("a constant of type %v", x.elem)
	}
	return t.g.constant(x.known).pick(make([]int32, len(frame.lanes.m))), nil
}

// typed is the type of an elementwise operator's result on operands of some types.
type typed struct {
	in  []tensor.Type
	out tensor.Type
}

// element is the type of an operator's result on operands of the given types.
func (l *literal) element(in []*symbol) (tensor.Type, error) {
	for _, t := range l.types {
		if slices.EqualFunc(t.in, in, func(elem tensor.Type, x *symbol) bool { return elem == x.elem }) {
			return t.out, nil
		}
	}
	types := valueTypes(in)
	out, err := l.program.Infer(types)
	if err != nil {
		return 0, refuse("%v", err)
	}
	elem := out[0].Element
	if elem.Bits() == 0 || elem.Bits() > 64 || elem.IsComplex() {
		return 0, refuse("a result of type %v", elem)
	}
	known := typed{out: elem}
	for _, x := range in {
		known.in = append(known.in, x.elem)
	}
	l.types = append(l.types, known)
	return elem, nil
}
