// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// TestHashEncoding writes the encoding of a small declaration by hand.
func TestHashEncoding(t *testing.T) {
	number := func(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }
	text := func(s string) []byte { return append(number(uint64(len(s))), s...) }
	sum := func(parts ...[]byte) []byte {
		h := sha256.Sum256(bytes.Join(parts, nil))
		return h[:]
	}
	half := sum(text("tensor"), number(10), number(0))
	bits := sum(text("bit_packing"), number(16), number(2), text("lo"), number(4), text("hi"), number(4))
	codes := [][]byte{number(22), number(1), number(3), text("\x21\x03")}
	layout := sum(text("structure"), number(3),
		text("d"), []byte{0}, half, text("qs"), []byte{0}, bits, text("c"), []byte{1}, bytes.Join(codes, nil))
	want := sum(text("structview 1"), layout, []byte{0}, []byte{0}, number(0))

	c := &onnxpb.TensorProto{DataType: int32(tensor.Int4), Dims: []int64{3}, RawData: []byte{0x21, 0xF3}}
	d := q4()
	d.GetStructure().Field = append(d.GetStructure().Field, &field{Name: "c", Content: &onnxpb.StructTypeProto_Field_Constant{Constant: c}})
	got := structview.Hash(resolved(t, d), nil)
	if !bytes.Equal(got[:], want) {
		t.Errorf("%x, want %x", got, want)
	}
	inner := structview.LayoutHash(resolved(t, d))
	if !bytes.Equal(inner[:], layout) {
		t.Errorf("layout %x, want %x", inner, layout)
	}
	if !bytes.Equal(c.RawData, []byte{0x21, 0xF3}) {
		t.Error("the constant was changed")
	}
}

func coded(nodes ...*onnxpb.NodeProto) *decl {
	d := q4()
	d.Decoder = function([]string{"d", "qs.lo"}, []string{"y"}, nodes...)
	d.Decoder.OpsetImport = []*onnxpb.OperatorSetIdProto{{Version: 26}, {Domain: "m", Version: 1}}
	return d
}

func hashOf(t *testing.T, d *decl, functions ...*onnxpb.FunctionProto) [32]byte {
	return structview.Hash(resolved(t, d), functions)
}

func TestHashSeesWhatCounts(t *testing.T) {
	helper := &onnxpb.FunctionProto{Domain: "m", Name: "f", Input: []string{"x"}, Output: []string{"y"}, Node: []*onnxpb.NodeProto{node("m", "g", "x", "y")}}
	called := &onnxpb.FunctionProto{Domain: "m", Name: "g", Input: []string{"x"}, Output: []string{"y"}, Node: []*onnxpb.NodeProto{node("", "Abs", "x", "y")}}
	calling := func() *decl { return coded(node("m", "f", "d", "y")) }
	base := hashOf(t, calling(), helper, called)

	same := calling()
	same.Name, same.DocString, same.MetadataProps = "other", "doc", pairs("a", "b")
	same.Decoder.Name, same.Decoder.Domain, same.Decoder.DocString = "n", "d", "doc"
	same.Decoder.OpsetImport[0], same.Decoder.OpsetImport[1] = same.Decoder.OpsetImport[1], same.Decoder.OpsetImport[0]
	same.Decoder.OpsetImport[1].Domain = "ai.onnx"
	same.Decoder.Node[0].Name = "node"
	unused := &onnxpb.FunctionProto{Domain: "m", Name: "unused"}
	if hashOf(t, same, called, unused, helper) != base {
		t.Error("names and documentation count")
	}

	other := &onnxpb.FunctionProto{Domain: "m", Name: "g", Input: []string{"x"}, Output: []string{"y"}, Node: []*onnxpb.NodeProto{node("", "Neg", "x", "y")}}
	seen := map[[32]byte]string{base: "base"}
	for name, h := range map[string][32]byte{
		"a function called by a function": hashOf(t, calling(), helper, other),
		"a missing function":              hashOf(t, calling(), helper),
		"an attribute":                    hashOf(t, coded(node("m", "f", "d", "y", typeIndex(1))), helper, called),
		"a graph in an attribute":         hashOf(t, coded(node("", "If", "d", "y", subgraph("b", &graph{Node: helper.Node}))), helper, called),
		"an empty graph":                  hashOf(t, coded(node("", "If", "d", "y", subgraph("b", &graph{}))), helper, called),
		"no codec":                        hashOf(t, q4()),
		"an encoder":                      hashOf(t, with(q4(), func(d *decl) { d.Encoder = function(nil, nil) })),
		"a decoder":                       hashOf(t, with(q4(), func(d *decl) { d.Decoder = function(nil, nil) })),
		"a component's name": hashOf(t, with(q4(), func(d *decl) {
			d.GetStructure().Field[1].GetType().GetStructType().GetBitPacking().Component[0].Name = "l"
		})),
	} {
		if first, ok := seen[h]; ok {
			t.Errorf("%s: the hash of %s", name, first)
		}
		seen[h] = name
	}
}

func TestHashOfReferenceAndInline(t *testing.T) {
	a := structview.Hash(resolved(t, q4(), array(ref(0), 4)), nil)
	b := structview.Hash(resolved(t, array(inline(q4()), 4)), nil)
	if a != b {
		t.Error("a reference counts")
	}
	raw := &onnxpb.TensorProto{DataType: 6, Dims: []int64{1}, RawData: []byte{5, 0, 0, 0}}
	typed := &onnxpb.TensorProto{DataType: 6, Dims: []int64{1}, Int32Data: []int32{5}, Name: "c", DocString: "doc"}
	of := func(c *onnxpb.TensorProto) [32]byte {
		return hashOf(t, structure(&field{Name: "c", Content: &onnxpb.StructTypeProto_Field_Constant{Constant: c}}))
	}
	if of(raw) != of(typed) {
		t.Error("the storage of a constant counts")
	}
}

func TestHashOfRecursiveFunctions(t *testing.T) {
	loop := &onnxpb.FunctionProto{Domain: "m", Name: "f", Node: []*onnxpb.NodeProto{node("m", "f", "x", "y")}}
	hashOf(t, coded(node("m", "f", "d", "y")), loop)
}
