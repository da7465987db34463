// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/syntax"
)

// ggmlType is an entry of testdata/ggml/types.json.
type ggmlType struct {
	Name      string
	BlockSize int64 `json:"block_size"`
	TypeSize  int64 `json:"type_size"`
}

func TestEveryGGMLType(t *testing.T) {
	var facts struct{ Types []ggmlType }
	readJSON(t, "types.json", &facts)
	names := catalog.Builtin().Names()
	if !slices.IsSorted(names) {
		t.Error("Names are not sorted")
	}
	for _, f := range facts.Types {
		e, err := catalog.Builtin().Entry("ggml." + f.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		if e.Values != f.BlockSize || e.Type().Bits() != uint64(8*f.TypeSize) {
			t.Errorf("%s: %d values in %d bits, expected %d in %d bytes", f.Name, e.Values, e.Type().Bits(), f.BlockSize, f.TypeSize)
		}
		if e.Block.Decoder == nil {
			t.Errorf("%s has no decoder", f.Name)
		}
	}
	if len(facts.Types) != 35 {
		t.Errorf("types.json has %d types, expected 35", len(facts.Types))
	}
}

// Every entry says what it is, where it comes from and how exact it is; every field is documented.
func TestEntriesAreDocumented(t *testing.T) {
	for _, name := range catalog.Builtin().Names() {
		e, err := catalog.Builtin().Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(e.Model.DocString, "Source: ") {
			t.Errorf("%s: the model's documentation names no source", name)
		}
		if e.Block.DocString == "" || e.Property("exactness") == "" {
			t.Errorf("%s: no documentation or no exactness", name)
		}
		if e.Block.Name != name && !strings.HasPrefix(e.Block.Name, name+"[") {
			t.Errorf("%s declares %s", name, e.Block.Name)
		}
	}
}

func TestUnknownName(t *testing.T) {
	for name, want := range map[string]string{
		"q4_K":      `no such format: "q4_K"; did you mean ggml.q4_K?`,
		"ggml.Q4_k": `no such format: "ggml.Q4_k"; did you mean ggml.q4_K?`,
		"ggml.q4_2": `no such format: "ggml.q4_2"; did you mean ggml.q4_0?`,
		"../secret": `no such format: "../secret"; the catalogue has `,
		"":          `no such format: ""; the catalogue has `,
	} {
		_, err := catalog.Builtin().Entry(name)
		if !errors.Is(err, catalog.ErrUnknown) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, expected %s", name, err, want)
		}
	}
}

func TestBadShapes(t *testing.T) {
	e, err := catalog.Builtin().Entry("ggml.q4_0")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		shape []int64
		want  string
	}{
		{nil, "ggml.q4_0: expected a logical shape of one dimension or more, as in [3,64]; found none"},
		{[]int64{2, 48}, "ggml.q4_0: shape [2 48]: the last dimension is 48, expected a multiple of 32, the values of a block"},
		{[]int64{-1, 32}, "ggml.q4_0: shape [-1 32]: dimension 0 is negative"},
		{[]int64{1 << 62, 1 << 62}, "ggml.q4_0: shape [4611686018427387904 4611686018427387904]: more than 2^64 values"},
	} {
		if _, err := e.Instantiate(test.shape); err == nil || err.Error() != test.want {
			t.Errorf("%v: %v, expected %s", test.shape, err, test.want)
		}
	}
}

// A function that several formats bring is the same in each, so that one model can hold them all.
func TestAllFormatsInOneModel(t *testing.T) {
	m := &onnxpb.ModelProto{}
	roots := map[int32]bool{}
	for _, name := range catalog.Builtin().Names() {
		roots[add(t, m, name, 2, 256)] = true
	}
	if len(roots) != len(catalog.Builtin().Names()) {
		t.Errorf("%d roots of %d formats", len(roots), len(catalog.Builtin().Names()))
	}
	text, err := syntax.Print(m)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := syntax.Parse("printed", text); err != nil || !proto.Equal(m, again) {
		t.Errorf("the model does not come back from its text: %v", err)
	}
	m.Graph = &onnxpb.GraphProto{Name: "empty"}
	for _, d := range codec.Check(m, structview.CheckOptions{}) {
		if d.Severity != structview.Warning {
			t.Error(d.Error())
		}
	}
}

func add(t *testing.T, m *onnxpb.ModelProto, name string, shape ...int64) int32 {
	t.Helper()
	e, err := catalog.Builtin().Entry(name)
	if err != nil {
		t.Fatal(err)
	}
	in, err := e.Instantiate(shape)
	if err != nil {
		t.Fatal(err)
	}
	root, err := in.AddTo(m)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestAddToShares(t *testing.T) {
	m := &onnxpb.ModelProto{}
	first := add(t, m, "ggml.q4_0", 2, 64)
	if again := add(t, m, "ggml.q4_0", 2, 64); again != first {
		t.Errorf("the same declaration twice: %d and %d", first, again)
	}
	types, functions := len(m.StructTypes), len(m.Functions)
	other := add(t, m, "ggml.q4_0", 3, 64)
	if other == first || len(m.StructTypes) != types+1 || len(m.Functions) != functions {
		t.Errorf("another shape: root %d, %d declarations, %d functions", other, len(m.StructTypes)-types, len(m.Functions)-functions)
	}
	if got := m.StructTypes[first].Name; got != "ggml.q4_0[2,64]" {
		t.Errorf("the root is called %q", got)
	}
	add(t, m, "ggml.q5_0", 2, 64)
	if m.IrVersion != 13 || len(m.OpsetImport) != 2 {
		t.Errorf("IR %d, imports %v", m.IrVersion, m.OpsetImport)
	}
	if _, findings := structview.Resolve(m.StructTypes); len(findings) != 0 {
		t.Error(findings)
	}
}

func TestAddToRefuses(t *testing.T) {
	e, err := catalog.Builtin().Entry("ggml.q4_0")
	if err != nil {
		t.Fatal(err)
	}
	in, err := e.Instantiate([]int64{32})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		model *onnxpb.ModelProto
		want  string
	}{
		{
			&onnxpb.ModelProto{StructTypes: []*onnxpb.StructTypeProto{{Name: "ggml.q4_0"}}},
			`conflict: the model has another declaration "ggml.q4_0", struct_types[0]`,
		},
		{
			&onnxpb.ModelProto{Functions: []*onnxpb.FunctionProto{{Domain: "ggml", Name: "q4_0"}}},
			"conflict: the model has another function ggml.q4_0",
		},
		{
			&onnxpb.ModelProto{OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: 21}}},
			`conflict: opset_import: the model has version 21 of domain "", the format's codecs need 26`,
		},
		{
			&onnxpb.ModelProto{OpsetImport: []*onnxpb.OperatorSetIdProto{{Domain: "ai.onnx", Version: 21}}},
			`conflict: opset_import: the model has version 21 of domain "ai.onnx", the format's codecs need 26`,
		},
	} {
		before := proto.CloneOf(test.model)
		_, err := in.AddTo(test.model)
		if !errors.Is(err, catalog.ErrConflict) || err.Error() != test.want {
			t.Errorf("%v, expected %s", err, test.want)
		}
		if !proto.Equal(before, test.model) {
			t.Errorf("refused, but the model changed: %v", test.model)
		}
	}
}
