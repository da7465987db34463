// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/structview/structview/codec"
	"github.com/structview/structview/container"
	"github.com/structview/structview/container/npy"
	"github.com/structview/structview/tensor"
)

// streams reports whether a value can be written piece by piece.
func streams(element tensor.Type, dims []int64, out string) bool {
	if dims == nil || slices.Contains(dims, -1) || element == tensor.String || element == tensor.Bool {
		return false
	}
	return out == "-" || filepath.Ext(out) == ".bin" || filepath.Ext(out) == ".npy" && npy.Has(element)
}

// streamTensor decodes into a file with bounded memory.
func (a *app) streamTensor(out string, made *codec.Codec, payload []byte, force bool) error {
	element, dims := made.Output()
	n, err := tensor.Count(dims)
	if err != nil {
		return err
	}
	add, done := a.progress(n*int64(element.Bits())/8, "decode")
	defer done()
	write := func(w io.Writer) error {
		if filepath.Ext(out) == ".npy" {
			if err := npy.WriteHeader(w, element, dims); err != nil {
				return err
			}
		}
		return made.DecodeTo(context.Background(), payload, &counted{w, add})
	}
	if out == "-" {
		return write(a.raw)
	}
	return a.makeFile(out, force, write)
}

// makeFile is writeFile of what is computed while it is written. An error of the computation comes back as it
// is: the output has no part in it.
func (a *app) makeFile(path string, force bool, compute func(io.Writer) error) error {
	var broken, failed error // while writing, altogether
	err := a.writeFile(path, force, func(w io.Writer) error {
		failed = compute(&remembered{w, &broken})
		return failed
	})
	if failed != nil && broken == nil {
		return failed
	}
	return err
}

// remembered keeps the error of a writer.
type remembered struct {
	io.Writer
	err *error
}

func (r *remembered) Write(p []byte) (int, error) {
	n, err := r.Writer.Write(p)
	if err != nil {
		*r.err = err
	}
	return n, err
}

// writtenFile is an output, as --json reports it.
type writtenFile struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
}

// writeFile writes an output whole or not at all.
func (a *app) writeFile(path string, force bool, write func(io.Writer) error) error {
	var size int64
	err := container.WriteFile(path, force, func(w io.Writer) error {
		return write(&counted{w, func(n int64) { size += n }})
	})
	if err == nil {
		a.written = append(a.written, writtenFile{path, size})
		return nil
	}
	if errors.Is(err, container.ErrExists) {
		err = usage("%w; --force replaces it", container.ErrExists)
	}
	var broken *fs.PathError
	if errors.As(err, &broken) && broken.Path == path {
		err = unreadable(broken.Err)
	}
	return &failure{status: statusOf(err), err: in(path, "", err), whole: true}
}

// counted tells a progress bar what was written.
type counted struct {
	io.Writer
	add func(int64)
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.add(int64(n))
	return n, err
}

// writeTensor writes a tensor in the form that the ending of out names; "-" is
// standard output, raw.
func (a *app) writeTensor(out string, t *tensor.Tensor, force bool) error {
	if out == "-" {
		_, err := a.raw.Write(t.Bytes())
		return err
	}
	write := func(w io.Writer) error { return npy.Write(w, t) }
	if filepath.Ext(out) == ".bin" {
		if t.Type() == tensor.String {
			return in(out, "", usage("strings have no raw form; write .npy"))
		}
		write = func(w io.Writer) error { _, err := w.Write(t.Bytes()); return err }
	}
	return a.writeFile(out, force, write)
}
