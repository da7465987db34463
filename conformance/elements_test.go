// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"fmt"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// elementTypes are all element types of ONNX, found by asking for every number.
func elementTypes(t *testing.T) []tensor.Type {
	var all []tensor.Type
	for i := range 64 {
		if e := tensor.Type(i); e.Valid() {
			all = append(all, e)
		}
	}
	if len(all) != 26 {
		t.Fatalf("%d element types, want 26", len(all))
	}
	return all
}

// TestOneValueFourWays reads the same bytes as a field, as a constant, as raw_data of a
// TensorProto, and through a decoder.
func TestOneValueFourWays(t *testing.T) {
	for _, element := range elementTypes(t) {
		t.Run(element.String(), func(t *testing.T) {
			if element == tensor.String {
				stringsFourWays(t)
				return
			}
			const n = 8 // of 2 bits and more: whole bytes
			data := make([]byte, n*element.Bits()/8)
			for i := range data {
				data[i] = byte(37*i + 0x9b) // distinct; BOOL elements are no 0 and 1, which must survive too
			}
			want, err := tensor.FromProto(&onnxpb.TensorProto{DataType: int32(element), Dims: []int64{n}, RawData: data})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "raw_data", want, tensorOf(t, element, n, data))
			fields(t, want, data)
		})
	}
}

func tensorOf(t *testing.T, element tensor.Type, n int64, data []byte) *tensor.Tensor {
	t.Helper()
	x, err := tensor.New(element, []int64{n}, data)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// fields declares the elements three times: at bit 0, at bit 3, and as a constant.
func fields(t *testing.T, want *tensor.Tensor, data []byte) {
	t.Helper()
	leaf := typeProto(want.Type(), want.Dims())
	packed := func(width uint32) *onnxpb.TypeProto {
		return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_StructType{StructType: &onnxpb.StructTypeProto{
			Kind: &onnxpb.StructTypeProto_BitPacking_{BitPacking: &onnxpb.StructTypeProto_BitPacking{
				Component: []*onnxpb.StructTypeProto_BitPacking_Component{{Name: "c", BitWidth: width}}, Dimension: 1,
			}},
		}}}
	}
	field := func(name string, tp *onnxpb.TypeProto) *onnxpb.StructTypeProto_Field {
		return &onnxpb.StructTypeProto_Field{Name: name, Content: &onnxpb.StructTypeProto_Field_Type{Type: tp}}
	}
	constant := &onnxpb.StructTypeProto_Field{Name: "constant", Content: &onnxpb.StructTypeProto_Field_Constant{Constant: want.Proto("")}}
	declare := func(input string) *onnxpb.StructTypeProto {
		return &onnxpb.StructTypeProto{
			Kind: &onnxpb.StructTypeProto_Structure_{Structure: &onnxpb.StructTypeProto_Structure{Field: []*onnxpb.StructTypeProto_Field{
				field("aligned", leaf), field("three", packed(3)), field("shifted", leaf), field("five", packed(5)), constant,
			}}},
			Decoder: identity(input),
		}
	}
	payload := append(append([]byte{}, data...), shifted(data, 3)...)
	for _, path := range []string{"aligned", "shifted", "constant"} {
		root := resolve(t, declare(path))
		v, err := structview.NewView(root, payload)
		if err != nil {
			t.Fatal(err)
		}
		bound, err := structview.Bind(v, path)
		if err != nil {
			t.Fatal(err)
		}
		same(t, path, want, bound)
		c, err := codec.New(root, codec.Env{})
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := c.Decode(t.Context(), payload)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "decoder of "+path, want, decoded)
	}
}

// stringsFourWays: strings have no width, so that they can only be constants.
func stringsFourWays(t *testing.T) {
	t.Helper()
	values := [][]byte{[]byte("a"), {}, []byte("\xff\x00b")}
	want, err := tensor.NewStrings([]int64{3}, values)
	if err != nil {
		t.Fatal(err)
	}
	message, err := tensor.FromProto(&onnxpb.TensorProto{DataType: int32(tensor.String), Dims: []int64{3}, StringData: values})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "string_data", want, message)
	constant := &onnxpb.StructTypeProto_Field{Name: "s", Content: &onnxpb.StructTypeProto_Field_Constant{Constant: want.Proto("")}}
	root := resolve(t, &onnxpb.StructTypeProto{
		Kind:    &onnxpb.StructTypeProto_Structure_{Structure: &onnxpb.StructTypeProto_Structure{Field: []*onnxpb.StructTypeProto_Field{constant}}},
		Decoder: identity("s"),
	})
	v, err := structview.NewView(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	bound, err := structview.Bind(v, "s")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "constant", want, bound)
	c, err := codec.New(root, codec.Env{})
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := c.Decode(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "decoder", want, decoded)
}

func typeProto(element tensor.Type, dims []int64) *onnxpb.TypeProto {
	shape := &onnxpb.TensorShapeProto{}
	for _, d := range dims {
		shape.Dim = append(shape.Dim, &onnxpb.TensorShapeProto_Dimension{Value: &onnxpb.TensorShapeProto_Dimension_DimValue{DimValue: d}})
	}
	return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_TensorType{TensorType: &onnxpb.TypeProto_Tensor{ElemType: int32(element), Shape: shape}}}
}

func identity(input string) *onnxpb.FunctionProto {
	return &onnxpb.FunctionProto{
		Input: []string{input}, Output: []string{"y"}, OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: 26}},
		Node: []*onnxpb.NodeProto{{OpType: "Identity", Input: []string{input}, Output: []string{"y"}}},
	}
}

func resolve(t *testing.T, p *onnxpb.StructTypeProto) *structview.Type {
	t.Helper()
	d, findings := structview.Resolve([]*onnxpb.StructTypeProto{p})
	if err := structview.Errors(findings); err != nil {
		t.Fatal(err)
	}
	root, err := d.At(0)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// shifted moves bytes up by n bits; the bits that enter are ones.
func shifted(data []byte, n int) []byte {
	out, carry := make([]byte, len(data)+1), byte(1<<n-1)
	for i, b := range data {
		out[i], carry = b<<n|carry, b>>(8-n)
	}
	out[len(data)] = 0xff<<n | carry
	return out
}

func same(t *testing.T, what string, want, got *tensor.Tensor) {
	t.Helper()
	if !tensor.Equal(want, got) {
		t.Errorf("%s: got %s\nwant %s", what, show(got), show(want))
	}
}

func show(x *tensor.Tensor) string {
	return fmt.Sprintf("%v%v % x %q", x.Type(), x.Dims(), x.Bytes(), x.Strings())
}
