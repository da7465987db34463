// SPDX-License-Identifier: Apache-2.0

package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/structview/structview/tensor"
)

// Write writes t as a .npy file of version 1.0, little-endian and in C order, byte
// for byte as NumPy writes it.
//
// Element types that NumPy lacks are widened, without loss: BFLOAT16 and the
// 8- and 4-bit floats to float32, 4- and 2-bit integers to int8 or uint8. STRING
// tensors are an error: NumPy pickles them.
func Write(w io.Writer, t *tensor.Tensor) error {
	t, err := widened(t)
	if err != nil {
		return err
	}
	if err := WriteHeader(w, t.Type(), t.Dims()); err != nil {
		return err
	}
	_, err = w.Write(t.Bytes())
	return err
}

// Has reports whether NumPy has an element type, so that Write does not widen it.
func Has(typ tensor.Type) bool { return descrs[typ] != "" }

// WriteHeader writes everything before the elements, for a caller that writes them
// piece by piece as raw_data holds them. The type is one that NumPy has, no BOOL
// but 0 and 1 among the elements.
func WriteHeader(w io.Writer, typ tensor.Type, shape []int64) error {
	head, err := preamble(typ, shape)
	if err != nil {
		return err
	}
	_, err = w.Write(head)
	return err
}

// widened returns t in an element type that NumPy has.
func widened(t *tensor.Tensor) (*tensor.Tensor, error) {
	switch typ := t.Type(); {
	case typ == tensor.Bool:
		return normalized(t)
	case descrs[typ] != "":
		return t, nil
	case typ.IsFloat():
		v, err := tensor.Float32s(t)
		if err != nil {
			return nil, err
		}
		return tensor.FromSlice(tensor.Float, t.Dims(), v)
	case typ.IsInteger() && typ.IsSigned():
		return tensor.FromSlice(tensor.Int8, t.Dims(), tensor.UnpackInt8(t))
	case typ.IsInteger():
		return tensor.FromSlice(tensor.Uint8, t.Dims(), tensor.Unpack(t))
	}
	return nil, fmt.Errorf("an element type that NumPy has expected, %v found", t.Type())
}

// normalized makes every byte 0 or 1: NumPy reads no other booleans, ONNX does.
func normalized(t *tensor.Tensor) (*tensor.Tensor, error) {
	data := make([]byte, len(t.Bytes()))
	for i, b := range t.Bytes() {
		if b != 0 {
			data[i] = 1
		}
	}
	return tensor.New(tensor.Bool, t.Dims(), data)
}

// descrs are the dtypes as headers write them.
var descrs = map[tensor.Type]string{
	tensor.Bool: "|b1", tensor.Int8: "|i1", tensor.Uint8: "|u1",
	tensor.Int16: "<i2", tensor.Int32: "<i4", tensor.Int64: "<i8",
	tensor.Uint16: "<u2", tensor.Uint32: "<u4", tensor.Uint64: "<u8",
	tensor.Float16: "<f2", tensor.Float: "<f4", tensor.Double: "<f8",
	tensor.Complex64: "<c8", tensor.Complex128: "<c16",
}

const (
	// alignment is what the elements' offset is a multiple of.
	alignment = 64
	// growth is the number of digits for which NumPy leaves room in the first
	// dimension, so that an array can be extended in place.
	growth = 21
)

// preamble returns everything before the elements.
func preamble(typ tensor.Type, extents []int64) ([]byte, error) {
	if descrs[typ] == "" {
		return nil, fmt.Errorf("an element type that NumPy has expected, %v found", typ)
	}
	dims := make([]string, len(extents))
	for i, d := range extents {
		dims[i] = strconv.FormatInt(d, 10)
	}
	shape := "(" + strings.Join(dims, ", ") + ")"
	if len(dims) == 1 {
		shape = "(" + dims[0] + ",)"
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descrs[typ], shape)
	if len(dims) > 0 {
		text += strings.Repeat(" ", growth-len(dims[0]))
	}
	const fixed = len(magic) + 2 + 2
	text += strings.Repeat(" ", alignment-(fixed+len(text)+1)%alignment) + "\n"
	if len(text) > math.MaxUint16 {
		return nil, fmt.Errorf("a header of at most %d bytes expected, %d dimensions need %d", math.MaxUint16, len(dims), len(text))
	}
	b := append([]byte(magic), 1, 0)
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(text))), text...), nil
}
