// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"fmt"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

// A sample is 3 bits of state and 5 spare ones, a scale, and four signed codes.
func sampleType() *structview.Type {
	sample := structview.Structure(
		structview.FieldOf("flags", structview.Bits(1, structview.ComponentOf("state", 3), structview.ComponentOf("spare", 5))),
		structview.FieldOf("scale", structview.Scalar(tensor.Float16)),
		structview.FieldOf("codes", structview.Tensor(tensor.Int4, 4)),
	).Named("sample")
	t, err := structview.Array(2, structview.RefTo(sample)).Type()
	if err != nil {
		panic(err)
	}
	return t
}

func ExampleWriter() {
	w, err := structview.NewWriter(sampleType())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range []error{
		w.Set("[0].flags[0].state", 5),
		w.Set("[0].scale", 0.5),
		w.Set("[0].codes", []int{-8, 7, 1, 0}),
		w.Set("[1].codes[3]", 9),
	} {
		if step != nil {
			fmt.Println(step)
		}
	}
	_, err = w.Bytes()
	fmt.Println(err)
	// Output:
	// SV047 error: [1].codes[3]: 9 does not fit INT4 (4 bits): write -8 to 7
	// structview: the value is not complete; unset: flags.state (1 of 2, from [1].flags[0].state on); flags.spare (all 2); scale (1 of 2, from [1].scale on); codes (4 of 8, from [1].codes[0] on): write them, or say Writer.Zero of what shall be 0
}

// Whole leaves are written at once: a path without indices leads to the field of every
// structure.
func ExampleWriter_Set() {
	w, err := structview.NewWriter(sampleType())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range []error{
		w.Set("flags.state", []int{5, 6}),
		w.Set("scale", []tensor.F16{0x3800, 0xC000}),
		w.Set("codes", tensor.Of([]int64{2, 4}, int8(-8), 7, 1, 0, 1, 2, 3, 4)), // another type
		w.Set("codes", []int8{-8, 7, 1, 0, 1, 2, 3, 4}),                         // numbers are converted
		w.Set("[1].codes[:2]", []int{5, 6}),
	} {
		if step != nil {
			fmt.Println(step)
		}
	}
	codes, err := structview.Bind(w.View(), "codes")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tensor.UnpackInt8(codes))
	// Output:
	// SV041 error: codes: found a tensor of INT8: the elements are INT4; see tensor.Convert
	// [-8 7 1 0 5 6 3 4]
}

func ExampleWriter_Zero() {
	w, err := structview.NewWriter(sampleType())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range []error{
		w.Zero("flags.spare"), // padding is 0 because somebody says so
		w.Set("flags.state", []int{5, 6}),
		w.Set("scale", []float64{0.5, -2}),
		w.Set("codes", []int{-8, 7, 1, 0, 1, 2, 3, 4}),
	} {
		if step != nil {
			fmt.Println(step)
		}
	}
	payload, err := w.Bytes()
	fmt.Printf("% x %v\n", payload, err)
	// Output:
	// 05 00 38 78 01 06 00 c0 21 43 <nil>
}

// Prepared references and parts: the paths are looked up once, for every sample.
func ExampleWriter_Index() {
	samples := sampleType()
	w, err := structview.NewWriter(samples)
	if err != nil {
		fmt.Println(err)
		return
	}
	scale, err := samples.Elem().Layout().Leaf("scale")
	if err != nil {
		fmt.Println(err)
		return
	}
	ref := samples.Elem().Layout().Ref(scale)
	for i := range samples.Len() {
		sample, err := w.Index(i)
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := sample.SetFloat64(ref, float64(i+1)/4); err != nil {
			fmt.Println(err)
			return
		}
	}
	x, err := structview.Bind(w.View(), "scale")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%#04x\n", tensor.Slice[tensor.F16](x))
	// Output:
	// [0x3400 0x3800]
}

func ExampleWriter_overflow() {
	w, err := structview.NewWriter(sampleType())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Set("[0].scale", 1e6))
	w.Overflow = structview.Infinite
	fmt.Println(w.Set("[0].scale", 1e6))
	// Output:
	// SV047 error: [0].scale: 1e+06 does not fit FLOAT16 (16 bits): write -65504 to 65504, or set Writer.Overflow
	// <nil>
}

func ExamplePatch() {
	payload := []byte{0x05, 0x00, 0x38, 0x78, 0x01, 0x06, 0x00, 0xc0, 0x21, 0x43}
	w, err := structview.Patch(sampleType(), payload)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Set("[1].codes[1]", -1); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("% x\n", payload)
	// Output:
	// 05 00 38 78 01 06 00 c0 f1 43
}

func ExamplePatchCopy() {
	payload := []byte{0x05, 0x00, 0x38, 0x78, 0x01, 0x06, 0x00, 0xc0, 0x21, 0x43}
	v, err := structview.NewView(sampleType(), payload)
	if err != nil {
		fmt.Println(err)
		return
	}
	second, err := v.Index(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := structview.PatchCopy(second)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Set("flags.state", []int{1}); err != nil {
		fmt.Println(err)
	}
	changed, err := w.Bytes()
	fmt.Printf("% x %v, of % x\n", changed, err, payload[5:])
	// Output:
	// 01 00 c0 21 43 <nil>, of 06 00 c0 21 43
}
