// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/conformance"
	"github.com/structview/structview/onnxpb"
)

// allocated returns the bytes that fn allocates.
func allocated(fn func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fn()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestNoCaseTakesMemory runs each case by itself: none may take more than a MiB beyond its
// files, whatever sizes the models speak of.
func TestNoCaseTakesMemory(t *testing.T) {
	s := suite(t)
	s.Run(t.Context(), conformance.Options{}) // what is made once is made now
	for i := range s.Cases {
		c := &s.Cases[i]
		info, err := os.Stat(filepath.Join(folder, c.Model))
		if err != nil {
			t.Fatal(err)
		}
		n := allocated(func() { s.RunCase(t.Context(), c, conformance.Options{}) })
		if limit := uint64(1<<20 + 40*info.Size()); n > limit {
			t.Errorf("%s: %d bytes allocated, at most %d expected", c.Name, n, limit)
		}
	}
}

// TestLengthBeyondTheFile is a file of 40 bytes, in which a length says 2^63.
func TestLengthBeyondTheFile(t *testing.T) {
	data := append([]byte{0xe2, 0x44, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}, make([]byte, 28)...)
	n := allocated(func() {
		_, err := onnxpb.ReadSkeleton(bytes.NewReader(data), int64(len(data)))
		var wire *onnxpb.WireError
		if !errors.As(err, &wire) || wire.Offset != 0 || !strings.Contains(err.Error(), "9223372036854775808 bytes") {
			t.Errorf("got %v", err)
		}
	})
	if n > 1<<20 {
		t.Errorf("%d bytes allocated", n)
	}
}

// TestManyDeclarations checks 100,000 declarations, of which each refers to the next but for
// every 32nd, with what the wire and the codecs add.
func TestManyDeclarations(t *testing.T) {
	const n = 100_000
	m := &onnxpb.ModelProto{IrVersion: 13, StructTypes: make([]*onnxpb.StructTypeProto, n)}
	for i := range m.StructTypes {
		element := &onnxpb.TypeProto{Value: &onnxpb.TypeProto_StructType{StructType: &onnxpb.StructTypeProto{
			Kind: &onnxpb.StructTypeProto_TypeIndex{TypeIndex: int32(i + 1)},
		}}}
		if i%32 == 31 || i == n-1 {
			element = typeProto(2, nil)
		}
		m.StructTypes[i] = &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Array_{
			Array: &onnxpb.StructTypeProto_Array{ElementType: element, Dimension: 1},
		}}
	}
	var file bytes.Buffer
	if err := onnxpb.WriteModel(&file, m); err != nil {
		t.Fatal(err)
	}
	s, err := onnxpb.ReadSkeleton(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if findings := codec.Check(s.Model, structview.CheckOptions{}); len(findings) != 0 {
		t.Errorf("%d findings, the first: %v", len(findings), findings[0])
	}
}
