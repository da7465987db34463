// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
	"pgregory.net/rapid"
)

// TestConstantsDoNotMatter: a codebook has no bits, and no field in Go.
func TestConstantsDoNotMatter(t *testing.T) {
	root := resolved(t, structure(
		constant("book", tensor.Of([]int64{2}, int8(5), int8(7))),
		member("d", leaf(tensor.Float16)),
		constant("scale", tensor.Of(nil, float32(2))),
		member("qs", inline(packing(16, part("lo", 4), part("hi", 4)))),
	))
	payload := make([]byte, 18)
	want := goQ4{D: 0x3C00}
	want.Qs[15].Hi = 9
	w, err := structview.NewWriterInto(root, payload)
	if err != nil {
		t.Fatal(err)
	}
	if err := structview.From(w, want); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Bytes(); err != nil {
		t.Fatal(err)
	}
	if got, err := structview.As[goQ4](view(t, root, payload)); err != nil || got != want {
		t.Errorf("%v, %v", got, err)
	}
}

// TestValuesWithoutBits: there is nothing to move, to count or to repeat.
func TestValuesWithoutBits(t *testing.T) {
	type none struct {
		A [0]float64
		B struct{}
	}
	root := typeOf[none](t)
	if got, err := structview.As[none](view(t, root, nil)); err != nil || got != (none{}) {
		t.Errorf("%v, %v", got, err)
	}
	if p, err := structview.Alias[none](view(t, root, nil)); err != nil || p == nil {
		t.Errorf("%v, %v", p, err)
	}
	many := view(t, resolved(t, array(inline(structure()), 1<<62)), nil)
	const want = "structview: struct {} has no bits: a slice of 4611686018427387904 of them holds nothing"
	if _, err := structview.AppendAs[struct{}](nil, many); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if _, err := structview.AliasSlice[struct{}](many); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	empty := view(t, resolved(t, q4(), array(ref(0), 0)), nil)
	if list, err := structview.AppendAs[goQ4](nil, empty); err != nil || list != nil {
		t.Errorf("%v, %v", list, err)
	}
}

// TestHugeTypesAreNotWalked: declarations that use each other twice have more leaves than
// any Go type.
func TestHugeTypesAreNotWalked(t *testing.T) {
	decls := []*decl{structure(member("x", leaf(tensor.Uint8)))}
	for i := range 30 {
		decls = append(decls, structure(member("a", ref(int32(i))), member("b", ref(int32(i)))))
	}
	root := resolved(t, append(decls, array(ref(30), 0))...)
	const want = "structview: Go type structview_test.goQ4 is not the value's type: struct_types[30] has 1073741824 leaves, more than 65536"
	if _, err := structview.AppendAs[goQ4](nil, view(t, root, nil)); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// TestGoTypeIsSharedByGoroutines: one prepared type serves views of several types at once.
func TestGoTypeIsSharedByGoroutines(t *testing.T) {
	g, err := structview.GoTypeOf[goQ4]()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for k := range 4 {
		v := view(t, resolved(t, q4()), append([]byte{byte(k), 0}, make([]byte, 16)...))
		wg.Go(func() {
			for range 100 {
				if got, err := g.As(v); err != nil || got.D != tensor.F16(k) {
					t.Errorf("%v, %v", got.D, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestAsOfAnyValue: for types by chance, As answers with a value or an error, and a value
// written back gives the same bits.
func TestAsOfAnyValue(t *testing.T) {
	g, err := structview.GoTypeOf[goQ4]()
	if err != nil {
		t.Fatal(err)
	}
	accepted := 0
	rapid.Check(t, func(rt *rapid.T) {
		d := q4()
		fields := d.GetStructure().Field
		switch rapid.IntRange(0, 4).Draw(rt, "change") {
		case 0:
			fields[0], fields[1] = fields[1], fields[0]
		case 1:
			fields[1].Content = member("qs", inline(packing(16, part("lo", rapid.Uint32Range(1, 7).Draw(rt, "width")), part("hi", 4), part("x", 8)))).Content
		case 2:
			fields[0].Content = member("d", leaf(tensor.Type(rapid.SampledFrom([]tensor.Type{tensor.Uint16, tensor.BFloat16, tensor.Float16}).Draw(rt, "element")))).Content
		case 3:
			fields[1].Content = member("qs", inline(packing(rapid.Uint64Range(0, 17).Draw(rt, "rows"), part("lo", 4), part("hi", 4)))).Content
		}
		root := resolved(t, d)
		if root.Bits()%8 != 0 {
			return
		}
		payload := rapid.SliceOfN(rapid.Byte(), int(root.Bits()/8), int(root.Bits()/8)).Draw(rt, "payload")
		value, err := g.As(view(t, root, payload))
		if err != nil {
			return
		}
		accepted++
		back := make([]byte, len(payload))
		if err := structview.From(back, value); err != nil || fmt.Sprint(back) != fmt.Sprint(payload) {
			rt.Fatalf("% x came back as % x: %v", payload, back, err)
		}
	})
	if accepted == 0 {
		t.Error("no value was accepted")
	}
}
