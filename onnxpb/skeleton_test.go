// SPDX-License-Identifier: Apache-2.0

package onnxpb

import (
	"bytes"
	"io"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"
)

func read(t testing.TB, wire []byte) *Skeleton {
	t.Helper()
	s, err := ReadSkeleton(bytes.NewReader(wire), int64(len(wire)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// restore puts the payloads back into the messages.
func restore(t testing.TB, s *Skeleton) {
	t.Helper()
	visit(s.Model.ProtoReflect(), func(m proto.Message) {
		r := s.Reader(m)
		if r == nil {
			return
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		fd := m.ProtoReflect().Descriptor().Fields().ByName("raw_data")
		if m.ProtoReflect().Has(fd) {
			t.Fatal("raw_data both in the message and in the file")
		}
		m.ProtoReflect().Set(fd, protoreflect.ValueOfBytes(raw))
	})
}

// A skeleton with its payloads put back is what proto.Unmarshal makes of the same
// bytes, and so is what it writes.
func TestSkeletonEqualsUnmarshal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		wire, err := proto.Marshal(randomModel(rt))
		if err != nil {
			rt.Fatal(err)
		}
		// Twice the same model behind itself: singular messages are merged.
		if rapid.Bool().Draw(rt, "twice") {
			wire = append(wire, wire...)
		}
		compareWithUnmarshal(t, wire)
	})
}

func compareWithUnmarshal(t testing.TB, wire []byte) {
	t.Helper()
	want := &ModelProto{}
	if err := proto.Unmarshal(wire, want); err != nil {
		t.Fatal(err)
	}
	s := read(t, wire)
	var out bytes.Buffer
	if err := s.Write(&out); err != nil {
		t.Fatal(err)
	}
	visit(s.Model.ProtoReflect(), func(m proto.Message) {
		fd := m.ProtoReflect().Descriptor().Fields().ByName("raw_data")
		if fd != nil && len(m.ProtoReflect().Get(fd).Bytes()) > LongConstant {
			t.Error("a long payload was read")
		}
	})
	restore(t, s)
	if !proto.Equal(s.Model, want) {
		t.Errorf("skeleton differs from proto.Unmarshal\ngot  %v\nwant %v", s.Model, want)
	}
	again := &ModelProto{}
	if err := proto.Unmarshal(out.Bytes(), again); err != nil {
		t.Fatal(err)
	}
	if !proto.Equal(again, want) {
		t.Errorf("what was written differs\ngot  %v\nwant %v", again, want)
	}
	// The restored model is written in the same bytes, now from memory.
	var restored bytes.Buffer
	if err := WriteModel(&restored, s.Model); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(restored.Bytes(), out.Bytes()) {
		t.Error("payloads in memory are written differently from payloads in the file")
	}
}

// places returns a model that has a payload of n bytes in each place that the
// schema has, and the wire path of each.
func places(n int) *ModelProto {
	next := byte(0)
	tensor := func() *TensorProto {
		next++
		return &TensorProto{Name: string('a' + next), Dims: []int64{int64(n)}, RawData: bytes.Repeat([]byte{next}, n)}
	}
	value := func(t *StructTypeProto) *StructProto {
		next++
		return &StructProto{Type: -1, StructType: t, RawData: bytes.Repeat([]byte{next}, n)}
	}
	constant := func() *StructTypeProto {
		field := &StructTypeProto_Field{Name: "c", Content: &StructTypeProto_Field_Constant{Constant: tensor()}}
		return &StructTypeProto{Kind: &StructTypeProto_Structure_{Structure: &StructTypeProto_Structure{Field: []*StructTypeProto_Field{field}}}}
	}
	function := func() *FunctionProto {
		return &FunctionProto{
			Node:           []*NodeProto{{Attribute: []*AttributeProto{{Name: "value", T: tensor()}}}},
			AttributeProto: []*AttributeProto{{Name: "many", Tensors: []*TensorProto{tensor(), {Name: "short"}, tensor()}}},
		}
	}
	graph := func() *GraphProto {
		return &GraphProto{
			Initializer:       []*TensorProto{tensor(), {Name: "short", RawData: []byte{1}}, tensor()},
			SparseInitializer: []*SparseTensorProto{{Values: tensor(), Indices: tensor()}},
			StructInitializer: []*StructProto{value(constant())},
			Input:             []*ValueInfoProto{{Type: &TypeProto{Value: &TypeProto_StructType{StructType: constant()}}}},
		}
	}
	whole := graph()
	whole.Node = []*NodeProto{{Attribute: []*AttributeProto{
		{G: graph(), SparseTensor: &SparseTensorProto{Values: tensor()}},
		{Graphs: []*GraphProto{graph()}, SparseTensors: []*SparseTensorProto{{Indices: tensor()}}},
		{Tp: &TypeProto{Value: &TypeProto_StructType{StructType: constant()}}},
	}}}
	declaration := constant()
	declaration.Decoder, declaration.Encoder = function(), function()
	return &ModelProto{
		Graph:        whole,
		Functions:    []*FunctionProto{function()},
		StructTypes:  []*StructTypeProto{declaration},
		TrainingInfo: []*TrainingInfoProto{{Initialization: graph()}},
	}
}

func TestSkeletonElidesEverywhere(t *testing.T) {
	wire, err := proto.Marshal(places(LongConstant + 1))
	if err != nil {
		t.Fatal(err)
	}
	s := read(t, wire)
	if want := len(wire) / LongConstant; want < 40 || len(s.payloads) != want {
		t.Errorf("%d payloads left in the file, %d expected", len(s.payloads), want)
	}
	if n := proto.Size(s.Model); n > 2000 {
		t.Errorf("%d bytes of model without its payloads", n)
	}
	compareWithUnmarshal(t, wire)
}

// Constants stay in memory where payloads of the same length do not: a reader
// needs them to understand a declaration or a function.
func TestSkeletonKeepsConstants(t *testing.T) {
	m := places(LongPayload + 1)
	wire, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	s := read(t, wire)
	compareWithUnmarshal(t, wire)
	left := map[string]int{}
	for m := range s.payloads {
		left[string(m.ProtoReflect().Descriptor().Name())]++
	}
	// Four graphs, each with two initializers, one sparse one, one value.
	if left["TensorProto"] != 4*4 || left["StructProto"] != 4 {
		t.Errorf("left in the file: %v", left)
	}
	declaration := s.Model.StructTypes[0]
	if n := len(declaration.GetStructure().Field[0].GetConstant().RawData); n != LongPayload+1 {
		t.Errorf("%d bytes of the declaration's constant", n)
	}
	if n := len(declaration.Decoder.Node[0].Attribute[0].T.RawData); n != LongPayload+1 {
		t.Errorf("%d bytes of the decoder's constant", n)
	}
}

// Readers with explicit presence look for the value field of an attribute.
func TestWriteModelWritesZeroAttributes(t *testing.T) {
	attribute := func(a *AttributeProto) *ModelProto {
		return &ModelProto{Graph: &GraphProto{Node: []*NodeProto{{OpType: "n", Attribute: []*AttributeProto{a}}}}}
	}
	cases := []struct {
		a    *AttributeProto
		want []byte // of the attribute
	}{
		{&AttributeProto{Name: "a", Type: AttributeProto_FLOAT}, join(sub(1, []byte("a")), num(20, 1), []byte{0x15, 0, 0, 0, 0})},
		{&AttributeProto{Name: "a", Type: AttributeProto_INT}, join(sub(1, []byte("a")), num(20, 2), num(3, 0))},
		{&AttributeProto{Name: "a", Type: AttributeProto_STRING}, join(sub(1, []byte("a")), num(20, 3), sub(4))},
		{&AttributeProto{Name: "a", Type: AttributeProto_INT, I: 7}, join(sub(1, []byte("a")), num(3, 7), num(20, 2))},
		{&AttributeProto{Name: "a", Type: AttributeProto_INT, RefAttrName: "b"}, join(sub(1, []byte("a")), num(20, 2), sub(21, []byte("b")))},
		{&AttributeProto{Name: "a", Type: AttributeProto_INTS}, join(sub(1, []byte("a")), num(20, 7))},
	}
	for _, c := range cases {
		var got bytes.Buffer
		if err := WriteModel(&got, attribute(c.a)); err != nil {
			t.Fatal(err)
		}
		if want := sub(7, sub(1, sub(4, []byte("n")), sub(5, c.want))); !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%v\ngot  % x\nwant % x", c.a, got.Bytes(), want)
		}
	}
}

// The last raw_data of a message counts, as it does for every singular field.
func TestSkeletonLastPayloadWins(t *testing.T) {
	raw := func(n int, value byte) []byte {
		b := protowire.AppendTag(nil, 9, protowire.BytesType)
		return protowire.AppendBytes(b, bytes.Repeat([]byte{value}, n))
	}
	for _, tensor := range [][]byte{
		append(raw(2000, 1), raw(5, 2)...),
		append(raw(5, 1), raw(2000, 2)...),
		append(raw(2000, 1), raw(3000, 2)...),
		append(raw(2000, 1), raw(0, 2)...),
	} {
		graph := protowire.AppendBytes(protowire.AppendTag(nil, 5, protowire.BytesType), tensor)
		compareWithUnmarshal(t, protowire.AppendBytes(protowire.AppendTag(nil, 7, protowire.BytesType), graph))
	}
}

func TestSkeletonKeepsUnknownFields(t *testing.T) {
	m := places(2000)
	m.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 5000, protowire.VarintType), 7))
	m.Graph.Initializer[0].ProtoReflect().SetUnknown(
		protowire.AppendString(protowire.AppendTag(nil, 77, protowire.BytesType), "kept"))
	wire, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	compareWithUnmarshal(t, wire)
	var out bytes.Buffer
	if err := read(t, wire).Write(&out); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(out.Bytes(), []byte("kept")) {
		t.Error("the unknown field of a tensor was lost")
	}
}

// Long runs of plain fields are merged in pieces.
func TestSkeletonLongPlainFields(t *testing.T) {
	numbers := make([]int64, 200_000)
	for i := range numbers {
		numbers[i] = int64(i) << 20
	}
	wire, err := proto.Marshal(&ModelProto{Graph: &GraphProto{Node: []*NodeProto{{Attribute: []*AttributeProto{
		{Name: "unpacked", Ints: numbers, Type: AttributeProto_INTS},
		{T: &TensorProto{Int64Data: numbers, Name: "packed"}},
	}}}}})
	if err != nil {
		t.Fatal(err)
	}
	compareWithUnmarshal(t, wire)
}

func TestSkeletonEmpty(t *testing.T) {
	if s := read(t, nil); !proto.Equal(s.Model, &ModelProto{}) {
		t.Errorf("an empty file is the model %v", s.Model)
	}
}
