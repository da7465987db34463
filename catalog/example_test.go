// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"fmt"

	"github.com/structview/structview/catalog"
)

// A value of logical shape [2, 64] in blocks of 32 values.
func Example() {
	entry, err := catalog.Builtin().Entry("ggml.q4_0")
	if err != nil {
		fmt.Println(err)
		return
	}
	value, err := entry.Instantiate([]int64{2, 64})
	if err != nil {
		fmt.Println(err)
		return
	}
	root, err := value.Type()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(root.Name(), root.Bits()/8, "bytes, inputs", root.Decoder().Input)
	for _, f := range value.Functions {
		fmt.Println(f.Domain, f.Name)
	}
	// Output:
	// ggml.q4_0[2,64] 72 bytes, inputs [d qs.lo qs.hi]
	// ggml signed_absmax
	// ggml inverse_or_zero
	// ggml q4_0
	// ggml q4_0_encode
}
