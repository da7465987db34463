// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"fmt"
	"os"

	"github.com/structview/structview/syntax"
)

func ExampleParse() {
	m, err := syntax.Parse("points.onnxtxt", []byte(`<ir_version: 13, opset_import: ["": 26]>
		## a point of the plane
		struct demo.point { int16 x  int16 y  uint8[4] = {255, 128, 0, 255} colour }
	`))
	fmt.Println(err)
	m, err = syntax.Parse("points.onnxtxt", []byte(`<ir_version: 13, opset_import: ["": 26]>
		## a point of the plane
		struct demo.point { int16 x  int16 y  uint8[4] colour = {255, 128, 0, 255} }
	`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.GetStructTypes()[0].GetStructure().GetField()[1].GetName())
	// Output:
	// points.onnxtxt:3:50: expected the field's name, found `=`
	// y
}

func ExamplePrint() {
	m, err := syntax.Parse("points.onnxtxt", []byte(`<ir_version: 13>
		struct demo.point { int16 x int16 y } # comments are not kept
		type demo.line = array( demo.point, 2 )
		decoder <opset_import: ["": 26]> (x) => (first) { first = Cast<to=1>(x) }
	`))
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := syntax.Print(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.Write(text)
	// Output:
	// <ir_version: 13>
	//
	// struct demo.point {
	//   int16 x
	//   int16 y
	// }
	//
	// type demo.line = array(demo.point, 2)
	// decoder <opset_import: ["": 26]> (x) => (first) {
	//   first = Cast <to = 1> (x)
	// }
}
