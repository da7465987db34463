// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"encoding/binary"
	"math"

	"github.com/structview/structview/tensor"
)

// Set writes what a path leads to:
//
//   - one element: a Go integer, float, bool or complex number, which is converted to the
//     element's type if it fits, as [Writer.SetInt64] and [Writer.SetFloat64] do;
//   - the elements of a path that leaves indices out or has ranges: a slice of numbers,
//     one for each element in row-major order;
//   - either of them: a [*tensor.Tensor] ([Writer.SetTensor]), or codes of a float type that Go
//     lacks (tensor.F16 and its like), which are written as they are;
//   - a whole value with a type of its own: a [View] of that type ([Writer.Copy]).
func (w Writer) Set(path string, x any) error {
	r, err := w.At(path)
	if err != nil {
		return err
	}
	return w.SetAt(r, x)
}

// SetAt is [Writer.Set] for a prepared path.
func (w Writer) SetAt(r Ref, x any) error {
	switch x := x.(type) {
	case *tensor.Tensor:
		return w.SetTensor(r, x)
	case View:
		return w.Copy(r, x)
	}
	if f, ok := numbersOf(x); ok {
		return w.setNumbers(r, f)
	}
	if done, err := w.setCodes(r, x); done {
		return err
	}
	return r.errorf("a Go %T cannot be written: give a number, a bool, a slice of them, codes, a *tensor.Tensor or a View", x)
}

// number is one Go number. Complex numbers and floats are in re and im, integers in
// whole, of a negative one as two's complement.
type number struct {
	form   form
	whole  uint64
	re, im float64
}

type form uint8

const (
	formUnsigned form = iota
	formSigned
	formFloat
	formComplex
)

// numbers is one number, or a list of them.
type numbers struct {
	n    int
	list bool
	at   func(i int) number
}

// numbersOf returns the numbers in a Go value.
func numbersOf(x any) (numbers, bool) {
	switch x := x.(type) {
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, bool, float32, float64, complex64, complex128:
		return numbers{1, false, func(int) number { return numberOf(x) }}, true
	case []int:
		return listOf(x), true
	case []int8:
		return listOf(x), true
	case []int16:
		return listOf(x), true
	case []int32:
		return listOf(x), true
	case []int64:
		return listOf(x), true
	case []uint:
		return listOf(x), true
	case []uint8:
		return listOf(x), true
	case []uint16:
		return listOf(x), true
	case []uint32:
		return listOf(x), true
	case []uint64:
		return listOf(x), true
	case []bool:
		return listOf(x), true
	case []float32:
		return listOf(x), true
	case []float64:
		return listOf(x), true
	case []complex64:
		return listOf(x), true
	case []complex128:
		return listOf(x), true
	}
	return numbers{}, false
}

func listOf[T any](x []T) numbers {
	return numbers{len(x), true, func(i int) number { return numberOf(x[i]) }}
}

func numberOf(x any) number {
	switch x := x.(type) {
	case int:
		return signed(int64(x))
	case int8:
		return signed(int64(x))
	case int16:
		return signed(int64(x))
	case int32:
		return signed(int64(x))
	case int64:
		return signed(x)
	case uint:
		return number{whole: uint64(x)}
	case uint8:
		return number{whole: uint64(x)}
	case uint16:
		return number{whole: uint64(x)}
	case uint32:
		return number{whole: uint64(x)}
	case uint64:
		return number{whole: x}
	case bool:
		if x {
			return number{whole: 1}
		}
		return number{}
	case float32:
		return number{form: formFloat, re: float64(x)}
	case float64:
		return number{form: formFloat, re: x}
	case complex64:
		return number{form: formComplex, re: float64(real(x)), im: float64(imag(x))}
	default: // numbersOf leaves complex128
		c, _ := x.(complex128)
		return number{form: formComplex, re: real(c), im: imag(c)}
	}
}

func signed(x int64) number { return number{form: formSigned, whole: uint64(x)} }

func (x number) float() float64 {
	switch x.form {
	case formUnsigned:
		return float64(x.whole)
	case formSigned:
		return float64(int64(x.whole))
	default:
		return x.re
	}
}

// setNumbers converts numbers and writes them, all or none.
func (w Writer) setNumbers(r Ref, f numbers) error {
	if err := w.several(r); err != nil {
		return err
	}
	switch {
	case !f.list && len(r.Dims()) > 0:
		return r.errorf("found one number: the path leads to %s: give an index for each dimension, or a slice", many(r.Len()))
	case uint64(f.n) != r.Len():
		return r.errorf("found %d values: the path leads to %s", f.n, many(r.Len()))
	case r.info.mask == 0 && !r.info.element.IsComplex():
		return w.notOne(Ref{r.info, r.offset, r.info.rank})
	}
	size := (r.info.width + 7) / 8
	data := make([]byte, uint64(f.n)*size)
	for i := range f.n {
		if err := w.encode(data[uint64(i)*size:][:size], r, r.nth(uint64(i)), f.at(i)); err != nil {
			return err
		}
	}
	if f.n == 0 {
		return nil
	}
	err := w.guard(func() { scatter(w.data, w.base+r.offset, r.Dims(), r.info.width, data, size*8) })
	if err == nil {
		w.count(r)
	}
	return err
}

// encode writes the bits that a number has as an element to dst.
func (w Writer) encode(dst []byte, r Ref, offset uint64, x number) error {
	switch e := r.info.element; {
	case e.IsComplex():
		return w.encodeComplex(dst, r, offset, x)
	case x.form == formComplex:
		return r.errorf("a complex number cannot be written to %s", r.info.title())
	case x.form == formFloat || e.IsFloat():
		code, err := w.fromFloat(r, offset, x.float())
		putLow(dst, code)
		return err
	}
	code, ok := r.info.fromUint(x.whole)
	if x.form == formSigned {
		code, ok = r.info.fromInt(int64(x.whole))
	}
	switch {
	case !ok && x.form == formSigned:
		return w.misfit(r, offset, "%d does not fit %s: write %s", int64(x.whole), r.info.title(), r.info.limits())
	case !ok:
		return w.misfit(r, offset, "%d does not fit %s: write %s", x.whole, r.info.title(), r.info.limits())
	}
	putLow(dst, code)
	return nil
}

// encodeComplex writes the real part and then the imaginary one.
func (w Writer) encodeComplex(dst []byte, r Ref, offset uint64, x number) error {
	if r.info.element == tensor.Complex128 {
		binary.LittleEndian.PutUint64(dst, math.Float64bits(x.float()))
		binary.LittleEndian.PutUint64(dst[8:], math.Float64bits(x.im))
		return nil
	}
	for i, part := range [...]float64{x.float(), x.im} {
		code, ok := w.Overflow.convert(tensor.Float, part, w.Round)
		if !ok {
			return w.misfit(r, offset, "%v does not fit the FLOAT of a COMPLEX64: write %s, or set Writer.Overflow", part, floatLimits(tensor.Float))
		}
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(code))
	}
	return nil
}

// putLow writes as many bytes of x as dst has.
func putLow(dst []byte, x uint64) {
	for i := range dst {
		dst[i] = byte(x >> (8 * i))
	}
}

// setCodes writes one code of a float type or a slice of them, and reports whether x is that.
func (w Writer) setCodes(r Ref, x any) (bool, error) {
	switch x := x.(type) {
	case tensor.F16:
		return true, setCode(w, r, x)
	case tensor.BF16:
		return true, setCode(w, r, x)
	case tensor.E4M3FN:
		return true, setCode(w, r, x)
	case tensor.E4M3FNUZ:
		return true, setCode(w, r, x)
	case tensor.E5M2:
		return true, setCode(w, r, x)
	case tensor.E5M2FNUZ:
		return true, setCode(w, r, x)
	case tensor.E8M0:
		return true, setCode(w, r, x)
	case []tensor.F16:
		return true, SetAll(w, r, x)
	case []tensor.BF16:
		return true, SetAll(w, r, x)
	case []tensor.E4M3FN:
		return true, SetAll(w, r, x)
	case []tensor.E4M3FNUZ:
		return true, SetAll(w, r, x)
	case []tensor.E5M2:
		return true, SetAll(w, r, x)
	case []tensor.E5M2FNUZ:
		return true, SetAll(w, r, x)
	case []tensor.E8M0:
		return true, SetAll(w, r, x)
	}
	return false, nil
}

func setCode[T Fixed](w Writer, r Ref, x T) error {
	if err := w.one(r); err != nil {
		return err
	}
	return SetAll(w, r, []T{x})
}
