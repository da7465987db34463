// SPDX-License-Identifier: Apache-2.0

// Package onnx opens and writes .onnx files, with inline payloads left in the
// file and external data beside it.
package onnx

import (
	"io"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/container"
	"github.com/structview/structview/onnxpb"
)

// Format is the ONNX model file as a container.Format.
type Format struct{}

// Name implements container.Format.
func (Format) Name() string { return "onnx" }

// Open reads the model without its payloads: long raw_data in its messages is the
// file's own, memory-mapped bytes, which are not touched. Where the file cannot be
// mapped in one piece the payloads of values stay empty, and File.Bytes finds them.
//
// What is not protobuf is an *onnxpb.WireError.
func (Format) Open(src container.Source, opts container.Options) (*container.File, error) {
	s, err := onnxpb.ReadSkeleton(src, src.Size())
	if err != nil {
		return nil, err
	}
	if err := restore(s, src); err != nil {
		return nil, err
	}
	f := container.NewFile("onnx", src, s.Model, opts)
	f.Findings, f.Inline = s.Findings, s.Payload
	return f, nil
}

// restore lets messages have the file's mapped bytes; where each region costs a
// mapping, only constants, without which declarations have no meaning.
func restore(s *onnxpb.Skeleton, src container.Source) (err error) {
	whole := src.Whole()
	s.Payloads(func(m proto.Message, at onnxpb.Region, constant bool) {
		switch {
		case whole != nil:
			setRaw(m, whole[at.Offset:at.Offset+at.Length:at.Offset+at.Length])
		case constant && err == nil:
			var b []byte
			b, err = src.Region(at.Offset, at.Length)
			setRaw(m, b)
		}
	})
	return err
}

func setRaw(m proto.Message, b []byte) {
	switch m := m.(type) {
	case *onnxpb.TensorProto:
		m.RawData = b
	case *onnxpb.StructProto:
		m.RawData = b
	}
}

// WriteFile writes m at path, whole or not at all, as container.WriteFile does.
// Payloads in memory are streamed, not copied.
func WriteFile(path string, force bool, m *onnxpb.ModelProto) error {
	return container.WriteFile(path, force, func(w io.Writer) error { return onnxpb.WriteModel(w, m) })
}
