// SPDX-License-Identifier: Apache-2.0

package onnx_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/structview/structview/container"
	"github.com/structview/structview/container/onnx"
	"github.com/structview/structview/onnxpb"
)

func Example() {
	dir, err := os.MkdirTemp("", "structview")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.onnx")
	value := &onnxpb.StructProto{Name: "weight", RawData: make([]byte, 4096)}
	model := &onnxpb.ModelProto{IrVersion: 13, Graph: &onnxpb.GraphProto{StructInitializer: []*onnxpb.StructProto{value}}}
	if err := onnx.WriteFile(path, false, model); err != nil {
		panic(err)
	}

	f, err := container.Open(path, container.Options{}, onnx.Format{})
	if err != nil {
		panic(err)
	}
	defer f.Close()
	for _, v := range f.Model.Graph.StructInitializer {
		place, err := f.Place(v)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: %d bytes at byte %d\n", v.Name, place.Length, place.Offset)
	}
	// Output: weight: 4096 bytes at byte 12
}
