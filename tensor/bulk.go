// SPDX-License-Identifier: Apache-2.0

package tensor

// Float32s returns every element of a real tensor (float, integer or BOOL) as float32, rounded
// once to nearest even. A FLOAT tensor is aliased where possible: read only.
func Float32s(t *Tensor) ([]float32, error) { panic("not yet") }

// Float64s is Float32s for float64.
func Float64s(t *Tensor) ([]float64, error) { panic("not yet") }

// Int64s returns every element of an integer or BOOL tensor; UINT64 elements of 2^63 and more wrap.
// An INT64 tensor is aliased where possible: read only.
func Int64s(t *Tensor) ([]int64, error) { panic("not yet") }

// FromFloat32s returns a tensor of the float type typ, each value rounded once as [FromFloat] does.
// For FLOAT it takes v over.
func FromFloat32s(typ Type, dims []int64, v []float32, saturate bool, mode RoundMode) (*Tensor, error) {
	panic("not yet")
}

// FromFloat64s is FromFloat32s from float64.
func FromFloat64s(typ Type, dims []int64, v []float64, saturate bool, mode RoundMode) (*Tensor, error) {
	panic("not yet")
}

// FromInt64s returns a tensor of the integer type typ (values wrap modulo 2^width, as ONNX's Cast does),
// of BOOL (non-zero is true), or of a float type (rounded once).
func FromInt64s(typ Type, dims []int64, v []int64, saturate bool, mode RoundMode) (*Tensor, error) {
	panic("not yet")
}
