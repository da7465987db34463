// SPDX-License-Identifier: Apache-2.0

package gguf

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A foreign file is refused: the first test of every reader.
func TestForeignFiles(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"ONNX", "\x08\x0d\x12\x0astructview\x3a\x00", `gguf: byte 0: magic: found "\b\r\x12\n" ("GGUF" expected)`},
		{"NPY", "\x93NUMPY\x01\x00v\x00{'descr': '<f4'}", `gguf: byte 0: magic: found "\x93NUM" ("GGUF" expected)`},
		{"an older format", "tjgg\x03\x00\x00\x00", `gguf: byte 0: magic: found "tjgg", a format older than GGUF ("GGUF" expected)`},
		{"an empty file", "", `gguf: byte 0: magic: the file ends in the magic (4 bytes expected, 0 left)`},
		{"the magic alone", "GGUF", `gguf: byte 4: version: the file ends in the version (4 bytes expected, 0 left)`},
	} {
		_, err := ReadHeader(strings.NewReader(c.data), int64(len(c.data)))
		if got := errorText(err); got != c.want {
			t.Errorf("%s: error %q\nwant %q", c.name, got, c.want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

var badFiles = map[string]string{
	"truncated-header":       `byte 8: tensor count: the file ends in the count (8 bytes expected, 5 left)`,
	"truncated-kv":           `byte 99: key "general.name": the file ends in the value (17 bytes expected, 5 left)`,
	"truncated-tensor-info":  `byte 280: tensor "b.weight": the file ends in the type (4 bytes expected, 2 left)`,
	"truncated-tensor-data":  `byte 384: tensor "b.weight": the file ends in the data (36 bytes expected, 20 left)`,
	"huge-n-tensors":         `byte 8: tensor count: found 1152921504606846976 (19 at most: the file has 480 bytes)`,
	"huge-n-kv":              `byte 16: metadata count: found 4611686018427387904 (32 at most: the file has 480 bytes)`,
	"huge-string-length":     `byte 91: key "general.name": the length of the value is 4611686018427387904 (the file has 480 bytes)`,
	"huge-array-count":       `byte 166: key "toy.words": the array has 1152921504606846976 elements of 8 bytes or more (306 bytes left)`,
	"bad-magic":              `byte 0: magic: found "GGUX" ("GGUF" expected)`,
	"reversed-magic":         `byte 0: magic: found "FUGG", the magic in reverse ("GGUF" expected)`,
	"big-endian-header":      `byte 4: version: found 0x03000000, which looks like version 3 in big-endian byte order (little-endian 2 or 3 expected)`,
	"version-1":              `byte 4: version: found 1, which has 32-bit counts and is no longer supported (2 or 3 expected)`,
	"version-99":             `byte 4: version: found 99 (2 or 3 expected)`,
	"unaligned-offset":       `byte 284: tensor "b.weight": offset 33 is not a multiple of the alignment 32`,
	"offset-beyond-eof":      `byte 324: tensor "c.weight": offset 1073741824 lies beyond the end of the file (the data section has 128 bytes)`,
	"overlapping-tensors":    `byte 324: tensor "c.weight": bytes 32 to 48 of the data section overlap those of tensor "b.weight", 32 to 68`,
	"dims-overflow":          `byte 216: tensor "a.weight": dimensions [1099511627776 1099511627776]: 2^63 values or more`,
	"dims-overflow-signed":   `byte 216: tensor "a.weight": dimensions [3037000500 3037000500]: 2^63 values or more`,
	"unknown-type":           `byte 280: tensor "b.weight": type id 999 does not exist (0 to 42 expected)`,
	"removed-type":           `byte 280: tensor "b.weight": type id 4 was removed from the format`,
	"duplicate-tensor-name":  `byte 244: tensor "a.weight": the name occurs twice`,
	"duplicate-key":          `byte 116: key "general.name": the key occurs twice`,
	"row-not-block-multiple": `byte 264: tensor "b.weight": rows of 33 values (a multiple of 32 expected for q4_0)`,
	"n-dims-5":               `byte 212: tensor "a.weight": 5 dimensions (4 at most)`,
	"bad-value-type":         `byte 133: key "toy.count": value type 13 does not exist (0 to 12 expected)`,
	"alignment-48":           `byte 24: key "general.alignment": the alignment is 48 (a power of two expected)`,
}

func TestBadFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.gguf")
	if err != nil || len(files) != 26 || len(badFiles) != 26 {
		t.Fatalf("%d files, %d expectations, %v", len(files), len(badFiles), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".gguf")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = ReadHeader(bytes.NewReader(data), int64(len(data)))
		runtime.ReadMemStats(&after)
		if got, want := errorText(err), "gguf: "+badFiles[name]; got != want {
			t.Errorf("%s: error %q\n want %q", name, got, want)
		}
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %T", name, err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > uint64(len(data))+1<<20 {
			t.Errorf("%s: %d bytes allocated for a file of %d", name, grown, len(data))
		}
	}
}

// indexFile is a file of testdata/index.json.
type indexFile struct {
	File      string
	Size      int64
	Version   uint32
	Alignment uint32
	HeaderEnd int64 `json:"header_end"`
	DataStart int64 `json:"data_start"`
	Metadata  []struct {
		Key, Type string
		Value     any
		At        int64
	}
	Tensors []struct {
		Name       string
		NE         []uint64
		TypeID     Type `json:"type_id"`
		Type       string
		Offset     uint64
		FileOffset int64 `json:"file_offset"`
		Bytes      uint64
		SHA256     string
		F32        string `json:"f32_sha256"`
		InfoAt     int64  `json:"info_at"`
	}
}

func index(t testing.TB) []indexFile {
	t.Helper()
	data, err := os.ReadFile("testdata/index.json")
	if err != nil {
		t.Fatal(err)
	}
	var files []indexFile
	if err := json.Unmarshal(data, &files); err != nil {
		t.Fatal(err)
	}
	if len(files) != 9 {
		t.Fatalf("%d files in the index", len(files))
	}
	return files
}

func TestReadHeader(t *testing.T) {
	for _, want := range index(t) {
		t.Run(want.File, func(t *testing.T) {
			data, err := os.ReadFile("testdata/" + want.File)
			if err != nil {
				t.Fatal(err)
			}
			r := bytes.NewReader(data)
			h, err := ReadHeader(r, r.Size())
			if err != nil {
				t.Fatal(err)
			}
			got := [...]int64{h.Size, int64(h.Version), int64(h.Alignment), h.End, h.DataStart}
			if expected := [...]int64{want.Size, int64(want.Version), int64(want.Alignment), want.HeaderEnd, want.DataStart}; got != expected {
				t.Errorf("size, version, alignment, end, data start are %v, want %v", got, expected)
			}
			compareMetadata(t, h, r, want)
			compareTensors(t, h, want)
		})
	}
}

func compareMetadata(t *testing.T, h *Header, r io.ReaderAt, want indexFile) {
	t.Helper()
	if len(h.Metadata) != len(want.Metadata) {
		t.Fatalf("%d entries, want %d", len(h.Metadata), len(want.Metadata))
	}
	for i, e := range h.Metadata {
		expected := want.Metadata[i]
		kind := e.Type.String()
		if e.Type == ValueArray {
			kind = "arr[" + e.Elem.String() + "]"
		}
		if e.Key != expected.Key || kind != expected.Type || e.Offset != expected.At {
			t.Errorf("entry %q %s at %d, want %q %s at %d", e.Key, kind, e.Offset, expected.Key, expected.Type, expected.At)
		}
		value, err := h.Value(r, e)
		if err != nil {
			t.Error(err)
		}
		if d := cmp.Diff(expected.Value, asJSON(t, value)); d != "" {
			t.Errorf("%s: %s", e.Key, d)
		}
	}
}

// asJSON writes a value as the index does.
func asJSON(t *testing.T, v any) any {
	t.Helper()
	switch list := v.(type) {
	case uint64:
		return strconv.FormatUint(list, 10)
	case int64:
		return strconv.FormatInt(list, 10)
	case float32:
		return float64(list)
	case []uint8:
		return asJSON(t, widen(list))
	case []uint64:
		return asJSON(t, decimal(list, func(v uint64) string { return strconv.FormatUint(v, 10) }))
	case []int64:
		return asJSON(t, decimal(list, func(v int64) string { return strconv.FormatInt(v, 10) }))
	case []float32:
		return asJSON(t, widen64(list))
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func widen(list []uint8) []int { // bytes are numbers, not text
	out := make([]int, len(list))
	for i, v := range list {
		out[i] = int(v)
	}
	return out
}

func widen64(list []float32) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = float64(v)
	}
	return out
}

func decimal[T any](list []T, text func(T) string) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = text(v)
	}
	return out
}

func compareTensors(t *testing.T, h *Header, want indexFile) {
	t.Helper()
	if len(h.Tensors) != len(want.Tensors) {
		t.Fatalf("%d tensors, want %d", len(h.Tensors), len(want.Tensors))
	}
	for i, got := range h.Tensors {
		expected := want.Tensors[i]
		if got.Name != expected.Name || got.Type != expected.TypeID || got.Type.String() != expected.Type || !cmp.Equal(got.NE, expected.NE) ||
			got.Offset != expected.Offset || got.Size != expected.Bytes || got.At != expected.InfoAt || h.DataStart+int64(got.Offset) != expected.FileOffset {
			t.Errorf("tensor %d is %+v, want %+v", i, got, expected)
		}
	}
}

// build writes a file by hand: the header's words, for faults that the samples do not have.
type build struct{ bytes.Buffer }

func (b *build) put(v ...any) *build {
	for _, v := range v {
		if s, ok := v.(string); ok {
			b.put(uint64(len(s)))
			b.WriteString(s)
			continue
		}
		if err := binary.Write(b, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	return b
}

func start(tensors, entries uint64) *build {
	b := &build{}
	b.WriteString(magic)
	return b.put(uint32(3), tensors, entries)
}

func TestMoreFaults(t *testing.T) {
	room := make([]byte, 200)
	for _, c := range []struct {
		name string
		file *build
		want string
	}{
		{"empty key", start(0, 1).put("", uint32(0), room), `byte 24: key "": a key is empty`},
		{"key beyond the file", start(0, 1).put(uint64(300), room), `byte 24: metadata entry 0: the length of the key is 300 (the file has 232 bytes)`},
		{"long key", start(0, 1).put(strings.Repeat("k", 70000), uint32(0), room), `byte 24: metadata entry 0: the key has 70000 bytes (65535 at most)`},
		{"array of arrays", start(0, 1).put("k", uint32(9), uint32(9), room), `byte 37: key "k": arrays of arrays are not supported`},
		{"bad element type", start(0, 1).put("k", uint32(9), uint32(77), room), `byte 37: key "k": element type 77 does not exist (0 to 12 expected)`},
		{"string in an array", start(0, 1).put("k", uint32(9), uint32(8), uint64(1), uint64(250), room), `byte 57: key "k": the file ends in the array's string (250 bytes expected, 200 left)`},
		{"value beyond the file", start(0, 1).put("k", uint32(10), uint16(1)), `byte 37: key "k": the file ends in the value (8 bytes expected, 2 left)`},
		{"alignment of another type", start(0, 1).put(alignmentKey, uint32(10), uint64(32), room), `byte 24: key "general.alignment": the value is of type u64 (u32 expected)`},
		{"alignment 0", start(0, 1).put(alignmentKey, uint32(4), uint32(0), room), `byte 24: key "general.alignment": the alignment is 0 (a power of two expected)`},
		{"long name", start(1, 0).put(strings.Repeat("n", 65), room), `byte 24: tensor 0: the name has 65 bytes (64 at most)`},
		{"negative dimension", start(1, 0).put("n", uint32(2), uint64(1), int64(-5), room), `byte 45: tensor "n": dimension -5 is negative`},
		{"overflow behind a zero", start(1, 0).put("n", uint32(3), uint64(0), uint64(1<<40), uint64(1<<40), uint32(0), uint64(0), room), `byte 37: tensor "n": dimensions [0 1099511627776 1099511627776]: 2^63 values or more`},
		{"too many bytes", start(1, 0).put("n", uint32(1), uint64(1<<61), uint32(0), uint64(0), room), `byte 37: tensor "n": dimensions [2305843009213693952]: 2^63 bytes or more`},
		{"a block without its row", start(1, 0).put("n", uint32(0), uint32(2), uint64(0), room), `byte 37: tensor "n": rows of 1 values (a multiple of 32 expected for q4_0)`},
		{"no data section", start(1, 0).put("n", uint32(0), uint32(0), uint64(0)), `byte 41: tensor "n": offset 0 lies beyond the end of the file (the data section has 0 bytes)`},
	} {
		_, err := ReadHeader(bytes.NewReader(c.file.Bytes()), int64(c.file.Len()))
		if got := errorText(err); got != "gguf: "+c.want {
			t.Errorf("%s: error %q\n want %q", c.name, got, "gguf: "+c.want)
		}
	}
}

// What ggml's own reader refuses, but no reader needs to.
func TestTolerated(t *testing.T) {
	data := make([]byte, 200)
	f32 := func(b *build, name string, offset uint64) *build {
		return b.put(name, uint32(1), uint64(8), uint32(0), offset)
	}
	scalar := start(1, 0).put("n", uint32(0), uint32(0), uint64(0), data)
	gap := f32(f32(start(2, 0), "second", 96), "first", 0).put(data)
	empty := start(1, 0).put("n", uint32(1), uint64(0), uint32(2), uint64(0)) // the padding is not there
	flag := start(0, 1).put("k", uint32(7), uint8(9))
	for name, file := range map[string]*build{"scalar": scalar, "gap and order": gap, "empty": empty, "bool": flag} {
		h, err := ReadHeader(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if name == "scalar" && (h.Tensors[0].Size != 4 || len(h.Tensors[0].Shape()) != 0) {
			t.Errorf("scalar: %+v", h.Tensors[0])
		}
		if name == "bool" {
			if v, err := h.Value(bytes.NewReader(file.Bytes()), h.Metadata[0]); v != true || err != nil {
				t.Errorf("bool: %v, %v", v, err)
			}
		}
	}
}

type shrinking struct{ *strings.Reader }

func (s shrinking) ReadAt(b []byte, at int64) (int, error) {
	if at > 30 {
		return 0, io.EOF
	}
	return s.Reader.ReadAt(b[:min(len(b), 50)], at)
}

func TestUnreadable(t *testing.T) {
	file := start(0, 1).put("k", uint32(8), strings.Repeat("v", 100)).String()
	_, err := ReadHeader(shrinking{strings.NewReader(file)}, int64(len(file)))
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// A vocabulary of 250,000 tokens is the bulk of a real header.
func BenchmarkReadHeader(b *testing.B) {
	file := start(0, 1).put("tokenizer.ggml.tokens", uint32(ValueArray), uint32(ValueString), uint64(250_000))
	for i := range 250_000 {
		file.put("token" + strconv.Itoa(i))
	}
	r := bytes.NewReader(file.Bytes())
	b.SetBytes(r.Size())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadHeader(r, r.Size()); err != nil {
			b.Fatal(err)
		}
	}
}
