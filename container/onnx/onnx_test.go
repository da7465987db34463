// SPDX-License-Identifier: Apache-2.0

package onnx

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/container"
	"github.com/structview/structview/onnxpb"
)

func write(t testing.TB, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string) *container.File {
	t.Helper()
	f, err := container.Open(path, container.Options{}, Format{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// The first thing a reader owes is to refuse what is not its own.
func TestForeignFilesAreRefused(t *testing.T) {
	random := make([]byte, 8192)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	safetensors := binary.LittleEndian.AppendUint64(nil, 0x108)
	foreign := map[string][]byte{
		"empty":             {},
		"GGUF":              append([]byte("GGUF\x03\x00\x00\x00"), make([]byte, 100)...),
		"PNG":               []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x10"),
		"NumPy":             []byte("\x93NUMPY\x01\x00v\x00{'descr': '<f4'"),
		"zip":               []byte("PK\x03\x04\x14\x00\x00\x00\x08\x00"),
		"safetensors":       append(safetensors, []byte(`{"a":{"dtype":"F32","shape":[2]}}`)...),
		"text":              []byte("struct ggml.q4_0 {\n  float16 d\n}\n"),
		"JSON":              []byte("{\"ir_version\": 7}\n"),
		"HTML":              []byte("<!DOCTYPE html><html></html>"),
		"colon":             []byte(":a colon is the tag of a graph, and the letter its length"),
		"B":                 []byte("B is the tag of an opset import"),
		"letters r":         []byte("rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr"),
		"pickle":            []byte("\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00]\x94"),
		"ELF":               []byte("\x7fELF\x02\x01\x01\x00"),
		"zeros":             make([]byte, 4096),
		"random":            random,
		"a TensorFlow node": sub(1, sub(1, []byte("node"))),
		"doc string only":   sub(6, []byte("documentation and nothing else")),
		"version 0":         num(1, 0),
		"version 2^40":      num(1, 1<<40),
	}
	for name, content := range foreign {
		_, err := container.Open(write(t, content), container.Options{}, Format{})
		if !errors.Is(err, container.ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Almost nothing is a model by chance.
	taken := 0
	for range 10_000 {
		n := 16 + r.IntN(240)
		for i := range n {
			random[i] = byte(r.Uint32())
		}
		if (Format{}).Sniff(random[:n]) {
			taken++
		}
	}
	if taken > 30 {
		t.Errorf("%d of 10000 random files are taken for models", taken)
	}
}

func sub(number protowire.Number, b []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), b)
}

func num(number protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), v)
}

func TestModelsAreRecognized(t *testing.T) {
	long := sub(7, bytes.Join([][]byte{sub(2, []byte("graph")), sub(5, sub(9, make([]byte, 9000)))}, nil))
	for name, content := range map[string][]byte{
		"a version":              num(1, 13),
		"producer first":         append(sub(2, []byte("pytorch")), num(1, 7)...),
		"a graph alone":          long,
		"declarations alone":     sub(1100, num(5, 0)),
		"functions alone":        sub(25, sub(1, []byte("f"))),
		"a field of the future":  append(num(1, 13), num(40, 7)...),
		"onnx-light":             append(num(1, 13), sub(1000, []byte("x"))...),
		"a long doc string":      append(num(1, 13), sub(6, make([]byte, 9000))...),
		"packed and not packed":  append(num(1, 13), sub(7, sub(5, append(sub(1, []byte{2, 3}), num(1, 4)...)))...),
		"operator sets, nothing": sub(8, num(2, 26)),
	} {
		if !(Format{}).Sniff(content[:min(len(content), container.HeadSize)]) {
			t.Errorf("%s is not recognized", name)
		}
	}
	// A model that is cut off is a broken model, not a foreign file.
	for n := 2; n < len(long); n += 1 + n/8 {
		content := append(num(1, 13), long...)
		_, err := container.Open(write(t, content[:n]), container.Options{}, Format{})
		var wire *onnxpb.WireError
		if n > 2 && !errors.As(err, &wire) {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
}

func model() *onnxpb.ModelProto {
	weights := &onnxpb.TensorProto{Name: "w", DataType: 3, Dims: []int64{5000}, RawData: bytes.Repeat([]byte{1, 2, 3, 4, 5}, 1000)}
	return &onnxpb.ModelProto{
		IrVersion: 13,
		Graph: &onnxpb.GraphProto{
			Initializer:       []*onnxpb.TensorProto{weights, {Name: "short", DataType: 3, Dims: []int64{2}, RawData: []byte{6, 7}}},
			StructInitializer: []*onnxpb.StructProto{{Name: "v", RawData: bytes.Repeat([]byte{8, 9}, 1000)}},
		},
	}
}

func TestOpenInlinePayloads(t *testing.T) {
	want := model()
	path := filepath.Join(t.TempDir(), "m.onnx")
	if err := WriteFile(path, false, want); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, false, want); !errors.Is(err, container.ErrExists) {
		t.Errorf("got %v", err)
	}
	f := open(t, path)
	if !proto.Equal(f.Model, want) {
		t.Errorf("read as %v", f.Model)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w, v := f.Model.Graph.Initializer[0], f.Model.Graph.StructInitializer[0]
	for m, raw := range map[proto.Message][]byte{w: want.Graph.Initializer[0].RawData, v: want.Graph.StructInitializer[0].RawData} {
		got, err := f.Bytes(m)
		if err != nil || !bytes.Equal(got, raw) {
			t.Errorf("%T: %d bytes, %v", m, len(got), err)
		}
		place, err := f.Place(m)
		if err != nil || place.Path != path || !bytes.Equal(file[place.Offset:place.Offset+place.Length], raw) {
			t.Errorf("%T lies at %+v, %v", m, place, err)
		}
		if n, ok := f.CheckOptions().Inline(m); !ok || n != uint64(len(raw)) {
			t.Errorf("%T has %d bytes inline", m, n)
		}
	}
	if place, err := f.Place(f.Model.Graph.Initializer[1]); err != nil || place.Offset != -1 || place.Length != 2 {
		t.Errorf("short raw_data lies at %+v, %v", place, err)
	}
}

// Where a file is not mapped in one piece, payloads are found one by one.
func TestOpenWithoutMapping(t *testing.T) {
	m := model()
	constant := &onnxpb.TensorProto{Name: "c", DataType: 2, Dims: []int64{2 << 20}, RawData: bytes.Repeat([]byte{3, 4}, 1<<20)}
	m.Functions = []*onnxpb.FunctionProto{{Node: []*onnxpb.NodeProto{{Attribute: []*onnxpb.AttributeProto{{T: constant}}}}}}
	wire, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	src, err := container.OpenSource(write(t, wire))
	if err != nil {
		t.Fatal(err)
	}
	f, err := (Format{}).Open(unmapped{src}, container.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := f.Model.Graph.Initializer[0]
	if len(w.RawData) != 0 {
		t.Error("a payload was read")
	}
	if !proto.Equal(f.Model.Functions[0], m.Functions[0]) {
		t.Error("a constant is missing")
	}
	if got, err := f.Bytes(w); err != nil || !bytes.Equal(got, model().Graph.Initializer[0].RawData) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

type unmapped struct{ container.Source }

func (unmapped) Whole() []byte { return nil }

func TestOpenReportsFindings(t *testing.T) {
	f := open(t, write(t, append(num(1, 13), sub(1000, []byte("x"))...)))
	if len(f.Findings) != 1 || f.Findings[0].Rule != "SV056" || f.Findings[0].Offset != 2 {
		t.Errorf("findings %+v", f.Findings)
	}
}

// sparse writes a file of three parts, the middle one a hole.
func sparse(t *testing.T, head []byte, hole int64, tail []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sparse")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(head, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(tail, int64(len(head))+hole); err != nil {
		t.Skip("no sparse files here: ", err)
	}
	return path
}

// A model with 3 GiB of inline payload opens at once, its last bytes can be read,
// and the process stays small.
func TestOpenHugePayload(t *testing.T) {
	if ^uint(0)>>32 == 0 {
		t.Skip("a 32-bit machine does not map 3 GiB")
	}
	n := int64(3 << 30)
	length := func(number protowire.Number, n int64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.BytesType), uint64(n))
	}
	raw := length(9, n)
	tensor := length(5, int64(len(raw))+n)
	head := bytes.Join([][]byte{num(1, 13), length(7, int64(len(tensor)+len(raw))+n), tensor, raw}, nil)
	path := sparse(t, head, n-3, []byte{7, 8, 9})

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f := open(t, path)
	b, err := f.Bytes(f.Model.Graph.Initializer[0])
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(b)) != n || !bytes.Equal(b[n-4:], []byte{0, 7, 8, 9}) {
		t.Errorf("%d bytes end in %v", len(b), b[len(b)-4:])
	}
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 1<<20 {
		t.Errorf("%d bytes allocated", allocated)
	}
	if kib := resident(t); kib > 100<<10 {
		t.Errorf("%d KiB resident", kib)
	}
}

// resident returns the process's size in KiB, 0 where the system does not tell.
func resident(t *testing.T) int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	kib := 0
	_, after, _ := strings.Cut(string(status), "VmRSS:")
	if _, err := fmt.Sscan(after, &kib); err != nil {
		t.Error(err)
	}
	return kib
}

// A file that is cut after it was opened ends in an error.
func TestTruncatedAfterOpening(t *testing.T) {
	m := model()
	m.Graph.Initializer[0].RawData = make([]byte, 1<<20)
	wire, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	path := write(t, wire)
	f := open(t, path)
	if err := os.Truncate(path, 4096); err != nil {
		t.Skip(err)
	}
	err = container.Guard(func() error {
		return WriteFile(filepath.Join(t.TempDir(), "copy"), false, f.Model)
	})
	if !errors.Is(err, container.ErrTruncated) {
		t.Errorf("got %v", err)
	}
}
