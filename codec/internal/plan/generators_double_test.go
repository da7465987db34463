// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"testing"

	"github.com/structview/structview/tensor"
)

// doubleTypes are mostly DOUBLE.
var doubleTypes = []tensor.Type{
	tensor.Double, tensor.Double, tensor.Double, tensor.Double, tensor.Double, tensor.Float, tensor.Float, tensor.Float16, tensor.Int8,
	tensor.Uint16, tensor.Int16, tensor.Int32, tensor.Uint32, tensor.Int64, tensor.Uint64, tensor.Bool,
}

// TestDoubles: operators on lanes of DOUBLE, from and to other types.
func TestDoubles(t *testing.T) { onTypes(t, 31, doubleTypes) }
