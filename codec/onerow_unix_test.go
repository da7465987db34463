// SPDX-License-Identifier: Apache-2.0

//go:build unix

package codec_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/structview/structview/tensor"
)

// The size of an embedding of a large model: 295 MB as Q4_K, 2.1 GB as FLOAT.
const (
	embeddingRows   = 128256
	embeddingBlocks = 4096 / 256
)

// unreadable is memory of which only the pages of some rows can be touched; they are
// filled with random bytes.
func unreadable(tb testing.TB, size, each int, rows ...int) []byte {
	tb.Helper()
	payload, err := unix.Mmap(-1, 0, size, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		tb.Skip("no such memory:", err)
	}
	tb.Cleanup(func() {
		if err := unix.Munmap(payload); err != nil {
			tb.Error(err)
		}
	})
	page, random := os.Getpagesize(), rand.New(rand.NewPCG(4, 9))
	for _, row := range rows {
		from, to := row*each, min((row+1)*each+16, size) // kernels may read a little further
		open := payload[from/page*page : min((to+page-1)/page*page, size)]
		if err := unix.Mprotect(open, unix.PROT_READ|unix.PROT_WRITE); err != nil {
			tb.Fatal(err)
		}
		for i := range payload[from : (row+1)*each] {
			payload[from+i] = byte(random.Uint32())
		}
	}
	return payload
}

// One row of a large value is decoded without touching any other: their pages cannot
// be read.
func TestOneRowOfMany(t *testing.T) {
	c, _, size := pair(t, "ggml.q4_K", embeddingRows, embeddingBlocks, 0)
	one, _, each := pair(t, "ggml.q4_K", 1, embeddingBlocks, 0)
	rows := []int{0, 4711, 100003, embeddingRows - 1}
	payload := unreadable(t, size, each, rows...)
	for _, row := range rows {
		want := decode(t, one, payload[row*each:(row+1)*each])
		got, err := c.DecodeRows(t.Context(), payload, int64(row), int64(row)+1)
		if err != nil {
			t.Fatalf("row %d: %v", row, err)
		}
		if !tensor.EqualValues(got, want) {
			t.Errorf("row %d differs", row)
		}
		dst := make([]float32, 4096)
		if err := c.DecodeRowsInto(t.Context(), payload, int64(row), int64(row)+1, dst); err != nil ||
			!sameFloats(dst, tensor.Slice[float32](want)) {
			t.Errorf("row %d: DecodeRowsInto: %v", row, err)
		}
	}
}

// Through eval it is the same: the proof of independent rows is no business of kernels.
func TestOneRowOfManyLiterally(t *testing.T) {
	_, c, size := pair(t, "ggml.q4_0", 1<<16, 2, 0)
	_, one, each := pair(t, "ggml.q4_0", 1, 2, 0)
	rows := []int{300, 50000}
	payload := unreadable(t, size, each, rows...)
	for _, row := range rows {
		got, err := c.DecodeRows(t.Context(), payload, int64(row), int64(row)+1)
		if err != nil || !tensor.EqualValues(got, decode(t, one, payload[row*each:(row+1)*each])) {
			t.Errorf("row %d differs, %v", row, err)
		}
	}
}

func BenchmarkOneRowOfMany(b *testing.B) {
	c, _, size := pair(b, "ggml.q4_K", embeddingRows, embeddingBlocks, 0)
	const row = 4711
	payload, dst := unreadable(b, size, size/embeddingRows, row), make([]float32, 4096)
	b.ReportAllocs()
	for b.Loop() {
		if err := c.DecodeRowsInto(b.Context(), payload, row, row+1, dst); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(4096*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gvalues/s")
}
