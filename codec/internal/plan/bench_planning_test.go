// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec/internal/plan"
)

// declarations are the catalogue's entries with decoders, and the formats of codec's tests.
func declarations(tb testing.TB) []*catalog.Entry {
	tb.Helper()
	var out []*catalog.Entry
	for _, name := range catalog.Builtin().Names() {
		entry, err := catalog.Builtin().Entry(name)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, entry)
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
		out = append(out, entry)
	}
	return slices.DeleteFunc(out, func(e *catalog.Entry) bool { return e.Block.GetDecoder() == nil })
}

// planner plans 64 blocks of a declaration as a codec does when it first decodes.
func planner(tb testing.TB, entry *catalog.Entry) func() *plan.Plan {
	tb.Helper()
	in, err := entry.Instantiate([]int64{64 * entry.Values})
	if err != nil {
		tb.Fatal(entry.Name, err)
	}
	root, err := in.Type()
	if err != nil {
		tb.Fatal(entry.Name, err)
	}
	return planning(root, plan.Env{Functions: in.Functions, Opsets: in.Opsets})
}

func planning(root *structview.Type, env plan.Env) func() *plan.Plan {
	return func() *plan.Plan {
		p, _ := plan.Decoder(root, root.Decoder(), env)
		return p
	}
}

// cost is what planning a declaration takes.
type cost struct {
	name             string
	wall, least, cpu float64 // milliseconds: by the clock, and the mean of processor time with the garbage collector's
	lanes            int
	kbytes           uint64
	allocs           uint64
	units            int64
}

// dearPlanning is how many milliseconds are marked.
const dearPlanning = 5

func (c cost) String() string {
	mark := " "
	if c.wall > dearPlanning {
		mark = "!"
	}
	return fmt.Sprintf("%s %8.2f ms %8.2f least %8.2f cpu-ms %6d KB %7d allocs %6d lanes %7d units  %s", mark, c.wall, c.least, c.cpu, c.kbytes, c.allocs, c.lanes, c.units, c.name)
}

func costOf(b *testing.B, name string, run func() *plan.Plan) cost {
	p := run()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var times []float64
	cpu, begin := processorTime(b), time.Now()
	for len(times) < 9 || len(times) < 50 && time.Since(begin) < 50*time.Millisecond {
		start := time.Now()
		run()
		times = append(times, float64(time.Since(start).Nanoseconds())/1e6)
	}
	n := uint64(len(times))
	cpu = processorTime(b) - cpu
	runtime.ReadMemStats(&after)
	slices.Sort(times)
	return cost{
		name: name, wall: times[n/2], least: times[0], cpu: cpu.Seconds() * 1e3 / float64(n), lanes: p.Lanes, units: p.Work(),
		kbytes: (after.TotalAlloc - before.TotalAlloc) / n >> 10, allocs: (after.Mallocs - before.Mallocs) / n,
	}
}

// BenchmarkPlanning plans each declaration.
func BenchmarkPlanning(b *testing.B) {
	for _, entry := range declarations(b) {
		b.Run(entry.Name, func(b *testing.B) {
			run := planner(b, entry)
			before := processorTime(b)
			b.ReportAllocs()
			for b.Loop() {
				run()
			}
			b.ReportMetric((processorTime(b)-before).Seconds()*1e3/float64(b.N), "cpu-ms/op")
		})
	}
}

// BenchmarkPlanningList lists what planning each declaration takes, the dearest first:
//
//	go test -run - -bench PlanningList -benchtime 1x ./codec/internal/plan
//
// STRUCTVIEW_BENCH names some of them, separated by commas.
func BenchmarkPlanningList(b *testing.B) {
	some := os.Getenv("STRUCTVIEW_BENCH")
	var list []cost
	for _, entry := range declarations(b) {
		if some == "" || slices.Contains(strings.Split(some, ","), entry.Name) {
			list = append(list, costOf(b, entry.Name, planner(b, entry)))
		}
	}
	slices.SortFunc(list, func(x, y cost) int { return cmp.Compare(y.wall, x.wall) })
	dear, total := 0, 0.0
	for _, c := range list {
		fmt.Println(c)
		total += c.wall
		if c.wall > dearPlanning {
			dear++
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(total/float64(max(len(list), 1)), "mean-ms")
	b.ReportMetric(float64(dear), "above-5ms")
}
