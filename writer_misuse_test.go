// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

// misuseRoot has one of everything.
func misuseRoot(t testing.TB) *structview.Type {
	return resolved(t, q4(), structure(
		member("blocks", inline(array(ref(0), 3))),
		member("i4", leaf(tensor.Int4)), member("pad", inline(packing(1, part("p", 4)))),
		member("u8", leaf(tensor.Uint8)), member("i64", leaf(tensor.Int64)), member("ok", leaf(tensor.Bool)),
		member("h", leaf(tensor.Float16)), member("f", leaf(tensor.Float)), member("e", leaf(tensor.Float8E8M0)),
		member("fn", leaf(tensor.Float8E4M3FN)), member("tiny", leaf(tensor.Float4E2M1)), member("c", leaf(tensor.Complex64)),
		member("wide", inline(packing(1, part("x", 70), part("y", 6)))),
		member("m", leaf(tensor.Int16, 2, 3)), member("a b", leaf(tensor.Uint16)),
		constant("codes", tensor.Of([]int64{2}, int8(1), 2)),
		member("none", leaf(tensor.Int8, 0)),
	))
}

func TestMisuse(t *testing.T) {
	root := misuseRoot(t)
	payload := make([]byte, root.Bits()/8)
	w, err := structview.Patch(root, payload)
	if err != nil {
		t.Fatal(err)
	}
	q4s, err := w.At("blocks[1]")
	if err != nil {
		t.Fatal(err)
	}
	h, _ := w.At("h")
	for _, c := range []struct {
		what string
		err  error
		want string
	}{
		{"component", w.Set("blocks[2].qs[3].lo", 16), "SV047 error: blocks[2].qs[3].lo: 16 does not fit a component of 4 bits: write 0 to 15"},
		{"negative component", w.Set("pad[0].p", -1), "SV047 error: pad[0].p: -1 does not fit a component of 4 bits: write 0 to 15"},
		{"signed", w.Set("i4", int8(8)), "SV047 error: i4: 8 does not fit INT4 (4 bits): write -8 to 7"},
		{"unsigned into signed", w.Set("i4", uint(9)), "SV047 error: i4: 9 does not fit INT4 (4 bits): write -8 to 7"},
		{"unsigned", w.Set("u8", 256), "SV047 error: u8: 256 does not fit UINT8 (8 bits): write 0 to 255"},
		{"64 bits", w.Set("i64", uint64(1)<<63), "SV047 error: i64: 9223372036854775808 does not fit INT64 (64 bits): write -9223372036854775808 to 9223372036854775807"},
		{"BOOL", w.Set("ok", 2), "SV047 error: ok: 2 does not fit BOOL (8 bits): write 0 or 1"},
		{"fraction", w.Set("u8", 1.5), "SV047 error: u8: 1.5 is no integer, which UINT8 (8 bits) holds: round it first"},
		{"float beyond", w.Set("u8", 1e30), "SV047 error: u8: 1e+30 does not fit UINT8 (8 bits): write 0 to 255"},
		{"infinite integer", w.Set("i4", math.Inf(-1)), "SV047 error: i4: -Inf does not fit INT4 (4 bits): write -8 to 7"},
		{"NaN integer", w.Set("i4", math.NaN()), "SV047 error: i4: NaN is no integer, which INT4 (4 bits) holds: round it first"},
		{"FLOAT16", w.Set("h", 70000), "SV047 error: h: 70000 does not fit FLOAT16 (16 bits): write -65504 to 65504, or set Writer.Overflow"},
		{"FLOAT", w.Set("f", 1e300), "SV047 error: f: 1e+300 does not fit FLOAT (32 bits): write -3.4028234663852886e+38 to 3.4028234663852886e+38, or set Writer.Overflow"},
		{"FLOAT8E8M0 of 0", w.Set("e", 0), "SV047 error: e: 0 does not fit FLOAT8E8M0 (8 bits): write 5.877471754111438e-39 to 1.7014118346046923e+38, or set Writer.Overflow"},
		{"FLOAT8E4M3FN of infinity", w.Set("fn", math.Inf(1)), "SV047 error: fn: +Inf does not fit FLOAT8E4M3FN (8 bits): write -448 to 448, or set Writer.Overflow"},
		{"FLOAT4E2M1", w.Set("tiny", 7), "SV047 error: tiny: 7 does not fit FLOAT4E2M1 (4 bits): write -6 to 6, or set Writer.Overflow"},
		{"FLOAT4E2M1 of NaN", w.Set("tiny", math.NaN()), "SV047 error: tiny: NaN does not fit FLOAT4E2M1 (4 bits): write -6 to 6, or set Writer.Overflow"},
		{"COMPLEX64", w.Set("c", complex(1, 1e39)), "SV047 error: c: 1e+39 does not fit the FLOAT of a COMPLEX64: write -3.4028234663852886e+38 to 3.4028234663852886e+38, or set Writer.Overflow"},
		{"complex", w.Set("f", 1i), "SV041 error: f: a complex number cannot be written to FLOAT (32 bits)"},
		{"wide", w.Set("wide[0].x", 1), "SV041 error: wide[0].x: a component of 70 bits has more than 64 bits: use Writer.SetBits"},
		{"wide as tensor", w.Set("wide.x", tensor.Of([]int64{1}, uint64(1))), "SV041 error: wide.x: no tensor holds a component of 70 bits: use Writer.SetBits for each element"},
		{"constant", w.Set("codes[1]", 3), "SV041 error: codes[1]: a constant is a part of the declaration and cannot be written: change it there"},
		{"zero constant", w.Zero("codes"), "SV041 error: codes: a constant is a part of the declaration and cannot be written: change it there"},
		{"structure", w.Set("blocks[0]", 1), `SV041 error: blocks[0]: a structure "q4" is no leaf; it has d, qs: write those, or use Writer.Copy or Writer.Zero`},
		{"array", w.SetUint64(must(w.At("blocks")), 1), `SV041 error: blocks: an array is no leaf; it has d, qs: write those, or use Writer.Copy or Writer.Zero`},
		{"many", w.SetUint64(must(w.At("blocks.d")), 1), "SV041 error: blocks.d: the path leads to 3 elements, not to one: give an index for each dimension, or use Writer.SetTensor, SetRun or SetAll"},
		{"one number for many", w.Set("m[0]", 5), "SV041 error: m[0]: found one number: the path leads to 3 elements: give an index for each dimension, or a slice"},
		{"too few", w.Set("m[1]", []int{1, 2}), "SV041 error: m[1]: found 2 values: the path leads to 3 elements"},
		{"one of a slice", w.Set("m[1]", []int{1, 2, 40000}), "SV047 error: m[1][2]: 40000 does not fit INT16 (16 bits): write -32768 to 32767"},
		{"path", w.Set("blocks[0].qs[0].li", 1), "SV041 error: blocks[0].qs[0].li: no \"li\" in the bit packing; the nearest name is blocks[0].qs[0].lo"},
		{"index", w.Set("blocks[3].d", 1), "SV041 error: blocks[3]: index 3 does not exist: there are 3 elements, 0 to 2"},
		{"Go type", w.Set("u8", "5"), "SV041 error: u8: a Go string cannot be written: give a number, a bool, a slice of them, codes, a *tensor.Tensor or a View"},
		{"nothing", w.Set("u8", nil), "SV041 error: u8: a Go <nil> cannot be written: give a number, a bool, a slice of them, codes, a *tensor.Tensor or a View"},
		{"nil tensor", w.Set("m", (*tensor.Tensor)(nil)), "SV041 error: m: the tensor is nil"},
		{"tensor's type", w.Set("m", tensor.Of([]int64{2, 3}, 1, 2, 3, 4, 5, int32(6))), "SV041 error: m: found a tensor of INT32: the elements are INT16; see tensor.Convert"},
		{"tensor's dims", w.Set("m", tensor.Of([]int64{3, 2}, 1, 2, 3, 4, 5, int16(6))), "SV041 error: m: found a tensor of dimensions [3 2]: the path leads to dimensions [2 3]"},
		{"tensor of a component", w.Set("blocks[0].qs[:2].hi", tensor.Of([]int64{2}, uint8(15), 99)), "SV047 error: blocks[0].qs[1].hi: 99 does not fit a component of 4 bits: write 0 to 15"},
		{"codes", w.Set("h", tensor.BF16(1)), "SV041 error: h: elements of BFLOAT16 cannot be written as FLOAT16 (16 bits): use Writer.Set to convert numbers"},
		{"codes, too few", w.Set("blocks.d", []tensor.F16{1}), "SV041 error: blocks.d: found 1 values: the path leads to 3 elements"},
		{"bits", w.SetUint64(must(w.At("i4")), 16), "SV047 error: i4: 16 does not fit INT4 (4 bits): write 0 to 15"},
		{"bits of a BOOL", w.SetUint64(must(w.At("ok")), 255), "SV047 error: ok: 255 is no BOOL: write 0 or 1"},
		{"integer for a float", w.SetInt64(h, 1), "SV041 error: h: a FLOAT16 is no integer: use Writer.SetFloat64"},
		{"integer for a complex", w.SetInt64(must(w.At("c")), 1), "SV041 error: c: a COMPLEX64 is no integer: use Writer.Set with a complex number"},
		{"float for a complex", w.SetFloat64(must(w.At("c")), 1), "SV041 error: c: a COMPLEX64 is not one number: use Writer.Set with a complex number"},
		{"bytes", w.SetBits(must(w.At("wide[0].x")), make([]byte, 8)), "SV041 error: wide[0].x: found 8 bytes: a component of 70 bits takes 9"},
		{"last byte", w.SetBits(must(w.At("wide[0].x")), bytes.Repeat([]byte{255}, 9)), "SV047 error: wide[0].x: the last byte, 0xff, does not fit a component of 70 bits: its upper 2 bits are 0"},
		{"run, too few", w.SetRun(must(w.At("m")), slices.Values([]uint64{1, 2})), "SV041 error: m: found 2 values: the path leads to 6 elements"},
		{"run, too many", w.SetRun(must(w.At("blocks.d")), slices.Values([]uint64{1, 2, 3, 4})), "SV041 error: blocks.d: found more than 3 values: the path leads to 3 elements"},
		{"run, too large", w.SetRun(must(w.At("blocks[1].qs.lo")), slices.Values([]uint64{1, 99})), "SV047 error: blocks[1].qs[1].lo: 99 does not fit a component of 4 bits: write 0 to 15"},
		{"run of wide", w.SetRun(must(w.At("wide.x")), slices.Values([]uint64{1})), "SV041 error: wide.x: a component of 70 bits has more than 64 bits: use Writer.SetBits"},
		{"copy of another type", w.Copy(q4s, view(t, resolved(t, array(leaf(tensor.Int8), 18)), make([]byte, 18))), `SV041 error: blocks[1]: an array cannot be copied to a structure "q4": their layouts differ`},
		{"copy of nothing", w.Copy(q4s, structview.View{}), "SV041 error: blocks[1]: the view is empty: make one with NewView"},
		{"copy to many", w.Copy(must(w.At("blocks[:]")), structview.View{}.Unguarded()), "SV041 error: blocks[:]: the view is empty: make one with NewView"},
		{"empty reference", w.SetUint64(structview.Ref{}, 1), "SV041 error: the reference is empty: prepare one with Writer.At"},
		{"another type", w.SetUint64(refTo(t, view(t, resolved(t, q4()), make([]byte, 18)), "d"), 1), `SV041 error: d: the reference is for another type (structure "q4") than the value's (structure)`},
		{"empty writer", structview.Writer{}.SetUint64(h, 1), "SV041 error: the writer is empty: make one with NewWriter or Patch"},
		{"empty writer's bytes", second(structview.Writer{}.Bytes()), "SV041 error: the writer is empty: make one with NewWriter or Patch"},
		{"bytes of a part", second(must(w.Sub(q4s)).Bytes()), "SV041 error: this is a part of a value: ask the writer of the whole value for its bytes"},
		{"part of many", second(w.Sub(must(w.At("blocks[:]")))), "SV041 error: blocks[:]: the path does not lead to one value with a type of its own: give an index for each dimension, or write elements with Writer.SetTensor or Writer.Set"},
		{"part index", second(must(w.Sub(must(w.At("blocks")))).Index(3)), "SV041 error: index 3 does not exist: there are 3 elements, 0 to 2"},
		{"index of a structure", second(w.Index(0)), "SV041 error: a structure has no index: use View.Field or View.At"},
		{"index of nothing", second(structview.Writer{}.Index(0)), "SV041 error: the writer is empty: make one with NewWriter or Patch"},
		{"path of nothing", structview.Writer{}.Set("d", 1), "SV041 error: the writer is empty: make one with NewWriter or Patch"},
		{"no type", second(structview.NewWriter(nil)), "SV041 error: a writer needs a type"},
		{"no type to patch", second(structview.Patch(nil, nil)), "SV041 error: a writer needs a type"},
		{"short", second(structview.Patch(root, payload[1:])), "SV022 error: the payload has 104 bytes; struct_types[1] takes 105"},
		{"not whole bytes", second(structview.NewWriter(resolved(t, packing(1, part("x", 3))))), "SV021 error: the size of struct_types[0] is 3 bits, which is not a whole number of bytes"},
		{"huge", second(structview.NewWriter(resolved(t, array(leaf(tensor.Int8), 1<<40)))), "SV041 error: struct_types[0] takes 1099511627776 bytes, more than the 1073741824 that NewWriter makes: use NewWriterInto with memory of your own"},
		{"copy of part of a byte", second(structview.PatchCopy(must(w.View().Sub(must(w.At("i4")))))), "SV021 error: the size of the tensor is 4 bits, which is not a whole number of bytes"},
	} {
		got := "<nil>"
		if c.err != nil {
			got = c.err.Error()
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.what, got, c.want)
		}
		if strings.HasPrefix(c.want, "SV047") && !errors.Is(c.err, structview.ErrFit) {
			t.Errorf("%s: not ErrFit", c.what)
		}
	}
	if err := errors.Join(w.Zero("blocks.d"), w.Zero("blocks.qs.lo"), w.Zero("m")); err != nil { // where runs stopped
		t.Fatal(err)
	}
	if !allZero(payload) {
		t.Errorf("a refused write changed % x", payload)
	}
}

func allZero(b []byte) bool { return !slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) }

// must returns what a test expects to be in order.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func TestOverflow(t *testing.T) {
	root := misuseRoot(t)
	w, err := structview.Patch(root, make([]byte, root.Bits()/8))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path     string
		x        float64
		overflow structview.Overflow
		want     float64
	}{
		{"h", 70000, structview.Saturate, math.Inf(1)},
		{"h", -70000, structview.Infinite, math.Inf(-1)},
		{"h", math.Inf(1), structview.Refuse, math.Inf(1)},
		{"h", 65519, structview.Refuse, 65504},
		{"fn", 1e9, structview.Saturate, 448},
		{"fn", -1e9, structview.Infinite, math.NaN()},
		{"fn", math.NaN(), structview.Refuse, math.NaN()},
		{"tiny", 1e9, structview.Infinite, 6},
		{"tiny", -6.9, structview.Refuse, -6},
		{"e", 0, structview.Saturate, 0x1p-127},
		{"e", 0, structview.Infinite, math.NaN()},
		{"f", 1e300, structview.Saturate, math.Inf(1)},
	} {
		w.Overflow = c.overflow
		if err := w.Set(c.path, c.x); err != nil {
			t.Errorf("%s %v: %v", c.path, c.x, err)
			continue
		}
		got, err := w.View().Float64(must(w.At(c.path)))
		if err != nil || got != c.want && (got == got || c.want == c.want) {
			t.Errorf("%s = %v: %v (%v), want %v", c.path, c.x, got, err, c.want)
		}
	}
}

// TestGoValues writes each Go type that Set takes.
func TestGoValues(t *testing.T) {
	root := misuseRoot(t)
	w := writer(t, root)
	payload := func() []byte { return must(w.View().Bits()) }
	for _, c := range []struct {
		path string
		x    any
		want float64
	}{
		{"u8", 200, 200},
		{"u8", uint8(201), 201},
		{"u8", uint16(202), 202},
		{"u8", uint32(203), 203},
		{"u8", uint64(204), 204},
		{"u8", int16(205), 205},
		{"i64", int32(-7), -7},
		{"i64", int64(-8), -8},
		{"i64", int8(-9), -9},
		{"ok", true, 1},
		{"ok", false, 0},
		{"u8", true, 1},
		{"h", float32(1.5), 1.5},
		{"f", -2, -2},
		{"f", uint(3), 3},
		{"h", tensor.F16(0x3C00), 1},
		{"fn", tensor.E4M3FN(0x38), 1},
		{"e", tensor.E8M0(128), 2},
		{"i64", -float64(1 << 62), -(1 << 62)},
		{"e", 4, 4},
		{"tiny", -0.5, -0.5},
		{"f", false, 0},
		{`"a b"`, 65535, 65535},
	} {
		if err := w.Set(c.path, c.x); err != nil {
			t.Errorf("%s %v: %v", c.path, c.x, err)
			continue
		}
		if got := must(w.View().Float64(must(w.At(c.path)))); got != c.want {
			t.Errorf("%s = %v: %v", c.path, c.x, got)
		}
	}
	for _, list := range []any{
		[]int{1, -2, 3},
		[]int8{1, -2, 3},
		[]int16{1, -2, 3},
		[]int32{1, -2, 3},
		[]int64{1, -2, 3},
		[]float32{1, -2, 3},
		[]float64{1, -2, 3},
		tensor.Of([]int64{3}, 1, -2, int16(3)),
	} {
		if err := errors.Join(w.Zero("m"), w.Set("m[1]", list)); err != nil {
			t.Fatal(err)
		}
		if got := tensor.Slice[int16](must(w.View().Tensor(must(w.At("m"))))); !slices.Equal(got, []int16{0, 0, 0, 1, -2, 3}) {
			t.Errorf("%T: %v", list, got)
		}
	}
	for _, list := range []any{
		[]uint{1, 2, 3}, []uint8{1, 2, 3}, []uint16{1, 2, 3}, []uint32{1, 2, 3}, []uint64{1, 2, 3}, []float64{1, 2, 3},
	} {
		if err := errors.Join(w.Zero("blocks"), w.Set("blocks[1].qs[13:].hi", list)); err != nil {
			t.Fatal(err)
		}
		if got := payload()[18:36]; !bytes.Equal(got[15:], []byte{0x10, 0x20, 0x30}) || !allZero(got[:15]) {
			t.Errorf("%T: % x", list, got)
		}
	}
	if err := w.Set("blocks.d", []bool{true, false, true}); err != nil {
		t.Fatal(err)
	}
	if err := w.Set("c", complex64(1-2i)); err != nil {
		t.Fatal(err)
	}
	if got := must(w.View().AppendBits(nil, must(w.At("c")))); !bytes.Equal(got, []byte{0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0}) {
		t.Errorf("c = % x", got)
	}
}
