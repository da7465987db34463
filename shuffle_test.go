// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"slices"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/onnxpb"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

// renumbered returns a copy of d whose references are changed by a map.
func renumbered(d *decl, to []int32) *decl {
	d = proto.CloneOf(d)
	var change func(d *decl)
	typed := func(tp *typ) {
		if inner := tp.GetStructType(); inner != nil {
			change(inner)
		}
	}
	change = func(d *decl) {
		switch k := d.GetKind().(type) {
		case *onnxpb.StructTypeProto_TypeIndex:
			k.TypeIndex = to[k.TypeIndex]
		case *onnxpb.StructTypeProto_Array_:
			typed(k.Array.ElementType)
		case *onnxpb.StructTypeProto_Structure_:
			for _, f := range k.Structure.Field {
				typed(f.GetType())
			}
		}
	}
	change(d)
	return d
}

// TestOrderOfDeclarations: sizes, hashes and nesting do not depend on where a
// declaration stands.
func TestOrderOfDeclarations(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		decls := declarations(rt)
		order := make([]int, len(decls)) // the new place of each
		for i := range order {
			order[i] = i
		}
		order = rapid.Permutation(order).Draw(rt, "order")
		to := make([]int32, len(decls))
		for i, k := range order {
			to[i] = int32(k)
		}
		moved := make([]*decl, len(decls))
		for i, d := range decls {
			moved[to[i]] = renumbered(d, to)
		}
		a, first := structview.Resolve(decls)
		b, second := structview.Resolve(moved)
		if len(first) != 0 || len(second) != 0 {
			rt.Fatal(first, second)
		}
		for i := range decls {
			x, err1 := a.At(i)
			y, err2 := b.At(int(to[i]))
			if err1 != nil || err2 != nil || x.Bits() != y.Bits() || structview.Hash(x, nil) != structview.Hash(y, nil) {
				rt.Fatalf("declaration %d: %v, %v", i, err1, err2)
			}
			paths := func(t *structview.Type) (list []string) {
				for l := range t.Layout().Leaves() {
					list = append(list, l.Path)
				}
				return list
			}
			if !slices.Equal(paths(x), paths(y)) || uint64(len(paths(x))) != x.Layout().Len() {
				rt.Fatalf("declaration %d: %v, %v, %d leaves", i, paths(x), paths(y), x.Layout().Len())
			}
		}
	})
}
