// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/tensor"
)

const twoDeclarations = `<ir_version: 13, opset_import: ["": 26]>
struct half { bits(c: 4)[2] pair }
struct whole <metadata_props: ["values": "4"]> { array(half, 2) parts }
decoder <opset_import: ["": 26]> (parts.pair.c) => (y) {
  c = Cast <to = 1> (parts.pair.c)
  lead = Shape <end = -2> (c)
  four = Constant <value_ints = [4]> ()
  shape = Concat <axis = 0> (lead, four)
  y = Reshape (c, shape)
}
`

func TestLoadReferences(t *testing.T) {
	for _, declaration := range []string{"", "whole"} {
		e, err := catalog.Load("mine.onnxtxt", []byte(twoDeclarations), declaration)
		if err != nil {
			t.Fatal(err)
		}
		if e.Name != "whole" || e.Values != 4 || e.Type().Bits() != 16 {
			t.Errorf("%s, %d values, %d bits", e.Name, e.Values, e.Type().Bits())
		}
		y := decode(t, codecOf(t, e, []int64{2, 4}), []byte{0x21, 0x43, 0x65, 0x87})
		if got := fmt.Sprint(tensor.Slice[float32](y)); got != "[1 2 3 4 5 6 7 8]" {
			t.Error(got)
		}
	}
}

// A declaration without values is a whole value: it takes no shape.
func TestLoadWholeValue(t *testing.T) {
	text := `<ir_version: 13, opset_import: ["": 26]>
type picture = array(array(uint8, 3), 2)
decoder <opset_import: ["": 26]> (value) => (y) { y = Cast <to = 1> (value) }
`
	e, err := catalog.Load("dir/picture.onnxtxt", []byte(text), "")
	if err != nil {
		t.Fatal(err)
	}
	y := decode(t, codecOf(t, e, nil), []byte{1, 2, 3, 4, 5, 6})
	if fmt.Sprint(y.Dims()) != "[2 3]" {
		t.Error(y.Dims())
	}
	_, err = e.Instantiate([]int64{2, 3})
	if want := "picture: is a whole value (no metadata property values), it takes no shape; found [2 3]"; err == nil || err.Error() != want {
		t.Errorf("%v, expected %s", err, want)
	}
}

func TestLoadErrors(t *testing.T) {
	for _, test := range []struct{ text, declaration, want string }{
		{twoDeclarations, "other", `f.onnxtxt: no such format: "other"; it declares "half", "whole"`},
		{"<>", "", "f.onnxtxt: no declaration: expected a struct or type"},
		{"<> struct a {} struct b {}", "", `f.onnxtxt: which declaration? expected one that no other uses, found 2: "a", "b"`},
		{"<> struct a { b x } struct b { a x }", "", `f.onnxtxt: SV008 error: struct_types[0]: references form a cycle: 0 -> 1 -> 0 ("a" -> "b" -> "a")`},
		{"<> struct a {} struct a {}", "a", `f.onnxtxt: two declarations are called "a"`},
		{`<> struct a <metadata_props: ["values": "many"]> {}`, "", `f.onnxtxt: a: metadata property values: expected a number of 1 or more, found "many"`},
		{`<> struct a { float x float x }`, "", `f.onnxtxt: a: SV010 error: struct_types[0].structure.field[1]: field 1 has the name "x" of field 0`},
	} {
		_, err := catalog.Load("f.onnxtxt", []byte(test.text), test.declaration)
		if err == nil || err.Error() != test.want {
			t.Errorf("%q: %v, expected %s", test.text, err, test.want)
		}
	}
	if _, err := catalog.Load("f.onnxtxt", []byte(twoDeclarations), "other"); !errors.Is(err, catalog.ErrUnknown) {
		t.Error("an unknown declaration is not ErrUnknown")
	}
}
