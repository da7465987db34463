// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/catalog"
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

// TestLayoutsDoNotMatter renames the fields of every format, and puts whole bytes
// of padding before each: the kernels stay, only offsets change.
func TestLayoutsDoNotMatter(t *testing.T) {
	for _, name := range catalog.Builtin().Names() {
		entry, err := catalog.Builtin().Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		if entry.Block.GetStructure() == nil || entry.Values < 32 {
			continue // blocks of one value are joined only where they touch
		}
		shape := []int64{2, 2 * max(entry.Values, 1)}
		want := shapeOf(printed(t, entry, shape))
		changed := load(t, name+" changed", disguised(t, entry))
		if got := shapeOf(printed(t, changed, shape)); got != want {
			t.Errorf("%s: renamed and padded it is planned differently (-want +got):\n%s", name, cmp.Diff(want, got))
		}
	}
}

var (
	place = regexp.MustCompile(`(\d+xvarious )?@\d+`)
	first = regexp.MustCompile(`^\d+ blocks of \d+ bytes, (\d+ lanes)`)
)

// shapeOf takes the offsets out of a printed plan.
func shapeOf(text string) string {
	return place.ReplaceAllString(first.ReplaceAllString(text, "$1"), "@")
}

// disguised renames every top-level field and pads before it.
func disguised(t *testing.T, entry *catalog.Entry) []byte {
	t.Helper()
	m := proto.Clone(entry.Model).(*onnxpb.ModelProto)
	for _, d := range m.StructTypes {
		if d.Name != entry.Block.Name {
			continue
		}
		var fields []*onnxpb.StructTypeProto_Field
		for i, f := range d.GetStructure().Field {
			renamed := fmt.Sprintf("x%d", i)
			rename(d.Decoder, f.Name, renamed)
			f.Name = renamed
			if f.GetConstant() == nil {
				fields = append(fields, &onnxpb.StructTypeProto_Field{
					Name:    fmt.Sprintf("pad%d", i),
					Content: &onnxpb.StructTypeProto_Field_Type{Type: leafType(tensor.Uint8, int64(2+i%2))},
				})
			}
			fields = append(fields, f)
		}
		d.GetStructure().Field, d.Name, d.Encoder = fields, "disguised.format", nil
	}
	text, err := syntax.Print(m)
	if err != nil {
		t.Fatal(err)
	}
	return text
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
