// SPDX-License-Identifier: Apache-2.0

package onnxpb

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// dialect is the number of the field by which onnx-light's later and
// incompatible form of structured types is known (SV056).
const dialect protowire.Number = 1000

// describe finds the descriptor of field f of a message, nil for an unknown
// field, and checks that the wire type is one that the field may have.
func (d *decoder) describe(in protoreflect.MessageDescriptor, f field) (protoreflect.FieldDescriptor, error) {
	if f.wire == protowire.EndGroupType {
		return nil, d.wrong(in, f, "the end of a group found where none began")
	}
	desc := in.Fields().ByNumber(f.number)
	if desc == nil {
		d.checkDialect(in, f)
		return nil, nil
	}
	if !agrees(desc, f.wire) {
		return nil, d.wrong(in, f, "wire type %d (%s) expected, %d found", wireType(desc.Kind()), desc.Kind(), f.wire)
	}
	return desc, nil
}

// agrees tells whether a field may have a wire type: that of its kind, or for a
// list of numbers the packed form.
func agrees(desc protoreflect.FieldDescriptor, wire protowire.Type) bool {
	return wire == wireType(desc.Kind()) || wire == protowire.BytesType && desc.IsList()
}

// wireType is the wire type of a value of a kind that the schema uses.
func wireType(kind protoreflect.Kind) protowire.Type {
	switch kind {
	case protoreflect.FloatKind:
		return protowire.Fixed32Type
	case protoreflect.DoubleKind:
		return protowire.Fixed64Type
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.BytesType
	}
	return protowire.VarintType
}

func (d *decoder) checkDialect(in protoreflect.MessageDescriptor, f field) {
	if f.number != dialect {
		return
	}
	switch in.Name() {
	case "ModelProto", "GraphProto", "TypeProto":
		d.findings = append(d.findings, Finding{
			Rule:    "SV056",
			Path:    d.pathTo(in, f.number),
			Message: fmt.Sprintf("field %d of %s: onnx-light dialect, not read", f.number, in.Name()),
			Offset:  f.begin,
		})
	}
}

// oneof is what was seen of a message's oneof; no message of the schema has two.
type oneof struct {
	first    protoreflect.FieldDescriptor
	reported bool
}

// checkOneof reports a member of a oneof of m that follows another member, once
// a message.
func (d *decoder) checkOneof(o *oneof, desc protoreflect.FieldDescriptor, m protoreflect.Message, f field) {
	if o.first == nil {
		// A message that comes twice is merged: its first half may hold a member.
		o.first = m.WhichOneof(desc.ContainingOneof())
	}
	if o.first == nil {
		o.first = desc
	}
	if o.first == desc || o.reported {
		return
	}
	o.reported = true
	path := d.pathTo(nil, 0) + "." + string(desc.ContainingOneof().Name())
	d.findings = append(d.findings, Finding{
		Rule:    "SV000",
		Path:    strings.TrimPrefix(path, "."),
		Message: fmt.Sprintf("both %s and %s are on the wire; the last one wins", o.first.Name(), desc.Name()),
		Warning: true,
		Offset:  f.begin,
	})
}
