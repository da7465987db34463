// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/syntax"
)

// TestFormat compares NAME.in.onnxtxt with NAME.want.onnxtxt.
func TestFormat(t *testing.T) {
	files, err := filepath.Glob("testdata/format/*.in.onnxtxt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := formatted(t, file, text)
		golden := strings.Replace(file, ".in.", ".want.", 1)
		if *update {
			if err := os.WriteFile(golden, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s: got\n%s", file, got)
		}
	}
}

// formatted formats a text, holds it to mean the same, to be stable and to keep every comment.
func formatted(t *testing.T, name string, text []byte) []byte {
	t.Helper()
	got, err := syntax.Format(name, text)
	if err != nil {
		t.Fatal(err)
	}
	before, err := syntax.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	after, err := syntax.Parse(name, got)
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	if !proto.Equal(before, after) {
		t.Errorf("%s: the format changes the meaning:\n%s", name, got)
	}
	again, err := syntax.Format(name, got)
	if err != nil || string(again) != string(got) {
		t.Errorf("%s: formatting twice differs (%v):\n%s", name, err, again)
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		_, comment, found := strings.Cut(line, "# ")
		if found && !strings.Contains(string(got), strings.TrimRight(comment, " \t\r")) {
			t.Errorf("%s: lost the comment %q", name, comment)
		}
	}
	return got
}

// TestFormatCatalogue formats the catalogue's files.
func TestFormatCatalogue(t *testing.T) {
	files, err := filepath.Glob("../catalog/ggml/*.onnxtxt")
	if err != nil || len(files) == 0 {
		t.Skip("no catalogue")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		formatted(t, file, text)
	}
}
