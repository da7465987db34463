// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"strings"
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// TestUnused runs no node that nothing depends on, and checks it still.
func TestUnused(t *testing.T) {
	x := []string{"x"}
	inner := functionProto(21, x, []string{"y"},
		nodeProto("Sub", []string{"x", "x"}, []string{"zero"}),
		nodeProto("Div", []string{"x", "zero"}, []string{"never"}),
		nodeProto("Neg", []string{"never"}, []string{"either"}),
		nodeProto("Abs", x, []string{"y"}))
	inner.Name, inner.Domain = "f", "d"
	main := imports2(functionProto(21, x, []string{"y"},
		call1("d", "f", x, []string{"a"}),
		nodeProto("Mod", []string{"x", "b"}, []string{"never"}),
		nodeProto("Add", []string{"a", "a"}, []string{"y"})), "d")
	main.Node = append([]*onnxpb.NodeProto{nodeProto("Sub", []string{"x", "x"}, []string{"b"})}, main.Node...)
	env := Env{Functions: []*onnxpb.FunctionProto{inner}}
	in := []Value{tensor.Of([]int64{2}, int32(-3), 4)}
	runProgram(t, main, env, in, tensor.Of([]int64{2}, int32(6), 8))

	main.Node[2].Input = []string{"x", "a", "b"}
	if _, err := Compile(main, env); err == nil || !strings.Contains(err.Error(), "3 inputs") {
		t.Errorf("an unused node with too many inputs: %v", err)
	}
	main.Node[2].Input, main.Output = []string{"x", "b"}, []string{"never"}
	program, err := Compile(main, env)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := program.Run(t.Context(), in); err == nil || !strings.Contains(err.Error(), "division by zero") {
		t.Errorf("a node that gives the output: %v", err)
	}
}
