// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// dequantizeRule is DequantizeLinear in its parts: data and zero point are read as
// FLOAT, subtracted and multiplied by the scale in FLOAT, and rounded to the output's
// type at the end. Nothing else is ever rounded.
func dequantizeRule(t *tracer, s *step) ([]*symbol, error) {
	run, err := t.g.literals.node(s.node, s.scope.opsets, t.functions)
	if err != nil {
		return nil, refuse("%v", err)
	}
	elem, err := run.element(s.present()) // checks the shapes, too
	if err != nil {
		return nil, err
	}
	y, err := t.cast(s.scope, s.in[0], tensor.Float)
	if err != nil {
		return nil, err
	}
	if y, err = t.scaled(s, "Sub", y, s.at(2)); err != nil {
		return nil, err
	}
	if y, err = t.scaled(s, "Mul", y, s.at(1)); err != nil {
		return nil, err
	}
	y, err = t.cast(s.scope, y, elem)
	return []*symbol{y}, err
}

// scaled applies an operator with a scale or zero point, which is laid over the data.
func (t *tracer) scaled(s *step, op string, y, with *symbol) (*symbol, error) {
	if with == nil {
		return y, nil
	}
	with, err := t.cast(s.scope, with, tensor.Float)
	if err == nil {
		with, err = t.overData(s, y.dims, with)
	}
	if err != nil {
		return nil, err
	}
	return t.binary(op, s.scope, y, with)
}

// overData gives a scale dimensions that broadcast to those of the data: one for all,
// one for each index of an axis, or one for each block along it.
func (t *tracer) overData(s *step, data []int64, with *symbol) (*symbol, error) {
	block := attributeInt(s.node, "block_size", 0)
	if block == 0 && count(with.dims) == 1 && len(with.dims) <= 1 {
		if with.known != nil {
			return t.reshape(with, nil), nil
		}
		return with, nil
	}
	axis := attributeInt(s.node, "axis", 1)
	if axis < 0 {
		axis += int64(len(data))
	}
	if block == 0 {
		dims := []int64{data[axis]}
		for range data[axis+1:] {
			dims = append(dims, 1)
		}
		return t.reshape(with, dims), nil
	}
	index := make([]int64, data[axis])
	for i := range index {
		index[i] = int64(i) / block
	}
	n := &onnxpb.NodeProto{OpType: "Gather", Input: []string{"a", "b"}, Output: []string{"c"}, Attribute: []*onnxpb.AttributeProto{
		{Name: "axis", Type: onnxpb.AttributeProto_INT, I: axis},
	}}
	in := []*symbol{with, known(tensor.Of([]int64{int64(len(index))}, index...))}
	if with.known != nil {
		out, err := t.constant(n, in, s.scope)
		if err != nil {
			return nil, err
		}
		return out[0], nil
	}
	out, err := gatherRule(t, &step{n, in, s.scope})
	if err != nil {
		return nil, err
	}
	return out[0], nil
}
