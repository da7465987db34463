// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"strings"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// checkCases are the smallest models that break each rule, and the findings in their
// short form.
var checkCases = []struct {
	name  string
	model *model
	want  string // one finding a line
}{
	{
		"index and inline", valued(&value{Name: "v", StructType: q4(), RawData: make([]byte, 18)}),
		`SV002 error: graph.struct_initializer[0]: type 0 and a struct_type: a value selects one of them (an inline type has type -1)`,
	},
	{
		"neither", valued(&value{Name: "v", Type: -1}),
		`SV002 error: graph.struct_initializer[0]: type is -1, which needs a struct_type; there is none`,
	},
	{
		"past the end", valued(&value{Name: "v", Type: 1}),
		`SV002 error: graph.struct_initializer[0]: type 1 names no declaration: struct_types has only entry 0`,
	},
	{
		"below -1", valued(&value{Name: "v", Type: -2}),
		`SV002 error: graph.struct_initializer[0]: type -2 names no declaration: struct_types has only entry 0`,
	},
	{"absent type is 0", valued(&value{Name: "v", RawData: make([]byte, 18)}), ""},
	{"inline root", valued(&value{Name: "v", Type: -1, StructType: array(ref(0), 2), RawData: make([]byte, 36)}), ""},

	{
		"root without kind", declared(&decl{}),
		`SV003 error: struct_types[0]: a root selects array, structure or bit_packing; kind is unset`,
	},
	{
		"root is a reference", declared(q4(), index(0)),
		`SV003 error: struct_types[1]: a root selects array, structure or bit_packing; found type_index 0`,
	},
	{
		"inline root is a reference", valued(&value{Name: "v", Type: -1, StructType: index(0)}),
		`SV003 error: graph.struct_initializer[0].struct_type: a root selects array, structure or bit_packing; found type_index 0`,
	},

	{
		"inline static type", graphed(&graph{Input: []*onnxpb.ValueInfoProto{info("x", sequence(inline(q4())))}}),
		`SV004 error: graph.input[0].type.sequence_type.elem_type.struct_type: a static type is a type_index or leaves kind unset; found an inline structure; declare it in struct_types and refer to it`,
	},
	{"static types", graphed(&graph{
		Input:     []*onnxpb.ValueInfoProto{info("x", ref(0)), info("y", inline(&decl{}))},
		Output:    []*onnxpb.ValueInfoProto{info("z", mapping(tensor.Int64, inline(&decl{})))},
		ValueInfo: []*onnxpb.ValueInfoProto{info("w", optional(ref(0)))},
	}), ""},

	{
		"kind unset below a root", declared(array(inline(&decl{}), 1)),
		`SV005 error: struct_types[0].array.element_type.struct_type: kind is unset, which has no size: below a root a type is a type_index or concrete`,
	},

	{
		"reference with a name", declared(q4(), array(inline(named("n", index(0))), 1)),
		`SV006 error: struct_types[1].array.element_type.struct_type: a reference carries nothing but its type_index; found name`,
	},
	{
		"reference with a name to nothing", declared(q4(), array(inline(named("n", index(7))), 1)),
		`SV006 error: struct_types[1].array.element_type.struct_type: a reference carries nothing but its type_index; found name
SV008 error: struct_types[1].array.element_type.struct_type: type_index 7 names no declaration: struct_types has entries 0 to 1`,
	},
	{"static reference with a decoder and doc", graphed(&graph{Output: []*onnxpb.ValueInfoProto{info("x", inline(with(index(0), func(d *decl) {
		d.Decoder, d.DocString = &onnxpb.FunctionProto{}, "doc"
	})))}}), `SV006 error: graph.output[0].type.struct_type: a reference carries nothing but its type_index; found decoder
SV006 warning: graph.output[0].type.struct_type: the doc_string of a reference is lost`},
	{"category with an encoder and metadata", graphed(&graph{Output: []*onnxpb.ValueInfoProto{info("x", inline(&decl{
		Encoder: &onnxpb.FunctionProto{}, MetadataProps: pairs("a", "b"),
	}))}}), `SV006 error: graph.output[0].type.struct_type: a static type without kind carries nothing else; found encoder
SV006 error: graph.output[0].type.struct_type: a static type without kind carries nothing else; found metadata_props`},

	{
		"codec below a root", declared(array(inline(with(q4(), func(d *decl) { d.Decoder = function([]string{"d"}, []string{"y"}) })), 1)),
		`SV007 warning: struct_types[0].array.element_type.struct_type: a decoder or encoder below a root never runs`,
	},

	{
		"no such entry", declared(array(ref(-1), 1)),
		`SV008 error: struct_types[0].array.element_type.struct_type: type_index -1 names no declaration: struct_types has only entry 0`,
	},
	{"cycle", declared(array(ref(1), 1), array(ref(0), 1)), `SV008 error: struct_types[0]: references form a cycle: 0 -> 1 -> 0`},
	{
		"static index", graphed(&graph{Input: []*onnxpb.ValueInfoProto{info("x", ref(7))}}),
		`SV008 error: graph.input[0].type.struct_type: type_index 7 names no declaration: struct_types has only entry 0`,
	},

	{
		"field without content", declared(structure(&field{Name: "f"})),
		`SV009 error: struct_types[0].structure.field[0]: field "f" has neither type nor constant`,
	},
	{"array without element", declared(array(nil, 3)), `SV009 error: struct_types[0].array: element_type is missing`},
	{"element without a value", declared(array(&typ{}, 3)), `SV009 error: struct_types[0].array.element_type: the type selects no value`},

	{
		"names", declared(structure(member("a", leaf(tensor.Int8)), member("", leaf(tensor.Int8)), member("a", leaf(tensor.Int8)))),
		`SV010 error: struct_types[0].structure.field[1]: field 1 has no name
SV010 error: struct_types[0].structure.field[2]: field 2 has the name "a" of field 0`,
	},
	{
		"component names", declared(packing(1, part("c", 4), part("c", 4))),
		`SV010 error: struct_types[0].bit_packing.component[1]: component 1 has the name "c" of component 0`,
	},

	{
		"no width", declared(packing(1, part("c", 0), part("d", 8))),
		`SV011 error: struct_types[0].bit_packing.component[0]: component "c" has no width: bit_width is at least 1`,
	},
	{
		"wide component in a decoder", declared(with(packing(1, part("c", 72)), func(d *decl) { d.Decoder = function([]string{"c"}, []string{"y"}) })),
		`SV011 error: struct_types[0].decoder.input[0]: c: a component of 72 bits cannot be bound: no element type holds more than 64`,
	},

	{
		"STRING leaf", declared(array(leaf(tensor.String), 1)),
		`SV012 error: struct_types[0].array.element_type.tensor_type: a leaf has an element type of fixed width; found STRING`,
	},
	{
		"sequence", declared(array(sequence(leaf(tensor.Int8)), 1)),
		`SV012 error: struct_types[0].array.element_type: a leaf is a tensor of fixed size; found sequence_type`,
	},
	{
		"no shape", declared(array(&typ{Value: &onnxpb.TypeProto_TensorType{TensorType: &onnxpb.TypeProto_Tensor{ElemType: 1}}}, 1)),
		`SV012 error: struct_types[0].array.element_type.tensor_type: a leaf has a static shape; shape is missing; a scalar has an empty shape`,
	},
	{"dimensions", declared(array(func() *typ {
		l := leaf(tensor.Int8, -3, 1, 1)
		l.GetTensorType().Shape.Dim[1].Value = &onnxpb.TensorShapeProto_Dimension_DimParam{DimParam: "N"}
		l.GetTensorType().Shape.Dim[2].Value = nil
		return l
	}(), 1)), `SV012 error: struct_types[0].array.element_type.tensor_type.shape.dim[0]: dimension 0 is negative: -3
SV012 error: struct_types[0].array.element_type.tensor_type.shape.dim[1]: dimension 1 is not static: "N"
SV012 error: struct_types[0].array.element_type.tensor_type.shape.dim[2]: dimension 2 has no dim_value`},

	{"constant too short", declared(structure(&field{Name: "c", Content: &onnxpb.StructTypeProto_Field_Constant{
		Constant: &onnxpb.TensorProto{DataType: 6, Dims: []int64{3}, Int32Data: []int32{1, 2}},
	}})), `SV015 error: struct_types[0].structure.field[0].constant: field "c": INT32[3] with 2 entries of int32_data (3 expected)`},
	{"emptiness", declared(array(leaf(tensor.Int8), 0), packing(0, part("c", 3)), packing(9), structure()), ""},

	{
		"size", declared(array(leaf(tensor.Int8, 4), 1<<62)),
		`SV020 error: struct_types[0].array: 4611686018427387904 elements of 32 bits are 2^64 bits or more`,
	},

	{
		"nobody uses 4 bits", declared(named("n", array(leaf(tensor.Int4), 1))),
		`SV021 warning: struct_types[0]: "n" has 4 bits, which is not a whole number of bytes, and nothing uses it`,
	},
	{"a part of 4 bits", declared(array(leaf(tensor.Int4), 1), array(ref(0), 2)), ""},
	{
		"value of 4 bits", &model{StructTypes: []*decl{array(leaf(tensor.Int4), 1)}, Graph: &graph{StructInitializer: []*value{{Name: "v", RawData: []byte{1}}}}},
		`SV021 error: graph.struct_initializer[0]: the size of struct_types[0] is 4 bits, which is not a whole number of bytes`,
	},
	{
		"static type of 4 bits", &model{StructTypes: []*decl{array(leaf(tensor.Int4), 1)}, Graph: &graph{Input: []*onnxpb.ValueInfoProto{info("x", ref(0))}}},
		`SV021 error: graph.input[0].type.struct_type: the size of struct_types[0] is 4 bits, which is not a whole number of bytes: no value can have it`,
	},

	{
		"short payload", valued(&value{Name: "v", RawData: make([]byte, 17)}),
		`SV022 error: graph.struct_initializer[0]: raw_data has 17 bytes; "q4" takes 18`,
	},
	{"C's alignment", &model{
		StructTypes: []*decl{structure(member("a", leaf(tensor.Int8)), member("b", leaf(tensor.Float)), member("c", leaf(tensor.Int16)))},
		Graph:       &graph{StructInitializer: []*value{{Name: "v", RawData: make([]byte, 12)}}},
	}, `SV022 error: graph.struct_initializer[0]: raw_data has 12 bytes; struct_types[0] takes 7; the length fits C's alignment: there is no implicit padding: add an explicit field`},
	{
		"inline and external", valued(&value{Name: "v", RawData: make([]byte, 18), ExternalData: pairs("location", "a", "length", "18")}),
		`SV022 error: graph.struct_initializer[0]: the value has both raw_data (18 bytes) and external_data: it has one of them`,
	},

	{"external", valued(external("v", "location", "a..b.bin", "length", "18", "checksum", strings.Repeat("0f", 20))), ""},
	{
		"external keys", valued(external("v", "location", "a", "lenght", "18", "offset", "+1", "offset", "1", "checksum", "1")),
		`SV023 error: graph.struct_initializer[0]: external_data has no length, which is required
SV023 error: graph.struct_initializer[0].external_data[1]: unknown key "lenght": location, offset, length and checksum are known
SV023 error: graph.struct_initializer[0].external_data[2]: offset is decimal digits below 2^64, without sign or blanks; found "+1"
SV023 error: graph.struct_initializer[0].external_data[3]: the key "offset" stands twice
SV023 error: graph.struct_initializer[0].external_data[4]: checksum is the SHA-1 of the file in 40 hexadecimal digits; found "1"`,
	},
	{
		"external length", valued(external("v", "location", "a", "length", "20")),
		`SV023 error: graph.struct_initializer[0]: external_data has length 20; "q4" takes 18 bytes`,
	},
	{
		"external end", valued(external("v", "location", "a", "length", "18", "offset", "18446744073709551615")),
		`SV023 error: graph.struct_initializer[0]: offset 18446744073709551615 and length 18 are 2^64 or more`,
	},
	{
		"external folder", valued(external("v", "location", "a/../../b", "length", "18")),
		`SV024 error: graph.struct_initializer[0]: the location "a/../../b" leaves the model's folder; it is a path of a file below the model's folder`,
	},

	{"nesting", declared(chain(65, true)...), `SV025 error: struct_types[64]: declarations nest 65 levels deep, at most 64 are allowed`},

	{
		"two outputs", declared(with(q4(), func(d *decl) { d.Decoder = function([]string{"d"}, []string{"y", "z"}) })),
		`SV040 error: struct_types[0].decoder: a decoder has one output; found 2`,
	},
	{
		"huge dimension", declared(with(array(leaf(tensor.Int8, 0), 1<<63), func(d *decl) { d.Encoder = function([]string{"x"}, []string{"value"}) })),
		`SV042 error: struct_types[0].encoder.output[0]: value: dimension 0 is 9223372036854775808: a tensor's dimension is below 2^63`,
	},

	{"names of values", &model{StructTypes: []*decl{array(leaf(tensor.Int8), 0)}, Graph: &graph{
		Initializer:       []*onnxpb.TensorProto{{Name: "a"}},
		SparseInitializer: []*onnxpb.SparseTensorProto{{Values: &onnxpb.TensorProto{Name: "b"}}},
		StructInitializer: []*value{{Name: "b"}, {Name: "c"}, {}, {Name: "c"}, {Name: "a"}},
	}}, `SV050 error: graph.struct_initializer[0]: the name "b" is taken by sparse_initializer[0]
SV050 error: graph.struct_initializer[2]: the value has no name
SV050 error: graph.struct_initializer[3]: the name "c" is taken by struct_initializer[1]
SV050 error: graph.struct_initializer[4]: the name "a" is taken by initializer[0]`},

	{"overlap", valued(
		external("a", "location", "x", "length", "18", "offset", "10"), external("b", "location", "x", "length", "18"),
		external("c", "location", "y", "length", "18"), external("d", "location", "y", "length", "18"), external("e", "location", "./x", "length", "18", "offset", "28"),
	), `SV052 warning: graph.struct_initializer[0]: bytes 10 to 28 of "x" overlap bytes 0 to 18 of graph.struct_initializer[1]`},

	{"Decode without a decoder", graphed(&graph{
		StructInitializer: []*value{{Name: "v", RawData: make([]byte, 18)}},
		Input:             []*onnxpb.ValueInfoProto{info("x", ref(0)), info("any", inline(&decl{}))},
		Node: []*onnxpb.NodeProto{
			node("structview", "Decode", "v", "a"), node("structview", "Decode", "x", "b"), node("structview", "Decode", "any", "c"), node("", "Decode", "v", "d"),
			node("", "If", "cond", "e", subgraph("then_branch", &graph{Node: []*onnxpb.NodeProto{node("structview", "Decode", "v", "f")}})),
		},
	}), `SV053 error: graph.node[0]: Decode of "v", whose root "q4" has no decoder
SV053 error: graph.node[1]: Decode of "x", whose root "q4" has no decoder
SV053 error: graph.node[4].attribute[0].g.node[0]: Decode of "v", whose root "q4" has no decoder`},
	{"Encode without an encoder", graphed(&graph{Node: []*onnxpb.NodeProto{
		node("structview", "Encode", "x", "a", typeIndex(0)), node("structview", "Encode", "x", "b", typeIndex(9)), node("structview", "Encode", "x", "c"),
		node("structview", "Decode", "a", "d"),
	}}), `SV053 error: graph.node[0]: Encode to struct_types[0] "q4", which has no encoder
SV008 error: graph.node[1]: type_index 9 names no declaration: struct_types has only entry 0
SV053 error: graph.node[2]: Encode has no attribute type_index (an INT)
SV053 error: graph.node[3]: Decode of "a", whose root "q4" has no decoder`},

	{"everywhere", &model{
		StructTypes: []*decl{with(q4(), func(d *decl) {
			d.Decoder = function([]string{"d"}, []string{"y"})
			d.Decoder.ValueInfo = []*onnxpb.ValueInfoProto{info("x", ref(9))}
		})},
		Graph: &graph{Node: []*onnxpb.NodeProto{
			node("", "Loop", "n", "y", subgraph("body", &graph{StructInitializer: []*value{{Name: "v", RawData: []byte{1}}}})),
			node("", "Optional", "", "o", &onnxpb.AttributeProto{Name: "type", Tp: ref(9)}),
			node("", "X", "", "p", &onnxpb.AttributeProto{Name: "types", TypeProtos: []*typ{leaf(tensor.Int8), ref(9)}}),
			node("", "X", "", "q", &onnxpb.AttributeProto{Name: "graphs", Graphs: []*graph{nil, {Output: []*onnxpb.ValueInfoProto{info("x", ref(9))}}}}),
		}},
		TrainingInfo: []*onnxpb.TrainingInfoProto{{
			Initialization: &graph{StructInitializer: []*value{{Name: "v", RawData: []byte{1}}}},
			Algorithm:      &graph{Input: []*onnxpb.ValueInfoProto{info("x", ref(9))}},
		}},
		Functions: []*onnxpb.FunctionProto{{
			ValueInfo: []*onnxpb.ValueInfoProto{info("x", ref(9))},
			Node:      []*onnxpb.NodeProto{node("", "Scan", "n", "y", subgraph("body", &graph{StructInitializer: []*value{{Name: "v", Type: 3}}}))},
		}},
	}, `SV008 error: struct_types[0].decoder.value_info[0].type.struct_type: type_index 9 names no declaration: struct_types has only entry 0
SV022 error: graph.node[0].attribute[0].g.struct_initializer[0]: raw_data has 1 bytes; "q4" takes 18
SV008 error: graph.node[1].attribute[0].tp.struct_type: type_index 9 names no declaration: struct_types has only entry 0
SV008 error: graph.node[2].attribute[0].type_protos[1].struct_type: type_index 9 names no declaration: struct_types has only entry 0
SV008 error: graph.node[3].attribute[0].graphs[1].output[0].type.struct_type: type_index 9 names no declaration: struct_types has only entry 0
SV022 error: training_info[0].initialization.struct_initializer[0]: raw_data has 1 bytes; "q4" takes 18
SV008 error: training_info[0].algorithm.input[0].type.struct_type: type_index 9 names no declaration: struct_types has only entry 0
SV008 error: functions[0].value_info[0].type.struct_type: type_index 9 names no declaration: struct_types has only entry 0
SV002 error: functions[0].node[0].attribute[0].g.struct_initializer[0]: type 3 names no declaration: struct_types has only entry 0`},
}
