// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

// ratios runs a hand-written loop and others in turn, several times in each round, and
// reports the median of their ratios in one round: a machine that is busy slows both.
func ratios(b *testing.B, hand func(), others map[string]func()) {
	const rounds = 11
	found := map[string][]float64{}
	for b.Loop() {
		for range rounds {
			base := seconds(hand)
			for name, fn := range others {
				found[name] = append(found[name], seconds(fn)/base)
			}
		}
	}
	for name, list := range found {
		slices.Sort(list)
		b.ReportMetric(list[len(list)/2], name+"/hand")
	}
}

// seconds is the shortest of three runs.
func seconds(fn func()) float64 {
	least := time.Hour
	for range 3 {
		start := time.Now()
		fn()
		least = min(least, time.Since(start))
	}
	return least.Seconds()
}

var sink float32

// BenchmarkSumOfScales sums the FLOAT16 of a million blocks of 18 bytes: a typed run at
// most 1.3 times the hand-written loop.
func BenchmarkSumOfScales(b *testing.B) {
	v := benchView(b)
	payload := must(v.Bits())
	d := must(structview.BytesOf[tensor.F16](v, refTo(b, v, "d")))
	run := must(v.Run(refTo(b, v, "d")))
	ratios(b, func() {
		var sum float32
		for i := range benchBlocks {
			sum += tensor.F16ToF32(binary.LittleEndian.Uint16(payload[18*i:]))
		}
		sink = sum
	}, map[string]func(){
		"Bytes": func() {
			var sum float32
			for x := range d.All() {
				sum += tensor.F16ToF32(uint16(x))
			}
			sink = sum
		},
		"Run": func() {
			var sum float32
			for x := range run.All() {
				sum += tensor.F16ToF32(uint16(x))
			}
			sink = sum
		},
	})
}

// BenchmarkRandomReads reads scales of blocks in a random order by a prepared path: at most
// 20 ns each, without allocation. 10,000 blocks fit a cache, so that the reads are
// measured and not the memory; a million do not. It reports the shortest of the rounds.
func BenchmarkRandomReads(b *testing.B) {
	for _, blocks := range []uint64{10_000, 1_000_000} {
		b.Run(fmt.Sprint(blocks), func(b *testing.B) { randomReads(b, blocks) })
	}
}

func randomReads(b *testing.B, blocks uint64) {
	root := resolved(b, q4(), array(ref(0), blocks))
	payload := make([]byte, root.Bits()/8)
	v := view(b, root, payload)
	r := refTo(b, v, "d")
	const n = 10_000
	order := make([]uint64, n)
	x := uint64(1)
	for i := range order {
		x = x*2862933555777941757 + 3037000493
		order[i] = (x >> 32) % blocks
	}
	read := func(v structview.View) func() {
		return func() {
			var sum uint64
			for _, i := range order {
				one, err := r.Index(i)
				if err != nil {
					b.Fatal(err)
				}
				x, err := v.Uint64(one)
				if err != nil {
					b.Fatal(err)
				}
				sum += x
			}
			sink = float32(sum)
		}
	}
	hand := func() {
		var sum uint64
		for _, i := range order {
			sum += uint64(binary.LittleEndian.Uint16(payload[18*i:]))
		}
		sink = float32(sum)
	}
	least := map[string]float64{"hand": 1, "default": 1, "guarded": 1}
	ways := map[string]func(){"hand": hand, "default": read(v), "guarded": read(v.Guarded())}
	b.ReportAllocs()
	for b.Loop() {
		for range 21 {
			for name, fn := range ways {
				least[name] = min(least[name], seconds(fn))
			}
		}
	}
	for name, s := range least {
		b.ReportMetric(s/n*1e9, name+"-ns")
	}
}
