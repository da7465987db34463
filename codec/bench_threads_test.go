// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec/internal/stores"
)

// both runs two functions at the same time.
func both(one, two func()) func() {
	return func() {
		var wg sync.WaitGroup
		wg.Go(one)
		two()
		wg.Wait()
	}
}

// longRun is how often two goroutines decode for a sample: some milliseconds. Waking a second core takes
// as long as decoding 32,768 values some ten times.
const longRun = 1280

// often is a function many times, so that starting a goroutine does not count.
func often(n int, run func()) func() {
	return func() {
		for range n {
			run()
		}
	}
}

// BenchmarkDecodeThreads measures two goroutines. In the second-level cache, each decodes a
// payload of its own with the same codec: of the speed of one. A value of 64 MB is decoded
// by one call with a parallelism of two: of the speed at which two goroutines store that much.
func BenchmarkDecodeThreads(b *testing.B) {
	types := []string{"q4_0", "q8_0", "q4_K", "q6_K", "iq2_xxs"}
	b.Run("L2", func(b *testing.B) {
		s := setup{"L2", cached.values, 1, cached.rounds}
		mine, other := make([]float32, s.values), make([]float32, s.values)
		for range b.N {
			var all []float64
			for _, name := range types {
				entry := builtin(b, "ggml."+name)
				one, two := s.decoding(b, entry, mine), s.decoding(b, entry, other)
				first := often(longRun, one.run)
				n := longRun * s.values
				list := []contender{
					{name: entry.Name, values: n, run: first},
					{name: "  two", values: 2 * n, run: both(first, often(longRun, two.run)), gate: 1.7},
				}
				speed, ratio := s.speeds(list)
				report(s, list, speed, ratio)
				all = append(all, ratio[1])
			}
			b.ReportMetric(geometricMean(all), "of-one")
		}
	})
	b.Run("stream", func(b *testing.B) {
		s := streamed
		dst := make([]float32, s.values)
		half := s.values / 2
		for range b.N {
			var all []float64
			for _, name := range types {
				list := []contender{
					{name: "store, past the caches, two", values: s.values, run: both(
						func() { stores.Past(dst[:half]) }, func() { stores.Past(dst[half:]) })},
					parallel(b, builtin(b, "ggml."+name), dst),
				}
				list[1].gate = 0.9
				speed, ratio := s.speeds(list)
				report(s, list, speed, ratio)
				all = append(all, ratio[1])
			}
			b.ReportMetric(geometricMean(all), "of-store")
		}
	})
}

// parallel decodes with two goroutines.
func parallel(b *testing.B, entry *catalog.Entry, dst []float32) contender {
	c, _, size := codecs(b, entry, int64(len(dst)), 2)
	payload := repeated(size)
	return contender{name: strings.TrimPrefix(entry.Name, "ggml.") + ", two", values: len(dst), run: func() {
		if err := c.DecodeInto(b.Context(), payload, dst); err != nil {
			b.Fatal(err)
		}
	}}
}

// BenchmarkDecodeRow measures one row of a large embedding, in nanoseconds, and its allocations.
func BenchmarkDecodeRow(b *testing.B) {
	const rows, columns, row = 128256, 4096, 4711
	c, _, size := pair(b, "ggml.q4_K", rows, columns/256, 0)
	payload := make([]byte, size) // of which only the row's pages are there
	copy(payload[row*(size/rows):], repeated(size/rows))
	dst := make([]float32, columns)
	decode := func() {
		if err := c.DecodeRowsInto(b.Context(), payload, row, row+1, dst); err != nil {
			b.Fatal(err)
		}
	}
	decode()
	b.ReportAllocs()
	for b.Loop() {
		decode()
	}
	fmt.Printf("a row of %d values: %.2f microseconds (gate: 3), %v allocations (gate: 0)\n",
		columns, float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e3, testing.AllocsPerRun(100, decode))
}
