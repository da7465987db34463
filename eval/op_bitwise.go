// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/structview/structview/tensor"
)

// bitwiseFamily has BitwiseAnd, BitwiseOr, BitwiseXor and BitwiseNot (version 18), BitShift (11) and BitCast (26).
func bitwiseFamily() []operator {
	op := operator{in: params("A:T B:T"), out: params("C:T"), infer: inferBroadcast}
	var list []operator
	for _, o := range []struct {
		name  string
		funcs binaryFuncs
	}{
		{"BitwiseAnd", binaryFuncs{
			i8: and[int8], i16: and[int16], i32: and[int32], i64: and[int64],
			u8: and[uint8], u16: and[uint16], u32: and[uint32], u64: and[uint64],
		}},
		{"BitwiseOr", binaryFuncs{
			i8: or[int8], i16: or[int16], i32: or[int32], i64: or[int64],
			u8: or[uint8], u16: or[uint16], u32: or[uint32], u64: or[uint64],
		}},
		{"BitwiseXor", binaryFuncs{
			i8: xor[int8], i16: xor[int16], i32: xor[int32], i64: xor[int64],
			u8: xor[uint8], u16: xor[uint16], u32: xor[uint32], u64: xor[uint64],
		}},
	} {
		op.name, op.run = o.name, o.funcs.kernel
		list = append(list, versions(op, at(18, tIntegers))...)
	}
	list = append(list, versions(operator{
		name: "BitwiseNot", in: params("X:T"), out: params("Y:T"), infer: inferSame,
		run: unaryFuncs{
			i8: not[int8], i16: not[int16], i32: not[int32], i64: not[int64],
			u8: not[uint8], u16: not[uint16], u32: not[uint32], u64: not[uint64],
		}.kernel,
	}, at(18, tIntegers))...)
	list = append(list, bitShift()...)
	return append(list, bitCast()...)
}

func and[T integer](a, b T) T { return a & b }
func or[T integer](a, b T) T  { return a | b }
func xor[T integer](a, b T) T { return a ^ b }
func not[T integer](a T) T    { return ^a }

type unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

// Shifts by the width or more give 0.
func shiftLeft[T unsigned](a, b T) T  { return a << b }
func shiftRight[T unsigned](a, b T) T { return a >> b }

func bitShift() []operator {
	return versions(operator{
		name: "BitShift", in: params("X:T Y:T"), out: params("Z:T"),
		attrs: []attribute{requiredAttr("direction", aString)},
		infer: func(c *typing) error {
			if d := c.attr.string("direction"); d != "LEFT" && d != "RIGHT" {
				return fmt.Errorf("attribute \"direction\" is %q, expected LEFT or RIGHT", d)
			}
			return inferBroadcast(c)
		},
		run: func(c *call) error {
			if c.attr.string("direction") == "LEFT" {
				return binaryFuncs{
					u8: shiftLeft[uint8], u16: shiftLeft[uint16], u32: shiftLeft[uint32], u64: shiftLeft[uint64],
				}.kernel(c)
			}
			return binaryFuncs{
				u8: shiftRight[uint8], u16: shiftRight[uint16], u32: shiftRight[uint32], u64: shiftRight[uint64],
			}.kernel(c)
		},
	}, at(11, tUnsigned))
}

// bitCast has BitCast: the same bits under another element type of the same width.
func bitCast() []operator {
	t := tAllIR13 &^ tString
	return versions(operator{
		name: "BitCast", in: params("input:T1"), out: params("output:T2"),
		attrs: []attribute{requiredAttr("to", aInt)},
		infer: inferBitCast,
		run: func(c *call) error {
			from := c.tensor(0)
			t, err := tensor.New(c.out[0].Element, from.Dims(), from.Bytes())
			if err != nil {
				return err
			}
			c.put(0, t)
			return nil
		},
	}, version{26, map[string]types{"T1": t, "T2": t}})
}

func inferBitCast(c *typing) error {
	to, from := tensor.Type(c.attr.int("to")), c.element(0)
	if !c.op.vars["T2"].has(to) {
		return fmt.Errorf("attribute \"to\" is %d, which is not one of %v", c.attr.int("to"), c.op.vars["T2"])
	}
	if from != tensor.Undefined && from.Bits() != to.Bits() {
		return fmt.Errorf("%v has %d bits, %v has %d: BitCast keeps the width", from, from.Bits(), to, to.Bits())
	}
	c.setElement(0, to)
	return inferSame(c)
}
