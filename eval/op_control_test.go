// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// TestLoopOfOptional carries an optional that the body replaces by what it holds, a sequence.
func TestLoopOfOptional(t *testing.T) {
	body := graphProto([]string{"i", "c", "o"}, []string{"c", "longer"},
		nodeProto("OptionalHasElement", []string{"o"}, []string{"has"}),
		nodeProto("If", []string{"has"}, []string{"s"},
			graphAttribute("then_branch", graphProto(nil, []string{"held"}, nodeProto("OptionalGetElement", []string{"o"}, []string{"held"}))),
			graphAttribute("else_branch", graphProto(nil, []string{"none"}, nodeProto("SequenceEmpty", nil, []string{"none"}, intAttribute("dtype", 7))))),
		nodeProto("SequenceInsert", []string{"s", "i"}, []string{"longer"}))
	i64 := &onnxpb.TypeProto{Value: &onnxpb.TypeProto_TensorType{TensorType: &onnxpb.TypeProto_Tensor{ElemType: 7}}}
	seq := &onnxpb.TypeProto{Value: &onnxpb.TypeProto_SequenceType{SequenceType: &onnxpb.TypeProto_Sequence{ElemType: i64}}}
	body.Input[2].Type = &onnxpb.TypeProto{Value: &onnxpb.TypeProto_OptionalType{OptionalType: &onnxpb.TypeProto_Optional{ElemType: seq}}}
	f := functionProto(16, []string{"n", "o"}, []string{"y"}, nodeProto("Loop", []string{"n", "", "o"}, []string{"y"}, graphAttribute("body", body)))
	p, err := Compile(f, Env{})
	if err != nil {
		t.Fatal(err)
	}
	none := &Optional{Elem: SequenceType(UnrankedType(tensor.Int64))}
	if _, err := p.Infer([]ValueType{TensorType(tensor.Int64), TypeOf(none)}); err != nil {
		t.Error(err)
	}
	out, err := p.Run(context.Background(), []Value{tensor.Of(nil, int64(3)), none})
	if err != nil {
		t.Fatal(err)
	}
	s, ok := out[0].(*Sequence)
	if !ok || len(s.Values) != 3 || !tensor.Equal(s.Values[2].(*tensor.Tensor), tensor.Of(nil, int64(2))) {
		t.Errorf("got %v", out[0])
	}
}

// TestSequences builds, changes and reads sequences.
func TestSequences(t *testing.T) {
	a, b := tensor.Of([]int64{2}, int32(1), 2), tensor.Of([]int64{1}, int32(3))
	f := functionProto(21, []string{"a", "b"}, []string{"n", "joined", "at", "whole", "parts"},
		nodeProto("SequenceConstruct", []string{"a", "b"}, []string{"s"}),
		constantProto("first", tensor.Of(nil, int64(0))), constantProto("last", tensor.Of(nil, int32(-1))),
		nodeProto("SequenceInsert", []string{"s", "b", "first"}, []string{"t"}),
		nodeProto("SequenceLength", []string{"t"}, []string{"n"}),
		nodeProto("ConcatFromSequence", []string{"t"}, []string{"joined"}, intAttribute("axis", 0)),
		nodeProto("SequenceErase", []string{"t", "last"}, []string{"u"}),
		nodeProto("SequenceAt", []string{"u", "last"}, []string{"at"}),
		nodeProto("SplitToSequence", []string{"joined"}, []string{"parts"}, intAttribute("keepdims", 0)),
		nodeProto("ConcatFromSequence", []string{"parts"}, []string{"whole"}, intAttribute("axis", 0), intAttribute("new_axis", 1)))
	p, err := Compile(f, Env{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Run(context.Background(), []Value{a, b})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []*tensor.Tensor{
		tensor.Of(nil, int64(3)), tensor.Of([]int64{4}, int32(3), 1, 2, 3), a, tensor.Of([]int64{4}, int32(3), 1, 2, 3),
	} {
		if !tensor.Equal(out[i].(*tensor.Tensor), want) {
			t.Errorf("output %d: got %s, want %s", i, text(out[i]), text(want))
		}
	}
	if n := len(out[4].(*Sequence).Values); n != 4 {
		t.Errorf("%d parts", n)
	}
}

func TestControlErrors(t *testing.T) {
	empty := functionProto(21, []string{"c"}, []string{"y"}, nodeProto("If", []string{"c"}, []string{"y"},
		graphAttribute("then_branch", graphProto(nil, []string{"k"}, constantProto("k", tensor.Of(nil, float32(1))))),
		graphAttribute("else_branch", graphProto(nil, []string{"k"}, constantProto("k", tensor.Of(nil, int32(1)))))))
	p, err := Compile(empty, Env{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Infer([]ValueType{TensorType(tensor.Bool)})
	if want := "node 0 (If, which gives \"y\"): output 0: FLOAT[] and INT32[] differ"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = p.Run(context.Background(), []Value{tensor.Of([]int64{2}, true, false)})
	if want := "node 0 (If, which gives \"y\"): the condition is BOOL[2], expected one BOOL"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	out, err := p.Run(context.Background(), []Value{tensor.Of(nil, false)})
	if err != nil || !tensor.Equal(out[0].(*tensor.Tensor), tensor.Of(nil, int32(1))) {
		t.Errorf("%v %v", out, err)
	}
}
