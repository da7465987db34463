// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

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
