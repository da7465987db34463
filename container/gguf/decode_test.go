// SPDX-License-Identifier: Apache-2.0

package gguf

import (
	"path/filepath"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// A plain tensor, and the function in the type of a structured one, give the values that ggml decodes.
func TestDecode(t *testing.T) {
	for _, file := range index(t) {
		t.Run(file.File, func(t *testing.T) {
			f := open(t, filepath.Join("testdata", file.File))
			for _, d := range codec.Check(f.Model, f.CheckOptions()) {
				t.Error(d.Error())
			}
			declarations, _ := structview.Resolve(f.Model.StructTypes)
			values := valuesOf(t, f.Model)
			for _, want := range file.Tensors {
				payload, err := f.Bytes(values[want.Name])
				if err != nil {
					t.Fatal(err)
				}
				x, err := decode(t, f.Model, declarations, values[want.Name], payload)
				if err != nil {
					t.Errorf("%s: %v", want.Name, err)
					continue
				}
				shape := (&Tensor{NE: want.NE}).Shape()
				if sum(canonical(x)) != want.F32 || !slices.Equal(x.Dims(), shape) {
					t.Errorf("%s: other values, %v %v", want.Name, x.Type(), x.Dims())
				}
			}
		})
	}
}

func decode(t *testing.T, m *onnxpb.ModelProto, declarations *structview.Declarations, value proto.Message, payload []byte) (*tensor.Tensor, error) {
	if p, ok := value.(*onnxpb.TensorProto); ok {
		x, err := tensor.New(tensor.Type(p.DataType), p.Dims, payload)
		if err != nil {
			return nil, err
		}
		return tensor.Convert(x, tensor.Float, true, tensor.RoundUp)
	}
	typ, err := declarations.TypeOf(value.(*onnxpb.StructProto))
	if err != nil {
		return nil, err
	}
	c, err := codec.New(typ, codec.Env{Functions: m.Functions, Opsets: m.OpsetImport})
	if err != nil {
		return nil, err
	}
	return c.Decode(t.Context(), payload)
}

// canonical returns a FLOAT tensor's bytes with every NaN the same.
func canonical(x *tensor.Tensor) []byte {
	words := slices.Clone(tensor.Slice[uint32](x))
	for i, v := range tensor.Slice[float32](x) {
		if v != v {
			words[i] = 0x7FC00000
		}
	}
	return tensor.Of(x.Dims(), words...).Bytes()
}
