// SPDX-License-Identifier: Apache-2.0

package tensor

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestBulkEqualsSingle(t *testing.T) {
	for _, typ := range smallFloats {
		n := 1 << typ.Bits()
		for _, n := range []int{n, 5} {
			var x *Tensor
			if typ.Bits() == 16 {
				codes := make([]uint16, n)
				for i := range codes {
					codes[i] = uint16(i * 7)
				}
				x = must(FromSlice(typ, []int64{int64(n)}, codes))
			} else {
				codes := make([]uint8, 300*n) // beyond the use of a table
				for i := range codes {
					codes[i] = uint8(i * 7)
				}
				x = must(Pack(typ, []int64{int64(len(codes))}, codes))
			}
			wide, narrow := must(Float64s(x)), must(Float32s(x))
			for i := range wide {
				code := uint64(i*7) & (1<<typ.Bits() - 1)
				if want := ToFloat(typ, code); !same(wide[i], want) || !same(float64(narrow[i]), want) {
					t.Fatalf("%v %#x: %v, %v, want %v", typ, code, wide[i], narrow[i], want)
				}
			}
		}
	}
}

func TestConvertKnownAnswers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	floats := Of([]int64{8}, 1.9, -1.9, 300, -300.0, 5e9, nan, inf, -inf)
	list := func(v ...int64) []int64 { return v }
	for _, c := range []struct {
		from *Tensor
		to   Type
		want []int64
	}{
		{floats, Int64, list(1, -1, 300, -300, 5e9, 0, math.MaxInt64, math.MinInt64)},
		{floats, Int8, list(1, -1, 44, -44, 5_000_000_000&0xFF, 0, -1, 0)},
		{floats, Uint8, list(1, 255, 44, 212, 5_000_000_000&0xFF, 0, 255, 0)},
		{floats, Int4, list(1, -1, -4, 4, 0, 0, -1, 0)},
		{floats, Int2, list(1, -1, 0, 0, 0, 0, -1, 0)},
		{floats, Bool, list(1, 1, 1, 1, 1, 1, 1, 1)},
		{Of([]int64{3}, 0, math.Copysign(0, -1), 1e-300), Bool, list(0, 0, 1)},
		{Of([]int64{3}, 0, math.Copysign(0, -1), 0.5), Int32, list(0, 0, 0)},
		{Of([]int64{3}, int16(200), -1, 0x1234), Int8, list(-56, -1, 0x34)},
		{Of([]int64{3}, int16(200), -1, 0x1234), Uint32, list(200, math.MaxUint32, 0x1234)},
		{Of([]int64{3}, int16(200), -1, 0), Bool, list(1, 1, 0)},
		{Of([]int64{2}, uint64(math.MaxUint64), 3), Int32, list(-1, 3)},
		{Of([]int64{2}, uint64(math.MaxUint64), 3), Bool, list(1, 1)},
		{Of([]int64{2}, true, false), Int2, list(1, 0)},
		{must(New(Bool, []int64{2}, []byte{7, 0})), Uint16, list(1, 0)},
		{must(Pack(Int4, []int64{3}, []uint8{8, 15, 7})), Int8, list(-8, -1, 7)},
		{must(Pack(Uint4, []int64{3}, []uint8{8, 15, 7})), Int8, list(8, 15, 7)},
		{must(Pack(Uint2, []int64{3}, []uint8{2, 3, 0})), Uint64, list(2, 3, 0)},
		{Of([]int64{2}, 1.8446744073709550e19, -1), Uint64, list(-2048, -1)},
		{Of([]int64{2}, 1e300, 0x1p63), Uint64, list(-1, math.MinInt64)},
	} {
		got, err := Convert(c.from, c.to, true, RoundUp)
		if err != nil {
			t.Errorf("%v to %v: %v", c.from.Type(), c.to, err)
			continue
		}
		if v := must(Int64s(got)); got.Type() != c.to || !slices.Equal(v, c.want) {
			t.Errorf("%v to %v: %v, want %v", c.from.Type(), c.to, v, c.want)
		}
	}
}

func TestConvertErrors(t *testing.T) {
	x := Of(nil, complex(1, 2))
	for _, c := range []struct {
		call func() error
		want string
	}{
		{func() error { _, err := Convert(x, Float, true, 0); return err }, "tensor: no conversion from COMPLEX128 to FLOAT"},
		{func() error { _, err := Convert(Of(nil, 1.0), String, true, 0); return err }, "tensor: no conversion from DOUBLE to STRING"},
		{func() error { _, err := Float32s(x); return err }, "tensor: COMPLEX128 elements are not real numbers"},
		{func() error { _, err := Float64s(must(NewStrings(nil, [][]byte{nil}))); return err }, "tensor: STRING elements are not real numbers"},
		{func() error { _, err := Int64s(Of(nil, 1.0)); return err }, "tensor: DOUBLE elements are not integers"},
		{func() error { _, err := FromFloat32s(Int8, nil, []float32{1}, true, 0); return err }, "tensor: INT8 is not a float type"},
	} {
		if got := errorText(c.call()); got != c.want {
			t.Errorf("error %q, want %q", got, c.want)
		}
	}
	if y, err := Convert(x, Complex128, true, 0); err != nil || y != x {
		t.Errorf("conversion to the own type: %v, %v", y, err)
	}
}

// An integer reaches every float type with one rounding: the oracle is the float64 that math/big rounds once to the
// type's precision.
func TestIntegersRoundOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.Uint64().Draw(t, "bits") >> rapid.IntRange(0, 63).Draw(t, "shift")
		bits ^= rapid.Uint64Max(3).Draw(t, "low")
		var x *Tensor
		exact := new(big.Float).SetPrec(64)
		if rapid.Bool().Draw(t, "signed") {
			x = Of(nil, int64(bits))
			exact.SetInt64(int64(bits))
		} else {
			x = Of(nil, bits)
			exact.SetUint64(bits)
		}
		for typ, precision := range map[Type]uint{Float: 24, Double: 53, BFloat16: 8} {
			want, _ := new(big.Float).SetPrec(precision).SetMode(big.ToNearestEven).Set(exact).Float64()
			if exact.Sign() == 0 {
				want = 0
			}
			got := must(Float64s(must(Convert(x, typ, true, RoundUp))))[0]
			if got != want {
				t.Fatalf("%v to %v: %b, want %b", exact, typ, got, want)
			}
		}
	})
}

// Doubles that lie just beside the middle of two FLOAT16 or BFLOAT16 values round twice if they pass through float32.
func TestDoublesRoundOnce(t *testing.T) {
	x := Of([]int64{2}, 1+0x1p-11+0x1p-40, 1+0x1p-8+0x1p-40)
	half := Slice[uint16](must(Convert(x, Float16, true, RoundUp)))
	brain := Slice[uint16](must(Convert(x, BFloat16, true, RoundUp)))
	if half[0] != 0x3C01 || brain[1] != 0x3F81 {
		t.Errorf("%#x, %#x", half, brain)
	}
	if got := must(Float32s(Of(nil, 1+0x1p-24+0x1p-50)))[0]; got != 1+0x1p-23 {
		t.Errorf("%b", got)
	}
}

func TestFromInt64s(t *testing.T) {
	got := must(FromInt64s(Int4, []int64{3}, []int64{7, 8, -9}, true, RoundUp))
	if v := UnpackInt8(got); !slices.Equal(v, []int8{7, -8, 7}) {
		t.Errorf("%v", v)
	}
	codes := Unpack(must(FromInt64s(Float8E4M3FN, []int64{3}, []int64{1, 500, -3}, true, RoundUp)))
	if !slices.Equal(codes, []uint8{0x38, 0x7E, 0xC4}) {
		t.Errorf("%#x", codes)
	}
}

// Every pair of real types converts, and what both types hold survives.
func TestConvertEveryPair(t *testing.T) {
	for _, from := range all() {
		for _, to := range all() {
			if !isReal(from) || !isReal(to) {
				continue
			}
			source := must(FromInt64s(from, []int64{2, 1}, []int64{1, 1}, true, RoundUp))
			got, err := Convert(source, to, true, RoundUp)
			if err != nil {
				t.Errorf("%v to %v: %v", from, to, err)
				continue
			}
			if v := must(Float64s(got)); !slices.Equal(v, []float64{1, 1}) || !slices.Equal(got.Dims(), []int64{2, 1}) {
				t.Errorf("%v to %v: %v", from, to, v)
			}
		}
	}
}

func BenchmarkFloat32s(b *testing.B) {
	const n = 1 << 16
	codes := make([]uint16, n)
	for i := range codes {
		codes[i] = uint16(i)
	}
	for _, x := range []*Tensor{
		must(FromSlice(Float16, []int64{n}, codes)), must(FromSlice(BFloat16, []int64{n}, codes)),
		must(New(Float8E4M3FN, []int64{n}, make([]byte, n))), must(New(Int4, []int64{n}, make([]byte, n/2))),
	} {
		b.Run(x.Type().String(), func(b *testing.B) {
			b.SetBytes(4 * n)
			for b.Loop() {
				if _, err := Float32s(x); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFromFloat32s(b *testing.B) {
	const n = 1 << 16
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(i) * 0.37
	}
	for _, typ := range []Type{Float16, BFloat16, Float8E4M3FN, Float4E2M1} {
		b.Run(typ.String(), func(b *testing.B) {
			b.SetBytes(4 * n)
			for b.Loop() {
				if _, err := FromFloat32s(typ, []int64{n}, v, true, RoundUp); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
