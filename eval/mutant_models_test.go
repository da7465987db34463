// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"path/filepath"
	"testing"

	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
)

// TestMutantModels damages the published tests of one node, control flow and sequences among them (see
// [eval.Mutants]).
func TestMutantModels(t *testing.T) {
	t.Parallel()
	models, err := filepath.Glob(filepath.Join("testdata", "node", "*", "model.onnx"))
	if err != nil || len(models) == 0 {
		t.Fatal("no tests", err)
	}
	for i, path := range models {
		model := &onnxpb.ModelProto{}
		readProto(t, path, model)
		dir := filepath.Dir(path)
		in := readValues(t, filepath.Join(dir, "test_data_set_0"), "input", model.GetGraph().GetInput())
		k := 0
		for m := range eval.Mutants(eval.AsFunction(model), in) {
			if k++; (k+i)%eval.MutantStep() > 0 {
				continue
			}
			m.What = filepath.Base(dir) + ": " + m.What
			m.Check(t)
		}
	}
}
