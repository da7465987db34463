// SPDX-License-Identifier: Apache-2.0

package tensor

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

// ramp returns bytes that differ in every lane of any element, a byte beyond an aligned address if shifted.
func ramp(n int, shifted bool) []byte {
	room := make([]byte, n+8)
	data := room[:n:n]
	if shifted {
		data = room[1 : n+1 : n+1]
	}
	for i := range data {
		data[i] = byte(i*29 + 1)
	}
	return data
}

func checkElements[T Native | Code](t *testing.T, typ Type, isNaN func(T) bool) {
	t.Helper()
	size := int(typ.Bits() / 8)
	aligned, shifted := ramp(8*size, false), ramp(8*size, true)
	same := func(a, b T) bool { return a == b || isNaN != nil && isNaN(a) && isNaN(b) }
	a := Slice[T](must(New(typ, []int64{8}, aligned)))
	b := Slice[T](must(New(typ, []int64{8}, shifted)))
	if !slices.EqualFunc(a, b, same) || !slices.EqualFunc(a, copyElements[T](aligned), same) {
		t.Errorf("%v: aligned %v, shifted %v, copied %v", typ, a, b, copyElements[T](aligned))
	}
	if TypeOf[T]() == Bool {
		return
	}
	back := must(FromSlice(typ, []int64{8}, a))
	if !bytes.Equal(back.Bytes(), aligned) || !bytes.Equal(copyBytes(a), aligned) {
		t.Errorf("%v: % X came back as % X, copied as % X", typ, aligned, back.Bytes(), copyBytes(a))
	}
	if empty := Slice[T](must(New(typ, []int64{0}, nil))); len(empty) != 0 {
		t.Errorf("%v: empty tensor gave %v", typ, empty)
	}
}

func TestSlice(t *testing.T) {
	checkElements(t, Float, func(v float32) bool { return v != v })
	checkElements(t, Double, func(v float64) bool { return v != v })
	checkElements[complex64](t, Complex64, nil)
	checkElements[complex128](t, Complex128, nil)
	checkElements[bool](t, Bool, nil)
	checkElements[int8](t, Int8, nil)
	checkElements[int16](t, Int16, nil)
	checkElements[int32](t, Int32, nil)
	checkElements[int64](t, Int64, nil)
	checkElements[uint8](t, Uint8, nil)
	checkElements[uint16](t, Uint16, nil)
	checkElements[uint32](t, Uint32, nil)
	checkElements[uint64](t, Uint64, nil)
	checkElements[F16](t, Float16, nil)
	checkElements[BF16](t, BFloat16, nil)
	checkElements[E4M3FN](t, Float8E4M3FN, nil)
	checkElements[E4M3FNUZ](t, Float8E4M3FNUZ, nil)
	checkElements[E5M2](t, Float8E5M2, nil)
	checkElements[E5M2FNUZ](t, Float8E5M2FNUZ, nil)
	checkElements[E8M0](t, Float8E8M0, nil)
	checkElements[uint64](t, Complex64, nil) // as words
	checkElements[uint32](t, Float, nil)
	checkElements[uint16](t, Float16, nil)
	checkElements[uint8](t, Bool, nil)
}

func TestSliceKnownAnswers(t *testing.T) {
	data := []byte{0x01, 0x02, 0x03, 0x84, 0, 0, 0x80, 0x3F}
	if got := Slice[uint32](must(New(Uint32, []int64{2}, data))); !slices.Equal(got, []uint32{0x84030201, 0x3F800000}) {
		t.Errorf("%#x", got)
	}
	if got := Slice[int16](must(New(Int16, []int64{2}, data[:4]))); !slices.Equal(got, []int16{0x0201, -0x7BFD}) {
		t.Errorf("%#x", got)
	}
	if got := Slice[complex64](must(New(Complex64, nil, data))); real(got[0]) != math.Float32frombits(0x84030201) || imag(got[0]) != 1 {
		t.Errorf("%v", got)
	}
	if got := Slice[bool](must(New(Bool, []int64{4}, []byte{0, 1, 2, 255}))); !slices.Equal(got, []bool{false, true, true, true}) {
		t.Errorf("%v", got)
	}
	if got := Of([]int64{2}, complex64(complex(1, -2)), 3).Bytes(); !bytes.Equal(got, []byte{0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 0, 0, 0x40, 0x40, 0, 0, 0, 0}) {
		t.Errorf("% X", got)
	}
	if got := Of([]int64{3}, true, false, true).Bytes(); !bytes.Equal(got, []byte{1, 0, 1}) {
		t.Errorf("% X", got)
	}
}

func TestSliceDoesNotCopy(t *testing.T) {
	x := Of([]int64{1 << 16}, make([]float32, 1<<16)...)
	if n := testing.AllocsPerRun(10, func() {
		if v := Slice[float32](x); hostIsLittle && &v[0] != &Slice[float32](x)[0] {
			t.Fatal("copied")
		}
	}); hostIsLittle && n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestSliceMistakes(t *testing.T) {
	for _, c := range []struct {
		name string
		call func()
	}{
		{"float32 of INT32", func() { Slice[float32](Of[int32](nil, 1)) }},
		{"uint8 of INT4", func() { Slice[uint8](must(New(Int4, []int64{2}, []byte{1}))) }},
		{"uint32 of INT64", func() { Slice[uint32](Of[int64](nil, 1)) }},
		{"F16 of BFLOAT16", func() { Slice[F16](must(New(BFloat16, nil, []byte{1, 2}))) }},
		{"Unpack of INT16", func() { Unpack(Of[int16](nil, 1)) }},
		{"UnpackInt8 of UINT8", func() { UnpackInt8(Of[uint8](nil, 1)) }},
		{"count", func() { Of([]int64{2}, int8(1)) }},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s passed", c.name)
				}
			}()
			c.call()
		}()
	}
	_, err := FromSlice(Int32, []int64{1}, []float32{1})
	if want := "tensor: elements of FLOAT cannot be those of INT32"; errorText(err) != want {
		t.Errorf("%q, want %q", err, want)
	}
	_, err = FromSlice(Float, []int64{2}, []float32{1})
	if want := "tensor: FLOAT[2] has 2 elements, got 1"; errorText(err) != want {
		t.Errorf("%q, want %q", err, want)
	}
}
