// SPDX-License-Identifier: Apache-2.0

package eval

// arithmeticFamily has Add, Sub, Mul and Div (versions 7, 13, 14). Integers wrap (SV055); integer
// division truncates towards zero, and a zero divisor is an error.
func arithmeticFamily() []operator {
	var list []operator
	for _, o := range []struct {
		name  string
		funcs binaryFuncs
	}{
		{"Add", binaryFuncs{
			add[float32], add[float64], add[int8], add[int16], add[int32], add[int64],
			add[uint8], add[uint16], add[uint32], add[uint64], nil,
		}},
		{"Sub", binaryFuncs{
			sub[float32], sub[float64], sub[int8], sub[int16], sub[int32], sub[int64],
			sub[uint8], sub[uint16], sub[uint32], sub[uint64], nil,
		}},
		{"Mul", binaryFuncs{
			mul[float32], mul[float64], mul[int8], mul[int16], mul[int32], mul[int64],
			mul[uint8], mul[uint16], mul[uint32], mul[uint64], nil,
		}},
	} {
		list = append(list, arithmetic(o.name, viaFloat(o.funcs.kernel))...)
	}
	return list
}

// arithmetic is a broadcasting operator of two operands of one type, with the type sets that Add has.
func arithmetic(name string, run func(c *call) error) []operator {
	op := operator{name: name, in: params("A:T B:T"), out: params("C:T"), infer: inferBroadcast, run: run}
	return versions(op, at(7, tFloats|tWide), at(13, tHighBF), at(14, tNumericBF))
}

func add[T number](a, b T) T { return a + b }
func sub[T number](a, b T) T { return a - b }
func mul[T number](a, b T) T { return a * b }
