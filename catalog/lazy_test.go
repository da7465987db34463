// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"testing"
	"testing/fstest"

	"github.com/structview/structview/onnxpb"
)

// A program that starts, or lists names, parses nothing: broken files are no matter until they are asked for.
func TestNothingIsParsedUntilAskedFor(t *testing.T) {
	c := &Catalog{entries: map[string]*Entry{}, files: fstest.MapFS{
		"a/broken.onnxtxt": {Data: []byte("struct {")},
		"a/fine.onnxtxt":   {Data: []byte("<> struct a.fine { float x }")},
		"a/other.onnxtxt":  {Data: []byte("<> struct b.other { float x }")},
	}}
	if names := c.Names(); len(names) != 3 || names[0] != "a.broken" {
		t.Error(names)
	}
	if _, err := c.Entry("a.fine"); err != nil {
		t.Error(err)
	}
	if len(c.entries) != 1 {
		t.Errorf("%d entries parsed, one asked for", len(c.entries))
	}
	if _, err := c.Entry("a.broken"); err == nil {
		t.Error("no error for a broken file")
	}
	if _, err := c.Entry("a.other"); err == nil || err.Error() != `a/other.onnxtxt: no such format: "a.other"; it declares "b.other"` {
		t.Error(err)
	}
}

func BenchmarkEntry(b *testing.B) {
	for b.Loop() {
		if _, err := Builtin().Entry("ggml.iq1_s"); err != nil {
			b.Fatal(err)
		}
	}
}

// What an importer does for every tensor of a file.
func BenchmarkAddTo(b *testing.B) {
	e, err := Builtin().Entry("ggml.iq2_s") // the largest codebook of a weight format but one
	if err != nil {
		b.Fatal(err)
	}
	m := &onnxpb.ModelProto{}
	for b.Loop() {
		in, err := e.Instantiate([]int64{64, 512})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := in.AddTo(m); err != nil {
			b.Fatal(err)
		}
	}
}
