// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"fmt"
	"math"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/syntax"
	"github.com/structview/structview/tensor"
)

// generator makes random models of everything that the text form can say, valid or not.
type generator struct {
	t     *rapid.T
	decls int
}

func (g *generator) int(lo, hi int) int { return rapid.IntRange(lo, hi).Draw(g.t, "n") }

func (g *generator) chance(percent int) bool { return g.int(1, 100) <= percent }

// list calls f up to limit times.
func list[T any](g *generator, limit int, f func() T) []T {
	var out []T
	for range g.int(0, limit) {
		out = append(out, f())
	}
	return out
}

var oddNames = []string{
	"", "float", "struct", "array", "bits", "inline", "unset", "none", "hex", "seq", "nan", "inf", "decoder", "type",
	"sparse_tensor", "elem", "undefined", "a b", "7", "a.7", "a..b", ".", "é", "\"", "\\", "\n", "\r\t\x00", "\xff\xfe",
	"[1].x", "->", "#", "## x", "\u2028", "😀", "true",
}

func (g *generator) name() string {
	if g.chance(30) {
		return rapid.SampledFrom(oddNames).Draw(g.t, "odd")
	}
	return rapid.StringMatching(`[a-z_][a-zA-Z0-9_]{0,4}(\.[a-z0-9]{1,3}){0,2}`).Draw(g.t, "name")
}

func (g *generator) doc() string {
	switch g.int(0, 9) {
	case 0:
		return rapid.SampledFrom([]string{"a doc", "two\nlines", "\n", "ends\n", "\n\nbegins", " indented\n  more", "blank \nline", "#\n##", "\r", "\xff", "\tx", "\""}).Draw(g.t, "doc")
	case 1:
		return rapid.String().Draw(g.t, "doc")
	default:
		return ""
	}
}

func (g *generator) pairs() []*onnxpb.StringStringEntryProto {
	if !g.chance(20) {
		return nil
	}
	return list(g, 3, func() *onnxpb.StringStringEntryProto {
		return &onnxpb.StringStringEntryProto{Key: g.name(), Value: g.name()}
	})
}

// foreign gives a message what the grammar has no words for.
func (g *generator) foreign(m proto.Message) {
	if g.chance(5) {
		m.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 999, protowire.VarintType), 7))
	}
}

func (g *generator) opsets() []*onnxpb.OperatorSetIdProto {
	return list(g, 2, func() *onnxpb.OperatorSetIdProto {
		return &onnxpb.OperatorSetIdProto{Domain: g.name(), Version: rapid.Int64().Draw(g.t, "version")}
	})
}

func (g *generator) elem() int32 {
	if g.chance(10) {
		return rapid.Int32().Draw(g.t, "elem")
	}
	return int32(g.int(0, 26))
}

func (g *generator) shape() *onnxpb.TensorShapeProto {
	if g.chance(10) {
		return nil
	}
	return &onnxpb.TensorShapeProto{Dim: list(g, 3, func() *onnxpb.TensorShapeProto_Dimension {
		d := &onnxpb.TensorShapeProto_Dimension{}
		switch g.int(0, 3) {
		case 0:
			d.Value = &onnxpb.TensorShapeProto_Dimension_DimParam{DimParam: g.name()}
		case 1:
		default:
			d.Value = &onnxpb.TensorShapeProto_Dimension_DimValue{DimValue: rapid.Int64().Draw(g.t, "dim")}
		}
		if g.chance(10) {
			d.Denotation = g.name()
		}
		return d
	})}
}

func (g *generator) typ(depth int) *onnxpb.TypeProto {
	t := &onnxpb.TypeProto{}
	if g.chance(5) {
		t.Denotation = g.name()
	}
	form := g.int(0, 12)
	if depth <= 0 {
		form = 0
	}
	switch form {
	case 1:
		t.Value = &onnxpb.TypeProto_SequenceType{SequenceType: &onnxpb.TypeProto_Sequence{ElemType: g.optionalType(depth)}}
	case 2:
		t.Value = &onnxpb.TypeProto_OptionalType{OptionalType: &onnxpb.TypeProto_Optional{ElemType: g.optionalType(depth)}}
	case 3:
		t.Value = &onnxpb.TypeProto_MapType{MapType: &onnxpb.TypeProto_Map{KeyType: g.elem(), ValueType: g.optionalType(depth)}}
	case 4:
		t.Value = &onnxpb.TypeProto_OpaqueType{OpaqueType: &onnxpb.TypeProto_Opaque{Domain: g.name(), Name: g.name()}}
	case 5:
		t.Value = &onnxpb.TypeProto_SparseTensorType{SparseTensorType: &onnxpb.TypeProto_SparseTensor{ElemType: g.elem(), Shape: g.shape()}}
	case 6:
	case 7, 8, 9:
		d := &onnxpb.StructTypeProto{}
		g.kind(d, depth-1)
		if g.chance(15) {
			g.decorate(d, depth-1)
		}
		t.Value = &onnxpb.TypeProto_StructType{StructType: d}
	default:
		t.Value = &onnxpb.TypeProto_TensorType{TensorType: &onnxpb.TypeProto_Tensor{ElemType: g.elem(), Shape: g.shape()}}
	}
	return t
}

func (g *generator) optionalType(depth int) *onnxpb.TypeProto {
	if g.chance(10) {
		return nil
	}
	return g.typ(depth - 1)
}

func (g *generator) kind(d *onnxpb.StructTypeProto, depth int) {
	switch g.int(0, 6) {
	case 0:
	case 1:
		d.Kind = &onnxpb.StructTypeProto_TypeIndex{TypeIndex: int32(g.int(-2, g.decls+1))}
	case 2:
		d.Kind = &onnxpb.StructTypeProto_Array_{Array: &onnxpb.StructTypeProto_Array{
			ElementType: g.optionalType(depth), Dimension: rapid.Uint64().Draw(g.t, "n"),
		}}
	case 3, 4:
		d.Kind = &onnxpb.StructTypeProto_BitPacking_{BitPacking: &onnxpb.StructTypeProto_BitPacking{
			Dimension: rapid.Uint64().Draw(g.t, "n"),
			Component: list(g, 3, func() *onnxpb.StructTypeProto_BitPacking_Component {
				return &onnxpb.StructTypeProto_BitPacking_Component{Name: g.name(), BitWidth: rapid.Uint32().Draw(g.t, "w")}
			}),
		}}
	default:
		d.Kind = &onnxpb.StructTypeProto_Structure_{Structure: &onnxpb.StructTypeProto_Structure{
			Field: list(g, 3, func() *onnxpb.StructTypeProto_Field { return g.field(depth) }),
		}}
	}
}

func (g *generator) field(depth int) *onnxpb.StructTypeProto_Field {
	f := &onnxpb.StructTypeProto_Field{Name: g.name(), DocString: g.doc()}
	switch g.int(0, 9) {
	case 0:
	case 1, 2, 3:
		f.Content = &onnxpb.StructTypeProto_Field_Constant{Constant: g.tensor()}
	default:
		f.Content = &onnxpb.StructTypeProto_Field_Type{Type: g.typ(depth)}
	}
	return f
}

// decorate gives a declaration what only roots may have.
func (g *generator) decorate(d *onnxpb.StructTypeProto, depth int) {
	d.Name, d.DocString, d.MetadataProps = g.name(), g.doc(), g.pairs()
	g.foreign(d)
	if g.chance(30) {
		d.Decoder = g.function(depth)
	}
	if g.chance(20) {
		d.Encoder = g.function(depth)
	}
}

func (g *generator) tensor() *onnxpb.TensorProto {
	t := &onnxpb.TensorProto{DataType: g.elem()}
	t.Dims = list(g, 3, func() int64 { return int64(g.int(0, 4)) })
	g.foreign(t)
	if g.chance(10) {
		t.Name, t.DocString, t.MetadataProps = g.name(), g.doc(), g.pairs()
		t.Segment = &onnxpb.TensorProto_Segment{End: 5}
	}
	n := int64(1)
	for _, d := range t.GetDims() {
		n *= d
	}
	typ := tensor.Type(t.GetDataType())
	switch {
	case g.chance(5):
		t.DataLocation, t.ExternalData = onnxpb.TensorProto_EXTERNAL, g.pairs()
	case g.chance(5):
		t.RawData = rapid.SliceOf(rapid.Byte()).Draw(g.t, "raw")
	case g.chance(3):
		t.Dims = append(t.Dims, rapid.Int64().Draw(g.t, "dim"))
	case typ == tensor.String:
		for range n {
			t.StringData = append(t.StringData, []byte(g.name()))
		}
	case typ.Valid():
		size := int((uint64(n)*typ.Bits() + 7) / 8)
		t.RawData = rapid.SliceOfN(rapid.Byte(), size, size).Draw(g.t, "raw")
	}
	return t
}

func (g *generator) function(depth int) *onnxpb.FunctionProto {
	f := &onnxpb.FunctionProto{
		Name: g.name(), DocString: g.doc(), OpsetImport: g.opsets(), MetadataProps: g.pairs(),
		Input: list(g, 3, g.name), Output: list(g, 2, g.name), Attribute: list(g, 2, g.name),
		Node: list(g, 3, func() *onnxpb.NodeProto { return g.node(depth) }),
	}
	g.foreign(f)
	if g.chance(30) {
		f.Domain, f.Overload = g.name(), g.name()
	}
	if g.chance(30) {
		f.AttributeProto = list(g, 2, func() *onnxpb.AttributeProto { return g.attribute(depth) })
		f.ValueInfo = list(g, 2, func() *onnxpb.ValueInfoProto { return g.valueInfo(depth) })
	}
	return f
}

func (g *generator) valueInfo(depth int) *onnxpb.ValueInfoProto {
	v := &onnxpb.ValueInfoProto{Name: g.name(), Type: g.optionalType(depth), DocString: g.doc(), MetadataProps: g.pairs()}
	g.foreign(v)
	return v
}

func (g *generator) node(depth int) *onnxpb.NodeProto {
	n := &onnxpb.NodeProto{
		OpType: g.name(), DocString: g.doc(), MetadataProps: g.pairs(),
		Input: list(g, 3, g.name), Output: list(g, 2, g.name),
		Attribute: list(g, 3, func() *onnxpb.AttributeProto { return g.attribute(depth - 1) }),
	}
	if g.chance(30) {
		n.Domain, n.Overload, n.Name = g.name(), g.name(), g.name()
		n.DeviceConfigurations = list(g, 1, func() *onnxpb.NodeDeviceConfigurationProto {
			return &onnxpb.NodeDeviceConfigurationProto{ConfigurationId: g.name()}
		})
	}
	return n
}

func (g *generator) float() float32 {
	if g.chance(50) {
		return float32(g.int(-3, 3)) / 2
	}
	return math.Float32frombits(rapid.Uint32().Draw(g.t, "float"))
}

func (g *generator) attribute(depth int) *onnxpb.AttributeProto {
	a := &onnxpb.AttributeProto{Name: g.name(), DocString: g.doc(), Type: onnxpb.AttributeProto_AttributeType(g.int(0, 14))}
	if g.chance(10) || a.GetType() == 0 {
		a.RefAttrName = g.name() + "x"
		return a
	}
	g.attributeValue(a, max(depth, 0))
	return a
}

func (g *generator) attributeValue(a *onnxpb.AttributeProto, depth int) {
	bytes := func() []byte { return []byte(g.name()) }
	if depth == 0 && (a.GetType() == onnxpb.AttributeProto_GRAPH || a.GetType() == onnxpb.AttributeProto_GRAPHS) {
		a.Type = onnxpb.AttributeProto_INTS
	}
	graph := func() *onnxpb.GraphProto { return g.graph(depth - 1) }
	typ := func() *onnxpb.TypeProto { return g.typ(depth) }
	switch a.GetType() {
	case onnxpb.AttributeProto_FLOAT:
		a.F = g.float()
	case onnxpb.AttributeProto_FLOATS:
		a.Floats = list(g, 4, g.float)
	case onnxpb.AttributeProto_INT:
		a.I = rapid.Int64().Draw(g.t, "int")
	case onnxpb.AttributeProto_INTS:
		a.Ints = list(g, 4, func() int64 { return rapid.Int64().Draw(g.t, "int") })
	case onnxpb.AttributeProto_STRING:
		a.S = bytes()
	case onnxpb.AttributeProto_STRINGS:
		a.Strings = list(g, 4, bytes)
	case onnxpb.AttributeProto_TENSOR:
		a.T = g.tensor()
	case onnxpb.AttributeProto_TENSORS:
		a.Tensors = list(g, 3, g.tensor)
	case onnxpb.AttributeProto_GRAPH:
		a.G = graph()
	case onnxpb.AttributeProto_GRAPHS:
		a.Graphs = list(g, 2, graph)
	case onnxpb.AttributeProto_SPARSE_TENSOR:
		a.SparseTensor = g.sparse()
	case onnxpb.AttributeProto_SPARSE_TENSORS:
		a.SparseTensors = list(g, 2, g.sparse)
	case onnxpb.AttributeProto_TYPE_PROTO:
		a.Tp = typ()
	case onnxpb.AttributeProto_TYPE_PROTOS:
		a.TypeProtos = list(g, 2, typ)
	}
}

func (g *generator) sparse() *onnxpb.SparseTensorProto {
	s := &onnxpb.SparseTensorProto{Dims: list(g, 2, func() int64 { return int64(g.int(-1, 9)) })}
	if g.chance(80) {
		s.Values, s.Indices = g.tensor(), g.tensor()
	}
	return s
}

func (g *generator) structValue(depth int) *onnxpb.StructProto {
	s := &onnxpb.StructProto{Name: g.name(), DocString: g.doc(), Type: int32(g.int(-1, g.decls))}
	if g.chance(40) {
		if g.chance(80) {
			s.Type = -1
		}
		s.StructType = &onnxpb.StructTypeProto{}
		g.kind(s.StructType, depth)
		g.decorate(s.StructType, depth)
	}
	if g.chance(70) {
		s.RawData = rapid.SliceOf(rapid.Byte()).Draw(g.t, "raw")
	}
	s.ExternalData = g.pairs()
	g.foreign(s)
	return s
}

func (g *generator) graph(depth int) *onnxpb.GraphProto {
	value := func() *onnxpb.ValueInfoProto { return g.valueInfo(depth) }
	return &onnxpb.GraphProto{
		Name: g.name(), DocString: g.doc(), MetadataProps: g.pairs(),
		Input: list(g, 2, value), Output: list(g, 2, value), ValueInfo: list(g, 2, value),
		Initializer: list(g, 2, g.tensor), SparseInitializer: list(g, 1, g.sparse),
		StructInitializer: list(g, 2, func() *onnxpb.StructProto { return g.structValue(depth) }),
		Node:              list(g, 2, func() *onnxpb.NodeProto { return g.node(depth) }),
	}
}

func (g *generator) model() *onnxpb.ModelProto {
	m := &onnxpb.ModelProto{
		IrVersion: int64(g.int(0, 13)), OpsetImport: g.opsets(), DocString: g.doc(), MetadataProps: g.pairs(),
	}
	if g.chance(20) {
		m.Domain, m.ProducerName, m.ProducerVersion, m.ModelVersion = g.name(), g.name(), g.name(), -7
		m.Configuration = []*onnxpb.DeviceConfigurationProto{{Name: g.name()}}
		g.foreign(m)
	}
	g.decls = g.int(0, 4)
	for range g.decls {
		d := &onnxpb.StructTypeProto{}
		g.kind(d, 3)
		g.decorate(d, 3)
		m.StructTypes = append(m.StructTypes, d)
	}
	m.Functions = list(g, 2, func() *onnxpb.FunctionProto { return g.function(2) })
	if g.chance(30) {
		m.Graph = g.graph(2)
	}
	return m
}

// TestPrintParseIsIdentity prints random models, parses the text and compares.
func TestPrintParseIsIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := (&generator{t: t}).model()
		if err := sameAgain(m); err != nil {
			t.Fatal(err)
		}
	})
}

// sameAgain prints, parses and prints a model once more.
func sameAgain(m *onnxpb.ModelProto) error {
	text, err := syntax.Print(m)
	if err != nil {
		return err
	}
	again, err := syntax.Parse("text", text)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	if !proto.Equal(m, again) {
		return fmt.Errorf("not the same after parsing:\n%s\nwas %v\nis  %v", text, m, again)
	}
	twice, err := syntax.Print(again)
	if err != nil || string(twice) != string(text) {
		return fmt.Errorf("printing twice differs (%w):\n%s\n%s", err, text, twice)
	}
	return nil
}
