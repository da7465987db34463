// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"strings"

	"github.com/structview/structview/tensor"
)

// types is a set of element types and of other kinds of values: what a type variable of an
// operator's schema may stand for.
type types uint64

// The sets that ONNX's schemas use most.
const (
	tFloat      = types(1) << tensor.Float
	tDouble     = types(1) << tensor.Double
	tFloat16    = types(1) << tensor.Float16
	tBFloat16   = types(1) << tensor.BFloat16
	tBool       = types(1) << tensor.Bool
	tString     = types(1) << tensor.String
	tInt8       = types(1) << tensor.Int8
	tInt16      = types(1) << tensor.Int16
	tInt32      = types(1) << tensor.Int32
	tInt64      = types(1) << tensor.Int64
	tUint8      = types(1) << tensor.Uint8
	tUint16     = types(1) << tensor.Uint16
	tUint32     = types(1) << tensor.Uint32
	tUint64     = types(1) << tensor.Uint64
	tComplex64  = types(1) << tensor.Complex64
	tComplex128 = types(1) << tensor.Complex128
	tUint4      = types(1) << tensor.Uint4
	tInt4       = types(1) << tensor.Int4
	tUint2      = types(1) << tensor.Uint2
	tInt2       = types(1) << tensor.Int2
	tFloat4     = types(1) << tensor.Float4E2M1
	tE8M0       = types(1) << tensor.Float8E8M0

	tFloat8 = types(1)<<tensor.Float8E4M3FN | types(1)<<tensor.Float8E4M3FNUZ |
		types(1)<<tensor.Float8E5M2 | types(1)<<tensor.Float8E5M2FNUZ

	tFloats   = tFloat | tDouble | tFloat16      // ONNX: "float"
	tFloatsBF = tFloats | tBFloat16              // since opset 13 mostly
	tSigned   = tInt8 | tInt16 | tInt32 | tInt64 // signed integers
	tUnsigned = tUint8 | tUint16 | tUint32 | tUint64
	tIntegers = tSigned | tUnsigned
	tWide     = tInt32 | tInt64 | tUint32 | tUint64 // "high precision" integers
	tNumeric  = tFloats | tIntegers
	// tNumericBF is numeric with BFLOAT16.
	tNumericBF = tNumeric | tBFloat16
	tHighBF    = tFloatsBF | tWide // "high precision numeric" with BFLOAT16

	// tAll is every element type that ONNX had at IR 4 (opset 13 without BFLOAT16).
	tAll     = tNumeric | tBool | tString | tComplex64 | tComplex128
	tAllBF   = tAll | tBFloat16
	tAllIR9  = tAllBF | tFloat8          // opset 19
	tAllIR10 = tAllIR9 | tUint4 | tInt4  // opset 21
	tAllIR11 = tAllIR10 | tFloat4        // opset 23
	tAllIR12 = tAllIR11 | tE8M0          // opset 24
	tAllIR13 = tAllIR12 | tUint2 | tInt2 // opset 25

	tSequence = types(1) << 61
	tOptional = types(1) << 62
	tOpaque   = types(1) << 63
)

func (s types) has(t tensor.Type) bool { return t >= 0 && t < 61 && s&(1<<uint(t)) != 0 }

// allows reports whether a value of type v may stand where s is demanded.
func (s types) allows(v ValueType) bool {
	switch v.Kind {
	case KindTensor:
		return v.Element == tensor.Undefined && s&^(tSequence|tOptional|tOpaque) != 0 || s.has(v.Element)
	case KindSequence:
		return s&tSequence != 0
	case KindOptional:
		return s&tOptional != 0
	case KindOpaque:
		return s&tOpaque != 0
	}
	return true
}

// single returns the one element type of s, Undefined if there are several.
func (s types) single() tensor.Type {
	for t := tensor.Undefined + 1; t < 61; t++ {
		if s == 1<<uint(t) {
			return t
		}
	}
	return tensor.Undefined
}

func (s types) String() string {
	var names []string
	for t := tensor.Undefined + 1; t < 61; t++ {
		if s.has(t) {
			names = append(names, t.String())
		}
	}
	for i, name := range []string{"sequence", "optional", "opaque"} {
		if s&(tSequence<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
