// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/syntax"
	"github.com/structview/structview/tensor"
)

// codebook is a model whose declaration has a constant of 2048 rows of 8 values.
func codebook(typ tensor.Type) *onnxpb.ModelProto {
	raw := make([]byte, 2048*8*typ.Bits()/8)
	for i := range raw {
		raw[i] = byte(i * i >> 3)
	}
	c := &onnxpb.TensorProto{DataType: int32(typ), Dims: []int64{2048, 8}, RawData: raw}
	return &onnxpb.ModelProto{IrVersion: 13, StructTypes: []*onnxpb.StructTypeProto{{
		Name: "demo.codebook",
		Kind: &onnxpb.StructTypeProto_Structure_{Structure: &onnxpb.StructTypeProto_Structure{
			Field: []*onnxpb.StructTypeProto_Field{{
				Name: "grid", Content: &onnxpb.StructTypeProto_Field_Constant{Constant: c},
			}},
		}},
	}}}
}

var codebookTypes = []tensor.Type{tensor.Uint8, tensor.Int8, tensor.Uint4, tensor.Float16, tensor.Float}

func BenchmarkParseCodebook(b *testing.B) {
	for _, typ := range codebookTypes {
		b.Run(typ.Text(), func(b *testing.B) {
			text, err := syntax.Print(codebook(typ))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := syntax.Parse("codebook", text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPrintCodebook(b *testing.B) {
	for _, typ := range codebookTypes {
		b.Run(typ.Text(), func(b *testing.B) {
			m := codebook(typ)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := syntax.Print(m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
