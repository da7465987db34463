// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"fmt"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

// sample is 3 bytes: a sample of 12 bits, a channel and 3 unused bits, and a gain.
type sample struct {
	Value   uint16 `structview:"bits=12"`
	Channel uint8  `structview:"bits=1"`
	_       uint8  `structview:"bits=3"`
	Gain    tensor.E5M2
}

func ExampleTypeOf() {
	t, err := structview.TypeOf[sample]()
	if err != nil {
		fmt.Println(err)
		return
	}
	for leaf := range t.Layout().Leaves() {
		fmt.Println(leaf.Path, leaf.Width, "bits at bit", leaf.Offset)
	}
	_, err = structview.TypeOf[struct{ Name string }]()
	fmt.Println(err)
	// Output:
	// Value.value 12 bits at bit 0
	// Channel.value 1 bits at bit 12
	// _.value 3 bits at bit 13
	// Gain 8 bits at bit 16
	// structview: Go type struct.Name: a string has no fixed size: write [N]byte
}

func ExampleFrom() {
	payload := make([]byte, 3)
	if err := structview.From(payload, sample{Value: 0xABC, Channel: 1, Gain: 0x3C}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("% x\n", payload)
	fmt.Println(structview.From(payload, sample{Value: 4096}))
	// Output:
	// bc 1a 3c
	// structview: structview_test.sample: Value[0].value: 4096 does not fit 12 bits: expected 0 to 4095
}

func ExampleAs() {
	t, err := structview.TypeOf[[2]sample]()
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := structview.NewView(t, []byte{0xBC, 0x1A, 0x3C, 0x01, 0x00, 0x40})
	if err != nil {
		fmt.Println(err)
		return
	}
	both, err := structview.As[[2]sample](v)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(both[0].Value, both[0].Channel, tensor.ToFloat(tensor.Float8E5M2, uint64(both[1].Gain)))

	_, err = structview.AliasSlice[sample](v)
	fmt.Println(err)
	// Output:
	// 2748 1 2
	// structview: Go type structview_test.sample has no alias: Value.value has 12 bits, which Go has no type for; use As
}
