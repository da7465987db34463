// SPDX-License-Identifier: Apache-2.0

package ggml

import (
	"encoding/hex"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/structview/structview/codec"
)

// TestDecoders compares the decoders of the catalogue with the peer's on random blocks, NaN for NaN: all of
// them as they run in the product, each sixteenth batch through eval alone too.
func TestDecoders(t *testing.T) {
	l := openLibrary(t)
	for _, name := range append([]string{"f16", "bf16"}, decoded...) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareDecoder(t, l, name)
		})
	}
}

func compareDecoder(t *testing.T, l *Library, name string) {
	row, ok := l.Decoder(name)
	if !ok {
		t.Fatal("the peer does not export the decoder")
	}
	batch := batchValues / blockValues(t, name)
	planned := newFormat(t, name, batch, codec.Env{Parallelism: 1})
	literal := newFormat(t, name, batch, codec.Env{Literal: true})
	r := source(t)
	payload := make([]byte, batch*planned.bytes)
	got, want := make([]float32, batchValues), make([]float32, batchValues)
	for done, round := 0, 0; done < *blocks; done, round = done+batch, round+1 {
		randomBlocks(r, payload, planned.bytes)
		row.Decode(payload, want)
		checkDecoder(t, planned, payload, got, want)
		if round%16 == 0 {
			checkDecoder(t, literal, payload, got, want)
		}
	}
}

func checkDecoder(t *testing.T, f format, payload []byte, got, want []float32) {
	t.Helper()
	if err := f.DecodeInto(t.Context(), payload, got); err != nil {
		t.Fatal(err)
	}
	if i := difference(got, want); i >= 0 {
		b := i / f.values
		t.Fatalf("value %d of block %s: %v (%08x), the peer has %v (%08x)", i%f.values,
			hex.EncodeToString(payload[b*f.bytes:(b+1)*f.bytes]),
			got[i], math.Float32bits(got[i]), want[i], math.Float32bits(want[i]))
	}
}

// randomBlocks fills a payload with uniform bytes; some blocks, and some parts of blocks, are of zeros, ones or
// one repeated byte, so that scales and codes at the ends of their ranges meet.
func randomBlocks(r *rand.Rand, payload []byte, size int) {
	for i := range payload {
		payload[i] = byte(r.Uint32())
	}
	for from := 0; from < len(payload); from += size {
		if r.IntN(8) != 0 {
			continue
		}
		fill := []byte{0, 0xff, 0x80, 0x7f, byte(r.Uint32())}[r.IntN(5)]
		block := payload[from : from+size]
		a := r.IntN(size)
		part := block[a : a+r.IntN(size-a)+1]
		if r.IntN(4) == 0 {
			part = block
		}
		for i := range part {
			part[i] = fill
		}
	}
}
