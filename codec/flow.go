// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
)

// flow is a program as one list of operators: calls are inlined, values have numbers instead of
// names, and their types are inferred.
type flow struct {
	types  []eval.ValueType
	steps  []step
	inputs int // the values 0, 1, … are the inputs
	output int
}

// step is one operator.
type step struct {
	eval.Step
	in, out []int // values; -1: not given
}

// newFlow traces a program of one output for inputs of the given types.
func newFlow(p *eval.Program, inputs []eval.ValueType) (*flow, error) {
	f := &flow{inputs: len(inputs)}
	for i, t := range inputs {
		f.add(eval.Traced{ID: i, Type: t})
	}
	out, err := p.Trace(inputs, func(s eval.Step) error {
		f.steps = append(f.steps, step{Step: s, in: f.all(s.Inputs), out: f.all(s.Outputs)})
		f.all(s.Captured)
		return nil
	})
	if err != nil {
		return nil, err
	}
	f.output = f.add(out[0])
	return f, nil
}

func (f *flow) all(list []eval.Traced) []int {
	ids := make([]int, len(list))
	for i, v := range list {
		ids[i] = f.add(v)
	}
	return ids
}

// add notes the type of a value.
func (f *flow) add(v eval.Traced) int {
	if v.ID < 0 {
		return -1
	}
	for len(f.types) <= v.ID {
		f.types = append(f.types, eval.ValueType{})
	}
	f.types[v.ID] = v.Type
	return v.ID
}

// int is an INT attribute or, where neither the node nor the schema gives it, absent.
func (s *step) int(name string, absent int64) int64 {
	if a := s.Attribute(name); a != nil {
		return a.GetI()
	}
	return absent
}

// attributes are all that the node gives, references resolved.
// called is what the author calls the node of the step: its name, or what it gives first.
func (s *step) called() string {
	if name := s.Node.GetName(); name != "" || len(s.Node.GetOutput()) == 0 {
		return name
	}
	return s.Node.GetOutput()[0]
}

func (s *step) attributes() []*onnxpb.AttributeProto {
	var list []*onnxpb.AttributeProto
	for _, a := range s.Node.GetAttribute() {
		value := s.Attribute(a.GetName())
		if value == nil {
			continue // a reference to an attribute that the call does not give
		}
		list = append(list, &onnxpb.AttributeProto{
			Name: a.GetName(), Type: value.GetType(), F: value.GetF(), I: value.GetI(), S: value.GetS(), T: value.GetT(), G: value.GetG(),
			Floats: value.GetFloats(), Ints: value.GetInts(), Strings: value.GetStrings(), Tp: value.GetTp(),
		})
	}
	return list
}
