// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
)

var update = flag.Bool("update", false, "write testdata anew")

// sources are the declarations whose accessors stand in testdata.
func sources(t testing.TB) map[string]*structview.Type {
	t.Helper()
	types := map[string]*structview.Type{}
	builtin := catalog.Builtin()
	for _, name := range []string{
		"ggml.q4_0", "ggml.q8_0", "ggml.q3_K", "ggml.q6_K", "ggml.iq4_nl", "ggml.iq1_m", "ggml.bf16", "mx.fp4", "mx.fp6_e2m3", "mx.fp8_e4m3",
		"linear.affine[bits=3]",
	} {
		entry, err := builtin.Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		types[name] = entry.Type()
	}
	for _, name := range []string{"odd", "plain"} {
		types["test."+name] = fromText(t, name)
	}
	for seed := range uint64(randomTypes) {
		types[randomName(seed)] = randomType(t, seed)
	}
	return types
}

func fromText(t testing.TB, name string) *structview.Type {
	t.Helper()
	text, err := os.ReadFile("testdata/types.onnxtxt")
	if err != nil {
		t.Fatal(err)
	}
	entry, err := catalog.Load("types.onnxtxt", text, name)
	if err != nil {
		t.Fatal(err)
	}
	return entry.Type()
}

func TestGolden(t *testing.T) {
	if *update && os.Getenv("CI") != "" {
		t.Fatal("-update is for people: CI only compares")
	}
	for name, root := range sources(t) {
		golden(t, filepath.Join("testdata", "formats", strings.ToLower(typeName(name))+".go"), root, Options{Lang: Go, Source: name})
	}
	for _, name := range []string{"ggml.q4_0", "ggml.q8_0", "test.odd", "test.plain"} {
		golden(t, filepath.Join("testdata", "c", snake(name)+".h"), sources(t)[name], Options{Lang: C, Source: name})
	}
	for _, name := range []string{"ggml.q8_0", "mx.fp8_e4m3", "test.plain"} {
		golden(t, filepath.Join("testdata", "numpy", snake(name)+".py"), sources(t)[name], Options{Lang: Numpy, Source: name})
	}
}

func golden(t *testing.T, file string, root *structview.Type, o Options) {
	t.Helper()
	got, err := Generate(root, o)
	if err != nil {
		t.Error(err)
		return
	}
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is generated now; go test ./internal/gen -update writes it anew", file)
	}
	again, err := Generate(root, o)
	if err != nil || !bytes.Equal(got, again) {
		t.Errorf("%s: another text the second time (%v)", file, err)
	}
}
