// SPDX-License-Identifier: Apache-2.0

package onnxpb

import (
	"bytes"
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// sub writes a field of wire type bytes.
func sub(number protowire.Number, values ...[]byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), bytes.Join(values, nil))
}

func num(number protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), v)
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

var badWire = []struct {
	name  string
	wire  []byte
	error string
}{
	{"tag ends", []byte{0x80}, "onnxpb: byte 0: a number expected to end inside its message, which has 1 bytes left"},
	{"value is missing", []byte{0x08}, "onnxpb: byte 0: ir_version: a number expected to end inside its message, which has 0 bytes left"},
	{"number of 11 bytes", append([]byte{0x08}, bytes.Repeat([]byte{0xff}, 11)...), "onnxpb: byte 0: ir_version: a number expected to fit in 64 bits"},
	{
		"length of 2^63", append(join(num(1, 13), []byte{0x3a}), protowire.AppendVarint(nil, 1<<63)...),
		"onnxpb: byte 2: graph: a value of 9223372036854775808 bytes expected to lie inside its message, which has 0 bytes left",
	},
	{
		"length of 2^64-1", append(sub(2, []byte("p")), append([]byte{0x3a}, protowire.AppendVarint(nil, math.MaxUint64)...)...),
		"onnxpb: byte 3: graph: a value of 18446744073709551615 bytes expected to lie inside its message, which has 0 bytes left",
	},
	{
		"raw_data ends outside its tensor",
		join(num(1, 13), sub(7, sub(5, sub(8, []byte("w"))), sub(5, []byte{0x4a, 0x7f, 1, 2})), sub(2, make([]byte, 200))),
		"onnxpb: byte 11: graph.initializer[1].raw_data: a value of 127 bytes expected to lie inside its message, which has 2 bytes left",
	},
	{"fixed32 is short", sub(7, sub(1, sub(5, []byte{0x15, 1, 2, 3}))), "onnxpb: byte 6: graph.node[0].attribute[0].f: a value of 4 bytes expected to lie inside its message, which has 3 bytes left"},
	{"fixed64 is short", []byte{0xd1, 0x3e, 1}, "onnxpb: byte 0: 1002: a value of 8 bytes expected to lie inside its message, which has 1 bytes left"},
	{"string as a number", num(2, 5), "onnxpb: byte 0: producer_name: wire type 2 (string) expected, 0 found"},
	{"number as a string", sub(1, []byte("x")), "onnxpb: byte 0: ir_version: wire type 0 (int64) expected, 2 found"},
	{"message as a number", sub(7, num(1, 2)), "onnxpb: byte 2: graph.node: wire type 2 (message) expected, 0 found"},
	{"float as a number", sub(7, sub(5, num(4, 1))), "onnxpb: byte 4: graph.initializer[0].float_data: wire type 5 (float) expected, 0 found"},
	{
		"packed floats of 5 bytes", sub(7, sub(5, num(1, 2), sub(4, make([]byte, 5)))),
		"onnxpb: byte 6: graph.initializer[0].float_data: 5 bytes expected to be a packed list of floats",
	},
	{
		"packed numbers end", sub(7, sub(5, sub(8, []byte("w")), sub(7, []byte{1, 0x80}))),
		"onnxpb: byte 7: graph.initializer[0].int64_data: 2 bytes expected to be a packed list of int64s",
	},
	{"field 0", []byte{0x00, 0x00}, "onnxpb: byte 0: field number 0 expected to be 1 to 536870911"},
	{"field 2^29", append(protowire.AppendVarint(nil, 1<<32), 0), "onnxpb: byte 0: field number 536870912 expected to be 1 to 536870911"},
	{"wire type 6", []byte{0x0e}, "onnxpb: byte 0: ir_version: wire type 6 expected to be 0 to 5"},
	{"group as a message", []byte{0x3b, 0x3c}, "onnxpb: byte 0: graph: wire type 2 (message) expected, 3 found"},
	{"group without an end", []byte{0x83, 0x7d, 0x08}, "onnxpb: byte 2: 1: a number expected to end inside its message, which has 0 bytes left"},
	{"group without a beginning", sub(7, []byte{0x84, 0x7d}), "onnxpb: byte 2: graph.2000: the end of a group found where none began"},
	{"group ends as another", []byte{0x83, 0x7d, 0x8c, 0x7d}, "onnxpb: byte 2: 2001: the end of group 2000 expected, the end of group 2001 found"},
	{
		"group ends outside its message", join(sub(7, []byte{0x83, 0x7d}), []byte{0x84, 0x7d}),
		"onnxpb: byte 2: graph.2000: a group expected to end inside its message",
	},
}

func TestSkeletonRefusesBadWire(t *testing.T) {
	for _, c := range badWire {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadSkeleton(bytes.NewReader(c.wire), int64(len(c.wire)))
			var wire *WireError
			if !errors.As(err, &wire) || err.Error() != c.error {
				t.Errorf("got  %v\nwant %s", err, c.error)
			}
		})
	}
}

// Whatever is cut off, the error is at or before the cut and nothing panics.
func TestSkeletonRefusesTruncation(t *testing.T) {
	wire, err := proto.Marshal(places(5))
	if err != nil {
		t.Fatal(err)
	}
	whole := 0
	for n := range wire {
		_, err := ReadSkeleton(bytes.NewReader(wire[:n]), int64(n))
		var bad *WireError
		switch {
		case err == nil:
			whole++ // between two fields of the model
		case !errors.As(err, &bad) || bad.Offset > int64(n):
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
	if whole > 10 {
		t.Errorf("%d prefixes of a model are models", whole)
	}
}

func TestSkeletonDepth(t *testing.T) {
	// 300 inline levels of declarations are 900 messages: deep, and readable.
	inline := func(levels int) []byte {
		var b []byte
		for range levels {
			b = sub(1, sub(1, sub(1100, b))) // array, element_type, struct_type
		}
		return sub(1100, b)
	}
	wire := inline(300)
	if _, err := ReadSkeleton(bytes.NewReader(wire), int64(len(wire))); err != nil {
		t.Error(err)
	}
	wire = inline(2000)
	_, err := ReadSkeleton(bytes.NewReader(wire), int64(len(wire)))
	var bad *WireError
	if !errors.As(err, &bad) || bad.Message != "messages expected to nest at most 1000 levels deep" {
		t.Errorf("2000 levels: %.200v", err)
	}
	if bad != nil && !strings.HasPrefix(bad.Path, "struct_types[0].array.element_type.struct_type.array.") {
		t.Errorf("path %.100s", bad.Path)
	}
	groups := bytes.Repeat([]byte{0x83, 0x7d}, 50_000)
	if _, err := ReadSkeleton(bytes.NewReader(groups), int64(len(groups))); err == nil || !strings.Contains(err.Error(), "at most 1000 levels") {
		t.Errorf("50000 groups: %.200v", err)
	}
}

// A short file that promises much makes nobody allocate.
func TestSkeletonAllocatesNothingForBadWire(t *testing.T) {
	hostile := [][]byte{}
	for _, number := range []protowire.Number{7, 2, 14, 1100, 25, 9000} {
		for _, length := range []uint64{1 << 63, 1 << 31, 1 << 40, math.MaxUint64} {
			b := protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.BytesType), length)
			hostile = append(hostile, append(b, make([]byte, 40-len(b))...))
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, wire := range hostile {
		if _, err := ReadSkeleton(bytes.NewReader(wire), int64(len(wire))); err == nil {
			t.Errorf("% x is read", wire)
		}
	}
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) / uint64(len(hostile)); n > 64<<10 {
		t.Errorf("%d bytes allocated for a file of 40 bytes", n)
	}
}

// huge is a file of a header, a payload that exists nowhere, and a trailer. It
// counts what is read.
type huge struct {
	head, tail []byte
	payload    int64
	read       int64
}

func (h *huge) size() int64 { return int64(len(h.head)) + h.payload + int64(len(h.tail)) }

func (h *huge) ReadAt(b []byte, at int64) (int, error) {
	n := 0
	for ; n < len(b); n++ {
		switch p := at + int64(n); {
		case p < int64(len(h.head)):
			b[n] = h.head[p]
		case p < int64(len(h.head))+h.payload:
			b[n] = 0
		case p < h.size():
			b[n] = h.tail[p-int64(len(h.head))-h.payload]
		default:
			return n, io.EOF
		}
	}
	h.read += int64(n)
	return n, nil
}

func TestSkeletonReadsNoPayload(t *testing.T) {
	n := int64(3 << 30)
	tail := join(num(1, 2), sub(8, []byte("w")))
	field := protowire.AppendVarint(protowire.AppendTag(nil, 9, protowire.BytesType), uint64(n))
	tensor := protowire.AppendVarint(protowire.AppendTag(nil, 5, protowire.BytesType), uint64(len(field)+len(tail))+uint64(n))
	graph := protowire.AppendVarint(protowire.AppendTag(nil, 7, protowire.BytesType), uint64(len(tensor)+len(field)+len(tail))+uint64(n))
	h := &huge{head: join(graph, tensor, field), tail: join(tail, num(1, 13)), payload: n}

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := ReadSkeleton(h, h.size())
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; h.read > 16<<10 || allocated > 64<<10 {
		t.Errorf("%d bytes read, %d allocated", h.read, allocated)
	}
	w := s.Model.Graph.Initializer[0]
	at, ok := s.Payload(w)
	if want := (Region{int64(len(h.head)), n}); !ok || at != want {
		t.Errorf("payload at %v (%v), want %v", at, ok, want)
	}
	if w.Name != "w" || s.Model.IrVersion != 13 {
		t.Errorf("what follows the payload is %v", s.Model)
	}
}

// A reader that is shorter than it says is an error, not an endless wait.
func TestSkeletonShortReader(t *testing.T) {
	wire := sub(2, make([]byte, 100))
	_, err := ReadSkeleton(bytes.NewReader(wire[:50]), int64(len(wire)))
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
	if _, err := ReadSkeleton(bytes.NewReader(nil), -1); err == nil {
		t.Error("a negative size is read")
	}
}

func TestSkeletonFindings(t *testing.T) {
	typeOf := func(values ...[]byte) []byte { return sub(7, sub(11, sub(2, values...))) } // graph.input[0].type
	dual := func(path, first, second string, offset int64) Finding {
		return Finding{"SV000", path, "both " + first + " and " + second + " are on the wire; the last one wins", true, offset}
	}
	foreign := func(path, message string, offset int64) Finding {
		return Finding{"SV056", path, "field 1000 of " + message + ": onnx-light dialect, not read", false, offset}
	}
	cases := []struct {
		name string
		wire []byte
		want []Finding
	}{
		{"clean", join(sub(1100, sub(1, num(2, 3))), sub(1100, num(5, 0))), nil},
		{"the same member twice", sub(1100, sub(1, num(2, 3)), sub(1, num(2, 4))), nil},
		{"kind", sub(1100, sub(1, num(2, 3)), num(5, 7)), []Finding{dual("struct_types[0].kind", "array", "type_index", 7)}},
		{"kind, three members, reported once", sub(1100, num(5, 0), sub(2), sub(3)), []Finding{dual("struct_types[0].kind", "type_index", "structure", 5)}},
		{
			"content", sub(1100, sub(2, sub(1, sub(4), sub(2)))),
			[]Finding{dual("struct_types[0].structure.field[0].content", "constant", "type", 9)},
		},
		{"value", typeOf(sub(1), sub(1100)), []Finding{dual("graph.input[0].type.value", "tensor_type", "struct_type", 8)}},
		{"value of a dimension", typeOf(sub(1, sub(2, sub(1, num(1, 0), sub(2, []byte("N")))))), []Finding{
			dual("graph.input[0].type.tensor_type.shape.dim[0].value", "dim_value", "dim_param", 14),
		}},
		{"a message in two halves", join(sub(7, sub(11, sub(2, sub(1)), sub(2, sub(1100))))), []Finding{dual("graph.input[0].type.value", "tensor_type", "struct_type", 10)}},
		{"two messages", join(sub(1100, sub(1)), sub(1100, sub(2))), nil},
		{"onnx-light in the model", sub(1000, []byte("x")), []Finding{foreign("1000", "ModelProto", 0)}},
		{"onnx-light in the graph", sub(7, sub(2, []byte("g")), sub(1000)), []Finding{foreign("graph.1000", "GraphProto", 5)}},
		{"onnx-light in a type", typeOf(num(1000, 1)), []Finding{foreign("graph.input[0].type.1000", "TypeProto", 6)}},
		{"field 1000 elsewhere", sub(7, sub(1, num(1000, 1))), nil},
		{"file order", join(sub(1000), sub(1100, sub(1), num(5, 7)), sub(1000)), []Finding{
			foreign("1000", "ModelProto", 0), dual("struct_types[0].kind", "array", "type_index", 8), foreign("1000", "ModelProto", 10),
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := read(t, c.wire)
			if len(s.Findings) != len(c.want) {
				t.Fatalf("got  %v\nwant %v", s.Findings, c.want)
			}
			for i := range c.want {
				if s.Findings[i] != c.want[i] {
					t.Errorf("got  %+v\nwant %+v", s.Findings[i], c.want[i])
				}
			}
			compareWithUnmarshal(t, c.wire)
		})
	}
}
