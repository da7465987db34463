// SPDX-License-Identifier: Apache-2.0

package onnxpb

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"
)

// randomModel draws a model with any field set, unknown fields, and raw_data on
// both sides of the limit.
func randomModel(t *rapid.T) *ModelProto {
	m := &ModelProto{}
	fill(t, m.ProtoReflect(), 7)
	return m
}

func fill(t *rapid.T, m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	count := rapid.IntRange(0, 4).Draw(t, "fields")
	for range count {
		fd := fields.Get(rapid.IntRange(0, fields.Len()-1).Draw(t, "field"))
		switch {
		case fd.Kind() == protoreflect.MessageKind && depth == 0:
		case fd.IsList():
			list := m.Mutable(fd).List()
			for range rapid.IntRange(0, 3).Draw(t, "length") {
				if fd.Kind() == protoreflect.MessageKind {
					fill(t, list.AppendMutable().Message(), depth-1)
				} else {
					list.Append(scalar(t, fd))
				}
			}
		case fd.Kind() == protoreflect.MessageKind:
			fill(t, m.Mutable(fd).Message(), depth-1)
		default:
			m.Set(fd, scalar(t, fd))
		}
	}
	if rapid.IntRange(0, 9).Draw(t, "unknown") == 0 {
		b := protowire.AppendTag(m.GetUnknown(), 9999, protowire.StartGroupType)
		b = protowire.AppendTag(b, 3, protowire.VarintType)
		b = protowire.AppendVarint(b, rapid.Uint64().Draw(t, "value"))
		m.SetUnknown(protowire.AppendTag(b, 9999, protowire.EndGroupType))
	}
}

func scalar(t *rapid.T, fd protoreflect.FieldDescriptor) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(rapid.StringN(0, 9, 9).Draw(t, "string"))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(randomBytes(t))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(rapid.Float32().Draw(t, "float"))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(rapid.Float64().Draw(t, "double"))
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(rapid.Int32().Draw(t, "int32"))
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(rapid.Int64().Draw(t, "int64"))
	case protoreflect.Uint32Kind:
		return protoreflect.ValueOfUint32(rapid.Uint32().Draw(t, "uint32"))
	case protoreflect.Uint64Kind:
		return protoreflect.ValueOfUint64(rapid.Uint64().Draw(t, "uint64"))
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(rapid.Int32().Draw(t, "enum")))
	}
	panic("the schema has no field of kind " + fd.Kind().String())
}

func randomBytes(t *rapid.T) []byte {
	n := rapid.SampledFrom([]int{0, 1, LongPayload - 1, LongPayload, LongPayload + 1, 5 * LongPayload}).Draw(t, "length")
	first := rapid.Byte().Draw(t, "first")
	b := make([]byte, n)
	for i := range b {
		b[i] = first + byte(i) + byte(i>>8)
	}
	return b
}

// visit calls f for m and every message below it.
func visit(m protoreflect.Message, f func(proto.Message)) {
	f(m.Interface())
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.Kind() != protoreflect.MessageKind:
		case fd.IsList():
			for i := range v.List().Len() {
				visit(v.List().Get(i).Message(), f)
			}
		default:
			visit(v.Message(), f)
		}
		return true
	})
}
