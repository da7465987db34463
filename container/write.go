// SPDX-License-Identifier: Apache-2.0

package container

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile writes the file at path whole or not at all: write fills a temporary
// file beside it, which is synced and renamed. Without force an existing path is
// ErrExists, also when it appears while write runs. With force the file that path
// or a symbolic link there leads to is replaced; it keeps its permissions.
// Anything but a regular file is never replaced.
func WriteFile(path string, force bool, write func(io.Writer) error) (err error) {
	target, mode, err := targetOf(path, force)
	if err != nil {
		return err
	}
	f, err := temporary(target, mode)
	if err != nil {
		return err
	}
	done := false
	defer func() { // write may panic
		if !done {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := publish(f.Name(), target, force); err != nil {
		return err
	}
	done = true
	syncFolder(filepath.Dir(target))
	return nil
}

// targetOf returns the file to replace or make, and its permissions.
func targetOf(path string, force bool) (string, fs.FileMode, error) {
	const fresh = 0o666
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return path, fresh, nil
	} else if err != nil {
		return "", 0, err
	}
	info, err := os.Stat(path)
	if err == nil {
		if err := regular(path, info); err != nil {
			return "", 0, err
		}
	}
	if !force {
		return "", 0, exists(path)
	}
	if err != nil {
		return "", 0, err // a link that leads nowhere
	}
	target, err := filepath.EvalSymlinks(path)
	return target, info.Mode().Perm(), err
}

func exists(path string) error {
	return &fs.PathError{Op: "write", Path: path, Err: ErrExists}
}

// temporary makes a new file beside target.
func temporary(target string, mode fs.FileMode) (*os.File, error) {
	var random [6]byte
	if _, err := rand.Read(random[:]); err != nil {
		return nil, err
	}
	name := fmt.Sprintf(".%s.%s.tmp", filepath.Base(target), hex.EncodeToString(random[:]))
	return os.OpenFile(filepath.Join(filepath.Dir(target), name), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
}

// publish gives the temporary file its name. Without force a link is made, which
// fails where the name is taken; renaming would not. File systems without hard
// links are asked first and then renamed.
func publish(from, to string, force bool) error {
	if force {
		return os.Rename(from, to)
	}
	err := os.Link(from, to)
	switch {
	case err == nil:
		return os.Remove(from)
	case errors.Is(err, fs.ErrExist):
		return exists(to)
	}
	if _, err := os.Lstat(to); err == nil {
		return exists(to)
	}
	return os.Rename(from, to)
}

// syncFolder makes the new name last. Not every system can; the file is written
// in any case.
func syncFolder(name string) {
	if d, err := os.Open(name); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
