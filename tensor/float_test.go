// SPDX-License-Identifier: Apache-2.0

package tensor

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"sort"
	"testing"
)

// smallFloats are the types of the format table.
var smallFloats = []Type{
	Float16, BFloat16, Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ, Float4E2M1, Float8E8M0,
}

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// The tables were made by another implementation: see testdata/elements/README.md.
func TestToFloatAgreesWithElementTables(t *testing.T) {
	for name, typ := range map[string]Type{
		"e4m3": Float8E4M3FN, "e5m2": Float8E5M2, "e2m1": Float4E2M1, "e8m0": Float8E8M0,
	} {
		file, err := os.ReadFile("testdata/elements/" + name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		table := file[128:] // after a header of fixed length: float32, C order
		if want := 4 << typ.Bits(); len(table) != want {
			t.Fatalf("%s: table of %d bytes, want %d", name, len(table), want)
		}
		for code := range 1 << typ.Bits() {
			want := float64(math.Float32frombits(binary.LittleEndian.Uint32(table[4*code:])))
			if got := ToFloat(typ, uint64(code)); !same(got, want) {
				t.Errorf("ToFloat(%v, %#x) = %v, want %v", typ, code, got, want)
			}
		}
	}
}

// The sums are those of ggml's float16 table.
func TestF16Table(t *testing.T) {
	sum, folded := sha256.New(), sha256.New()
	for code := range 1 << 16 {
		x := F16ToF32(uint16(code))
		bits := math.Float32bits(x)
		sum.Write(binary.LittleEndian.AppendUint32(nil, bits))
		if x != x {
			bits = 0x7FC00000
		}
		folded.Write(binary.LittleEndian.AppendUint32(nil, bits))
	}
	if got, want := hex.EncodeToString(sum.Sum(nil)), "b636c5716ff84d972782faf02d0194cb8951526bea4cc487082feb47b1860ddf"; got != want {
		t.Errorf("SHA-256 of all float16 values is %s, want %s", got, want)
	}
	if got, want := hex.EncodeToString(folded.Sum(nil)), "385ff5fe69182797cda5f1827e20cf423f4416bc9246f27d0eec27cac9039259"; got != want {
		t.Errorf("SHA-256 with one NaN is %s, want %s", got, want)
	}
}

func TestFastPathsEqualTable(t *testing.T) {
	for code := range uint64(1 << 16) {
		f16, bf16 := F16ToF32(uint16(code)), BF16ToF32(uint16(code))
		want := ToFloat(Float16, code)
		bits := math.Float32bits(float32(want))
		if want != want { // not every machine keeps a NaN's bits when it narrows
			bits = uint32(math.Float64bits(want)>>32&(1<<31) | 0x7F800000 | math.Float64bits(want)>>29&(1<<23-1))
		}
		if math.Float32bits(f16) != bits {
			t.Fatalf("F16ToF32(%#x) = %v, ToFloat %v", code, f16, want)
		}
		if want := ToFloat(BFloat16, code); !same(float64(bf16), want) {
			t.Fatalf("BF16ToF32(%#x) = %v, ToFloat %v", code, bf16, want)
		}
	}
	check := func(x float32) {
		if x != x { // not every machine keeps a NaN's bits when it widens
			if half, brain := F32ToF16(x), F32ToBF16(x); BF16ToF32(brain) == BF16ToF32(brain) ||
				half&0x8000 != brain&0x8000 || half&0x7FFF != 0x7E00 || uint32(brain)|math.Float32bits(x)>>16 != uint32(brain) {
				t.Fatalf("NaN %#x became %#x, %#x", math.Float32bits(x), half, brain)
			}
			return
		}
		if got, want := F32ToF16(x), FromFloat(Float16, float64(x), true, 0); uint64(got) != want {
			t.Fatalf("F32ToF16(%b) = %#x, FromFloat %#x", x, got, want)
		}
		if got, want := F32ToBF16(x), FromFloat(BFloat16, float64(x), true, 0); uint64(got) != want {
			t.Fatalf("F32ToBF16(%b) = %#x, FromFloat %#x", x, got, want)
		}
	}
	for code := uint64(0); code < 1<<32; code += 4093 {
		check(math.Float32frombits(uint32(code)))
	}
	for code := range uint32(1 << 16) { // every code of both types, its middle to the next, and their neighbours
		for _, near := range [...]uint32{code << 16, code<<16 + 0x8000, math.Float32bits(F16ToF32(uint16(code))), math.Float32bits(F16ToF32(uint16(code))) + 0x1000} {
			check(math.Float32frombits(near - 1))
			check(math.Float32frombits(near))
			check(math.Float32frombits(near + 1))
		}
	}
}

// oracle knows a format as a list of values, computed with rationals from the
// definition sign * 2^e * (1+m/2^n), and nothing of the code under test.
type oracle struct {
	typ    Type
	values []float64 // of magnitude codes 0, 1, …, ascending; exact in float64
	next   float64   // the value that would follow the largest
}

func newOracle(typ Type, exponent, mantissa uint, bias int, largest int) oracle {
	o := oracle{typ: typ}
	for code := 0; code <= largest+1; code++ {
		e, m := code>>mantissa, code&(1<<mantissa-1)
		v := new(big.Rat).SetFrac64(int64(m), 1<<mantissa)
		power := 1 - bias
		if e > 0 || mantissa == 0 {
			v.Add(v, big.NewRat(1, 1))
			power = e - bias
		}
		scale := new(big.Int).Lsh(big.NewInt(1), uint(max(power, -power)))
		if power < 0 {
			v.Mul(v, new(big.Rat).SetFrac(big.NewInt(1), scale))
		} else {
			v.Mul(v, new(big.Rat).SetInt(scale))
		}
		f, exact := v.Float64()
		if !exact {
			panic("not a float64")
		}
		o.values = append(o.values, f)
	}
	o.next = o.values[largest+1]
	o.values = o.values[:largest+1]
	return o
}

var oracles = []oracle{
	newOracle(Float16, 5, 10, 15, 0x7BFF),
	newOracle(BFloat16, 8, 7, 127, 0x7F7F),
	newOracle(Float8E4M3FN, 4, 3, 7, 0x7E),
	newOracle(Float8E4M3FNUZ, 4, 3, 8, 0x7F),
	newOracle(Float8E5M2, 5, 2, 15, 0x7B),
	newOracle(Float8E5M2FNUZ, 5, 2, 16, 0x7F),
	newOracle(Float4E2M1, 2, 1, 1, 7),
}

// nearest returns the magnitude code nearest to x >= 0, ties to even; len(values)
// stands for overflow.
func (o oracle) nearest(x float64) int {
	if x >= o.next {
		return len(o.values)
	}
	above := sort.Search(len(o.values), func(i int) bool { return o.values[i] >= x })
	if above < len(o.values) && o.values[above] == x {
		return above
	}
	high := o.next
	if above < len(o.values) {
		high = o.values[above]
	}
	low := o.values[above-1]
	middle := low + (high-low)/2 // exact: the neighbours have few bits (TestMiddlesAreExact)
	switch cmp.Compare(x, middle) {
	case -1:
		return above - 1
	case 1:
		return above
	default:
		return above &^ 1
	}
}

func TestMiddlesAreExact(t *testing.T) {
	for _, o := range oracles {
		for i, low := range o.values[1:] {
			rat := func(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }
			twice := new(big.Rat).Add(rat(o.values[i]), rat(low))
			middle := rat(o.values[i] + (low-o.values[i])/2)
			if twice.Cmp(middle.Add(middle, middle)) != 0 {
				t.Fatalf("%v: no exact middle below %v", o.typ, low)
			}
		}
	}
}

func TestDecodeAgainstRationals(t *testing.T) {
	for _, o := range oracles {
		sign := uint64(1) << (o.typ.Bits() - 1)
		for code, want := range o.values {
			if got := ToFloat(o.typ, uint64(code)); !same(got, want) {
				t.Errorf("ToFloat(%v, %#x) = %v, want %v", o.typ, code, got, want)
			}
			negative := -want
			if code == 0 && (o.typ == Float8E4M3FNUZ || o.typ == Float8E5M2FNUZ) {
				negative = math.NaN()
			}
			if got := ToFloat(o.typ, uint64(code)|sign); !same(got, negative) && !(code == 0 && got == 0 && math.Signbit(got)) {
				t.Errorf("ToFloat(%v, %#x) = %v, want %v", o.typ, uint64(code)|sign, got, negative)
			}
		}
		for code := uint64(len(o.values)); code < sign; code++ { // the rest: infinity first, if there is one
			got := ToFloat(o.typ, code)
			infinite := code == uint64(len(o.values)) && (o.typ == Float16 || o.typ == BFloat16 || o.typ == Float8E5M2)
			if infinite != math.IsInf(got, 1) || !infinite && got == got {
				t.Errorf("ToFloat(%v, %#x) = %v", o.typ, code, got)
			}
		}
	}
}

// encoded is the code that Cast prescribes for magnitude code m, or for overflow.
func (o oracle) encoded(m int, negative, saturate bool) uint64 {
	width := o.typ.Bits()
	sign := uint64(0)
	if negative {
		sign = 1 << (width - 1)
	}
	zeroless := o.typ == Float8E4M3FNUZ || o.typ == Float8E5M2FNUZ
	switch {
	case m == 0 && zeroless:
		return 0
	case m < len(o.values):
		return sign | uint64(m)
	case o.typ == Float4E2M1 || width == 8 && saturate:
		return sign | uint64(len(o.values)-1)
	case zeroless:
		return 0x80
	default: // infinity, or the NaN of FLOAT8E4M3FN: the code after the largest
		return sign | uint64(len(o.values))
	}
}

func (o oracle) check(t *testing.T, x float64) {
	for _, saturate := range []bool{true, false} {
		for _, v := range []float64{x, -x} {
			want := o.encoded(o.nearest(x), math.Signbit(v), saturate)
			if got := FromFloat(o.typ, v, saturate, RoundNearest); got != want {
				t.Fatalf("FromFloat(%v, %b, saturate %v) = %#x, want %#x", o.typ, v, saturate, got, want)
			}
		}
	}
}

func TestEncodeAgainstRationals(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, o := range oracles {
		t.Run(o.typ.String(), func(t *testing.T) {
			points := append(append([]float64{}, o.values...), o.next, o.next*2, math.MaxFloat64, math.Inf(1))
			stride := 1
			if testing.Short() {
				stride = 1 + len(points)/1000
			}
			for i := 0; i < len(points); i += stride {
				v := points[i]
				around := []float64{v}
				if i+1 < len(points) && points[i+1] <= o.next {
					around = append(around, v+(points[i+1]-v)/2) // exact: the middle
				}
				for _, x := range around {
					o.check(t, x)
					o.check(t, math.Nextafter(x, math.Inf(1)))
					if x > 0 {
						o.check(t, math.Nextafter(x, 0))
					}
				}
			}
			for range 2000 { // any magnitude near the type's range, and any bits
				o.check(t, math.Ldexp(random.Float64(), random.IntN(80)-45))
				if x := math.Abs(math.Float64frombits(random.Uint64())); x == x {
					o.check(t, x)
				}
			}
			o.check(t, math.SmallestNonzeroFloat64)
			o.check(t, 0x1p-1022)
		})
	}
}

func TestEncodeNaN(t *testing.T) {
	nan, minus := math.NaN(), math.Float64frombits(0xFFF8<<48)
	payload := math.Float64frombits(0x7FF5<<48 | 1)
	for _, c := range []struct {
		typ   Type
		x     float64
		codes uint64
	}{
		{Float16, nan, 0x7E00},
		{Float16, minus, 0xFE00},
		{Float16, payload, 0x7E00},
		{BFloat16, nan, 0x7FC0},
		{BFloat16, minus, 0xFFC0},
		{BFloat16, payload, 0x7FE8},
		{Float8E4M3FN, nan, 0x7F},
		{Float8E4M3FN, minus, 0xFF},
		{Float8E4M3FNUZ, nan, 0x80},
		{Float8E4M3FNUZ, minus, 0x80},
		{Float8E5M2, nan, 0x7E},
		{Float8E5M2, minus, 0xFE},
		{Float8E5M2FNUZ, nan, 0x80},
		{Float8E5M2FNUZ, minus, 0x80},
		{Float4E2M1, nan, 8},
		{Float4E2M1, minus, 8},
		{Float8E8M0, nan, 0xFF},
		{Float8E8M0, minus, 0xFF},
	} {
		for _, saturate := range []bool{true, false} {
			if got := FromFloat(c.typ, c.x, saturate, RoundNearest); got != c.codes {
				t.Errorf("FromFloat(%v, NaN %#x) = %#x, want %#x", c.typ, math.Float64bits(c.x), got, c.codes)
			}
		}
	}
}

func TestEncodePower(t *testing.T) {
	const nan = 0xFF
	for _, c := range []struct {
		x                                float64
		up, down, nearest                uint64 // saturated
		upLoose, downLoose, nearestLoose uint64 // not saturated
	}{
		{1, 127, 127, 127, 127, 127, 127},
		{math.Nextafter(1, 2), 128, 127, 127, 128, 127, 127},
		{1.25, 128, 127, 127, 128, 127, 127},
		{math.Nextafter(1.5, 1), 128, 127, 127, 128, 127, 127},
		{1.5, 128, 127, 128, 128, 127, 128}, // ties up
		{3, 129, 128, 129, 129, 128, 129},
		{math.Nextafter(2, 1), 128, 127, 128, 128, 127, 128},
		{0x1p-127, 0, 0, 0, 0, 0, 0},
		{0x1.8p-127, 1, 0, 1, 1, 0, 1},
		{0x1.8p-128, 0, 0, 0, 0, nan, 0},
		{0x1.4p-128, 0, 0, 0, 0, nan, nan},
		{0x1p-128, 0, 0, 0, nan, nan, nan},
		{math.SmallestNonzeroFloat64, 0, 0, 0, nan, nan, nan},
		{0x1p127, 254, 254, 254, 254, 254, 254},
		{0x1.4p127, 254, 254, 254, nan, 254, 254},
		{0x1.8p127, 254, 254, 254, nan, 254, nan},
		{0x1p128, 254, 254, 254, nan, nan, nan},
		{math.Inf(1), 254, 254, 254, nan, nan, nan},
		{0, 0, 0, 0, nan, nan, nan},
		{-1, nan, nan, nan, nan, nan, nan},
		{math.Inf(-1), nan, nan, nan, nan, nan, nan},
	} {
		for i, mode := range []RoundMode{RoundUp, RoundDown, RoundNearest} {
			want := [...]uint64{c.up, c.down, c.nearest}[i]
			if got := FromFloat(Float8E8M0, c.x, true, mode); got != want {
				t.Errorf("FromFloat(%b, saturate, mode %d) = %d, want %d", c.x, mode, got, want)
			}
			want = [...]uint64{c.upLoose, c.downLoose, c.nearestLoose}[i]
			if got := FromFloat(Float8E8M0, c.x, false, mode); got != want {
				t.Errorf("FromFloat(%b, mode %d) = %d, want %d", c.x, mode, got, want)
			}
		}
	}
}

// Every code that is not a NaN comes back from its value.
func TestEncodeInvertsDecode(t *testing.T) {
	for _, typ := range smallFloats {
		for code := range uint64(1) << typ.Bits() {
			x := ToFloat(typ, code)
			if x != x || math.IsInf(x, 0) && typ.Bits() == 8 {
				continue
			}
			if got := FromFloat(typ, x, true, RoundUp); got != code {
				t.Errorf("FromFloat(%v, %v) = %#x, want %#x", typ, x, got, code)
			}
		}
	}
}

func TestWideFloats(t *testing.T) {
	if got := FromFloat(Float, 1+0x1p-24+0x1p-50, true, 0); got != 0x3F800001 {
		t.Errorf("FromFloat(FLOAT) = %#x", got)
	}
	if got := FromFloat(Double, math.Pi, true, 0); ToFloat(Double, got) != math.Pi {
		t.Errorf("FromFloat(DOUBLE) = %#x", got)
	}
	if got := ToFloat(Float, 0x3F800001); got != 1+0x1p-23 {
		t.Errorf("ToFloat(FLOAT) = %v", got)
	}
	for _, typ := range []Type{Int8, String, Undefined, -1, 27} {
		if got := ToFloat(typ, 1); got == got {
			t.Errorf("ToFloat(%v) = %v", typ, got)
		}
		if got := FromFloat(typ, 1, true, 0); got != 0 {
			t.Errorf("FromFloat(%v) = %v", typ, got)
		}
	}
}

func ExampleToFloat() {
	for _, code := range []uint64{0x01, 0x3C, 0x7B, 0x7C} {
		fmt.Println(ToFloat(Float8E5M2, code))
	}
	// Output:
	// 1.52587890625e-05
	// 1
	// 57344
	// +Inf
}
