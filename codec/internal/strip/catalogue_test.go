// SPDX-License-Identifier: Apache-2.0

package strip_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/tensor"
)

// BenchmarkCatalogue runs the programs of the catalogue's encoders on 32,768 normally distributed values.
func BenchmarkCatalogue(b *testing.B) {
	const values = 1 << 15
	for _, name := range catalog.Builtin().Names() {
		entry, err := catalog.Builtin().Entry(name)
		if err != nil {
			b.Fatal(err)
		}
		if entry.Block.GetEncoder() == nil || values%max(entry.Values, 1) != 0 {
			continue
		}
		b.Run(name, func(b *testing.B) {
			in, err := entry.Instantiate([]int64{values})
			if err != nil {
				b.Fatal(err)
			}
			root, err := in.Type()
			if err != nil {
				b.Fatal(err)
			}
			c, err := codec.New(root, codec.Env{Functions: in.Functions, Opsets: in.Opsets, Literal: true})
			if err != nil {
				b.Fatal(err)
			}
			elem, dims := c.Output()
			e, err := plan.Encoder(root, root.Encoder(), eval.TensorType(elem, dims...), plan.Env{Functions: in.Functions, Opsets: in.Opsets})
			if err != nil || e.Program == nil {
				b.Skip(err, e.Reasons)
			}
			r := rand.New(rand.NewPCG(1, 1))
			x := make([]float32, values)
			for i := range x {
				x[i] = float32(r.NormFloat64())
			}
			value := tensor.Of(dims, x...)
			n := int(e.Blocks)
			out := make([]byte, n*e.Stride)
			f := e.Program.NewFrame()
			f.Run(value.Bytes(), n, out)
			if allocated := testing.AllocsPerRun(1, func() { f.Run(value.Bytes(), n, out) }); allocated > 0 {
				b.Errorf("%v allocations", allocated)
			}
			best := time.Duration(math.MaxInt64) // what else runs only adds
			for b.Loop() {
				start := time.Now()
				f.Run(value.Bytes(), n, out)
				best = min(best, time.Since(start))
			}
			b.ReportMetric(float64(values)/float64(best.Nanoseconds()), "values/ns")
			b.ReportMetric(0, "ns/op")
		})
	}
}
