// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// storageOf says how a tensor's data is written.
func storageOf(t *onnxpb.TensorProto) (*storage, error) {
	fields := storageFields(t)
	external := t.GetDataLocation() == onnxpb.TensorProto_EXTERNAL
	switch {
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
		return rawStorage(t, t.GetRawData()), nil
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
	data := &onnxpb.TensorProto{
		DataType: t.GetDataType(), Dims: t.GetDims(), FloatData: t.GetFloatData(), Int32Data: t.GetInt32Data(),
		StringData: t.GetStringData(), Int64Data: t.GetInt64Data(), DoubleData: t.GetDoubleData(), Uint64Data: t.GetUint64Data(),
	}
	c, err := tensor.FromProto(data)
	if err != nil {
		return nil, err
	}
	return &storage{typ: c.Type(), raw: c.Bytes(), strings: c.Strings(), n: uint64(c.Len())}, nil
}

// rawStorage takes bytes of raw_data as values if that is the same, otherwise as bytes.
func rawStorage(t *onnxpb.TensorProto, raw []byte) *storage {
	typ := tensor.Type(t.GetDataType())
	n, ok := count(t.GetDims())
	if typ.Valid() && ok && n == 0 && len(raw) == 0 {
		return &storage{typ: typ}
	}
	hi, size := bits.Mul64(n, typ.Bits())
	if !ok || hi != 0 || typ.Bits() == 0 || uint64(len(raw)) != size/8+(size%8+7)/8 || padded(raw, size) {
		return &storage{bytes: raw[:len(raw):len(raw)], asBytes: true}
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
	p.lead(s, s.GetDocString())
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
	var own []property
	if d != nil && s.GetType() != -1 {
		own = append(own, property{"type", func() { p.int(int64(s.GetType())) }})
	}
	if list := p.properties(s, "", nil, own...); len(list) > 0 {
		p.propertyList(list)
		p.str(" ")
	}
	raw, ok := p.payload(s)
	if !ok {
		raw = s.GetRawData()
	}
	if len(raw) > 0 || len(s.GetExternalData()) == 0 {
		p.hex(raw)
		if len(s.GetExternalData()) > 0 {
			p.str(" ")
		}
	}
	if len(s.GetExternalData()) > 0 {
		p.pairs(s.GetExternalData())
	}
}
