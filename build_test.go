// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// Short builders of messages, so that tests read as declarations.

type (
	decl  = onnxpb.StructTypeProto
	typ   = onnxpb.TypeProto
	field = onnxpb.StructTypeProto_Field
	comp  = onnxpb.StructTypeProto_BitPacking_Component
	value = onnxpb.StructProto
	graph = onnxpb.GraphProto
	model = onnxpb.ModelProto
)

func leaf(e tensor.Type, dims ...int64) *typ {
	shape := &onnxpb.TensorShapeProto{}
	for _, d := range dims {
		shape.Dim = append(shape.Dim, &onnxpb.TensorShapeProto_Dimension{
			Value: &onnxpb.TensorShapeProto_Dimension_DimValue{DimValue: d},
		})
	}
	return &typ{Value: &onnxpb.TypeProto_TensorType{TensorType: &onnxpb.TypeProto_Tensor{ElemType: int32(e), Shape: shape}}}
}

func array(of *typ, n uint64) *decl {
	return &decl{Kind: &onnxpb.StructTypeProto_Array_{Array: &onnxpb.StructTypeProto_Array{ElementType: of, Dimension: n}}}
}

func packing(n uint64, components ...*comp) *decl {
	return &decl{Kind: &onnxpb.StructTypeProto_BitPacking_{BitPacking: &onnxpb.StructTypeProto_BitPacking{Component: components, Dimension: n}}}
}

func part(name string, width uint32) *comp { return &comp{Name: name, BitWidth: width} }

func structure(fields ...*field) *decl {
	return &decl{Kind: &onnxpb.StructTypeProto_Structure_{Structure: &onnxpb.StructTypeProto_Structure{Field: fields}}}
}

func named(name string, d *decl) *decl {
	d.Name = name
	return d
}

func member(name string, t *typ) *field {
	return &field{Name: name, Content: &onnxpb.StructTypeProto_Field_Type{Type: t}}
}

func constant(name string, t *tensor.Tensor) *field {
	return &field{Name: name, Content: &onnxpb.StructTypeProto_Field_Constant{Constant: t.Proto("")}}
}

func inline(d *decl) *typ { return &typ{Value: &onnxpb.TypeProto_StructType{StructType: d}} }

func index(i int32) *decl { return &decl{Kind: &onnxpb.StructTypeProto_TypeIndex{TypeIndex: i}} }

func ref(i int32) *typ { return inline(index(i)) }

// q4 is the block of 4-bit codes and a FLOAT16 scale that the rules use as an example.
func q4() *decl {
	return named("q4", structure(
		member("d", leaf(tensor.Float16)),
		member("qs", inline(packing(16, part("lo", 4), part("hi", 4)))),
	))
}

// resolved returns the last of the declarations, all of which are valid.
func resolved(t testing.TB, decls ...*decl) *structview.Type {
	t.Helper()
	d, findings := structview.Resolve(decls)
	if err := structview.Errors(findings); err != nil {
		t.Fatal(err)
	}
	root, err := d.At(len(decls) - 1)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func view(t testing.TB, root *structview.Type, payload []byte) structview.View {
	t.Helper()
	v, err := structview.NewView(root, payload)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func uintAt(t testing.TB, v structview.View, path string) uint64 {
	t.Helper()
	r, err := v.At(path)
	if err != nil {
		t.Fatal(err)
	}
	x, err := v.Uint64(r)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func intAt(t testing.TB, v structview.View, path string) int64 {
	t.Helper()
	r, err := v.At(path)
	if err != nil {
		t.Fatal(err)
	}
	x, err := v.Int64(r)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
