// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
)

// eachPayload visits the values of the main graph, whose payloads an import moves.
func eachPayload(m *onnxpb.ModelProto, visit func(proto.Message) error) error {
	for _, t := range m.GetGraph().GetInitializer() {
		if err := visit(t); err != nil {
			return err
		}
	}
	for _, v := range m.GetGraph().GetStructInitializer() {
		if err := visit(v); err != nil {
			return err
		}
	}
	return nil
}

// setExternal makes a value's payload a range of a file.
func setExternal(m proto.Message, location string, offset, length int64) {
	data := []*onnxpb.StringStringEntryProto{
		{Key: "location", Value: location},
		{Key: "offset", Value: strconv.FormatInt(offset, 10)},
		{Key: "length", Value: strconv.FormatInt(length, 10)},
	}
	switch v := m.(type) {
	case *onnxpb.TensorProto:
		v.RawData, v.ExternalData, v.DataLocation = nil, data, onnxpb.TensorProto_EXTERNAL
	case *onnxpb.StructProto:
		v.RawData, v.ExternalData = nil, data
	}
}

// setInline makes a value's payload part of the message.
func setInline(m proto.Message, data []byte) {
	switch v := m.(type) {
	case *onnxpb.TensorProto:
		v.RawData, v.ExternalData, v.DataLocation = data, nil, onnxpb.TensorProto_DEFAULT
	case *onnxpb.StructProto:
		v.RawData, v.ExternalData = data, nil
	}
}
