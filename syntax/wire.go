// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"encoding/hex"
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// What the grammar has no words for is kept as wire bytes, in the property "wire" of the message: unknown fields
// and the few fields below. Messages that are not listed have no properties.
var wireFields = map[protoreflect.Name][]protoreflect.Name{
	"ModelProto":      {"training_info", "configuration"},
	"GraphProto":      {"quantization_annotation"},
	"NodeProto":       {"device_configurations"},
	"TensorProto":     {"segment"},
	"FunctionProto":   nil,
	"ValueInfoProto":  nil,
	"StructTypeProto": nil,
	"StructProto":     nil,
}

// onWire reports whether a field of a message is kept as wire bytes.
func onWire(m protoreflect.Message, f protoreflect.FieldDescriptor) bool {
	for _, name := range wireFields[m.Descriptor().Name()] {
		if name == f.Name() {
			return true
		}
	}
	return false
}

// remainder returns the wire bytes of what the grammar has no words for.
func remainder(m proto.Message) ([]byte, error) {
	from := m.ProtoReflect()
	rest := from.New()
	for _, name := range wireFields[from.Descriptor().Name()] {
		f := from.Descriptor().Fields().ByName(name)
		if from.Has(f) {
			rest.Set(f, from.Get(f))
		}
	}
	rest.SetUnknown(from.GetUnknown())
	return proto.MarshalOptions{Deterministic: true}.Marshal(rest.Interface())
}

// wire reads the property and adds what it holds to a message.
func (p *parser) wire(to proto.Message) {
	t := p.tok
	data, err := hex.DecodeString(p.string("wire bytes in hexadecimal, in quotes"))
	if p.err != nil {
		return
	}
	rest := to.ProtoReflect().New()
	if err == nil {
		err = proto.Unmarshal(data, rest.Interface())
	}
	rest.Range(func(f protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		if !onWire(rest, f) {
			err = fmt.Errorf("%s can be written otherwise", f.Name())
		}
		return err == nil
	})
	if err != nil {
		p.failAt(t, "wire bytes in hexadecimal of fields that the grammar has no words for ("+err.Error()+")")
		return
	}
	proto.Merge(to, rest.Interface())
}

// sayable finds what the text form cannot say: unknown fields of messages without properties.
func sayable(m protoreflect.Message, depth int) error {
	_, properties := wireFields[m.Descriptor().Name()]
	if len(m.GetUnknown()) > 0 && !properties {
		return fmt.Errorf("%s has unknown fields", m.Descriptor().Name())
	}
	if depth > 8*maxDepth {
		return errors.New("messages nest too deeply")
	}
	var err error
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Message() == nil || onWire(m, f):
		case f.IsList():
			list := v.List()
			for i := 0; i < list.Len() && err == nil; i++ {
				err = sayable(list.Get(i).Message(), depth+1)
			}
		default:
			err = sayable(v.Message(), depth+1)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", f.Name(), err)
		}
		return err == nil
	})
	return err
}
