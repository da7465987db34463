// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"fmt"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
	"google.golang.org/protobuf/encoding/prototext"
)

// A pixel is 5 bits of red, 6 of green and 5 of blue.
const pixels = `struct_types {
  name: "rgb565"
  bit_packing {
    component { name: "b" bit_width: 5 }
    component { name: "g" bit_width: 6 }
    component { name: "r" bit_width: 5 }
    dimension: 3
  }
}`

func Example() {
	var m onnxpb.ModelProto
	if err := prototext.Unmarshal([]byte(pixels), &m); err != nil {
		fmt.Println(err)
		return
	}
	declarations, findings := structview.Resolve(m.StructTypes)
	if err := structview.Errors(findings); err != nil {
		fmt.Println(err)
		return
	}
	rgb, err := declarations.At(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := structview.NewView(rgb, []byte{0x00, 0xF8, 0xE0, 0x07, 0x1F, 0x00})
	if err != nil {
		fmt.Println(err)
		return
	}
	green, err := v.At("[1].g")
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := v.Uint64(green)
	fmt.Println("one element:", x, err)

	red, err := structview.Bind(v, "r")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("all of them:", red.Type(), red.Dims(), tensor.Slice[uint8](red))

	for leaf := range rgb.Layout().Leaves() {
		fmt.Println("leaf:", leaf.Path, leaf.Width, "bits at bit", leaf.Offset, leaf.Dims)
	}
	// Output:
	// one element: 63 <nil>
	// all of them: UINT8 [3] [31 0 0]
	// leaf: b 5 bits at bit 0 [{3 16}]
	// leaf: g 6 bits at bit 5 [{3 16}]
	// leaf: r 5 bits at bit 11 [{3 16}]
}

func ExampleCheck() {
	var m onnxpb.ModelProto
	if err := prototext.Unmarshal([]byte(pixels), &m); err != nil {
		fmt.Println(err)
		return
	}
	m.Graph = &onnxpb.GraphProto{StructInitializer: []*onnxpb.StructProto{
		{Name: "image", RawData: make([]byte, 8)},
		{Name: "image", Type: 1},
	}}
	for _, finding := range structview.Check(&m, structview.CheckOptions{}) {
		fmt.Println(finding.Error())
	}
	// Output:
	// SV022 error: graph.struct_initializer[0]: raw_data has 8 bytes; "rgb565" takes 6
	// SV050 error: graph.struct_initializer[1]: the name "image" is taken by struct_initializer[0]
	// SV002 error: graph.struct_initializer[1]: type 1 names no declaration: struct_types has only entry 0
}

func ExampleBytesOf() {
	declarations, _ := structview.Resolve([]*onnxpb.StructTypeProto{q4(), array(ref(0), 2)})
	blocks, err := declarations.At(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	payload := make([]byte, 36)
	payload[1], payload[19] = 0x3C, 0x40 // 1 and 2 as FLOAT16
	v, err := structview.NewView(blocks, payload)
	if err != nil {
		fmt.Println(err)
		return
	}
	scales, err := v.At("d")
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := structview.BytesOf[tensor.F16](v, scales)
	if err != nil {
		fmt.Println(err)
		return
	}
	for d := range run.All() {
		fmt.Println(tensor.F16ToF32(uint16(d)))
	}
	// Output:
	// 1
	// 2
}
