// SPDX-License-Identifier: Apache-2.0

package layering

import (
	"bytes"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const maxLines = 450

var (
	unsafeImport = regexp.MustCompile(`(?m)^(import )?\s*"unsafe"$`)
	cgoImport    = regexp.MustCompile(`(?m)^(import )?\s*"C"$`)
)

// TestSource holds every Go file of the module to the rules that a machine can
// check: a licence line, gofmt, length, and unsafe only in files named for it.
func TestSource(t *testing.T) {
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skip(file, entry.Name())
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, ".pb.go") {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		checkSource(t, file, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkSource(t *testing.T, file string, text []byte) {
	t.Helper()
	generated := bytes.Contains(text[:min(len(text), 200)], []byte("DO NOT EDIT"))
	if !generated && !bytes.HasPrefix(text, []byte("// SPDX-License-Identifier: Apache-2.0\n")) {
		t.Errorf("%s: the first line is not the licence line", file)
	}
	formatted, err := format.Source(text)
	if err != nil {
		t.Errorf("%s: %v", file, err)
	} else if !bytes.Equal(formatted, text) {
		t.Errorf("%s: not formatted", file)
	}
	if lines := bytes.Count(text, []byte("\n")); !generated && lines > maxLines {
		t.Errorf("%s: %d lines, more than %d", file, lines, maxLines)
	}
	if unsafeImport.Match(text) && !strings.Contains(filepath.Base(file), "unsafe") {
		t.Errorf("%s: imports unsafe; only files named for it may", file)
	}
	if cgoImport.Match(text) {
		t.Errorf("%s: uses cgo", file)
	}
}
