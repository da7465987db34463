// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !purego

package strip_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/eval"
)

// BenchmarkCalls prints how long the calls of assembly take for each encoder of the catalogue and, as strips, each
// decoder. The calls are not preempted, so that what they take is what a collection of garbage may have to wait.
func BenchmarkCalls(b *testing.B) {
	longest := time.Duration(0)
	for b.Loop() {
		for _, name := range catalog.Builtin().Names() {
			for _, what := range []string{"encoder", "decoder"} {
				p := program(b, name, what == "encoder")
				if p == nil {
					continue
				}
				took := timed(p)
				if len(took) == 0 {
					continue
				}
				slices.Sort(took)
				median, mark := took[len(took)/2], ""
				if longest = max(longest, median); median > 20*time.Microsecond {
					mark = "LONG "
				}
				b.Logf("%s%s of %s: %d calls, median %v, 99th percentile %v", mark, what, name, len(took), median, took[len(took)*99/100])
			}
		}
	}
	b.ReportMetric(float64(longest.Nanoseconds()), "ns/longest-median")
}

func timed(p *strip.Program) []time.Duration {
	const blocks = 1 << 9
	r := rand.New(rand.NewPCG(1, 1))
	in, out := make([]byte, blocks*p.InBytes), make([]byte, blocks*p.OutBytes)
	for i := 0; i+4 <= len(in); i += 4 {
		bits := math.Float32bits(float32(r.NormFloat64()))
		in[i], in[i+1], in[i+2], in[i+3] = byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24)
	}
	f := p.NewFrame()
	f.Run(in, blocks, out)
	var took []time.Duration
	for range 10 {
		f.TimeCalls(in, blocks, out, func(d time.Duration) { took = append(took, d) })
	}
	return took
}

// program is an entry's encoder or decoder as strips, nil if it has none.
func program(b *testing.B, name string, encoder bool) *strip.Program {
	entry, err := catalog.Builtin().Entry(name)
	if err != nil {
		b.Fatal(err)
	}
	if encoder && entry.Block.GetEncoder() == nil || entry.Block.GetDecoder() == nil {
		return nil
	}
	in, err := entry.Instantiate([]int64{64, 16 * max(entry.Values, 1)})
	if err != nil {
		b.Fatal(err)
	}
	root, err := in.Type()
	if err != nil {
		b.Fatal(err)
	}
	env := plan.Env{Functions: in.Functions, Opsets: in.Opsets}
	if !encoder {
		p, err := plan.Decoder(root, root.Decoder(), env)
		if err != nil {
			return nil
		}
		return p.Strips
	}
	c, err := codec.New(root, codec.Env{Functions: in.Functions, Opsets: in.Opsets, Literal: true})
	if err != nil {
		b.Fatal(err)
	}
	elem, dims := c.Output()
	e, err := plan.Encoder(root, root.Encoder(), eval.TensorType(elem, dims...), env)
	if err != nil {
		return nil
	}
	return e.Program
}
