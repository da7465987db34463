// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/tensor"
)

// vector is an entry of testdata/ggml/index.json.
type vector struct {
	Name   string
	Type   string
	Set    string
	Blocks int64
	Values int64
	Files  map[string]struct {
		File   string
		SHA256 string
	}
}

func readJSON(t testing.TB, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "ggml", file))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func vectors(t testing.TB) []vector {
	t.Helper()
	var index struct{ Vectors []vector }
	readJSON(t, "index.json", &index)
	if len(index.Vectors) < 100 {
		t.Fatalf("index.json: %d vectors", len(index.Vectors))
	}
	return index.Vectors
}

func (v vector) data(t testing.TB, facet string) []byte {
	t.Helper()
	f := v.Files[facet]
	data, err := os.ReadFile(filepath.Join("testdata", "ggml", f.File))
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != f.SHA256 {
		t.Fatalf("%s: SHA-256 differs from index.json", f.File)
	}
	return data
}

// encodable reports whether the vector's bytes are what the described encoder makes of its input.
func (v vector) encodable() bool { return v.Set == "quantized" || v.Set == "edge" }

// shapes are logical shapes of every rank up to 3 that hold the vector.
func (v vector) shapes() [][]int64 {
	shapes := [][]int64{{v.Values}}
	if v.Blocks%2 == 0 {
		shapes = append(shapes, []int64{2, v.Values / 2})
	}
	if v.Blocks%4 == 0 {
		shapes = append(shapes, []int64{2, 1, v.Values / 2}, []int64{2, 2, v.Values / 4})
	}
	return shapes
}

func newCodec(t testing.TB, name string, shape []int64) *codec.Codec {
	t.Helper()
	e, err := catalog.Builtin().Entry(name)
	if err != nil {
		t.Fatal(err)
	}
	return codecOf(t, e, shape)
}

func codecOf(t testing.TB, e *catalog.Entry, shape []int64) *codec.Codec {
	t.Helper()
	in, err := e.Instantiate(shape)
	if err != nil {
		t.Fatal(err)
	}
	root, err := in.Type()
	if err != nil {
		t.Fatal(err)
	}
	c, err := codec.New(root, codec.Env{Functions: in.Functions, Opsets: in.Opsets})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func decode(t testing.TB, c *codec.Codec, payload []byte) *tensor.Tensor {
	t.Helper()
	y, err := c.Decode(t.Context(), payload)
	if err != nil {
		t.Fatal(err)
	}
	return y
}

func encode(t testing.TB, c *codec.Codec, shape []int64, x []byte) []byte {
	t.Helper()
	in, err := tensor.New(tensor.Float, shape, x)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := c.Encode(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

// sameFloats compares bit for bit, NaN with NaN, and tells where the first difference is.
func sameFloats(got, want []float32) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d values, want %d", len(got), len(want))
	}
	for i := range got {
		g, w := math.Float32bits(got[i]), math.Float32bits(want[i])
		if g != w && !(got[i] != got[i] && want[i] != want[i]) {
			return fmt.Errorf("value %d: %v (%08x), want %v (%08x)", i, got[i], g, want[i], w)
		}
	}
	return nil
}

func floats(t testing.TB, raw []byte) []float32 {
	t.Helper()
	x, err := tensor.New(tensor.Float, []int64{int64(len(raw) / 4)}, raw)
	if err != nil {
		t.Fatal(err)
	}
	return tensor.Slice[float32](x)
}

func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			for _, shape := range v.shapes() {
				c := newCodec(t, "ggml."+v.Type, shape)
				y := decode(t, c, v.data(t, "bytes"))
				if got := fmt.Sprint(y.Type(), y.Dims()); got != fmt.Sprint(tensor.Float, shape) {
					t.Errorf("%v: decoded %s", shape, got)
				}
				if err := sameFloats(tensor.Slice[float32](y), floats(t, v.data(t, "out"))); err != nil {
					t.Errorf("%v: decode: %v", shape, err)
				}
				if c.CanEncode() && v.encodable() {
					got := encode(t, c, shape, v.data(t, "in"))
					if want := v.data(t, "bytes"); string(got) != string(want) {
						t.Errorf("%v: encode: byte %d differs", shape, firstDifference(got, want))
					}
				}
			}
		})
	}
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// Encoders of these types are described by ggml's reference; those of the other quantized types are searches.
func TestEncodersExist(t *testing.T) {
	c := catalog.Builtin()
	for _, name := range []string{
		"f16", "bf16", "q1_0", "q2_0", "q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "q8_1", "q8_K",
		"mxfp4", "nvfp4", "iq4_nl", "tq1_0", "tq2_0",
	} {
		e, err := c.Entry("ggml." + name)
		if err != nil {
			t.Fatal(err)
		}
		if e.Block.Encoder == nil {
			t.Errorf("%s has no encoder", name)
		}
	}
}

func TestZeroDimensions(t *testing.T) {
	for _, name := range catalog.Builtin().Names() {
		e, err := catalog.Builtin().Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		if e.Values == 0 {
			continue
		}
		for _, shape := range [][]int64{{0}, {3, 0}, {0, e.Values}, {2, 0, 2 * e.Values}} {
			c := codecOf(t, e, shape)
			y := decode(t, c, nil)
			if got := fmt.Sprint(y.Dims()); got != fmt.Sprint(shape) {
				t.Errorf("%s: %v: decoded %s", name, shape, got)
			}
			if c.CanEncode() {
				if got := encode(t, c, shape, nil); len(got) != 0 {
					t.Errorf("%s: %v: %d bytes", name, shape, len(got))
				}
			}
		}
	}
}
