// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// linear is an array of n blocks {scale: FLOAT16, bits(lo: 4, hi: 4)[2]} with a zero point
// that is a constant, its decoder and its encoder for a scale of 1.
func linear(n uint64) *onnxpb.StructTypeProto {
	block := structure(
		field("d", leaf(tensor.Float16)),
		field("qs", inline(packing(2, part{"lo", 4}, part{"hi", 4}))),
		constant("zero", tensor.Of([]int64{}, float32(8))),
	)
	decoder := function(names("zero", "qs.hi", "d", "qs.lo"), names("y"),
		node("Concat", names("qs.lo", "qs.hi"), names("q"), integer("axis", -1)),
		cast(tensor.Float, "q", "qf"),
		node("Sub", names("qf", "zero"), names("centred")),
		cast(tensor.Float, "d", "df"),
		value("last", tensor.Of([]int64{1}, int64(-1))),
		node("Unsqueeze", names("df", "last"), names("dc")),
		node("Mul", names("centred", "dc"), names("y")),
	)
	encoder := function(names("x", "zero"), names("qs.lo", "d", "qs.hi"),
		node("Add", names("x", "zero"), names("moved")),
		cast(tensor.Uint8, "moved", "q"),
		node("Split", names("q"), names("qs.lo", "qs.hi"), integer("axis", -1), integer("num_outputs", 2)),
		value("one", tensor.Of([]int64{1}, float32(1))),
		value("axis", tensor.Of([]int64{1}, int64(-1))),
		node("ReduceMax", names("x", "axis"), names("most"), integer("keepdims", 0)),
		node("Div", names("most", "most"), names("ones")),
		cast(tensor.Float16, "ones", "d"),
	)
	return with(array(n, inline(block)), decoder, encoder)
}

func TestDecode(t *testing.T) {
	c := build(t, linear(2))
	if typ, dims := c.Output(); typ != tensor.Float || !slices.Equal(dims, []int64{2, 4}) {
		t.Errorf("Output: %v%v", typ, dims)
	}
	payload := []byte{0x00, 0x3c, 0x91, 0x5a, 0x00, 0xc0, 0xf0, 0x1e} // d = 1, -2
	equal(t, decode(t, c, payload), tensor.Of([]int64{2, 4},
		float32(1-8), 10-8, 9-8, 5-8, -2*(0-8), -2*(14-8), -2*(15-8), -2*(1-8)))
}

func TestEncode(t *testing.T) {
	c := build(t, linear(2))
	x := tensor.Of([]int64{2, 4}, float32(-7), 2, 1, -3, 7, 1, -8, 2)
	payload, err := c.Encode(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	if want := []byte{0x00, 0x3c, 0x91, 0x5a, 0x00, 0x3c, 0x0f, 0xa9}; !bytes.Equal(payload, want) {
		t.Errorf("payload % x, want % x", payload, want)
	}
	equal(t, decode(t, c, payload), x)
}

func TestEncodeRefuses(t *testing.T) {
	c := build(t, linear(1))
	for i, test := range []struct {
		x    *tensor.Tensor
		want string
	}{
		{ // the only one that is about a rule
			tensor.Of([]int64{1, 4}, float32(1), 2, 3, 8),
			`encoder: output "qs.hi": element [0,1] is 16, which does not fit 4 bits (at most 15)`,
		},
		{
			tensor.Of([]int64{1, 4}, float64(1), 2, 3, 4),
			`encoder: input "x": expected FLOAT[1,4], found DOUBLE[1,4]`,
		},
		{
			tensor.Of([]int64{2, 4}, float32(1), 2, 3, 4, 5, 6, 7, 1),
			`encoder: input "x": expected FLOAT[1,4], found FLOAT[2,4]`,
		},
	} {
		payload, err := c.Encode(t.Context(), test.x)
		if err == nil || err.Error() != test.want {
			t.Errorf("got % x and %v, want %s", payload, err, test.want)
		}
		if errors.Is(err, codec.ErrEncoder) != (i == 0) {
			t.Errorf("%v: errors.Is ErrEncoder is %t", err, i != 0)
		}
	}
}

func TestNothingToRun(t *testing.T) {
	c := build(t, structure(field("x", leaf(tensor.Uint8))))
	if c.CanDecode() || c.CanEncode() {
		t.Error("nothing is there to run")
	}
	if _, err := c.Decode(t.Context(), []byte{1}); !errors.Is(err, codec.ErrNoDecoder) {
		t.Errorf("Decode: %v", err)
	}
	if _, err := c.Encode(t.Context(), tensor.Of([]int64{}, uint8(1))); !errors.Is(err, codec.ErrNoEncoder) {
		t.Errorf("Encode: %v", err)
	}
	if typ, dims := c.Output(); typ != tensor.Undefined || dims != nil {
		t.Errorf("Output: %v%v", typ, dims)
	}
}

func TestPayloadLength(t *testing.T) {
	c := build(t, linear(2))
	if _, err := c.Decode(t.Context(), make([]byte, 7)); !errors.Is(err, structview.ErrLength) {
		t.Errorf("got %v", err)
	}
}

func TestConcurrentUse(t *testing.T) {
	c := build(t, linear(2))
	payload := []byte{0x00, 0x3c, 0x91, 0x5a, 0x00, 0x3c, 0xf0, 0x1e}
	want := decode(t, c, payload)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				y, err := c.Decode(t.Context(), payload)
				if err != nil || !tensor.Equal(y, want) {
					t.Errorf("got %v, %v", y, err)
				}
				back, err := c.Encode(t.Context(), y)
				if err != nil || !bytes.Equal(back, payload) {
					t.Errorf("got % x, %v", back, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := build(t, linear(1)).Decode(ctx, make([]byte, 4)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
