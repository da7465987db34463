// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"path/filepath"

	"github.com/structview/structview/container"
	"github.com/structview/structview/container/npy"
	"github.com/structview/structview/tensor"
)

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
