// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// domain is that of the functions under test.
const domain = "oracle"

// Function is a function with the values of its inputs and the element types of its outputs.
type Function struct {
	Proto   *onnxpb.FunctionProto
	Inputs  []*tensor.Tensor
	Outputs []tensor.Type
}

// RunAll calls functions, all of one opset version, in one session and returns what each puts out.
//
// The outputs of a session must have types and dimensions that its Go binding knows, so the model takes its
// values apart: all values of one element type are flattened and concatenated into one output, small floats
// as FLOAT, 4- and 2-bit integers as INT32, and two more outputs hold ranks and dimensions.
func (l Library) RunAll(functions []Function) ([][]*tensor.Tensor, error) {
	b := newBatch(functions[0].Proto.OpsetImport[0].Version)
	for i, f := range functions {
		b.add(i, f)
	}
	out, err := l.Run(b.finish(), []int64{0})
	if err != nil {
		return nil, err
	}
	return b.split(functions, out)
}

// batch is the model in the making.
type batch struct {
	model *onnxpb.ModelProto
	ranks []string                 // names of INT64[1] values
	dims  []string                 // names of INT64[rank] values
	data  map[tensor.Type][]string // by the type that leaves the session: names of vectors
	order []tensor.Type
	n     int
}

func newBatch(opset int64) *batch {
	ir := int64(13)
	if opset < 23 {
		ir = 10
	}
	return &batch{
		model: &onnxpb.ModelProto{
			IrVersion:   ir,
			OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: opset}, {Domain: domain, Version: 1}},
			Graph: &onnxpb.GraphProto{
				Name:  "batch",
				Input: []*onnxpb.ValueInfoProto{valueInfo("start", tensor.Int64)},
				Initializer: []*onnxpb.TensorProto{
					tensor.Of([]int64{1}, int64(-1)).Proto("flat"),
				},
			},
		},
		data: map[tensor.Type][]string{},
	}
}

func valueInfo(name string, typ tensor.Type) *onnxpb.ValueInfoProto {
	return &onnxpb.ValueInfoProto{Name: name, Type: &onnxpb.TypeProto{
		Value: &onnxpb.TypeProto_TensorType{TensorType: &onnxpb.TypeProto_Tensor{ElemType: int32(typ)}},
	}}
}

func (b *batch) node(op string, inputs []string, attrs ...*onnxpb.AttributeProto) string {
	b.n++
	out := fmt.Sprintf("b%d", b.n)
	b.model.Graph.Node = append(b.model.Graph.Node, &onnxpb.NodeProto{
		OpType: op, Input: inputs, Output: []string{out}, Attribute: attrs,
	})
	return out
}

func (b *batch) add(i int, f Function) {
	proto := proto.Clone(f.Proto).(*onnxpb.FunctionProto)
	proto.Domain, proto.Name = domain, fmt.Sprintf("f%d", i)
	b.model.Functions = append(b.model.Functions, proto)
	call := &onnxpb.NodeProto{Domain: domain, OpType: proto.Name}
	for k, x := range f.Inputs {
		name := fmt.Sprintf("x%d_%d", i, k)
		call.Input = append(call.Input, name)
		b.model.Graph.Initializer = append(b.model.Graph.Initializer, x.Proto(name))
	}
	for k := range f.Outputs {
		call.Output = append(call.Output, fmt.Sprintf("y%d_%d", i, k))
	}
	b.model.Graph.Node = append(b.model.Graph.Node, call)
	for k, typ := range f.Outputs {
		b.output(call.Output[k], typ)
	}
}

// carrier is the type in which a value leaves the session.
func carrier(typ tensor.Type) tensor.Type {
	switch {
	case typ == tensor.Float || typ == tensor.Double:
		return typ
	case typ.IsFloat():
		return tensor.Float
	case typ.Bits() < 8:
		return tensor.Int32
	}
	return typ
}

func (b *batch) output(name string, typ tensor.Type) {
	to := carrier(typ)
	if to != typ {
		name = b.node("Cast", []string{name}, &onnxpb.AttributeProto{
			Name: "to", Type: onnxpb.AttributeProto_INT, I: int64(to),
		})
	}
	shape := b.node("Shape", []string{name})
	b.dims = append(b.dims, shape)
	b.ranks = append(b.ranks, b.node("Shape", []string{shape}))
	if b.data[to] == nil {
		b.order = append(b.order, to)
	}
	b.data[to] = append(b.data[to], b.node("Reshape", []string{name, "flat"}))
}

// finish joins the vectors. The model's input is one of them, since a session must have one.
func (b *batch) finish() *onnxpb.ModelProto {
	along := &onnxpb.AttributeProto{Name: "axis", Type: onnxpb.AttributeProto_INT}
	g := b.model.Graph
	put := func(names []string, typ tensor.Type) {
		g.Output = append(g.Output, valueInfo(b.node("Concat", names, along), typ))
	}
	put(append(b.ranks, "start"), tensor.Int64)
	put(append(b.dims, "start"), tensor.Int64)
	for _, typ := range b.order {
		put(b.data[typ], typ)
	}
	return b.model
}

// split undoes the joining.
func (b *batch) split(functions []Function, out []*tensor.Tensor) ([][]*tensor.Tensor, error) {
	ranks, dims := tensor.Slice[int64](out[0]), tensor.Slice[int64](out[1])
	rest := map[tensor.Type][]byte{}
	for i, typ := range b.order {
		rest[typ] = out[2+i].Bytes()
	}
	all := make([][]*tensor.Tensor, len(functions))
	for i, f := range functions {
		for _, typ := range f.Outputs {
			shape := dims[:ranks[0]]
			ranks, dims = ranks[1:], dims[ranks[0]:]
			to := carrier(typ)
			size := int64(to.Bits() / 8)
			for _, d := range shape {
				size *= d
			}
			t, err := tensor.New(to, shape, rest[to][:size])
			if err != nil {
				return nil, err
			}
			rest[to] = rest[to][size:]
			if t, err = tensor.Convert(t, typ, false, tensor.RoundNearest); err != nil {
				return nil, err
			}
			all[i] = append(all[i], t)
		}
	}
	return all, nil
}
