// SPDX-License-Identifier: Apache-2.0

package container

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// confine opens the external file at location, relative to folder (SV024).
func confine(folder, location string, opts Options) (*fileSource, error) {
	if err := checkLocation(location); err != nil {
		return nil, locationError(location, err)
	}
	var s *fileSource
	var err error
	if opts.AllowLinks {
		s, err = openLinked(folder, location)
	} else {
		s, err = openStrict(folder, path.Clean(location))
	}
	if err != nil {
		return nil, locationError(location, err)
	}
	return s, nil
}

// locationError keeps what the system said, under the name that the model wrote.
func locationError(location string, err error) error {
	var known *fs.PathError
	if errors.As(err, &known) {
		err = known.Err
	}
	return &fs.PathError{Op: "external data", Path: location, Err: err}
}

// checkLocation refuses what the name alone tells, on every system alike.
func checkLocation(location string) error {
	clean := path.Clean(location)
	drive := len(location) > 1 && location[1] == ':' && (location[0]|0x20 >= 'a' && location[0]|0x20 <= 'z')
	switch {
	case location == "":
		return errors.New("the location is empty")
	case strings.ContainsRune(location, 0):
		return errors.New("the location has a NUL")
	case strings.Contains(location, `\`):
		return errors.New(`the location has a backslash; parts are joined by "/"`)
	case strings.HasPrefix(location, "/") || drive:
		return errors.New("the location is absolute")
	case clean == ".." || strings.HasPrefix(clean, "../"):
		return errors.New("the location leaves the model's folder")
	case clean == "." || strings.HasSuffix(location, "/"):
		return errors.New("the location is a folder")
	case !filepath.IsLocal(filepath.FromSlash(clean)):
		return errors.New("the location is no file's name on this system")
	}
	return nil
}

// openLinked lets the system follow links, out of the folder too.
func openLinked(folder, location string) (*fileSource, error) {
	name := filepath.Join(folder, filepath.FromSlash(location))
	s, err := OpenSource(name)
	if err != nil {
		return nil, err
	}
	return s.(*fileSource), nil
}

// openStrict goes down folder by folder. Each is looked at before it is opened
// and compared with what was opened, so that a link cannot be slipped in between.
func openStrict(folder, location string) (*fileSource, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { root.Close() }()
	parts := strings.Split(location, "/")
	for _, part := range parts[:len(parts)-1] {
		below, err := descend(root, part)
		if err != nil {
			return nil, err
		}
		root.Close()
		root = below
	}
	name := parts[len(parts)-1]
	before, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if err := regular(name, before); err != nil {
		return nil, err
	}
	f, err := root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	s, err := newFileSource(filepath.Join(folder, filepath.FromSlash(location)), f, before)
	if err != nil {
		return nil, err
	}
	if n := links(s.info); n > 1 {
		s.Close()
		return nil, fmt.Errorf("a file with one name expected, one with %d hard links found", n)
	}
	return s, nil
}

func descend(root *os.Root, part string) (*os.Root, error) {
	before, err := root.Lstat(part)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, fmt.Errorf("the folder %q expected, a %s found", part, kindName(before.Mode()))
	}
	below, err := root.OpenRoot(part)
	if err != nil {
		return nil, err
	}
	after, err := below.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = fmt.Errorf("the folder %q was exchanged while it was opened", part)
	}
	if err != nil {
		below.Close()
		return nil, err
	}
	return below, nil
}

func kindName(mode fs.FileMode) string {
	if mode.IsRegular() {
		return "file"
	}
	return kindOf(mode)
}
