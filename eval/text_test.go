// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"testing"

	"github.com/structview/structview/tensor"
)

// text shows a value in a test's message.
func text(v Value) string {
	t, ok := v.(*tensor.Tensor)
	if !ok {
		return fmt.Sprintf("%T", v)
	}
	if t.Type() == tensor.String {
		return fmt.Sprintf("%v %q", TypeOf(t), t.Strings())
	}
	if f, err := tensor.Float64s(t); err == nil && t.Type().IsFloat() {
		return fmt.Sprintf("%v %v", TypeOf(t), f)
	}
	if n, err := tensor.Int64s(t); err == nil {
		return fmt.Sprintf("%v %v", TypeOf(t), n)
	}
	return fmt.Sprintf("%v % x", TypeOf(t), t.Bytes())
}

func TestArithmeticKnown(t *testing.T) {
	f := tensor.Of[float32]
	wantNode(t, 14, "Add", []Value{f([]int64{2, 3}, 1, 2, 3, 4, 5, 6), f([]int64{3}, 10, 20, 30)},
		f([]int64{2, 3}, 11, 22, 33, 14, 25, 36))
	wantNode(t, 14, "Sub", []Value{f([]int64{2, 1}, 1, 2), f([]int64{1, 3}, 10, 20, 40)},
		f([]int64{2, 3}, -9, -19, -39, -8, -18, -38))
	wantNode(t, 14, "Mul", []Value{tensor.Of([]int64{2}, uint8(100), 3), tensor.Of(nil, uint8(3))},
		tensor.Of([]int64{2}, uint8(44), 9))
	wantError(t, 14, "Add", []Value{f([]int64{2}, 1, 2), f([]int64{3}, 1, 2, 3)},
		"node 0 (Add): shapes [2] and [3] do not broadcast")
}

func TestReshapeConcat(t *testing.T) {
	f := tensor.Of[float32]
	wantNode(t, 21, "Reshape", []Value{f([]int64{2, 3}, 1, 2, 3, 4, 5, 6), tensor.Of([]int64{2}, int64(-1), 2)},
		f([]int64{3, 2}, 1, 2, 3, 4, 5, 6))
	wantNode(t, 21, "Concat", []Value{f([]int64{2, 1}, 1, 2), f([]int64{2, 2}, 3, 4, 5, 6)},
		f([]int64{2, 3}, 1, 3, 4, 2, 5, 6), intAttribute("axis", -1))
	wantNode(t, 21, "Cast", []Value{f([]int64{2}, 1.5, -2.5)}, tensor.Of([]int64{2}, int8(1), -2), intAttribute("to", 3))
}
