// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

// allocated returns the bytes that fn allocates.
func allocated(fn func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fn()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestHostileDeclarations(t *testing.T) {
	for _, c := range []struct {
		name  string
		decls []*decl
		want  string
	}{
		{
			"2^64 bits in nested arrays",
			[]*decl{array(inline(array(leaf(tensor.Int8), 1<<33)), 1<<31)},
			"SV020 error: struct_types[0].array: 2147483648 elements of 68719476736 bits are 2^64 bits or more",
		},
		{
			"2^64 bits in an array of INT4",
			[]*decl{array(leaf(tensor.Int4), 4611686018427387904)},
			"SV020 error: struct_types[0].array: 4611686018427387904 elements of 4 bits are 2^64 bits or more",
		},
		{
			"2^64 bits in a leaf",
			[]*decl{array(leaf(tensor.Int8, math.MaxInt64, 3), 1)},
			"SV020 error: struct_types[0].array.element_type.tensor_type: INT8[9223372036854775807 3] is 2^64 bits or more",
		},
		{
			"2^64 bits in a structure",
			[]*decl{structure(member("a", leaf(tensor.Int4, 4611686018427387903)), member("b", leaf(tensor.Int4)))},
			`SV020 error: struct_types[0].structure.field[1]: the structure is 2^64 bits or more with field "b"`,
		},
		{
			"unknown element type",
			[]*decl{array(leaf(1001), 1)},
			"SV012 error: struct_types[0].array.element_type.tensor_type: a leaf has an element type of fixed width; found DataType(1001)",
		},
		{
			"negative element type",
			[]*decl{array(leaf(-5), 1)},
			"SV012 error: struct_types[0].array.element_type.tensor_type: a leaf has an element type of fixed width; found DataType(-5)",
		},
		{
			"reference to itself",
			[]*decl{array(ref(0), 1)},
			"SV008 error: struct_types[0]: references form a cycle: 0 -> 0",
		},
		{
			"a longer cycle",
			[]*decl{array(ref(2), 1), array(leaf(tensor.Int8), 1), array(ref(3), 1), structure(member("x", ref(0)))},
			"SV008 error: struct_types[0]: references form a cycle: 0 -> 2 -> 3 -> 0",
		},
		{
			"a cycle found from outside",
			[]*decl{array(ref(2), 1), array(ref(2), 1), array(ref(1), 1)},
			"SV008 error: struct_types[1]: references form a cycle: 1 -> 2 -> 1",
		},
		{
			"no such entry",
			[]*decl{array(ref(math.MaxInt32), 1)},
			"SV008 error: struct_types[0].array.element_type.struct_type: type_index 2147483647 names no declaration: struct_types has only entry 0",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var findings []structview.Diagnostic
			n := allocated(func() { _, findings = structview.Resolve(c.decls) })
			if len(findings) != 1 || findings[0].Error() != c.want {
				t.Errorf("got %v\nwant %s", findings, c.want)
			}
			if n > 1<<20 {
				t.Errorf("%d bytes allocated", n)
			}
		})
	}
}

func TestHugeIsLegalWhereThereAreNoBits(t *testing.T) {
	const most = math.MaxUint64
	nothing := inline(structure(constant("c", tensor.Of(nil, int8(3)))))
	root := resolved(t,
		array(leaf(tensor.Int4), 4611686018427387903),
		structure(
			member("a", inline(array(nothing, most))),
			member("b", inline(packing(most))),
			member("c", inline(array(inline(array(nothing, most)), most))),
			member("d", leaf(tensor.Int8, math.MaxInt64, math.MaxInt64, 0)),
			member("e", inline(array(leaf(tensor.Int8), 0))),
		),
	)
	if root.Bits() != 0 {
		t.Fatalf("%d bits, want 0", root.Bits())
	}
	v := view(t, root, nil)
	for range root.Layout().Elements(0, most) {
		t.Error("an element without bits")
	}
	n := 0
	for l := range root.Layout().Leaves() {
		n++
		if _, err := structview.Bind(v, l.Path); err != nil {
			t.Errorf("%s: %v", l.Path, err)
		}
	}
	if n != 4 {
		t.Errorf("%d leaves, want 4", n)
	}
	if r, err := v.At(fmt.Sprintf("a[%d]", uint64(most-1))); err != nil || r.Len() != 1 {
		t.Errorf("the last empty structure: %v", err)
	}
	_, err := v.At(fmt.Sprintf("a[%d].c", uint64(most)))
	want := "SV041 error: a[18446744073709551615]: index 18446744073709551615 does not exist: " +
		"there are 18446744073709551615 elements, 0 to 18446744073709551614"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	whole, err := v.At("c")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Tensor(whole); err == nil {
		t.Error("an array of structures is no tensor")
	}
}

func TestDimensionThatCannotBeBound(t *testing.T) {
	root := resolved(t, array(leaf(tensor.Int8, 0), 1<<63))
	_, err := structview.Bind(view(t, root, nil), "value")
	want := "SV042 error: value: dimension 0 is 9223372036854775808: a tensor's dimension is below 2^63"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestHugeArrayOverOneByte(t *testing.T) {
	root := resolved(t, array(leaf(tensor.Int4), 1<<40))
	n := allocated(func() {
		_, err := structview.NewView(root, []byte{0x21})
		want := "SV022 error: the payload has 1 bytes; struct_types[0] takes 549755813888"
		if err == nil || err.Error() != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	})
	if n > 1<<20 {
		t.Errorf("%d bytes allocated", n)
	}
}

// chain returns declarations of which each uses the next (or, reversed, the one
// before it); the last one used is a leaf's array.
func chain(n int, reversed bool) []*decl {
	decls := make([]*decl, n)
	for i := range decls {
		next, end := i+1, n-1
		if reversed {
			next, end = i-1, 0
		}
		if i == end {
			decls[i] = array(leaf(tensor.Int8), 1)
		} else {
			decls[i] = array(ref(int32(next)), 1)
		}
	}
	return decls
}

func TestNestingLimit(t *testing.T) {
	for _, reversed := range []bool{false, true} {
		if _, findings := structview.Resolve(chain(64, reversed)); findings != nil {
			t.Errorf("64 levels: %v", findings)
		}
		d, findings := structview.Resolve(chain(72, reversed))
		first, deepest := 72-65, 0
		if reversed {
			first, deepest = 64, 71
		}
		want := fmt.Sprintf("SV025 error: struct_types[%d]: declarations nest 65 levels deep, at most 64 are allowed", first)
		if len(findings) != 1 || findings[0].Error() != want {
			t.Errorf("got %v\nwant %s", findings, want)
		}
		if _, err := d.At(deepest); err == nil || err.Error() != want {
			t.Errorf("the deepest declaration: %v", err)
		}
	}
}

func TestNestingLimitInline(t *testing.T) {
	nest := func(levels int) *decl {
		d := array(leaf(tensor.Int8), 1)
		for range levels - 1 {
			d = array(inline(d), 1)
		}
		return d
	}
	for levels, want := range map[int]int{63: 0, 64: 0, 65: 1, 5000: 1} {
		_, findings := structview.Resolve([]*decl{nest(levels)})
		if len(findings) != want {
			t.Errorf("%d levels: %d findings, want %d", levels, len(findings), want)
		}
	}
	// 32 inline levels, then a reference to 32 more, then to 33.
	deep := nest(31)
	inner := deep
	for inner.GetArray().ElementType.GetStructType() != nil {
		inner = inner.GetArray().ElementType.GetStructType()
	}
	inner.GetArray().ElementType = ref(1)
	if _, findings := structview.Resolve([]*decl{deep, nest(33)}); findings != nil {
		t.Errorf("31+33 levels: %v", findings)
	}
	if _, findings := structview.Resolve([]*decl{deep, nest(34)}); len(findings) != 1 {
		t.Errorf("31+34 levels: %v", findings)
	}
}

// TestEachUsesTheNextTwice has 2^30 leaves, and 30 declarations.
func TestEachUsesTheNextTwice(t *testing.T) {
	for _, reversed := range []bool{false, true} {
		decls := make([]*decl, 31)
		for i := range decls {
			next := i + 1
			if reversed {
				next = i - 1
			}
			if next < 0 || next == len(decls) {
				decls[i] = structure(member("x", leaf(tensor.Int8)))
				continue
			}
			decls[i] = structure(member("a", ref(int32(next))), member("b", ref(int32(next))))
		}
		d, findings := structview.Resolve(decls)
		if findings != nil {
			t.Fatal(findings)
		}
		top := 0
		if reversed {
			top = 30
		}
		root, err := d.At(top)
		if err != nil || root.Bits() != 8<<30 {
			t.Fatalf("%d bits, %v", root.Bits(), err)
		}
		path := strings.Repeat("b.", 30) + "x"
		l, err := root.Layout().Leaf(path)
		if err != nil || l.Offset != 8*(1<<30-1) {
			t.Errorf("the last leaf at bit %d: %v", l.Offset, err)
		}
		at, _, err := root.Layout().At(root.Bits() - 1)
		if err != nil || at.String() != path {
			t.Errorf("At = %v, %v", at, err)
		}
		structview.Hash(root, nil)
		if n := root.Layout().Len(); n != 1<<30 {
			t.Errorf("%d leaves, want 2^30", n)
		}
	}
}

// TestManyWaysToNothing has 2^60 empty structures.
func TestManyWaysToNothing(t *testing.T) {
	decls := []*decl{structure()}
	for i := range int32(60) {
		decls = append(decls, structure(member("a", ref(i)), member("b", ref(i))))
	}
	root := resolved(t, decls...)
	for l := range root.Layout().Leaves() {
		t.Error(l)
	}
	for e := range root.Layout().Elements(0, 1) {
		t.Error(e)
	}
	if _, err := structview.CheckPayload(view(t, root, nil)); err != nil {
		t.Error(err)
	}
	if root.Layout().Len() != 0 {
		t.Error(root.Layout().Len())
	}
}

func TestManyCyclesArePrintedOnce(t *testing.T) {
	const n = 2000
	decls := make([]*decl, n)
	for i := range decls {
		fields := []*field{member("next", ref(int32((i+1)%n)))}
		for k := range 10 {
			fields = append(fields, member(fmt.Sprint("back", k), ref(int32(max(0, i-k)))))
		}
		decls[i] = structure(fields...)
	}
	_, findings := structview.Resolve(decls)
	total := 0
	for _, f := range findings {
		total += len(f.Message)
	}
	if len(findings) == 0 || total > 100*n {
		t.Errorf("%d findings with %d bytes", len(findings), total)
	}
}

// TestLongWaysBack has a chain of declarations, the last of which refers to all others.
func TestLongWaysBack(t *testing.T) {
	const n = 30_000
	decls := make([]*decl, n)
	last := structure()
	for i := range int32(n - 1) {
		decls[i] = array(ref(i+1), 1)
		s := last.GetStructure()
		s.Field = append(s.Field, member(fmt.Sprint("b", i), ref(n-1-i)))
	}
	decls[n-1] = last
	_, findings := structview.Resolve(decls)
	want := "SV008 error: struct_types[29999]: references form a cycle: 29999 -> 29999"
	if len(findings) != 1 || findings[0].Error() != want {
		t.Errorf("%d findings: %v", len(findings), findings)
	}
}

func TestManyNames(t *testing.T) {
	fields := make([]*field, 30_000)
	for i := range fields {
		fields[i] = member(fmt.Sprint("f", i), leaf(tensor.Int8))
	}
	fields[29_999] = member("f17", leaf(tensor.Int8))
	_, findings := structview.Resolve([]*decl{structure(fields...)})
	want := `SV010 error: struct_types[0].structure.field[29999]: field 29999 has the name "f17" of field 17`
	if len(findings) != 1 || findings[0].Error() != want {
		t.Errorf("got %v\nwant %s", findings, want)
	}
}

func TestOverflowingPlaceOfNothing(t *testing.T) {
	// The leaf y has no elements, and would begin at bit 2^64.
	root := resolved(t, structure(
		member("a", leaf(tensor.Int8, 1<<60)),
		member("b", inline(array(inline(structure(member("x", leaf(tensor.Int8, 1<<60)), member("y", leaf(tensor.Int8)))), 0))),
	))
	l, err := root.Layout().Leaf("b.y")
	if err != nil || l.Dims[0].Len != 0 {
		t.Errorf("%+v, %v", l, err)
	}
}

// TestManyWrongNamesAndLengths has 20,000 findings, each of which would be dear to explain.
func TestManyWrongNamesAndLengths(t *testing.T) {
	const n = 20_000
	d := structure()
	for i := range n {
		s := d.GetStructure()
		s.Field = append(s.Field, member(fmt.Sprint(strings.Repeat("x", 100), i), leaf(tensor.Int8)))
	}
	d.Decoder = function(nil, []string{"y"})
	m := &model{StructTypes: []*decl{d}, Graph: &graph{}}
	for i := range n {
		d.Decoder.Input = append(d.Decoder.Input, fmt.Sprint(strings.Repeat("x", 100), "y", i))
		m.Graph.StructInitializer = append(m.Graph.StructInitializer, &value{Name: fmt.Sprint("v", i), RawData: []byte{1}})
	}
	if findings := structview.Check(m, structview.CheckOptions{}); len(findings) != n {
		t.Errorf("%d findings, want %d", len(findings), n)
	}
}
