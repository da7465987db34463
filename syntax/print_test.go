// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/syntax"
	"github.com/structview/structview/tensor"
)

// constant is a model with one constant.
func constant(t *onnxpb.TensorProto) *onnxpb.ModelProto {
	return &onnxpb.ModelProto{StructTypes: []*onnxpb.StructTypeProto{{
		Kind: &onnxpb.StructTypeProto_Structure_{Structure: &onnxpb.StructTypeProto_Structure{
			Field: []*onnxpb.StructTypeProto_Field{{
				Name: "c", Content: &onnxpb.StructTypeProto_Field_Constant{Constant: t},
			}},
		}},
	}}}
}

func constantOf(m *onnxpb.ModelProto) *onnxpb.TensorProto {
	return m.GetStructTypes()[0].GetStructure().GetField()[0].GetConstant()
}

func printed(t *testing.T, m *onnxpb.ModelProto) string {
	t.Helper()
	text, err := syntax.Print(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEveryCode prints and parses every code of every type up to 16 bits.
func TestEveryCode(t *testing.T) {
	for typ := tensor.Float; typ.Valid(); typ++ {
		width := typ.Bits()
		if width == 0 || width > 16 {
			continue
		}
		n := int64(1) << width
		var raw []byte
		switch width {
		case 2:
			raw = []byte{0b11100100}
		case 4:
			raw = []byte{0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE}
		case 8:
			for i := range n {
				raw = append(raw, byte(i))
			}
		case 16:
			for i := range n {
				raw = binary.LittleEndian.AppendUint16(raw, uint16(i))
			}
		}
		m := constant(&onnxpb.TensorProto{DataType: int32(typ), Dims: []int64{n}, RawData: raw})
		text := printed(t, m)
		if strings.Contains(text, "hex") {
			t.Errorf("%s is not written as values", typ.Text())
		}
		again, err := syntax.Parse("text", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(m, again) {
			t.Errorf("%s: codes change", typ.Text())
		}
	}
}

func TestFloatsAsText(t *testing.T) {
	for _, c := range []struct {
		code uint32
		want string
	}{
		{0x00000000, "0"},
		{0x80000000, "-0.0"},
		{0x3f800000, "1"},
		{0x3dcccccd, "0.1"},
		{0x00000001, "1e-45"},
		{0x7f7fffff, "3.4028235e+38"},
		{0x4b800000, "16777216"},
		{0x7f800000, "inf"},
		{0xff800000, "-inf"},
		{0x7fc00000, "nan"},
		{0xffc00000, "-nan"},
		{0x7f800001, "0x7f800001"},
		{0xffc00001, "0xffc00001"},
	} {
		raw := binary.LittleEndian.AppendUint32(nil, c.code)
		text := printed(t, constant(&onnxpb.TensorProto{DataType: 1, RawData: raw}))
		if want := "float c = {" + c.want + "}"; !strings.Contains(text, want) {
			t.Errorf("%#x: no %q in %s", c.code, want, text)
		}
	}
}

// TestForms has spellings that the printer does not use.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		text string
		want *onnxpb.TensorProto
	}{
		{"float c = {0x1.8p-1,}", &onnxpb.TensorProto{DataType: 1, RawData: []byte{0, 0, 0x40, 0x3f}}},
		{"float[2] c = {Infinity, -NaN}", &onnxpb.TensorProto{DataType: 1, Dims: []int64{2}, RawData: []byte{0, 0, 0x80, 0x7f, 0, 0, 0xc0, 0xff}}},
		{"complex64 c = {1, -2}", &onnxpb.TensorProto{DataType: 14, RawData: []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}}},
		{"complex64 c = {(1.0, -2)}", &onnxpb.TensorProto{DataType: 14, RawData: []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}}},
		{"int4[3] c = {-8, 0x7, 1}", &onnxpb.TensorProto{DataType: 22, Dims: []int64{3}, RawData: []byte{0x78, 0x01}}},
		{"uint64 c = {18446744073709551615}", &onnxpb.TensorProto{DataType: 13, RawData: bytes.Repeat([]byte{0xff}, 8)}},
		{"bool[3] c = {true, false, 1}", &onnxpb.TensorProto{DataType: 9, Dims: []int64{3}, RawData: []byte{1, 0, 1}}},
		{"uint8[4] c = {1, # one\n2,\n\t3\n,4}", &onnxpb.TensorProto{DataType: 2, Dims: []int64{4}, RawData: []byte{1, 2, 3, 4}}},
		{"uint8[3] c = hex \"0A ff\n 07\"", &onnxpb.TensorProto{DataType: 2, Dims: []int64{3}, RawData: []byte{10, 255, 7}}},
		{`string[2] c = {"\u00e9\xff", "\ud83d\ude00"}`, &onnxpb.TensorProto{DataType: 8, Dims: []int64{2}, StringData: [][]byte{[]byte("é\xff"), []byte("😀")}}},
		{"float[0, 7] c = {}", &onnxpb.TensorProto{DataType: 1, Dims: []int64{0, 7}}},
	} {
		m, err := syntax.Parse("text", []byte("<>\nstruct {\n  "+c.text+"\n}\n"))
		if err != nil {
			t.Error(err)
			continue
		}
		if !proto.Equal(constantOf(m), c.want) {
			t.Errorf("%s\n got %v\nwant %v", c.text, constantOf(m), c.want)
		}
	}
}

// TestStorageIsNormalised prints data from the other storage fields.
func TestStorageIsNormalised(t *testing.T) {
	for _, c := range []struct {
		in   *onnxpb.TensorProto
		want string
	}{
		{&onnxpb.TensorProto{DataType: 1, Dims: []int64{2}, FloatData: []float32{1.5, float32(math.Inf(1))}}, "float[2] c = {1.5, inf}"},
		{&onnxpb.TensorProto{DataType: 7, Dims: []int64{2}, Int64Data: []int64{-1, 2}}, "int64[2] c = {-1, 2}"},
		{&onnxpb.TensorProto{DataType: 10, Dims: []int64{2}, Int32Data: []int32{0x3c00, 0xbc00}}, "float16[2] c = {1.0, -1.0}"},
		{&onnxpb.TensorProto{DataType: 22, Dims: []int64{3}, Int32Data: []int32{0x78, 0x01}}, "int4[3] c = {-8, 7, 1}"},
		{&onnxpb.TensorProto{DataType: 11, Dims: []int64{1}, DoubleData: []float64{0.1}}, "double[1] c = {0.1}"},
		{&onnxpb.TensorProto{DataType: 13, Dims: []int64{1}, Uint64Data: []uint64{1 << 63}}, "uint64[1] c = {9223372036854775808}"},
		{&onnxpb.TensorProto{DataType: 15, DoubleData: []float64{1, -2}}, "complex128 c = {(1, -2)}"},
	} {
		text := printed(t, constant(c.in))
		if !strings.Contains(text, c.want) {
			t.Errorf("no %q in %s", c.want, text)
		}
		m, err := syntax.Parse("text", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := tensor.FromProto(constantOf(m))
		if err != nil {
			t.Fatal(err)
		}
		if want, err := tensor.FromProto(c.in); err != nil || !tensor.Equal(got, want) {
			t.Errorf("%s: the values change (%v)", text, err)
		}
	}
}

// TestNotSayable has models that cannot be written.
func TestNotSayable(t *testing.T) {
	node := func(a *onnxpb.AttributeProto) *onnxpb.ModelProto {
		return &onnxpb.ModelProto{Functions: []*onnxpb.FunctionProto{{Node: []*onnxpb.NodeProto{{Attribute: []*onnxpb.AttributeProto{a}}}}}}
	}
	unknown := &onnxpb.OperatorSetIdProto{}
	unknown.ProtoReflect().SetUnknown([]byte{0x78, 1})
	for _, c := range []struct {
		m    *onnxpb.ModelProto
		want string
	}{
		{constant(&onnxpb.TensorProto{DataType: 1, Dims: []int64{2}, FloatData: []float32{1}}), `tensor "": `},
		{constant(&onnxpb.TensorProto{DataType: 1, RawData: []byte{1}, Int32Data: []int32{1}}), `tensor "": data in raw_data and int32_data`},
		{node(&onnxpb.AttributeProto{Name: "a", Type: onnxpb.AttributeProto_INT, F: 1}), `attribute "a": its value is not what its type INT says`},
		{node(&onnxpb.AttributeProto{Name: "a", Type: onnxpb.AttributeProto_GRAPH}), `attribute "a": its value is not what its type GRAPH says`},
		{node(&onnxpb.AttributeProto{Name: "a", Type: 99}), `attribute "a": its value is not what its type 99 says`},
		{&onnxpb.ModelProto{OpsetImport: []*onnxpb.OperatorSetIdProto{unknown}}, "the text form cannot say this: opset_import: OperatorSetIdProto has unknown fields"},
	} {
		_, err := syntax.Print(c.m)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestPayloadElsewhere prints data that the message does not have.
func TestPayloadElsewhere(t *testing.T) {
	c := &onnxpb.TensorProto{DataType: 2, Dims: []int64{3}, Name: "w"}
	s := &onnxpb.StructProto{Type: -1, Name: "v", StructType: &onnxpb.StructTypeProto{}}
	m := &onnxpb.ModelProto{Graph: &onnxpb.GraphProto{
		Name: "g", Initializer: []*onnxpb.TensorProto{c}, StructInitializer: []*onnxpb.StructProto{s},
	}}
	opts := syntax.Options{Payload: func(m proto.Message) ([]byte, bool, error) {
		return []byte{7, 8, 9}, true, nil
	}}
	for _, want := range []string{
		"<>\n\ng () => () <\n  uint8[3] w = {7, 8, 9},\n  struct v = hex \"070809\"\n> {}\n",
		"<>\n\ng () => () <\n  uint8[3] w = {7, 8, ...},\n  struct v = hex \"0708...\"\n> {}\n",
	} {
		var b strings.Builder
		if err := syntax.Fprint(&b, m, opts); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("got %s\nwant %s", b.String(), want)
		}
		opts.Abridge = 2
	}
	lost := errors.New("the file is gone")
	opts.Payload = func(proto.Message) ([]byte, bool, error) { return nil, false, lost }
	if err := syntax.Fprint(&strings.Builder{}, m, opts); !errors.Is(err, lost) {
		t.Errorf("got %v", err)
	}
}

// counter counts what is written.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// TestMemoryDoesNotFollowPayload prints 4 MiB of payload as values and as bytes.
func TestMemoryDoesNotFollowPayload(t *testing.T) {
	data := make([]byte, 4<<20)
	opts := syntax.Options{Payload: func(proto.Message) ([]byte, bool, error) { return data, true, nil }}
	m := &onnxpb.ModelProto{Graph: &onnxpb.GraphProto{
		Initializer:       []*onnxpb.TensorProto{{DataType: 2, Dims: []int64{4 << 20}}},
		StructInitializer: []*onnxpb.StructProto{{Type: -1}},
	}}
	var n counter
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := syntax.Fprint(&n, m, opts)
	runtime.ReadMemStats(&after)
	if err != nil || n < (3+2)*(4<<20) {
		t.Fatal(n, err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("%d bytes allocated", got)
	}
}

// TestDeclaredDimensionsAllocateNothing parses shapes of astronomic size.
func TestDeclaredDimensionsAllocateNothing(t *testing.T) {
	text := []byte(`<> struct {
		array(array(float[1000000000, 1000000000], 1000000000000), 18446744073709551615) a
		bits(x: 4294967295)[18446744073709551615] b
		float[9223372036854775807, 9223372036854775807] c = {1, 2}
	}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := syntax.Parse("text", text)
	runtime.ReadMemStats(&after)
	if err == nil {
		t.Fatal("2 values are not too few")
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<16 {
		t.Errorf("%d bytes allocated", got)
	}
}
