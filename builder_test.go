// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/syntax"
	"github.com/structview/structview/tensor"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"pgregory.net/rapid"
)

const q4Text = `<ir_version: 13, opset_import: ["": 26]>

## a scale and codes
struct q4 <metadata_props: ["values": "32"]> {
  ## of the block
  float16 d
  bits(lo: 4, hi: 4)[16] qs
  float[2] book = {-1, 1}
}
decoder <opset_import: ["": 26]> (d, qs.lo) => (y) {
  s = Cast <to = 1> (d)
  q = Cast <to = 1> (qs.lo)
  last = Constant <value_ints = [-1]> ()
  s1 = Unsqueeze (s, last)
  y = Mul (q, s1)
}

struct row {
  int4[3, 2] m
  array(q4, 2) blocks
  array(uint8, 3) bytes
  struct {
    double x
  } inner
}
`

const q4Decoder = `decoder <opset_import: ["": 26]> (d, qs.lo) => (y) {
  s = Cast <to = 1> (d)
  q = Cast <to = 1> (qs.lo)
  last = Constant <value_ints = [-1]> ()
  s1 = Unsqueeze (s, last)
  y = Mul (q, s1)
}`

// builtQ4 is the declaration q4 of q4Text.
func builtQ4(t testing.TB) *structview.Declaration {
	decoder, err := syntax.ParseFunction("q4", []byte(q4Decoder))
	if err != nil {
		t.Fatal(err)
	}
	return structview.Structure(
		structview.FieldOf("d", structview.Scalar(tensor.Float16)).Doc("of the block"),
		structview.FieldOf("qs", structview.Bits(16, structview.ComponentOf("lo", 4), structview.ComponentOf("hi", 4))),
		structview.Constant("book", tensor.Of([]int64{2}, float32(-1), 1)),
	).Named("q4").Doc("a scale and codes").Metadata("values", "32").Decoder(decoder)
}

func builtRow(t testing.TB) (q4, row *structview.Declaration) {
	q4 = builtQ4(t)
	row = structview.Structure(
		structview.FieldOf("m", structview.Tensor(tensor.Int4, 3, 2)),
		structview.FieldOf("blocks", structview.Array(2, structview.RefTo(q4))),
		structview.FieldOf("bytes", structview.Array(3, structview.Scalar(tensor.Uint8))),
		structview.FieldOf("inner", structview.Structure(structview.FieldOf("x", structview.Scalar(tensor.Double)))),
	).Named("row")
	return q4, row
}

func TestBuiltDeclarationsEqualTheText(t *testing.T) {
	want, err := syntax.Parse("q4", []byte(q4Text))
	if err != nil {
		t.Fatal(err)
	}
	_, row := builtRow(t)
	got := &onnxpb.ModelProto{IrVersion: 13, OpsetImport: want.OpsetImport, StructTypes: structview.Declare(row)}
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
}

func TestBuiltModel(t *testing.T) {
	q4, row := builtRow(t)
	scaled, err := syntax.ParseFunction("scaled", []byte(`<domain: "demo", opset_import: ["": 26, "demo": 1]> scaled (x) => (y) { y = Mul(x, x) }`))
	if err != nil {
		t.Fatal(err)
	}
	b := structview.NewModel("weights").Function(scaled).Metadata("licence", "CC0")
	rows := b.Declare(structview.Array(2, structview.RefTo(row)).Named("rows"))
	if i := b.Declare(q4); i != 0 || rows != 2 {
		t.Errorf("q4 is %d, rows %d", i, rows)
	}
	d, findings := structview.Resolve(structview.Declare(row))
	if findings != nil {
		t.Fatal(findings)
	}
	size, _ := must(d.At(1)).Bytes()
	m, err := b.Value("w", rows, make([]byte, 2*size)).
		External("x", rows, structview.External{Location: "w.bin", Offset: 64, Length: int64(2 * size)}).
		Initializer("t", tensor.Of([]int64{2}, int8(1), 2)).Build()
	if err != nil {
		t.Fatal(err)
	}
	if findings := structview.Check(m, structview.CheckOptions{}); len(findings) > 0 {
		t.Error(findings)
	}
	if got := len(m.GetStructTypes()); got != 3 {
		t.Errorf("%d declarations", got)
	}
	if o := m.GetOpsetImport(); len(o) != 2 || o[0].GetVersion() != 26 || o[1].GetDomain() != "demo" {
		t.Error(o)
	}
	again, err := structview.ExtendModel(proto.Clone(m).(*onnxpb.ModelProto)).Build()
	if err != nil || !proto.Equal(m, again) {
		t.Errorf("%v: a model changes that nothing is added to", err)
	}
	more := structview.ExtendModel(again)
	one := more.Declare(structview.Structure(structview.FieldOf("q", structview.RefIndex(0))))
	again, err = more.Value("one", one, make([]byte, 18)).Build()
	if err != nil || one != 3 || len(again.GetStructTypes()) != 4 {
		t.Error(one, err)
	}
}

func TestEmptyModel(t *testing.T) {
	m, err := structview.ExtendModel(&onnxpb.ModelProto{}).Initializer("x", tensor.Of(nil, int8(1))).Build()
	if err != nil || m.GetOpsetImport()[0].GetVersion() != 26 {
		t.Error(m, err)
	}
}

func TestBuilderMisuse(t *testing.T) {
	q4 := builtQ4(t)
	for _, c := range []struct {
		what string
		err  error
		want string
	}{
		{"no element", second(structview.Array(3, nil).Type()), "SV009 error: struct_types[0].array: element_type is missing"},
		{"no part", second(structview.Structure(structview.FieldOf("x", nil)).Type()), `SV009 error: struct_types[0].structure.field[0]: field "x" has neither type nor constant`},
		{"no constant", second(structview.Structure(structview.Constant("x", nil)).Type()), `SV009 error: struct_types[0].structure.field[0]: field "x" has neither type nor constant`},
		{"empty field", second(structview.Structure(structview.FieldDeclaration{}).Type()), `SV009 error: struct_types[0].structure.field[0]: field "" has neither type nor constant (and 1 more)`},
		{"no width", second(structview.Bits(1, structview.ComponentOf("x", 0)).Type()), `SV011 error: struct_types[0].bit_packing.component[0]: component "x" has no width: bit_width is at least 1`},
		{"reference to nothing", second(structview.Array(1, structview.RefTo(nil)).Type()), "SV008 error: struct_types[0].array.element_type.struct_type: type_index -1 names no declaration: struct_types has only entry 0"},
		{"an index that no entry has", second(structview.Array(1, structview.RefIndex(7)).Type()), "SV008 error: struct_types[0].array.element_type.struct_type: type_index 7 names no declaration: struct_types has only entry 0"},
		{"nothing inline", second(structview.Array(1, (*structview.Declaration)(nil)).Type()), "SV009 error: struct_types[0].array.element_type: the type selects no value"},
		{"nothing", second((*structview.Declaration)(nil).Type()), "SV003 error: struct_types[0]: a root selects array, structure or bit_packing; kind is unset"},
		{"strings", second(structview.Array(1, structview.Scalar(tensor.String)).Type()), "SV012 error: struct_types[0].array.element_type.tensor_type: a leaf has an element type of fixed width; found STRING"},
		{"dimension", second(structview.Array(1, structview.Tensor(tensor.Float, -1)).Type()), "SV012 error: struct_types[0].array.element_type.tensor_type.shape.dim[0]: dimension 0 is negative: -1"},
		{"twice", second(structview.Structure(structview.FieldOf("x", structview.Scalar(tensor.Int8)), structview.Constant("x", tensor.Of(nil, int8(1)))).Type()), `SV010 error: struct_types[0].structure.field[1]: field 1 has the name "x" of field 0`},
		{"payload", func() error {
			b := structview.NewModel("g")
			return second(b.Value("w", b.Declare(q4), make([]byte, 17)).Build())
		}(), `SV022 error: graph.struct_initializer[0]: raw_data has 17 bytes; "q4" takes 18`},
		{"index of a value", second(structview.NewModel("g").Value("w", 2, nil).Build()), "SV002 error: graph.struct_initializer[0]: type 2 names no declaration: struct_types is empty"},
		{"location", func() error {
			b := structview.NewModel("g")
			return second(b.External("w", b.Declare(q4), structview.External{Location: "../w.bin", Length: 18}).Build())
		}(), `SV024 error: graph.struct_initializer[0]: the location "../w.bin" leaves the model's folder; it is a path of a file below the model's folder`},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.what, c.err, c.want)
		}
	}
	if err := second(structview.Array(1, structview.RefTo(nil)).Type()); !errors.Is(err, structview.ErrReference) {
		t.Error(err)
	}
}

// TestBuildersMakeRandomDeclarations rebuilds random messages with the builders.
func TestBuildersMakeRandomDeclarations(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		want := declarations(rt)
		var built []*structview.Declaration
		for _, d := range want {
			built = append(built, rebuild(rt, d, built))
		}
		got := structview.Declare(built...)
		if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func rebuild(t *rapid.T, d *decl, built []*structview.Declaration) *structview.Declaration {
	switch {
	case d.GetArray() != nil:
		return structview.Array(d.GetArray().Dimension, rebuildPart(t, d.GetArray().ElementType, built))
	case d.GetBitPacking() != nil:
		var components []structview.Component
		for _, c := range d.GetBitPacking().Component {
			components = append(components, structview.ComponentOf(c.Name, c.BitWidth))
		}
		return structview.Bits(d.GetBitPacking().Dimension, components...)
	}
	var fields []structview.FieldDeclaration
	for _, f := range d.GetStructure().Field {
		if c := f.GetConstant(); c != nil {
			x, err := tensor.FromProto(c)
			ok(t, err)
			fields = append(fields, structview.Constant(f.Name, x))
			continue
		}
		fields = append(fields, structview.FieldOf(f.Name, rebuildPart(t, f.GetType(), built)))
	}
	return structview.Structure(fields...)
}

func rebuildPart(t *rapid.T, tp *typ, built []*structview.Declaration) structview.Part {
	if d := tp.GetStructType(); d != nil {
		if k, ok := d.Kind.(*onnxpb.StructTypeProto_TypeIndex); ok {
			return structview.RefTo(built[k.TypeIndex])
		}
		return rebuild(t, d, built)
	}
	var shape []int64
	for _, d := range tp.GetTensorType().Shape.Dim {
		shape = append(shape, d.GetDimValue())
	}
	return structview.Tensor(tensor.Type(tp.GetTensorType().ElemType), shape...)
}
