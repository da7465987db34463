// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/codec/internal/stores"
	"github.com/structview/structview/tensor"
)

// The set-ups: how many values are decoded, how often for a sample, and how many
// samples are taken.
type setup struct {
	name           string
	values         int
	repeat, rounds int
}

var (
	cached   = setup{"L2", 1 << 15, 32, 15}
	streamed = setup{"stream", 1 << 24, 1, 5}
)

// contender is something that makes values.
type contender struct {
	name   string
	values int
	run    func()
	gate   float64 // of the first contender's speed
}

// speeds lets contenders run in turn, so that what else the machine does strikes all
// of them, and returns the medians: values per nanosecond, and ratios to the first.
func (s setup) speeds(list []contender) (speed, ratio []float64) {
	samples, ratios := make([][]float64, len(list)), make([][]float64, len(list))
	for range s.rounds {
		for i, c := range list {
			start := time.Now()
			for range s.repeat {
				c.run()
			}
			x := float64(s.repeat*c.values) / float64(time.Since(start).Nanoseconds())
			samples[i] = append(samples[i], x)
			ratios[i] = append(ratios[i], x/samples[0][len(samples[0])-1])
		}
	}
	for i := range list {
		speed, ratio = append(speed, median(samples[i])), append(ratio, median(ratios[i]))
	}
	return speed, ratio
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

func geometricMean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(x)))
}

// decoding is a format that decodes again and again into dst.
func (s setup) decoding(tb testing.TB, entry *catalog.Entry, dst []float32) contender {
	tb.Helper()
	values := int64(s.values) / entry.Values * entry.Values
	c, _, size := codecs(tb, entry, values, 1)
	payload := repeated(size)
	note := ""
	if e, err := c.Explain(); err != nil || !e.Fused {
		note = " (not planned)"
	}
	if element, _ := c.Output(); element != tensor.Float {
		run := func() { decode(tb, c, payload) }
		if note == "" {
			run = intoBytes(tb, entry, values, payload)
		}
		return contender{name: entry.Name + note, values: int(values), run: run}
	}
	dst = dst[:values]
	return contender{name: entry.Name + note, values: int(values), run: func() {
		if err := c.DecodeInto(context.Background(), payload, dst); err != nil {
			tb.Fatal(err)
		}
	}}
}

// intoBytes decodes values that are not FLOAT into memory, which no method of a codec does.
func intoBytes(tb testing.TB, entry *catalog.Entry, values int64, payload []byte) func() {
	in, err := entry.Instantiate([]int64{values})
	if err != nil {
		tb.Fatal(err)
	}
	root, err := in.Type()
	if err != nil {
		tb.Fatal(err)
	}
	p, err := plan.Decoder(root, root.Decoder(), plan.Env{Functions: in.Functions, Opsets: in.Opsets})
	if err != nil {
		tb.Fatal(err)
	}
	out, runner := make([]byte, p.Bytes(p.Blocks)), p.NewRunner()
	runner.Stream(len(out) > 16<<20) // as codecs do it
	return func() { runner.DecodeBytes(payload, 0, p.Blocks, out) }
}

// chosen reports whether an entry is among those that the environment asks for.
func chosen(name string) bool {
	list := os.Getenv("STRUCTVIEW_BENCH")
	return list == "" || slices.Contains(strings.Split(list, ","), strings.TrimPrefix(strings.TrimPrefix(name, "ggml."), "bench."))
}

// report prints a line a contender. The log of a benchmark would be cut.
func report(s setup, list []contender, speed, ratio []float64) {
	for i, c := range list {
		mark := ""
		if ratio[i] < c.gate {
			mark = fmt.Sprintf("  < %.2f", c.gate)
		}
		fmt.Printf("%-7s %-32s %8.3f %7.2f%s\n", s.name, c.name, speed[i], ratio[i], mark)
	}
}

// each runs a table in each set-up. One iteration is the whole table.
func each(b *testing.B, table func(b *testing.B, s setup, dst []float32)) {
	for _, s := range []setup{cached, streamed} {
		b.Run(s.name, func(b *testing.B) {
			dst := make([]float32, s.values)
			for range b.N {
				table(b, s, dst)
			}
		})
	}
}

// BenchmarkDecodeTypes measures each type of the ggml family against stores of as many
// values: through the caches, and past them.
func BenchmarkDecodeTypes(b *testing.B) {
	each(b, func(b *testing.B, s setup, dst []float32) {
		var all []float64
		for _, entry := range ggmlTypes(b) {
			if !chosen(entry.Name) {
				continue
			}
			list := []contender{
				{name: "store, cached", values: s.values, run: func() { stores.Cached(dst) }},
				{name: "store, past the caches", values: s.values, run: func() { stores.Past(dst) }},
				s.decoding(b, entry, dst),
			}
			if s.values == streamed.values {
				list[0], list[1] = list[1], list[0]
			}
			speed, ratio := s.speeds(list)
			report(s, list, speed, ratio)
			all = append(all, ratio[2])
		}
		b.ReportMetric(geometricMean(all), "of-store")
	})
}

// BenchmarkDecodeVariants measures variants of each type against the type itself.
func BenchmarkDecodeVariants(b *testing.B) {
	each(b, func(b *testing.B, s setup, dst []float32) {
		least := map[bool]float64{false: 10, true: 10}
		for _, entry := range ggmlTypes(b) {
			if !chosen(entry.Name) {
				continue
			}
			list, kinds := s.variants(b, entry, dst)
			speed, ratio := s.speeds(list)
			report(s, list, speed, ratio)
			for i, v := range kinds {
				least[v.bits] = min(least[v.bits], ratio[i])
			}
		}
		b.ReportMetric(least[false], "least")
		b.ReportMetric(least[true], "least-bits")
	})
}

// variants are an entry and its variants.
func (s setup) variants(b *testing.B, entry *catalog.Entry, dst []float32) ([]contender, []variant) {
	list, kinds := []contender{s.decoding(b, entry, dst)}, []variant{{}}
	for _, v := range variants {
		made := v.apply(b, entry)
		if made == nil {
			continue
		}
		c := s.decoding(b, made, dst)
		c.name, c.gate = "  "+v.name+strings.TrimPrefix(c.name, made.Name), 0.8
		if v.bits {
			c.gate = 0.5
		}
		list, kinds = append(list, c), append(kinds, v)
	}
	return list, kinds
}

// BenchmarkDecodeFormats measures formats that no kernel was written for against the
// closest type of the ggml family.
func BenchmarkDecodeFormats(b *testing.B) {
	each(b, func(b *testing.B, s setup, dst []float32) {
		least := 10.0
		for _, entry := range unknownFormats(b) {
			if !chosen(entry.Name) {
				continue
			}
			list := []contender{s.decoding(b, builtin(b, entry.Property("closest")), dst), s.decoding(b, entry, dst)}
			list[1].gate = 0.5
			speed, ratio := s.speeds(list)
			report(s, list, speed, ratio)
			least = min(least, ratio[1])
		}
		b.ReportMetric(least, "least")
	})
}
