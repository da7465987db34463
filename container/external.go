// SPDX-License-Identifier: Apache-2.0

package container

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/structview/structview/onnxpb"
)

// reference is what external_data says.
type reference struct {
	location string
	offset   int64
	length   int64 // -1: to the end of the file
	checksum string
}

// parseExternal reads the keys of external_data (SV023). Unlike a structured
// value, an ordinary tensor may leave length out and may have keys that are not
// known here.
func parseExternal(entries []*onnxpb.StringStringEntryProto, structured bool) (reference, error) {
	ref := reference{length: -1}
	seen := map[string]bool{}
	for _, e := range entries {
		if seen[e.Key] {
			return ref, fmt.Errorf("external_data has the key %q twice", e.Key)
		}
		seen[e.Key] = true
		var err error
		switch e.Key {
		case "location":
			ref.location = e.Value
		case "offset":
			ref.offset, err = decimal(e.Value)
		case "length":
			ref.length, err = decimal(e.Value)
		case "checksum":
			ref.checksum = e.Value
		default:
			if structured {
				err = errors.New("the key is unknown")
			}
		}
		if err != nil {
			return ref, fmt.Errorf("external_data %q: %w", e.Key, err)
		}
	}
	if !seen["location"] {
		return ref, errors.New("external_data has no location")
	}
	if structured && !seen["length"] {
		return ref, errors.New("external_data has no length")
	}
	return ref, nil
}

// decimal reads digits without sign or blanks. What is beyond 2^63 lies in no file.
func decimal(s string) (int64, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil || strings.Trim(s, "0123456789") != "" {
		return 0, fmt.Errorf("a decimal number below 2^64 expected, %q found", s)
	}
	return int64(min(n, math.MaxInt64)), nil
}

// externals are the files that external data was read from.
type externals struct {
	folder string // absolute
	opts   Options
	own    Source // the model's own file, which the user named

	mu     sync.Mutex
	open   map[string]Source // by cleaned location
	hashes map[string]string // SHA-1 in hexadecimal digits, by cleaned location
}

// source opens the file at location, once.
func (e *externals) source(location string) (Source, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	key := path.Clean(location)
	if e.own != nil && location == filepath.Base(e.own.Path()) {
		return e.own, nil
	}
	if s := e.open[key]; s != nil && checkLocation(location) == nil {
		return s, nil
	}
	s, err := confine(e.folder, location, e.opts)
	if err != nil {
		return nil, err
	}
	if e.open == nil {
		e.open = map[string]Source{}
	}
	e.open[key] = s
	return s, nil
}

// sha1 hashes the whole file at location, once.
func (e *externals) sha1(location string) (string, error) {
	s, err := e.source(location)
	if err != nil {
		return "", err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if sum, ok := e.hashes[location]; ok {
		return sum, nil
	}
	h := sha1.New()
	if n, err := io.Copy(h, io.NewSectionReader(s, 0, s.Size())); err != nil {
		return "", err
	} else if n != s.Size() {
		return "", fmt.Errorf("%q: %d bytes expected, %d read: %w", location, s.Size(), n, ErrTruncated)
	}
	if e.hashes == nil {
		e.hashes = map[string]string{}
	}
	e.hashes[location] = hex.EncodeToString(h.Sum(nil))
	return e.hashes[location], nil
}

func (e *externals) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []error
	for _, s := range e.open {
		all = append(all, s.Close())
	}
	e.open = nil
	return errors.Join(all...)
}
