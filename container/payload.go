// SPDX-License-Identifier: Apache-2.0

package container

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// payloads finds and holds the bytes behind a model's tensors and values.
type payloads struct {
	src       Source
	externals externals
}

// payload is what a message says about its payload.
type payload struct {
	name     string
	raw      []byte
	external []*onnxpb.StringStringEntryProto
	isStruct bool
	typed    *onnxpb.TensorProto // elements in a field of their own type; nil otherwise
}

func payloadOf(m proto.Message) (payload, error) {
	switch m := m.(type) {
	case *onnxpb.StructProto:
		return payload{name: m.GetName(), raw: m.GetRawData(), external: m.GetExternalData(), isStruct: true}, nil
	case *onnxpb.TensorProto:
		p := payload{name: m.GetName(), raw: m.GetRawData()}
		if m.GetDataLocation() == onnxpb.TensorProto_EXTERNAL {
			p.external = m.GetExternalData()
			if len(p.external) == 0 {
				return p, fmt.Errorf("%q: EXTERNAL data has no external_data", p.name)
			}
		} else if len(p.raw) == 0 {
			p.typed = m
		}
		return p, nil
	}
	return payload{}, fmt.Errorf("a TensorProto or StructProto expected, a %T found", m)
}

// Bytes returns the payload of m, a *onnxpb.TensorProto or *onnxpb.StructProto:
// raw_data in the message, raw_data left in the file, or external data. Elements
// that a TensorProto keeps in a typed field are brought into the form of raw_data.
//
// The bytes are read-only, mostly memory-mapped, and valid until Close. Reading
// them faults when the file was truncated after it was opened: see Guard. Views of them
// (structview.NewView), and codecs, are guarded.
func (f *File) Bytes(m proto.Message) ([]byte, error) {
	p, err := payloadOf(m)
	if err != nil {
		return nil, err
	}
	src, place, err := f.locate(m, p)
	switch {
	case err != nil:
		return nil, err
	case src != nil:
		return src.Region(place.Offset, place.Length)
	case p.typed == nil:
		return p.raw, nil
	}
	t, err := tensor.FromProto(p.typed)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", p.name, err)
	}
	return t.Bytes(), nil
}

// Reader returns the payload of m to be read once from its beginning, without
// mapping it.
func (f *File) Reader(m proto.Message) (*io.SectionReader, error) {
	p, err := payloadOf(m)
	if err != nil {
		return nil, err
	}
	if src, place, err := f.locate(m, p); err != nil || src != nil {
		return sectionOf(src, place), err
	}
	b, err := f.Bytes(m)
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b))), nil
}

func sectionOf(src Source, place Place) *io.SectionReader {
	if src == nil {
		return nil
	}
	return io.NewSectionReader(src, place.Offset, place.Length)
}

// Place says where the payload of m lies, without reading it. External files are
// opened.
func (f *File) Place(m proto.Message) (Place, error) {
	p, err := payloadOf(m)
	if err != nil {
		return Place{}, err
	}
	_, place, err := f.locate(m, p)
	return place, err
}

// locate returns the file that holds the payload of m, nil if no file does.
func (f *File) locate(m proto.Message, p payload) (Source, Place, error) {
	if len(p.external) > 0 {
		return f.locateExternal(p)
	}
	if f.Inline != nil {
		if at, ok := f.Inline(m); ok && (len(p.raw) == 0 || int64(len(p.raw)) == at.Length) {
			return f.src, Place{Path: f.Path, Offset: at.Offset, Length: at.Length}, nil
		}
	}
	return nil, Place{Path: f.Path, Offset: -1, Length: int64(len(p.raw))}, nil
}

func (f *File) locateExternal(p payload) (Source, Place, error) {
	if len(p.raw) > 0 {
		return nil, Place{}, fmt.Errorf("%q: either raw_data or external_data expected, both found", p.name)
	}
	ref, err := parseExternal(p.external, p.isStruct)
	if err != nil {
		return nil, Place{}, fmt.Errorf("%q: %w", p.name, err)
	}
	src, err := f.externals.source(ref.location)
	if err != nil {
		return nil, Place{}, fmt.Errorf("%q: %w", p.name, err)
	}
	if ref.length < 0 {
		ref.length = max(src.Size()-ref.offset, 0)
	}
	if ref.offset > src.Size() || ref.length > src.Size()-ref.offset {
		return nil, Place{}, fmt.Errorf("%q: external data %q: %d bytes at %d expected to lie inside the file, which has %d bytes",
			p.name, ref.location, ref.length, ref.offset, src.Size())
	}
	return src, Place{Path: src.Path(), Location: ref.location, Offset: ref.offset, Length: ref.length}, nil
}

// VerifyChecksum compares the SHA-1 of the external file behind m with the
// checksum that m states. It is nil for a payload that states none.
func (f *File) VerifyChecksum(m proto.Message) error {
	p, err := payloadOf(m)
	if err != nil || len(p.external) == 0 {
		return err
	}
	ref, err := parseExternal(p.external, p.isStruct)
	if err != nil || ref.checksum == "" {
		return err
	}
	sum, err := f.externals.sha1(ref.location)
	if err != nil {
		return fmt.Errorf("%q: %w", p.name, err)
	}
	if !strings.EqualFold(sum, ref.checksum) {
		return fmt.Errorf("%q: external data %q: SHA-1 %s expected, %s found", p.name, ref.location, ref.checksum, sum)
	}
	return nil
}

// Close releases every file and mapping. Payloads returned before are invalid
// afterwards.
func (f *File) Close() error {
	err := f.externals.close()
	if f.src != nil {
		err = errors.Join(err, f.src.Close())
	}
	return err
}
