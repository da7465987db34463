// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
	"pgregory.net/rapid"
)

// Every element type, at bit 3 of the payload, goes through a codec bit for bit.
func TestEveryLeaf(t *testing.T) {
	for typ := tensor.Float; typ <= tensor.Int2; typ++ {
		if typ == tensor.String {
			continue
		}
		t.Run(typ.String(), func(t *testing.T) {
			bits := 3 * typ.Bits()
			after := uint32(16 - (3+bits)%8)
			decl := with(structure(
				field("before", inline(packing(1, part{"bits", 3}))),
				field("v", leaf(typ, 3)),
				field("after", inline(packing(1, part{"bits", after}))),
			), identity("v", "y"), function(names("x"), names("before.bits", "v", "after.bits"),
				value("before.bits", tensor.Of([]int64{1}, uint8(5))),
				node("Identity", names("x"), names("v")),
				value("after.bits", tensor.Of([]int64{1}, uint16(1)<<(after-1))),
			))
			c := build(t, decl)
			data := make([]byte, (bits+7)/8)
			for i := range data {
				data[i] = byte(0x9d + 0x4f*i)
				if typ == tensor.Bool {
					data[i] = byte(i % 2)
				}
			}
			data[len(data)-1] &= byte(0xff >> (-bits % 8))
			x, err := tensor.New(typ, []int64{3}, data)
			if err != nil {
				t.Fatal(err)
			}
			payload, err := c.Encode(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			if payload[0]&7 != 5 || payload[len(payload)-1] < 0x80 {
				t.Errorf("payload % x", payload)
			}
			equal(t, decode(t, c, payload), x)
		})
	}
}

// Every width of a component goes through a codec, all ones, all zeros and 1 included.
func TestEveryWidth(t *testing.T) {
	for width := uint32(1); width <= 64; width++ {
		typ := tensor.Uint8
		for typ.Bits() < uint64(width) {
			typ = map[tensor.Type]tensor.Type{tensor.Uint8: tensor.Uint16, tensor.Uint16: tensor.Uint32, tensor.Uint32: tensor.Uint64}[typ]
		}
		c := build(t, with(packing(8, part{"w", width}), identity("w", "y"), identity("x", "w")))
		size := int(typ.Bits() / 8)
		data := make([]byte, 8*size)
		for i := range 8 {
			v := uint64(0x5bd1e995deadbeef) * uint64(i) * uint64(i)
			switch i {
			case 1:
				v = 1
			case 7:
				v = 1<<64 - 1
			}
			for k := range size {
				data[i*size+k] = byte(v & (1<<width - 1) >> (8 * k))
			}
		}
		x, err := tensor.New(typ, []int64{8}, data)
		if err != nil {
			t.Fatal(err)
		}
		payload, err := c.Encode(t.Context(), x)
		if err != nil || len(payload) != int(width) {
			t.Fatalf("%d bits: %d bytes, %v", width, len(payload), err)
		}
		equal(t, decode(t, c, payload), x)
	}
}

func TestRandomDeclarations(t *testing.T) { rapid.Check(t, roundTrip) }

func FuzzRandomDeclarations(f *testing.F) { f.Fuzz(rapid.MakeFuzz(roundTrip)) }

// roundTrip draws a declaration and a payload. The decoder makes one INT64 vector of all leaves,
// the encoder takes it apart again.
func roundTrip(t *rapid.T) {
	body := drawType(t, 3)
	sizes, err := structview.BitSize(nil, structure(field("body", body)))
	if err != nil {
		t.Fatal(err)
	}
	decl := structure(field("body", body), field("pad", inline(packing(1, part{"bits", uint32(8 - sizes%8)}))))
	all, findings := structview.Resolve([]*onnxpb.StructTypeProto{decl})
	if err := structview.Errors(findings); err != nil {
		t.Fatal(err)
	}
	bare, err := all.At(0)
	if err != nil {
		t.Fatal(err)
	}
	addCodecs(decl, bare.Layout())
	all, _ = structview.Resolve([]*onnxpb.StructTypeProto{decl})
	complete, err := all.At(0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := codec.New(complete, codec.Env{})
	if err != nil {
		t.Fatal(err)
	}
	size := int(complete.Bits() / 8)
	payload := rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, "payload")
	y, err := c.Decode(t.Context(), payload)
	if err != nil {
		t.Fatal(err)
	}
	back, err := c.Encode(t.Context(), y)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(back, payload) {
		t.Fatalf("payload % x came back as % x", payload, back)
	}
}

func drawType(t *rapid.T, depth int) *onnxpb.TypeProto {
	if depth == 0 || rapid.IntRange(0, 2).Draw(t, "leaf") == 0 {
		dims := rapid.SliceOfN(rapid.Int64Range(0, 3), 0, 2).Draw(t, "dims")
		return leaf(rapid.SampledFrom(elements).Draw(t, "element"), dims...)
	}
	switch n := rapid.Uint64Range(0, 3).Draw(t, "n"); rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		return inline(array(n, drawType(t, depth-1)))
	case 1:
		var parts []part
		for i := range rapid.IntRange(0, 3).Draw(t, "components") {
			parts = append(parts, part{fmt.Sprintf("c%d", i), rapid.Uint32Range(1, 64).Draw(t, "width")})
		}
		return inline(packing(n, parts...))
	default:
		var fields []*onnxpb.StructTypeProto_Field
		for i := range n {
			fields = append(fields, field(fmt.Sprintf("f%d", i), drawType(t, depth-1)))
		}
		return inline(structure(append(fields, constant("k", tensor.Of([]int64{2}, int8(3), -4)))...))
	}
}

// elements are the element types that integers of the same width stand for. BOOL is left out: it has
// more patterns than values.
var elements = []tensor.Type{
	tensor.Uint8, tensor.Int8, tensor.Uint16, tensor.Int16, tensor.Uint32, tensor.Int32, tensor.Uint64, tensor.Int64,
	tensor.Uint4, tensor.Int4, tensor.Uint2, tensor.Int2, tensor.Float4E2M1,
	tensor.Float8E4M3FN, tensor.Float8E4M3FNUZ, tensor.Float8E5M2, tensor.Float8E5M2FNUZ, tensor.Float8E8M0,
	tensor.Float16, tensor.BFloat16, tensor.Float, tensor.Double, tensor.Complex64,
}

// addCodecs gives a declaration its codecs.
func addCodecs(decl *onnxpb.StructTypeProto, layout *structview.Layout) {
	var in, flat, parts []string
	var lengths []int64
	var decoding, encoding []*onnxpb.NodeProto
	for leaf := range layout.Leaves() {
		if leaf.Constant != nil {
			continue
		}
		i, dims, n := len(in), []int64{}, int64(1)
		for _, d := range leaf.Dims {
			dims, n = append(dims, int64(d.Len)), n*int64(d.Len)
		}
		in, lengths = append(in, leaf.Path), append(lengths, n)
		name := func(s string) string { return fmt.Sprintf("%s%d", s, i) }
		flat, parts = append(flat, name("flat")), append(parts, name("part"))
		decoding = append(decoding, convert(leaf.Element, leaf.Path, name("wide"), true)...)
		decoding = append(decoding, reshape(name("wide"), name("flat"), n)...)
		encoding = append(encoding, reshape(name("part"), name("shaped"), dims...)...)
		encoding = append(encoding, convert(leaf.Element, name("shaped"), leaf.Path, false)...)
	}
	axis := integer("axis", 0)
	decoding = append(decoding, node("Concat", flat, names("y"), axis))
	first := []*onnxpb.NodeProto{
		value("lengths", tensor.Of([]int64{int64(len(lengths))}, lengths...)),
		node("Split", names("x", "lengths"), parts, axis),
	}
	with(decl, function(in, names("y"), decoding...), function(names("x"), in, append(first, encoding...)...))
}

func reshape(in, out string, dims ...int64) []*onnxpb.NodeProto {
	return []*onnxpb.NodeProto{
		value(out+" dims", tensor.Of([]int64{int64(len(dims))}, dims...)),
		node("Reshape", names(in, out+" dims"), names(out), integer("allowzero", 1)),
	}
}

// convert makes INT64 of the bits of an element type, or the other way round.
func convert(typ tensor.Type, in, out string, forth bool) []*onnxpb.NodeProto {
	code := typ
	switch {
	case typ.Bits() == 64:
		code = tensor.Int64
	case !typ.IsInteger():
		code = map[uint64]tensor.Type{4: tensor.Uint4, 8: tensor.Uint8, 16: tensor.Uint16, 32: tensor.Uint32}[typ.Bits()]
	}
	if forth {
		return []*onnxpb.NodeProto{bitCast(code, in, out+" code"), cast(tensor.Int64, out+" code", out)}
	}
	return []*onnxpb.NodeProto{cast(code, in, out+" code"), bitCast(typ, out+" code", out)}
}
