// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"context"
	"fmt"

	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// A function of two nodes: codes times their scale, as many formats decode.
func ExampleCompile() {
	decode := &onnxpb.FunctionProto{
		Name: "decode", Input: []string{"d", "q"}, Output: []string{"y"},
		OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: 26}},
		Node: []*onnxpb.NodeProto{
			{OpType: "CastLike", Input: []string{"q", "d"}, Output: []string{"f"}},
			{OpType: "Mul", Input: []string{"d", "f"}, Output: []string{"y"}},
		},
	}
	program, err := eval.Compile(decode, eval.Env{})
	if err != nil {
		fmt.Println(err)
		return
	}
	types, err := program.Infer([]eval.ValueType{
		eval.TensorType(tensor.Float, -1, 1), eval.TensorType(tensor.Int8, -1, 4),
	})
	fmt.Println(types, err)

	d := tensor.Of([]int64{2, 1}, float32(0.5), 2)
	q := tensor.Of([]int64{2, 4}, int8(1), 2, 3, 4, -1, -2, -3, -4)
	out, err := program.Run(context.Background(), []eval.Value{d, q})
	fmt.Println(tensor.Slice[float32](out[0].(*tensor.Tensor)), err)
	// Output:
	// [FLOAT[?,4]] <nil>
	// [0.5 1 1.5 2 -2 -4 -6 -8] <nil>
}
