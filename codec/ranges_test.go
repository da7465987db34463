// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/structview/structview/codec"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// outer is rows of uint8[16] whose decoder makes 256 products of each on the way to 16 sums.
func outer(rows uint64) *onnxpb.StructTypeProto {
	nodes := []*onnxpb.NodeProto{
		node("Cast", names("a"), names("f"), integer("to", int64(tensor.Float))),
		vector("last", -1), node("Unsqueeze", names("f", "last"), names("u")),
		vector("before", -2), node("Unsqueeze", names("f", "before"), names("w")),
		node("Mul", names("u", "w"), names("m")),
		node("ReduceSum", names("m", "last"), names("y"), integer("keepdims", 0)),
	}
	return with(array(rows, inline(structure(field("a", leaf(tensor.Uint8, 16))))), function(names("a"), names("y"), nodes...), nil)
}

// What a limit does not let through at once is decoded some rows at a time, down to one.
func TestRowsWithinLimits(t *testing.T) {
	const rows = 64
	payload := make([]byte, 16*rows)
	for i := range payload {
		payload[i] = byte(i*i + i>>3)
	}
	free, err := codec.New(root(t, outer(rows)), codec.Env{Literal: true})
	if err != nil {
		t.Fatal(err)
	}
	want, err := free.Decode(t.Context(), payload)
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []int64{4200, 5000, 9000, 20000, 65000} {
		c, err := codec.New(root(t, outer(rows)), codec.Env{Literal: true, Limits: eval.Limits{Bytes: most}})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Decode(t.Context(), payload); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%d bytes: Decode: %v", most, err)
		}
		if got, err := c.DecodeRows(t.Context(), payload, 3, 61); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()[3*64:61*64]) {
			t.Errorf("%d bytes: DecodeRows: %v", most, err)
		}
		var out bytes.Buffer
		if err := c.DecodeTo(t.Context(), payload, &out); err != nil || !bytes.Equal(out.Bytes(), want.Bytes()) {
			t.Errorf("%d bytes: DecodeTo: %v", most, err)
		}
	}
}

// One row that is beyond a limit is refused after two tries, and so is an output.
func TestRowBeyondLimits(t *testing.T) {
	for rows, limit := range map[uint64]eval.Limits{64: {Bytes: 1000}, 1 << 12: {Bytes: 10000}, 1 << 10: {Elements: 200}, 1 << 11: {Elements: 1 << 20, Bytes: 1 << 18}} {
		c, err := codec.New(root(t, outer(rows)), codec.Env{Literal: true, Limits: limit})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Decode(t.Context(), make([]byte, 16*rows))
		if !errors.Is(err, eval.ErrLimit) || strings.Contains(err.Error(), "no program") {
			t.Errorf("%d rows: %v", rows, err)
		}
	}
}
