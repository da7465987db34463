// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

func checked(m *onnxpb.ModelProto, disabled ...string) []string {
	opts := structview.CheckOptions{Disabled: map[string]bool{}}
	for _, rule := range disabled {
		opts.Disabled[rule] = true
	}
	var list []string
	for _, d := range codec.Check(m, opts) {
		if d.Severity != structview.Warning {
			list = append(list, d.Error())
		}
	}
	return list
}

// All that is wrong with codecs anywhere in a model comes at once, in the order of the file.
func TestCheck(t *testing.T) {
	inlined := structured("inlined", -1, 1)
	inlined.StructType = byteAnd(identity("alpha", "y"), identity("x", "beta"))
	inner := &onnxpb.GraphProto{
		StructInitializer: []*onnxpb.StructProto{inlined},
		Node:              []*onnxpb.NodeProto{sv("Decode", "inlined", "deep", integer("axis", 1))},
		Output:            []*onnxpb.ValueInfoProto{info("deep", leaf(tensor.Uint8))},
	}
	m := model([]*onnxpb.StructTypeProto{
		byteAnd(identity("beta", "y"), nil),
		byteAnd(function(names("alpha"), names("y"), node("Conv", names("alpha", "alpha"), names("y"))), nil),
		byteAnd(identity("alpha", "y"), identity("x", "alpha")),
		byteAnd(nil, function(names("x"), names("alpha"), cast(tensor.Int8, "x", "alpha"))),
		byteAnd(calling("f", "alpha", "y"), nil),
	}, &onnxpb.GraphProto{
		StructInitializer: []*onnxpb.StructProto{structured("w", 2, 1)},
		Input:             []*onnxpb.ValueInfoProto{info("which", leaf(tensor.Bool))},
		Node: []*onnxpb.NodeProto{
			sv("Decode", "w", "y"),
			sv("Recode", "w", "z"),
			sv("Encode", "y", "v"),
			node("If", names("which"), names("u"), &onnxpb.AttributeProto{Name: "then_branch", Type: onnxpb.AttributeProto_GRAPH, G: inner}),
		},
	})
	m.Functions = []*onnxpb.FunctionProto{
		changed(modelFunction("f", "f"), func(f *onnxpb.FunctionProto) { f.OpsetImport = append(f.OpsetImport, opsets(25)...) }),
		changed(modelFunction("g"), func(f *onnxpb.FunctionProto) {
			f.OpsetImport = opsets(13)
			f.Node = append(f.Node, sv("Encode", "y", "z", integer("type_index", 0)))
		}),
	}
	m.OpsetImport = append(m.OpsetImport, testImport)
	want := []string{
		`SV045 error: struct_types[0].decoder.input[0]: input "beta": no "beta" in the structure, which has alpha, k`,
		`SV045 unsupported: struct_types[1].decoder: node 0 (Conv, which gives "y"): unsupported: operator Conv of opset ai.onnx 26 is not implemented`,
		`SV047 error: struct_types[3].encoder.output[0]: output "alpha": the path is UINT8[], the encoder gives INT8[...]`,
		`SV046 error: struct_types[4].decoder: functions recurse: test.f calls test.f`,
		`SV045 error: graph.node[1]: domain "structview" has the operators Decode and Encode, not "Recode"`,
		`SV047 error: graph.node[3].attribute[0].g.struct_initializer[0].struct_type.encoder: an encoder produces every payload path; missing: "alpha"`,
		`SV047 error: graph.node[3].attribute[0].g.struct_initializer[0].struct_type.encoder.output[0]: output "beta": no "beta" in the structure, which has alpha, k`,
		`SV045 error: graph.node[3].attribute[0].g.node[0].attribute[0]: Decode has no attribute "axis"`,
		`SV054 error: functions[1].node[0]: Identity, which gives "y": opset 13, which the function imports, and opset 26, which the model imports, have different versions of it`,
		`SV045 error: functions[1].node[1]: structview.Encode, which gives "z": the function has no opset_import for domain "structview"`,
	}
	if got := checked(m, "SV053"); !slices.Equal(got, want) {
		for i := range max(len(got), len(want)) {
			if i < len(got) {
				t.Errorf("got  %s", got[i])
			}
			if i < len(want) {
				t.Errorf("want %s", want[i])
			}
		}
	}
	if got := checked(m, "SV045", "SV046", "SV047", "SV053", "SV054"); len(got) != 0 {
		t.Errorf("disabled: %q", got)
	}
}

func TestCheckAccepts(t *testing.T) {
	m := model([]*onnxpb.StructTypeProto{linear(2)}, &onnxpb.GraphProto{
		Name:              "main",
		StructInitializer: []*onnxpb.StructProto{structured("w", 0, make([]byte, 8)...)},
		Node:              []*onnxpb.NodeProto{sv("Decode", "w", "y"), sv("Encode", "y", "v", integer("type_index", 0))},
		Output:            []*onnxpb.ValueInfoProto{info("v", ref(0))},
	})
	if got := checked(m); len(got) != 0 {
		t.Errorf("got %q", got)
	}
	if got := codec.Check(&onnxpb.ModelProto{}, structview.CheckOptions{}); len(got) != 0 {
		t.Errorf("empty model: %v", got)
	}
}

// A hostile model is looked at in about linear time.
func TestCheckHostile(t *testing.T) {
	const n = 20000
	var inputs []string
	for i := range n {
		inputs = append(inputs, fmt.Sprint("wrong", i))
	}
	var fields []*onnxpb.StructTypeProto_Field
	for i := range n {
		fields = append(fields, field(fmt.Sprint("f", i), leaf(tensor.Uint8)))
	}
	// Each entry has the next one twice: 2^40 leaves.
	decls := []*onnxpb.StructTypeProto{}
	for i := range int32(40) {
		decls = append(decls, structure(field("a", ref(i+1)), field("b", ref(i+1))))
	}
	decls = append(decls, structure(constant("k", tensor.Of([]int64{}, int8(1))), field("empty", inline(array(0, leaf(tensor.Int8))))))
	decls[0].Encoder = identity("x", "a.a")
	decls = append(decls,
		with(structure(fields...), function(inputs, names("y"), node("Identity", inputs[:1], names("y"))), identity("x", "f0")))
	begin := time.Now()
	got := checked(&onnxpb.ModelProto{StructTypes: decls, OpsetImport: opsets(opset)})
	if d := time.Since(begin); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
	last := `SV047 error: struct_types[41].encoder: an encoder produces every payload path; missing: "f1", "f2", "f3" and 19996 more`
	if len(got) != n+3 || got[len(got)-1] != last {
		t.Errorf("%d findings, the last %s", len(got), got[len(got)-1])
	}
}
