// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// AsFunction makes a function of a model's graph; its initializers become constants.
func AsFunction(m *onnxpb.ModelProto) *onnxpb.FunctionProto {
	f := &onnxpb.FunctionProto{Name: "f", OpsetImport: m.GetOpsetImport()}
	for _, in := range m.GetGraph().GetInput() {
		f.Input = append(f.Input, in.GetName())
	}
	for _, t := range m.GetGraph().GetInitializer() {
		f.Node = append(f.Node, &onnxpb.NodeProto{
			OpType: "Constant", Output: []string{t.GetName()},
			Attribute: []*onnxpb.AttributeProto{{Name: "value", Type: aTensor, T: t}},
		})
	}
	f.Node = append(f.Node, m.GetGraph().GetNode()...)
	for _, out := range m.GetGraph().GetOutput() {
		f.Output = append(f.Output, out.GetName())
	}
	return f
}

// seeds adds the small published tests, a node of each operator with its inputs as constants, and the bombs.
func seeds(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*", "*", "model.onnx"))
	if err != nil || len(paths) == 0 {
		f.Fatal("no seeds", err)
	}
	add := func(fn *onnxpb.FunctionProto) {
		if data, err := proto.Marshal(fn); err == nil && len(data) < 4096 {
			f.Add(data)
		}
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		var m onnxpb.ModelProto
		if err := proto.Unmarshal(data, &m); err != nil {
			f.Fatal(err)
		}
		add(AsFunction(&m))
	}
	last := map[string]Mutant{} // the newest entry
	for _, m := range goodNodes(f) {
		last[m.Function.GetNode()[0].GetOpType()] = m
	}
	for _, name := range slices.Sorted(maps.Keys(last)) {
		m := last[name]
		for i := len(m.Inputs) - 1; i >= 0; i-- {
			m = m.known(i)
		}
		add(m.Function)
	}
	for _, b := range bombs() {
		add(functionProto(21, nil, []string{"y"}, b.nodes...))
	}
}

// FuzzFunction compiles, infers and runs arbitrary functions: whatever they are, they end, within the limits and
// without a panic.
func FuzzFunction(f *testing.F) {
	seeds(f)
	pool := []Value{
		tensor.Of([]int64{2, 3}, float32(1), -2, 3, 0.5, 5, -6), tensor.Of([]int64{3}, int64(2), 0, 1),
		tensor.Of(nil, true), tensor.Of([]int64{2}, uint8(7), 200), nil,
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var fn onnxpb.FunctionProto
		if len(data) > 1<<14 || proto.Unmarshal(data, &fn) != nil {
			return
		}
		functions := []*onnxpb.FunctionProto{&fn} // a function that names itself is recursion
		p, err := Compile(&fn, Env{Functions: functions, Limits: Limits{Elements: 1 << 22, Bytes: 1 << 22, Nodes: 1 << 9, Depth: 8}})
		if err != nil {
			return
		}
		for k := range pool {
			in := make([]Value, len(p.Inputs()))
			types := make([]ValueType, len(in))
			for i := range in {
				in[i] = pool[(i+k)%len(pool)]
				types[i] = TypeOf(in[i]).valueless()
			}
			start := time.Now()
			_, inferErr := p.Infer(types)
			_, err := p.Run(context.Background(), in)
			if d := time.Since(start); d > 5*time.Second {
				t.Fatalf("took %v", d)
			}
			if err != nil && strings.Contains(err.Error(), "internal") || inferErr != nil && strings.Contains(inferErr.Error(), "internal") {
				t.Fatalf("%v, %v", err, inferErr)
			}
			if errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
		}
		if _, err := p.Infer(nil); err != nil && strings.Contains(err.Error(), "internal") {
			t.Fatal(err)
		}
	})
}
