// SPDX-License-Identifier: Apache-2.0

package gguf

import (
	"bytes"
	"path/filepath"

	"github.com/structview/structview/catalog"
	"github.com/structview/structview/container"
)

// Format is GGUF as a [container.Format].
type Format struct {
	// Catalog has the declarations of the quantized types; nil is the built-in one.
	Catalog *catalog.Catalog
}

// Name is "gguf".
func (Format) Name() string { return "gguf" }

// Sniff tells whether head begins with GGUF's magic, or with one that was damaged
// or byte-swapped, so that [Format.Open] can say what is wrong with it.
func (Format) Sniff(head []byte) bool {
	return bytes.HasPrefix(head, []byte("GGU")) || bytes.HasPrefix(head, []byte("FUGG")) || bytes.HasPrefix(head, []byte("UGG"))
}

// Open imports src. The model's payloads are external data in src itself, under its base
// name.
func (f Format) Open(src container.Source, opts container.Options) (*container.File, error) {
	header, err := ReadHeader(src, src.Size())
	if err != nil {
		return nil, err
	}
	c := f.Catalog
	if c == nil {
		c = catalog.Builtin()
	}
	model, err := Import(header, src, filepath.Base(src.Path()), c)
	if err != nil {
		return nil, err
	}
	return container.NewFile(f.Name(), src, model, opts), nil
}
