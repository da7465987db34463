// SPDX-License-Identifier: Apache-2.0

package onnxpb_test

import (
	"bytes"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
)

func ExampleReadSkeleton() {
	weight := &onnxpb.TensorProto{Name: "weight", DataType: 2, Dims: []int64{4096}, RawData: make([]byte, 4096)}
	file, err := proto.Marshal(&onnxpb.ModelProto{Graph: &onnxpb.GraphProto{Initializer: []*onnxpb.TensorProto{weight}}})
	if err != nil {
		panic(err)
	}
	s, err := onnxpb.ReadSkeleton(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		panic(err)
	}
	w := s.Model.Graph.Initializer[0]
	at, _ := s.Payload(w)
	fmt.Printf("%s: %d bytes in memory, %d bytes at %d of the file\n", w.Name, len(w.RawData), at.Length, at.Offset)
	// Output: weight: 0 bytes in memory, 4096 bytes at 22 of the file
}
