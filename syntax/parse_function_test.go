// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/structview/structview"
	"github.com/structview/structview/syntax"
	"github.com/structview/structview/tensor"
	"google.golang.org/protobuf/testing/protocmp"
)

func TestParseFunctionEqualsTheCodecOfAFile(t *testing.T) {
	for _, text := range []string{
		`decoder <opset_import: ["": 26]> (x) => (y) { y = Cast <to = 1> (x) }`,
		"## halves\nencoder <opset_import: [\"\": 26]> half <factor: float = 0.5> (y) => (x) {\n x = Cast <to = 2> (y) # a comment\n}\n",
	} {
		m, err := syntax.Parse("m", []byte("<ir_version: 13>\nstruct a { uint8 x }\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		want := m.GetStructTypes()[0].GetDecoder()
		if want == nil {
			want = m.GetStructTypes()[0].GetEncoder()
		}
		got, err := syntax.ParseFunction("f", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
			t.Error(diff)
		}
	}
	if f, err := syntax.ParseFunction("f", []byte(`<domain: "demo"> scaled (x) => (y) { y = Neg (x) }`)); err != nil || f.GetName() != "scaled" || f.GetDomain() != "demo" {
		t.Error(f, err)
	}
}

func TestParseFunctionErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "f:1:1: expected `(`, found the end of the text",
		"decoder (x) => (y) { } decoder":   "f:1:24: expected the end of the text, found `decoder`",
		"(x) => (y) {":                     "f:1:13: expected a node's output or `}`, found the end of the text",
		"(demo.q x) => (y) { y = Neg(x) }": "f:1:2: expected a type, found `demo.q`",
	} {
		if _, err := syntax.ParseFunction("f", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

// A declaration that is built in Go gets its decoder as text.
func ExampleParseFunction() {
	decoder, err := syntax.ParseFunction("decoder of demo.gray", []byte(`
		decoder <opset_import: ["": 26]> (level) => (y) {
			f = Cast <to = 1> (level)
			last = Constant <value = float {15}> ()
			y = Div (f, last)
		}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	gray := structview.Structure(
		structview.FieldOf("level", structview.Tensor(tensor.Uint4, 640)).Doc("0 is black"),
	).Named("demo.gray").Decoder(decoder)

	b := structview.NewModel("images")
	m, err := b.Value("line", b.Declare(gray), make([]byte, 320)).Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	m.Graph = nil
	text, err := syntax.Print(m)
	fmt.Print(string(text), err)
	// Output:
	// <ir_version: 13, opset_import: ["": 26], producer_name: "structview">
	//
	// struct demo.gray {
	//   ## 0 is black
	//   uint4[640] level
	// }
	// decoder <opset_import: ["": 26]> (level) => (y) {
	//   f = Cast <to = 1> (level)
	//   last = Constant <value = float {15}> ()
	//   y = Div (f, last)
	// }
	// <nil>
}
