// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec/internal/plan"
)

// planned is a catalogue entry ready to decode n values.
func planned(tb testing.TB, name string, n int64) (*plan.Plan, []byte) {
	tb.Helper()
	entry, err := catalog.Builtin().Entry(name)
	if err != nil {
		tb.Fatal(err)
	}
	in, err := entry.Instantiate([]int64{n})
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
	size, _ := root.Bytes()
	return p, fill(rand.New(rand.NewPCG(1, 2)), int(size), 0)
}

func ggmlNames() []string {
	var names []string
	for _, name := range catalog.Builtin().Names() {
		if strings.HasPrefix(name, "ggml.") {
			names = append(names, name)
		}
	}
	return names
}

func BenchmarkTiles(b *testing.B) {
	const n = 32768
	for _, name := range ggmlNames() {
		b.Run(name, func(b *testing.B) {
			p, payload := planned(b, name, n)
			if p.Program == nil {
				b.Skip(p.Reasons)
			}
			out := make([]float32, n)
			runner := p.NewRunner()
			b.ReportAllocs()
			for b.Loop() {
				runner.Decode(payload, 0, p.Blocks, out)
			}
			b.ReportMetric(n*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "values/ns")
		})
	}
}

func BenchmarkStore(b *testing.B) {
	const n = 32768
	out := make([]float32, n)
	for b.Loop() {
		for i := range out {
			out[i] = 1
		}
	}
	b.ReportMetric(n*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "values/ns")
}
