// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/structview/structview/codec"
	"github.com/structview/structview/container"
	"github.com/structview/structview/tensor"
)

type decodeCommand struct {
	Source string `arg:"" name:"FILE|RAW" help:"Model or container; with --type a file of raw bytes."`
	Name   string `arg:"" optional:"" name:"NAME" help:"The value to decode."`
	Out    string `short:"o" required:"" name:"out" help:"Where to: .npy, .bin (raw little-endian), - (raw to standard output), or with --all a folder."`
	All    bool   `help:"Decode every value into the folder OUT."`
	Type   string `help:"Decode raw bytes of this type: a catalogue name or a text file."`
	Shape  string `help:"Logical shape of the raw bytes' value: D0,D1,…"`
	Rows   string `help:"Decode only these rows of the first dimension: A:B, half open."`
	DType  string `name:"dtype" help:"Convert to this element type, such as float32."`
	Force  bool   `help:"Replace an existing OUT."`
}

// Run decodes one value, all values, or raw bytes.
func (c *decodeCommand) Run(a *app) error {
	if err := c.validate(); err != nil {
		return err
	}
	if a.json && c.Out == "-" {
		return usage("--json and -o - both write to standard output")
	}
	if c.Type != "" {
		return c.raw(a)
	}
	s, err := a.openSource(c.Source)
	if err != nil {
		return err
	}
	defer s.Close()
	if c.All {
		return c.every(a, s)
	}
	v, path, err := s.find(c.Name)
	if err != nil {
		return in(c.Source, "", err)
	}
	if path != "" {
		return at(c.Source, v, path, usage("decode takes a whole value; 'structview show' takes paths, --rows takes rows"))
	}
	return at(c.Source, v, "", c.value(a, s, v, c.Out))
}

// validate refuses combinations that mean nothing.
func (c *decodeCommand) validate() error {
	switch {
	case c.Type == "" && c.Shape != "":
		return usage("--shape goes with --type")
	case c.Type != "" && (c.Name != "" || c.All):
		return usage("with --type the argument is one file of raw bytes; NAME and --all go with models")
	case c.Type == "" && !c.All && c.Name == "":
		return usage("NAME is missing; --all decodes every value")
	case c.All && c.Name != "":
		return usage("--all decodes every value: leave out %q", c.Name)
	case c.All && c.Rows != "":
		return usage("--rows goes with one value")
	case c.Out == "-" && c.All:
		return usage("--all writes a folder of files, not to standard output")
	case !c.All && c.Out != "-" && filepath.Ext(c.Out) != ".npy" && filepath.Ext(c.Out) != ".bin":
		return usage("%s: the ending says the form: .npy, .bin (raw little-endian), or - for standard output", cmp.Or(c.Out, `""`))
	}
	return nil
}

// raw decodes a file of packed bytes without a model.
func (c *decodeCommand) raw(a *app) error {
	e, err := entry(c.Type)
	if err != nil {
		return err
	}
	shape, err := shapeOf(e, c.Shape)
	if err != nil {
		return err
	}
	whole, err := instantiate(e, shape)
	if err != nil {
		return err
	}
	if !whole.codec.CanDecode() {
		return invalid("type %s has no decoder", e.Name)
	}
	what := e.Name
	if shape != nil {
		what += shapeText(shape)
	}
	size, err := whole.bytes(e)
	if err != nil {
		return in(c.Source, what, err)
	}
	payload, done, err := mapExactly(c.Source, size)
	if err != nil {
		return err
	}
	defer done()
	return in(c.Source, what, c.run(a, whole.codec, payload, c.Out))
}

// mapExactly maps a file whose size is known from a type.
func mapExactly(path string, size uint64) ([]byte, func(), error) {
	src, err := container.OpenSource(path)
	if err != nil {
		return nil, nil, unreadable(err)
	}
	if uint64(src.Size()) != size {
		src.Close()
		return nil, nil, in(path, "", invalid("the type takes %s, the file has %d", plural(size, "byte"), src.Size()))
	}
	payload, err := src.Region(0, src.Size())
	if err != nil {
		src.Close()
		return nil, nil, in(path, "", err)
	}
	return payload, func() { src.Close() }, nil
}

// value decodes a value of a file, of either kind, and writes it.
func (c *decodeCommand) value(a *app, s *source, v value, out string) error {
	if v.tensor != nil {
		t, err := s.dense(v)
		if err != nil {
			return err
		}
		if t, err = c.shapeOutput(t); err != nil {
			return err
		}
		return a.writeTensor(out, t, c.Force)
	}
	made, payload, err := s.decoder(v)
	if err != nil {
		return err
	}
	return c.run(a, made, payload, out)
}

// run decodes a payload: piece by piece, unless something is done to the result.
func (c *decodeCommand) run(a *app, made *codec.Codec, payload []byte, out string) error {
	element, dims := made.Output()
	if c.Rows == "" && c.DType == "" && streams(element, dims, out) {
		return a.streamTensor(out, made, payload, c.Force)
	}
	t, err := c.decoded(made, payload)
	if err != nil {
		return err
	}
	if t, err = converted(t, c.DType); err != nil {
		return err
	}
	return a.writeTensor(out, t, c.Force)
}

// decoded is the logical value or the rows of it that --rows names.
func (c *decodeCommand) decoded(made *codec.Codec, payload []byte) (*tensor.Tensor, error) {
	if c.Rows == "" {
		return made.Decode(context.Background(), payload)
	}
	from, to, err := parseRange(c.Rows)
	if err != nil {
		return nil, err
	}
	return made.DecodeRows(context.Background(), payload, from, to)
}

// decoder returns what decodes a structured value.
func (s *source) decoder(v value) (*codec.Codec, []byte, error) {
	t, err := s.structType(v)
	if err != nil {
		return nil, nil, err
	}
	made, err := s.codec(t)
	if err != nil {
		return nil, nil, err
	}
	if !made.CanDecode() {
		return nil, nil, invalid("type %s has no decoder; 'structview show' reads its fields", typeName(t))
	}
	payload, err := s.Bytes(v.structp)
	return made, payload, err
}

// shapeOutput applies --rows and --dtype.
func (c *decodeCommand) shapeOutput(t *tensor.Tensor) (*tensor.Tensor, error) {
	if c.Rows != "" {
		from, to, err := parseRange(c.Rows)
		if err != nil {
			return nil, err
		}
		if t, err = rows(t, from, to); err != nil {
			return nil, err
		}
	}
	return converted(t, c.DType)
}

// converted applies --dtype.
func converted(t *tensor.Tensor, dtype string) (*tensor.Tensor, error) {
	if dtype == "" {
		return t, nil
	}
	to, ok := elementType(dtype)
	if !ok {
		return nil, usage("--dtype %s: expected an ONNX element type such as float, float16, bfloat16, int8", dtype)
	}
	return tensor.Convert(t, to, true, tensor.RoundMode(0))
}

// elementType is the element type of a name of ONNX's, or of numpy's for the two
// that differ.
func elementType(name string) (tensor.Type, bool) {
	switch name {
	case "float32":
		return tensor.Float, true
	case "float64":
		return tensor.Double, true
	}
	return tensor.Named(name)
}

// parseRange reads A:B.
func parseRange(text string) (from, to int64, err error) {
	a, b, ok := strings.Cut(text, ":")
	if ok {
		from, err = strconv.ParseInt(a, 10, 64)
	}
	if ok && err == nil {
		to, err = strconv.ParseInt(b, 10, 64)
	}
	if !ok || err != nil || from < 0 || to < from {
		return 0, 0, usage("expected a half-open range such as 10:20, found %q", text)
	}
	return from, to, nil
}

// rows cuts rows of the first dimension out of a tensor.
func rows(t *tensor.Tensor, from, to int64) (*tensor.Tensor, error) {
	dims := t.Dims()
	if len(dims) == 0 {
		return nil, invalid("a scalar has no rows")
	}
	if to > dims[0] {
		return nil, invalid("rows %d:%d of a value that has %d", from, to, dims[0])
	}
	each := int64(1)
	for _, d := range dims[1:] {
		each *= d
	}
	part, err := window(t, from*each, (to-from)*each)
	if err != nil {
		return nil, err
	}
	return part.Reshape(append([]int64{to - from}, dims[1:]...))
}

// every decodes all values into a folder, one .npy a value.
func (c *decodeCommand) every(a *app, s *source) error {
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return unreadable(err)
	}
	all := s.values()
	add, done := a.progress(int64(len(all)), "decode")
	defer done()
	for _, v := range all {
		out := filepath.Join(c.Out, fileName(v.name)+".npy")
		if err := c.value(a, s, v, out); err != nil {
			return at(c.Source, v, "", err)
		}
		add(1)
	}
	return nil
}

// fileName keeps what every file system takes and writes the rest as %XX, so that
// different names stay different.
func fileName(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-', c == '.' && i > 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
