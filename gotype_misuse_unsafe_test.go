// SPDX-License-Identifier: Apache-2.0

package structview_test

import (
	"encoding/binary"
	"fmt"
	"testing"
	"unsafe" // Sizeof only

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

func typeError[T any]() error {
	_, err := structview.TypeOf[T]()
	return err
}

func TestGoTypesThatHaveNoDeclaration(t *testing.T) {
	type named struct{ A struct{ S [2]string } }
	for want, err := range map[string]error{
		"Go type named.A.S: a string has no fixed size: write [N]byte":                                                                                    typeError[named](),
		"Go type struct.N: an int has another size on other machines: write int32 or int64":                                                               typeError[struct{ N int }](),
		"Go type struct.N: a uint has another size on other machines: write uint32 or uint64":                                                             typeError[struct{ N uint }](),
		"Go type struct.N: a uintptr has another size on other machines: write uint32 or uint64":                                                          typeError[struct{ N uintptr }](),
		"Go type struct.S: a slice has no fixed size: write an array, [N]float32":                                                                         typeError[struct{ S []float32 }](),
		"Go type struct.M: a map has no fixed size: write an array of pairs, [N]struct{ Key uint8; Value int8 }":                                          typeError[struct{ M map[uint8]int8 }](),
		"Go type struct.P: a pointer is an address, which means nothing in a payload: write int8":                                                         typeError[struct{ P *int8 }](),
		"Go type struct.I: an interface holds any type: write the type that the payload has":                                                              typeError[struct{ I any }](),
		"Go type struct.F: a func is not data: remove it, or tag it `structview:\"-\"`":                                                                   typeError[struct{ F func() }](),
		"Go type struct.C: a chan is not data: remove it, or tag it `structview:\"-\"`":                                                                   typeError[struct{ C chan int }](),
		"Go type struct.x: the field is not exported, so that its value cannot move: export it, tag it `structview:\"-\"`, or call it _ if it is padding": typeError[struct{ x int8 }](),
		"Go type float32 is one number, which is no root: write [1]float32, or a struct with a field of it":                                               typeError[float32](),
		"Go type int: an int has another size on other machines: write int32 or int64":                                                                    typeError[[4]int](),
		"Go type struct.A: tag \"bits=0\": bits=0: expected a number from 1 to 64": typeError[struct {
			A uint8 `structview:"bits=0"`
		}](),
		"Go type struct.A: bits=9: a uint8 has 8: write uint16": typeError[struct {
			A uint8 `structview:"bits=9"`
		}](),
		"Go type struct.A: bits=65: a uint64 has 64: write an array of bit fields": typeError[struct {
			A uint64 `structview:"bits=65"`
		}](),
		"Go type struct.A: bits=3: bit fields are unsigned: write uint8; the signed types below a byte are type=int4 and type=int2": typeError[struct {
			A int8 `structview:"bits=3"`
		}](),
		"Go type struct.A: bits=3: a float32 has all of its bits: write uint32 for its code": typeError[struct {
			A float32 `structview:"bits=3"`
		}](),
		"Go type struct.A: bits=3: a tensor.F16 has all of its bits: write uint16 for its code": typeError[struct {
			A tensor.F16 `structview:"bits=3"`
		}](),
		"Go type struct.A: bits=2: a bool has one bit: write bits=1, or an unsigned integer": typeError[struct {
			A bool `structview:"bits=2"`
		}](),
		"Go type struct.A: bits=3 belongs to the fields of the struct, not to the struct": typeError[struct {
			A goQ4 `structview:"bits=3"`
		}](),
		"Go type struct.A: type=int4 belongs to a number, not to a struct": typeError[struct {
			A goQ4 `structview:"type=int4"`
		}](),
		"Go type struct.A: tag \"bit=3\": no option \"bit=3\": the options are bits=N, type=NAME, name=NAME and -": typeError[struct {
			A uint8 `structview:"bit=3"`
		}](),
		"Go type struct.A: tag \"type=int5\": type=int5: no such element type; the nearest is int8": typeError[struct {
			A int8 `structview:"type=int5"`
		}](),
		"Go type struct.A: tag \"type=int4,bits=4\": bits and type exclude each other": typeError[struct {
			A int8 `structview:"type=int4,bits=4"`
		}](),
		"Go type struct.A: type=int4: its Go type is int8, not uint8": typeError[struct {
			A uint8 `structview:"type=int4"`
		}](),
		"Go type struct.A: type=float16: its Go type is uint16, not int16": typeError[struct {
			A int16 `structview:"type=float16"`
		}](),
		"Go type struct.A: type=double: Go has this type: use it instead of uint64": typeError[struct {
			A uint64 `structview:"type=double"`
		}](),
		"Go type struct.A: type=string: its elements have no fixed size": typeError[struct {
			A uint8 `structview:"type=string"`
		}](),
		"Go type struct.A: tag \"name=\": name= needs a name after it": typeError[struct {
			A uint8 `structview:"name="`
		}](),
		"Go type struct.B: the name \"A\" is taken by the field A: give it another with `structview:\"name=…\"`": typeError[struct {
			A, B uint8 `structview:"name=A"`
		}](),
	} {
		if err == nil || err.Error() != "structview: "+want {
			t.Errorf("got  %v\nwant structview: %s", err, want)
		}
	}
}

func mismatch[T any](v structview.View) error {
	_, err := structview.As[T](v)
	return err
}

func TestValuesOfOtherTypes(t *testing.T) {
	q := view(t, resolved(t, q4()), make([]byte, 18))
	big := view(t, resolved(t, structure(member("a", leaf(tensor.Uint8)), member("b", leaf(tensor.Int16, 2, 3)))), make([]byte, 13))
	const prefix = "structview: Go type "
	for want, err := range map[string]error{
		"SV041 error: the view is empty: make one with NewView": mismatch[goQ4](structview.View{}),
		prefix + "struct { D tensor.F16 } is not the value's type: its leaf at bit 0 is D, that of \"q4\" is d: a tag `structview:\"name=…\"` names a field": mismatch[struct{ D tensor.F16 }](q),
		prefix + `struct { D tensor.BF16 "structview:\"name=d\"" } is not the value's type: d is BFLOAT16 with 16 bits in it, FLOAT16 with 16 bits in "q4"`: mismatch[struct {
			D tensor.BF16 `structview:"name=d"`
		}](q),
		prefix + `struct { D uint16 "structview:\"name=d\"" } is not the value's type: the Go type ends after 1 leaves; "q4" goes on with qs.lo: add a field, blank (_) if it does not matter`: mismatch[struct {
			D uint16 `structview:"name=d"`
		}](q),
		prefix + `struct { A uint8 "structview:\"name=a\""; B [3][2]int16 "structview:\"name=b\"" } is not the value's type: b has dimensions [3 2] in it, [2 3] in struct_types[0]`: mismatch[struct {
			A uint8       `structview:"name=a"`
			B [3][2]int16 `structview:"name=b"`
		}](big),
		prefix + `struct { A uint8 "structview:\"name=a\""; B [2][3]int16 "structview:\"name=b\""; C uint8 } is not the value's type: struct_types[0] has no leaf after 2; the Go type goes on with C`: mismatch[struct {
			A uint8       `structview:"name=a"`
			B [2][3]int16 `structview:"name=b"`
			C uint8
		}](big),
		"structview: a structure \"q4\" has no elements: move it as one value": func() error { _, err := structview.AppendAs[goQ4](nil, q); return err }(),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestNumbersThatDoNotFit(t *testing.T) {
	before := make([]byte, 18)
	block := goQ4{D: 0x3C00}
	block.Qs[3].Hi = 16
	type small struct {
		A [2][2]int8 `structview:"type=int4"`
	}
	for want, err := range map[string]error{
		"structview: structview_test.goQ4: qs[3].hi: 16 does not fit 4 bits: expected 0 to 15": structview.From(before, block),
		"structview: structview_test.small: A[1][0]: -9 does not fit 4 bits: expected -8 to 7": structview.From(make([]byte, 2), small{[2][2]int8{{7, -8}, {-9, 0}}}),
		"structview: Go type structview_test.goQ4 takes 18 bytes; dst has 17":                  structview.From(make([]byte, 17), goQ4{}),
		"structview: Go type struct { A uint8 \"structview:\\\"bits=3\\\"\" } has 3 bits, which is not a whole number of bytes: add a field _ with bits=5, or use GoType.Put": structview.From([]byte{0}, struct {
			A uint8 `structview:"bits=3"`
		}{}),
		"SV041 error: the writer is empty: make one with NewWriter or Patch": structview.From(structview.Writer{}, goQ4{}),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if string(before) != string(make([]byte, 18)) {
		t.Error("an error left a part of the value behind")
	}
	g, err := structview.GoTypeOf[goQ4]()
	if err != nil {
		t.Fatal(err)
	}
	const short = "structview: Go type structview_test.goQ4 takes 144 bits; dst has 143 from bit 1 on"
	if err := g.Put(before, 1, goQ4{}); err == nil || err.Error() != short {
		t.Errorf("got %v", err)
	}
}

// goPlain has the layout of the payload on every machine: nothing is left to padding.
type goPlain struct {
	A uint32
	B [2]int16
	C tensor.F16
	_ uint16
	D float32
	E [4]uint8
}

func littleEndian() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }

// aligned returns bytes that begin at a multiple of 8, plus shift.
func aligned(n, shift int) []byte {
	b := make([]byte, n+16)
	for k := range b {
		b[k] = byte(3*k + 1)
	}
	at := int(-uintptr(unsafe.Pointer(&b[0]))&7) + shift
	return b[at : at+n : at+n]
}

func TestAliasIsThePayload(t *testing.T) {
	one := typeOf[goPlain](t)
	payload := aligned(20*3, 0)
	v := view(t, typeOf[[3]goPlain](t), payload)
	list, err := structview.AliasSlice[goPlain](v)
	if !littleEndian() {
		const want = "structview: Go type structview_test.goPlain has no alias: A has its bytes in little-endian order, this machine does not; use As"
		if err == nil || err.Error() != want {
			t.Errorf("got %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	second, err := structview.As[goPlain](view(t, one, payload[20:40]))
	if err != nil || list[1] != second || len(list) != 3 {
		t.Errorf("alias %v, copy %v, %v", list[1], second, err)
	}
	last, err := structview.Alias[goPlain](view(t, one, payload[40:]))
	if err != nil || last != &list[2] {
		t.Errorf("%p, want %p, %v", last, &list[2], err)
	}
	payload[40] = 77
	if list[2].A&0xFF != 77 {
		t.Error("the alias is a copy")
	}
	if allocs := testing.AllocsPerRun(10, func() { _ = list[1].D }); allocs != 0 {
		t.Error("reading allocates")
	}
}

func aliasError[T any](t *testing.T, shift int) error {
	t.Helper()
	root := typeOf[T](t)
	_, err := structview.Alias[T](view(t, root, aligned(int(root.Bits()/8), shift)))
	return err
}

// Types whose layout in Go is not the payload's, but for goGap's.
type (
	goGap struct {
		A uint8
		B uint8
		C uint8
		D [1]uint8
		E tensor.F16
	}
	goInside struct {
		A uint8
		B tensor.F16
	}
	goTail struct {
		A tensor.F16
		B uint8
	}
	goTails struct {
		X [2]goTail
	}
	goFlags   struct{ A, B bool }
	goIgnored struct {
		A uint8
		P *int `structview:"-"`
	}
	goBits struct {
		_ [2]goNibbles
		A [2]goNibbles
	}
)

func TestAliasSaysWhyNot(t *testing.T) {
	if !littleEndian() {
		t.Skip("most of these are refused for their byte order first")
	}
	const prefix, suffix = "structview: Go type structview_test.", "; use As"
	for want, err := range map[string]error{
		"goInside has no alias: B begins at byte 2 in Go, at bit 8 (byte 1) in the payload: add padding before it, a field _":                        aliasError[goInside](t, 0),
		"goTail has no alias: Go gives it 4 bytes, the payload 3: add padding, fields _":                                                             aliasError[goTail](t, 0),
		"goTails has no alias: the elements of X.A are 4 bytes apart in Go, 24 bits in the payload: add padding to their struct, a field _":          aliasError[goTails](t, 0),
		"goFlags has no alias: A is a bool, whose byte may be neither 0 nor 1: write uint8":                                                          aliasError[goFlags](t, 0),
		"goIgnored has no alias: P has no bits in the payload, but memory in Go":                                                                     aliasError[goIgnored](t, 0),
		"goBits has no alias: _.lo has 4 bits, which Go has no type for":                                                                             aliasError[goBits](t, 0),
		fmt.Sprintf("goPlain has no alias: the value does not begin at a multiple of %d bytes in memory, as Go wants it", unsafe.Alignof(goPlain{})): aliasError[goPlain](t, 2),
	} {
		if err == nil || err.Error() != prefix+want+suffix {
			t.Errorf("got  %v\nwant %s", err, prefix+want+suffix)
		}
	}
	if err := aliasError[goGap](t, 0); err != nil {
		t.Error(err)
	}
	root := shifted(t, []*decl{structure(member("A", leaf(tensor.Uint8)))}, 3)
	_, err := structview.Alias[struct{ A uint8 }](inner(t, view(t, root, make([]byte, 2))))
	const want = "structview: Go type struct { A uint8 } has no alias: the value begins at bit 3 of a byte; use As"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}
