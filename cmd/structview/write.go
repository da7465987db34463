// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
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
		return write(a.stdout)
	}
	return in(out, "", container.WriteFile(out, force, write))
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
		_, err := a.stdout.Write(t.Bytes())
		return err
	}
	var write func(io.Writer) error
	switch filepath.Ext(out) {
	case ".npy":
		write = func(w io.Writer) error { return npy.Write(w, t) }
	case ".bin":
		if t.Type() == tensor.String {
			return in(out, "", usage("strings have no raw form; write .npy"))
		}
		write = func(w io.Writer) error { _, err := w.Write(t.Bytes()); return err }
	default:
		return usage("%s: the ending says the form: .npy, .bin (raw little-endian), or - for standard output", out)
	}
	return in(out, "", container.WriteFile(out, force, write))
}
