// SPDX-License-Identifier: Apache-2.0

package onnxpb

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// WriteModel writes m in wire form without copying its payloads. A message that
// has long raw_data is written field by field, and so is every message around it;
// the raw_data goes to w as it is. Fields are written in the order of their
// numbers, unknown fields last.
//
// An attribute whose type is FLOAT, INT or STRING gets its value field even if that
// is 0 or empty, which proto.Marshal leaves out: other readers of ONNX look for it.
func WriteModel(w io.Writer, m *ModelProto) error { return WriteModelFrom(w, m, nil) }

// WriteModelFrom writes m as WriteModel does, with payloads that are not in
// memory: payload is asked for each *TensorProto and *StructProto whose raw_data
// is empty, and returns a reader of its raw_data, or nil for none.
func WriteModelFrom(w io.Writer, m *ModelProto, payload func(proto.Message) *io.SectionReader) error {
	p := planner{payload: payload}
	l := p.layout(m.ProtoReflect())
	if l == nil {
		l = &layout{parts: []part{{plain: m}}}
	}
	out := bufio.NewWriterSize(w, 64<<10)
	if err := l.write(out); err != nil {
		return err
	}
	return out.Flush()
}

// layout is how a message is written that has in or below it what proto.Marshal
// would copy or leave out.
type layout struct {
	size  int64 // in bytes
	parts []part
}

// part is a run of a message's fields, or one field of wire type bytes.
type part struct {
	number protowire.Number // of the field; 0: plain's own fields

	// Exactly one of these is the field's value.
	plain  proto.Message
	nested *layout
	raw    []byte // the field's value, or with number 0 whole fields
	reader *io.SectionReader
}

func (p part) size() int64 {
	var n int64
	switch {
	case p.plain != nil:
		n = int64(proto.Size(p.plain))
	case p.nested != nil:
		n = p.nested.size
	case p.reader != nil:
		n = p.reader.Size()
	default:
		n = int64(len(p.raw))
	}
	return n
}

func (p part) write(w io.Writer) error {
	if p.number != 0 {
		header := protowire.AppendTag(nil, p.number, protowire.BytesType)
		if _, err := w.Write(protowire.AppendVarint(header, uint64(p.size()))); err != nil {
			return err
		}
	}
	switch {
	case p.plain != nil:
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(p.plain)
		if err != nil {
			return err
		}
		return writeAll(w, b)
	case p.nested != nil:
		return p.nested.write(w)
	case p.reader != nil:
		return copyAll(w, p.reader)
	}
	return writeAll(w, p.raw)
}

func (l *layout) write(w io.Writer) error {
	for _, p := range l.parts {
		if err := p.write(w); err != nil {
			return err
		}
	}
	return nil
}

func (l *layout) add(p part) {
	l.parts = append(l.parts, p)
	n := p.size()
	if p.number != 0 {
		n += int64(protowire.SizeTag(p.number) + protowire.SizeVarint(uint64(n)))
	}
	l.size += n
}

func writeAll(w io.Writer, b []byte) error {
	_, err := w.Write(b)
	return err
}

func copyAll(w io.Writer, r *io.SectionReader) error {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return err
	}
	n, err := io.Copy(w, r)
	if err == nil && n != r.Size() {
		err = fmt.Errorf("onnxpb: payload of %d bytes expected, %d read: %w", r.Size(), n, io.ErrUnexpectedEOF)
	}
	return err
}

type planner struct {
	payload func(proto.Message) *io.SectionReader
}

// layout returns nil for a message that proto.Marshal writes as well.
func (p planner) layout(m protoreflect.Message) *layout {
	fields := p.fields(m)
	long := make([][]part, len(fields))
	found := false
	for i, f := range fields {
		long[i] = p.parts(m, f)
		found = found || long[i] != nil
	}
	zero := explicitZero(m)
	if !found && zero == nil {
		return nil
	}
	l := &layout{}
	rest := m.New() // the plain fields since the last part
	for i, f := range fields {
		if long[i] == nil && f.set {
			rest.Set(f.desc, m.Get(f.desc))
		}
		if long[i] == nil {
			continue
		}
		l.add(part{plain: rest.Interface()})
		rest = m.New()
		for _, q := range long[i] {
			l.add(q)
		}
	}
	l.add(part{plain: rest.Interface()})
	l.add(part{raw: zero})
	l.add(part{raw: m.GetUnknown()})
	return l
}

// explicitZero returns the value field of an attribute that is zero, as wire
// bytes; nil for everything else.
func explicitZero(m protoreflect.Message) []byte {
	a, ok := m.Interface().(*AttributeProto)
	if !ok || a.RefAttrName != "" {
		return nil
	}
	switch {
	case a.Type == AttributeProto_FLOAT && math.Float32bits(a.F) == 0:
		return protowire.AppendFixed32(protowire.AppendTag(nil, 2, protowire.Fixed32Type), 0)
	case a.Type == AttributeProto_INT && a.I == 0:
		return protowire.AppendVarint(protowire.AppendTag(nil, 3, protowire.VarintType), 0)
	case a.Type == AttributeProto_STRING && len(a.S) == 0:
		return protowire.AppendBytes(protowire.AppendTag(nil, 4, protowire.BytesType), nil)
	}
	return nil
}

type fieldOf struct {
	desc protoreflect.FieldDescriptor
	set  bool
}

// fields lists the fields of m that are set, and raw_data in any case, by number.
func (p planner) fields(m protoreflect.Message) []fieldOf {
	var all []fieldOf
	m.Range(func(desc protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		all = append(all, fieldOf{desc, true})
		return true
	})
	if raw := m.Descriptor().Fields().ByName("raw_data"); raw != nil && !m.Has(raw) {
		all = append(all, fieldOf{raw, false})
	}
	slices.SortFunc(all, func(a, b fieldOf) int { return cmp.Compare(a.desc.Number(), b.desc.Number()) })
	return all
}

// parts returns what field f of m is written as, nil if it holds no long payload.
func (p planner) parts(m protoreflect.Message, f fieldOf) []part {
	switch {
	case isPayload(f.desc):
		return p.raw(m, f)
	case f.desc.Kind() != protoreflect.MessageKind:
		return nil
	case !f.desc.IsList():
		if l := p.layout(m.Get(f.desc).Message()); l != nil {
			return []part{{number: f.desc.Number(), nested: l}}
		}
		return nil
	}
	return p.list(m.Get(f.desc).List(), f.desc.Number())
}

func (p planner) raw(m protoreflect.Message, f fieldOf) []part {
	if f.set {
		if b := m.Get(f.desc).Bytes(); len(b) > LongPayload {
			return []part{{number: f.desc.Number(), raw: b}}
		}
		return nil
	}
	if p.payload == nil {
		return nil
	}
	if r := p.payload(m.Interface()); r != nil && r.Size() > 0 {
		return []part{{number: f.desc.Number(), reader: r}}
	}
	return nil
}

// list keeps the order of short and long elements.
func (p planner) list(list protoreflect.List, number protowire.Number) []part {
	parts := make([]part, list.Len())
	long := false
	for i := range parts {
		m := list.Get(i).Message()
		parts[i] = part{number: number, nested: p.layout(m)}
		if parts[i].nested == nil {
			parts[i].plain = m.Interface()
		}
		long = long || parts[i].nested != nil
	}
	if !long {
		return nil
	}
	return parts
}
