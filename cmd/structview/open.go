// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/container"
	"github.com/structview/structview/container/gguf"
	"github.com/structview/structview/container/npy"
	"github.com/structview/structview/container/onnx"
	"github.com/structview/structview/container/text"
	"github.com/structview/structview/eval"
)

// formats are the containers that every reading command opens, told apart by
// their content.
func formats() []container.Format {
	return []container.Format{gguf.Format{}, npy.Format{}, onnx.Format{}, text.Format{}}
}

// namedText is the text form of a file whose name says so: what is wrong with it is said as of a text.
type namedText struct{ text.Format }

// Sniff takes whatever no other format does.
func (namedText) Sniff(head []byte) bool { return len(head) > 0 }

// open opens a file of any kind. Its errors name the file.
func (a *app) open(path string) (*container.File, error) {
	known := formats()
	if strings.HasSuffix(path, textEnding) {
		known = append(known, namedText{})
	}
	file, err := container.Open(path, container.Options{AllowLinks: a.allowLinks}, known...)
	if err == nil {
		return file, nil
	}
	var broken *fs.PathError
	if errors.As(err, &broken) && broken.Path == path {
		err = unreadable(broken.Err)
	}
	return nil, in(path, "", err)
}

// source is an open file with its declarations resolved.
type source struct {
	*container.File
	declarations *structview.Declarations
	codecs       map[*structview.Type]*codec.Codec
}

// openSource opens a file whose values a command reads. Faulty declarations do
// not stop it: they stop whoever asks for a value that uses them.
func (a *app) openSource(path string) (*source, error) {
	file, err := a.open(path)
	if err != nil {
		return nil, err
	}
	declarations, _ := structview.Resolve(file.Model.GetStructTypes())
	return &source{file, declarations, map[*structview.Type]*codec.Codec{}}, nil
}

// codec returns the codec of a root, made once per type.
func (s *source) codec(t *structview.Type) (*codec.Codec, error) {
	if known, ok := s.codecs[t]; ok {
		return known, nil
	}
	made, err := codec.New(t, codec.Env{
		Functions: s.Model.GetFunctions(),
		Opsets:    s.Model.GetOpsetImport(),
		Limits:    limits(t),
	})
	if err != nil {
		return nil, fmt.Errorf("type %s: %w", typeName(t), err)
	}
	s.codecs[t] = made
	return made, nil
}

// limits bounds what the codec of a value may use (SV048) by the size of its
// payload: one of a few bytes shall not cost gigabytes or minutes.
func limits(t *structview.Type) eval.Limits {
	const (
		bytes, bytesEach       = 256 << 20, 1 << 10
		elements, elementsEach = 1 << 26, 1 << 14
		large                  = 4 << 20 // from this size on the defaults hold
	)
	size, _ := t.Bytes()
	n := int64(min(size, large))
	return eval.Limits{
		Bytes:    min(eval.DefaultBytes, bytes+bytesEach*n),
		Elements: min(eval.DefaultElements, elements+elementsEach*n),
	}
}

// typeName names a declaration for people.
func typeName(t *structview.Type) string {
	switch {
	case t.Name() != "":
		return t.Name()
	case t.Index() >= 0:
		return fmt.Sprintf("struct_types[%d]", t.Index())
	default:
		return "inline"
	}
}
