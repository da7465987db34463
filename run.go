// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"iter"
	"slices"

	"github.com/structview/structview/tensor"
)

// Run is all elements that a reference leads to, in row-major order, read one after
// the other without a path or a copy: `d` is the scale of every block. It reads the
// payload without the guard that [View] has against truncated files; where that
// matters, container.Guard goes around the loop.
type Run struct {
	data   []byte
	offset uint64
	width  uint64
	n      uint64
	dims   []Dim // collapsed
	path   string
}

// Run returns the run of the elements of up to 64 bits that r leads to, of the payload
// or of a constant.
func (v View) Run(r Ref) (Run, error) {
	if err := v.owns(r); err != nil {
		return Run{}, err
	}
	if !r.info.leaf || r.info.width == 0 || r.info.width > 64 {
		one := r
		one.fixed = r.info.rank // complain of the element, not of open dimensions
		return Run{}, v.notOne(one)
	}
	data, offset := v.source(r)
	run := Run{data: data, offset: offset, width: r.info.width, n: r.Len(), path: r.info.path}
	if run.n > 0 {
		run.dims = collapse(r.Dims())
	}
	return run, nil
}

// Len returns the number of elements.
func (r Run) Len() uint64 { return r.n }

// At returns the bits of element i, as [View.Uint64] does.
func (r Run) At(i uint64) (uint64, error) {
	if i >= r.n {
		return 0, pathError(r.path, "element %d does not exist: %s", i, elements(r.n))
	}
	offset := r.offset
	for k := len(r.dims) - 1; k >= 0; k-- {
		d := r.dims[k]
		offset += i % d.Len * d.Stride
		i /= d.Len
	}
	return readBits(r.data, offset, r.width), nil
}

// All yields the bits of every element in order.
func (r Run) All() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		if r.n > 0 {
			r.walk(r.dims, r.offset, yield)
		}
	}
}

func (r Run) walk(dims []Dim, offset uint64, yield func(uint64) bool) bool {
	if len(dims) == 0 {
		return yield(readBits(r.data, offset, r.width))
	}
	d := dims[0]
	for range d.Len {
		if len(dims) == 1 {
			if !yield(readBits(r.data, offset, r.width)) {
				return false
			}
		} else if !r.walk(dims[1:], offset, yield) {
			return false
		}
		offset += d.Stride
	}
	return true
}

// AppendTo appends the bits of every element to dst.
func (r Run) AppendTo(dst []uint64) []uint64 {
	for x := range r.All() {
		dst = append(dst, x)
	}
	return dst
}

// Fixed is a Go type that holds the elements of an ONNX type of 8 to 64 bits as they
// are; a float type that Go lacks has a type for its codes in package tensor.
type Fixed interface {
	float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | tensor.Code
}

// Bytes is a run of elements that are whole bytes at whole bytes, the same distance
// apart: of a contiguous leaf, or of one field of an array of structures. Like [Run], it
// reads without a guard.
type Bytes[T Fixed] struct {
	data   []byte // begins at the first element and ends with the last one
	stride uint64 // bytes
	n      uint64
	path   string
}

// BytesOf returns the elements that r leads to, as T: the Go type of their element
// type ([tensor.TypeOf]), or the unsigned integer of their width. Elements that begin
// within a byte, or whose dimensions do not make one stride, are an error.
func BytesOf[T Fixed](v View, r Ref) (Bytes[T], error) {
	run, err := v.Run(r)
	if err != nil {
		return Bytes[T]{}, err
	}
	own := tensor.TypeOf[T]()
	word := own.IsInteger() && !own.IsSigned() && own.Bits() == r.info.width
	if own != r.info.element && !word || own.Bits() != r.info.width {
		return Bytes[T]{}, r.errorf("%s cannot be read as %v: %s", r.info.title(), own, r.info.goTypes())
	}
	if run.n == 0 {
		return Bytes[T]{path: run.path}, nil
	}
	d := Dim{1, run.width}
	if len(run.dims) == 1 {
		d = run.dims[0]
	}
	if len(run.dims) > 1 || run.offset%8 != 0 || d.Stride%8 != 0 {
		return Bytes[T]{}, r.errorf("the elements are not whole bytes the same distance apart: use View.Run or View.Tensor")
	}
	end := run.offset + (d.Len-1)*d.Stride + run.width
	return Bytes[T]{run.data[run.offset/8 : end/8 : end/8], d.Stride / 8, run.n, run.path}, nil
}

// goTypes says how elements can be read.
func (i *refInfo) goTypes() string {
	switch {
	case i.width != i.element.Bits() || i.width < 8:
		return "use View.Run or View.Tensor"
	case i.element.IsInteger() && !i.element.IsSigned():
		return fmt.Sprintf("T is uint%d", i.width)
	case i.width > 64:
		return "use View.Tensor"
	case i.element.IsComplex() || i.element == tensor.Bool:
		return fmt.Sprintf("T is uint%d; or use View.Tensor", i.width)
	default:
		return fmt.Sprintf("T is the Go type or the codes of %v, or uint%d", i.element, i.width)
	}
}

// Len returns the number of elements.
func (b Bytes[T]) Len() uint64 { return b.n }

// At returns element i.
func (b Bytes[T]) At(i uint64) (T, error) {
	if i >= b.n {
		var zero T
		return zero, pathError(b.path, "element %d does not exist: %s", i, elements(b.n))
	}
	return load[T](b.data[i*b.stride:]), nil
}

// All yields every element in order.
func (b Bytes[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		data, at, stride := b.data, uint64(0), b.stride
		for range b.n {
			if !yield(load[T](data[at:])) {
				return
			}
			at += stride
		}
	}
}

// AppendTo appends every element to dst.
func (b Bytes[T]) AppendTo(dst []T) []T {
	dst = slices.Grow(dst, int(b.n)) // fits: there is a byte for each
	for x := range b.All() {
		dst = append(dst, x)
	}
	return dst
}

// Alias returns the elements in place, without a copy, if they touch each other and the
// host's byte order and their alignment allow it. The slice is the payload itself:
// read only, and valid as long as the payload is.
func (b Bytes[T]) Alias() ([]T, bool) {
	if b.n == 0 {
		return nil, true
	}
	if b.n > 1 && b.stride != tensor.TypeOf[T]().Bits()/8 {
		return nil, false
	}
	return aliasElements[T](b.data)
}
