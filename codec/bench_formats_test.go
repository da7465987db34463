// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/tensor"
)

// unknownFormats are formats that no kernel was written for: files that name the
// catalogue's closest entry in their metadata.
func unknownFormats(tb testing.TB) []*catalog.Entry {
	tb.Helper()
	return formatsIn(tb, "testdata/formats/*.onnxtxt")
}

func formatsIn(tb testing.TB, pattern string) []*catalog.Entry {
	tb.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		tb.Fatal("no formats", err)
	}
	var out []*catalog.Entry
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
	return out
}

// ggmlTypes are the catalogue's entries of that family.
func ggmlTypes(tb testing.TB) []*catalog.Entry {
	tb.Helper()
	var out []*catalog.Entry
	for _, name := range catalog.Builtin().Names() {
		entry := builtin(tb, name)
		if strings.HasPrefix(name, "ggml.") && entry.Block.GetDecoder() != nil {
			out = append(out, entry)
		}
	}
	return out
}

func builtin(tb testing.TB, name string) *catalog.Entry {
	tb.Helper()
	entry, err := catalog.Builtin().Entry(name)
	if err != nil {
		tb.Fatal(err)
	}
	return entry
}

// codecs is an entry for so many values, as it runs and literally, and the size of a
// payload.
func codecs(tb testing.TB, entry *catalog.Entry, values int64, parallel int) (fast, literal *codec.Codec, size int) {
	tb.Helper()
	in, err := entry.Instantiate([]int64{values})
	if err != nil {
		tb.Fatal(err)
	}
	r, err := in.Type()
	if err != nil {
		tb.Fatal(err)
	}
	env := codec.Env{Functions: in.Functions, Opsets: in.Opsets, Parallelism: parallel}
	if fast, err = codec.New(r, env); err != nil {
		tb.Fatal(entry.Name, err)
	}
	env.Literal = true
	if literal, err = codec.New(r, env); err != nil {
		tb.Fatal(entry.Name, err)
	}
	bytes, _ := r.Bytes()
	return fast, literal, int(bytes)
}

// What the benchmarks measure is planned, and right.
func TestUnknownFormats(t *testing.T) {
	for _, entry := range unknownFormats(t) {
		t.Run(entry.Name, func(t *testing.T) { sameAsEval(t, entry) })
	}
}

func sameAsEval(t *testing.T, entry *catalog.Entry) {
	t.Helper()
	sameBlocks(t, entry, 3, 3)
	sameBlocks(t, entry, 41, 1) // enough that runs of blocks are decoded together
}

func sameBlocks(t *testing.T, entry *catalog.Entry, blocks int64, seeds uint64) {
	t.Helper()
	fast, literal, size := codecs(t, entry, blocks*entry.Values, 1)
	if e, err := fast.Explain(); err != nil || !e.Fused {
		t.Errorf("%s: %v, %v", entry.Name, e, err)
	}
	for seed := range seeds {
		payload := random(size, seed)
		if !tensor.EqualValues(decode(t, fast, payload), decode(t, literal, payload)) {
			t.Errorf("%s: seed %d differs", entry.Name, seed)
		}
	}
}

// repeated is random bytes, of which a larger payload holds several copies.
func repeated(size int) []byte {
	part := make([]byte, min(size, 1<<20))
	r := rand.New(rand.NewPCG(7, 7))
	for i := range part {
		part[i] = byte(r.Uint32())
	}
	out := make([]byte, size)
	for at := 0; at < size; {
		at += copy(out[at:], part)
	}
	return out
}
