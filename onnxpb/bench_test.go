// SPDX-License-Identifier: Apache-2.0

package onnxpb

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"
)

// weights returns a model with 256 MiB of inline initializers: 64 float matrices of
// 1024 by 1024.
func weights(b *testing.B) []byte {
	b.Helper()
	g := &GraphProto{}
	for i := range 64 {
		raw := bytes.Repeat([]byte{byte(i)}, 4<<20)
		g.Initializer = append(g.Initializer, &TensorProto{Name: fmt.Sprintf("layer.%d.weight", i), Dims: []int64{1 << 10, 1 << 10}, DataType: 1, RawData: raw})
	}
	wire, err := proto.Marshal(&ModelProto{Graph: g, IrVersion: 13})
	if err != nil {
		b.Fatal(err)
	}
	return wire
}

// BenchmarkOpen reads the same 256 MiB of initializers three ways.
func BenchmarkOpen(b *testing.B) {
	wire := weights(b)
	b.Run("Skeleton", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ReadSkeleton(bytes.NewReader(wire), int64(len(wire))); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("SkeletonOfFile", func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "weights.onnx")
		if err := os.WriteFile(path, wire, 0o600); err != nil {
			b.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ReadSkeleton(f, int64(len(wire))); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Unmarshal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := proto.Unmarshal(wire, &ModelProto{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkDeclarations reads a model that has no payload to skip.
func BenchmarkDeclarations(b *testing.B) {
	m := &ModelProto{Graph: &GraphProto{}}
	for i := range 100_000 {
		packing := &StructTypeProto_BitPacking{Dimension: uint64(i), Component: []*StructTypeProto_BitPacking_Component{{Name: "c", BitWidth: 8}}}
		m.StructTypes = append(m.StructTypes, &StructTypeProto{Kind: &StructTypeProto_BitPacking_{BitPacking: packing}})
		m.Graph.StructInitializer = append(m.Graph.StructInitializer, &StructProto{Type: int32(i), Name: fmt.Sprint(i), RawData: []byte{1, 2, 3}})
	}
	wire, err := proto.Marshal(m)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(wire)))
	for b.Loop() {
		if _, err := ReadSkeleton(bytes.NewReader(wire), int64(len(wire))); err != nil {
			b.Fatal(err)
		}
	}
}
