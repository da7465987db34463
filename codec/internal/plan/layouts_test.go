// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"github.com/structview/structview"
	"github.com/structview/structview/catalog"
	"github.com/structview/structview/codec/internal/plan"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// another is a format made of one of the catalogue: a root and its decoder.
type another struct {
	root *structview.Type
	fn   *onnxpb.FunctionProto
	env  plan.Env
}

// rebuilt declares a root of two rows, whose blocks are made of an entry's by change. It
// returns what is in front of the paths of the old block.
func rebuilt(t *testing.T, entry *catalog.Entry, columns uint64, change func(block *onnxpb.StructTypeProto) (*onnxpb.StructTypeProto, string)) another {
	t.Helper()
	in, err := entry.Instantiate([]int64{1, max(entry.Values, 1)})
	if err != nil {
		t.Fatal(err)
	}
	m := proto.Clone(entry.Model).(*onnxpb.ModelProto)
	var old *onnxpb.StructTypeProto
	for _, s := range m.StructTypes {
		if s.Name == entry.Block.Name {
			old = s
		}
	}
	fn := proto.Clone(old.Decoder).(*onnxpb.FunctionProto)
	block, front := change(old)
	if front != "" {
		prefixed(fn, front+".")
	}
	block.Name, block.Decoder, block.Encoder = "", nil, nil
	root := block
	for _, n := range []uint64{columns, 2} {
		root = &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Array_{Array: &onnxpb.StructTypeProto_Array{
			ElementType: inlineType(root), Dimension: n,
		}}}
	}
	declarations, findings := structview.Resolve(m.StructTypes)
	if err := structview.Errors(findings); err != nil {
		t.Fatal(err)
	}
	typ, findings := declarations.Root(root)
	if err := structview.Errors(findings); err != nil {
		t.Fatal(err)
	}
	if len(fn.OpsetImport) == 0 {
		fn.OpsetImport = in.Opsets
	}
	return another{typ, fn, plan.Env{Functions: in.Functions, Opsets: in.Opsets}}
}

// prefixed puts a path in front of what a decoder binds.
func prefixed(fn *onnxpb.FunctionProto, front string) {
	bound := slices.Clone(fn.Input)
	replace := func(names []string) {
		for i, n := range names {
			if slices.Contains(bound, n) {
				names[i] = front + n
			}
		}
	}
	replace(fn.Input)
	for _, n := range fn.Node {
		replace(n.Input)
	}
}

// kinds plans a format, compares it with eval, and lists its kernels without their
// places: those that work on every lane, and all of them.
func (a another) kinds(t *testing.T) (lanes, all []string) {
	t.Helper()
	p, err := plan.Decoder(a.root, a.fn, a.env)
	if err != nil || p.Program == nil {
		return []string{fmt.Sprintf("not fused: %q", p.Reasons)}, nil
	}
	program, err := eval.Compile(a.fn, eval.Env{Functions: a.env.Functions})
	if err != nil {
		t.Fatal(err)
	}
	size, _ := a.root.Bytes()
	for try := range 3 {
		payload := fill(rand.New(rand.NewPCG(5, uint64(try))), int(size), try)
		view, err := structview.NewView(a.root, payload)
		if err != nil {
			t.Fatal(err)
		}
		in := make([]eval.Value, len(a.fn.Input))
		for i, name := range a.fn.Input {
			if in[i], err = structview.Bind(view, name); err != nil {
				t.Fatal(err)
			}
		}
		want, err := program.Run(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := difference(p, decodeAll(t, p, payload), want[0].(*tensor.Tensor)); wrong != "" {
			t.Fatal(wrong)
		}
	}
	for _, k := range p.Kernels() {
		kind := numbersOf.ReplaceAllString(placeOf.ReplaceAllString(entries.ReplaceAllString(k, "lut16"), ""), "")
		all = append(all, kind)
		if n := lanesOf(p, k); 4*n > p.Lanes {
			lanes = append(lanes, kind)
		}
	}
	slices.Sort(lanes)
	slices.Sort(all)
	return lanes, all
}

var (
	placeOf   = regexp.MustCompile(` (\d+x(\d+|various)|x\d+)( shifts( \d+)+)?( @\d+)?( shifts( \d+)+)?`)
	numbersOf = regexp.MustCompile(`(@| g| p|\bb)\d+|\d+ lanes|payload [^ ]*|\d+\.\.\d+`)
	target    = regexp.MustCompile(`-> b(\d+)`)
)

// lanesOf is how many lanes of a block a kernel makes.
func lanesOf(p *plan.Plan, text string) int {
	found := target.FindStringSubmatch(text)
	if found == nil {
		return p.Lanes
	}
	n := 0
	fmt.Sscan(found[1], &n)
	return p.Program.Buffers[n].Lanes
}

// formats are the entries whose blocks are structures with a rate of their own.
func formats(t *testing.T) []*catalog.Entry {
	var list []*catalog.Entry
	for _, name := range catalog.Builtin().Names() {
		entry, err := catalog.Builtin().Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		if entry.Block.GetStructure() != nil && entry.Block.GetDecoder() != nil && entry.Values >= 32 {
			list = append(list, entry)
		}
	}
	return list
}

// TestOrderDoesNotMatter puts the fields of every format in the opposite order, with
// whole bytes of padding between them: kernels that work on every lane are the same, and
// so are the others but for how few lanes are unpacked.
func TestOrderDoesNotMatter(t *testing.T) {
	same := 0
	list := formats(t)
	for _, entry := range list {
		keep := func(block *onnxpb.StructTypeProto) (*onnxpb.StructTypeProto, string) { return block, "" }
		lanes, all := rebuilt(t, entry, 2, keep).kinds(t)
		turned := func(block *onnxpb.StructTypeProto) (*onnxpb.StructTypeProto, string) {
			s := block.GetStructure()
			slices.Reverse(s.Field)
			for i := len(s.Field) - 1; i > 0; i-- {
				s.Field = slices.Insert(s.Field, i, padding(fmt.Sprintf("pad%d", i), leafType(tensor.Uint8, int64(1+i%3))))
			}
			return block, ""
		}
		lanes2, all2 := rebuilt(t, entry, 2, turned).kinds(t)
		if d := cmp.Diff(lanes, lanes2); d != "" {
			t.Errorf("%s: fields in another order (-want +got):\n%s", entry.Name, d)
		}
		if slices.Equal(all, all2) {
			same++
		}
	}
	t.Logf("%d of %d plans have the same kernels throughout", same, len(list))
	if same < len(list)*4/5 {
		t.Errorf("only %d of %d plans have the same kernels throughout", same, len(list))
	}
}

// TestDoubledBlocks makes one block of two: kernels that work on every lane are the
// same, except that bytes that were read in place may be copied first.
func TestDoubledBlocks(t *testing.T) {
	for _, entry := range formats(t) {
		keep := func(block *onnxpb.StructTypeProto) (*onnxpb.StructTypeProto, string) { return block, "" }
		lanes, _ := rebuilt(t, entry, 4, keep).kinds(t)
		doubled := func(block *onnxpb.StructTypeProto) (*onnxpb.StructTypeProto, string) {
			pair := inlineType(&onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Array_{Array: &onnxpb.StructTypeProto_Array{
				ElementType: inlineType(&onnxpb.StructTypeProto{Kind: block.Kind}), Dimension: 2,
			}}})
			tail := padding("tail", leafType(tensor.Uint8))
			return &onnxpb.StructTypeProto{Kind: &onnxpb.StructTypeProto_Structure_{Structure: &onnxpb.StructTypeProto_Structure{
				Field: []*onnxpb.StructTypeProto_Field{padding("pair", pair), tail},
			}}}, "pair"
		}
		got, _ := rebuilt(t, entry, 2, doubled).kinds(t)
		got = slices.DeleteFunc(got, func(k string) bool { return strings.HasPrefix(k, "plane w8") && !slices.Contains(lanes, k) })
		if d := cmp.Diff(lanes, got); d != "" {
			t.Errorf("%s: two blocks as one (-want +got):\n%s", entry.Name, d)
		}
	}
}
