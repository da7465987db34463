// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
	"google.golang.org/protobuf/proto"
)

func info(name string, t *typ) *onnxpb.ValueInfoProto {
	return &onnxpb.ValueInfoProto{Name: name, Type: t}
}

func sequence(t *typ) *typ {
	return &typ{Value: &onnxpb.TypeProto_SequenceType{SequenceType: &onnxpb.TypeProto_Sequence{ElemType: t}}}
}

func optional(t *typ) *typ {
	return &typ{Value: &onnxpb.TypeProto_OptionalType{OptionalType: &onnxpb.TypeProto_Optional{ElemType: t}}}
}

func mapping(key tensor.Type, t *typ) *typ {
	return &typ{Value: &onnxpb.TypeProto_MapType{MapType: &onnxpb.TypeProto_Map{KeyType: int32(key), ValueType: t}}}
}

func pairs(kv ...string) []*onnxpb.StringStringEntryProto {
	var list []*onnxpb.StringStringEntryProto
	for i := 0; i < len(kv); i += 2 {
		list = append(list, &onnxpb.StringStringEntryProto{Key: kv[i], Value: kv[i+1]})
	}
	return list
}

func function(inputs, outputs []string, nodes ...*onnxpb.NodeProto) *onnxpb.FunctionProto {
	return &onnxpb.FunctionProto{Input: inputs, Output: outputs, Node: nodes}
}

func node(domain, op, in, out string, attributes ...*onnxpb.AttributeProto) *onnxpb.NodeProto {
	return &onnxpb.NodeProto{Domain: domain, OpType: op, Input: []string{in}, Output: []string{out}, Attribute: attributes}
}

func subgraph(name string, g *graph) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: name, Type: onnxpb.AttributeProto_GRAPH, G: g}
}

func typeIndex(i int64) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: "type_index", Type: onnxpb.AttributeProto_INT, I: i}
}

func with(d *decl, change func(*decl)) *decl {
	change(d)
	return d
}

func declared(decls ...*decl) *model { return &model{StructTypes: decls} }

// valued is a model with a block type of 18 bytes and the values.
func valued(values ...*value) *model {
	return &model{StructTypes: []*decl{q4()}, Graph: &graph{StructInitializer: values}}
}

func graphed(g *graph) *model { return &model{StructTypes: []*decl{q4()}, Graph: g} }

func external(name string, kv ...string) *value {
	return &value{Name: name, ExternalData: pairs(kv...)}
}

func lines(findings []structview.Diagnostic) string {
	var list []string
	for i := range findings {
		list = append(list, findings[i].Error())
	}
	return strings.Join(list, "\n")
}

func TestCheck(t *testing.T) {
	for _, c := range checkCases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, lines(structview.Check(c.model, structview.CheckOptions{}))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestEachRuleMatters switches off one rule at a time: the findings of that rule, and
// no others, must vanish, and each rule must be one that some case depends on.
func TestEachRuleMatters(t *testing.T) {
	missing := map[string]bool{}
	for _, rule := range structview.Rules() {
		missing[string(rule)] = true
	}
	for _, c := range checkCases {
		for _, rule := range structview.Rules() {
			got := lines(structview.Check(c.model, structview.CheckOptions{Disabled: map[string]bool{string(rule): true}}))
			want := slices.DeleteFunc(strings.Split(c.want, "\n"), func(s string) bool { return strings.HasPrefix(s, string(rule)+" ") })
			if got != strings.Join(want, "\n") {
				t.Errorf("%s without %s: %s", c.name, rule, got)
			}
			if got != c.want {
				delete(missing, string(rule))
			}
		}
	}
	for _, elsewhere := range []structview.Rule{structview.ErrBool, structview.ErrPath, structview.ErrNotAccepted, structview.ErrForeignDialect, structview.ErrCounts} {
		delete(missing, string(elsewhere))
	}
	for rule := range missing {
		t.Errorf("no case depends on %s", rule)
	}
}

func TestSentinels(t *testing.T) {
	findings := structview.Check(declared(array(ref(0), 1), structure(&field{Name: "f"})), structview.CheckOptions{})
	err := structview.Errors(findings)
	if !errors.Is(err, structview.ErrReference) || !errors.Is(err, structview.ErrContent) || errors.Is(err, structview.ErrLeaf) {
		t.Error(err)
	}
	var d *structview.Diagnostic
	if !errors.As(fmt.Errorf("model: %w", err), &d) || d.Rule != "SV008" {
		t.Error(d)
	}
}

func TestDiagnosticAsJSON(t *testing.T) {
	d := structview.Diagnostic{Rule: "SV007", Severity: structview.Warning, Path: "a", Message: "m"}
	text, err := json.Marshal(d)
	if err != nil || string(text) != `{"rule":"SV007","severity":"warning","path":"a","message":"m"}` {
		t.Errorf("%s, %v", text, err)
	}
	var back structview.Diagnostic
	if err := json.Unmarshal(text, &back); err != nil || back != d {
		t.Errorf("%+v, %v", back, err)
	}
}

// TestCheckWarnsOfExternalTensors has ordinary tensors in files that are not opened, in one that does not exist, and in
// one that is read.
func TestCheckWarnsOfExternalTensors(t *testing.T) {
	m := valued()
	for i, location := range []string{"a.bin", "../a.bin", "d/../../a.bin", "/etc/passwd", `a\b`, "link", "gone", "", "C:/a", "link"} {
		m.Graph.Initializer = append(m.Graph.Initializer, &onnxpb.TensorProto{
			Name: fmt.Sprint("t", i), DataType: 1, Dims: []int64{1}, DataLocation: onnxpb.TensorProto_EXTERNAL,
			ExternalData: []*onnxpb.StringStringEntryProto{{Key: "location", Value: location}},
		})
	}
	want := `SV024 warning: graph.initializer[1]: the location "../a.bin" leaves the model's folder: the tensor is not read
SV024 warning: graph.initializer[2]: the location "d/../../a.bin" leaves the model's folder: the tensor is not read
SV024 warning: graph.initializer[3]: the location "/etc/passwd" is absolute: the tensor is not read
SV024 warning: graph.initializer[4]: the location "a\\b" has a backslash: parts are joined by /: the tensor is not read
SV024 warning: graph.initializer[7]: the location "" is empty: the tensor is not read
SV024 warning: graph.initializer[8]: the location "C:/a" is absolute: the tensor is not read`
	if diff := cmp.Diff(want, lines(structview.Check(m, structview.CheckOptions{}))); diff != "" {
		t.Error(diff)
	}
	calls := 0
	opts := structview.CheckOptions{External: func(location string) (int64, error) {
		calls++
		switch location {
		case "link":
			return 0, errors.New("a regular file expected, a symbolic link found")
		case "gone":
			return 0, fs.ErrNotExist
		}
		return 4, nil
	}}
	links := `SV024 warning: graph.initializer[5]: "link": a regular file expected, a symbolic link found: the tensor is not read
`
	want = strings.Replace(want, "SV024 warning: graph.initializer[7]", links+"SV024 warning: graph.initializer[7]", 1) +
		"\n" + strings.TrimSpace(strings.ReplaceAll(links, "[5]", "[9]"))
	if diff := cmp.Diff(want, lines(structview.Check(m, opts))); diff != "" {
		t.Error(diff)
	}
	if calls != 3 {
		t.Errorf("%d files measured, want 3", calls)
	}
}

func TestCheckMeasuresExternalFiles(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "w.bin"), make([]byte, 40), 0o600); err != nil {
		t.Fatal(err)
	}
	calls := 0
	opts := structview.CheckOptions{External: func(location string) (int64, error) {
		calls++
		s, err := os.Stat(filepath.Join(folder, location))
		if err != nil {
			return 0, errors.Unwrap(err)
		}
		return s.Size(), nil
	}}
	m := valued(
		external("a", "location", "w.bin", "length", "18", "offset", "22"),
		external("b", "location", "w.bin", "length", "18", "offset", "23"),
		external("c", "location", "v.bin", "length", "18"),
	)
	want := `SV023 error: graph.struct_initializer[1]: bytes 23 to 41 lie outside "w.bin", which has 40 bytes
SV024 error: graph.struct_initializer[2]: "v.bin": no such file or directory`
	if diff := cmp.Diff(want, lines(structview.Check(m, opts))); diff != "" {
		t.Error(diff)
	}
	if calls != 2 {
		t.Errorf("%d files measured, want 2", calls)
	}
	opts.External = func(string) (int64, error) {
		return 0, fmt.Errorf("open: %w", &structview.Diagnostic{Rule: "SV023", Message: "gone", Help: "look"})
	}
	want = `SV023 error: graph.struct_initializer[0]: "w.bin": gone; look`
	if got := lines(structview.Check(valued(m.Graph.StructInitializer[0]), opts)); got != want {
		t.Errorf("got %s", got)
	}
	opts.External = func(string) (int64, error) { return 0, fs.ErrPermission }
	if got := lines(structview.Check(valued(m.Graph.StructInitializer[0]), opts)); !strings.HasPrefix(got, "SV024") {
		t.Errorf("got %s", got)
	}
}

func TestCheckOfElidedPayloads(t *testing.T) {
	m := valued(&value{Name: "a"}, &value{Name: "b"})
	opts := structview.CheckOptions{Inline: func(v proto.Message) (uint64, bool) {
		return 18, v == m.Graph.StructInitializer[1]
	}}
	want := `SV022 error: graph.struct_initializer[0]: raw_data has 0 bytes; "q4" takes 18`
	if got := lines(structview.Check(m, opts)); got != want {
		t.Errorf("got %s", got)
	}
}

func TestBadLocations(t *testing.T) {
	for _, name := range []string{"", "/a", "..", "../a", "a/../../b", `C:\x`, "C:x", `a\b`, "a\x00b", ".", "a/", "./"} {
		got := structview.Check(valued(external("v", "location", name, "length", "18")), structview.CheckOptions{})
		if len(got) != 1 || got[0].Rule != "SV024" {
			t.Errorf("%q: %v", name, got)
		}
	}
	for _, name := range []string{"a", "a..b.bin", "a/../b", "./a", "ü/ö", "..a", "a:b"} {
		if got := structview.Check(valued(external("v", "location", name, "length", "18")), structview.CheckOptions{}); len(got) != 0 && name != "a:b" {
			t.Errorf("%q: %v", name, got)
		}
	}
}
