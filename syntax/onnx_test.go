// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"testing"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/syntax"
)

// spellings are what ONNX's own parser takes and this printer writes otherwise.
var spellings = []struct{ text, want string }{
	{ // a default before a plain attribute, no blanks, attributes after the inputs
		`<domain: "d", opset_import: ["" : 15], doc_string: "of f">
			 f<alpha: float=4, gamma>(X)=>(C){c=Constant<value_float:float=@alpha>() C=Foo(X,c)<axis=-1>}`,
		`functions {
				name: "f" domain: "d" doc_string: "of f" input: "X" output: "C" attribute: "gamma"
				opset_import { version: 15 }
				attribute_proto { name: "alpha" type: FLOAT f: 4 }
				node { output: "c" op_type: "Constant" attribute { name: "value_float" type: FLOAT ref_attr_name: "alpha" } }
				node { output: "C" op_type: "Foo" input: "X" input: "c" attribute { name: "axis" type: INT i: -1 } }
			}`,
	},
	{ // typed parameters become value infos, omitted inputs
		`<domain: "d"> f (float[N] x, y) => (z, int64 n) <bool b> { z, n = a.b.Op:v (,x,,y,) = Sink ("") }`,
		`functions {
				name: "f" domain: "d" input: "x" input: "y" output: "z" output: "n"
				value_info { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_param: "N" } } } } }
				value_info { name: "n" type { tensor_type { elem_type: 7 shape {} } } }
				value_info { name: "b" type { tensor_type { elem_type: 9 shape {} } } }
				node { output: "z" output: "n" domain: "a.b" op_type: "Op" overload: "v" input: "" input: "x" input: "" input: "y" }
				node { op_type: "Sink" input: "" }
			}`,
	},
	{ // an input with a value, external data, a node's name, a graph without types
		`g (uint8 a = {7}, b) => (c) <int8[2] w = ["location": "f"], float[] u> { ["n 1"] c = Op (a) }
			 noheader (x) => (y) { y = Op (x) }`,
		`graph {
				name: "g" output { name: "c" }
				input { name: "a" type { tensor_type { elem_type: 2 shape {} } } }
				input { name: "b" }
				initializer { name: "a" data_type: 2 raw_data: "\x07" }
				initializer { name: "w" data_type: 3 dims: 2 data_location: EXTERNAL external_data { key: "location" value: "f" } }
				value_info { name: "u" type { tensor_type { elem_type: 1 } } }
				node { name: "n 1" output: "c" op_type: "Op" input: "a" }
			}
			functions { name: "noheader" input: "x" output: "y" node { output: "y" op_type: "Op" input: "x" } }`,
	},
}

func TestONNXSpellings(t *testing.T) {
	for _, c := range spellings {
		m, err := syntax.Parse("text", []byte("<>"+c.text))
		if err != nil {
			t.Error(err)
			continue
		}
		want := &onnxpb.ModelProto{}
		if err := prototext.Unmarshal([]byte(c.want), want); err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(m, want) {
			t.Errorf("%s\n got %v\nwant %v", c.text, m, want)
		}
		if err := sameAgain(m); err != nil {
			t.Error(err)
		}
	}
}

func TestAttributeForms(t *testing.T) {
	m, err := syntax.Parse("text", []byte(`<> <> f () => () { = Op <
		a = [1.0, 2], b = inf, c: floats = [-nan, 0x7fc00001], e = float[1] t = {2}, f = int8 {1},
		g: type_proto = seq(int8), h = float, i = "s", j = sub () => () {}, k = [sub () => () {}],
		l = sparse_tensor[9](float[1] {1}, int64[1] {8}), m: ints = [], n: tensor = bool {0}, o = "sub" () => () {},
		p = [float, seq(float)], q = [int8 {1}, int8 x {2}], r = ["a", "b"], s = 0x10, t: float = 3, u = @v, w: graphs = [],
		x = 1e3, y = demo.x, z = -9223372036854775808
	> () }
	struct demo.x {}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"FLOATS", "FLOAT", "FLOATS", "TENSOR", "TENSOR", "TYPE_PROTO", "TYPE_PROTO", "STRING", "GRAPH", "GRAPHS",
		"SPARSE_TENSOR", "INTS", "TENSOR", "GRAPH", "TYPE_PROTOS", "TENSORS", "STRINGS", "INT", "FLOAT", "UNDEFINED", "GRAPHS",
		"FLOAT", "TYPE_PROTO", "INT",
	}
	list := m.GetFunctions()[0].GetNode()[0].GetAttribute()
	if len(list) != len(want) {
		t.Fatalf("%d attributes", len(list))
	}
	for i, a := range list {
		if a.GetType().String() != want[i] {
			t.Errorf("%s: got %v, want %s", a.GetName(), a.GetType(), want[i])
		}
	}
	if err := sameAgain(m); err != nil {
		t.Error(err)
	}
}
