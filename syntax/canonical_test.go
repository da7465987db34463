// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/structview/structview/syntax"
)

var update = flag.Bool("update", false, "write testdata/canonical anew")

// TestCanonicalFiles prints files that are in canonical form already.
func TestCanonicalFiles(t *testing.T) {
	if *update && os.Getenv("CI") != "" {
		t.Fatal("-update under CI")
	}
	files, err := filepath.Glob("testdata/canonical/*.onnxtxt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := syntax.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		got := printed(t, m)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got != string(text) {
			t.Errorf("%s is not printed as it is:\n%s", file, got)
		}
		if err := sameAgain(m); err != nil {
			t.Error(err)
		}
	}
}
