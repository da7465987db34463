// SPDX-License-Identifier: Apache-2.0

package onnxpb

import (
	"io"

	"google.golang.org/protobuf/proto"
)

// Region is a range of bytes of the model file.
type Region struct{ Offset, Length int64 }

// Finding is something that the wire pass saw and that the decoded messages no
// longer show: SV000 (a warning) or SV056 (an error).
type Finding struct {
	// Rule is the rule's id, such as "SV056".
	Rule string
	// Path is the field's path from the model, such as "graph.input[0].type".
	Path    string
	Message string
	Warning bool
	// Offset is the byte of the file at which the field begins.
	Offset int64
}

// Skeleton is a model whose long payloads stayed in the file.
type Skeleton struct {
	Model    *ModelProto
	Findings []Finding

	source   io.ReaderAt
	payloads map[proto.Message]Region
}

// ReadSkeleton reads the model in the first size bytes of r, without its payloads.
func ReadSkeleton(r io.ReaderAt, size int64) (*Skeleton, error) {
	panic("not yet written")
}

// Payload tells where the raw_data of m lies in the file, if it was left there.
// m is a *TensorProto or *StructProto of the skeleton.
func (s *Skeleton) Payload(m proto.Message) (Region, bool) {
	region, ok := s.payloads[m]
	return region, ok
}

// Write writes the model.
func (s *Skeleton) Write(w io.Writer) error { panic("not yet written") }
