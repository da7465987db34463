// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
	"pgregory.net/rapid"
)

// goNibbles is a row of a bit packing.
type goNibbles struct {
	Lo uint8 `structview:"bits=4,name=lo"`
	Hi uint8 `structview:"bits=4,name=hi"`
}

// goQ4 is q4 as a Go struct.
type goQ4 struct {
	D  tensor.F16    `structview:"name=d"`
	Qs [16]goNibbles `structview:"name=qs"`
}

// goInner begins in the middle of a byte wherever it is used in goAll.
type goInner struct {
	I16   int16
	Codes [3]uint16 `structview:"bits=11"`
	_     uint8     `structview:"bits=7"`
	F     float32
}

// goAll has every kind of field.
type goAll struct {
	Flag   bool   `structview:"bits=1"`
	Three  uint64 `structview:"bits=3"`
	Inner  [2][2]goInner
	I8     int8
	U16    [2]uint16
	I32    int32
	U32    uint32
	I64    [3]int64
	U64    uint64
	F64    float64
	C64    complex64
	C128   [2]complex128
	Bools  [3]bool
	F16    tensor.F16
	BF16   tensor.BF16
	E4     tensor.E4M3FN
	E4U    tensor.E4M3FNUZ
	E5     [2]tensor.E5M2
	E5U    tensor.E5M2FNUZ
	E8     tensor.E8M0
	Int4   [5]int8  `structview:"type=int4"`
	Int2   int8     `structview:"type=int2"`
	Uint4  uint8    `structview:"type=uint4"`
	Uint2  uint8    `structview:"type=uint2"`
	E2     [2]uint8 `structview:"type=float4e2m1"`
	Code   uint16   `structview:"type=bfloat16"`
	Word   uint64   `structview:"bits=61"`
	Local  *int     `structview:"-"`
	Nib    [2]goNibbles
	Comma  uint8 `structview:"name=a,b \"c\""`
	_      [2]uint8
	_      uint8 `structview:"bits=5"`
	None   [0]float64
	Nested struct{ A, B uint8 }
	GoEmbedded
}

// GoEmbedded is a field like any other.
type GoEmbedded struct{ X int8 }

func typeOf[T any](t testing.TB) *structview.Type {
	t.Helper()
	root, err := structview.TypeOf[T]()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestTypeOfQ4EqualsTheDeclaration(t *testing.T) {
	want := resolved(t, q4())
	got := typeOf[goQ4](t)
	if structview.Hash(got, nil) != structview.Hash(renamed(t, want), nil) {
		t.Errorf("another hash than the declaration's: %v", got.Proto())
	}
	list, err := structview.DeclarationsOf[[7]goQ4]()
	if err != nil {
		t.Fatal(err)
	}
	if root := resolved(t, list...); root.Kind() != structview.KindArray || root.Len() != 7 || root.Elem().Name() != "goQ4" {
		t.Errorf("array of blocks: %v", list)
	}
}

func renamed(t *testing.T, root *structview.Type) *structview.Type {
	t.Helper()
	p := q4()
	p.Name = "goQ4"
	return resolved(t, p)
}

func TestTypeOfLeaves(t *testing.T) {
	want := []string{
		"Flag.value 1 UINT8 [1]", "Three.value 3 UINT8 [1]", "Inner.I16 16 INT16 [2 2]", "Inner.Codes.value 11 UINT16 [2 2 3]",
		"Inner._.value 7 UINT8 [2 2 1]", "Inner.F 32 FLOAT [2 2]", "I8 8 INT8 []", "U16 16 UINT16 [2]", "I32 32 INT32 []",
		"U32 32 UINT32 []", "I64 64 INT64 [3]", "U64 64 UINT64 []", "F64 64 DOUBLE []", "C64 64 COMPLEX64 []",
		"C128 128 COMPLEX128 [2]", "Bools 8 BOOL [3]", "F16 16 FLOAT16 []", "BF16 16 BFLOAT16 []", "E4 8 FLOAT8E4M3FN []",
		"E4U 8 FLOAT8E4M3FNUZ []", "E5 8 FLOAT8E5M2 [2]", "E5U 8 FLOAT8E5M2FNUZ []", "E8 8 FLOAT8E8M0 []", "Int4 4 INT4 [5]",
		"Int2 2 INT2 []", "Uint4 4 UINT4 []", "Uint2 2 UINT2 []", "E2 4 FLOAT4E2M1 [2]", "Code 16 BFLOAT16 []",
		"Word.value 61 UINT64 [1]", "Nib.lo 4 UINT8 [2]", "Nib.hi 4 UINT8 [2]", `"a,b \"c\"" 8 UINT8 []`, "_ 8 UINT8 [2]",
		"_2.value 5 UINT8 [1]", "None 64 DOUBLE [0]", "Nested.A 8 UINT8 []", "Nested.B 8 UINT8 []", "GoEmbedded.X 8 INT8 []",
	}
	root, i, bit := typeOf[goAll](t), 0, uint64(0)
	for l := range root.Layout().Leaves() {
		got := fmt.Sprintf("%s %d %v %s", l.Path, l.Width, l.Element, dimsText(l.Dims))
		if i == len(want) || got != want[i] {
			t.Fatalf("leaf %d: %s; want %v", i, got, want[min(i, len(want)-1)])
		}
		if l.Path == "I8" {
			bit = l.Offset
		}
		i++
	}
	if want := uint64(4 + 4*(16+33+7+32)); bit != want {
		t.Errorf("I8 begins at bit %d, want %d", bit, want)
	}
}

func dimsText(dims []structview.Dim) string {
	list := make([]uint64, len(dims))
	for i, d := range dims {
		list[i] = d.Len
	}
	return fmt.Sprint(list)
}

// randomGo fills a Go value: numbers of the width that their tag says.
func randomGo(t *rapid.T, v reflect.Value, tag reflect.StructTag) {
	switch v.Kind() {
	case reflect.Array:
		for i := range v.Len() {
			randomGo(t, v.Index(i), tag)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("structview") != "-" {
				randomGo(t, v.Field(i), f.Tag)
			}
		}
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Float32:
		v.SetFloat(float64(rapid.Float32().Draw(t, "float32")))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(t, "float64"))
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(float64(rapid.Float32().Draw(t, "re")), float64(rapid.Float32().Draw(t, "im"))))
	default:
		randomInteger(t, v, tag)
	}
}

// randomInteger draws a number of the bits that the tag says.
func randomInteger(t *rapid.T, v reflect.Value, tag reflect.StructTag) {
	width := map[string]int{
		"bits=3": 3, "bits=4,name=lo": 4, "bits=4,name=hi": 4, "bits=11": 11, "bits=61": 61,
		"type=int4": 4, "type=int2": 2, "type=uint4": 4, "type=uint2": 2, "type=float4e2m1": 4,
	}[tag.Get("structview")]
	if width == 0 {
		width = v.Type().Bits()
	}
	x := rapid.Uint64().Draw(t, "number") << (64 - width)
	if v.CanInt() {
		v.SetInt(int64(x) >> (64 - width))
	} else {
		v.SetUint(x >> (64 - width))
	}
}

// shifted is a type whose value begins at a bit.
func shifted(t testing.TB, root []*decl, bit uint64) *structview.Type {
	t.Helper()
	size := resolved(t, root...).Bits()
	fields := []*field{member("value", ref(int32(len(root)-1)))}
	if bit > 0 {
		fields = append([]*field{member("before", inline(packing(1, part("p", uint32(bit)))))}, fields...)
	}
	if rest := (bit + size) % 8; rest != 0 {
		fields = append(fields, member("after", inline(packing(1, part("p", uint32(8-rest))))))
	}
	return resolved(t, append(root, structure(fields...))...)
}

// TestFromThenAs: at any bit, From then As is the identity, no other bit changes, and
// every leaf reads as View reads it.
func TestFromThenAs(t *testing.T) {
	g, err := structview.GoTypeOf[goAll]()
	if err != nil {
		t.Fatal(err)
	}
	decls, err := structview.DeclarationsOf[goAll]()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		var want goAll
		randomGo(rt, reflect.ValueOf(&want).Elem(), "")
		bit := rapid.Uint64Range(0, 17).Draw(rt, "bit")
		root := shifted(t, decls, bit)
		payload := rapid.SliceOfN(rapid.Byte(), int(root.Bits()/8), int(root.Bits()/8)).Draw(rt, "payload")
		before := bytes.Clone(payload)
		if err := g.Put(payload, bit, want); err != nil {
			rt.Fatal(err)
		}
		v := view(t, root, payload)
		got, err := g.As(inner(t, v))
		if err != nil {
			rt.Fatal(err)
		}
		if got != want {
			rt.Fatalf("got %+v, want %+v", got, want)
		}
		for k := range bit {
			if (payload[k/8]^before[k/8])>>(k%8)&1 != 0 {
				rt.Fatalf("bit %d before the value changed", k)
			}
		}
		for k := bit + g.Bits(); k < root.Bits(); k++ {
			if (payload[k/8]^before[k/8])>>(k%8)&1 != 0 {
				rt.Fatalf("bit %d after the value changed", k)
			}
		}
		agree(rt, v, want)
		through(rt, t, root, before, payload, want)
	})
}

func inner(t testing.TB, v structview.View) structview.View {
	t.Helper()
	r, err := v.At("value")
	if err != nil {
		t.Fatal(err)
	}
	s, err := v.Sub(r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// agree reads some leaves through a View.
func agree(rt *rapid.T, v structview.View, want goAll) {
	read := func(path string, want float64) {
		r, err := v.At("value." + path)
		if err != nil {
			rt.Fatal(err)
		}
		x, err := v.Float64(r)
		if err != nil {
			rt.Fatal(err)
		}
		if math.Float64bits(x) != math.Float64bits(want) && !(math.IsNaN(x) && math.IsNaN(want)) {
			rt.Fatalf("%s is %v in a View, %v in Go", path, x, want)
		}
	}
	read("Three[0].value", float64(want.Three))
	read("Inner[1][0].Codes[2].value", float64(want.Inner[1][0].Codes[2]))
	read("Inner[0][1].I16", float64(want.Inner[0][1].I16))
	read("Inner[1][1].F", float64(want.Inner[1][1].F))
	read("I64[2]", float64(want.I64[2]))
	read("BF16", tensor.ToFloat(tensor.BFloat16, uint64(want.BF16)))
	read("Int4[4]", float64(want.Int4[4]))
	read("Int2", float64(want.Int2))
	read("E2[1]", tensor.ToFloat(tensor.Float4E2M1, uint64(want.E2[1])))
	read("Word[0].value", float64(want.Word))
	read("Nib[1].hi", float64(want.Nib[1].Hi))
	read("_2[0].value", 0)
}

// through writes the value with a Writer instead.
func through(rt *rapid.T, t *testing.T, root *structview.Type, before, after []byte, value goAll) {
	w, err := structview.Patch(root, before)
	if err != nil {
		rt.Fatal(err)
	}
	r, err := w.At("value")
	if err != nil {
		rt.Fatal(err)
	}
	part, err := w.Sub(r)
	if err != nil {
		rt.Fatal(err)
	}
	if err := structview.From(part, value); err != nil {
		rt.Fatal(err)
	}
	if !bytes.Equal(before, after) {
		rt.Fatal("a Writer writes other bits")
	}
}

func TestWriterCountsWholeValues(t *testing.T) {
	root := resolved(t, q4(), array(ref(0), 3))
	w, err := structview.NewWriter(root)
	if err != nil {
		t.Fatal(err)
	}
	blocks := make([]goQ4, 3)
	for i := range blocks {
		blocks[i].D = tensor.F16(0x3C00 + i)
		blocks[i].Qs[5].Hi = uint8(7 + i)
	}
	second, err := w.Index(1)
	if err != nil {
		t.Fatal(err)
	}
	if err := structview.From(second, blocks[1]); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Bytes(); err == nil {
		t.Fatal("two blocks are not set")
	}
	if err := structview.FromSlice(w, blocks); err != nil {
		t.Fatal(err)
	}
	payload, err := w.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for i := range blocks {
		if d := binary.LittleEndian.Uint16(payload[18*i:]); d != uint16(0x3C00+i) || payload[18*i+2+5] != byte(7+i)<<4 {
			t.Errorf("block %d: %x", i, payload[18*i:18*i+18])
		}
	}
	got, err := structview.AppendAs([]goQ4{{}}, w.View())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got[1:], blocks) {
		t.Errorf("read back: %v", got)
	}
	whole, err := structview.As[[3]goQ4](w.View())
	if err != nil || whole != [3]goQ4(blocks) {
		t.Errorf("as an array: %v, %v", whole, err)
	}
}

// TestNumbersOfLeaves: single numbers and rows are values, too.
func TestNumbersOfLeaves(t *testing.T) {
	root := resolved(t, structure(member("x", leaf(tensor.Float, 2, 3)), member("qs", inline(packing(4, part("lo", 4), part("hi", 4))))))
	payload := make([]byte, root.Bits()/8)
	for i := range 6 {
		binary.LittleEndian.PutUint32(payload[4*i:], math.Float32bits(float32(i)+0.5))
	}
	copy(payload[24:], []byte{0x21, 0x43, 0x65, 0x87})
	v := view(t, root, payload)
	x, err := v.Field(0)
	if err != nil {
		t.Fatal(err)
	}
	row, err := x.Index(1)
	if err != nil {
		t.Fatal(err)
	}
	list, err := structview.AppendAs[float32](nil, row)
	if err != nil || !reflect.DeepEqual(list, []float32{3.5, 4.5, 5.5}) {
		t.Errorf("row: %v, %v", list, err)
	}
	if m, err := structview.As[[2][3]float32](x); err != nil || m != [2][3]float32{{0.5, 1.5, 2.5}, {3.5, 4.5, 5.5}} {
		t.Errorf("matrix: %v, %v", m, err)
	}
	qs, err := v.Field(1)
	if err != nil {
		t.Fatal(err)
	}
	one, err := qs.Index(2)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := structview.As[goNibbles](one); err != nil || n != (goNibbles{5, 6}) {
		t.Errorf("row of a bit packing: %v, %v", n, err)
	}
	if n, err := structview.AppendAs[goNibbles](nil, qs); err != nil || len(n) != 4 || n[3] != (goNibbles{7, 8}) {
		t.Errorf("rows: %v, %v", n, err)
	}
}

// TestBoolsAreTrue: a byte that is neither 0 nor 1 is true, and never copied into a bool.
func TestBoolsAreTrue(t *testing.T) {
	root := typeOf[struct{ B [3]bool }](t)
	got, err := structview.As[struct{ B [3]bool }](view(t, root, []byte{0, 2, 255}))
	if err != nil || got.B != [3]bool{false, true, true} {
		t.Errorf("%v, %v", got, err)
	}
}
