// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"errors"
	"strings"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
)

func resolve(t *testing.T, list ...*onnxpb.StructTypeProto) *structview.Type {
	t.Helper()
	d, findings := structview.Resolve(list)
	if err := structview.Errors(findings); err != nil {
		t.Fatal(err)
	}
	root, err := d.At(d.Len() - 1)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func arrayOf(n uint64, of *onnxpb.StructTypeProto) *onnxpb.StructTypeProto {
	return &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Array_{
		Array: &onnxpb.StructTypeProto_Array{ElementType: typeProto(of), Dimension: n},
	}}
}

// doubling is n declarations, each of which uses the one before twice.
func doubling(n int) []*onnxpb.StructTypeProto {
	list := []*onnxpb.StructTypeProto{packing(1, 8)}
	for i := range n {
		s := &onnxpb.StructTypeProto_Structure{}
		for _, name := range []string{"a", "b"} {
			s.Field = append(s.Field, &onnxpb.StructTypeProto_Field{Name: name, Content: &onnxpb.StructTypeProto_Field_Type{
				Type: typeProto(&onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_TypeIndex{TypeIndex: int32(i)}}),
			}})
		}
		list = append(list, &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Structure_{Structure: s}})
	}
	return list
}

func TestRefused(t *testing.T) {
	byte1 := resolve(t, packing(1, 8))
	for _, c := range []struct {
		root *structview.Type
		o    Options
		want string
	}{
		{resolve(t, packing(3, 3)), Options{Lang: Go}, "x has 9 bits, which is not a whole number of bytes: add a bit field that fills the last one"},
		{resolve(t, packing(0, 3)), Options{Lang: C}, "x has no bits: there is nothing to read"},
		{resolve(t, arrayOf(1<<58, packing(1, 8))), Options{Lang: Go}, "x has 288230376151711744 bytes, more than the 67108864 of one generated type: generate the type of its elements"},
		{resolve(t, doubling(20)...), Options{Lang: Go}, "x has 1048576 leaves, more than the 1024 of one generated type: generate the types of its parts"},
		{resolve(t, packing(1, 4, 8, 4)), Options{Lang: Numpy}, "x: numpy has no dtype for it: w0 (4 bits [1]) is not whole bytes at whole bytes: use --lang go or --lang c"},
		{byte1, Options{Lang: "rust"}, `no language "rust": there are [go c numpy]`},
		{byte1, Options{Lang: Go, Name: "a b"}, `not a usable name for a Go type: "a b"; expected letters, digits and _, no keyword and no predeclared name`},
		{byte1, Options{Lang: Go, Name: "func"}, `not a usable name for a Go type: "func"; expected letters, digits and _, no keyword and no predeclared name`},
		{byte1, Options{Lang: Go, Name: "byte"}, `not a usable name for a Go type: "byte"; expected letters, digits and _, no keyword and no predeclared name`},
		{byte1, Options{Lang: Go, Package: "9"}, `not a usable name for a Go package: "9"; expected letters, digits and _, no keyword`},
		{byte1, Options{Lang: C, Name: "größe"}, `not a usable name for a C type: "größe"; expected ASCII letters, digits and _, no keyword`},
		{byte1, Options{Lang: C, Name: "union"}, `not a usable name for a C type: "union"; expected ASCII letters, digits and _, no keyword`},
		{byte1, Options{Lang: Numpy, Name: "np"}, `not a usable name for a Python variable: "np"; expected ASCII letters, digits and _, no keyword`},
	} {
		c.o.Source = "x"
		_, err := Generate(c.root, c.o)
		if err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
		if err != nil && errors.Is(err, ErrName) != strings.Contains(c.want, "usable") {
			t.Errorf("%v: not told apart by ErrName", err)
		}
	}
}

// TestHostileNames: whatever stands in a name, the output is Go, and stays in its comments.
func TestHostileNames(t *testing.T) {
	s := &onnxpb.StructTypeProto_Structure{}
	for _, name := range []string{
		"a\nfunc init() { panic(1) }", "*/ int main() {} /*", "\xff\xfe", "\u2028", "func", "_", "0", "1", "a", "A", "set a", "Set_A", "a float32", "'\"\\", "é", "ß",
	} {
		s.Field = append(s.Field, &onnxpb.StructTypeProto_Field{Name: name, Content: &onnxpb.StructTypeProto_Field_Type{Type: typeProto(packing(2, 3, 13))}})
	}
	root := resolve(t, &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Structure_{Structure: s}})
	for _, lang := range []Language{Go, C} {
		text, err := Generate(root, Options{Lang: lang, Source: "evil\nname.*/\x00x"})
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "func init") || strings.HasPrefix(line, " int main") || strings.Contains(line, "\x00") {
				t.Errorf("%s: %q", lang, line)
			}
		}
		if n := strings.Count(string(text), "*/"); lang == C && n != strings.Count(string(text), "/*") {
			t.Errorf("comments of the C header are not closed where they should be: %d", n)
		}
	}
}
