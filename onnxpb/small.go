// SPDX-License-Identifier: Apache-2.0

package onnxpb

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// small reads the message in field f, which is too short for a payload to stay in
// the file, into the empty message m in one go, as long as there is nothing to
// report in it. done is false if there may be: then m is still empty.
func (d *decoder) small(m protoreflect.Message, f field) (done bool, err error) {
	b, err := d.view(f.value, int(f.end-f.value))
	if err != nil || !sound(m.Descriptor(), b, maxDepth-1-len(d.path)) {
		return false, err
	}
	if (proto.UnmarshalOptions{Merge: true}).Unmarshal(b, m.Interface()) != nil {
		proto.Reset(m.Interface())
		return false, nil
	}
	return true, nil
}

// sound tells whether a message and all below it, at most depth levels, are as
// the wire demands and give rise to no finding. What it does not look into, such
// as groups, is not sound.
func sound(in protoreflect.MessageDescriptor, b []byte, depth int) bool {
	var member protoreflect.FieldDescriptor // of the oneof
	var seen uint64                         // singular messages, by index: two are merged
	for len(b) > 0 && depth >= 0 {
		number, wire, n := protowire.ConsumeTag(b)
		if n < 0 || wire == protowire.StartGroupType || wire == protowire.EndGroupType {
			return false
		}
		size := protowire.ConsumeFieldValue(number, wire, b[n:])
		if size < 0 {
			return false
		}
		value := b[n : n+size]
		b = b[n+size:]
		desc := in.Fields().ByNumber(number)
		if desc == nil && number != dialect {
			continue
		}
		if desc == nil || !agrees(desc, wire) {
			return false
		}
		if desc.ContainingOneof() != nil {
			if member != nil && member != desc {
				return false
			}
			member = desc
		}
		if desc.Kind() == protoreflect.MessageKind {
			bit := uint64(1) << desc.Index()
			if !desc.IsList() && seen&bit != 0 {
				return false
			}
			seen |= bit
			below, _ := protowire.ConsumeBytes(value)
			if !sound(desc.Message(), below, depth-1) {
				return false
			}
		}
	}
	return depth >= 0
}
