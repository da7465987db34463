// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec"
	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/syntax"
	"github.com/structview/structview/tensor"
)

// TestStyles: however a format is written, it is planned alike.
func TestStyles(t *testing.T) {
	folders, err := filepath.Glob("testdata/styles/*_*")
	if err != nil || len(folders) == 0 {
		t.Fatal("no styles", err)
	}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.onnxtxt"))
		if err != nil || len(files) < 2 {
			t.Fatal(folder, "needs several files", err)
		}
		want := ""
		for i, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := styled(t, load(t, file, text))
			if strings.HasPrefix(got, "not fused") {
				t.Errorf("%s: %s", file, got)
			}
			if i == 0 {
				want = got
			} else if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s is planned unlike %s (-want +got):\n%s", file, files[0], d)
			}
		}
	}
}

// styled plans a few rows of an entry.
func styled(t *testing.T, entry *catalog.Entry) string {
	return printed(t, entry, []int64{6, 2 * entry.Values})
}

func load(t *testing.T, name string, text []byte) *catalog.Entry {
	t.Helper()
	entry, err := catalog.Load(name, text, "")
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

// TestLayoutsDoNotMatter renames the fields of every format and puts whole bytes of
// padding before each, or rotates its codebooks: the kernels stay, only offsets and
// entries of tables change. With single bits of padding other kernels unpack, but
// everything is still fused, and right.
func TestLayoutsDoNotMatter(t *testing.T) {
	for _, name := range catalog.Builtin().Names() {
		entry, err := catalog.Builtin().Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		if entry.Block.GetStructure() == nil || entry.Values < 32 {
			continue // blocks of one value are joined only where they touch
		}
		want := checked(t, entry)
		for what, change := range map[string]disguise{"padded": {bytes: true}, "rotated": {rotate: true}, "misaligned": {}} {
			got := checked(t, load(t, name+" "+what, change.apply(t, entry)))
			same := got == want || what == "misaligned" && !strings.HasPrefix(got, "not fused")
			if !same {
				t.Errorf("%s: %s it is planned differently (-want +got):\n%s", name, what, cmp.Diff(want, got))
			}
		}
	}
}

// checked returns what a plan consists of, after comparing it with the evaluator.
func checked(t *testing.T, entry *catalog.Entry) string {
	t.Helper()
	shape := []int64{2, 2 * entry.Values}
	in, root := instance(t, entry, shape)
	p, err := plan.Decoder(root, root.Decoder(), plan.Env{Functions: in.Functions, Opsets: in.Opsets})
	if err != nil || p.Program == nil {
		return "not fused: " + strings.Join(p.Reasons, "; ")
	}
	c, err := codec.New(root, codec.Env{Functions: in.Functions, Opsets: in.Opsets, Literal: true})
	if err != nil {
		t.Fatal(err)
	}
	size, _ := root.Bytes()
	payload := fill(rand.New(rand.NewPCG(8, 8)), int(size), 1)
	want, err := c.Decode(t.Context(), payload)
	if err != nil {
		t.Fatal(err)
	}
	if wrong := difference(p, decodeAll(t, p, payload), want); wrong != "" {
		t.Errorf("%s: %s", entry.Name, wrong)
	}
	return place.ReplaceAllString(entries.ReplaceAllString(text(p), "lut16"), "@")
}

var (
	place   = regexp.MustCompile(`(\d+xvarious )?@\d+`)
	entries = regexp.MustCompile(`lut16 \[[^]]*\]`)
)

// disguise is a change of a declaration that keeps what is decoded, or rotates its
// constants.
type disguise struct {
	bytes  bool // padding of whole bytes, else of one bit
	rotate bool // no padding, but constants rotated by one element
}

// apply changes every top-level field.
func (d disguise) apply(t *testing.T, entry *catalog.Entry) []byte {
	t.Helper()
	m := proto.Clone(entry.Model).(*onnxpb.ModelProto)
	for _, s := range m.StructTypes {
		if s.Name != entry.Block.Name {
			continue
		}
		fields := d.fields(t, s)
		s.GetStructure().Field, s.Name, s.Encoder = fields, "disguised.format", nil
		if bits, err := structview.BitSize(m.StructTypes, s); err != nil {
			t.Fatal(err)
		} else if bits%8 != 0 {
			s.GetStructure().Field = append(fields, padding("rest", packing(1, uint32(8-bits%8))))
		}
	}
	text, err := syntax.Print(m)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (d disguise) fields(t *testing.T, s *onnxpb.StructTypeProto) []*onnxpb.StructTypeProto_Field {
	var fields []*onnxpb.StructTypeProto_Field
	for i, f := range s.GetStructure().Field {
		renamed := fmt.Sprintf("x%d", i)
		rename(s.Decoder, f.Name, renamed)
		f.Name = renamed
		switch c := f.GetConstant(); {
		case c != nil && d.rotate:
			f.Content = &onnxpb.StructTypeProto_Field_Constant{Constant: rotated(t, c)}
		case c == nil && d.bytes:
			fields = append(fields, padding(fmt.Sprintf("pad%d", i), leafType(tensor.Uint8, int64(2+i%2))))
		case c == nil && !d.rotate:
			fields = append(fields, padding(fmt.Sprintf("pad%d", i), packing(1, 1)))
		}
		fields = append(fields, f)
	}
	return fields
}

func padding(name string, typ *onnxpb.TypeProto) *onnxpb.StructTypeProto_Field {
	return &onnxpb.StructTypeProto_Field{Name: name, Content: &onnxpb.StructTypeProto_Field_Type{Type: typ}}
}

// rotated moves every row of a table on by one.
func rotated(t *testing.T, p *onnxpb.TensorProto) *onnxpb.TensorProto {
	c, err := tensor.FromProto(p)
	if err != nil {
		t.Fatal(err)
	}
	each := len(c.Bytes()) / int(max(c.Dims()[0], 1))
	data := append(append([]byte{}, c.Bytes()[each:]...), c.Bytes()[:each]...)
	out, err := tensor.New(c.Type(), c.Dims(), data)
	if err != nil {
		t.Fatal(err)
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
