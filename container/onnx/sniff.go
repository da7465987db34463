// SPDX-License-Identifier: Apache-2.0

package onnx

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/structview/structview/onnxpb"
)

// anchors are the fields one of which every model has: ir_version, graph,
// opset_import, functions and struct_types.
var anchors = [...]protowire.Number{1, 7, 8, 25, 1100}

const (
	// newest is a number above any that a newer ONNX may add: a field with a
	// larger number is no model's.
	newest = 1 << 11
	// sniffDepth is how far down messages are looked into.
	sniffDepth = 4
)

// Sniff tells whether head begins like a model. The format has no magic number:
// the first field must be one that models have, all that follow must be known or
// at least possible, down into the messages, and one must be an anchor.
func (Format) Sniff(head []byte) bool {
	s := sniffer{depth: sniffDepth}
	return s.message((&onnxpb.ModelProto{}).ProtoReflect().Descriptor(), head) && s.anchored
}

type sniffer struct {
	depth    int
	anchored bool
}

// message tells whether b, which may be cut off anywhere, can be a message's
// beginning.
func (s *sniffer) message(in protoreflect.MessageDescriptor, b []byte) bool {
	for first := true; len(b) > 0; first = false {
		number, wire, n := protowire.ConsumeTag(b)
		if n < 0 {
			return isCut(n)
		}
		desc := in.Fields().ByNumber(number)
		if desc == nil && (first || number > newest || wire == protowire.StartGroupType) || wire == protowire.EndGroupType {
			return false
		}
		if desc != nil && !fits(desc, wire) {
			return false
		}
		value := b[n:]
		size := protowire.ConsumeFieldValue(number, wire, value)
		if size < 0 && !isCut(size) {
			return false
		}
		if desc != nil && desc.Kind() == protoreflect.MessageKind && !s.below(desc.Message(), value, size) {
			return false
		}
		if s.depth == sniffDepth && s.isAnchor(number, value) {
			s.anchored = true
		}
		if size < 0 {
			return true
		}
		b = value[size:]
	}
	return true
}

// isCut tells an end of the bytes from a fault in them.
func isCut(n int) bool { return protowire.ParseError(n) == protowire.ParseError(-1) }

// below looks into the message whose length stands at the beginning of value.
func (s *sniffer) below(in protoreflect.MessageDescriptor, value []byte, size int) bool {
	_, n := protowire.ConsumeVarint(value)
	if n < 0 || s.depth == 1 {
		return true
	}
	if size < 0 {
		size = len(value)
	}
	s.depth--
	defer func() { s.depth++ }()
	return s.message(in, value[n:size])
}

// isAnchor tells an anchor: a version that models have, or a message of which
// something is there.
func (s *sniffer) isAnchor(number protowire.Number, value []byte) bool {
	for _, a := range anchors {
		if number != a {
			continue
		}
		v, n := protowire.ConsumeVarint(value)
		if number == 1 {
			return n > 0 && v >= 1 && v < 1000
		}
		return n > 0 && v > 0 && len(value) > n
	}
	return false
}

// fits tells whether a known field may have a wire type.
func fits(desc protoreflect.FieldDescriptor, wire protowire.Type) bool {
	switch desc.Kind() {
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return wire == protowire.BytesType
	case protoreflect.FloatKind:
		return wire == protowire.Fixed32Type || desc.IsList() && wire == protowire.BytesType
	case protoreflect.DoubleKind:
		return wire == protowire.Fixed64Type || desc.IsList() && wire == protowire.BytesType
	}
	return wire == protowire.VarintType || desc.IsList() && wire == protowire.BytesType
}
