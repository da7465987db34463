// SPDX-License-Identifier: Apache-2.0

package container

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func says(content string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, content); return err }
}

// contents fails unless the folder holds exactly these files.
func contents(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if text, ok := want[e.Name()]; err != nil || !ok || string(got) != text {
			t.Errorf("%s holds %q (%v), want %q", e.Name(), got, err, text)
		}
	}
	if len(entries) != len(want) {
		t.Errorf("%d files, want %d", len(entries), len(want))
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	if err := WriteFile(path, false, says("first")); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, false, says("second")); !errors.Is(err, ErrExists) {
		t.Errorf("an existing file is %v", err)
	}
	contents(t, dir, map[string]string{"out": "first"})
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, true, says("third")); err != nil {
		t.Fatal(err)
	}
	contents(t, dir, map[string]string{"out": "third"})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o137 != 0 {
		t.Errorf("permissions %v, %v", info.Mode(), err)
	}
}

// A write that fails or panics, and a name that appears meanwhile, leave nothing.
func TestWriteFileWholeOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	failed := errors.New("failed")
	for _, force := range []bool{false, true} {
		err := WriteFile(path, force, func(w io.Writer) error { _ = says("half")(w); return failed })
		if !errors.Is(err, failed) {
			t.Errorf("got %v", err)
		}
	}
	func() {
		defer func() { _ = recover() }()
		_ = WriteFile(path, false, func(io.Writer) error { panic("stop") })
	}()
	contents(t, dir, nil)
	err := WriteFile(path, false, func(io.Writer) error { return os.WriteFile(path, []byte("other"), 0o600) })
	if !errors.Is(err, ErrExists) {
		t.Errorf("got %v", err)
	}
	contents(t, dir, map[string]string{"out": "other"})
}

func TestWriteFileReplacesRegularFilesOnly(t *testing.T) {
	dir := t.TempDir()
	for _, force := range []bool{false, true} {
		if err := WriteFile(os.DevNull, force, says("x")); err == nil || errors.Is(err, ErrExists) {
			t.Errorf("%s: %v", os.DevNull, err)
		}
		if err := WriteFile(dir, force, says("x")); err == nil {
			t.Error("a folder was replaced")
		}
	}
	real, alias := filepath.Join(dir, "real"), filepath.Join(dir, "alias")
	if err := os.WriteFile(real, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	link(t, "real", alias)
	if err := WriteFile(alias, false, says("new")); !errors.Is(err, ErrExists) {
		t.Errorf("a link is %v", err)
	}
	if err := WriteFile(alias, true, says("new")); err != nil {
		t.Fatal(err)
	}
	contents(t, dir, map[string]string{"real": "new", "alias": "new"})
	if info, err := os.Lstat(alias); err != nil || info.Mode().IsRegular() {
		t.Errorf("the link became %v, %v", info.Mode(), err)
	}
}

// Errors are about the path that the caller gave, never about the temporary file.
func TestWriteFileNamesThePath(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "none", "out")
	err := WriteFile(path, false, says("x"))
	if want := "create " + path + ": the folder " + filepath.Dir(path) + " does not exist"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", err)
	}
	path = filepath.Join(dir, "out")
	err = WriteFile(path, false, func(w io.Writer) error {
		if err := w.(io.Closer).Close(); err != nil {
			return err
		}
		return says("x")(w)
	})
	if want := "write " + path + ": file already closed"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	// A file where a folder is expected.
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(path, "below")
	var known *fs.PathError
	if err := WriteFile(path, false, says("x")); !errors.As(err, &known) || known.Path != path {
		t.Errorf("got %v", err)
	}
}
