// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"math"
	"slices"

	"github.com/structview/structview/tensor"
)

// compareFamily has Equal (versions 11, 13, 19), Less and Greater (9, 13), LessOrEqual and GreaterOrEqual (12, 16), And, Or,
// Xor (7), Not (1), Where (9, 16), IsNaN (9, 13, 20) and IsInf (10, 20). Comparisons with NaN are false.
func compareFamily() []operator {
	op := operator{in: params("A:T B:T"), out: params("C:T1"), infer: inferBroadcast}
	equality := tNumeric | tBool
	ordered := []version{at(9, tNumeric), at(13, tNumericBF)}
	either := []version{at(12, tNumeric), at(16, tNumericBF)}
	list := compared(op, "Equal", []version{at(11, equality), at(13, equality|tBFloat16), at(19, equality|tBFloat16|tString)}, runEqual)
	list = append(list, compared(op, "Less", ordered, func(c *call) error { return lessFuncs().kernel(c) })...)
	list = append(list, compared(op, "Greater", ordered, func(c *call) error { return moreFuncs().kernel(c) })...)
	list = append(list, compared(op, "LessOrEqual", either, func(c *call) error { return atMostFuncs().kernel(c) })...)
	list = append(list, compared(op, "GreaterOrEqual", either, func(c *call) error { return atLeastFuncs().kernel(c) })...)
	for name, f := range map[string]func(a, b bool) bool{
		"And": func(a, b bool) bool { return a && b },
		"Or":  func(a, b bool) bool { return a || b },
		"Xor": func(a, b bool) bool { return a != b },
	} {
		list = append(list, compared(op, name, []version{at(7, tBool)}, func(c *call) error { return mapBinary(c, f) })...)
	}
	list = append(list, versions(operator{
		name: "Not", in: params("X:T"), out: params("Y:T"), infer: inferSame,
		run: func(c *call) error { return mapUnary(c, func(a bool) bool { return !a }) },
	}, at(1, tBool))...)
	list = append(list, where()...)
	return append(list, floatTests()...)
}

func compared(op operator, name string, sets []version, run func(c *call) error) []operator {
	op.name, op.run = name, viaFloat(run)
	return versions(op, with(sets, "T1", tBool)...)
}

// relation are the instances of a comparison.
type relation struct {
	f32 func(a, b float32) bool
	f64 func(a, b float64) bool
	i8  func(a, b int8) bool
	i16 func(a, b int16) bool
	i32 func(a, b int32) bool
	i64 func(a, b int64) bool
	u8  func(a, b uint8) bool
	u16 func(a, b uint16) bool
	u32 func(a, b uint32) bool
	u64 func(a, b uint64) bool
}

func (f relation) kernel(c *call) error {
	switch c.element(0) {
	case tensor.Float:
		return mapBinary(c, f.f32)
	case tensor.Double:
		return mapBinary(c, f.f64)
	case tensor.Int8:
		return mapBinary(c, f.i8)
	case tensor.Int16:
		return mapBinary(c, f.i16)
	case tensor.Int32:
		return mapBinary(c, f.i32)
	case tensor.Int64:
		return mapBinary(c, f.i64)
	case tensor.Uint8:
		return mapBinary(c, f.u8)
	case tensor.Uint16:
		return mapBinary(c, f.u16)
	case tensor.Uint32:
		return mapBinary(c, f.u32)
	case tensor.Uint64:
		return mapBinary(c, f.u64)
	}
	return c.noKernel()
}

func equal[T comparable](a, b T) bool    { return a == b }
func less[T cmp.Ordered](a, b T) bool    { return a < b }
func more[T cmp.Ordered](a, b T) bool    { return a > b }
func atMost[T cmp.Ordered](a, b T) bool  { return a <= b }
func atLeast[T cmp.Ordered](a, b T) bool { return a >= b }

func equalFuncs() relation {
	return relation{
		equal[float32], equal[float64], equal[int8], equal[int16], equal[int32], equal[int64],
		equal[uint8], equal[uint16], equal[uint32], equal[uint64],
	}
}

func lessFuncs() relation {
	return relation{
		less[float32], less[float64], less[int8], less[int16], less[int32], less[int64],
		less[uint8], less[uint16], less[uint32], less[uint64],
	}
}

func moreFuncs() relation {
	return relation{
		more[float32], more[float64], more[int8], more[int16], more[int32], more[int64],
		more[uint8], more[uint16], more[uint32], more[uint64],
	}
}

func atMostFuncs() relation {
	return relation{
		atMost[float32], atMost[float64], atMost[int8], atMost[int16], atMost[int32], atMost[int64],
		atMost[uint8], atMost[uint16], atMost[uint32], atMost[uint64],
	}
}

func atLeastFuncs() relation {
	return relation{
		atLeast[float32], atLeast[float64], atLeast[int8], atLeast[int16], atLeast[int32], atLeast[int64],
		atLeast[uint8], atLeast[uint16], atLeast[uint32], atLeast[uint64],
	}
}

func runEqual(c *call) error {
	switch c.element(0) {
	case tensor.Bool:
		return mapBinary(c, equal[bool])
	case tensor.String:
		a, b := c.tensor(0), c.tensor(1)
		dst := make([]bool, c.outLen(0))
		map2(dst, a.Strings(), b.Strings(), c.outDims(0), a.Dims(), b.Dims(), slices.Equal[[]byte])
		return putSlice(c, 0, dst)
	}
	return equalFuncs().kernel(c)
}

// where has Where, for every element type of its version.
func where() []operator {
	op := operator{
		name: "Where", in: params("condition:B X:T Y:T"), out: params("output:T"),
		infer: inferBroadcast, run: runWhere,
	}
	return versions(op, with([]version{at(9, tAll), at(16, tAllBF)}, "B", tBool)...)
}

func runWhere(c *call) error {
	switch c.tensor(1).Type().Bits() {
	case 8:
		return choose[uint8](c)
	case 16:
		return choose[uint16](c)
	case 32:
		return choose[uint32](c)
	case 64:
		return choose[uint64](c)
	}
	x, y := cellsOf(c.tensor(1)), cellsOf(c.tensor(2))
	condition := tensor.Slice[bool](c.tensor(0))
	dst := x.fresh(c.outLen(0))
	s := newSpread(c.outDims(0), c.tensor(0).Dims(), c.tensor(1).Dims(), c.tensor(2).Dims())
	s.runs(func(at int64, offs []int64, n int64) {
		for i := range n {
			if condition[offs[0]+i*s.step(0)] {
				dst.copy(at+i, x, offs[1]+i*s.step(1), 1)
			} else {
				dst.copy(at+i, y, offs[2]+i*s.step(2), 1)
			}
		}
	})
	return c.putCells(0, dst, c.outDims(0))
}

// choose is Where for elements of one machine word.
func choose[T tensor.Native](c *call) error {
	condition, x, y := tensor.Slice[bool](c.tensor(0)), tensor.Slice[T](c.tensor(1)), tensor.Slice[T](c.tensor(2))
	dst := make([]T, c.outLen(0))
	s := newSpread(c.outDims(0), c.tensor(0).Dims(), c.tensor(1).Dims(), c.tensor(2).Dims())
	cs, xs, ys := s.step(0), s.step(1), s.step(2)
	s.runs(func(at int64, offs []int64, n int64) {
		ci, xi, yi := offs[0], offs[1], offs[2]
		for i := at; i < at+n; i++ {
			if condition[ci] {
				dst[i] = x[xi]
			} else {
				dst[i] = y[yi]
			}
			ci, xi, yi = ci+cs, xi+xs, yi+ys
		}
	})
	return putSlice(c, 0, dst)
}

// floatTests has IsNaN and IsInf.
func floatTests() []operator {
	op := operator{in: params("X:T1"), out: params("Y:T2"), infer: inferSame}
	set := func(since int64, t types) version { return version{since, map[string]types{"T1": t, "T2": tBool}} }
	nan, inf := op, op
	nan.name, inf.name = "IsNaN", "IsInf"
	nan.run = func(c *call) error { return testFloats(c, math.IsNaN) }
	inf.attrs = []attribute{intAttr("detect_negative", 1), intAttr("detect_positive", 1)}
	inf.run = func(c *call) error {
		positive, negative := c.attr.flag("detect_positive"), c.attr.flag("detect_negative")
		return testFloats(c, func(x float64) bool {
			return positive && math.IsInf(x, 1) || negative && math.IsInf(x, -1)
		})
	}
	list := versions(nan, set(9, tFloats), set(13, tFloatsBF), set(20, tFloatsBF|tFloat8))
	return append(list, versions(inf, set(10, tFloat|tDouble), set(20, tFloatsBF|tFloat8))...)
}

func testFloats(c *call, f func(float64) bool) error {
	x, err := c.float64s(c.tensor(0))
	if err != nil {
		return err
	}
	dst := make([]bool, len(x))
	map1(dst, x, f)
	return putSlice(c, 0, dst)
}
