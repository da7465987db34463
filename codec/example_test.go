// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"context"
	"fmt"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/syntax"
	"github.com/structview/structview/tensor"
)

// Temperatures in twelve bits each, in quarters of a degree above -40.
const thermometer = `
<ir_version: 13, opset_import: ["": 26]>
struct thermometer {
  bits(quarters: 12)[2] readings
  float lowest = {-40.0}
}
decoder <opset_import: ["": 26]> (readings.quarters, lowest) => (degrees) {
  t = Cast <to = 1> (readings.quarters)
  four = Constant <value_float = 4.0> ()
  above = Div (t, four)
  degrees = Add (above, lowest)
}
encoder <opset_import: ["": 26]> (degrees, lowest) => (readings.quarters) {
  above = Sub (degrees, lowest)
  four = Constant <value_float = 4.0> ()
  t = Mul (above, four)
  rounded = Round (t)
  readings.quarters = Cast <to = 4> (rounded)
}
`

func Example() {
	model, err := syntax.Parse("thermometer.onnxtxt", []byte(thermometer))
	if err != nil {
		fmt.Println(err)
		return
	}
	declarations, _ := structview.Resolve(model.StructTypes)
	root, err := declarations.At(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := codec.New(root, codec.Env{Opsets: model.OpsetImport})
	if err != nil {
		fmt.Println(err)
		return
	}
	degrees, err := c.Decode(context.Background(), []byte{0xf2, 0x70, 0x0c})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tensor.Slice[float32](degrees))

	payload, err := c.Encode(context.Background(), tensor.Of([]int64{2}, float32(-40), 21.5))
	fmt.Printf("% x %v\n", payload, err)
	_, err = c.Encode(context.Background(), tensor.Of([]int64{2}, float32(20), 1000))
	fmt.Println(err)
	// Output:
	// [20.5 9.75]
	// 00 60 0f <nil>
	// encoder: output "readings.quarters": element [1] is 4160, which does not fit 12 bits (at most 4095)
}
