// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"bytes"
	"testing"

	"github.com/structview/structview/codec"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// Elements of less than a byte are packed: where blocks fill bytes, where only several do,
// and where only the whole value does.
func TestSmallElements(t *testing.T) {
	for _, test := range []struct {
		rows, columns, each int
		elem                tensor.Type
		fused               bool
	}{
		{6, 4, 10, tensor.Int4, true},
		{6, 4, 5, tensor.Uint4, true},
		{5, 3, 5, tensor.Uint4, true},
		{3, 4, 3, tensor.Int2, true},
		{4, 300, 7, tensor.Float4E2M1, true},
		{7, 1, 1, tensor.Uint2, true},
	} {
		decoder := function(names("q.c"), names("y"), node("Cast", names("q.c"), names("y"), integer("to", int64(test.elem))))
		block := structure(field("q", inline(bits(test.each, 7))), field("tail", leaf(tensor.Uint8)))
		if pad := 8 - test.each*7%8; pad < 8 {
			block.GetStructure().Field = append(block.GetStructure().Field, field("rest", inline(bits(1, pad))))
		}
		decl := with(array(uint64(test.rows), inline(array(uint64(test.columns), inline(block)))), decoder, nil)
		r := root(t, decl)
		c, err := codec.New(r, codec.Env{})
		if err != nil {
			t.Fatal(err)
		}
		literal, err := codec.New(r, codec.Env{Literal: true})
		if err != nil {
			t.Fatal(err)
		}
		if e, err := c.Explain(); err != nil || e.Fused != test.fused {
			t.Errorf("%v: %v: %v", test, err, e)
		}
		size, _ := r.Bytes()
		payload := make([]byte, size)
		for i := range payload {
			payload[i] = byte(i*i*37 + i>>2)
		}
		want := decode(t, literal, payload)
		equal(t, decode(t, c, payload), want)
		var stream bytes.Buffer
		if err := c.DecodeTo(t.Context(), payload, &stream); err != nil || !bytes.Equal(stream.Bytes(), want.Bytes()) {
			t.Errorf("%v: DecodeTo: %v", test, err)
		}
		for a := range int64(test.rows) {
			for b := a; b <= int64(test.rows); b++ {
				got, err := c.DecodeRows(t.Context(), payload, a, b)
				if err != nil {
					t.Fatal(err)
				}
				part, err := literal.DecodeRows(t.Context(), payload, a, b)
				if err != nil {
					t.Fatal(err)
				}
				equal(t, got, part)
			}
		}
	}
}

// bits is a packing of n components c of a width.
func bits(n, width int) *onnxpb.StructTypeProto {
	return &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_BitPacking_{BitPacking: &onnxpb.StructTypeProto_BitPacking{
		Dimension: uint64(n), Component: []*onnxpb.StructTypeProto_BitPacking_Component{{Name: "c", BitWidth: uint32(width)}},
	}}}
}
