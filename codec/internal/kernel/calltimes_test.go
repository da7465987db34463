// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec/internal/plan"
)

// entries are the formats of the catalogue and those that no kernel was written for.
func entries(tb testing.TB) []*catalog.Entry {
	tb.Helper()
	var list []*catalog.Entry
	for _, name := range catalog.Builtin().Names() {
		entry, err := catalog.Builtin().Entry(name)
		if err != nil {
			tb.Fatal(err)
		}
		list = append(list, entry)
	}
	files, err := filepath.Glob("../../testdata/formats/*.onnxtxt")
	if err != nil || len(files) == 0 {
		tb.Fatal("no formats", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		entry, err := catalog.Load(file, text, "")
		if err != nil {
			tb.Fatal(err)
		}
		list = append(list, entry)
	}
	return slices.DeleteFunc(list, func(e *catalog.Entry) bool { return e.Block.GetDecoder() == nil })
}

// longCall is what a call of assembly should take at most: it is not preempted.
const longCall = 20 * time.Microsecond

// BenchmarkCalls prints how long the calls of each loop take, the longest first, over all formats. The loops are
// not preempted, so that what they take is what a collection of garbage may have to wait. The clocks themselves
// take about half a microsecond.
func BenchmarkCalls(b *testing.B) {
	took, where := map[string][]time.Duration{}, map[string]string{}
	for b.Loop() {
		for _, entry := range entries(b) {
			timed(b, entry, func(name string, d time.Duration) {
				if took[name] = append(took[name], d); d >= slices.Max(took[name][max(len(took[name])-64, 0):]) {
					where[name] = entry.Name
				}
			})
		}
	}
	names := slices.Collect(maps.Keys(took))
	for _, list := range took {
		slices.Sort(list)
	}
	median := func(name string) time.Duration { return took[name][len(took[name])/2] }
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(median(b), median(a)) })
	longest := time.Duration(0)
	for _, name := range names {
		list := took[name]
		mark := ""
		if median(name) > longCall {
			mark = "LONG "
		}
		b.Logf("%s%s: %d calls, median %v, 99th percentile %v (%s)", mark, name, len(list), median(name), list[len(list)*99/100], where[name])
		longest = max(longest, median(name))
	}
	b.ReportMetric(float64(longest.Nanoseconds()), "ns/longest-median")
}

// timed decodes a value of a format, tile by tile as codecs do, with clocks around the loops.
func timed(b *testing.B, entry *catalog.Entry, note func(string, time.Duration)) {
	in, err := entry.Instantiate([]int64{32, 64 * max(entry.Values, 1)})
	if err != nil {
		b.Fatal(entry.Name, err)
	}
	root, err := in.Type()
	if err != nil {
		b.Fatal(entry.Name, err)
	}
	p, err := plan.Decoder(root, root.Decoder(), plan.Env{Functions: in.Functions, Opsets: in.Opsets})
	if err != nil || p.Program == nil {
		return
	}
	tile := int(min(max(8192/int64(p.Lanes), 1), p.Blocks))
	f := p.Program.NewFrame(tile)
	f.TimeCalls(note)
	payload := make([]byte, tile*p.Stride+p.Program.Over())
	r := rand.New(rand.NewPCG(1, 2))
	for i := range payload {
		payload[i] = byte(r.Uint32())
	}
	out := make([]float32, tile*p.Program.Lanes)
	for _, stream := range []bool{false, true} {
		f.Stream = stream
		for range 40 {
			f.Run(payload, tile, out)
		}
	}
}
