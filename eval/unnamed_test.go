// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
)

// TestUnnamedOutputs runs the published tests of one node with every choice of outputs without a name: the others
// keep their values.
func TestUnnamedOutputs(t *testing.T) {
	models, err := filepath.Glob(filepath.Join("testdata", "node", "*", "model.onnx"))
	if err != nil || len(models) == 0 {
		t.Fatal("no tests", err)
	}
	for _, path := range models {
		model := &onnxpb.ModelProto{}
		readProto(t, path, model)
		if len(model.GetGraph().GetNode()) != 1 || len(model.GetFunctions()) > 0 {
			continue
		}
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) { unnamed(t, model.GetGraph(), model, filepath.Join(dir, "test_data_set_0")) })
	}
}

func unnamed(t *testing.T, graph *onnxpb.GraphProto, model *onnxpb.ModelProto, set string) {
	inputs := readValues(t, set, "input", graph.GetInput())
	expected := readValues(t, set, "output", graph.GetOutput())
	names, declared := slices.Clone(graph.GetNode()[0].GetOutput()), graph.GetOutput()
	for mask := 1; mask < 1<<len(names); mask++ {
		var kept []*onnxpb.ValueInfoProto
		var want []eval.Value
		for i, d := range declared {
			if k := slices.Index(names, d.GetName()); k < 0 || mask>>k&1 == 0 {
				kept, want = append(kept, d), append(want, expected[i])
			}
		}
		out := slices.Clone(names)
		for k := range out {
			if mask>>k&1 == 1 {
				out[k] = ""
			}
		}
		graph.GetNode()[0].Output, graph.Output = out, kept
		program, err := eval.CompileModel(model, eval.Env{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := program.Run(context.Background(), inputs)
		if err != nil {
			t.Fatalf("outputs %q: %v", out, err)
		}
		for i := range want {
			if err := compareValues(got[i], want[i]); err != nil {
				t.Errorf("outputs %q: %v", out, err)
			}
		}
	}
}
