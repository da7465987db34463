// SPDX-License-Identifier: Apache-2.0

package onnxpb

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// maxDepth bounds how deep messages and groups may nest on the wire. It leaves
// room for more inline levels than a declaration may have (SV025), so that a
// checker can name the declaration that is too deep.
const maxDepth = 1000

// WireError says where a file stops being protobuf, or ONNX's.
type WireError struct {
	// Offset is the byte of the file where the field begins that is wrong.
	Offset int64
	// Path leads to the field: names and indices, a field that has no name as its
	// number. It is empty for the model itself.
	Path    string
	Message string
}

func (e *WireError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("onnxpb: byte %d: %s", e.Offset, e.Message)
	}
	return fmt.Sprintf("onnxpb: byte %d: %s: %s", e.Offset, e.Path, e.Message)
}

// field is one field on the wire; its value lies in [value, end).
type field struct {
	number     protowire.Number
	wire       protowire.Type
	begin      int64 // of the tag
	value, end int64
}

// step is one element of the path to the message that is being read.
type step struct {
	desc  protoreflect.FieldDescriptor
	index int
}

// pathTo writes the path of the message being read, and below it the field
// number of message type in, if number is not 0.
func (d *decoder) pathTo(in protoreflect.MessageDescriptor, number protowire.Number) string {
	var b strings.Builder
	for _, s := range d.path {
		b.WriteString("." + string(s.desc.Name()))
		if s.desc.IsList() {
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		}
	}
	if number != 0 {
		b.WriteString("." + fieldName(in, number))
	}
	return strings.TrimPrefix(b.String(), ".")
}

func fieldName(in protoreflect.MessageDescriptor, number protowire.Number) string {
	if in != nil {
		if desc := in.Fields().ByNumber(number); desc != nil {
			return string(desc.Name())
		}
	}
	return strconv.Itoa(int(number))
}

func (d *decoder) wrong(in protoreflect.MessageDescriptor, f field, format string, args ...any) error {
	return &WireError{f.begin, d.pathTo(in, f.number), fmt.Sprintf(format, args...)}
}

// next reads the tag and the extent of the field at offset, inside a message of
// type in (nil inside a group) that ends at end.
func (d *decoder) next(in protoreflect.MessageDescriptor, at, end int64) (field, error) {
	f := field{begin: at}
	tag, value, err := d.varint(in, f, at, end)
	if err != nil {
		return f, err
	}
	if tag>>3 < 1 || tag>>3 > uint64(protowire.MaxValidNumber) {
		return f, d.wrong(in, f, "field number %d expected to be 1 to %d", tag>>3, protowire.MaxValidNumber)
	}
	f.number, f.wire, f.value = protowire.Number(tag>>3), protowire.Type(tag&7), value
	switch f.wire {
	case protowire.VarintType:
		_, f.end, err = d.varint(in, f, value, end)
	case protowire.Fixed32Type:
		f.end, err = d.extent(in, f, 4, end)
	case protowire.Fixed64Type:
		f.end, err = d.extent(in, f, 8, end)
	case protowire.BytesType:
		var length uint64
		if length, f.value, err = d.varint(in, f, value, end); err == nil {
			f.end, err = d.extent(in, f, length, end)
		}
	case protowire.StartGroupType:
		f.end, err = d.group(f, end)
	case protowire.EndGroupType:
		f.end = value
	default:
		err = d.wrong(in, f, "wire type %d expected to be 0 to 5", f.wire)
	}
	return f, err
}

// extent returns the end of a value of length bytes, which must lie before end.
func (d *decoder) extent(in protoreflect.MessageDescriptor, f field, length uint64, end int64) (int64, error) {
	left := end - f.value
	if length > uint64(left) {
		return 0, d.wrong(in, f, "a value of %d bytes expected to lie inside its message, which has %d bytes left", length, left)
	}
	return f.value + int64(length), nil
}

// varint reads the number at offset, and returns the offset behind it.
func (d *decoder) varint(in protoreflect.MessageDescriptor, f field, at, end int64) (uint64, int64, error) {
	b, err := d.view(at, int(min(end-at, 10)))
	if err != nil {
		return 0, 0, err
	}
	v, n := protowire.ConsumeVarint(b)
	switch {
	case n > 0:
		return v, at + int64(n), nil
	case len(b) < 10:
		return 0, 0, d.wrong(in, f, "a number expected to end inside its message, which has %d bytes left", len(b))
	}
	return 0, 0, d.wrong(in, f, "a number expected to fit in 64 bits")
}

// group finds the end of a group, which only unknown fields can be.
func (d *decoder) group(f field, end int64) (int64, error) {
	d.groups++
	defer func() { d.groups-- }()
	if err := d.checkDepth(f.begin); err != nil {
		return 0, err
	}
	for at := f.value; at < end; {
		inner, err := d.next(nil, at, end)
		if err != nil {
			return 0, err
		}
		if at = inner.end; inner.wire != protowire.EndGroupType {
			continue
		}
		if inner.number != f.number {
			return 0, d.wrong(nil, inner, "the end of group %d expected, the end of group %d found", f.number, inner.number)
		}
		return at, nil
	}
	return 0, d.wrong(nil, f, "a group expected to end inside its message")
}

func (d *decoder) checkDepth(at int64) error {
	if len(d.path)+d.groups > maxDepth {
		return d.wrong(nil, field{begin: at}, "messages expected to nest at most %d levels deep", maxDepth)
	}
	return nil
}

// bytes returns the bytes of f with its tag, as the window's view does.
func (d *decoder) bytes(in protoreflect.MessageDescriptor, f field) ([]byte, error) {
	n := f.end - f.begin
	if n > math.MaxInt {
		return nil, d.wrong(in, f, "%d bytes expected to be addressable on this machine", n)
	}
	return d.view(f.begin, int(n))
}
