// SPDX-License-Identifier: Apache-2.0

package container

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
)

func temp(t testing.TB, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// numbered returns n bytes that differ from their neighbours near and far.
func numbered(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i) ^ byte(i>>8) ^ byte(i>>16)
	}
	return b
}

// Regions are right in one mapping and in many, at offsets that no page begins at.
func TestRegion(t *testing.T) {
	content := numbered(3*granularity + 123)
	for _, limit := range []int64{addressable, 0} {
		src, err := OpenSource(temp(t, content))
		if err != nil {
			t.Fatal(err)
		}
		s := src.(*fileSource)
		s.limit = limit
		if (s.Whole() != nil) != (limit > 0) {
			t.Fatal("Whole is wrong")
		}
		for _, r := range [][2]int64{{0, 1}, {1, 4095}, {4095, 2}, {granularity - 1, 2}, {granularity, granularity}, {5, 3 * granularity}, {int64(len(content)) - 1, 1}, {0, int64(len(content))}, {77, 0}} {
			got, err := s.Region(r[0], r[1])
			if err != nil || !bytes.Equal(got, content[r[0]:r[0]+r[1]]) || cap(got) != len(got) {
				t.Errorf("region %v: %d bytes of capacity %d, %v", r, len(got), cap(got), err)
			}
		}
		for _, r := range [][2]int64{{-1, 1}, {0, -1}, {int64(len(content)), 1}, {0, int64(len(content)) + 1}, {1<<63 - 1, 1}, {1, 1<<63 - 1}} {
			if _, err := s.Region(r[0], r[1]); err == nil {
				t.Errorf("region %v is inside %d bytes", r, len(content))
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestRegionOfEmptyFile(t *testing.T) {
	s, err := OpenSource(temp(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if b, err := s.Region(0, 0); len(b) != 0 || err != nil || s.Whole() != nil {
		t.Errorf("%v, %v", b, err)
	}
}

// A file that shrinks under its mapping gives an error, not the program's end.
func TestGuardTruncatedFile(t *testing.T) {
	path := temp(t, numbered(1<<20))
	src, err := OpenSource(path)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	b, err := src.Region(0, src.Size())
	if err != nil {
		t.Fatal(err)
	}
	if src.Whole() == nil {
		t.Skip("nothing is mapped here")
	}
	if err := os.Truncate(path, 100); err != nil {
		t.Skip(err)
	}
	into := make([]byte, len(b))
	for name, read := range map[string]func() error{
		"a load":        func() error { into[0] = b[len(b)-1]; return nil },
		"memmove":       func() error { copy(into, b); return nil },
		"bytes.Equal":   func() error { bytes.Equal(into[1<<19:], b[1<<19:]); return nil },
		"a system call": func() error { return os.WriteFile(filepath.Join(t.TempDir(), "copy"), b[1<<19:], 0o600) },
		"WriteFile": func() error {
			return WriteFile(filepath.Join(t.TempDir(), "copy"), false, func(w io.Writer) error { _, err := w.Write(b); return err })
		},
	} {
		if err := Guard(read); !errors.Is(err, ErrTruncated) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Guard(func() error { into[0] = b[50]; return nil }); err != nil {
		t.Errorf("what is left of the file: %v", err)
	}
}

func TestBytesInMemory(t *testing.T) {
	f := NewFile("test", nil, &onnxpb.ModelProto{}, Options{})
	raw := []byte{1, 2, 3, 4}
	for _, m := range []proto.Message{&onnxpb.StructProto{RawData: raw}, &onnxpb.TensorProto{RawData: raw}} {
		if got, err := f.Bytes(m); err != nil || &got[0] != &raw[0] {
			t.Errorf("%T: %v, %v", m, got, err)
		}
	}
	typed := &onnxpb.TensorProto{DataType: int32(onnxpb.TensorProto_INT16), Dims: []int64{2}, Int32Data: []int32{258, -1}}
	if got, err := f.Bytes(typed); err != nil || !bytes.Equal(got, []byte{2, 1, 255, 255}) {
		t.Errorf("int32_data: %v, %v", got, err)
	}
	if got, err := f.Bytes(&onnxpb.StructProto{}); err != nil || len(got) != 0 {
		t.Errorf("an empty value: %v, %v", got, err)
	}
	if _, err := f.Bytes(&onnxpb.ModelProto{}); err == nil || err.Error() != "a TensorProto or StructProto expected, a *onnxpb.ModelProto found" {
		t.Errorf("got %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
