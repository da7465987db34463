// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"github.com/structview/structview/tensor"
)

var errZeroDivisor = errors.New("integer division by zero")

// arithmeticFamily has Add, Sub, Mul and Div (versions 7, 13, 14), Mod (10, 13), Pow (12, 13, 15), Sum and Mean (8, 13),
// Min and Max (8, 12, 13), and Clip (11, 12, 13). Integers wrap (SV055); integer division truncates towards
// zero, and a zero divisor is an error.
func arithmeticFamily() []operator {
	var list []operator
	list = append(list, arithmetic("Add", viaFloat(addFuncs().kernel))...)
	list = append(list, arithmetic("Sub", viaFloat(subFuncs().kernel))...)
	list = append(list, arithmetic("Mul", viaFloat(mulFuncs().kernel))...)
	list = append(list, arithmetic("Div", viaFloat(runDiv))...)
	list = append(list, mod()...)
	list = append(list, pow()...)
	list = append(list, nary()...)
	return append(list, clip()...)
}

// arithmetic is a broadcasting operator of two operands of one type, with the type sets that Add has.
func arithmetic(name string, run func(c *call) error) []operator {
	op := operator{name: name, in: params("A:T B:T"), out: params("C:T"), infer: inferBroadcast, run: run}
	return versions(op, at(7, tFloats|tWide), at(13, tHighBF), at(14, tNumericBF))
}

func addFuncs() binaryFuncs {
	return binaryFuncs{
		add[float32], add[float64], add[int8], add[int16], add[int32], add[int64],
		add[uint8], add[uint16], add[uint32], add[uint64], nil,
	}
}

func subFuncs() binaryFuncs {
	return binaryFuncs{
		sub[float32], sub[float64], sub[int8], sub[int16], sub[int32], sub[int64],
		sub[uint8], sub[uint16], sub[uint32], sub[uint64], nil,
	}
}

func mulFuncs() binaryFuncs {
	return binaryFuncs{
		mul[float32], mul[float64], mul[int8], mul[int16], mul[int32], mul[int64],
		mul[uint8], mul[uint16], mul[uint32], mul[uint64], nil,
	}
}

func divFuncs() binaryFuncs {
	return binaryFuncs{
		div[float32], div[float64], div[int8], div[int16], div[int32], div[int64],
		div[uint8], div[uint16], div[uint32], div[uint64], nil,
	}
}

func add[T number](a, b T) T { return a + b }
func sub[T number](a, b T) T { return a - b }
func mul[T number](a, b T) T { return a * b }
func div[T number](a, b T) T { return a / b }

func runDiv(c *call) error {
	if c.element(0).IsInteger() && c.outLen(0) > 0 && hasZero(c.tensor(1)) {
		return errZeroDivisor
	}
	return divFuncs().kernel(c)
}

// hasZero reports whether an integer tensor has an element 0: whether all bytes of one are 0.
func hasZero(t *tensor.Tensor) bool {
	width := int(t.Type().Bits() / 8)
	data := t.Bytes()
	for at := 0; at < len(data); at += width {
		if bytes.Count(data[at:at+width], []byte{0}) == width {
			return true
		}
	}
	return false
}

// mod has Mod: fmod 0 takes integers and gives the divisor's sign; fmod 1 is C's fmod, with the dividend's sign.
func mod() []operator {
	return versions(operator{
		name: "Mod", in: params("A:T B:T"), out: params("C:T"), attrs: []attribute{intAttr("fmod", 0)},
		infer: inferMod, run: viaFloat(runMod),
	}, at(10, tNumeric), at(13, tNumericBF))
}

func inferMod(c *typing) error {
	if c.element(0).IsFloat() && !c.attr.flag("fmod") {
		return fmt.Errorf("%v inputs need the attribute fmod 1", c.element(0))
	}
	return inferBroadcast(c)
}

func runMod(c *call) error {
	if c.element(0).IsInteger() && c.outLen(0) > 0 && hasZero(c.tensor(1)) {
		return errZeroDivisor
	}
	if c.attr.flag("fmod") {
		return binaryFuncs{
			f32: func(a, b float32) float32 { return float32(math.Mod(float64(a), float64(b))) },
			f64: math.Mod,
			i8:  remainder[int8], i16: remainder[int16], i32: remainder[int32], i64: remainder[int64],
			u8: remainder[uint8], u16: remainder[uint16], u32: remainder[uint32], u64: remainder[uint64],
		}.kernel(c)
	}
	return binaryFuncs{
		i8: modulo[int8], i16: modulo[int16], i32: modulo[int32], i64: modulo[int64],
		u8: modulo[uint8], u16: modulo[uint16], u32: modulo[uint32], u64: modulo[uint64],
	}.kernel(c)
}

func remainder[T integer](a, b T) T { return a % b }

func modulo[T integer](a, b T) T {
	r := a % b
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

// nary has the operators of any number of operands of one type.
func nary() []operator {
	floats := []version{at(8, tFloats), at(13, tFloatsBF)}
	numeric := []version{at(8, tFloats), at(12, tNumeric), at(13, tNumericBF)}
	op := operator{in: params("data_0...:T"), out: params("result:T"), infer: inferBroadcast}
	var list []operator
	for _, o := range []struct {
		name string
		sets []version
		run  func(c *call) error
	}{
		{"Sum", floats, func(c *call) error { return addFuncs().fold(c) }},
		{"Mean", floats, runMean},
		{"Min", numeric, func(c *call) error { return minFuncs().fold(c) }},
		{"Max", numeric, func(c *call) error { return maxFuncs().fold(c) }},
	} {
		op.name, op.run = o.name, viaFloat(o.run)
		list = append(list, versions(op, o.sets...)...)
	}
	return list
}

// fold combines all inputs from the first to the last.
func (f binaryFuncs) fold(c *call) error {
	switch c.element(0) {
	case tensor.Float:
		return foldInputs(c, f.f32, same[float32])
	case tensor.Double:
		return foldInputs(c, f.f64, same[float64])
	case tensor.Int8:
		return foldInputs(c, f.i8, same[int8])
	case tensor.Int16:
		return foldInputs(c, f.i16, same[int16])
	case tensor.Int32:
		return foldInputs(c, f.i32, same[int32])
	case tensor.Int64:
		return foldInputs(c, f.i64, same[int64])
	case tensor.Uint8:
		return foldInputs(c, f.u8, same[uint8])
	case tensor.Uint16:
		return foldInputs(c, f.u16, same[uint16])
	case tensor.Uint32:
		return foldInputs(c, f.u32, same[uint32])
	case tensor.Uint64:
		return foldInputs(c, f.u64, same[uint64])
	}
	return c.noKernel()
}

func same[T any](x T) T { return x }

// foldInputs sets output 0 to last(f(…f(f(in0, in1), in2)…)).
func foldInputs[T number](c *call, f func(a, b T) T, last func(T) T) error {
	dims := c.outDims(0)
	dst := make([]T, c.outLen(0))
	first := c.tensor(0)
	map2(dst, tensor.Slice[T](first), dst, dims, first.Dims(), dims, func(a, _ T) T { return a })
	for i := 1; i < len(c.values); i++ {
		t := c.tensor(i)
		map2(dst, dst, tensor.Slice[T](t), dims, dims, t.Dims(), f)
	}
	map1(dst, dst, last)
	return putSlice(c, 0, dst)
}

func runMean(c *call) error {
	n := len(c.values)
	if c.element(0) == tensor.Double {
		return foldInputs(c, add[float64], func(x float64) float64 { return x / float64(n) })
	}
	return foldInputs(c, add[float32], func(x float32) float32 { return x / float32(n) })
}

func minFuncs() binaryFuncs {
	return binaryFuncs{
		lesser[float32], lesser[float64], lesser[int8], lesser[int16], lesser[int32], lesser[int64],
		lesser[uint8], lesser[uint16], lesser[uint32], lesser[uint64], nil,
	}
}

func maxFuncs() binaryFuncs {
	return binaryFuncs{
		greater[float32], greater[float64], greater[int8], greater[int16], greater[int32], greater[int64],
		greater[uint8], greater[uint16], greater[uint32], greater[uint64], nil,
	}
}

// lesser returns the smaller operand, the first of two equal ones (zeros of both signs), NaN if one is NaN.
func lesser[T number](a, b T) T {
	if b < a || b != b {
		return b
	}
	return a
}

// greater returns the greater operand, the first of two equal ones, NaN if one is NaN.
func greater[T number](a, b T) T {
	if b > a || b != b {
		return b
	}
	return a
}

// clip has Clip: min(max(x, low), high), so that high wins where the bounds cross.
func clip() []operator {
	return versions(operator{
		name: "Clip", in: params("input:T min?:T max?:T"), out: params("output:T"),
		infer: inferClip, run: viaFloat(runClip),
	}, at(11, tFloats), at(12, tNumeric), at(13, tNumericBF))
}

func inferClip(c *typing) error {
	for i, name := range []string{1: "min", 2: "max"} {
		d, ok := c.dims(i)
		if n, _ := product(d); i > 0 && ok && n >= 0 && n != 1 {
			return fmt.Errorf("%s has the shape %s, expected a scalar", name, dimsText(true, d))
		}
	}
	return inferSame(c)
}

func runClip(c *call) error {
	switch c.element(0) {
	case tensor.Float:
		return clipTo[float32](c)
	case tensor.Double:
		return clipTo[float64](c)
	case tensor.Int8:
		return clipTo[int8](c)
	case tensor.Int16:
		return clipTo[int16](c)
	case tensor.Int32:
		return clipTo[int32](c)
	case tensor.Int64:
		return clipTo[int64](c)
	case tensor.Uint8:
		return clipTo[uint8](c)
	case tensor.Uint16:
		return clipTo[uint16](c)
	case tensor.Uint32:
		return clipTo[uint32](c)
	case tensor.Uint64:
		return clipTo[uint64](c)
	}
	return c.noKernel()
}

func clipTo[T interface {
	number
	tensor.Native
}](c *call,
) error {
	dst := make([]T, c.outLen(0))
	copy(dst, tensor.Slice[T](c.tensor(0)))
	if t := c.tensor(1); t != nil {
		low := tensor.Slice[T](t)[0]
		map1(dst, dst, func(x T) T {
			if x < low {
				return low
			}
			return x
		})
	}
	if t := c.tensor(2); t != nil {
		high := tensor.Slice[T](t)[0]
		map1(dst, dst, func(x T) T {
			if x > high {
				return high
			}
			return x
		})
	}
	return putSlice(c, 0, dst)
}
