// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/tensor"
)

// floatsOf are random normal floats.
func floatsOf(dims []int64, seed uint64) *tensor.Tensor {
	random := rand.New(rand.NewPCG(seed, 2))
	n, _ := tensor.Count(dims)
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	return tensor.Of(dims, v...)
}

// All ways to encode agree, with the evaluator too, on one goroutine and on several.
func TestEncodeWays(t *testing.T) {
	for _, name := range []string{"ggml.q4_0", "ggml.iq4_nl", "ggml.q8_K", "ggml.bf16"} {
		for _, workers := range []int{1, 3} {
			fast, literal, size := pair(t, name, 40, 40, workers)
			_, dims := fast.Output()
			x := floatsOf(dims, 5)
			want, err := literal.Encode(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			got, err := fast.Encode(t.Context(), x)
			into := bytes.Repeat([]byte{0xa5}, size)
			err2 := fast.EncodeInto(t.Context(), x, into)
			var stream bytes.Buffer
			err3 := fast.EncodeTo(t.Context(), x, &stream)
			if err := errors.Join(err, err2, err3); err != nil {
				t.Fatal(name, err)
			}
			if !bytes.Equal(got, want) || !bytes.Equal(into, want) || !bytes.Equal(stream.Bytes(), want) {
				t.Errorf("%s: the payloads differ", name)
			}
			if e, err := fast.ExplainEncoder(); err != nil || !e.Strips || e.Blocks*int64(e.BlockValues) != x.Len() {
				t.Errorf("%s: %v\n%v", name, err, e)
			}
		}
	}
}

// What does not fit is named by the evaluator, whatever found it.
func TestEncodeMisfit(t *testing.T) {
	fast, literal, size := pair(t, "ggml.q4_0", 2, 2, 2)
	_, dims := fast.Output()
	x := floatsOf(dims, 5)
	block := tensor.Slice[float32](x)[64:96]
	clear(block)
	block[7], block[9] = 2e-42, -1e-42 // the inverse of their scale is infinite
	_, want := literal.Encode(t.Context(), x)
	if want == nil {
		t.Fatal("infinity has a code")
	}
	_, err := fast.Encode(t.Context(), x)
	for what, err := range map[string]error{
		"Encode": err, "EncodeInto": fast.EncodeInto(t.Context(), x, make([]byte, size)), "EncodeTo": fast.EncodeTo(t.Context(), x, io.Discard),
	} {
		if err == nil || err.Error() != want.Error() {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
	}
}

func TestEncodeIntoErrors(t *testing.T) {
	fast, literal, size := pair(t, "ggml.q8_0", 2, 2, 1)
	for name, c := range map[string]*codec.Codec{"planned": fast, "literal": literal} {
		stopped, cancel := context.WithCancel(t.Context())
		cancel()
		x := floatsOf([]int64{2, 64}, 1)
		for what, test := range map[string]struct {
			err  error
			want string
		}{
			"short":   {c.EncodeInto(t.Context(), x, make([]byte, size-1)), "encoder: 135 bytes were given for 136"},
			"shape":   {c.EncodeInto(t.Context(), floatsOf([]int64{64, 2}, 1), make([]byte, size)), `encoder: input "x": expected FLOAT[2,64], found FLOAT[64,2]`},
			"stopped": {c.EncodeInto(stopped, x, make([]byte, size)), "context canceled"},
		} {
			if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
				t.Errorf("%s: %s: %v, want %s", name, what, test.err, test.want)
			}
		}
	}
}

func TestEncodeLimit(t *testing.T) {
	e, err := catalog.Builtin().Entry("ggml.f32")
	if err != nil {
		t.Fatal(err)
	}
	in, err := e.Instantiate([]int64{1000})
	if err != nil {
		t.Fatal(err)
	}
	r, err := in.Type()
	if err != nil {
		t.Fatal(err)
	}
	c, err := codec.New(r, codec.Env{Functions: in.Functions, Opsets: in.Opsets, Limits: eval.Limits{Bytes: 3999}})
	if err == nil {
		_, err = c.Encode(t.Context(), floatsOf([]int64{1000}, 1))
	}
	if !errors.Is(err, eval.ErrLimit) {
		t.Errorf("%v", err)
	}
}

// A value of several pieces is streamed as it is encoded at once.
func TestEncodeToPieces(t *testing.T) {
	fast, _, _ := pair(t, "ggml.q8_0", 4100, 40, 2)
	_, dims := fast.Output()
	x := floatsOf(dims, 3)
	want, err := fast.Encode(t.Context(), x)
	var got bytes.Buffer
	if err := errors.Join(err, fast.EncodeTo(t.Context(), x, &got)); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%v", err)
	}
}

// A decoder that no kernel takes runs as strips, in every way in which it can be asked.
func TestDecodeStrips(t *testing.T) {
	const rows, lanes = 50, 100
	all := with(array(rows, leaf(tensor.Float, lanes)), function(names("value"), names("y"),
		value("axes", tensor.Of([]int64{1}, int64(1))), node("ReduceMax", names("value", "axes"), names("m")),
		node("ArgMin", names("value"), names("i"), integer("axis", 1)), cast(tensor.Float, "i", "f"),
		node("Mul", names("value", "m"), names("p")), node("Add", names("p", "f"), names("y"))), nil)
	fast, literal := build(t, all), mustBuild(t, root(t, all), codec.Env{Literal: true, Opsets: opsets(opset)})
	e, err := fast.Explain()
	if err != nil || e.Step != 3 || !strings.HasPrefix(e.String(), "FLOAT[50,100] by strips of lanes: 50 blocks of 400 bytes and 100 values") {
		t.Errorf("%v\n%v", err, e)
	}
	payload := floatsOf([]int64{rows, lanes}, 7).Bytes()
	want := decode(t, literal, payload)
	equal(t, decode(t, fast, payload), want)
	into := make([]float32, rows*lanes)
	if err := fast.DecodeInto(t.Context(), payload, into); err != nil {
		t.Fatal(err)
	}
	equal(t, tensor.Of([]int64{rows, lanes}, into...), want)
	part, err := fast.DecodeRows(t.Context(), payload, 7, 9)
	if err != nil || !bytes.Equal(part.Bytes(), want.Bytes()[7*400:9*400]) {
		t.Errorf("rows: %v", err)
	}
	var stream bytes.Buffer
	if err := fast.DecodeTo(t.Context(), payload, &stream); err != nil || !bytes.Equal(stream.Bytes(), want.Bytes()) {
		t.Errorf("stream: %v", err)
	}
}

func mustBuild(t *testing.T, r *structview.Type, env codec.Env) *codec.Codec {
	t.Helper()
	c, err := codec.New(r, env)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func BenchmarkEncode(b *testing.B) {
	for _, name := range []string{
		"ggml.q8_0", "ggml.q4_0", "ggml.q4_1", "ggml.q5_0", "ggml.q5_1", "ggml.mxfp4", "ggml.bf16", "ggml.f16",
		"ggml.iq4_nl", "ggml.nvfp4", "ggml.q8_K", "ggml.tq1_0", "ggml.tq2_0", "ggml.q1_0", "ggml.q2_0", "mx.fp4", "mx.fp8_e4m3",
	} {
		b.Run(name, func(b *testing.B) {
			entry, err := catalog.Builtin().Entry(name)
			if err != nil {
				b.Fatal(err)
			}
			c, _, size := pair(b, name, 64, 512/max(entry.Values, 1), 1)
			_, dims := c.Output()
			x, dst := floatsOf(dims, 1), make([]byte, size)
			b.SetBytes(4 * x.Len())
			if err := c.EncodeInto(b.Context(), x, dst); err != nil { // plans
				b.Fatal(err)
			}
			for b.Loop() {
				if err := c.EncodeInto(b.Context(), x, dst); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
