// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"context"
	"fmt"

	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// A function of one node: y = x * scale.
func Example() {
	fn := &onnxpb.FunctionProto{
		Name: "scaled", Input: []string{"x", "scale"}, Output: []string{"y"},
		OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: 26}},
		Node:        []*onnxpb.NodeProto{{OpType: "Mul", Input: []string{"x", "scale"}, Output: []string{"y"}}},
	}
	program, err := eval.Compile(fn, eval.Env{})
	if err != nil {
		fmt.Println(err)
		return
	}
	types, err := program.Infer([]eval.ValueType{eval.TensorType(tensor.Float, -1, 3), eval.TensorType(tensor.Float)})
	fmt.Println(types[0], err)

	x, scale := tensor.Of([]int64{1, 3}, float32(1), 2, 3), tensor.Of(nil, float32(0.5))
	out, err := program.Run(context.Background(), []eval.Value{x, scale})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tensor.Slice[float32](out[0].(*tensor.Tensor)))
	// Output:
	// FLOAT[?,3] <nil>
	// [0.5 1 1.5]
}
