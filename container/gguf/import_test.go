// SPDX-License-Identifier: Apache-2.0

package gguf

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/container"
	"github.com/structview/structview/onnxpb"
)

func open(t testing.TB, path string) *container.File {
	t.Helper()
	f, err := container.Open(path, container.Options{}, Format{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// valuesOf returns a model's initializers and structured values by name.
func valuesOf(t testing.TB, m *onnxpb.ModelProto) map[string]proto.Message {
	t.Helper()
	values := map[string]proto.Message{}
	for _, p := range m.Graph.Initializer {
		values[p.Name] = p
	}
	for _, v := range m.Graph.StructInitializer {
		values[v.Name] = v
	}
	if len(values) != len(m.Graph.Initializer)+len(m.Graph.StructInitializer) {
		t.Error("two values have one name")
	}
	return values
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

func TestImport(t *testing.T) {
	for _, want := range index(t) {
		t.Run(want.File, func(t *testing.T) {
			path := filepath.Join("testdata", want.File)
			f := open(t, path)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if f.Format != "gguf" || f.Model.IrVersion != 13 || len(f.Model.OpsetImport) == 0 || f.Model.OpsetImport[0].Version != 26 {
				t.Errorf("format %s, IR version %d, opsets %v", f.Format, f.Model.IrVersion, f.Model.OpsetImport)
			}
			for _, d := range structview.Check(f.Model, f.CheckOptions()) {
				t.Error(d.Error())
			}
			values := valuesOf(t, f.Model)
			header, err := f.Bytes(values[HeaderName])
			if err != nil || !bytes.Equal(header, data[:want.DataStart]) {
				t.Errorf("header: %d bytes, %v", len(header), err)
			}
			if len(values) != len(want.Tensors)+1 {
				t.Errorf("%d values, want %d", len(values), len(want.Tensors)+1)
			}
			for _, expected := range want.Tensors {
				compareValue(t, f, values[expected.Name], expected.NE, expected.SHA256)
			}
			compareProperties(t, f.Model, want)
		})
	}
}

func compareValue(t *testing.T, f *container.File, m proto.Message, ne []uint64, hash string) {
	t.Helper()
	if m == nil {
		t.Error("a tensor is missing")
		return
	}
	payload, err := f.Bytes(m)
	if err != nil || sum(payload) != hash {
		t.Errorf("%v: %d bytes of another content, %v", m, len(payload), err)
	}
	shape := []int64{}
	for _, n := range slices.Backward(ne) {
		shape = append(shape, int64(n))
	}
	switch m := m.(type) {
	case *onnxpb.TensorProto:
		if !slices.Equal(m.Dims, shape) {
			t.Errorf("%s: dims %v, want %v", m.Name, m.Dims, shape)
		}
	case *onnxpb.StructProto:
		root := f.Model.StructTypes[m.Type]
		if want := "[" + strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ","), "[]") + "]"; !strings.HasSuffix(root.Name, want) {
			t.Errorf("%s: root %s, want %s", m.Name, root.Name, want)
		}
	}
}

func compareProperties(t *testing.T, m *onnxpb.ModelProto, want indexFile) {
	t.Helper()
	if len(m.MetadataProps) != len(want.Metadata) {
		t.Errorf("%d properties, want %d", len(m.MetadataProps), len(want.Metadata))
		return
	}
	for i, p := range m.MetadataProps {
		expected := want.Metadata[i]
		text := fmt.Sprint(expected.Value)
		if list, ok := expected.Value.([]any); ok {
			text = fmt.Sprintf("array of %d %s", len(list), strings.Trim(strings.TrimPrefix(expected.Type, "arr"), "[]"))
		}
		if expected.Type == "f32" || expected.Type == "u32" || expected.Type == "i32" {
			continue // JSON has them as float64: their text is tested below
		}
		if p.Key != "gguf."+expected.Key || p.Value != text {
			t.Errorf("property %q is %q, want %q", p.Key, p.Value, text)
		}
	}
}

func TestProperties(t *testing.T) {
	m := open(t, "testdata/all-types.gguf").Model
	text := map[string]string{}
	for _, p := range m.MetadataProps {
		text[p.Key] = p.Value
	}
	for key, want := range map[string]string{
		"gguf.toy.u32": "4000000000", "gguf.toy.i32": "-2000000000", "gguf.toy.f32": "0.1", "gguf.toy.bool_false": "false",
		"gguf.toy.str_utf8": "grüße, 世界", "gguf.toy.arr.str": "array of 4 str", "gguf.toy.i64": "-9223372036854775808",
	} {
		if text[key] != want {
			t.Errorf("%s is %q, want %q", key, text[key], want)
		}
	}
}

// One declaration of a block and one function for each type, one root for each type and shape.
func TestDeclarationsAreShared(t *testing.T) {
	f := open(t, "testdata/tiny-llama.gguf")
	m := f.Model
	if size := proto.Size(m); size > 200<<10 {
		t.Errorf("the model has %d bytes", size)
	}
	names := map[string]int{}
	for _, d := range m.StructTypes {
		names[d.Name]++
	}
	for _, fn := range m.Functions {
		names[fn.Domain+"."+fn.Name+"()"]++
	}
	for name, n := range names {
		if n != 1 {
			t.Errorf("%d times %s", n, name)
		}
	}
	if names["ggml.q4_K"] != 1 || names["ggml.q6_K"] != 1 || names["ggml.q4_K[256,256]"] != 1 {
		t.Errorf("declarations: %v", names)
	}
}

// The table of types and the catalogue say the same.
func TestTypesAgreeWithCatalogue(t *testing.T) {
	c := catalog.Builtin()
	live := 0
	for id := range len(typeInfos) + 1 {
		typ := Type(id)
		values, bytes := typ.Block()
		if values == 0 {
			continue
		}
		live++
		if back, ok := TypeNamed(typ.String()); !ok || back != typ {
			t.Errorf("TypeNamed(%q) = %d", typ, back)
		}
		if plain, ok := typ.Plain(); ok && (plain.Bits() != 8*bytes || values != 1) {
			t.Errorf("%v as %v", typ, plain)
		}
		entry, err := c.Entry("ggml." + typ.String())
		if err != nil {
			t.Error(err)
			continue
		}
		if got := entry.Type().Bits(); got != 8*bytes || entry.Values != int64(values) {
			t.Errorf("%v: %d values in %d bits, the catalogue has %d in %d", typ, values, 8*bytes, entry.Values, got)
		}
	}
	if live != 35 {
		t.Errorf("%d live types", live)
	}
	if got := Type(999).String(); got != "type 999" {
		t.Errorf("%q", got)
	}
	if _, ok := TypeNamed(""); ok {
		t.Error("the empty name is a type")
	}
}

// memory is a file in memory.
type memory struct {
	*bytes.Reader
	data []byte
}

func source(data []byte) memory { return memory{bytes.NewReader(data), data} }

func (m memory) Path() string                       { return "folder/toy.gguf" }
func (m memory) Size() int64                        { return int64(len(m.data)) }
func (m memory) Whole() []byte                      { return m.data }
func (m memory) Close() error                       { return nil }
func (m memory) Region(at, n int64) ([]byte, error) { return m.data[at : at+n], nil }

func TestAwkwardNames(t *testing.T) {
	b := start(5, 3)
	b.put("general.name", uint32(8), "a\xffb", "\xfe", uint32(4), uint32(7), "long", uint32(8), strings.Repeat("x", longestText+1))
	for i, name := range []string{HeaderName, "", "b\xff", "gguf.tensor.0", "ordinary"} {
		b.put(name, uint32(1), uint64(8), uint32(24), uint64(32*i))
	}
	b.put(make([]byte, 512))
	f, err := Format{}.Open(source(b.Bytes()), container.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range f.Model.Graph.Initializer {
		got = append(got, p.Name+"|"+p.DocString)
	}
	want := []string{
		"gguf.header|The bytes of the GGUF file before its data section.",
		`gguf.tensor.0_|Named "gguf.header" in the GGUF file.`, `gguf.tensor.1|Named "" in the GGUF file.`,
		`gguf.tensor.2|Named "b\xff" in the GGUF file.`, "gguf.tensor.0|", "ordinary|",
	}
	if !slices.Equal(got, want) {
		t.Errorf("names are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var props []string
	for _, p := range f.Model.MetadataProps {
		props = append(props, p.Key+"="+p.Value)
	}
	if want := []string{`gguf.general.name="a\xffb"`, `gguf."\xfe"=7`, "gguf.long=string of 65537 bytes"}; !slices.Equal(props, want) {
		t.Errorf("properties are %q, want %q", props, want)
	}
	if location := f.Model.Graph.Initializer[5].ExternalData[0].Value; location != "toy.gguf" {
		t.Errorf("location %q", location)
	}
}

// Values without elements: ordinary ones hold them in the message, structured ones are empty ranges.
func TestEmptyTensors(t *testing.T) {
	b := start(2, 0)
	b.put("plain", uint32(2), uint64(0), uint64(3), uint32(0), uint64(0), "blocks", uint32(2), uint64(0), uint64(3), uint32(2), uint64(1<<63))
	f, err := Format{}.Open(source(b.Bytes()), container.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range structview.Check(f.Model, f.CheckOptions()) {
		t.Error(d.Error())
	}
	plain, blocks := f.Model.Graph.Initializer[1], f.Model.Graph.StructInitializer[0]
	if plain.RawData == nil || plain.DataLocation != onnxpb.TensorProto_DEFAULT || len(plain.ExternalData) != 0 || !slices.Equal(plain.Dims, []int64{3, 0}) {
		t.Errorf("plain: %v", plain)
	}
	if got, err := f.Bytes(blocks); err != nil || len(got) != 0 || blocks.ExternalData[1].Value != strconv.Itoa(b.Len()) || blocks.ExternalData[2].Value != "0" {
		t.Errorf("blocks: %v, %v", blocks, err)
	}
}

func TestSniff(t *testing.T) {
	for head, want := range map[string]bool{
		"GGUF\x03": true, "GGUX\x03": true, "FUGG": true, "": false, "GG": false, "\x08\x0d": false, "PK\x03\x04": false, "{\"a\":": false,
	} {
		if got := (Format{}).Sniff([]byte(head)); got != want {
			t.Errorf("Sniff(%q) = %v", head, got)
		}
	}
	_, err := container.Open("testdata/bad/reversed-magic.gguf", container.Options{}, Format{})
	if want := "gguf: byte 0: magic: found \"FUGG\", the magic in reverse (\"GGUF\" expected)"; errorText(err) != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

// A file with 3 GiB of data opens at once: nothing of the data is read.
func TestSparse(t *testing.T) {
	const rows = 3 << 30 / 18
	path := filepath.Join(t.TempDir(), "sparse.gguf")
	b := start(1, 0).put("w", uint32(2), uint64(32), uint64(rows), uint32(2), uint64(0))
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Write(b.Bytes()); err != nil {
		t.Fatal(err)
	}
	end := roundUp(int64(b.Len()), defaultAlignment) + rows*18
	if _, err := file.WriteAt([]byte{0xAB, 0xCD}, end-2); err != nil {
		t.Skip(err) // a file system without holes or room
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	f := open(t, path)
	took := time.Since(begin)
	value := f.Model.Graph.StructInitializer[0]
	payload, err := f.Bytes(value)
	runtime.ReadMemStats(&after)
	if err != nil {
		if ^uint(0)>>32 == 0 {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	if !bytes.HasSuffix(payload, []byte{0xAB, 0xCD}) || int64(len(payload)) != rows*18 {
		t.Errorf("%d bytes", len(payload))
	}
	if grown := after.TotalAlloc - before.TotalAlloc; took > time.Second || grown > 8<<20 {
		t.Errorf("opening took %v and %d bytes", took, grown)
	}
}
