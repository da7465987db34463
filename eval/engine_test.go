// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

func refAttribute(name, ref string, typ onnxpb.AttributeProto_AttributeType) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, RefAttrName: ref, Type: typ}
}

func call1(domain, op string, in, out []string, attrs ...*onnxpb.AttributeProto) *onnxpb.NodeProto {
	n := nodeProto(op, in, out, attrs...)
	n.Domain = domain
	return n
}

func imports2(f *onnxpb.FunctionProto, domain string) *onnxpb.FunctionProto {
	f.OpsetImport = append(f.OpsetImport, &onnxpb.OperatorSetIdProto{Domain: domain, Version: 1})
	return f
}

// runProgram compiles and runs f and checks the one output, and that inference agrees.
func runProgram(t *testing.T, f *onnxpb.FunctionProto, env Env, in []Value, want *tensor.Tensor) {
	t.Helper()
	p, err := Compile(f, env)
	if err != nil {
		t.Fatal(err)
	}
	types := make([]ValueType, len(in))
	for i := range in {
		types[i] = TypeOf(in[i])
		types[i].Known = nil
	}
	inferred, err := p.Infer(types)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	checkInferred(t, inferred[0], out[0])
	if !tensor.EqualValues(out[0].(*tensor.Tensor), want) {
		t.Errorf("got %s, want %s", text(out[0]), text(want))
	}
}

// TestFunctionAttributes passes attributes by reference through two calls; one keeps its default.
func TestFunctionAttributes(t *testing.T) {
	inner := functionProto(21, []string{"x"}, []string{"y"},
		nodeProto("Concat", []string{"x", "x"}, []string{"c"}, refAttribute("axis", "at", aInt)),
		nodeProto("Constant", nil, []string{"k"}, refAttribute("value_float", "scale", aFloat)),
		nodeProto("Mul", []string{"c", "k"}, []string{"y"}))
	inner.Name, inner.Domain = "inner", "d"
	inner.Attribute = []string{"at"}
	inner.AttributeProto = []*onnxpb.AttributeProto{floatAttribute("scale", 10)}
	outer := imports2(functionProto(21, []string{"x"}, []string{"y"},
		call1("d", "inner", []string{"x"}, []string{"y"}, refAttribute("at", "along", aInt))), "d")
	outer.Name, outer.Domain = "outer", "d"
	outer.AttributeProto = []*onnxpb.AttributeProto{intAttribute("along", 0)}
	env := Env{Functions: []*onnxpb.FunctionProto{inner, outer}}
	x := tensor.Of([]int64{1, 2}, float32(1), 2)
	main := imports2(functionProto(21, []string{"x"}, []string{"y"}, call1("d", "outer", []string{"x"}, []string{"y"})), "d")
	runProgram(t, main, env, []Value{x}, tensor.Of([]int64{2, 2}, float32(10), 20, 10, 20))
	main.Node[0].Attribute = []*onnxpb.AttributeProto{intAttribute("along", 1)}
	runProgram(t, main, env, []Value{x}, tensor.Of([]int64{1, 4}, float32(10), 20, 10, 20))
	main.Node[0].Attribute = []*onnxpb.AttributeProto{intAttribute("wrong", 1)}
	if _, err := Compile(main, env); err == nil || err.Error() != `node 0 (d.outer, which gives "y"): the function has no attribute "wrong"` {
		t.Errorf("got %v", err)
	}
}

// TestModel runs a graph with dense and sparse initializers; one is the default of an input.
func TestModel(t *testing.T) {
	g := graphProto([]string{"x", "k"}, []string{"y"},
		nodeProto("Mul", []string{"x", "k"}, []string{"p"}), nodeProto("Add", []string{"p", "s"}, []string{"y"}))
	g.Initializer = []*onnxpb.TensorProto{tensor.Of(nil, float32(10)).Proto("k")}
	g.SparseInitializer = []*onnxpb.SparseTensorProto{{
		Values: tensor.Of([]int64{1}, float32(7)).Proto("s"), Indices: tensor.Of([]int64{1, 1}, int64(2)).Proto(""), Dims: []int64{3},
	}}
	p, err := CompileModel(&onnxpb.ModelProto{Graph: g, OpsetImport: []*onnxpb.OperatorSetIdProto{{Domain: "ai.onnx", Version: 21}}}, Env{})
	if err != nil {
		t.Fatal(err)
	}
	x := tensor.Of([]int64{3}, float32(1), 2, 3)
	for _, c := range []struct {
		in   []Value
		want *tensor.Tensor
	}{
		{[]Value{x}, tensor.Of([]int64{3}, float32(10), 20, 37)},
		{[]Value{x, tensor.Of([]int64{2, 1}, float32(1), 2)}, tensor.Of([]int64{2, 3}, float32(1), 2, 10, 2, 4, 13)},
	} {
		out, err := p.Run(context.Background(), c.in)
		if err != nil || !tensor.Equal(out[0].(*tensor.Tensor), c.want) {
			t.Errorf("%v %v", out, err)
		}
	}
	if types, err := p.Infer(nil); err != nil || types[0].String() != "FLOAT[...]" {
		t.Errorf("%v %v", types, err)
	}
}

// TestOptionalInputs leaves an input of a function and one of an operator out.
func TestOptionalInputs(t *testing.T) {
	f := functionProto(21, []string{"x", "low", "high"}, []string{"y"}, nodeProto("Clip", []string{"x", "low", "high"}, []string{"y"}))
	f.Name, f.Domain = "clip", "d"
	main := imports2(functionProto(21, []string{"x", "h"}, []string{"y"}, call1("d", "clip", []string{"x", "", "h"}, []string{"y"})), "d")
	runProgram(t, main, Env{Functions: []*onnxpb.FunctionProto{f}},
		[]Value{tensor.Of([]int64{3}, int32(-7), 5, 9), tensor.Of(nil, int32(6))}, tensor.Of([]int64{3}, int32(-7), 5, 6))
}

// TestOuterScope reads values of two enclosing graphs in a branch of an If in the body of a Loop.
func TestOuterScope(t *testing.T) {
	add := graphProto(nil, []string{"t"}, nodeProto("Add", []string{"s", "x"}, []string{"t"}))
	keep := graphProto(nil, []string{"s"})
	body := graphProto([]string{"i", "c", "s"}, []string{"c", "u", "i"},
		nodeProto("Less", []string{"i", "three"}, []string{"early"}),
		nodeProto("If", []string{"early"}, []string{"u"}, graphAttribute("then_branch", add), graphAttribute("else_branch", keep)))
	f := functionProto(21, []string{"x", "n"}, []string{"y", "all"},
		constantProto("three", tensor.Of(nil, int64(3))),
		constantProto("zero", tensor.Of([]int64{2}, float32(0), 100)),
		nodeProto("Loop", []string{"n", "", "zero"}, []string{"y", "all"}, graphAttribute("body", body)))
	x := tensor.Of([]int64{2}, float32(1), 2)
	runProgram(t, f, Env{}, []Value{x, tensor.Of(nil, int64(5))}, tensor.Of([]int64{2}, float32(3), 106))
	runProgram(t, f, Env{}, []Value{x, tensor.Of(nil, int64(0))}, tensor.Of([]int64{2}, float32(0), 100))
	p, err := Compile(f, Env{})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int64]*tensor.Tensor{0: ints(), 3: ints(0, 1, 2)} {
		out, err := p.Run(context.Background(), []Value{x, tensor.Of(nil, n)})
		if err != nil || !tensor.Equal(out[1].(*tensor.Tensor), want) {
			t.Errorf("%d iterations: %v %v", n, out, err)
		}
	}
}

// TestScanFoldsInOrder sums rows from the last to the first and keeps the partial sums, newest first.
func TestScanFoldsInOrder(t *testing.T) {
	body := graphProto([]string{"s", "x"}, []string{"t", "t"}, nodeProto("Add", []string{"s", "x"}, []string{"t"}))
	f := functionProto(21, []string{"zero", "x"}, []string{"sums", "last"},
		nodeProto("Scan", []string{"zero", "x"}, []string{"last", "sums"}, graphAttribute("body", body), intAttribute("num_scan_inputs", 1),
			intsAttribute("scan_input_axes", 1), intsAttribute("scan_input_directions", 1),
			intsAttribute("scan_output_axes", -1), intsAttribute("scan_output_directions", 1)))
	x := tensor.Of([]int64{2, 3}, float32(1), 2, 3, 10, 20, 30)
	runProgram(t, f, Env{}, []Value{tensor.Of([]int64{2}, float32(100), 0), x}, tensor.Of([]int64{2, 3}, float32(106), 105, 103, 60, 50, 30))
	empty := tensor.Of[float32]([]int64{2, 0})
	runProgram(t, f, Env{}, []Value{tensor.Of([]int64{2}, float32(100), 0), empty}, empty)
}

// TestShapeArithmetic follows Shape, Slice, Concat and Reshape statically.
func TestShapeArithmetic(t *testing.T) {
	f := functionProto(21, []string{"x"}, []string{"y"},
		nodeProto("Shape", []string{"x"}, []string{"s"}, intAttribute("end", -1)),
		constantProto("tail", ints(4, -1)),
		nodeProto("Concat", []string{"s", "tail"}, []string{"t"}, intAttribute("axis", 0)),
		nodeProto("Reshape", []string{"x", "t"}, []string{"y"}))
	p, err := Compile(f, Env{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		in   ValueType
		want string
	}{
		{TensorType(tensor.Float, 5, 7, 32), "FLOAT[5,7,4,8]"},
		{TensorType(tensor.Float, -1, 7, 32), "FLOAT[?,7,4,?]"},
		{TensorType(tensor.Float, -1, -1, 32), "FLOAT[?,?,4,?]"},
		{TensorType(tensor.Float, -1, 7, -1), "FLOAT[?,7,4,?]"},
		{UnrankedType(tensor.Float), "FLOAT[...]"},
		{ValueType{}, "tensor[...]"},
	} {
		out, err := p.Infer([]ValueType{c.in})
		if err != nil || out[0].String() != c.want {
			t.Errorf("%v: got %v, %v, want %s", c.in, out, err, c.want)
		}
	}
	_, err = p.Infer([]ValueType{TensorType(tensor.Float, 5, 7, 30)})
	if want := "node 3 (Reshape, which gives \"y\"): 1050 elements [5,7,30] do not fit the shape [5,7,4,?]"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestCompileErrors(t *testing.T) {
	x := []string{"x"}
	for _, c := range []struct {
		name string
		f    *onnxpb.FunctionProto
		want string
	}{
		{"unknown operator", functionProto(21, x, x, nodeProto("Frobnicate", x, []string{"y"})), "node 0 (Frobnicate, which gives \"y\"): unknown operator Frobnicate of opset ai.onnx 21"},
		{"random", functionProto(21, x, x, nodeProto("RandomNormalLike", x, []string{"y"})), "node 0 (RandomNormalLike, which gives \"y\"): random operators are not allowed"},
		{"undefined input", functionProto(21, x, x, nodeProto("Neg", []string{"z"}, []string{"y"})), `node 0 (Neg, which gives "y"): input 0, "z", is not defined before the node`},
		{"undefined output", functionProto(21, x, []string{"y"}), `output "y" is never defined`},
		{"twice", functionProto(21, x, x, nodeProto("Neg", x, x)), `node 0 (Neg, which gives "x"): the name "x" is defined twice`},
		{"too many inputs", functionProto(21, x, x, nodeProto("Neg", []string{"x", "x"}, []string{"y"})), "node 0 (Neg, which gives \"y\"): 2 inputs, the operator has 1"},
		{"too early", functionProto(25, x, x, nodeProto("BitCast", x, []string{"y"}, intAttribute("to", 1))), "node 0 (BitCast, which gives \"y\"): operator BitCast is not in opset ai.onnx 25: it begins with version 26"},
		{"too early and lacking", functionProto(19, x, x, nodeProto("AffineGrid", x, []string{"y"})), "node 0 (AffineGrid, which gives \"y\"): operator AffineGrid is not in opset ai.onnx 19: it begins with version 20"},
		{"no import", functionProto(21, x, x, call1("d", "f", x, []string{"y"})), "node 0 (d.f, which gives \"y\"): domain d is not imported"},
		{"version 0", functionProto(0, x, x, nodeProto("Neg", x, []string{"y"})), "node 0 (Neg, which gives \"y\"): opset ai.onnx has no version 0"},
		{
			"attribute twice", functionProto(21, x, x, nodeProto("Concat", x, []string{"y"}, intAttribute("axis", 0), intAttribute("axis", 0))),
			`node 0 (Concat, which gives "y"): attribute "axis" is given twice`,
		},
		{"open attribute", &onnxpb.FunctionProto{Attribute: []string{"a"}}, `attribute "a" of the function has no default`},
	} {
		if _, err := Compile(c.f, Env{}); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func TestUnsupported(t *testing.T) {
	x := []string{"x"}
	for _, c := range []struct {
		domain, op string
		version    int64
		want       string
	}{
		{"", "Conv", 22, "node 0 (Conv, which gives \"y\"): unsupported: operator Conv of opset ai.onnx 22 is not implemented"},
		{"", "Neg", 29, "node 0 (Neg, which gives \"y\"): unsupported: operator Neg of opset ai.onnx 29 is newer than opset 28, the newest known here"},
		{"", "Neg", 1, "node 0 (Neg, which gives \"y\"): unsupported: operator Neg of opset ai.onnx 1 is implemented from version 6 on"},
		{"com.example", "Thing", 1, "node 0 (com.example.Thing, which gives \"y\"): unsupported: operator com.example.Thing of opset com.example 1 is not implemented"},
	} {
		f := functionProto(c.version, x, x, call1(c.domain, c.op, x, []string{"y"}))
		f.OpsetImport[0].Domain = c.domain
		_, err := Compile(f, Env{})
		var u *UnsupportedError
		if !errors.As(err, &u) || err.Error() != c.want || u.Op != c.op || u.Version != c.version {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestSinceVersion(t *testing.T) {
	for _, c := range []struct {
		op     string
		opset  int64
		since  int64
		exists bool
	}{
		{"Cast", 26, 25, true},
		{"Cast", 18, 13, true},
		{"Conv", 21, 11, true},
		{"Conv", 26, 22, true},
		{"Frobnicate", 26, 0, false},
		{"BitCast", 25, 0, false},
		{"Scatter", 13, 11, false},
	} {
		if since, ok := SinceVersion("ai.onnx", c.op, c.opset); since != c.since || ok != c.exists {
			t.Errorf("%s at %d: got %d, %v", c.op, c.opset, since, ok)
		}
	}
}

// TestOpsets compiles a function whose import resolves to another version than the model's.
func TestOpsets(t *testing.T) {
	f := functionProto(19, []string{"x"}, []string{"y"}, nodeProto("Cast", []string{"x"}, []string{"y"}, intAttribute("to", 1)))
	model := func(v int64) Env { return Env{Opsets: []*onnxpb.OperatorSetIdProto{{Version: v}}} }
	if _, err := Compile(f, model(20)); err != nil {
		t.Error(err)
	}
	_, err := Compile(f, model(21))
	var o *OpsetError
	if !errors.As(err, &o) || o.Function != 19 || o.Model != 21 {
		t.Errorf("got %v", err)
	}
}

// TestCallersOperators runs an operator of the caller on an opaque value, and another program from inside it.
func TestCallersOperators(t *testing.T) {
	type secret struct{ value float32 }
	double, err := Compile(functionProto(21, []string{"x"}, []string{"y"}, nodeProto("Add", []string{"x", "x"}, []string{"y"})), Env{})
	if err != nil {
		t.Fatal(err)
	}
	reveal := Operator{
		Domain: "structview", Name: "Reveal", Since: 1, Inputs: 1, Outputs: 1, Attributes: []string{"times"},
		Infer: func(c *Invocation) ([]ValueType, error) { return []ValueType{TensorType(tensor.Float)}, nil },
		Run: func(_ context.Context, c *Invocation) ([]Value, error) {
			times, _ := c.Int("times")
			return c.Call(double, []Value{tensor.Of(nil, c.Inputs[0].(secret).value*float32(times))})
		},
	}
	f := functionProto(21, []string{"x"}, []string{"z"},
		nodeProto("Identity", []string{"x"}, []string{"w"}),
		call1("structview", "Reveal", []string{"w"}, []string{"y"}, intAttribute("times", 3)),
		nodeProto("Neg", []string{"y"}, []string{"z"}))
	runProgram(t, imports2(f, "structview"), Env{Operators: []Operator{reveal}}, []Value{secret{7}}, tensor.Of(nil, float32(-42)))
}

// TestTrace inlines a call and names values.
func TestTrace(t *testing.T) {
	inner := functionProto(21, []string{"a"}, []string{"b"}, nodeProto("Neg", []string{"a"}, []string{"b"}))
	inner.Name, inner.Domain = "f", "d"
	main := imports2(functionProto(21, []string{"x"}, []string{"y"},
		constantProto("k", tensor.Of(nil, float32(2))),
		call1("d", "f", []string{"x"}, []string{"z"}),
		nodeProto("Clip", []string{"z", "", "k"}, []string{"y"})), "d")
	p, err := Compile(main, Env{Functions: []*onnxpb.FunctionProto{inner}})
	if err != nil {
		t.Fatal(err)
	}
	var steps []Step
	out, err := p.Trace([]ValueType{TensorType(tensor.Float, 4)}, func(s Step) error {
		steps = append(steps, s)
		return nil
	})
	if err != nil || len(steps) != 3 {
		t.Fatal(steps, err)
	}
	neg, clip := steps[1], steps[2]
	if neg.Path != `node 1 (d.f, which gives "z"): node 0 (Neg, which gives "b")` || neg.Since != 13 || neg.Inputs[0].ID != 0 {
		t.Errorf("%+v", neg)
	}
	if clip.Inputs[0].ID != neg.Outputs[0].ID || clip.Inputs[1].ID != -1 || clip.Inputs[2].Type.Known == nil ||
		clip.Inputs[2].ID != steps[0].Outputs[0].ID || out[0].ID != clip.Outputs[0].ID {
		t.Errorf("%+v %+v", clip, out)
	}
}
