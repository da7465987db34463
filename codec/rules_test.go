// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// byteAnd is {a: UINT8, k: constant INT64} with the given codecs.
func byteAnd(decoder, encoder *onnxpb.FunctionProto) *onnxpb.StructTypeProto {
	return with(structure(field("alpha", leaf(tensor.Uint8)), constant("k", tensor.Of([]int64{}, int64(7)))), decoder, encoder)
}

func identity(in, out string) *onnxpb.FunctionProto {
	return function(names(in), names(out), node("Identity", names(in), names(out)))
}

// typed declares the type of a name of fn.
func typed(fn *onnxpb.FunctionProto, name string, t *onnxpb.TypeProto) *onnxpb.FunctionProto {
	fn.ValueInfo = append(fn.ValueInfo, &onnxpb.ValueInfoProto{Name: name, Type: t})
	return fn
}

func changed(fn *onnxpb.FunctionProto, change func(*onnxpb.FunctionProto)) *onnxpb.FunctionProto {
	change(fn)
	return fn
}

// each case has the smallest declaration that breaks one rule; the neighbour in accepted is
// what it becomes when it is mended.
type ruleCase struct {
	name  string
	decls []*onnxpb.StructTypeProto
	env   codec.Env
	want  []string // the faults, whole; none: accepted
}

func one(p *onnxpb.StructTypeProto) []*onnxpb.StructTypeProto { return []*onnxpb.StructTypeProto{p} }

func modelFunction(name string, calls ...string) *onnxpb.FunctionProto {
	f := &onnxpb.FunctionProto{Domain: "test", Name: name, Input: names("x"), Output: names("y"), OpsetImport: append(opsets(opset), testImport)}
	last := "x"
	for i, callee := range calls {
		out := "y"
		if i < len(calls)-1 {
			out = "v" + callee
		}
		n := node(callee, names(last), names(out))
		n.Domain, last = "test", out
		f.Node = append(f.Node, n)
	}
	if len(calls) == 0 {
		f.Node = append(f.Node, node("Identity", names("x"), names("y")))
	}
	return f
}

var testImport = &onnxpb.OperatorSetIdProto{Domain: "test", Version: 1}

func calling(name, in, out string) *onnxpb.FunctionProto {
	n := node(name, names(in), names(out))
	n.Domain = "test"
	f := function(names(in), names(out), n)
	f.OpsetImport = append(f.OpsetImport, testImport)
	return f
}

var ruleCases = []ruleCase{
	// SV040, SV041: inputs are paths, the output is one.
	{"decoder", one(byteAnd(identity("alpha", "y"), nil)), codec.Env{}, nil},
	{"constant as input", one(byteAnd(identity("k", "y"), nil)), codec.Env{}, nil},
	{"no output", one(byteAnd(function(names("alpha"), nil), nil)), codec.Env{}, []string{
		`SV040 error: decoder: a decoder has exactly one output, this one has 0`,
	}},
	{"two outputs", one(byteAnd(function(names("alpha"), names("y", "z"),
		node("Identity", names("alpha"), names("y")), node("Identity", names("alpha"), names("z"))), nil)), codec.Env{}, []string{
		`SV040 error: decoder: a decoder has exactly one output, this one has 2`,
	}},
	{"no such path", one(byteAnd(identity("alphe", "y"), nil)), codec.Env{}, []string{
		`SV045 error: decoder.input[0]: input "alphe": no "alphe" in the structure; the nearest name is alpha`,
	}},
	{"input twice", one(byteAnd(function(names("alpha", "alpha"), names("y"), node("Add", names("alpha", "alpha"), names("y"))), nil)), codec.Env{}, []string{
		`SV045 error: decoder.input[1]: input "alpha" occurs twice`,
	}},
	// SV011, SV042: what cannot be a tensor.
	{"64 bits", one(with(packing(1, part{"w", 64}), identity("w", "y"), nil)), codec.Env{}, nil},
	{"65 bits", one(with(packing(8, part{"w", 65}), identity("w", "y"), nil)), codec.Env{}, []string{
		`SV011 error: decoder.input[0]: input "w": a component of 65 bits cannot be bound: no element type holds more than 64`,
	}},
	{"dimension of 2^63-1", one(with(structure(field("e", inline(array(1<<63-1, inline(array(0, leaf(tensor.Uint8))))))), identity("e", "y"), nil)), codec.Env{}, nil},
	{"dimension of 2^63", one(with(structure(field("e", inline(array(1<<63, inline(array(0, leaf(tensor.Uint8))))))), identity("e", "y"), nil)), codec.Env{}, []string{
		`SV042 error: decoder.input[0]: input "e": dimension 0 is 9223372036854775808: a tensor's dimension is below 2^63`,
	}},
	// SV045: the function fits.
	{"declared type", one(byteAnd(typed(identity("alpha", "y"), "alpha", leaf(tensor.Uint8)), nil)), codec.Env{}, nil},
	{"other declared type", one(byteAnd(typed(identity("alpha", "y"), "alpha", leaf(tensor.Int8)), nil)), codec.Env{}, []string{
		`SV045 error: decoder.input[0]: input "alpha": the function expects INT8[], the path alpha is UINT8[]`,
	}},
	{"other declared shape", one(byteAnd(typed(identity("alpha", "y"), "alpha", leaf(tensor.Uint8, 1)), nil)), codec.Env{}, []string{
		`SV045 error: decoder.input[0]: input "alpha": the function expects UINT8[1], the path alpha is UINT8[]`,
	}},
	{"other declared output", one(byteAnd(typed(identity("alpha", "y"), "y", leaf(tensor.Uint8, 2)), nil)), codec.Env{}, []string{
		`SV045 error: decoder.output[0]: output "y": the function declares UINT8[2], it gives UINT8[]`,
	}},
	{"no tensor", one(byteAnd(function(names("alpha"), names("y"), node("SequenceConstruct", names("alpha"), names("y"))), nil)), codec.Env{}, []string{
		`SV045 error: decoder.output[0]: a decoder gives a tensor, "y" is sequence(UINT8[])`,
	}},
	{"attribute without default", one(byteAnd(changed(identity("alpha", "y"), func(f *onnxpb.FunctionProto) {
		f.Attribute = names("bits")
	}), nil)), codec.Env{}, []string{
		`SV045 error: decoder.attribute[0]: attribute "bits" has no default, and a codec is called without attributes`,
	}},
	{"attribute with default", one(byteAnd(changed(identity("alpha", "y"), func(f *onnxpb.FunctionProto) {
		f.AttributeProto = []*onnxpb.AttributeProto{integer("bits", 4)}
	}), nil)), codec.Env{}, nil},
	{"no import", one(byteAnd(changed(identity("alpha", "y"), func(f *onnxpb.FunctionProto) {
		f.OpsetImport = nil
	}), nil)), codec.Env{}, []string{
		`SV045 error: decoder.node[0]: Identity, which gives "y": the function has no opset_import for domain ""`,
	}},
	{"types differ", one(byteAnd(function(names("alpha", "k"), names("y"), node("Add", names("alpha", "k"), names("y"))), nil)), codec.Env{}, []string{
		`SV045 error: decoder: node 0 (Add, which gives "y"): input 1 (B): INT64, but an earlier input is UINT8: both must be of one type`,
	}},
	{"unknown operator", one(byteAnd(function(names("alpha"), names("y"), node("Idntity", names("alpha"), names("y"))), nil)), codec.Env{}, []string{
		`SV045 error: decoder: node 0 (Idntity, which gives "y"): unknown operator Idntity of opset ai.onnx 26`,
	}},
	{"operator that is lacking", one(byteAnd(function(names("alpha"), names("y"), node("Conv", names("alpha"), names("y"))), nil)), codec.Env{}, []string{
		`SV045 unsupported: decoder: node 0 (Conv, which gives "y"): unsupported: operator Conv of opset ai.onnx 26 is not implemented`,
	}},
	// SV046: calls.
	{"call", one(byteAnd(calling("f", "alpha", "y"), nil)), codec.Env{Functions: []*onnxpb.FunctionProto{modelFunction("f")}}, nil},
	{"recursion", one(byteAnd(calling("f", "alpha", "y"), nil)), codec.Env{Functions: []*onnxpb.FunctionProto{
		modelFunction("f", "g"), modelFunction("g", "h"), modelFunction("h", "g"),
	}}, []string{
		`SV046 error: decoder: functions recurse: test.g calls test.h calls test.g`,
	}},
	{"no such function", one(byteAnd(calling("f", "alpha", "y"), nil)), codec.Env{}, []string{
		`SV045 error: decoder.node[0]: test.f, which gives "y": unknown operator: the model has no such function, and "test" is no domain of ONNX`,
	}},
	// SV047: encoders.
	{"encoder", one(byteAnd(nil, identity("x", "alpha"))), codec.Env{}, nil},
	{"encoder without value", one(byteAnd(nil, function(names("k"), names("alpha"), cast(tensor.Uint8, "k", "alpha")))), codec.Env{}, []string{
		`SV047 error: encoder: an encoder has one input that is no path, the logical value; this one has none`,
	}},
	{"encoder of two values", one(byteAnd(nil, function(names("x", "kk"), names("alpha"), node("Add", names("x", "kk"), names("alpha"))))), codec.Env{}, []string{
		`SV047 error: encoder: an encoder has one input that is no path, the logical value; this one has 2: ` +
			`"x" (no "x" in the structure, which has alpha, k), "kk" (no "kk" in the structure; the nearest name is k)`,
	}},
	{"encoder that reads the payload", one(byteAnd(nil, function(names("x", "alpha"), names("alpha"), node("Identity", names("x"), names("y"))))), codec.Env{}, []string{
		`SV047 error: encoder.input[1]: input "alpha" binds a part of the payload, and an encoder sees constants alone`,
	}},
	{"encoder of a constant", one(byteAnd(nil, function(names("x"), names("alpha", "k"),
		node("Identity", names("x"), names("alpha")), node("Identity", names("x"), names("k"))))), codec.Env{}, []string{
		`SV047 error: encoder.output[1]: output "k" binds a constant, which has no bits in the payload`,
	}},
	{"encoder without outputs", one(byteAnd(nil, function(names("x"), nil, node("Identity", names("x"), names("y"))))), codec.Env{}, []string{
		`SV047 error: encoder: an encoder produces every payload path; missing: "alpha"`,
	}},
	{"encoder with a wrong type", one(byteAnd(nil, function(names("x"), names("alpha"), cast(tensor.Int8, "x", "alpha")))), codec.Env{}, []string{
		`SV047 error: encoder.output[0]: output "alpha": the path is UINT8[], the encoder gives INT8[...]`,
	}},
	{"encoder with a wrong shape", one(byteAnd(nil, typed(identity("x", "alpha"), "x", leaf(tensor.Uint8, 1)))), codec.Env{}, []string{
		`SV047 error: encoder.output[0]: output "alpha": the path is UINT8[], the encoder gives UINT8[1]`,
	}},
	{"encoder of a wide component", one(with(packing(8, part{"w", 65}), nil, identity("x", "w"))), codec.Env{}, []string{
		`SV011 error: encoder.output[0]: output "w": a component of 65 bits cannot be bound: no element type holds more than 64`,
	}},
	// SV048: random numbers.
	{"random", one(byteAnd(function(names("alpha"), names("y"), node("RandomNormalLike", names("alpha"), names("y"))), nil)), codec.Env{}, []string{
		`SV048 error: decoder.node[0]: RandomNormalLike, which gives "y": a codec draws no random numbers`,
	}},
	{"random in a function", one(byteAnd(calling("f", "alpha", "y"), nil)), codec.Env{Functions: []*onnxpb.FunctionProto{
		changed(modelFunction("f"), func(f *onnxpb.FunctionProto) { f.Node[0].OpType = "Bernoulli" }),
	}}, []string{
		`SV048 error: decoder: Bernoulli, which gives "y", called through test.f: a codec draws no random numbers`,
	}},
	// SV054: versions.
	{"same version", one(byteAnd(identity("alpha", "y"), nil)), codec.Env{Opsets: opsets(opset)}, nil},
	{"another set with the same operator", one(byteAnd(function(names("alpha"), names("y"), node("Add", names("alpha", "alpha"), names("y"))), nil)), codec.Env{Opsets: opsets(14)}, nil},
	{"another version", one(byteAnd(function(names("alpha"), names("y"), node("Add", names("alpha", "alpha"), names("y"))), nil)), codec.Env{Opsets: opsets(13)}, []string{
		`SV054 error: decoder.node[0]: Add, which gives "y": opset 26, which the function imports, and opset 13, which the model imports, have different versions of it`,
	}},
	{"a set that the model lacks", one(byteAnd(identity("alpha", "y"), nil)), codec.Env{Opsets: []*onnxpb.OperatorSetIdProto{testImport}}, nil},
	{"another version in a function", one(byteAnd(calling("f", "alpha", "y"), nil)), codec.Env{
		Opsets: opsets(opset), Functions: []*onnxpb.FunctionProto{changed(modelFunction("f"), func(f *onnxpb.FunctionProto) { f.OpsetImport = opsets(13) })},
	}, []string{
		`SV054 error: functions[0].node[0]: Identity, which gives "y": opset 13, which the function imports, and opset 26, which the model imports, have different versions of it`,
	}},
}

func TestRules(t *testing.T) {
	for _, test := range ruleCases {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			_, err := codec.New(root(t, test.decls...), test.env)
			got := faults(err)
			if len(got) != len(test.want) {
				t.Fatalf("got %q, want %q", got, test.want)
			}
			for i, want := range test.want {
				if got[i] != want {
					t.Errorf("got  %s\nwant %s", got[i], want)
				}
			}
		})
	}
}

// faults are the findings that err joins.
func faults(err error) []string {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []string{err.Error()}
	}
	var list []string
	for _, e := range joined.Unwrap() {
		var d *structview.Diagnostic
		if errors.As(e, &d) {
			list = append(list, d.Error())
		}
	}
	return list
}
