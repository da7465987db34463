// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"fmt"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
)

// Value is a structured value in memory: what eval carries, without looking into it, from a
// struct_initializer or an Encode node to a Decode node.
type Value struct {
	Type    *structview.Type
	Payload []byte // exactly the type's size; read only
}

// values makes the structured values of a model.
type values struct {
	declarations *structview.Declarations
	payload      func(*onnxpb.StructProto) ([]byte, error)
}

// at returns a declaration; an index may come from an attribute.
func (s *values) at(i int64) (*structview.Type, error) {
	if n := s.declarations.Len(); i < 0 || i >= int64(n) {
		return nil, fmt.Errorf("type_index %d names none of the model's %d declarations", i, n)
	}
	return s.declarations.At(int(i))
}

func (s *values) value(p *onnxpb.StructProto) (*Value, error) {
	t, err := s.declarations.TypeOf(p)
	if err != nil {
		return nil, err
	}
	data, err := s.payload(p)
	if err != nil {
		return nil, err
	}
	if _, err := structview.NewView(t, data); err != nil {
		return nil, err
	}
	return &Value{t, data}, nil
}

// inline is the payload of a value that is whole in its message.
func inline(p *onnxpb.StructProto) ([]byte, error) {
	if len(p.GetExternalData()) > 0 {
		return nil, fmt.Errorf("the payload is external data, and no reader of it was given")
	}
	return p.GetRawData(), nil
}
