// SPDX-License-Identifier: Apache-2.0

//go:build unix

package codec_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/edsrzf/mmap-go"
	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/tensor"
)

// A payload that is a mapped file, shortened behind the codec's back, is an error wherever it is read.
func TestTruncatedFile(t *testing.T) {
	fast, literal, size := pair(t, "ggml.q4_K", 301, 14, 2)
	plain := build(t, with(array(301, leaf(tensor.Float, 14)), identity("value", "y"), nil))
	for name, test := range map[string]struct {
		c    *codec.Codec
		size int
	}{"fast": {fast, size}, "literal": {literal, size}, "not copied": {plain, 301 * 14 * 4}} {
		f, err := os.Create(filepath.Join(t.TempDir(), "w.bin"))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Truncate(int64(test.size)); err != nil {
			t.Fatal(err)
		}
		payload, err := mmap.Map(f, mmap.RDONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Truncate(0); err != nil {
			t.Fatal(err)
		}
		_, dims := test.c.Output()
		n := dims[0] * dims[1]
		_, whole := test.c.Decode(t.Context(), payload)
		_, rows := test.c.DecodeRows(t.Context(), payload, 1, 3)
		for what, err := range map[string]error{
			"Decode": whole, "DecodeRows": rows,
			"DecodeInto":    test.c.DecodeInto(t.Context(), payload, make([]float32, n)),
			"DecodeRowList": test.c.DecodeRowList(t.Context(), payload, []int64{4, 2}, make([]float32, 2*dims[1])),
			"DecodeTo":      test.c.DecodeTo(t.Context(), payload, io.Discard),
		} {
			// What shares the payload's memory does not read it.
			shares := test.c == plain && (what == "Decode" || what == "DecodeRows" || what == "DecodeTo")
			if !errors.Is(err, structview.ErrTruncated) && !shares {
				t.Errorf("%s: %s: %v", name, what, err)
			}
		}
		if err := payload.Unmap(); err != nil {
			t.Error(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
