// SPDX-License-Identifier: Apache-2.0

package npy_test

import (
	"bytes"
	"fmt"

	"github.com/structview/structview/container/npy"
	"github.com/structview/structview/tensor"
)

func ExampleWrite() {
	var file bytes.Buffer
	x := tensor.Of([]int64{2, 2}, float32(1), 2, 3, 4)
	if err := npy.Write(&file, x); err != nil {
		panic(err)
	}
	fmt.Printf("%.59s\n", file.String()[10:])
	fmt.Println(file.Len(), "bytes")
	// Output:
	// {'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }
	// 144 bytes
}
