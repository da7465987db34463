// SPDX-License-Identifier: Apache-2.0

package npy

import (
	"archive/zip"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/structview/structview/container"
	"github.com/structview/structview/tensor"
)

type sample struct {
	Arrays map[string]struct {
		Type  string
		Shape []int64
		Hex   string
	}
	Canonical bool
}

func samples(t *testing.T) map[string]sample {
	t.Helper()
	text, err := os.ReadFile("testdata/index.json")
	if err != nil {
		t.Fatal(err)
	}
	var index struct{ Files map[string]sample }
	if err := json.Unmarshal(text, &index); err != nil {
		t.Fatal(err)
	}
	return index.Files
}

func open(t *testing.T, path string) *container.File {
	t.Helper()
	f, err := container.Open(path, container.Options{}, Format{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func TestOpenWhatNumPyWrote(t *testing.T) {
	for name, want := range samples(t) {
		t.Run(name, func(t *testing.T) {
			f := open(t, filepath.Join("testdata", name))
			got := f.Model.Graph.Initializer
			if len(got) != len(want.Arrays) {
				t.Fatalf("%d arrays, want %d", len(got), len(want.Arrays))
			}
			for _, v := range got {
				a, ok := want.Arrays[v.Name]
				data, err := f.Bytes(v)
				if !ok || err != nil {
					t.Fatalf("array %q: %v", v.Name, err)
				}
				typ := tensor.Type(v.DataType).String()
				if typ != a.Type || !slices.Equal(v.Dims, a.Shape) || hex.EncodeToString(data) != a.Hex {
					t.Errorf("%s is %s%v %x, want %s%v %s", v.Name, typ, v.Dims, data, a.Type, a.Shape, a.Hex)
				}
			}
		})
	}
}

func TestWriteAsNumPyWrites(t *testing.T) {
	count := 0
	for name, s := range samples(t) {
		if !s.Canonical {
			continue
		}
		count++
		want, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		a := s.Arrays[strings.TrimSuffix(name, ".npy")]
		typ, _ := tensor.Named(a.Type)
		data, err := hex.DecodeString(a.Hex)
		if err != nil {
			t.Fatal(err)
		}
		x, err := tensor.New(typ, a.Shape, data)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := Write(&got, x); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s\ngot  %q\nwant %q", name, got.Bytes(), want)
		}
	}
	if count < 15 {
		t.Errorf("only %d samples", count)
	}
}

// Little-endian arrays in C order stay in the file.
func TestOpenRefersToTheFile(t *testing.T) {
	for name, inFile := range map[string]bool{"f4.npy": true, "scalar.npy": true, "big-f4.npy": false, "fortran.npy": false} {
		f := open(t, filepath.Join("testdata", name))
		place, err := f.Place(f.Model.Graph.Initializer[0])
		if err != nil || (place.Offset == 128) != inFile {
			t.Errorf("%s: payload at %+v, %v", name, place, err)
		}
	}
	stored := open(t, "testdata/stored.npz")
	if place, err := stored.Place(stored.Model.Graph.Initializer[0]); err != nil || place.Offset <= 128 {
		t.Errorf("stored member at %+v, %v", place, err)
	}
}

func TestWriteWidens(t *testing.T) {
	floats := func(v ...float32) *tensor.Tensor { return tensor.Of([]int64{int64(len(v))}, v...) }
	raw := func(typ tensor.Type, n int64, data ...byte) *tensor.Tensor {
		x, err := tensor.New(typ, []int64{n}, data)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	cases := []struct{ in, want *tensor.Tensor }{
		{raw(tensor.BFloat16, 2, 0x80, 0x3f, 0x20, 0xc1), floats(1, -10)},
		{raw(tensor.Float8E4M3FN, 3, 0x38, 0xc0, 0x01), floats(1, -2, 0x1p-9)},
		{raw(tensor.Float8E5M2, 2, 0x3c, 0x01), floats(1, 0x1p-16)},
		{raw(tensor.Float8E4M3FNUZ, 2, 0x40, 0xc8), floats(1, -2)},
		{raw(tensor.Float8E5M2FNUZ, 2, 0x40, 0xc4), floats(1, -2)},
		{raw(tensor.Float8E8M0, 2, 0x00, 0x80), floats(0x1p-127, 2)},
		{raw(tensor.Float4E2M1, 3, 0x71, 0x0a), floats(0.5, 6, -1)},
		{raw(tensor.Int4, 5, 0x21, 0x83, 0x0f), tensor.Of([]int64{5}, int8(1), 2, 3, -8, -1)},
		{raw(tensor.Uint4, 3, 0x21, 0x0f), tensor.Of([]int64{3}, uint8(1), 2, 15)},
		{raw(tensor.Int2, 5, 0xe4, 0x03), tensor.Of([]int64{5}, int8(0), 1, -2, -1, -1)},
		{raw(tensor.Uint2, 5, 0xe4, 0x01), tensor.Of([]int64{5}, uint8(0), 1, 2, 3, 1)},
		{raw(tensor.Bool, 3, 0, 7, 1), tensor.Of([]int64{3}, false, true, true)},
	}
	for _, c := range cases {
		var got, want bytes.Buffer
		if err := Write(&got, c.in); err != nil {
			t.Errorf("%v: %v", c.in.Type(), err)
		}
		if err := Write(&want, c.want); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%v is written as\n%q\nwant %q", c.in.Type(), got.Bytes(), want.Bytes())
		}
	}
	text, err := tensor.NewStrings([]int64{1}, [][]byte{[]byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(&bytes.Buffer{}, text); err == nil || err.Error() != "an element type that NumPy has expected, STRING found" {
		t.Errorf("STRING: %v", err)
	}
}

// file writes a version 1.0 file with any header text.
func file(header, data string) string {
	return magic + "\x01\x00" + string([]byte{byte(len(header)), byte(len(header) >> 8)}) + header + data
}

func TestOpenRefuses(t *testing.T) {
	const good = "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }"
	cases := []struct{ name, content, error string }{
		{"cut magic", "\x93NUMPY\x01", `byte 0: the magic number "\x93NUMPY" expected, 93 4e 55 4d 50 59 found`},
		{"version", magic + "\x04\x00\x00\x00", "byte 6: version 1, 2 or 3 expected, 4 found"},
		{"no length", magic + "\x02\x00\x00\x00", "byte 8: a header length expected: unexpected EOF"},
		{"long header", magic + "\x01\x00\xff\xff{}", "byte 8: a header of at most 2 bytes expected, 65535 found"},
		{"2^32 header", magic + "\x02\x00\xff\xff\xff\xff{}", "byte 8: a header of at most 2 bytes expected, 4294967295 found"},
		{"no dictionary", file("[]", ""), `byte 10: { expected, "[]" found`},
		{"no keys", file("{}", ""), `byte 12: the key "descr" expected, "" found`},
		{"cut", file("{'descr': '<i2'", ""), `byte 25: a comma or } expected, "" found`},
		{"twice", file("{'descr': '<i2', 'descr': '<i4'}", ""), `byte 34: one key "descr" expected, ": '<i4'}" found`},
		{"unknown key", file("{'order': 1}", ""), `byte 20: the keys descr, fortran_order and shape expected, not "order", "1}" found`},
		{"after the end", file(good+" x", "1234"), `byte 68: the end of the header expected, "x" found`},
		{"fortran", file("{'fortran_order': 1}", ""), `byte 28: False expected, "1}" found`},
		{"negative", file("{'shape': (-1,)}", ""), `byte 21: a dimension below 2^63 expected, "-1,)}" found`},
		{"2^63", file("{'shape': (9223372036854775808,)}", ""), `byte 21: a dimension below 2^63 expected, "9223372036854775..." found`},
		{"overflow", file("{'descr': '<i2', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", ""), "byte 60: tensor: [4294967296,4294967296] has 2^63 elements or more"},
		{"overflow in bytes", file("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904,)}", ""), "byte 83: more than 2^63 bytes expected for 4611686018427387904 elements <f8 of shape [4611686018427387904], 0 found"},
		{"short", file(good, "123"), "byte 67: 4 bytes expected for 2 elements <i2 of shape [2], 3 found"},
		{"long", file(good, "12345"), "byte 67: 4 bytes expected for 2 elements <i2 of shape [2], 5 found"},
		{"no byte order", file(strings.Replace(good, "<", "", 1), "1234"), `byte 20: a byte order (< or >) expected, "i2" found`},
		{"escape", file(`{'descr': '\x3ci2'}`, ""), `byte 20: a string without escapes expected, "'\\x3ci2'}" found`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.npy")
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := container.Open(path, container.Options{}, Format{}); err == nil || err.Error() != c.error {
				t.Errorf("got  %v\nwant %s", err, c.error)
			}
		})
	}
	for name, want := range map[string]string{
		"bad-object.npy": `byte 20: an array of numbers expected, an array of Python objects ("|O") found`,
		"bad-string.npy": `byte 20: a dtype that ONNX has expected, "<U3" found`,
		"bad-record.npy": `byte 20: one dtype for all elements expected, "[('a', '<i2'), (..." found`,
		"bad-date.npy":   `byte 20: a dtype that ONNX has expected, "<M8[D]" found`,
	} {
		if _, err := container.Open(filepath.Join("testdata", name), container.Options{}, Format{}); err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", name, err, want)
		}
	}
}

func TestSniff(t *testing.T) {
	for _, head := range []string{"", "\x93NUMP", "GGUF\x03\x00\x00\x00", "hello", "\x89PNG\r\n\x1a\n", "\x08\x0d\x12\x01x", "PK"} {
		if (Format{}).Sniff([]byte(head)) {
			t.Errorf("%q is taken for an array", head)
		}
	}
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte("GGUF\x03\x00\x00\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := container.Open(path, container.Options{}, Format{}); !errors.Is(err, container.ErrFormat) {
		t.Errorf("got %v", err)
	}
}

func FuzzReadArray(f *testing.F) {
	for _, name := range []string{"f4.npy", "big-c16.npy", "fortran.npy", "version2.npy", "bad-record.npy"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := readArray(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		v := a.convert("x", b[a.begin:])
		x, err := tensor.FromProto(v)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := Write(&out, x); err != nil {
			t.Fatal(err)
		}
		again, err := readArray(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil || again.element != a.element || !slices.Equal(again.shape, a.shape) {
			t.Errorf("%v%v is read again as %+v, %v", a.element, a.shape, again, err)
		}
	})
}

// A small archive that unpacks to very much is refused before it does.
func TestOpenRefusesBombs(t *testing.T) {
	const size = 200 << 20
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	w, err := z.CreateRaw(&zip.FileHeader{Name: "zeros.npy", Method: zip.Deflate, UncompressedSize64: size, CompressedSize64: 5})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte{1, 0, 0, 0xff, 0xff}); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bomb.npz")
	if err := os.WriteFile(path, archive.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = container.Open(path, container.Options{}, Format{})
	want := fmt.Sprintf("zeros.npy: %d bytes unpacked are far more than the archive's %d", size, archive.Len())
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
