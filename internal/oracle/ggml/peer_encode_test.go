// SPDX-License-Identifier: Apache-2.0

package ggml

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/structview/structview/codec"
	"github.com/structview/structview/tensor"
)

// BenchmarkEncode measures the encoders of the catalogue against the peer's reference encoders, as BenchmarkPeer does for
// decoders: on one core, interleaved, over normally distributed values.
func BenchmarkEncode(b *testing.B) {
	l := openLibrary(b)
	for range b.N {
		table := &strings.Builder{}
		fmt.Fprintf(table, "%-8s %25s %33s\n", "", "32,768 values", "2,097,152 values")
		fmt.Fprintf(table, "%-8s %8s %8s %8s   %8s %8s %8s\n", "values/ns", "here", "peer", "ratio", "here", "peer", "ratio")
		var cached, streamed []float64
		for _, name := range chosen(encoded) {
			small := measureEncoder(b, l, name, 1<<15, 51)
			large := measureEncoder(b, l, name, 1<<21, 9)
			fmt.Fprintf(table, "%-9s %8.3f %8.3f %8.2f   %8.3f %8.3f %8.2f%s\n", name,
				small.here, small.peer, small.ratio, large.here, large.peer, large.ratio, small.note)
			cached, streamed = append(cached, small.ratio), append(streamed, large.ratio)
		}
		fmt.Fprintf(table, "%-27s %8.2f %28.2f", "geometric mean", geometricMean(cached), geometricMean(streamed))
		fmt.Printf("\n%s\n", table)
		b.ReportMetric(geometricMean(cached), "ratio/cached")
		b.ReportMetric(geometricMean(streamed), "ratio/streamed")
	}
}

func measureEncoder(b *testing.B, l *Library, name string, values, rounds int) speed {
	row, _ := l.Encoder(name)
	f := newFormat(b, name, values/blockValues(b, name), codec.Env{Parallelism: 1})
	a := adversary{source(b)}
	x := make([]float32, values)
	a.normal(x, 1)
	value := tensor.Of([]int64{int64(values)}, x...)
	got, want := make([]byte, values/f.values*f.bytes), make([]byte, values/f.values*f.bytes)
	here := func() {
		if err := f.EncodeInto(b.Context(), value, got); err != nil {
			b.Fatal(err)
		}
	}
	peer := func() { row.Encode(x, want) }
	here()
	peer()
	if !bytes.Equal(got, want) {
		b.Fatalf("%s: the payloads differ", name)
	}
	repeat := max(1, 1<<16/values) // the slowest encoder takes some milliseconds for a sample
	var h, p, ratios []float64
	for range rounds {
		x, y := perNanosecond(here, repeat, values), perNanosecond(peer, repeat, values)
		h, p, ratios = append(h, x), append(p, y), append(ratios, x/y)
	}
	return speed{here: median(h), peer: median(p), ratio: median(ratios)}
}
