// SPDX-License-Identifier: Apache-2.0

//go:build unix

package codec_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/container"
	"github.com/structview/structview/container/gguf"
	"github.com/structview/structview/container/npy"
	"github.com/structview/structview/container/onnx"
	"github.com/structview/structview/container/text"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

const externalBytes = 1 << 17

// externalModel has a value and a tensor in w.bin, and both in itself.
func externalModel() *onnxpb.ModelProto {
	entries := []*onnxpb.StringStringEntryProto{
		{Key: "location", Value: "w.bin"}, {Key: "offset", Value: "0"}, {Key: "length", Value: strconv.Itoa(externalBytes)},
	}
	dims := []int64{externalBytes}
	return &onnxpb.ModelProto{
		IrVersion: 13, OpsetImport: opsets(opset), StructTypes: []*onnxpb.StructTypeProto{array(externalBytes, leaf(tensor.Uint8))},
		Graph: &onnxpb.GraphProto{
			Name: "g",
			StructInitializer: []*onnxpb.StructProto{
				{Name: "external", ExternalData: entries}, {Name: "inline", RawData: random(externalBytes, 1)},
			},
			Initializer: []*onnxpb.TensorProto{
				{Name: "external tensor", DataType: 2, Dims: dims, DataLocation: onnxpb.TensorProto_EXTERNAL, ExternalData: entries},
				{Name: "inline tensor", DataType: 2, Dims: dims, RawData: random(externalBytes, 2)},
			},
		},
	}
}

// containers writes a file of each kind into a folder and returns their names.
func containers(t *testing.T, folder string) []string {
	t.Helper()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wire, err := proto.Marshal(externalModel())
	if err != nil {
		t.Fatal(err)
	}
	write("model.onnx", wire)
	write("model.onnxtxt", []byte(`<ir_version: 13, opset_import: ["": 26]>
main () => () <array(uint8, 131072) w = ["location": "w.bin", "offset": "0", "length": "131072"]> {}
`))
	files := []string{"model.onnx", "model.onnxtxt"}
	for _, path := range []string{"gguf/testdata/all-types.gguf", "npy/testdata/u8.npy", "npy/testdata/stored.npz"} {
		data, err := os.ReadFile(filepath.Join("..", "container", filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		write(filepath.Base(path), data)
		files = append(files, filepath.Base(path))
	}
	return files
}

// TestTruncatedContainers shortens the files of every container while their payloads are in use: whatever reads a View of
// them, or gives them to a codec, gets an error. Nobody asked for a guard.
func TestTruncatedContainers(t *testing.T) {
	folder := t.TempDir()
	for _, name := range containers(t, folder) {
		if err := os.WriteFile(filepath.Join(folder, "w.bin"), random(externalBytes, 3), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := container.Open(filepath.Join(folder, name), container.Options{}, onnx.Format{}, gguf.Format{}, npy.Format{}, text.Format{})
		if err != nil {
			t.Fatal(name, err)
		}
		payloads := map[string][]byte{}
		read := func(m proto.Message, value string) {
			if place, err := f.Place(m); err != nil || place.Offset < 0 {
				return // in memory: typed fields, and what had to be converted
			}
			b, err := f.Bytes(m)
			if err != nil {
				t.Fatal(name, err)
			}
			if len(b) > 0 {
				payloads[name+": "+value] = b
			}
		}
		for _, m := range f.Model.GetGraph().GetInitializer() {
			read(m, m.GetName())
		}
		for _, m := range f.Model.GetGraph().GetStructInitializer() {
			read(m, m.GetName())
		}
		if len(payloads) == 0 {
			t.Error(name, "has no payloads")
		}
		for _, file := range []string{name, "w.bin"} {
			if err := os.Truncate(filepath.Join(folder, file), 0); err != nil {
				t.Fatal(err)
			}
		}
		t.Log(name, len(payloads), "payloads")
		for value, payload := range payloads {
			for what, err := range everything(t, payload) {
				if !errors.Is(err, structview.ErrTruncated) {
					t.Errorf("%s, %d bytes: %s: %v", value, len(payload), what, err)
				}
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// everything reads a payload as rows of one UINT8, in all ways.
func everything(t *testing.T, payload []byte) map[string]error {
	t.Helper()
	n := len(payload)
	list := array(uint64(n), leaf(tensor.Uint8, 1))
	decoder := function(names("value"), names("y"), cast(tensor.Float, "value", "y"))
	encoder := function(names("y"), names("value"), cast(tensor.Uint8, "y", "value"))
	fast := build(t, with(proto.CloneOf(list), decoder, encoder))
	literal, err := codec.New(fast.Type(), codec.Env{Literal: true})
	if err != nil {
		t.Fatal(err)
	}
	v, err := structview.NewView(fast.Type(), payload)
	if err != nil {
		t.Fatal(err)
	}
	all := reads(t, v)
	for name, c := range map[string]*codec.Codec{"": fast, "literal ": literal} {
		out := make([]float32, n)
		_, all[name+"Decode"] = c.Decode(t.Context(), payload)
		_, all[name+"DecodeRows"] = c.DecodeRows(t.Context(), payload, 0, 1)
		all[name+"DecodeInto"] = c.DecodeInto(t.Context(), payload, out)
		all[name+"DecodeRowsInto"] = c.DecodeRowsInto(t.Context(), payload, 0, 1, out[:1])
		all[name+"DecodeRowList"] = c.DecodeRowList(t.Context(), payload, []int64{int64(n) - 1}, out[:1])
		all[name+"DecodeTo"] = c.DecodeTo(t.Context(), payload, io.Discard)
		if n%4 > 0 {
			continue
		}
		x, err := tensor.New(tensor.Float, []int64{int64(n) / 4, 1}, payload)
		if err != nil {
			t.Fatal(err)
		}
		floats := build(t, with(array(uint64(n)/4, leaf(tensor.Uint8, 1)), decoder, encoder))
		_, all[name+"Encode"] = floats.Encode(t.Context(), x)
		all[name+"EncodeInto"] = floats.EncodeInto(t.Context(), x, make([]byte, n/4))
		all[name+"EncodeTo"] = floats.EncodeTo(t.Context(), x, io.Discard)
	}
	return all
}

// reads is every way to read a View of rows of one UINT8.
func reads(t *testing.T, v structview.View) map[string]error {
	t.Helper()
	at := func(path string) structview.Ref {
		r, err := v.At(path)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	into, err := structview.NewWriter(v.Type())
	if err != nil {
		t.Fatal(err)
	}
	row, err := v.Index(0)
	if err != nil {
		t.Fatal(err)
	}
	one, err := v.Sub(at("[0]"))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]error{
		"Uint64": second(v.Uint64(at("[0][0]"))), "Int64": second(v.Int64(at("[0][0]"))), "Float64": second(v.Float64(at("[0][0]"))),
		"AppendBits": second(v.AppendBits(nil, at("[0][0]"))), "Bits": second(v.Bits()),
		"PatchCopy": second(structview.PatchCopy(v)), "Copy": into.Copy(at(""), v),
		"AppendAs": second(structview.AppendAs[[1]uint8](nil, v)), "Index": second(row.Bits()), "Sub": second(one.Bits()),
	}
}

func second[T any](_ T, err error) error { return err }
