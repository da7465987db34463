// SPDX-License-Identifier: Apache-2.0

package onnxpb

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// decoder builds messages from the wire.
type decoder struct {
	window
	payloads  map[proto.Message]Region
	constants map[proto.Message]bool
	findings  []Finding
	path      []step
	groups    int // how many groups enclose the field being read
}

// message merges the fields in [at, end) into m. Submessages and payloads are
// taken one by one; the plain fields between them are merged in one go.
func (d *decoder) message(m protoreflect.Message, at, end int64) error {
	p := plain{d: d, m: m, begin: at, end: at}
	var o oneof
	for at < end {
		f, err := d.next(m.Descriptor(), at, end)
		if err != nil {
			return err
		}
		desc, err := d.describe(m.Descriptor(), f)
		if err != nil {
			return err
		}
		if desc != nil && desc.ContainingOneof() != nil {
			d.checkOneof(&o, desc, m, f)
		}
		if err := d.take(&p, desc, f); err != nil {
			return err
		}
		at = f.end
	}
	return p.flush(at)
}

// take gives field f, which desc describes (nil: unknown), to the message of p.
func (d *decoder) take(p *plain, desc protoreflect.FieldDescriptor, f field) error {
	message := desc != nil && desc.Kind() == protoreflect.MessageKind
	payload := desc != nil && isPayload(desc)
	long := payload && f.end-f.value > d.limit()
	if payload && !long {
		delete(d.payloads, p.m.Interface()) // the last raw_data wins
	}
	if !message && !long {
		return p.add(f)
	}
	if err := p.flush(f.end); err != nil {
		return err
	}
	if message {
		return d.submessage(p.m, desc, f)
	}
	p.m.Clear(desc)
	d.payloads[p.m.Interface()] = Region{f.value, f.end - f.value}
	if d.limit() == LongConstant {
		d.constants[p.m.Interface()] = true
	}
	return nil
}

// limit is the length of the longest raw_data that the message being read keeps.
func (d *decoder) limit() int64 {
	// A sparse initializer's tensors lie one level below it.
	for _, s := range d.path[max(len(d.path)-2, 0):] {
		switch s.desc.Name() {
		case "initializer", "sparse_initializer", "struct_initializer":
			return LongPayload
		}
	}
	return LongConstant
}

// submessage reads the message in field f of m.
func (d *decoder) submessage(m protoreflect.Message, desc protoreflect.FieldDescriptor, f field) error {
	s := step{desc: desc}
	fresh := desc.IsList() || !m.Has(desc)
	var child protoreflect.Message
	if desc.IsList() {
		list := m.Mutable(desc).List()
		s.index = list.Len()
		child = list.AppendMutable().Message()
	} else {
		child = m.Mutable(desc).Message()
	}
	if fresh && f.end-f.value <= LongPayload {
		if done, err := d.small(child, f); done || err != nil {
			return err
		}
	}
	d.path = append(d.path, s)
	defer func() { d.path = d.path[:len(d.path)-1] }()
	if err := d.checkDepth(f.begin); err != nil {
		return err
	}
	return d.message(child, f.value, f.end)
}

// isPayload tells raw_data; no other field of the schema has that name.
func isPayload(desc protoreflect.FieldDescriptor) bool { return desc.Name() == "raw_data" }

// plain gathers adjacent fields of m that hold neither messages nor payloads.
type plain struct {
	d          *decoder
	m          protoreflect.Message
	begin, end int64
}

// add takes f, which begins where the fields before it end. Long runs are merged
// in pieces, so that the buffer stays short.
func (p *plain) add(f field) error {
	if p.end = f.end; p.end-p.begin < maxRead {
		return nil
	}
	return p.flush(f.end)
}

// flush merges what was gathered; what is added next begins at next.
func (p *plain) flush(next int64) error {
	run := field{begin: p.begin, end: p.end}
	p.begin, p.end = next, next
	if run.begin == run.end {
		return nil
	}
	b, err := p.d.bytes(p.m.Descriptor(), run)
	if err != nil {
		return err
	}
	if err := (proto.UnmarshalOptions{Merge: true}).Unmarshal(b, p.m.Interface()); err != nil {
		return p.blame(run)
	}
	return nil
}

// blame finds the field of a run that cannot be merged. Tags and lengths are
// known to be right, so it is a packed list whose bytes are not numbers.
func (p *plain) blame(run field) error {
	in := p.m.Descriptor()
	for at := run.begin; at < run.end; {
		f, err := p.d.next(in, at, run.end)
		if err != nil {
			return err
		}
		b, err := p.d.bytes(in, f)
		if err != nil {
			return err
		}
		if proto.Unmarshal(b, p.m.New().Interface()) != nil {
			return p.d.wrong(in, f, "%d bytes expected to be a packed list of %ss", f.end-f.value, in.Fields().ByNumber(f.number).Kind())
		}
		at = f.end
	}
	return p.d.wrong(in, run, "fields cannot be merged")
}
