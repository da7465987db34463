// SPDX-License-Identifier: Apache-2.0

package gguf

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/container"
	"github.com/structview/structview/onnxpb"
)

// contentOf reads a file as something to write.
func contentOf(t testing.TB, data []byte) Content {
	t.Helper()
	r := bytes.NewReader(data)
	h, err := ReadHeader(r, r.Size())
	if err != nil {
		t.Fatal(err)
	}
	c := Content{Version: h.Version}
	for _, e := range h.Metadata {
		v, err := h.Value(r, e)
		if err != nil {
			t.Fatal(err)
		}
		c.Metadata = append(c.Metadata, KeyValue{e.Key, v})
	}
	for _, x := range h.Tensors {
		var payload []byte
		if x.Size > 0 {
			payload = data[h.DataStart+int64(x.Offset):][:x.Size]
		}
		c.Tensors = append(c.Tensors, TensorData{x.Name, x.NE, x.Type, writes(payload)})
	}
	return c
}

func writes(b []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// What ggml's writer made is made again, byte for byte.
func TestWriteReproduces(t *testing.T) {
	for _, want := range index(t) {
		data := read(t, want.File)
		var out bytes.Buffer
		if err := Write(&out, contentOf(t, data)); err != nil {
			t.Errorf("%s: %v", want.File, err)
			continue
		}
		if want.File == "no-trailing-pad.gguf" {
			data = append(data, make([]byte, 16)...)
		}
		if !bytes.Equal(out.Bytes(), data) {
			t.Errorf("%s: %d bytes differ from %d", want.File, out.Len(), len(data))
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	one := func(x TensorData) Content { return Content{Tensors: []TensorData{x}} }
	for _, c := range []struct {
		content Content
		want    string
	}{
		{Content{Version: 1}, `gguf: byte 4: version: found 1, which has 32-bit counts and is no longer supported (2 or 3 expected)`},
		{Content{Metadata: []KeyValue{{"k", 1}}}, `gguf: key "k": a int is no metadata value`},
		{Content{Metadata: []KeyValue{{"k", true}, {"k", false}}}, `gguf: byte 38: key "k": the key occurs twice`},
		{Content{Metadata: []KeyValue{{alignmentKey, uint32(5)}}}, `gguf: byte 24: key "general.alignment": the alignment is 5 (a power of two expected)`},
		{one(TensorData{"w", []uint64{33}, 2, nil}), `gguf: byte 37: tensor "w": rows of 33 values (a multiple of 32 expected for q4_0)`},
		{one(TensorData{"w", []uint64{1}, 77, nil}), `gguf: byte 45: tensor "w": type id 77 does not exist (0 to 42 expected)`},
		{one(TensorData{"w", []uint64{1 << 59}, 0, nil}), `gguf: 2^61 bytes of data or more`},
		{one(TensorData{"w", []uint64{4}, 0, writes(make([]byte, 15))}), `gguf: byte 64: tensor "w": 15 bytes were written (16 expected for f32 [4])`},
		{one(TensorData{"w", []uint64{4}, 0, func(io.Writer) error { return io.ErrNoProgress }}), `gguf: byte 64: tensor "w": multiple Read calls return no data or error`},
	} {
		var out bytes.Buffer
		err := Write(&out, c.content)
		if got := errorText(err); got != c.want {
			t.Errorf("error %q\n want %q", got, c.want)
		}
	}
}

// An untouched import comes back byte for byte, also where the file has gaps, no last padding, and another order.
func TestExportReproduces(t *testing.T) {
	odd := start(2, 0)
	odd.put("second", uint32(1), uint64(8), uint32(0), uint64(96), "first", uint32(1), uint64(32), uint32(2), uint64(0))
	odd.Write(ramp(roundUp(int64(odd.Len()), 32) - int64(odd.Len()) + 96 + 32 + 7))
	folder := t.TempDir()
	oddPath := filepath.Join(folder, "odd.gguf")
	if err := os.WriteFile(oddPath, odd.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	paths := []string{oddPath}
	for _, file := range index(t) {
		paths = append(paths, filepath.Join("testdata", file.File))
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := Export(&out, open(t, path)); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if !bytes.Equal(out.Bytes(), data) {
			t.Errorf("%s: %d bytes differ from %d", path, out.Len(), len(data))
		}
	}
}

func ramp(n int64) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + 1)
	}
	return b
}

// embedded moves every payload into the model.
func embedded(t *testing.T, f *container.File) *container.File {
	t.Helper()
	m := proto.CloneOf(f.Model)
	for _, p := range m.Graph.Initializer {
		b, err := f.Bytes(p)
		if err != nil {
			t.Fatal(err)
		}
		p.RawData, p.ExternalData, p.DataLocation = bytes.Clone(b), nil, onnxpb.TensorProto_DEFAULT
	}
	for _, v := range m.Graph.StructInitializer {
		b, err := f.Bytes(v)
		if err != nil {
			t.Fatal(err)
		}
		v.RawData, v.ExternalData = bytes.Clone(b), nil
	}
	return container.NewFile("onnx", nil, m, container.Options{})
}

func TestExportEmbedded(t *testing.T) {
	for _, file := range index(t) {
		data := read(t, file.File)
		var out bytes.Buffer
		if err := Export(&out, embedded(t, open(t, filepath.Join("testdata", file.File)))); err != nil {
			t.Errorf("%s: %v", file.File, err)
			continue
		}
		if file.File == "no-trailing-pad.gguf" {
			data = append(data, make([]byte, 16)...)
		}
		if !bytes.Equal(out.Bytes(), data) {
			t.Errorf("%s: %d bytes differ from %d", file.File, out.Len(), len(data))
		}
	}
}

func TestExportChanged(t *testing.T) {
	change := func(edit func(m *onnxpb.ModelProto)) (string, []byte) {
		f := embedded(t, open(t, "testdata/align64.gguf"))
		edit(f.Model)
		var out bytes.Buffer
		err := Export(&out, f)
		return errorText(err), out.Bytes()
	}
	data := read(t, "align64.gguf")
	message, got := change(func(m *onnxpb.ModelProto) { m.Graph.StructInitializer[0].RawData[3] ^= 0xFF })
	want := slices.Clone(data)
	want[448+3] ^= 0xFF
	if message != "" || !bytes.Equal(got, want) {
		t.Errorf("a changed payload: %s", message)
	}
	for _, c := range []struct {
		edit func(m *onnxpb.ModelProto)
		want string
	}{
		{func(m *onnxpb.ModelProto) { m.Graph.StructInitializer = nil }, `gguf: byte 207: tensor "b.q4_0": the model has no value "b.q4_0"`},
		{func(m *onnxpb.ModelProto) { m.Graph.StructInitializer[0].RawData = make([]byte, 5) }, `gguf: byte 207: tensor "b.q4_0": the payload has 5 bytes (108 expected)`},
		{func(m *onnxpb.ModelProto) { m.Graph.Initializer[1].Dims = []int64{5, 2} }, `gguf: byte 162: tensor "a.f32": the model has data type 1 and dims [5 2] (f32 and [2 5] expected)`},
		{func(m *onnxpb.ModelProto) { m.Graph.StructInitializer[0].Name = "a.f32" }, `gguf: byte 162: tensor "a.f32": the model has a structured value (f32 expected)`},
		{func(m *onnxpb.ModelProto) { m.Graph.Initializer[0].RawData[0] = 'X' }, `gguf.header: gguf: byte 0: magic: found "XGUF" ("GGUF" expected)`},
	} {
		if got, _ := change(c.edit); got != c.want {
			t.Errorf("error %q\n want %q", got, c.want)
		}
	}
	f := container.NewFile("onnx", nil, &onnxpb.ModelProto{}, container.Options{})
	if err := Export(io.Discard, f); !errors.Is(err, ErrNoHeader) {
		t.Error(err)
	}
}
