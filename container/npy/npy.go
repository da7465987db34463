// SPDX-License-Identifier: Apache-2.0

// Package npy reads and writes NumPy's .npy files, and reads .npz archives.
package npy

import (
	"io"

	"github.com/structview/structview/container"
	"github.com/structview/structview/tensor"
)

// Format is the .npy file and the .npz archive as a container.Format.
type Format struct{}

// Name implements container.Format.
func (Format) Name() string { return "npy" }

// Sniff implements container.Format.
func (Format) Sniff(head []byte) bool { panic("not yet written") }

// Open implements container.Format.
func (Format) Open(src container.Source, opts container.Options) (*container.File, error) {
	panic("not yet written")
}

// Write writes t as .npy.
func Write(w io.Writer, t *tensor.Tensor) error { panic("not yet written") }
