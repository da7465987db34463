// SPDX-License-Identifier: Apache-2.0

package tensor

import (
	"bytes"
	"testing"

	"github.com/structview/structview/onnxpb"
)

func message(t Type, dims ...int64) *onnxpb.TensorProto {
	return &onnxpb.TensorProto{DataType: int32(t), Dims: dims}
}

func with(p *onnxpb.TensorProto, set func(*onnxpb.TensorProto)) *onnxpb.TensorProto {
	set(p)
	return p
}

func int32s(t Type, dim int64, v ...int32) *onnxpb.TensorProto {
	return with(message(t, dim), func(p *onnxpb.TensorProto) { p.Int32Data = v })
}

func TestFromProtoFields(t *testing.T) {
	for _, c := range []struct {
		p    *onnxpb.TensorProto
		want []byte
	}{
		{with(message(Float, 2), func(p *onnxpb.TensorProto) { p.FloatData = []float32{1, -2} }), []byte{0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0}},
		{with(message(Complex64), func(p *onnxpb.TensorProto) { p.FloatData = []float32{1, -2} }), []byte{0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0}},
		{with(message(Double), func(p *onnxpb.TensorProto) { p.DoubleData = []float64{-2} }), []byte{0, 0, 0, 0, 0, 0, 0, 0xC0}},
		{with(message(Complex128, 1), func(p *onnxpb.TensorProto) { p.DoubleData = []float64{1, -2} }), []byte{0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0xC0}},
		{with(message(Int64, 1), func(p *onnxpb.TensorProto) { p.Int64Data = []int64{-2} }), []byte{0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}},
		{with(message(Uint64, 1), func(p *onnxpb.TensorProto) { p.Uint64Data = []uint64{1<<63 + 2} }), []byte{2, 0, 0, 0, 0, 0, 0, 0x80}},
		{with(message(Uint32, 1), func(p *onnxpb.TensorProto) { p.Uint64Data = []uint64{0xFEDCBA98} }), []byte{0x98, 0xBA, 0xDC, 0xFE}},
		{int32s(Int32, 1, -2), []byte{0xFE, 0xFF, 0xFF, 0xFF}},
		{int32s(Int16, 2, -2, 0x1234), []byte{0xFE, 0xFF, 0x34, 0x12}},
		{int32s(Uint16, 2, 0xFFFE, 0x1234), []byte{0xFE, 0xFF, 0x34, 0x12}},
		{int32s(Float16, 2, 0xBC00, 0x3C00), []byte{0, 0xBC, 0, 0x3C}},
		{int32s(BFloat16, 1, 0x3F80), []byte{0x80, 0x3F}},
		{int32s(Int8, 3, -128, 127, -1), []byte{0x80, 0x7F, 0xFF}},
		{int32s(Uint8, 2, 255, 1), []byte{0xFF, 1}},
		{int32s(Bool, 2, 1, 0), []byte{1, 0}},
		{int32s(Float8E4M3FN, 1, 0xFE), []byte{0xFE}},
		{int32s(Float8E4M3FNUZ, 1, 0x80), []byte{0x80}},
		{int32s(Float8E5M2, 1, 0x7C), []byte{0x7C}},
		{int32s(Float8E5M2FNUZ, 1, 0x7C), []byte{0x7C}},
		{int32s(Float8E8M0, 1, 0x7F), []byte{0x7F}},
		{int32s(Int4, 3, -0x20, 0x0F), []byte{0xE0, 0x0F}},
		{int32s(Uint4, 3, 0xFE, 0x0F), []byte{0xFE, 0x0F}},
		{int32s(Float4E2M1, 3, 0xFE, 0x0F), []byte{0xFE, 0x0F}},
		{int32s(Int2, 5, 0xE4, 3), []byte{0xE4, 3}},
		{int32s(Uint2, 5, 0xE4, 3), []byte{0xE4, 3}},
		{message(Float, 3, 0), []byte{}},
	} {
		typ := Type(c.p.DataType)
		got, err := FromProto(c.p)
		if err != nil {
			t.Errorf("%v: %v", typ, err)
			continue
		}
		if !bytes.Equal(got.Bytes(), c.want) {
			t.Errorf("%v: % X, want % X", typ, got.Bytes(), c.want)
		}
	}
}

func TestFromProtoErrors(t *testing.T) {
	for _, c := range []struct {
		p    *onnxpb.TensorProto
		want string
	}{
		{message(Undefined), "tensor: data_type 0 is no element type (1 to 26 expected)"},
		{message(27), "tensor: data_type 27 is no element type (1 to 26 expected)"},
		{message(-1), "tensor: data_type -1 is no element type (1 to 26 expected)"},
		{message(Float, 2), "tensor: FLOAT[2] without data (8 bytes of raw_data or 2 entries of float_data expected)"},
		{message(Int4, 3), "tensor: INT4[3] without data (2 bytes of raw_data or 2 entries of int32_data expected)"},
		{message(Float, -1), "tensor: dimension 0 is negative: -1"},
		{message(Float, 1<<40, 1<<40), "tensor: [1099511627776,1099511627776] has 2^63 elements or more"},
		{with(message(Float, 2), func(p *onnxpb.TensorProto) { p.RawData = make([]byte, 7) }), "tensor: FLOAT[2] with 7 bytes of raw_data (8 expected)"},
		{with(message(Float, 0), func(p *onnxpb.TensorProto) { p.RawData = make([]byte, 7) }), "tensor: FLOAT[0] with 7 bytes of raw_data (0 expected)"},
		{with(message(Float, 2), func(p *onnxpb.TensorProto) { p.FloatData = make([]float32, 3) }), "tensor: FLOAT[2] with 3 entries of float_data (2 expected)"},
		{with(message(Complex64, 2), func(p *onnxpb.TensorProto) { p.FloatData = make([]float32, 3) }), "tensor: COMPLEX64[2] with 3 entries of float_data (4 expected)"},
		{int32s(Int4, 3, 1, 2, 3), "tensor: INT4[3] with 3 entries of int32_data (2 expected)"},
		{int32s(Int2, 5, 1), "tensor: INT2[5] with 1 entries of int32_data (2 expected)"},
		{int32s(Int4, 2, 256), "tensor: int32_data[0] is 256 (-128 to 255 expected for INT4)"},
		{int32s(Int8, 2, 0, -129), "tensor: int32_data[1] is -129 (-128 to 255 expected for INT8)"},
		{int32s(Float16, 1, 65536), "tensor: int32_data[0] is 65536 (-32768 to 65535 expected for FLOAT16)"},
		{int32s(Float, 1, 1), "tensor: FLOAT data in int32_data (float_data or raw_data alone expected)"},
		{with(int32s(Int8, 1, 1), func(p *onnxpb.TensorProto) { p.RawData = []byte{1} }), "tensor: INT8 data in int32_data (int32_data or raw_data alone expected)"},
		{with(message(String, 1), func(p *onnxpb.TensorProto) { p.RawData = []byte{1} }), "tensor: STRING data in raw_data (string_data or raw_data alone expected)"},
		{message(String, 1), "tensor: STRING[1] has 1 elements, got 0"},
		{with(message(Uint32, 1), func(p *onnxpb.TensorProto) { p.Uint64Data = []uint64{1 << 32} }), "tensor: uint64_data[0] is 4294967296 (0 to 4294967295 expected for UINT32)"},
		{with(message(Float), func(p *onnxpb.TensorProto) { p.DataLocation = onnxpb.TensorProto_EXTERNAL }), "tensor: data is EXTERNAL (data in the message expected)"},
		{with(message(Float), func(p *onnxpb.TensorProto) { p.Segment = &onnxpb.TensorProto_Segment{} }), "tensor: segment is set (whole tensors expected)"},
	} {
		_, err := FromProto(c.p)
		if got := errorText(err); got != c.want {
			t.Errorf("error %q\n want %q", got, c.want)
		}
	}
}
