// SPDX-License-Identifier: Apache-2.0

package ggml

import (
	"bytes"
	"encoding/hex"
	"testing"
	"time"

	"github.com/structview/structview/codec"
	"github.com/structview/structview/tensor"
)

// TestEncoders compares the encoders of the catalogue with the peer's, byte for byte, on blocks of which half
// are adversarial. NaN, infinities and blocks whose scale has no inverse are undefined and left out, but for
// f16 and bf16, which define every input.
func TestEncoders(t *testing.T) {
	l := openLibrary(t)
	for _, name := range encoded {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareEncoder(t, l, name)
		})
	}
}

func compareEncoder(t *testing.T, l *Library, name string) {
	start := time.Now()
	row, ok := l.Encoder(name)
	if !ok {
		t.Fatal("the peer does not export the encoder")
	}
	batch := batchValues / blockValues(t, name)
	f := newFormat(t, name, batch, codec.Env{})
	a := adversary{source(t)}
	want := make([]byte, batch*f.bytes)
	done := 0
	for ; done < *blocks; done += batch {
		x := make([]float32, batchValues)
		a.fill(x, name, f.values)
		clear(want) // q8_K leaves the sums of a block of zeros unwritten
		row.Encode(x, want)
		got, err := f.Encode(t.Context(), tensor.Of([]int64{batchValues}, x...))
		if err != nil {
			t.Fatal(err)
		}
		if name == "iq4_nl" {
			clearCodes(f, x, got, want)
		}
		checkBlocks(t, f, x, got, want)
	}
	t.Logf("%d blocks of %d values: equal (%v)", done, f.values, time.Since(start).Round(time.Millisecond))
}

func (a adversary) fill(x []float32, name string, values int) {
	if values == 1 {
		for i := range x {
			x[i] = a.scalar()
		}
		return
	}
	for from := 0; from < len(x); from += values {
		a.block(x[from:from+values], name)
	}
}

// clearCodes sets the codes to zero that iq4_nl leaves undefined, those of blocks below its smallest magnitude: ggml takes
// them from the block before. The scale, which is 0, stays.
func clearCodes(f format, x []float32, rows ...[]byte) {
	for b := range len(x) / f.values {
		if largest(x[b*f.values:(b+1)*f.values]) >= smallest("iq4_nl") {
			continue
		}
		for _, row := range rows {
			clear(row[b*f.bytes+2 : (b+1)*f.bytes])
		}
	}
}

func checkBlocks(t *testing.T, f format, x []float32, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	for b := 0; b < len(want); b += f.bytes {
		if g, w := got[b:b+f.bytes], want[b:b+f.bytes]; !bytes.Equal(g, w) {
			from := b / f.bytes * f.values
			t.Fatalf("block of %x\n(%v):\n got %s\npeer %s", x[from:from+f.values], x[from:from+f.values],
				hex.EncodeToString(g), hex.EncodeToString(w))
		}
	}
	t.Fatalf("%d bytes, want %d", len(got), len(want))
}
