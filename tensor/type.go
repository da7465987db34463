// SPDX-License-Identifier: Apache-2.0

package tensor

import "strings"

// Type is an ONNX element type; the numbers are those of TensorProto.DataType.
type Type int32

// The element types of ONNX (IR version 13).
const (
	Undefined      Type = 0
	Float          Type = 1
	Uint8          Type = 2
	Int8           Type = 3
	Uint16         Type = 4
	Int16          Type = 5
	Int32          Type = 6
	Int64          Type = 7
	String         Type = 8
	Bool           Type = 9
	Float16        Type = 10
	Double         Type = 11
	Uint32         Type = 12
	Uint64         Type = 13
	Complex64      Type = 14
	Complex128     Type = 15
	BFloat16       Type = 16
	Float8E4M3FN   Type = 17
	Float8E4M3FNUZ Type = 18
	Float8E5M2     Type = 19
	Float8E5M2FNUZ Type = 20
	Uint4          Type = 21
	Int4           Type = 22
	Float4E2M1     Type = 23
	Float8E8M0     Type = 24
	Uint2          Type = 25
	Int2           Type = 26
)

// class says what an element's bits mean.
type class uint8

const (
	classNone class = iota
	classUnsigned
	classSigned
	classFloat
	classComplex
	classBool
	classString
)

// types is indexed by the element type's number.
var types = [...]struct {
	name  string
	bits  uint8
	class class
}{
	Undefined:      {"UNDEFINED", 0, classNone},
	Float:          {"FLOAT", 32, classFloat},
	Uint8:          {"UINT8", 8, classUnsigned},
	Int8:           {"INT8", 8, classSigned},
	Uint16:         {"UINT16", 16, classUnsigned},
	Int16:          {"INT16", 16, classSigned},
	Int32:          {"INT32", 32, classSigned},
	Int64:          {"INT64", 64, classSigned},
	String:         {"STRING", 0, classString},
	Bool:           {"BOOL", 8, classBool},
	Float16:        {"FLOAT16", 16, classFloat},
	Double:         {"DOUBLE", 64, classFloat},
	Uint32:         {"UINT32", 32, classUnsigned},
	Uint64:         {"UINT64", 64, classUnsigned},
	Complex64:      {"COMPLEX64", 64, classComplex},
	Complex128:     {"COMPLEX128", 128, classComplex},
	BFloat16:       {"BFLOAT16", 16, classFloat},
	Float8E4M3FN:   {"FLOAT8E4M3FN", 8, classFloat},
	Float8E4M3FNUZ: {"FLOAT8E4M3FNUZ", 8, classFloat},
	Float8E5M2:     {"FLOAT8E5M2", 8, classFloat},
	Float8E5M2FNUZ: {"FLOAT8E5M2FNUZ", 8, classFloat},
	Uint4:          {"UINT4", 4, classUnsigned},
	Int4:           {"INT4", 4, classSigned},
	Float4E2M1:     {"FLOAT4E2M1", 4, classFloat},
	Float8E8M0:     {"FLOAT8E8M0", 8, classFloat},
	Uint2:          {"UINT2", 2, classUnsigned},
	Int2:           {"INT2", 2, classSigned},
}

func (t Type) class() class {
	if t < 0 || int(t) >= len(types) {
		return classNone
	}
	return types[t].class
}

// Bits returns the width of one element in bits (SV013); 0 for String,
// Undefined and unknown types.
func (t Type) Bits() uint64 {
	if t < 0 || int(t) >= len(types) {
		return 0
	}
	return uint64(types[t].bits)
}

// String returns the name in TensorProto.DataType ("FLOAT16"), or the number in
// the form "DataType(99)" where there is none.
func (t Type) String() string {
	if t < 0 || int(t) >= len(types) {
		return "DataType(" + itoa(int64(t)) + ")"
	}
	return types[t].name
}

// Text returns the name in ONNX's textual syntax: "float16".
func (t Type) Text() string { return strings.ToLower(t.String()) }

// Named returns the type of a name in either spelling, "FLOAT16" or "float16".
// UNDEFINED is not found.
func Named(name string) (Type, bool) {
	upper := strings.ToUpper(name)
	if name != upper && name != strings.ToLower(name) {
		return Undefined, false
	}
	for t := Float; int(t) < len(types); t++ {
		if types[t].name == upper {
			return t, true
		}
	}
	return Undefined, false
}

// Valid reports whether t is one of the 26 element types.
func (t Type) Valid() bool { return t.class() != classNone }

// IsFloat reports whether t is a floating-point type, of any width.
func (t Type) IsFloat() bool { return t.class() == classFloat }

// IsInteger reports whether t is an integer type, of any width; BOOL is none.
func (t Type) IsInteger() bool { return t.class() == classSigned || t.class() == classUnsigned }

// IsSigned reports whether t is a two's complement integer type.
func (t Type) IsSigned() bool { return t.class() == classSigned }

// IsComplex reports whether t is COMPLEX64 or COMPLEX128.
func (t Type) IsComplex() bool { return t.class() == classComplex }
