// SPDX-License-Identifier: Apache-2.0

package gguf

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/container"
	"github.com/structview/structview/onnxpb"
)

// ErrNoHeader says that a model was not imported from a GGUF file: it has no [HeaderName].
var ErrNoHeader = errors.New("gguf: the model has no initializer " + strconv.Quote(HeaderName))

// Export writes a model that [Import] made as a GGUF file again: its header, and the present payload of each tensor
// at the place that the header gives it. Where the payloads still lie in the imported file, what lies between and behind
// them is copied from there, so that an untouched import comes back byte for byte; otherwise it is zero, and the file
// ends at a multiple of the alignment.
//
// Every tensor of the header must be there, with its dimensions, and with a payload of its size. Other values of the model are
// not written.
func Export(w io.Writer, f *container.File) error {
	e := exporter{file: f, values: map[string]proto.Message{}, out: counter{w: w}}
	for _, p := range f.Model.GetGraph().GetInitializer() {
		e.values[p.Name] = p
	}
	for _, v := range f.Model.GetGraph().GetStructInitializer() {
		e.values[v.Name] = v
	}
	if err := e.readHeader(); err != nil {
		return err
	}
	if err := e.findTensors(); err != nil {
		return err
	}
	return e.write()
}

type exporter struct {
	file   *container.File
	values map[string]proto.Message
	out    counter

	bytes   []byte // of the header
	header  *Header
	tensors []exported
	origin  *onnxpb.TensorProto // the header, if it and all tensors lie in one file as it says
	end     int64               // of that file
}

type exported struct {
	*Tensor
	value proto.Message
}

func (e *exporter) readHeader() error {
	value, ok := e.values[HeaderName].(*onnxpb.TensorProto)
	if !ok {
		return ErrNoHeader
	}
	var err error
	if e.bytes, err = e.file.Bytes(value); err != nil {
		return fmt.Errorf("gguf: %s: %w", HeaderName, err)
	}
	if e.header, err = parse(bytes.NewReader(e.bytes), int64(len(e.bytes))); err != nil {
		return fmt.Errorf("%s: %w", HeaderName, err)
	}
	e.origin = value
	return nil
}

// findTensors finds the value of each tensor, and orders them by their place in the file.
func (e *exporter) findTensors() error {
	h := e.header
	end := h.DataStart
	for i, name := range ValueNames(h) {
		t := &h.Tensors[i]
		value, ok := e.values[name]
		if !ok {
			return &Error{Offset: t.At, Subject: t.subject(), Message: fmt.Sprintf("the model has no value %q", name)}
		}
		if err := e.fits(t, value); err != nil {
			return &Error{Offset: t.At, Subject: t.subject(), Message: err.Error()}
		}
		e.tensors = append(e.tensors, exported{t, value})
		end = max(end, h.DataStart+int64(t.Offset+t.Size))
	}
	slices.SortStableFunc(e.tensors, func(a, b exported) int { return cmp.Compare(a.Offset, b.Offset) })
	e.end = roundUp(end, h.Alignment)
	return e.findOrigin()
}

// fits compares a value with the header's type and dimensions.
func (e *exporter) fits(t *Tensor, value proto.Message) error {
	plain, isPlain := t.Type.Plain()
	switch v := value.(type) {
	case *onnxpb.TensorProto:
		if !isPlain || v.DataType != int32(plain) || !slices.Equal(v.Dims, t.Shape()) {
			return fmt.Errorf("the model has data type %d and dims %v (%v and %v expected)", v.DataType, v.Dims, t.Type, t.Shape())
		}
	case *onnxpb.StructProto:
		if isPlain {
			return fmt.Errorf("the model has a structured value (%v expected)", t.Type)
		}
	}
	place, err := e.file.Place(value)
	if err != nil {
		return err
	}
	if place.Length != int64(t.Size) {
		return fmt.Errorf("the payload has %d bytes (%d expected)", place.Length, t.Size)
	}
	return nil
}

// findOrigin decides whether the imported file is still there, whole.
func (e *exporter) findOrigin() error {
	origin, err := e.file.Place(e.origin)
	if err != nil {
		return err
	}
	untouched := origin.Offset == 0 && len(e.origin.ExternalData) > 0
	for _, t := range e.tensors {
		place, err := e.file.Place(t.value)
		if err != nil {
			return err
		}
		untouched = untouched && (t.Size == 0 || place.Path == origin.Path && place.Offset == e.header.DataStart+int64(t.Offset))
	}
	measure := e.file.CheckOptions().External
	if !untouched || measure == nil {
		e.origin = nil
		return nil
	}
	e.end, err = measure(origin.Location)
	return err
}

func (e *exporter) write() error {
	if _, err := e.out.Write(e.bytes); err != nil {
		return err
	}
	for _, t := range e.tensors {
		if t.Size == 0 {
			continue
		}
		if err := e.fill(e.header.DataStart + int64(t.Offset)); err != nil {
			return err
		}
		if err := e.out.payload(t.Tensor, func(w io.Writer) error { return e.copy(w, t.value) }); err != nil {
			return err
		}
	}
	return e.fill(e.end)
}

func (e *exporter) copy(w io.Writer, value proto.Message) error {
	r, err := e.file.Reader(value)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return err
}

// fill writes what lies before byte end of the file: the imported file's bytes, or zeros.
func (e *exporter) fill(end int64) error {
	gap := end - e.out.n
	if gap <= 0 {
		return nil
	}
	if e.origin == nil {
		return e.out.pad(end)
	}
	b := builder{}
	for _, p := range e.origin.ExternalData {
		if p.Key == "location" {
			b.location = p.Value
		}
	}
	return e.copy(&e.out, &onnxpb.TensorProto{
		Name: HeaderName, DataType: e.origin.DataType, Dims: []int64{gap},
		DataLocation: onnxpb.TensorProto_EXTERNAL, ExternalData: b.external(e.out.n, gap),
	})
}
