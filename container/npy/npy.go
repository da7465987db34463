// SPDX-License-Identifier: Apache-2.0

// Package npy reads and writes NumPy's .npy files, and reads .npz archives.
//
// A .npy file is a magic number, a version, a header that is a Python dictionary
// of ASCII text, and the elements:
//
//	93 'N' 'U' 'M' 'P' 'Y'   major minor   header length   header ... '\n'   elements
//	6 bytes                  1     1       2 (v1) or 4     a multiple of 64 in all
//
// An .npz file is a zip archive of them.
package npy

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/structview/structview/container"
	"github.com/structview/structview/onnxpb"
)

// Format is the .npy file and the .npz archive as a container.Format. Each array
// becomes an initializer, named like its file without the extension.
//
// Little-endian arrays in C order stay where they are; others are converted in
// memory, and so are compressed members of an archive. Arrays of objects,
// strings, dates and records have no ONNX element type and are errors.
type Format struct{}

// Name implements container.Format.
func (Format) Name() string { return "npy" }

// Sniff implements container.Format.
func (Format) Sniff(head []byte) bool {
	return strings.HasPrefix(string(head), magic) || isZip(head)
}

// Open implements container.Format.
func (Format) Open(src container.Source, opts container.Options) (*container.File, error) {
	head := make([]byte, min(4, src.Size()))
	if _, err := src.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	}
	var values []*onnxpb.TensorProto
	var err error
	if isZip(head) {
		values, err = openArchive(src)
	} else {
		var v *onnxpb.TensorProto
		v, err = openArray(src)
		values = append(values, v)
	}
	if err != nil {
		return nil, err
	}
	model := &onnxpb.ModelProto{
		IrVersion:    13,
		ProducerName: "structview",
		OpsetImport:  []*onnxpb.OperatorSetIdProto{{Version: 26}},
		Graph:        &onnxpb.GraphProto{Name: stem(src.Path()), Initializer: values},
	}
	return container.NewFile("npy", src, model, opts), nil
}

// stem is a file's name without folder and extension.
func stem(path string) string {
	name := filepath.Base(path)
	if s := strings.TrimSuffix(name, filepath.Ext(name)); s != "" {
		return s
	}
	return name
}

// openArray reads a .npy file.
func openArray(src container.Source) (*onnxpb.TensorProto, error) {
	a, err := readArray(io.NewSectionReader(src, 0, src.Size()), src.Size())
	if err != nil {
		return nil, err
	}
	if a.plain() {
		return a.refer(src, stem(src.Path()), 0), nil
	}
	data, err := src.Region(a.begin, a.bytes)
	if err != nil {
		return nil, err
	}
	var v *onnxpb.TensorProto
	err = container.Guard(func() error {
		v = a.convert(stem(src.Path()), data)
		return nil
	})
	return v, err
}

// refer makes an initializer of an array that lies in src at base.
func (a *array) refer(src container.Source, name string, base int64) *onnxpb.TensorProto {
	entry := func(key, value string) *onnxpb.StringStringEntryProto {
		return &onnxpb.StringStringEntryProto{Key: key, Value: value}
	}
	return &onnxpb.TensorProto{
		Name: name, Dims: a.shape, DataType: int32(a.element),
		DataLocation: onnxpb.TensorProto_EXTERNAL,
		ExternalData: []*onnxpb.StringStringEntryProto{
			entry("location", filepath.Base(src.Path())),
			entry("offset", fmt.Sprint(base+a.begin)),
			entry("length", fmt.Sprint(a.bytes)),
		},
	}
}

// convert makes an initializer of elements in memory, which it takes over if they
// need no change.
func (a *array) convert(name string, data []byte) *onnxpb.TensorProto {
	v := &onnxpb.TensorProto{Name: name, Dims: a.shape, DataType: int32(a.element), RawData: data}
	if a.fortran {
		v.RawData = transposed(a.shape, a.width, v.RawData)
	}
	if a.big {
		v.RawData = swapped(v.RawData, a.word)
	}
	return v
}
