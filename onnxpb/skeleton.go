// SPDX-License-Identifier: Apache-2.0

package onnxpb

import (
	"fmt"
	"io"

	"google.golang.org/protobuf/proto"
)

const (
	// LongPayload is the number of bytes above which the raw_data of a graph's
	// initializer, sparse initializer or structured value stays in the file.
	LongPayload = 1 << 10
	// LongConstant is the same for every other raw_data: constants of declarations
	// and tensors of attributes, which belong to what a reader of declarations needs.
	LongConstant = 1 << 20
)

// Region is a range of bytes of the model file.
type Region struct{ Offset, Length int64 }

// Finding is something that the wire pass saw and that the decoded messages no
// longer show: SV000 (a warning) or SV056 (an error).
type Finding struct {
	// Rule is the rule's id, such as "SV056".
	Rule string
	// Path is the field's path from the model, such as "graph.input[0].type.1000".
	// A field that has no name stands as its number.
	Path    string
	Message string
	Warning bool
	// Offset is the byte of the file at which the field begins.
	Offset int64
}

// Skeleton is a model whose long payloads stayed in the file.
type Skeleton struct {
	// Model is the whole model, but for the raw_data that was left in the file.
	Model *ModelProto
	// Findings are in file order.
	Findings []Finding

	source    io.ReaderAt
	payloads  map[proto.Message]Region
	constants map[proto.Message]bool // those of payloads that are constants
}

// ReadSkeleton reads the model in the first size bytes of r. Long raw_data of a
// TensorProto or StructProto, wherever it is nested, stays in the file and is empty
// in the messages; it is not read. LongPayload and LongConstant say what is long.
// Unknown fields are kept.
//
// Fields that are not as the wire demands (truncated, of another wire type,
// nested more than 1000 levels deep) are a *WireError. The skeleton goes on
// reading payloads from r when it is asked for them.
func ReadSkeleton(r io.ReaderAt, size int64) (*Skeleton, error) {
	if size < 0 {
		return nil, fmt.Errorf("onnxpb: size of %d bytes expected to be positive", size)
	}
	s := &Skeleton{Model: &ModelProto{}, source: r, payloads: map[proto.Message]Region{}, constants: map[proto.Message]bool{}}
	d := decoder{window: window{r: r, size: size}, payloads: s.payloads, constants: s.constants}
	if err := d.message(s.Model.ProtoReflect(), 0, size); err != nil {
		return nil, err
	}
	s.Findings = d.findings
	return s, nil
}

// Payload tells where the raw_data of m lies in the file, if it was left there.
// m is a *TensorProto or *StructProto of the skeleton.
func (s *Skeleton) Payload(m proto.Message) (Region, bool) {
	region, ok := s.payloads[m]
	return region, ok
}

// Payloads calls visit for each payload that was left in the file, in no
// particular order. constant tells a long constant of a declaration, a function or
// an attribute: Resolve and whoever runs a function need it in the message.
func (s *Skeleton) Payloads(visit func(m proto.Message, at Region, constant bool)) {
	for m, region := range s.payloads {
		visit(m, region, s.constants[m])
	}
}

// Reader returns a reader of the raw_data of m that was left in the file, nil
// if none was.
func (s *Skeleton) Reader(m proto.Message) *io.SectionReader {
	region, ok := s.payloads[m]
	if !ok {
		return nil
	}
	return io.NewSectionReader(s.source, region.Offset, region.Length)
}

// Write writes the model as WriteModel does, with the payloads that were left in
// the file.
func (s *Skeleton) Write(w io.Writer) error { return WriteModelFrom(w, s.Model, s.Reader) }
