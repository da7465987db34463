// SPDX-License-Identifier: Apache-2.0

package tensor

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
)

// Tensor is a dense, immutable tensor: an element type, dimensions and the
// elements in row-major order. Its methods may be called concurrently.
type Tensor struct {
	typ     Type
	dims    []int64
	n       int64
	data    []byte
	strings [][]byte
}

// New returns the tensor of type t and the given dimensions over data, which it
// takes over without a copy: the caller must not change it afterwards.
//
// data holds the elements as TensorProto.raw_data does: little-endian, row-major,
// 4- and 2-bit types packed with the first element in the low bits. Its length must
// be exactly ceil(n*bits/8) bytes. Padding bits of the last byte are not looked at.
// STRING tensors are made by [NewStrings].
func New(t Type, dims []int64, data []byte) (*Tensor, error) {
	if t.Bits() == 0 {
		return nil, fmt.Errorf("tensor: element type %v has no fixed width", t)
	}
	n, size, err := sizes(t, dims)
	if err != nil {
		return nil, err
	}
	if uint64(len(data)) != size {
		return nil, fmt.Errorf("tensor: %v%s takes %d bytes, got %d", t, dimsText(dims), size, len(data))
	}
	return &Tensor{typ: t, dims: cloneDims(dims), n: n, data: data}, nil
}

// NewStrings returns a STRING tensor over values, which it takes over.
func NewStrings(dims []int64, values [][]byte) (*Tensor, error) {
	n, err := Count(dims)
	if err != nil {
		return nil, err
	}
	if int64(len(values)) != n {
		return nil, fmt.Errorf("tensor: STRING%s has %d elements, got %d", dimsText(dims), n, len(values))
	}
	return &Tensor{typ: String, dims: cloneDims(dims), n: n, strings: values}, nil
}

// Count returns the number of elements of a shape: 1 for rank 0, and 0 as soon as
// one dimension is 0, whatever the others are (SV012). Negative dimensions and
// counts of 2^63 or more are errors.
func Count(dims []int64) (int64, error) {
	n, empty, over := uint64(1), false, false
	for i, d := range dims {
		if d < 0 {
			return 0, fmt.Errorf("tensor: dimension %d is negative: %d", i, d)
		}
		hi, lo := bits.Mul64(n, uint64(d))
		over = over || hi != 0 || lo > math.MaxInt64
		empty = empty || d == 0
		n = lo
	}
	switch {
	case empty:
		return 0, nil
	case over:
		return 0, fmt.Errorf("tensor: %s has 2^63 elements or more", dimsText(dims))
	}
	return int64(n), nil
}

// sizes returns the number of elements and of bytes.
func sizes(t Type, dims []int64) (n int64, size uint64, err error) {
	n, err = Count(dims)
	if err != nil {
		return 0, 0, err
	}
	hi, lo := bits.Mul64(uint64(n), t.Bits())
	if hi != 0 || lo > math.MaxInt64 {
		return 0, 0, fmt.Errorf("tensor: %v%s is larger than 2^63 bits", t, dimsText(dims))
	}
	return n, (lo + 7) / 8, nil
}

// Type returns the element type.
func (t *Tensor) Type() Type { return t.typ }

// Dims returns the dimensions, none for a scalar. The slice is shared: read only.
func (t *Tensor) Dims() []int64 { return t.dims }

// Rank returns the number of dimensions.
func (t *Tensor) Rank() int { return len(t.dims) }

// Len returns the number of elements.
func (t *Tensor) Len() int64 { return t.n }

// Bytes returns the elements as raw_data holds them; nil for STRING. The slice is
// shared: read only.
func (t *Tensor) Bytes() []byte { return t.data }

// Strings returns the elements of a STRING tensor, nil for other types. The slices
// are shared: read only.
func (t *Tensor) Strings() [][]byte { return t.strings }

// Reshape returns a tensor of other dimensions over the same elements. The number
// of elements must not change.
func (t *Tensor) Reshape(dims []int64) (*Tensor, error) {
	n, err := Count(dims)
	if err != nil {
		return nil, err
	}
	if n != t.n {
		return nil, fmt.Errorf("tensor: cannot reshape %s (%d elements) to %s (%d)", dimsText(t.dims), t.n, dimsText(dims), n)
	}
	other := *t
	other.dims = cloneDims(dims)
	return &other, nil
}

func cloneDims(dims []int64) []int64 {
	return append(make([]int64, 0, len(dims)), dims...)
}

// dimsText writes dimensions as "[2,3]".
func dimsText(dims []int64) string {
	b := []byte{'['}
	for i, d := range dims {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, d, 10)
	}
	return string(append(b, ']'))
}

func itoa(v int64) string { return strconv.FormatInt(v, 10) }
