// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/structview/structview/syntax"
)

// The files stand as structview fmt writes them; families, which parse only when their parameters are put in, as
// their authors do. -update writes them anew.
func TestFilesAreCanonical(t *testing.T) {
	files, err := filepath.Glob("*/*.onnxtxt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("\n#param ")) {
			continue
		}
		want, err := syntax.Format(file, text)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(text, want) {
			continue
		}
		if !*update || os.Getenv("CI") != "" {
			t.Errorf("%s is not as fmt writes it (byte %d)", file, firstDifference(text, want))
			continue
		}
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
