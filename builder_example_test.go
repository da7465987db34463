// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"fmt"

	"github.com/structview/structview"
	"github.com/structview/structview/syntax"
	"github.com/structview/structview/tensor"
)

func ExampleStructure() {
	block := structview.Structure(
		structview.FieldOf("d", structview.Scalar(tensor.Float16)).Doc("scale of the block"),
		structview.FieldOf("qs", structview.Bits(16,
			structview.ComponentOf("lo", 4), structview.ComponentOf("hi", 4))),
		structview.Constant("codes", tensor.Of([]int64{4}, float32(-1), -0.5, 0.5, 1)),
	).Named("demo.block").Metadata("values", "32")

	row, err := structview.Array(8, structview.RefTo(block)).Type()
	if err != nil {
		fmt.Println(err)
		return
	}
	size, _ := row.Bytes()
	fmt.Println(size, "bytes")
	for leaf := range row.Layout().Leaves() {
		fmt.Println(leaf.Path, leaf.Element, leaf.Dims)
	}
	// Output:
	// 144 bytes
	// d FLOAT16 [{8 144}]
	// qs.lo UINT8 [{8 144} {16 8}]
	// qs.hi UINT8 [{8 144} {16 8}]
	// codes FLOAT [{4 32}]
}

// A model with a declaration, whose decoder is text, and a value that a Writer fills.
func ExampleModelBuilder() {
	decoder, err := syntax.ParseFunction("decoder", []byte(`
		<opset_import: ["": 26]> (d, qs.lo) => (y) {
			s = Cast <to = 1> (d)
			q = Cast <to = 1> (qs.lo)
			y = Mul (q, s)
		}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	block := structview.Structure(
		structview.FieldOf("d", structview.Scalar(tensor.Float16)),
		structview.FieldOf("qs", structview.Bits(2, structview.ComponentOf("lo", 4), structview.ComponentOf("hi", 4))),
	).Named("demo.block").Decoder(decoder)

	t, err := block.Type()
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := structview.NewWriter(t)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range []error{w.Set("d", 0.25), w.Set("qs.lo", []int{3, 15}), w.Zero("qs.hi")} {
		if step != nil {
			fmt.Println(step)
		}
	}
	payload, err := w.Bytes()
	if err != nil {
		fmt.Println(err)
		return
	}

	b := structview.NewModel("weights")
	index := b.Declare(block)
	m, err := b.
		Value("w", index, payload).
		External("v", index, structview.External{Location: "weights.bin", Offset: 4096, Length: 4}).
		Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range m.GetGraph().GetStructInitializer() {
		fmt.Printf("%s: type %d, % x %d\n", v.GetName(), v.GetType(), v.GetRawData(), len(v.GetExternalData()))
	}
	fmt.Println(m.GetOpsetImport()[0].GetVersion())
	// Output:
	// w: type 0, 00 34 03 0f 0
	// v: type 0,  3
	// 26
}

func ExampleExtendModel() {
	m, err := syntax.Parse("points", []byte(`<ir_version: 13, opset_import: ["": 26]>
		struct demo.point { int16 x int16 y }`))
	if err != nil {
		fmt.Println(err)
		return
	}
	b := structview.ExtendModel(m)
	line := b.Declare(structview.Array(2, structview.RefIndex(0)).Named("demo.line"))
	m, err = b.Value("diagonal", line, []byte{0, 0, 0, 0, 1, 0, 1, 0}).Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(m.GetStructTypes()), m.GetGraph().GetStructInitializer()[0].GetName())
	// Output:
	// 2 diagonal
}
