// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"strings"
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// nodeProto makes a node; attributes follow.
func nodeProto(op string, in, out []string, attrs ...*onnxpb.AttributeProto) *onnxpb.NodeProto {
	return &onnxpb.NodeProto{OpType: op, Input: in, Output: out, Attribute: attrs}
}

func intAttribute(name string, v int64) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: aInt, I: v}
}

func intsAttribute(name string, v ...int64) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: aInts, Ints: v}
}

func floatAttribute(name string, v float32) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: aFloat, F: v}
}

func stringAttribute(name, v string) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: aString, S: []byte(v)}
}

func tensorAttribute(name string, t *tensor.Tensor) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: aTensor, T: t.Proto("")}
}

// functionProto makes a function of opset version.
func functionProto(version int64, in, out []string, nodes ...*onnxpb.NodeProto) *onnxpb.FunctionProto {
	return &onnxpb.FunctionProto{
		Name: "f", Input: in, Output: out, Node: nodes,
		OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: version}},
	}
}

// runNode runs one operator; a nil input is left out.
func runNode(t testing.TB, version int64, op string, inputs []Value, outputs int, attrs ...*onnxpb.AttributeProto) ([]Value, error) {
	t.Helper()
	letters := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	names := append([]string{}, letters[:len(inputs)]...)
	for i, v := range inputs {
		if v == nil {
			names[i] = ""
		}
	}
	outs := []string{"u", "v", "w", "x", "y", "z"}[:outputs]
	p, err := Compile(functionProto(version, letters[:len(inputs)], outs, nodeProto(op, names, outs, attrs...)), Env{})
	if err != nil {
		return nil, err
	}
	types := make([]ValueType, len(inputs))
	for i, v := range inputs {
		types[i] = TypeOf(v)
		types[i].Known = nil
	}
	inferred, err := p.Infer(types)
	if err != nil {
		return nil, err
	}
	out, err := p.Run(context.Background(), inputs)
	for i := range out {
		checkInferred(t, inferred[i], out[i])
	}
	return out, err
}

// checkInferred checks that what was inferred without values agrees with the value.
func checkInferred(t testing.TB, want ValueType, v Value) {
	t.Helper()
	got := TypeOf(v)
	if want.Kind == KindUnknown {
		return
	}
	ok := got.Kind == want.Kind && (want.Element == tensor.Undefined || want.Element == got.Element)
	if ok && want.Ranked {
		ok = len(want.Dims) == len(got.Dims)
		for i := range want.Dims {
			ok = ok && (want.Dims[i] < 0 || want.Dims[i] == got.Dims[i])
		}
	}
	if !ok {
		t.Errorf("inferred %v, computed %v", want, got)
	}
}

// wantNode runs one operator and compares its first output.
func wantNode(t *testing.T, version int64, op string, inputs []Value, want *tensor.Tensor, attrs ...*onnxpb.AttributeProto) {
	t.Helper()
	out, err := runNode(t, version, op, inputs, 1, attrs...)
	if err != nil {
		t.Fatalf("%s: %v", op, err)
	}
	if got, ok := out[0].(*tensor.Tensor); !ok || !tensor.EqualValues(got, want) {
		t.Fatalf("%s: got %v, want %v", op, text(out[0]), text(want))
	}
}

// wantError runs one operator and compares the error.
func wantError(t *testing.T, version int64, op string, inputs []Value, want string, attrs ...*onnxpb.AttributeProto) {
	t.Helper()
	_, err := runNode(t, version, op, inputs, 1, attrs...)
	want = strings.Replace(want, "("+op+")", "("+op+`, which gives "u")`, 1)
	if err == nil || err.Error() != want {
		t.Errorf("%s: got error %v\nwant %s", op, err, want)
	}
}
