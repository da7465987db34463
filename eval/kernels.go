// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"

	"github.com/structview/structview/tensor"
)

// kernels are the instances of a kernel for the element types of input 0, nil where the operator
// has no such type.
type kernels struct {
	f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, b func(c *call) error
}

// run runs the instance for the element type of input 0.
func (k kernels) run(c *call) error {
	var run func(c *call) error
	switch c.element(0) {
	case tensor.Float:
		run = k.f32
	case tensor.Double:
		run = k.f64
	case tensor.Int8:
		run = k.i8
	case tensor.Int16:
		run = k.i16
	case tensor.Int32:
		run = k.i32
	case tensor.Int64:
		run = k.i64
	case tensor.Uint8:
		run = k.u8
	case tensor.Uint16:
		run = k.u16
	case tensor.Uint32:
		run = k.u32
	case tensor.Uint64:
		run = k.u64
	case tensor.Bool:
		run = k.b
	}
	if run == nil {
		return c.noKernel()
	}
	return run(c)
}

// lanes calls f for each vector of a shape along an axis: its elements have the indices from,
// from+step, from+2 step, ….
func lanes(dims []int64, axis int, f func(from, step int64)) {
	if n, err := product(dims); n == 0 || err != nil {
		return // an empty tensor may have astronomically many empty lanes
	}
	outer, _ := product(dims[:axis])
	step, _ := product(dims[axis+1:])
	for o := range outer {
		for i := range step {
			f(o*dims[axis]*step+i, step)
		}
	}
}

// isFloat reports whether T has fractions.
func isFloat[T number]() bool {
	half := 0.5
	return T(half) != 0
}

// fromDouble rounds to a float type, or truncates to an integer one: NaN to 0, and what is out of range to
// the nearest end.
func fromDouble[T number](x float64) T {
	switch {
	case isFloat[T]():
		return T(x)
	case x != x:
		return 0
	case x <= float64(lowest[T]()):
		return lowest[T]()
	case x >= float64(highest[T]()):
		return highest[T]()
	}
	return T(x)
}

// lowest is -infinity or the least integer.
func lowest[T number]() T {
	var v T
	switch p := any(&v).(type) {
	case *float32:
		*p = float32(math.Inf(-1))
	case *float64:
		*p = math.Inf(-1)
	case *int8:
		*p = math.MinInt8
	case *int16:
		*p = math.MinInt16
	case *int32:
		*p = math.MinInt32
	case *int64:
		*p = math.MinInt64
	}
	return v
}

// highest is infinity or the greatest integer.
func highest[T number]() T {
	if isFloat[T]() {
		return T(math.Inf(1))
	}
	return lowest[T]() - 1 // wraps
}
