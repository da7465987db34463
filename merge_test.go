// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
)

// mergeable has every place in which an index may stand; its entry 1 uses entry 0.
func mergeable(first *decl) *model {
	return &model{
		StructTypes: []*decl{first, with(named("rows", array(ref(0), 2)), func(d *decl) {
			d.Decoder = function([]string{"d"}, []string{"y"}, node("", "Optional", "", "o", &onnxpb.AttributeProto{Name: "type", Tp: ref(0)}))
		})},
		OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: 26}},
		Functions:   []*onnxpb.FunctionProto{{Domain: "f", Name: "f", ValueInfo: []*onnxpb.ValueInfoProto{info("x", sequence(ref(1)))}}},
		Graph: &graph{
			Input: []*onnxpb.ValueInfoProto{info("in", mapping(tensor.Int64, optional(ref(1)))), info("any", inline(&decl{}))},
			StructInitializer: []*value{
				{Name: "v", Type: 1, RawData: make([]byte, 36)},
				{Name: "w", Type: -1, StructType: array(ref(0), 1), RawData: make([]byte, 18)},
			},
			Node: []*onnxpb.NodeProto{
				node("structview", "Encode", "x", "e", typeIndex(0)),
				node("", "If", "c", "r", subgraph("then_branch", &graph{StructInitializer: []*value{{Name: "u", RawData: make([]byte, 18)}}})),
			},
		},
	}
}

func TestMerge(t *testing.T) {
	dst := &model{
		OpsetImport: []*onnxpb.OperatorSetIdProto{{Domain: "ai.onnx", Version: 26}},
		StructTypes: []*decl{named("other", array(leaf(tensor.Int8), 3)), named("another", structure()), q4()},
	}
	if err := structview.Merge(dst, mergeable(q4()), structview.MergeOptions{}); err != nil {
		t.Fatal(err)
	}
	want := mergeable(q4())
	structview.Renumber(want, func(i int32) int32 { return []int32{2, 3}[i] })
	want.OpsetImport[0].Domain = "ai.onnx"
	want.StructTypes = []*decl{dst.StructTypes[0], dst.StructTypes[1], q4(), want.StructTypes[1]}
	if diff := cmp.Diff(want, dst, protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
	if got := dst.Graph.Node[0].Attribute[0].I; got != 2 {
		t.Errorf("Encode to %d, want 2", got)
	}
	if got := dst.StructTypes[3].Decoder.Node[0].Attribute[0].Tp.GetStructType().GetTypeIndex(); got != 2 {
		t.Errorf("the decoder's attribute refers to %d, want 2", got)
	}
}

func TestMergeConflicts(t *testing.T) {
	other := func() *decl { return named("q4", array(leaf(tensor.Int8), 3)) }
	for name, c := range map[string]struct {
		dst, src *model
		opts     structview.MergeOptions
		want     string
	}{
		"declarations": {
			declared(other()), declared(q4()),
			structview.MergeOptions{},
			`conflict: two declarations "q4" have different structural hashes`,
		},
		"a new name that is taken": {
			declared(other(), named("r", structure())), declared(q4()),
			structview.MergeOptions{Rename: func(string) string { return "r" }},
			`conflict: two declarations "q4" have different structural hashes`,
		},
		"functions": {
			&model{Functions: []*onnxpb.FunctionProto{{Domain: "d", Name: "f"}}},
			&model{Functions: []*onnxpb.FunctionProto{{Domain: "d", Name: "f", Input: []string{"x"}}}},
			structview.MergeOptions{},
			`conflict: two functions "f" of domain "d" differ`,
		},
		"operator sets": {
			&model{OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: 26}}},
			&model{OpsetImport: []*onnxpb.OperatorSetIdProto{{Domain: "ai.onnx", Version: 25}}},
			structview.MergeOptions{},
			`conflict: opset_import: versions 26 and 25 of domain ""`,
		},
		"names": {
			valued(&value{Name: "v", RawData: make([]byte, 18)}), valued(&value{Name: "v", RawData: make([]byte, 18)}),
			structview.MergeOptions{},
			`conflict: both graphs define "v"`,
		},
		"references": {
			declared(), valued(&value{Name: "v", Type: 1}),
			structview.MergeOptions{},
			`SV008 error: index 1 in the model to add names no declaration: struct_types has only entry 0`,
		},
		"invalid": {
			declared(), declared(array(ref(0), 1)),
			structview.MergeOptions{},
			`the model to add: SV008 error: struct_types[0]: references form a cycle: 0 -> 0`,
		},
	} {
		dst, src := proto.CloneOf(c.dst), proto.CloneOf(c.src)
		err := structview.Merge(dst, src, c.opts)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if !proto.Equal(dst, c.dst) || !proto.Equal(src, c.src) {
			t.Errorf("%s: a model was changed", name)
		}
	}
	if err := structview.Merge(declared(other()), declared(q4()), structview.MergeOptions{}); !errors.Is(err, structview.ErrConflict) {
		t.Error(err)
	}
}

func TestMergeRenames(t *testing.T) {
	dst := declared(named("q4", array(leaf(tensor.Int8), 3)))
	opts := structview.MergeOptions{Rename: func(name string) string { return name + "_2" }}
	if err := structview.Merge(dst, mergeable(q4()), opts); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range dst.StructTypes {
		names = append(names, d.Name)
	}
	if diff := cmp.Diff([]string{"q4", "q4_2", "rows"}, names); diff != "" {
		t.Error(diff)
	}
	for _, f := range structview.Check(dst, structview.CheckOptions{}) {
		if f.Rule != "SV053" { // mergeable has no encoder
			t.Error(f.Error())
		}
	}
}
