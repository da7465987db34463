// SPDX-License-Identifier: Apache-2.0

package gguf

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
)

// ValueType is the type of a metadata value, by its number in a file.
type ValueType uint32

// The value types.
const (
	ValueUint8 ValueType = iota
	ValueInt8
	ValueUint16
	ValueInt16
	ValueUint32
	ValueInt32
	ValueFloat32
	ValueBool
	ValueString
	ValueArray
	ValueUint64
	ValueInt64
	ValueFloat64
	valueTypes
)

// valueKinds is indexed by value type; strings and arrays have no fixed size.
var valueKinds = [valueTypes]struct {
	name string
	size uint64
}{
	ValueUint8: {"u8", 1}, ValueInt8: {"i8", 1}, ValueUint16: {"u16", 2}, ValueInt16: {"i16", 2},
	ValueUint32: {"u32", 4}, ValueInt32: {"i32", 4}, ValueFloat32: {"f32", 4}, ValueBool: {"bool", 1},
	ValueString: {"str", 0}, ValueArray: {"arr", 0}, ValueUint64: {"u64", 8}, ValueInt64: {"i64", 8}, ValueFloat64: {"f64", 8},
}

// String returns a short name: "u32", "str", "arr".
func (t ValueType) String() string {
	if t >= valueTypes {
		return "value type " + strconv.FormatUint(uint64(t), 10)
	}
	return valueKinds[t].name
}

// Entry is one metadata entry. Its value stays in the file: see [Header.Value].
type Entry struct {
	Key   string
	Type  ValueType
	Elem  ValueType // of an array
	Count uint64    // elements of an array, bytes of a string, 1 for others

	Offset int64 // byte of the file where the entry begins
	value  int64 // where the value begins: the first element, or a string's first byte
	end    int64
}

// metadata reads the entries. n has been compared with the size of the file.
func (c *cursor) metadata(h *Header, n uint64) error {
	seen := map[string]bool{}
	for i := range n {
		c.subject = fmt.Sprintf("metadata entry %d", i)
		e := Entry{Offset: c.at}
		var err error
		if e.Key, err = c.name("key", longestKey); err != nil {
			return err
		}
		c.subject = fmt.Sprintf("key %q", e.Key)
		switch {
		case e.Key == "":
			return c.fail(e.Offset, "a key is empty")
		case seen[e.Key]:
			return c.fail(e.Offset, "the key occurs twice")
		}
		seen[e.Key] = true
		if err := c.value(&e); err != nil {
			return err
		}
		if e.Key == alignmentKey {
			if h.Alignment, err = c.alignment(e); err != nil {
				return err
			}
		}
		h.Metadata = append(h.Metadata, e)
	}
	return nil
}

// value passes the value of an entry whose key has been read.
func (c *cursor) value(e *Entry) error {
	at := c.at
	t, err := c.u32("value type")
	if err != nil {
		return err
	}
	e.Type, e.Count = ValueType(t), 1
	switch {
	case e.Type >= valueTypes:
		return c.fail(at, "value type %d does not exist (0 to %d expected)", t, valueTypes-1)
	case e.Type == ValueString:
		n, err := c.length("value")
		if err != nil {
			return err
		}
		e.Count, e.value = uint64(n), c.at
		c.at += n
	case e.Type == ValueArray:
		if err := c.array(e); err != nil {
			return err
		}
	default:
		e.value = c.at
		if err := c.skip(valueKinds[e.Type].size, "value"); err != nil {
			return err
		}
	}
	e.end = c.at
	return nil
}

func (c *cursor) array(e *Entry) error {
	at := c.at
	t, err := c.u32("element type")
	if err != nil {
		return err
	}
	e.Elem = ValueType(t)
	switch {
	case e.Elem >= valueTypes:
		return c.fail(at, "element type %d does not exist (0 to %d expected)", t, valueTypes-1)
	case e.Elem == ValueArray:
		return c.fail(at, "arrays of arrays are not supported")
	}
	at = c.at
	if e.Count, err = c.u64("element count"); err != nil {
		return err
	}
	e.value = c.at
	size := valueKinds[e.Elem].size
	if e.Elem == ValueString {
		size = 8 // of the length alone
	}
	if e.Count > uint64(c.left())/size {
		return c.fail(at, "the array has %d elements of %d bytes or more (%d bytes left)", e.Count, size, c.left())
	}
	if e.Elem != ValueString {
		return c.skip(e.Count*size, "array")
	}
	for range e.Count {
		n, err := c.length("array's string")
		if err != nil {
			return err
		}
		c.at += n
	}
	return nil
}

// alignment returns the value of general.alignment.
func (c *cursor) alignment(e Entry) (uint32, error) {
	if e.Type != ValueUint32 {
		return 0, c.fail(e.Offset, "the value is of type %v (u32 expected)", e.Type)
	}
	v, err := readValue(c.r, e)
	if err != nil {
		return 0, err
	}
	alignment, _ := v.(uint32)
	if alignment == 0 || alignment&(alignment-1) != 0 {
		return 0, c.fail(e.Offset, "the alignment is %d (a power of two expected)", alignment)
	}
	return alignment, nil
}

// Value reads the value of an entry of h from the file that h was read from. It is of the Go type that the value
// type names (uint8 to float64, bool, string), or a slice of those. Numbers in the file that say bool are true when they are
// not 0. Memory is proportional to the entry's bytes in the file.
func (h *Header) Value(r io.ReaderAt, e Entry) (any, error) { return readValue(r, e) }

func readValue(r io.ReaderAt, e Entry) (any, error) {
	data := make([]byte, e.end-e.value)
	if n, err := r.ReadAt(data, e.value); n < len(data) {
		return nil, fmt.Errorf("gguf: byte %d: key %q: %w", e.value, e.Key, err)
	}
	switch {
	case e.Type == ValueString:
		return string(data), nil
	case e.Type == ValueArray:
		return arrayOf(e, data), nil
	default:
		return scalarOf(e.Type, data), nil
	}
}

// scalarOf decodes a value of fixed size; data has that size at least.
func scalarOf(t ValueType, data []byte) any {
	order := binary.LittleEndian
	switch t {
	case ValueUint8:
		return data[0]
	case ValueInt8:
		return int8(data[0])
	case ValueUint16:
		return order.Uint16(data)
	case ValueInt16:
		return int16(order.Uint16(data))
	case ValueUint32:
		return order.Uint32(data)
	case ValueInt32:
		return int32(order.Uint32(data))
	case ValueFloat32:
		return math.Float32frombits(order.Uint32(data))
	case ValueBool:
		return data[0] != 0
	case ValueUint64:
		return order.Uint64(data)
	case ValueInt64:
		return int64(order.Uint64(data))
	default:
		return math.Float64frombits(order.Uint64(data))
	}
}

// arrayOf decodes an array whose extent has been checked.
func arrayOf(e Entry, data []byte) any {
	switch e.Elem {
	case ValueUint8:
		return data
	case ValueInt8:
		return scalarsOf[int8](e, data)
	case ValueUint16:
		return scalarsOf[uint16](e, data)
	case ValueInt16:
		return scalarsOf[int16](e, data)
	case ValueUint32:
		return scalarsOf[uint32](e, data)
	case ValueInt32:
		return scalarsOf[int32](e, data)
	case ValueFloat32:
		return scalarsOf[float32](e, data)
	case ValueBool:
		return scalarsOf[bool](e, data)
	case ValueUint64:
		return scalarsOf[uint64](e, data)
	case ValueInt64:
		return scalarsOf[int64](e, data)
	case ValueFloat64:
		return scalarsOf[float64](e, data)
	default:
		return stringsOf(e, data)
	}
}

func scalarsOf[T any](e Entry, data []byte) []T {
	size := valueKinds[e.Elem].size
	values := make([]T, e.Count)
	for i := range values {
		values[i], _ = scalarOf(e.Elem, data[uint64(i)*size:]).(T)
	}
	return values
}

func stringsOf(e Entry, data []byte) []string {
	values := make([]string, e.Count)
	for i := range values {
		n := binary.LittleEndian.Uint64(data)
		values[i] = string(data[8 : 8+n])
		data = data[8+n:]
	}
	return values
}
