// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

type encodeCommand struct {
	Type  string `required:"" help:"The type: a catalogue name or a text file."`
	In    string `arg:"" name:"IN.npy" help:"The logical value."`
	Out   string `short:"o" required:"" name:"out" help:"Where to: .bin (the payload) or .onnx (a model with the value)."`
	Name  string `default:"value" help:"The value's name in an .onnx."`
	DType string `name:"dtype" help:"Convert the array to this element type first, such as float32. Without it only what is exact is converted: float16 to float32, floats to float64."`
	Force bool   `help:"Replace an existing OUT."`
}

// Run encodes an array with the encoder of a type.
func (c *encodeCommand) Run(a *app) error {
	extension := filepath.Ext(c.Out)
	if extension != ".bin" && extension != ".onnx" {
		return usage("%s: the ending says the form: .bin (the payload) or .onnx (a model)", c.Out)
	}
	e, err := entry(c.Type)
	if err != nil {
		return err
	}
	s, x, err := a.openArray(c.In)
	if err != nil {
		return err
	}
	defer s.Close()
	shape := x.Dims()
	if e.Values == 0 {
		shape = nil // a whole value: the encoder compares the shape with its own
	}
	whole, err := instantiate(e, shape)
	if err != nil {
		return in(c.In, "", err)
	}
	if !whole.codec.CanEncode() {
		return invalid("type %s has no encoder", e.Name)
	}
	if _, err := whole.bytes(e); err != nil {
		return in(c.In, e.Name, err)
	}
	if x, err = c.converted(whole.codec, x); err != nil {
		return in(c.In, e.Name, err)
	}
	if extension == ".bin" {
		return c.stream(a, whole.codec, e.Name, x)
	}
	payload, err := whole.codec.Encode(context.Background(), x)
	if err != nil {
		return in(c.In, e.Name, err)
	}
	if payload, err = model(e, shape, c.Name, payload); err != nil {
		return in(c.Out, e.Name, err)
	}
	return a.writeFile(c.Out, c.Force, func(w io.Writer) error {
		_, err := w.Write(payload)
		return err
	})
}

// stream writes the payload as it is made: neither it nor the array has to fit into memory.
func (c *encodeCommand) stream(a *app, encoder *codec.Codec, name string, x *tensor.Tensor) error {
	return in(c.In, name, a.makeFile(c.Out, c.Force, func(w io.Writer) error {
		return encoder.EncodeTo(context.Background(), x, w)
	}))
}

// converted is x in the element type that the encoder takes, if it is a wider float or --dtype asks for it.
func (c *encodeCommand) converted(encoder *codec.Codec, x *tensor.Tensor) (*tensor.Tensor, error) {
	x, err := converted(x, c.DType)
	if err != nil {
		return nil, err
	}
	from := x.Type()
	to, _ := encoder.Input()
	switch {
	case from == to || to == tensor.Undefined:
		return x, nil
	case from.IsFloat() && (to == tensor.Float || to == tensor.Double) && from.Bits() < to.Bits():
		return tensor.Convert(x, to, true, tensor.RoundMode(0)) // exact
	case to.IsFloat() || to.IsInteger():
		return nil, invalid("expected %v, found %v; --dtype %s converts", to, from, to.Text())
	}
	return x, nil // the encoder says what it takes
}

// openArray opens a file with exactly one ordinary value, which shares its memory.
func (a *app) openArray(path string) (*source, *tensor.Tensor, error) {
	s, err := a.openSource(path)
	if err != nil {
		return nil, nil, err
	}
	all := s.values()
	if len(all) != 1 || all[0].tensor == nil {
		err = in(path, "", invalid("expected one array, found %s", plural(len(all), "value")))
	}
	var x *tensor.Tensor
	if err == nil {
		if x, err = s.dense(all[0]); err != nil {
			err = in(path, all[0].name, err)
		}
	}
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return s, x, nil
}

// model is a model that holds one structured value.
func model(e *catalog.Entry, shape []int64, name string, payload []byte) ([]byte, error) {
	instance, err := e.Instantiate(shape)
	if err != nil {
		return nil, err
	}
	m := &onnxpb.ModelProto{IrVersion: 13, ProducerName: "structview", Graph: &onnxpb.GraphProto{Name: "values"}}
	index, err := instance.AddTo(m)
	if err != nil {
		return nil, err
	}
	m.Graph.StructInitializer = []*onnxpb.StructProto{{Name: name, Type: index, RawData: payload}}
	structview.WriteCounts(m)
	var out bytes.Buffer
	err = onnxpb.WriteModel(&out, m)
	return out.Bytes(), err
}
