// SPDX-License-Identifier: Apache-2.0

package gguf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// KeyValue is a metadata entry to write. Value is of one of the types that [Header.Value] returns: a sized number, bool, string,
// or a slice of one of those; an empty slice keeps its element type.
type KeyValue struct {
	Key   string
	Value any
}

// TensorData is a tensor to write.
type TensorData struct {
	Name string
	NE   []uint64 // the fastest-varying dimension first; trailing dimensions of 1 are dropped
	Type Type
	// WriteTo writes the tensor's bytes: exactly as many as type and dimensions demand.
	WriteTo func(io.Writer) error
}

// Content is what a file holds.
type Content struct {
	Version  uint32 // 2 or 3; 0 is 3
	Metadata []KeyValue
	Tensors  []TensorData
}

// Write writes a file, byte for byte as ggml's writer does: metadata and tensors in the given order, each tensor
// at the next multiple of general.alignment (32 if that is not given), zeros between and behind them. Content that
// [ReadHeader] would refuse is refused before anything is written, errors being of type [*Error] with the offset
// in the file that would have been.
func Write(w io.Writer, c Content) error {
	header, data, err := encodeHeader(c)
	if err != nil {
		return err
	}
	h, err := ReadHeader(data, data.size)
	if err != nil {
		return err
	}
	out := &counter{w: w}
	if _, err := out.Write(header); err != nil {
		return err
	}
	if err := out.pad(roundUp(h.End, h.Alignment)); err != nil {
		return err
	}
	for i := range h.Tensors {
		t := &h.Tensors[i]
		if err := out.payload(t, c.Tensors[i].WriteTo); err != nil {
			return err
		}
		if err := out.pad(roundUp(out.n, h.Alignment)); err != nil {
			return err
		}
	}
	return nil
}

// encodeHeader returns a header's bytes, and a view of the file to be in which only those are real.
func encodeHeader(c Content) ([]byte, headerOnly, error) {
	version, alignment := c.Version, uint32(defaultAlignment)
	if version == 0 {
		version = 3
	}
	b := binary.LittleEndian.AppendUint32([]byte(magic), version)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(c.Tensors)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(c.Metadata)))
	for _, kv := range c.Metadata {
		var err error
		if b, err = appendValue(appendString(b, kv.Key), kv.Value); err != nil {
			return nil, headerOnly{}, fmt.Errorf("gguf: key %q: %w", kv.Key, err)
		}
		if v, ok := kv.Value.(uint32); ok && kv.Key == alignmentKey && v&(v-1) == 0 && v != 0 {
			alignment = v
		}
	}
	b, data, err := appendInfos(b, c.Tensors, alignment)
	return b, headerOnly{b, roundUp(int64(len(b)), alignment) + data}, err
}

// appendInfos appends the tensor infos, and returns the size of the data section.
func appendInfos(b []byte, tensors []TensorData, alignment uint32) ([]byte, int64, error) {
	offset := uint64(0)
	for _, t := range tensors {
		ne := trimmed(t.NE)
		b = binary.LittleEndian.AppendUint32(appendString(b, t.Name), uint32(len(ne)))
		for _, n := range ne {
			b = binary.LittleEndian.AppendUint64(b, n)
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(t.Type))
		b = binary.LittleEndian.AppendUint64(b, offset)
		probe := Tensor{NE: ne, Type: t.Type}
		if err := extent(&probe, 0, 0); err == nil { // else the header is refused when it is read back
			offset += probe.Size + -probe.Size%uint64(alignment)
		}
		if offset > math.MaxInt64/4 {
			return nil, 0, errors.New("gguf: 2^61 bytes of data or more")
		}
	}
	return b, int64(offset), nil
}

// trimmed drops trailing dimensions of 1, but not the first.
func trimmed(ne []uint64) []uint64 {
	n := len(ne)
	for n > 1 && ne[n-1] == 1 {
		n--
	}
	return ne[:n]
}

// headerOnly reads a file whose data has not been written.
type headerOnly struct {
	header []byte
	size   int64
}

func (h headerOnly) ReadAt(b []byte, at int64) (int, error) {
	if at < 0 || at >= h.size {
		return 0, io.EOF
	}
	clear(b)
	if at < int64(len(h.header)) {
		copy(b, h.header[at:])
	}
	return int(min(int64(len(b)), h.size-at)), nil
}

func appendString(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint64(b, uint64(len(s))), s...)
}

// appendValue appends value type and value.
func appendValue(b []byte, v any) ([]byte, error) {
	if t, ok := scalarType(v); ok {
		return appendScalar(binary.LittleEndian.AppendUint32(b, uint32(t)), v), nil
	}
	switch list := v.(type) {
	case []uint8:
		return appendList(b, ValueUint8, list), nil
	case []int8:
		return appendList(b, ValueInt8, list), nil
	case []uint16:
		return appendList(b, ValueUint16, list), nil
	case []int16:
		return appendList(b, ValueInt16, list), nil
	case []uint32:
		return appendList(b, ValueUint32, list), nil
	case []int32:
		return appendList(b, ValueInt32, list), nil
	case []float32:
		return appendList(b, ValueFloat32, list), nil
	case []bool:
		return appendList(b, ValueBool, list), nil
	case []string:
		return appendList(b, ValueString, list), nil
	case []uint64:
		return appendList(b, ValueUint64, list), nil
	case []int64:
		return appendList(b, ValueInt64, list), nil
	case []float64:
		return appendList(b, ValueFloat64, list), nil
	}
	return nil, fmt.Errorf("a %T is no metadata value", v)
}

func appendList[T any](b []byte, t ValueType, list []T) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(ValueArray))
	b = binary.LittleEndian.AppendUint32(b, uint32(t))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(list)))
	for _, v := range list {
		b = appendScalar(b, v)
	}
	return b
}

func scalarType(v any) (ValueType, bool) {
	switch v.(type) {
	case uint8:
		return ValueUint8, true
	case int8:
		return ValueInt8, true
	case uint16:
		return ValueUint16, true
	case int16:
		return ValueInt16, true
	case uint32:
		return ValueUint32, true
	case int32:
		return ValueInt32, true
	case float32:
		return ValueFloat32, true
	case bool:
		return ValueBool, true
	case string:
		return ValueString, true
	case uint64:
		return ValueUint64, true
	case int64:
		return ValueInt64, true
	case float64:
		return ValueFloat64, true
	}
	return 0, false
}

// appendScalar appends a value of one of scalarType's types.
func appendScalar(b []byte, v any) []byte {
	if s, ok := v.(string); ok {
		return appendString(b, s)
	}
	b, _ = binary.Append(b, binary.LittleEndian, v) // sized: no error
	return b
}

// counter counts what it passes on.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// pad writes zeros up to byte end of the file.
func (c *counter) pad(end int64) error {
	var zeros [4096]byte
	for c.n < end {
		if _, err := c.Write(zeros[:min(end-c.n, int64(len(zeros)))]); err != nil {
			return err
		}
	}
	return nil
}

// payload writes one tensor's bytes and counts them.
func (c *counter) payload(t *Tensor, write func(io.Writer) error) error {
	begin := c.n
	if write != nil {
		if err := write(c); err != nil {
			return fmt.Errorf("gguf: byte %d: %s: %w", begin, t.subject(), err)
		}
	}
	if got := c.n - begin; uint64(got) != t.Size {
		return &Error{Offset: begin, Subject: t.subject(), Message: fmt.Sprintf("%d bytes were written (%d expected for %v %v)", got, t.Size, t.Type, t.NE)}
	}
	return nil
}
