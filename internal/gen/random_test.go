// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// randomTypes is how many declarations are made by chance, each from its own seed.
const randomTypes = 12

func randomName(seed uint64) string { return fmt.Sprintf("test.random%d", seed) }

// dice makes declarations by chance, always the same ones.
type dice struct{ *rand.Rand }

func randomType(t testing.TB, seed uint64) *structview.Type {
	t.Helper()
	d := dice{rand.New(rand.NewPCG(seed, 5))}
	size := func(p *onnxpb.StructTypeProto) uint64 {
		bits, err := structview.BitSize(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		return bits
	}
	p := d.structure(3)
	if rest := size(p) % 8; rest != 0 {
		s := p.GetStructure()
		s.Field = append(s.Field, &onnxpb.StructTypeProto_Field{
			Name: "padding", Content: &onnxpb.StructTypeProto_Field_Type{Type: typeProto(packing(1, uint32(8-rest)))},
		})
	}
	declarations, findings := structview.Resolve([]*onnxpb.StructTypeProto{p})
	if err := structview.Errors(findings); err != nil {
		t.Fatal(err)
	}
	root, err := declarations.At(0)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func (d dice) structure(depth int) *onnxpb.StructTypeProto {
	s := &onnxpb.StructTypeProto_Structure{}
	for i := range 2 + d.IntN(4) {
		s.Field = append(s.Field, &onnxpb.StructTypeProto_Field{
			Name: fmt.Sprintf("%c%d", 'a'+d.IntN(3), i), Content: &onnxpb.StructTypeProto_Field_Type{Type: d.typ(depth)},
		})
	}
	return &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Structure_{Structure: s}}
}

func (d dice) typ(depth int) *onnxpb.TypeProto {
	switch n := d.IntN(6); {
	case depth > 1 && n == 0:
		return typeProto(d.structure(depth - 1))
	case depth > 1 && n == 1:
		return typeProto(&onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Array_{
			Array: &onnxpb.StructTypeProto_Array{ElementType: d.typ(depth - 1), Dimension: 1 + d.Uint64N(3)},
		}})
	case n <= 3:
		widths := make([]uint32, 1+d.IntN(3))
		for i := range widths {
			widths[i] = 1 + d.Uint32N(12)
			if d.IntN(8) == 0 {
				widths[i] = 60 + d.Uint32N(20)
			}
		}
		return typeProto(packing(1+d.Uint64N(4), widths...))
	default:
		return d.leaf()
	}
}

// leaf returns a leaf of any element type that has a size.
func (d dice) leaf() *onnxpb.TypeProto {
	e := tensor.String
	for e == tensor.String {
		e = tensor.Float + tensor.Type(d.IntN(26))
	}
	shape := &onnxpb.TensorShapeProto{}
	for range d.IntN(3) {
		shape.Dim = append(shape.Dim, &onnxpb.TensorShapeProto_Dimension{
			Value: &onnxpb.TensorShapeProto_Dimension_DimValue{DimValue: 1 + d.Int64N(3)},
		})
	}
	return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_TensorType{
		TensorType: &onnxpb.TypeProto_Tensor{ElemType: int32(e), Shape: shape},
	}}
}

func typeProto(p *onnxpb.StructTypeProto) *onnxpb.TypeProto {
	return &onnxpb.TypeProto{Value: &onnxpb.TypeProto_StructType{StructType: p}}
}

func packing(n uint64, widths ...uint32) *onnxpb.StructTypeProto {
	p := &onnxpb.StructTypeProto_BitPacking{Dimension: n}
	for i, w := range widths {
		p.Component = append(p.Component, &onnxpb.StructTypeProto_BitPacking_Component{Name: fmt.Sprintf("w%d", i), BitWidth: w})
	}
	return &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_BitPacking_{BitPacking: p}}
}
