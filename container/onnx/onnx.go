// SPDX-License-Identifier: Apache-2.0

// Package onnx reads and writes .onnx files.
package onnx

import (
	"io"

	"github.com/structview/structview/container"
	"github.com/structview/structview/onnxpb"
)

// Format is the ONNX model file as a container.Format.
type Format struct{}

// Name implements container.Format.
func (Format) Name() string { return "onnx" }

// Sniff implements container.Format.
func (Format) Sniff(head []byte) bool { panic("not yet written") }

// Open implements container.Format.
func (Format) Open(src container.Source, opts container.Options) (*container.File, error) {
	panic("not yet written")
}

// Write writes m.
func Write(w io.Writer, m *onnxpb.ModelProto) error { return onnxpb.WriteModel(w, m, nil) }
