// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/structview/structview/tensor"
)

// number is a Go type that arithmetic works on. FLOAT16 and BFLOAT16 are computed in
// float32: see viaFloat.
type number interface {
	float32 | float64 | integer
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// binaryFuncs are the instances of an element function of two operands, nil where the operator has
// no such type.
type binaryFuncs struct {
	f32 func(a, b float32) float32
	f64 func(a, b float64) float64
	i8  func(a, b int8) int8
	i16 func(a, b int16) int16
	i32 func(a, b int32) int32
	i64 func(a, b int64) int64
	u8  func(a, b uint8) uint8
	u16 func(a, b uint16) uint16
	u32 func(a, b uint32) uint32
	u64 func(a, b uint64) uint64
	b   func(a, b bool) bool
}

// kernel computes output 0 of inputs 0 and 1, broadcast.
func (f binaryFuncs) kernel(c *call) error {
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
	case tensor.Bool:
		return mapBinary(c, f.b)
	}
	return c.noKernel()
}

// noKernel says that the operator lacks an element type: a fault of the table.
func (c *call) noKernel() error {
	return fmt.Errorf("internal: no kernel of %s for %v", c.op.name, c.element(0))
}

// mapBinary computes output 0 of inputs 0 and 1, broadcast.
func mapBinary[T, R tensor.Native](c *call, f func(a, b T) R) error {
	if f == nil {
		return c.noKernel()
	}
	a, b := c.tensor(0), c.tensor(1)
	dst := make([]R, c.outLen(0))
	map2(dst, tensor.Slice[T](a), tensor.Slice[T](b), c.outDims(0), a.Dims(), b.Dims(), f)
	return putSlice(c, 0, dst)
}

// unaryFuncs are the instances of an element function of one operand.
type unaryFuncs struct {
	f32 func(a float32) float32
	f64 func(a float64) float64
	i8  func(a int8) int8
	i16 func(a int16) int16
	i32 func(a int32) int32
	i64 func(a int64) int64
	u8  func(a uint8) uint8
	u16 func(a uint16) uint16
	u32 func(a uint32) uint32
	u64 func(a uint64) uint64
	b   func(a bool) bool
}

// kernel computes output 0 of input 0.
func (f unaryFuncs) kernel(c *call) error {
	switch c.element(0) {
	case tensor.Float:
		return mapUnary(c, f.f32)
	case tensor.Double:
		return mapUnary(c, f.f64)
	case tensor.Int8:
		return mapUnary(c, f.i8)
	case tensor.Int16:
		return mapUnary(c, f.i16)
	case tensor.Int32:
		return mapUnary(c, f.i32)
	case tensor.Int64:
		return mapUnary(c, f.i64)
	case tensor.Uint8:
		return mapUnary(c, f.u8)
	case tensor.Uint16:
		return mapUnary(c, f.u16)
	case tensor.Uint32:
		return mapUnary(c, f.u32)
	case tensor.Uint64:
		return mapUnary(c, f.u64)
	case tensor.Bool:
		return mapUnary(c, f.b)
	}
	return c.noKernel()
}

// mapUnary computes output 0 of input 0.
func mapUnary[T, R tensor.Native](c *call, f func(a T) R) error {
	if f == nil {
		return c.noKernel()
	}
	dst := make([]R, c.outLen(0))
	map1(dst, tensor.Slice[T](c.tensor(0)), f)
	return putSlice(c, 0, dst)
}
