// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// TestNode runs published ONNX node tests: those of testdata/node, or of the folder that the environment
// variable STRUCTVIEW_NODE_TESTS names. Each test is a subtest of its own name.
func TestNode(t *testing.T) {
	folder := os.Getenv("STRUCTVIEW_NODE_TESTS")
	if folder == "" {
		folder = filepath.Join("testdata", "node")
	} else if _, err := os.Stat(folder); err != nil && !filepath.IsAbs(folder) {
		folder = filepath.Join("..", folder) // relative to the module, where go test was called
	}
	models, err := filepath.Glob(filepath.Join(folder, "*", "model.onnx"))
	if err != nil {
		t.Fatal(err)
	}
	if len(models) == 0 {
		t.Fatalf("no tests (<test>/model.onnx) in %s", folder)
	}
	for _, path := range models {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) { runNodeTest(t, dir) })
	}
}

func runNodeTest(t *testing.T, dir string) {
	model := &onnxpb.ModelProto{}
	readProto(t, filepath.Join(dir, "model.onnx"), model)
	program, err := eval.CompileModel(model, eval.Env{})
	if err != nil {
		t.Fatal(err)
	}
	sets, err := filepath.Glob(filepath.Join(dir, "test_data_set_*"))
	if err != nil || len(sets) == 0 {
		t.Fatalf("no test data (%v)", err)
	}
	for _, set := range sets {
		runDataSet(t, model.GetGraph(), program, set)
	}
}

func runDataSet(t *testing.T, graph *onnxpb.GraphProto, program *eval.Program, set string) {
	inputs := readValues(t, set, "input", graph.GetInput())
	expected := readValues(t, set, "output", graph.GetOutput())
	types := make([]eval.ValueType, len(inputs))
	for i, v := range inputs {
		types[i] = eval.TypeOf(v)
		types[i].Known = nil
	}
	inferred, err := program.Infer(types)
	if err != nil {
		t.Fatalf("infer: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	got, err := program.Run(ctx, inputs)
	if err != nil {
		t.Fatalf("run: %v", err)
	}
	if len(got) != len(expected) {
		t.Fatalf("%d outputs, expected %d", len(got), len(expected))
	}
	for i := range expected {
		if err := compareValues(got[i], expected[i]); err != nil {
			t.Errorf("output %d: %v", i, err)
		}
		if err := holds(inferred[i], got[i]); err != nil {
			t.Errorf("output %d: %v", i, err)
		}
	}
}

// readValues reads the files of one direction in the order of the graph's declarations. A value without a file is
// not given.
func readValues(t *testing.T, set, direction string, declared []*onnxpb.ValueInfoProto) []eval.Value {
	t.Helper()
	values := make([]eval.Value, len(declared))
	for i, d := range declared {
		path := filepath.Join(set, fmt.Sprintf("%s_%d.pb", direction, i))
		if _, err := os.Stat(path); os.IsNotExist(err) {
			continue
		}
		v, err := readValue(t, path, d.GetType())
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		values[i] = v
	}
	return values
}

func readValue(t *testing.T, path string, typ *onnxpb.TypeProto) (eval.Value, error) {
	t.Helper()
	switch {
	case typ.GetSequenceType() != nil:
		p := &onnxpb.SequenceProto{}
		readProto(t, path, p)
		return sequenceOf(p, typ)
	case typ.GetOptionalType() != nil:
		p := &onnxpb.OptionalProto{}
		readProto(t, path, p)
		return optionalOf(p, typ)
	}
	p := &onnxpb.TensorProto{}
	readProto(t, path, p)
	return tensor.FromProto(p)
}

func readProto(t *testing.T, path string, m proto.Message) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := proto.Unmarshal(data, m); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// declaredType returns the element type that a TypeProto declares for the elements of a sequence or optional.
func declaredType(p *onnxpb.TypeProto) eval.ValueType {
	switch {
	case p.GetSequenceType() != nil:
		return eval.SequenceType(declaredType(p.GetSequenceType().GetElemType()))
	case p.GetOptionalType() != nil:
		return eval.OptionalType(declaredType(p.GetOptionalType().GetElemType()))
	case p.GetTensorType() != nil:
		return eval.UnrankedType(tensor.Type(p.GetTensorType().GetElemType()))
	}
	return eval.ValueType{}
}

func sequenceOf(p *onnxpb.SequenceProto, typ *onnxpb.TypeProto) (eval.Value, error) {
	elem := typ.GetSequenceType().GetElemType()
	s := &eval.Sequence{Elem: declaredType(elem)}
	for _, e := range p.GetTensorValues() {
		v, err := tensor.FromProto(e)
		if err != nil {
			return nil, err
		}
		s.Values = append(s.Values, v)
	}
	for _, e := range p.GetSequenceValues() {
		v, err := sequenceOf(e, elem)
		if err != nil {
			return nil, err
		}
		s.Values = append(s.Values, v)
	}
	for _, e := range p.GetOptionalValues() {
		v, err := optionalOf(e, elem)
		if err != nil {
			return nil, err
		}
		s.Values = append(s.Values, v)
	}
	return s, nil
}

func optionalOf(p *onnxpb.OptionalProto, typ *onnxpb.TypeProto) (eval.Value, error) {
	elem := typ.GetOptionalType().GetElemType()
	o := &eval.Optional{Elem: declaredType(elem)}
	var err error
	switch {
	case p.GetTensorValue() != nil:
		o.Value, err = tensor.FromProto(p.GetTensorValue())
	case p.GetSequenceValue() != nil:
		o.Value, err = sequenceOf(p.GetSequenceValue(), elem)
	case p.GetOptionalValue() != nil:
		o.Value, err = optionalOf(p.GetOptionalValue(), elem)
	}
	return o, err
}

// compareValues compares as ONNX's own runner does: kind, type and shape are equal, floats near, all else exact.
func compareValues(got, want eval.Value) error {
	switch want := want.(type) {
	case *tensor.Tensor:
		g, ok := got.(*tensor.Tensor)
		if !ok {
			return fmt.Errorf("is a %T, expected a tensor", got)
		}
		return compareTensors(g, want)
	case *eval.Sequence:
		g, ok := got.(*eval.Sequence)
		if !ok {
			return fmt.Errorf("is a %T, expected a sequence", got)
		}
		if len(g.Values) != len(want.Values) {
			return fmt.Errorf("has %d elements, expected %d", len(g.Values), len(want.Values))
		}
		for i := range want.Values {
			if err := compareValues(g.Values[i], want.Values[i]); err != nil {
				return fmt.Errorf("element %d: %w", i, err)
			}
		}
		return nil
	case *eval.Optional:
		g, ok := got.(*eval.Optional)
		if !ok {
			return fmt.Errorf("is a %T, expected an optional", got)
		}
		return compareValues(g.Value, want.Value)
	}
	if got != nil {
		return fmt.Errorf("is a %T, expected none", got)
	}
	return nil
}

func compareTensors(got, want *tensor.Tensor) error {
	g, w := eval.TypeOf(got), eval.TypeOf(want)
	if g.String() != w.String() {
		return fmt.Errorf("is %v, expected %v", g, w)
	}
	if !want.Type().IsFloat() {
		if !tensor.Equal(got, want) {
			return fmt.Errorf("%v differs: %v, expected %v", g, sample(got), sample(want))
		}
		return nil
	}
	a, err := tensor.Float64s(got)
	if err != nil {
		return err
	}
	b, err := tensor.Float64s(want)
	if err != nil {
		return err
	}
	for i := range b {
		if !near(a[i], b[i]) {
			return fmt.Errorf("%v differs at %d: %v, expected %v", g, i, a[i], b[i])
		}
	}
	return nil
}

func near(got, want float64) bool {
	if math.IsNaN(want) || math.IsNaN(got) {
		return math.IsNaN(want) && math.IsNaN(got)
	}
	return got == want || math.Abs(got-want) <= 1e-7+1e-3*math.Abs(want)
}

// sample shows the first elements of a tensor.
func sample(t *tensor.Tensor) string {
	if t.Type() == tensor.String {
		return fmt.Sprintf("%q", t.Strings())
	}
	b := t.Bytes()
	return fmt.Sprintf("% x", b[:min(len(b), 64)])
}

// holds reports whether a value is of the type that inference gave without knowing any input's value.
func holds(inferred eval.ValueType, v eval.Value) error {
	got := eval.TypeOf(v)
	ok := inferred.Kind == eval.KindUnknown || inferred.Kind == got.Kind
	if ok && got.Kind == eval.KindTensor {
		ok = inferred.Element == tensor.Undefined || inferred.Element == got.Element
		if inferred.Ranked {
			ok = ok && len(inferred.Dims) == len(got.Dims)
			for i := 0; ok && i < len(got.Dims); i++ {
				ok = inferred.Dims[i] < 0 || inferred.Dims[i] == got.Dims[i]
			}
		}
	}
	if !ok {
		return fmt.Errorf("is %v, inferred %v", got, inferred)
	}
	return nil
}
