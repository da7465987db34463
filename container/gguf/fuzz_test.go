// SPDX-License-Identifier: Apache-2.0

package gguf

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/structview/structview/container"
)

// Whatever the bytes are: no panic, and a header that is accepted keeps its promises.
func FuzzReadHeader(f *testing.F) {
	for _, pattern := range []string{"testdata/bad/*.gguf", "testdata/[ervz]*.gguf", "testdata/a*64.gguf"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal(pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bytes.NewReader(data)
		h, err := ReadHeader(r, r.Size())
		if err != nil {
			return
		}
		if h.End > h.Size || h.DataStart < h.End || h.Alignment&(h.Alignment-1) != 0 {
			t.Fatalf("header %+v", h)
		}
		for _, e := range h.Metadata {
			if _, err := h.Value(r, e); err != nil {
				t.Fatal(err)
			}
		}
		total := uint64(0)
		for _, x := range h.Tensors {
			if x.Size > 0 && (h.DataStart+int64(x.Offset+x.Size) > h.Size || x.Offset+x.Size < x.Offset) {
				t.Fatalf("tensor %+v lies outside of %d bytes", x, h.Size)
			}
			total += x.Size
		}
		if total > uint64(len(data)) {
			t.Fatalf("%d bytes of data in a file of %d", total, len(data))
		}
		if h.Alignment <= 4096 { // the padding is written out
			rewrite(t, data)
		}
		file, err := Format{}.Open(source(data), container.Options{})
		if err != nil {
			return // a type or shape that the catalogue cannot declare
		}
		if got := len(valuesOf(t, file.Model)); got != len(h.Tensors)+1 {
			t.Fatalf("%d values of %d tensors", got, len(h.Tensors))
		}
	})
}

// rewrite writes what was read; the file that comes out holds the same.
func rewrite(t *testing.T, data []byte) {
	first := contentOf(t, data)
	var out bytes.Buffer
	if err := Write(&out, first); err != nil {
		t.Fatal(err)
	}
	second := contentOf(t, out.Bytes())
	if len(first.Metadata) != len(second.Metadata) || len(first.Tensors) != len(second.Tensors) {
		t.Fatalf("%d entries and %d tensors became %d and %d", len(first.Metadata), len(first.Tensors), len(second.Metadata), len(second.Tensors))
	}
	for i, kv := range first.Metadata {
		if a, b := fmt.Sprint(kv), fmt.Sprint(second.Metadata[i]); a != b {
			t.Fatalf("%s became %s", a, b)
		}
	}
	for i, x := range first.Tensors {
		var a, b bytes.Buffer
		if err := errors.Join(x.WriteTo(&a), second.Tensors[i].WriteTo(&b)); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Fatalf("tensor %q: other bytes, %v", x.Name, err)
		}
	}
}
