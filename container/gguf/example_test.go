// SPDX-License-Identifier: Apache-2.0

package gguf_test

import (
	"fmt"

	"github.com/structview/structview/container"
	"github.com/structview/structview/container/gguf"
)

func Example() {
	file, err := container.Open("testdata/align64.gguf", container.Options{}, gguf.Format{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for _, t := range file.Model.Graph.Initializer {
		fmt.Println(t.Name, t.Dims)
	}
	for _, v := range file.Model.Graph.StructInitializer {
		payload, err := file.Bytes(v)
		fmt.Println(v.Name, file.Model.StructTypes[v.Type].Name, len(payload), err)
	}
	// Output:
	// gguf.header [384]
	// a.f32 [2 5]
	// c.f16 [33]
	// b.q4_0 ggml.q4_0[3,64] 108 <nil>
	// d.q6_K ggml.q6_K[256] 210 <nil>
}
