// SPDX-License-Identifier: Apache-2.0

package strip

import (
	"testing"
	"time"
)

// chainOf is a program on columns that applies codes in turn, n in all, to the first column; Y is the second one, or a
// constant if there is none.
func chainOf(n int, columns []Column, codes ...Code) *Program {
	p := &Program{Columns: columns, Rows: 8, OutBytes: 4, Constants: []Constant{{6, 0x3f800000}, {7, 0x3f000000}}, Out: []Row{5}}
	p.Ops = append(p.Ops, Op{Code: Copy, Steps: []Step{{Dst: 5, X: 0}}})
	y := Row(6)
	if len(columns) > 1 {
		y = 1
	}
	for i := range n {
		p.Ops = append(p.Ops, Op{Code: codes[i%len(codes)], Steps: []Step{{Dst: 5, X: 5, Y: y, Z: 7}}})
	}
	return p
}

// cycle is what a step of a chain of products and exclusive ors takes, in nanoseconds, divided by its cycles.
func cycle() float64 {
	best := time.Hour
	for range 5 {
		start, x := time.Now(), uint64(1)
		for i := range uint64(1 << 20) {
			x = x*0x9e3779b97f4a7c15 ^ i // 3 cycles and one
		}
		if took := time.Since(start); x != 0 {
			best = min(best, took)
		}
	}
	return float64(best.Nanoseconds()) / (4 << 20)
}

// ofLanes is what a program takes for 32 lanes, in nanoseconds.
func (p *Program) ofLanes() float64 {
	const lanes = 1024
	sources := make([]Source, len(p.Columns))
	for i := range sources {
		sources[i] = Source{Words: make([]float32, lanes+Spare), Halves: make([]uint16, lanes+Spare), Bytes: make([]byte, lanes+Spare)}
		for j := range lanes/8 + 4 {
			sources[i].At = append(sources[i].At, int32(4*j))
		}
	}
	out, f, best := make([]float32, lanes), p.NewFrame(), time.Hour
	for range 200 {
		start := time.Now()
		for range 20 {
			f.Floats(sources, lanes, out, false)
		}
		best = min(best, time.Since(start))
	}
	return float64(best.Nanoseconds()) / 20 / (lanes / 32)
}

// BenchmarkLanes tells what operations on columns take, in cycles for 32 lanes: of programs of 40 less those of 8.
func BenchmarkLanes(b *testing.B) {
	for _, c := range []struct {
		name    string
		columns []Column
		codes   []Code
	}{
		{"xor, add words", []Column{OfWords}, []Code{Xor, AddI}},
		{"add constant", []Column{OfWords}, []Code{AddF}},
		{"add column", []Column{OfWords, OfWords}, []Code{AddF}},
		{"add one", []Column{OfWords, AtOne}, []Code{AddF}},
		{"add shared", []Column{OfWords, OfShared}, []Code{AddF}},
		{"mul, sub", []Column{OfWords}, []Code{MulF, SubF}},
		{"mul, add", []Column{OfWords}, []Code{MulF, AddF}},
		{"bytes, mul, add", []Column{OfBytes}, []Code{Float, MulF, AddF}},
		{"max, min", []Column{OfWords}, []Code{MaxF, MinF}},
		{"max, min of columns", []Column{OfWords, OfWords}, []Code{MaxF, MinF}},
		{"float, floor", []Column{OfWords}, []Code{FloorF, Float}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				short, long, clock := chainOf(8, c.columns, c.codes...).ofLanes(), chainOf(40, c.columns, c.codes...).ofLanes(), cycle()
				b.ReportMetric(short/clock, "cycles/8-ops")
				b.ReportMetric((long-short)/32/clock, "cycles/op")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
