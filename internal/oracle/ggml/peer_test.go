// SPDX-License-Identifier: Apache-2.0

package ggml

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/structview/structview/codec"
)

// BenchmarkPeer measures the decoders of the catalogue against the peer's, on one core, in values per nanosecond: over
// a row that stays in the second-level cache, and over one of 64 MB of values. The two run in turn, so that what
// else the machine does strikes both; of the rounds the medians count, of the ratios too. A ratio above 1 means
// that the catalogue is faster. One iteration is the whole table.
func BenchmarkPeer(b *testing.B) {
	l := openLibrary(b)
	for range b.N {
		table := &strings.Builder{}
		fmt.Fprintf(table, "%-8s %25s %33s\n", "", "32,768 values", "16,777,216 values")
		fmt.Fprintf(table, "%-8s %8s %8s %8s   %8s %8s %8s\n", "values/ns", "here", "peer", "ratio", "here", "peer", "ratio")
		var cached, streamed []float64
		for _, name := range chosen(decoded) {
			small := measure(b, l, name, 1<<15, 15)
			large := measure(b, l, name, 1<<24, 5)
			fmt.Fprintf(table, "%-9s %8.3f %8.3f %8.2f   %8.3f %8.3f %8.2f%s\n", name,
				small.here, small.peer, small.ratio, large.here, large.peer, large.ratio, small.note)
			cached, streamed = append(cached, small.ratio), append(streamed, large.ratio)
		}
		fmt.Fprintf(table, "%-27s %8.2f %28.2f", "geometric mean", geometricMean(cached), geometricMean(streamed))
		fmt.Printf("\n%s\n", table) // the log of a benchmark is cut after some lines
		b.ReportMetric(geometricMean(cached), "ratio/cached")
		b.ReportMetric(geometricMean(streamed), "ratio/streamed")
	}
}

// chosen are the types that the environment asks for, by their names without "ggml.", or all.
func chosen(names []string) []string {
	list := os.Getenv("STRUCTVIEW_BENCH")
	if list == "" {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !slices.Contains(strings.Split(list, ","), name)
	})
}

// speed is that of one type: values per nanosecond.
type speed struct {
	here, peer, ratio float64
	note              string
}

func measure(b *testing.B, l *Library, name string, values, rounds int) speed {
	row, _ := l.Decoder(name)
	f := newFormat(b, name, values/blockValues(b, name), codec.Env{Parallelism: 1})
	payload := plausible(b, l, name, values/f.values*f.bytes)
	got, want := make([]float32, values), make([]float32, values)
	here := func() {
		if err := f.DecodeInto(context.Background(), payload, got); err != nil {
			b.Fatal(err)
		}
	}
	peer := func() { row.Decode(payload, want) }
	here()
	peer()
	if i := difference(got, want); i >= 0 {
		b.Fatalf("%s: value %d: %v, the peer has %v", name, i, got[i], want[i])
	}
	repeat := max(1, 1<<21/values) // so that a sample takes a millisecond
	var a, p, ratios []float64
	for range rounds {
		x, y := perNanosecond(here, repeat, values), perNanosecond(peer, repeat, values)
		a, p, ratios = append(a, x), append(p, y), append(ratios, x/y)
	}
	s := speed{here: median(a), peer: median(p), ratio: median(ratios)}
	if e, err := f.Explain(); err == nil && !e.Fused {
		s.note = "   (not planned)"
	}
	return s
}

func perNanosecond(decode func(), repeat, values int) float64 {
	start := time.Now()
	for range repeat {
		decode()
	}
	return float64(repeat*values) / float64(time.Since(start).Nanoseconds())
}

// plausible is a payload of normally distributed values, where the peer can encode them without further data; of random
// bytes otherwise.
func plausible(b *testing.B, l *Library, name string, size int) []byte {
	values := blockValues(b, name)
	f := newFormat(b, name, 1<<15/values, codec.Env{})
	part := make([]byte, 1<<15/values*f.bytes)
	a := adversary{source(b)}
	row, ok := l.Encoder(name)
	if ok && (!strings.HasPrefix(name, "iq") || strings.HasPrefix(name, "iq4")) { // the others' searches want tables
		x := make([]float32, 1<<15)
		a.normal(x, 1)
		row.Encode(x, part)
	} else {
		randomBlocks(a.Rand, part, len(part))
	}
	payload := make([]byte, 0, size+len(part))
	for len(payload) < size {
		payload = append(payload, part...)
	}
	return payload[:size:size]
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

func geometricMean(x []float64) float64 {
	var sum float64
	for _, v := range x {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(x)))
}
