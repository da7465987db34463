// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

func TestFamilyNames(t *testing.T) {
	for name, want := range map[string]string{
		"mx.fp4":                             "mx.fp4[block=32] 32 values 136 bits",
		"mx.fp4[block=16]":                   "mx.fp4[block=16] 16 values 72 bits",
		"mx.fp4[ block = 016 ]":              "mx.fp4[block=16] 16 values 72 bits",
		"linear.affine[bits=3]":              "linear.affine[bits=3,block=32,scale=float16] 32 values 128 bits",
		"linear.affine[scale=float,block=8]": "linear.affine[bits=4,block=8,scale=float] 8 values 96 bits",
	} {
		e, err := catalog.Builtin().Entry(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := fmt.Sprintf("%s %d values %d bits", e.Name, e.Values, e.Type().Bits())
		if got != want || e.Block.Name != e.Name {
			t.Errorf("%s: %s (%s), expected %s", name, got, e.Block.Name, want)
		}
	}
}

func TestFamilyErrors(t *testing.T) {
	for name, want := range map[string]string{
		"mx.fp4[blok=32]":           "mx/fp4.onnxtxt: no parameter blok; did you mean block?",
		"mx.fp4[block=16,block=32]": "mx/fp4.onnxtxt: parameter block is given twice",
		"mx.fp4[block=float16]":     "mx/fp4.onnxtxt: parameter block: expected a value like 32, found float16",
		"linear.affine[scale=2]":    "linear/affine.onnxtxt: parameter scale: expected a value like float16, found 2",
		"mx.fp4[block=]":            `"mx.fp4[block=]": expected parameters like [block=32], found "block="`,
		"mx.fp4[block=32":           `"mx.fp4[block=32": expected ] after the parameters`,
		"ggml.q4_0[block=32]":       "ggml/q4_0.onnxtxt: parameter block: the format has no parameters",
		"mx.fp5[block=32]":          `no such format: "mx.fp5"; did you mean mx.fp4?`,
		"linear.affine[bits=70]":    "linear/affine.onnxtxt:36: $((1 << bits) - 1): the value is beyond 2^62",
		"mx.fp4[block=-1]":          "mx/fp4.onnxtxt:14:14: expected how often the components repeat, an integer from 0 in 64 bits, found `-1`",
	} {
		if _, err := catalog.Builtin().Entry(name); err == nil || err.Error() != want {
			t.Errorf("%s: %v, expected %s", name, err, want)
		}
	}
}

const template = "#param n = 6  how many\n#param t = uint8\n<ir_version: 13>\n" +
	"struct %s { $(t)[%s] x }\n"

func TestExpressions(t *testing.T) {
	for expression, want := range map[string]uint64{
		"$(n)": 6, "$( n )": 6, "$(n + 1)": 7, "$(n-2-1)": 3, "$(2 + 3 * n)": 20, "$((2 + 3) * n)": 30,
		"$(n / 2 / 3)": 1, "$(1 << n)": 64, "$((1 << n) - 1)": 63, "$(1 << n - 4)": 4, "$(n)$(n)": 66, "1$(n)": 16,
	} {
		e, err := catalog.Load("t.onnxtxt", fmt.Appendf(nil, template, "s", expression), "")
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		if got := e.Type().Bits() / 8; got != want {
			t.Errorf("%s: %d, expected %d", expression, got, want)
		}
	}
	for expression, want := range map[string]string{
		"$(n / 4)":                   "6 is not divisible by 4",
		"$(n / 0)":                   "6 is not divisible by 0",
		"$(m)":                       "no parameter m",
		"$(t + 1)":                   "expected a number, found uint8",
		"$(n":                        `expected ), found "]"`,
		"$(n +)":                     `expected a number or a parameter, found ")"`,
		"$(1 << 63)":                 "the value is beyond 2^62",
		"$(4611686018427387904 + 1)": "the value is beyond 2^62",
		"$(4611686018427387904 * 2)": "the value is beyond 2^62",
		"$(99999999999999999999)":    "expected a number from -2^62 to 2^62 (4611686018427387904), found 99999999999999999999",
		"$(9223372036854775807 - n)": "expected a number from -2^62 to 2^62 (4611686018427387904), found 9223372036854775807",
		"$()":                        `expected a number or a parameter, found ")"`,
		"$(n more)":                  `expected ), found "more"`,
	} {
		_, err := catalog.Load("t.onnxtxt", fmt.Appendf(nil, template, "s", expression), "")
		shown := expression
		if expression == "$(n" {
			shown = "$(n] x }" // to the end of the line
		}
		want = "t.onnxtxt:4: " + shown + ": " + want
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, expected %s", expression, err, want)
		}
	}
}

// A name given twice is refused where it is given again, whatever is chosen.
func TestParameterTwice(t *testing.T) {
	text := []byte("#param n = 3\n#param m = 1\n#param n = 8\n<ir_version: 13>\nstruct s { uint8[$(n)] x }\n")
	for _, declaration := range []string{"", "[n=4]", "s[m=2]"} {
		_, err := catalog.Load("t.onnxtxt", text, declaration)
		if want := "t.onnxtxt:3: expected a parameter of a new name, found a second n"; err == nil || err.Error() != want {
			t.Errorf("%q: %v, expected %s", declaration, err, want)
		}
	}
}

// The parameters of a user's file can be given without its name.
func TestLoadFamily(t *testing.T) {
	for declaration, want := range map[string]string{
		"": "my.s[n=6,t=uint8]", "my.s": "my.s[n=6,t=uint8]", "[n=2]": "my.s[n=2,t=uint8]", "my.s[t=float]": "my.s[n=6,t=float]",
	} {
		e, err := catalog.Load("t.onnxtxt", fmt.Appendf(nil, template, "my.s", "$(n)"), declaration)
		if err != nil {
			t.Fatal(err)
		}
		if e.Name != want {
			t.Errorf("%q: %s, expected %s", declaration, e.Name, want)
		}
	}
}

// Members of a family stand side by side in one model.
func TestFamilyMembersInOneModel(t *testing.T) {
	m := &onnxpb.ModelProto{}
	a, b := add(t, m, "mx.fp4[block=32]", 2, 64), add(t, m, "mx.fp4[block=16]", 2, 64)
	if a == b || len(m.StructTypes) != 4 || len(m.Functions) != 4 {
		t.Errorf("roots %d and %d, %d declarations, %d functions", a, b, len(m.StructTypes), len(m.Functions))
	}
	if got := m.Functions[0].Name + " " + m.Functions[3].Name; got != "fp4_block32 fp4_block16_encode" {
		t.Error(got)
	}
}

// Values, and codes for given values, as the specification's formulas give them.
func TestMicroscalingVectors(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "mx", "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	var index map[string]string // format to file name
	if err := json.Unmarshal(text, &index); err != nil {
		t.Fatal(err)
	}
	for format, file := range index {
		payload, err := os.ReadFile(filepath.Join("testdata", "mx", file+".payload.bin"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("testdata", "mx", file+".expected.f32"))
		if err != nil {
			t.Fatal(err)
		}
		y := decode(t, newCodec(t, format, []int64{int64(len(want) / 4)}), payload)
		if err := sameFloats(tensor.Slice[float32](y), floats(t, want)); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		checkMicroscalingEncoder(t, format, file)
	}
	if len(index) != 6 {
		t.Errorf("%d formats", len(index))
	}
}

func checkMicroscalingEncoder(t *testing.T, format, file string) {
	t.Helper()
	x, err := os.ReadFile(filepath.Join("testdata", "mx", "encode.x.f32"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "mx", file+".encoded.bin"))
	if err != nil {
		t.Fatal(err)
	}
	for _, shape := range [][]int64{{384}, {3, 128}, {2, 3, 64}} {
		if got := encode(t, newCodec(t, format, shape), shape, x); string(got) != string(want) {
			t.Errorf("%s %v: encode: byte %d differs", format, shape, firstDifference(got, want))
		}
	}
}

func TestAffineRoundTrip(t *testing.T) {
	for bits := 1; bits <= 8; bits++ {
		for _, scale := range []string{"float", "float16", "bfloat16"} {
			c := newCodec(t, fmt.Sprintf("linear.affine[bits=%d,block=16,scale=%s]", bits, scale), []int64{3, 32})
			x := ordinary(96, 5)
			y := tensor.Slice[float32](decode(t, c, encode(t, c, []int64{3, 32}, floatBytes(x))))
			for b := 0; b < len(x); b += 16 {
				low, high := x[b], x[b]
				for _, v := range x[b : b+16] {
					low, high = min(low, v), max(high, v)
				}
				span := float64(high) - float64(low)
				for i, v := range x[b : b+16] {
					if d := math.Abs(float64(y[b+i]) - float64(v)); d > span*(0.5/float64(int(1)<<bits-1)+0x1p-6) {
						t.Fatalf("%d bits, %s: %v decodes to %v, of a block that spans %v", bits, scale, v, y[b+i], span)
					}
				}
			}
		}
	}
}

func TestExpand(t *testing.T) {
	got, err := catalog.Expand("t.onnxtxt", fmt.Appendf(nil, template, "s", "$(n * 2)"))
	if want := "#param n = 6  how many\n#param t = uint8\n<ir_version: 13>\nstruct s { uint8[12] x }\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := catalog.Expand("t.onnxtxt", []byte("$(n)")); err != nil || string(got) != "$(n)" {
		t.Errorf("a file without parameters: %q, %v", got, err)
	}
}
