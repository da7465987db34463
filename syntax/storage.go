// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"errors"
	"fmt"
	"math/bits"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// storageOf says how a tensor's data is written.
func storageOf(t *onnxpb.TensorProto) (*storage, error) {
	fields := storageFields(t)
	external := t.GetDataLocation() == onnxpb.TensorProto_EXTERNAL
	switch {
	case t.GetSegment() != nil:
		return nil, errors.New("the text form has no segments")
	case len(fields) > 1:
		return nil, fmt.Errorf("data in %s and %s", fields[0], fields[1])
	case !external && t.GetDataLocation() != onnxpb.TensorProto_DEFAULT:
		return nil, fmt.Errorf("unknown data_location %d", t.GetDataLocation())
	case external && len(fields) == 1 && fields[0] != "external_data":
		return nil, fmt.Errorf("data in %s, and data_location EXTERNAL", fields[0])
	case external:
		return &storage{external: append([]*onnxpb.StringStringEntryProto{}, t.GetExternalData()...)}, nil
	case len(fields) == 1 && fields[0] == "external_data":
		return nil, errors.New("external_data without data_location EXTERNAL")
	case len(fields) == 1 && fields[0] != "raw_data":
		return typedStorage(t)
	default:
		return rawStorage(t), nil
	}
}

// storageFields lists the fields with data.
func storageFields(t *onnxpb.TensorProto) []string {
	var fields []string
	for _, f := range []struct {
		name string
		n    int
	}{
		{"raw_data", len(t.GetRawData())},
		{"float_data", len(t.GetFloatData())},
		{"int32_data", len(t.GetInt32Data())},
		{"string_data", len(t.GetStringData())},
		{"int64_data", len(t.GetInt64Data())},
		{"double_data", len(t.GetDoubleData())},
		{"uint64_data", len(t.GetUint64Data())},
		{"external_data", len(t.GetExternalData())},
	} {
		if f.n > 0 {
			fields = append(fields, f.name)
		}
	}
	return fields
}

// typedStorage normalises the other storage fields to raw_data.
func typedStorage(t *onnxpb.TensorProto) (*storage, error) {
	c, err := tensor.FromProto(t)
	if err != nil {
		return nil, err
	}
	return &storage{typ: c.Type(), raw: c.Bytes(), strings: c.Strings(), n: uint64(c.Len())}, nil
}

// rawStorage takes raw_data as values if that is the same, otherwise as bytes.
func rawStorage(t *onnxpb.TensorProto) *storage {
	typ, raw := tensor.Type(t.GetDataType()), t.GetRawData()
	n, ok := count(t.GetDims())
	if typ.Valid() && ok && n == 0 && len(raw) == 0 {
		return &storage{typ: typ}
	}
	hi, size := bits.Mul64(n, typ.Bits())
	if !ok || hi != 0 || typ.Bits() == 0 || uint64(len(raw)) != size/8+(size%8+7)/8 || padded(raw, size) {
		return &storage{bytes: append([]byte{}, raw...)}
	}
	return &storage{typ: typ, raw: raw, n: n}
}

// padded reports whether a bit after the first size bits is set.
func padded(raw []byte, size uint64) bool {
	return size%8 != 0 && raw[len(raw)-1]>>(size%8) != 0
}

// sparse writes a sparse tensor.
func (p *printer) sparse(s *onnxpb.SparseTensorProto) {
	p.str("sparse_tensor[")
	p.sequence("", "](", len(s.GetDims()), func(i int) { p.int(s.GetDims()[i]) })
	if s.GetValues() != nil {
		p.tensor(s.GetValues())
	}
	p.str(", ")
	if s.GetIndices() != nil {
		p.tensor(s.GetIndices())
	}
	p.str(")")
}

// structValue writes a structured value.
func (p *printer) structValue(s *onnxpb.StructProto) {
	p.doc(s.GetDocString())
	d := s.GetStructType()
	_, reference := d.GetKind().(*onnxpb.StructTypeProto_TypeIndex)
	switch {
	case d == nil:
		p.reference(s.GetType())
	case reference:
		p.inline(d)
	default:
		p.structType(d)
	}
	p.str(" ")
	p.quotable(s.GetName())
	p.str(" = ")
	if d != nil && s.GetType() != -1 {
		p.str("<type: ")
		p.int(int64(s.GetType()))
		p.str("> ")
	}
	if len(s.GetRawData()) > 0 || len(s.GetExternalData()) == 0 {
		p.hex(s.GetRawData())
		if len(s.GetExternalData()) > 0 {
			p.str(" ")
		}
	}
	if len(s.GetExternalData()) > 0 {
		p.pairs(s.GetExternalData())
	}
}

// sayable finds what the text form has no words for.
func sayable(m *onnxpb.ModelProto) error {
	switch {
	case len(m.GetTrainingInfo()) > 0:
		return errors.New("the text form has no training_info")
	case len(m.GetConfiguration()) > 0:
		return errors.New("the text form has no device configurations")
	}
	return unknownFields(m.ProtoReflect(), 0)
}

// unknownFields finds a field that the messages do not declare, and the few declared ones
// that the text form leaves out.
func unknownFields(m protoreflect.Message, depth int) error {
	if len(m.GetUnknown()) > 0 {
		return fmt.Errorf("%s: the text form has no unknown fields", m.Descriptor().Name())
	}
	if depth > 8*maxDepth {
		return errors.New("messages nest too deeply")
	}
	var err error
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Name() == "quantization_annotation" || f.Name() == "device_configurations":
			err = errors.New("the text form leaves it out")
		case f.Message() == nil:
		case f.IsList():
			list := v.List()
			for i := 0; i < list.Len() && err == nil; i++ {
				err = unknownFields(list.Get(i).Message(), depth+1)
			}
		default:
			err = unknownFields(v.Message(), depth+1)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", f.Name(), err)
		}
		return err == nil
	})
	return err
}
