// SPDX-License-Identifier: Apache-2.0

package codec_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/syntax"
	"github.com/structview/structview/tensor"
)

// variant is another declaration of a format, made from its text.
type variant struct {
	name    string
	pad     []int // bits of padding before each field, in turn
	inside  bool  // in the structures inside as well
	turned  bool  // fields in the opposite order
	doubled bool  // two blocks are one
	permute bool  // the rows of the tables are in another order
	bits    bool  // the padding is less than a byte
}

var variants = []variant{
	{name: "renamed"},
	{name: "padded", pad: []int{16, 24, 8}},
	{name: "padded inside", pad: []int{8, 24, 16}, inside: true},
	{name: "reordered", pad: []int{24, 8}, turned: true},
	{name: "doubled", doubled: true},
	{name: "doubled, padded", pad: []int{8, 16}, doubled: true},
	{name: "permuted", permute: true},
	{name: "bits", pad: []int{1}, bits: true},
	{name: "bits inside", pad: []int{1, 3, 2}, inside: true, bits: true},
}

// apply makes the variant's entry; nil if it is the same as the original.
func (v variant) apply(tb testing.TB, entry *catalog.Entry) *catalog.Entry {
	tb.Helper()
	if entry.Block.GetStructure() == nil {
		return nil
	}
	m := proto.Clone(entry.Model).(*onnxpb.ModelProto)
	i := slices.IndexFunc(m.StructTypes, func(s *onnxpb.StructTypeProto) bool { return s.Name == entry.Block.Name })
	s := m.StructTypes[i]
	s.Name, s.Encoder = "variant."+strings.TrimPrefix(entry.Name, "ggml."), nil
	tables := 0
	for i, f := range s.GetStructure().Field {
		rename(s.Decoder, f.Name, fmt.Sprintf("x%d", i))
		f.Name = fmt.Sprintf("x%d", i)
		if c := f.GetConstant(); c != nil {
			if tables++; v.permute {
				f.Content = &onnxpb.StructTypeProto_Field_Constant{Constant: permuted(tb, c)}
			}
		}
	}
	if v.permute && tables == 0 {
		return nil
	}
	if v.turned {
		slices.Reverse(s.GetStructure().Field)
	}
	v.padStructure(s, "pad")
	if v.doubled {
		double(s, entry.Values)
	}
	roundUp(tb, m, s)
	text, err := syntax.Print(m)
	if err != nil {
		tb.Fatal(err)
	}
	made, err := catalog.Load(entry.Name+", "+v.name, text, s.Name)
	if err != nil {
		tb.Fatal(err)
	}
	return made
}

// padStructure puts padding before each field that takes bits.
func (v variant) padStructure(s *onnxpb.StructTypeProto, name string) {
	var fields []*onnxpb.StructTypeProto_Field
	for i, f := range s.GetStructure().Field {
		if f.GetConstant() != nil {
			fields = append(fields, f)
			continue
		}
		if len(v.pad) > 0 {
			fields = append(fields, field(fmt.Sprintf("%s%d", name, i), inline(packing(1, part{"p", uint32(v.pad[i%len(v.pad)])}))))
		}
		if v.inside {
			v.padInside(f.GetType().GetStructType())
		}
		fields = append(fields, f)
	}
	s.GetStructure().Field = fields
}

func (v variant) padInside(s *onnxpb.StructTypeProto) {
	switch {
	case s.GetStructure() != nil:
		v.padStructure(s, "hole")
	case s.GetArray() != nil:
		v.padInside(s.GetArray().ElementType.GetStructType())
	}
}

// double makes two blocks one: an array of two structures, decoded as one.
func double(s *onnxpb.StructTypeProto, values int64) {
	var outer, inner []*onnxpb.StructTypeProto_Field
	for _, f := range s.GetStructure().Field {
		if f.GetConstant() != nil {
			outer = append(outer, f)
			continue
		}
		rename(s.Decoder, f.Name, "two."+f.Name)
		inner = append(inner, f)
	}
	s.GetStructure().Field = append(outer, field("two", inline(array(2, inline(structure(inner...))))))
	out := s.Decoder.Output[0]
	for _, n := range s.Decoder.Node {
		for i, name := range n.Output {
			if name == out {
				n.Output[i] = "both"
			}
		}
		for i, name := range n.Input {
			if name == out {
				n.Input[i] = "both"
			}
		}
	}
	s.Decoder.Node = append(s.Decoder.Node,
		node("Shape", names("both"), names("both_lead"), integer("end", -2)),
		value("both_size", tensor.Of([]int64{1}, 2*values)),
		node("Concat", names("both_lead", "both_size"), names("both_shape"), integer("axis", 0)),
		node("Reshape", names("both", "both_shape"), names(out)))
	for _, p := range s.MetadataProps {
		if p.Key == "values" {
			p.Value = fmt.Sprint(2 * values)
		}
	}
}

// roundUp fills the last byte.
func roundUp(tb testing.TB, m *onnxpb.ModelProto, s *onnxpb.StructTypeProto) {
	bits, err := structview.BitSize(m.StructTypes, s)
	if err != nil {
		tb.Fatal(err)
	}
	if bits%8 != 0 {
		s.GetStructure().Field = append(s.GetStructure().Field, field("rest", inline(packing(1, part{"p", uint32(8 - bits%8)}))))
	}
}

// permuted is a table with its rows in another order.
func permuted(tb testing.TB, p *onnxpb.TensorProto) *onnxpb.TensorProto {
	c, err := tensor.FromProto(p)
	if err != nil {
		tb.Fatal(err)
	}
	rows := int(c.Dims()[0])
	each := len(c.Bytes()) / rows
	var data []byte
	for _, i := range rand.New(rand.NewPCG(1, 9)).Perm(rows) {
		data = append(data, c.Bytes()[i*each:][:each]...)
	}
	out, err := tensor.New(c.Type(), c.Dims(), data)
	if err != nil {
		tb.Fatal(err)
	}
	return out.Proto(p.Name)
}

// rename changes the first part of the paths that a function binds.
func rename(fn *onnxpb.FunctionProto, from, to string) {
	changed := func(names []string) {
		for i, n := range names {
			if n == from || strings.HasPrefix(n, from+".") {
				names[i] = to + n[len(from):]
			}
		}
	}
	changed(fn.GetInput())
	for _, n := range fn.GetNode() {
		changed(n.Input)
	}
}

// Every variant is planned, and right.
func TestVariants(t *testing.T) {
	for _, entry := range ggmlTypes(t) {
		for _, v := range variants {
			if made := v.apply(t, entry); made != nil {
				sameAsEval(t, made)
			}
		}
	}
}
