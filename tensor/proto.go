// SPDX-License-Identifier: Apache-2.0

package tensor

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/structview/structview/onnxpb"
)

// field is a storage field of TensorProto.
type field uint8

const (
	floatData field = iota
	int32Data
	stringData
	int64Data
	doubleData
	uint64Data
	rawData
	fieldCount
)

var fieldNames = [fieldCount]string{"float_data", "int32_data", "string_data", "int64_data", "double_data", "uint64_data", "raw_data"}

// fieldOf returns the typed field that ONNX prescribes for t's elements.
func fieldOf(t Type) field {
	switch t {
	case Float, Complex64:
		return floatData
	case Double, Complex128:
		return doubleData
	case Int64:
		return int64Data
	case Uint32, Uint64:
		return uint64Data
	case String:
		return stringData
	default:
		return int32Data
	}
}

// lengths returns the entries in each field, bytes of raw_data.
func lengths(p *onnxpb.TensorProto) [fieldCount]int {
	return [fieldCount]int{
		floatData: len(p.FloatData), int32Data: len(p.Int32Data), stringData: len(p.StringData), int64Data: len(p.Int64Data),
		doubleData: len(p.DoubleData), uint64Data: len(p.Uint64Data), rawData: len(p.RawData),
	}
}

// FromProto returns the tensor that p holds in raw_data or in the field that ONNX
// prescribes for its type. raw_data and string_data are shared with p, not copied: p
// must not be changed afterwards.
//
// The data must be in the message and match dims exactly (SV015): EXTERNAL data,
// segment, data in two fields or in a field of another type, and a wrong count are
// errors. Entries of int32_data for types below 32 bits hold the element's bits and
// may be written signed or unsigned (-2^(w-1) to 2^w-1); for 4- and 2-bit types they
// hold one byte of the packed data each.
func FromProto(p *onnxpb.TensorProto) (*Tensor, error) {
	t := Type(p.GetDataType())
	if err := checkStorage(p, t); err != nil {
		return nil, err
	}
	if t == String {
		return NewStrings(p.Dims, p.StringData)
	}
	n, size, err := sizes(t, p.Dims)
	if err != nil {
		return nil, err
	}
	source := rawData
	want, unit := size, "bytes"
	if len(p.RawData) == 0 {
		source = fieldOf(t)
		want, unit = entries(t, n, size), "entries"
	}
	if got := lengths(p)[source]; uint64(got) != want {
		if got == 0 {
			return nil, fmt.Errorf("tensor: %v%s without data (%d bytes of raw_data or %d entries of %s expected)",
				t, dimsText(p.Dims), size, want, fieldNames[source])
		}
		return nil, fmt.Errorf("tensor: %v%s with %d %s of %s (%d expected)", t, dimsText(p.Dims), got, unit, fieldNames[source], want)
	}
	if source == rawData {
		return New(t, p.Dims, p.RawData)
	}
	data, err := packField(p, t, int(size))
	if err != nil {
		return nil, err
	}
	return New(t, p.Dims, data)
}

// checkStorage refuses data that is elsewhere, of no type, or in more than one place.
func checkStorage(p *onnxpb.TensorProto, t Type) error {
	switch {
	case !t.Valid():
		return fmt.Errorf("tensor: data_type %d is no element type (1 to %d expected)", p.GetDataType(), len(types)-1)
	case p.DataLocation == onnxpb.TensorProto_EXTERNAL || len(p.ExternalData) > 0:
		return fmt.Errorf("tensor: data is EXTERNAL (data in the message expected)")
	case p.Segment != nil:
		return fmt.Errorf("tensor: segment is set (whole tensors expected)")
	}
	own, used := fieldOf(t), rawData
	if t == String || len(p.RawData) == 0 {
		used = own
	}
	for f, n := range lengths(p) {
		if n > 0 && field(f) != used {
			return fmt.Errorf("tensor: %v data in %s (%s or raw_data alone expected)", t, fieldNames[f], fieldNames[own])
		}
	}
	return nil
}

// entries returns how many entries the typed field of n elements has.
func entries(t Type, n int64, size uint64) uint64 {
	switch {
	case t.IsComplex():
		return 2 * uint64(n)
	case t.Bits() < 8:
		return size
	default:
		return uint64(n)
	}
}

// packField returns the typed field's entries as raw_data would hold them.
func packField(p *onnxpb.TensorProto, t Type, size int) ([]byte, error) {
	data := make([]byte, 0, size)
	switch fieldOf(t) {
	case floatData:
		for _, v := range p.FloatData {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
	case doubleData:
		for _, v := range p.DoubleData {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
	case int64Data:
		for _, v := range p.Int64Data {
			data = binary.LittleEndian.AppendUint64(data, uint64(v))
		}
	case uint64Data:
		return packUint64(data, p.Uint64Data, t)
	default:
		return packInt32(data, p.Int32Data, t)
	}
	return data, nil
}

func packUint64(data []byte, entries []uint64, t Type) ([]byte, error) {
	for i, v := range entries {
		switch {
		case t == Uint64:
			data = binary.LittleEndian.AppendUint64(data, v)
		case v > math.MaxUint32:
			return nil, fmt.Errorf("tensor: uint64_data[%d] is %d (0 to %d expected for %v)", i, v, uint32(math.MaxUint32), t)
		default:
			data = binary.LittleEndian.AppendUint32(data, uint32(v))
		}
	}
	return data, nil
}

func packInt32(data []byte, entries []int32, t Type) ([]byte, error) {
	width := max(t.Bits(), 8)
	low, high := -int64(1)<<(width-1), int64(1)<<width-1
	for i, v := range entries {
		if int64(v) < low || int64(v) > high {
			return nil, fmt.Errorf("tensor: int32_data[%d] is %d (%d to %d expected for %v)", i, v, low, high, t)
		}
		switch width {
		case 8:
			data = append(data, byte(v))
		case 16:
			data = binary.LittleEndian.AppendUint16(data, uint16(v))
		default:
			data = binary.LittleEndian.AppendUint32(data, uint32(v))
		}
	}
	return data, nil
}

// Proto returns t as a message, in raw_data (string_data for STRING), which it shares
// with t: read only.
func (t *Tensor) Proto(name string) *onnxpb.TensorProto {
	return &onnxpb.TensorProto{
		Name: name, DataType: int32(t.typ), Dims: cloneDims(t.dims), RawData: t.data, StringData: t.strings,
	}
}
