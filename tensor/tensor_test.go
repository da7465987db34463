// SPDX-License-Identifier: Apache-2.0

package tensor

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// all has the 26 element types.
func all() []Type {
	var list []Type
	for t := Float; t <= Int2; t++ {
		list = append(list, t)
	}
	return list
}

// widths are those of SV013.
var widths = map[uint64][]Type{
	0:   {String},
	2:   {Int2, Uint2},
	4:   {Int4, Uint4, Float4E2M1},
	8:   {Bool, Int8, Uint8, Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ, Float8E8M0},
	16:  {Int16, Uint16, Float16, BFloat16},
	32:  {Int32, Uint32, Float},
	64:  {Int64, Uint64, Double, Complex64},
	128: {Complex128},
}

func TestTypes(t *testing.T) {
	seen := 0
	for bits, list := range widths {
		for _, typ := range list {
			seen++
			if typ.Bits() != bits || !typ.Valid() {
				t.Errorf("%v: %d bits, valid %v; want %d", typ, typ.Bits(), typ.Valid(), bits)
			}
			for _, name := range []string{typ.String(), typ.Text()} {
				if got, ok := Named(name); !ok || got != typ {
					t.Errorf("Named(%q) = %v, %v", name, got, ok)
				}
			}
			kinds := 0
			for _, is := range []bool{typ.IsFloat(), typ.IsInteger(), typ.IsComplex(), typ == Bool, typ == String} {
				if is {
					kinds++
				}
			}
			if kinds != 1 || typ.IsSigned() && !typ.IsInteger() {
				t.Errorf("%v is of %d kinds", typ, kinds)
			}
		}
	}
	if seen != 26 || len(all()) != 26 {
		t.Errorf("%d types", seen)
	}
	for _, typ := range []Type{-1, 0, 27, math.MaxInt32} {
		if typ.Valid() || typ.Bits() != 0 || typ.IsFloat() || typ.IsInteger() {
			t.Errorf("%v passes for a type", typ)
		}
	}
	if got := Type(99).String(); got != "DataType(99)" {
		t.Errorf("Type(99) is %q", got)
	}
	for _, name := range []string{"", "Float16", "undefined", "UNDEFINED", "half"} {
		if got, ok := Named(name); ok {
			t.Errorf("Named(%q) = %v", name, got)
		}
	}
}

func TestNewErrors(t *testing.T) {
	huge := int64(math.MaxInt64)
	for _, c := range []struct {
		typ  Type
		dims []int64
		size int
		want string
	}{
		{Float, []int64{2, 3}, 24, ""},
		{Float, nil, 4, ""},
		{Int4, []int64{3}, 2, ""},
		{Int2, []int64{5}, 2, ""},
		{Float, []int64{huge, huge, 0}, 0, ""},
		{Float, []int64{2, 3}, 23, "tensor: FLOAT[2,3] takes 24 bytes, got 23"},
		{Int4, []int64{3}, 1, "tensor: INT4[3] takes 2 bytes, got 1"},
		{Float, []int64{2, -3}, 24, "tensor: dimension 1 is negative: -3"},
		{Float, []int64{0, -3}, 0, "tensor: dimension 1 is negative: -3"},
		{Float, []int64{1 << 32, 1 << 32}, 0, "tensor: [4294967296,4294967296] has 2^63 elements or more"},
		{Uint8, []int64{3037000500, 3037000500}, 0, "tensor: [3037000500,3037000500] has 2^63 elements or more"},
		{Float, []int64{1 << 60}, 0, "tensor: FLOAT[1152921504606846976] is larger than 2^63 bits"},
		{String, []int64{1}, 1, "tensor: element type STRING has no fixed width"},
		{Undefined, nil, 0, "tensor: element type UNDEFINED has no fixed width"},
		{27, nil, 0, "tensor: element type DataType(27) has no fixed width"},
	} {
		got, err := New(c.typ, c.dims, make([]byte, c.size))
		if text := errorText(err); text != c.want {
			t.Errorf("New(%v, %v): error %q, want %q", c.typ, c.dims, text, c.want)
		}
		if err == nil && (got.Type() != c.typ || !slices.Equal(got.Dims(), c.dims) || len(got.Bytes()) != c.size || got.Rank() != len(c.dims)) {
			t.Errorf("New(%v, %v) = %v", c.typ, c.dims, got)
		}
	}
	if _, err := NewStrings([]int64{2}, [][]byte{nil}); errorText(err) != "tensor: STRING[2] has 2 elements, got 1" {
		t.Error(err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestReshape(t *testing.T) {
	a := Of([]int64{2, 3}, 1, 2, 3, 4, 5, int32(6))
	b, err := a.Reshape([]int64{3, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(b.Dims(), []int64{3, 1, 2}) || &b.Bytes()[0] != &a.Bytes()[0] || !slices.Equal(a.Dims(), []int64{2, 3}) {
		t.Errorf("Reshape gave %v from %v", b.Dims(), a.Dims())
	}
	_, err = a.Reshape([]int64{5})
	if want := "tensor: cannot reshape [2,3] (6 elements) to [5] (5)"; errorText(err) != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

func TestSubByte(t *testing.T) { // the known answers of little-endian bit order
	int4, err := Pack(Int4, []int64{5}, []uint8{1, 2, 3, 0xF8, 0xFF})
	if err != nil {
		t.Fatal(err)
	}
	if got := int4.Bytes(); !slices.Equal(got, []byte{0x21, 0x83, 0x0F}) {
		t.Errorf("INT4 packed as % X", got)
	}
	if got := UnpackInt8(int4); !slices.Equal(got, []int8{1, 2, 3, -8, -1}) {
		t.Errorf("INT4 is %v", got)
	}
	if got := Unpack(int4); !slices.Equal(got, []uint8{1, 2, 3, 8, 15}) {
		t.Errorf("INT4 codes are %v", got)
	}
	int2, err := Pack(Int2, []int64{5}, []uint8{0, 1, 0xFE, 0xFF, 0xFF})
	if err != nil {
		t.Fatal(err)
	}
	if got := int2.Bytes(); !slices.Equal(got, []byte{0xE4, 0x03}) {
		t.Errorf("INT2 packed as % X", got)
	}
	if got := UnpackInt8(int2); !slices.Equal(got, []int8{0, 1, -2, -1, -1}) {
		t.Errorf("INT2 is %v", got)
	}
	if _, err := Pack(Int2, []int64{5}, make([]uint8, 4)); errorText(err) != "tensor: INT2[5] has 5 elements, got 4" {
		t.Error(err)
	}
	if _, err := Pack(Int16, []int64{1}, make([]uint8, 1)); errorText(err) != "tensor: INT16 has no codes of 8 bits or fewer" {
		t.Error(err)
	}
}

func TestPackInvertsUnpack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom([]Type{Int4, Uint4, Float4E2M1, Int2, Uint2, Uint8, Float8E5M2}).Draw(t, "type")
		codes := rapid.SliceOf(rapid.Uint8Max(1<<typ.Bits()-1)).Draw(t, "codes")
		packed, err := Pack(typ, []int64{int64(len(codes))}, slices.Clone(codes))
		if err != nil {
			t.Fatal(err)
		}
		if got := Unpack(packed); !slices.Equal(got, codes) {
			t.Fatalf("%v gave %v", codes, got)
		}
	})
}

func TestEqual(t *testing.T) {
	vector := func(typ Type, data ...byte) *Tensor {
		return must(New(typ, []int64{int64(len(data)) * 8 / int64(typ.Bits())}, data))
	}
	odd := func(data ...byte) *Tensor { return must(New(Int4, []int64{3}, data)) }
	words := func(v ...string) *Tensor {
		var list [][]byte
		for _, s := range v {
			list = append(list, []byte(s))
		}
		return must(NewStrings([]int64{int64(len(v))}, list))
	}
	for i, c := range []struct {
		a, b          *Tensor
		equal, values bool
	}{
		{Of([]int64{2}, int8(1), 2), Of([]int64{2}, int8(1), 2), true, true},
		{Of([]int64{2}, int8(1), 2), Of([]int64{2, 1}, int8(1), 2), false, false},
		{Of([]int64{2}, int8(1), 2), Of([]int64{2}, uint8(1), 2), false, false},
		{Of([]int64{2}, int8(1), 2), Of([]int64{2}, int8(1), 3), false, false},
		{odd(0x21, 0x03), odd(0x21, 0xF3), true, true},
		{odd(0x21, 0x03), odd(0x21, 0x04), false, false},
		{vector(Float, 1, 0, 0xC0, 0x7F), vector(Float, 0, 0, 0xC0, 0xFF), false, true},
		{vector(Float, 0, 0, 0x80, 0x7F), vector(Float, 0, 0, 0xC0, 0x7F), false, false}, // infinity, NaN
		{vector(Float, 0, 0, 0, 0), vector(Float, 0, 0, 0, 0x80), false, false},          // zeros
		{Of(nil, math.NaN()), Of(nil, math.Float64frombits(0x7FF8<<48)), false, true},
		{Of(nil, complex(math.NaN(), 1)), Of(nil, complex(math.Float64frombits(0x7FF8<<48), 1)), false, true},
		{Of(nil, complex(math.NaN(), 1)), Of(nil, complex(math.Float64frombits(0x7FF8<<48), 2)), false, false},
		{vector(Float16, 1, 0x7C), vector(Float16, 0, 0x7E), false, true},
		{vector(BFloat16, 0x81, 0x7F), vector(BFloat16, 0xC0, 0xFF), false, true},
		{vector(Float8E4M3FN, 0x7F), vector(Float8E4M3FN, 0xFF), false, true},
		{vector(Float8E4M3FNUZ, 0x7F), vector(Float8E4M3FNUZ, 0xFF), false, false},
		{vector(Float8E5M2, 0x7D), vector(Float8E5M2, 0x7E), false, true},
		{vector(Float4E2M1, 0x70), vector(Float4E2M1, 0xF0), false, false},
		{vector(Bool, 1), vector(Bool, 2), false, true},
		{words("a", "bc"), words("a", "bc"), true, true},
		{words("a", "bc"), words("a", "bd"), false, false},
	} {
		if got := Equal(c.a, c.b); got != c.equal {
			t.Errorf("%d: Equal = %v", i, got)
		}
		if got := EqualValues(c.a, c.b); got != c.values {
			t.Errorf("%d: EqualValues = %v", i, got)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestProtoRoundTrip(t *testing.T) {
	for _, typ := range all() {
		dims := []int64{3, 1}
		var want *Tensor
		if typ == String {
			want = must(NewStrings(dims, [][]byte{[]byte("a"), {}, {0xFF}}))
		} else {
			data := make([]byte, (3*typ.Bits()+7)/8)
			for i := range data {
				data[i] = byte(17*i + 3)
			}
			want = must(New(typ, dims, data))
		}
		p := want.Proto("w")
		got, err := FromProto(p)
		if err != nil {
			t.Errorf("%v: %v", typ, err)
			continue
		}
		if !Equal(got, want) || p.Name != "w" {
			t.Errorf("%v: % X became % X", typ, want.Bytes(), got.Bytes())
		}
	}
}

func ExampleNew() {
	// Three INT4 elements in two bytes, the first in the low bits.
	t, err := New(Int4, []int64{3}, []byte{0x2F, 0x08})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Type(), t.Dims(), UnpackInt8(t))
	// Output: INT4 [3] [-1 2 -8]
}
