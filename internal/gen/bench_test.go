// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/structview/structview/internal/gen/testdata/formats"
	"github.com/structview/structview/tensor"
)

const benchBlocks = 1_000_000

func benchPayload() []byte {
	payload := make([]byte, 18*benchBlocks)
	for i := range payload {
		payload[i] = byte(i*7) &^ 0x40 // no NaN and no infinity at a scale
	}
	return payload
}

// byHand sums the scales as people write it.
func byHand(payload []byte) (sum float32) {
	for i := range benchBlocks {
		sum += tensor.F16ToF32(binary.LittleEndian.Uint16(payload[i*18:]))
	}
	return sum
}

func byIndex(blocks formats.Q4_0Slice) (sum float32) {
	for i := range blocks.Len() {
		sum += blocks.At(i).DFloat32()
	}
	return sum
}

func byRange(blocks formats.Q4_0Slice) (sum float32) {
	for _, b := range blocks.All() {
		sum += b.DFloat32()
	}
	return sum
}

// codesByHand, codesByIndex and codesByRange sum the codes of the scales: there is
// nothing but the reads.
func codesByHand(payload []byte) (sum float32) {
	var n uint64
	for i := range benchBlocks {
		n += uint64(binary.LittleEndian.Uint16(payload[i*18:]))
	}
	return float32(n)
}

func codesByIndex(blocks formats.Q4_0Slice) (sum float32) {
	var n uint64
	for i := range blocks.Len() {
		n += uint64(blocks.At(i).D())
	}
	return float32(n)
}

func codesByRange(blocks formats.Q4_0Slice) (sum float32) {
	var n uint64
	for _, b := range blocks.All() {
		n += uint64(b.D())
	}
	return float32(n)
}

func nibblesByHand(payload []byte) (sum float32) {
	var n int
	for i := range benchBlocks {
		for _, q := range payload[i*18+2 : i*18+18] {
			n += int(q & 15)
		}
	}
	return float32(n)
}

func nibblesByIndex(blocks formats.Q4_0Slice) (sum float32) {
	var n int
	for i := range blocks.Len() {
		b := blocks.At(i)
		for k := range 16 {
			n += int(b.QsLo(k))
		}
	}
	return float32(n)
}

// BenchmarkSum sums one field of a million blocks: a generated accessor takes at most
// 1.05 times as long as the loop by hand. The ways take turns, so that the machine's
// other work meets all of them; reported is the median of the ratios of one turn.
func BenchmarkSum(b *testing.B) {
	payload := benchPayload()
	blocks, err := formats.AsQ4_0Slice(payload)
	if err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct {
		name string
		hand func([]byte) float32
		gen  func(formats.Q4_0Slice) float32
	}{
		{"float16 at", byHand, byIndex},
		{"float16 all", byHand, byRange},
		{"codes at", codesByHand, codesByIndex},
		{"codes all", codesByHand, codesByRange},
		{"nibbles", nibblesByHand, nibblesByIndex},
	} {
		b.Run(bench.name, func(b *testing.B) {
			var ratios, times []float64
			for b.Loop() {
				hand, want := timed(func() float32 { return bench.hand(payload) })
				gen, got := timed(func() float32 { return bench.gen(blocks) })
				if got != want {
					b.Fatalf("%v, by hand %v", got, want)
				}
				ratios, times = append(ratios, gen/hand), append(times, gen)
			}
			b.ReportMetric(median(ratios), "of-by-hand")
			b.ReportMetric(median(times)*1e9/benchBlocks, "ns/block")
		})
	}
}

func timed(f func() float32) (seconds float64, sum float32) {
	begin := time.Now()
	sum = f()
	return time.Since(begin).Seconds(), sum
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
