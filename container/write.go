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
func WriteFile(path string, force bool, write func(io.Writer) error) error {
	target, mode, err := targetOf(path, force)
	if err != nil {
		return err
	}
	f, err := temporary(path, target)
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
	if err := finish(f, mode, write); err != nil {
		return about(path, f.Name(), err)
	}
	if err := publish(f.Name(), target, force); err != nil {
		return about(path, f.Name(), err)
	}
	done = true
	syncFolder(filepath.Dir(target))
	return nil
}

// finish fills and closes the temporary file.
func finish(f *os.File, mode fs.FileMode, write func(io.Writer) error) error {
	if err := write(f); err != nil {
		return err
	}
	if mode != 0 {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}

// targetOf returns the file to make or to replace, and the permissions of one to
// replace.
func targetOf(path string, force bool) (string, fs.FileMode, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return path, 0, nil
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

// missingFolder is the folder that a file was to be made in.
type missingFolder string

func (f missingFolder) Error() string { return fmt.Sprintf("the folder %s does not exist", string(f)) }

func (f missingFolder) Is(target error) bool { return target == fs.ErrNotExist }

// about makes an error about the temporary file one about path: nobody knows the
// temporary file's name.
func about(path, temporary string, err error) error {
	var known *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &known) && known.Path == temporary:
		return &fs.PathError{Op: known.Op, Path: path, Err: known.Err}
	case errors.As(err, &link) && link.Old == temporary:
		return &fs.PathError{Op: link.Op, Path: path, Err: link.Err}
	}
	return err
}

// temporary makes a new file beside target, which path leads to.
func temporary(path, target string) (*os.File, error) {
	var random [6]byte
	if _, err := rand.Read(random[:]); err != nil {
		return nil, err
	}
	folder := filepath.Dir(target)
	name := filepath.Join(folder, fmt.Sprintf(".structview-%s.tmp", hex.EncodeToString(random[:])))
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if _, missing := os.Stat(folder); err != nil && errors.Is(missing, fs.ErrNotExist) {
		return nil, &fs.PathError{Op: "create", Path: path, Err: missingFolder(folder)}
	}
	return f, about(path, name, err)
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
