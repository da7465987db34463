// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"math"

	"github.com/structview/structview/tensor"
)

// SetUint64 writes the bits of one element of up to 64 bits, as [View.Uint64] reads them: a
// component's value, an integer's two's complement, a float's code. x has no bits
// beyond the element's width. A BOOL is 0 or 1.
func (w Writer) SetUint64(r Ref, x uint64) error {
	if err := w.one(r); err != nil {
		return err
	}
	if x&^r.info.mask != 0 {
		return w.misfit(r, r.offset, "%d does not fit %s: write 0 to %d", x, r.info.title(), r.info.mask)
	}
	if x > 1 && r.info.element == tensor.Bool {
		return w.misfit(r, r.offset, "%d is no BOOL: write 0 or 1", x)
	}
	return w.put(r, x)
}

// SetInt64 writes one element that is an integer, a BOOL (0 or 1) or a component.
func (w Writer) SetInt64(r Ref, x int64) error {
	if err := w.one(r); err != nil {
		return err
	}
	if e := r.info.element; e.IsFloat() {
		return r.errorf("a %v is no integer: use Writer.SetFloat64", e)
	} else if e.IsComplex() {
		return r.errorf("a %v is no integer: use Writer.Set with a complex number", e)
	}
	code, ok := r.info.fromInt(x)
	if !ok {
		return w.misfit(r, r.offset, "%d does not fit %s: write %s", x, r.info.title(), r.info.limits())
	}
	return w.put(r, code)
}

// SetFloat64 writes one element that is a float, to the nearest value that its type has:
// [Writer.Overflow] says what becomes of numbers beyond its largest. It writes integers,
// BOOLs and components, too, if x is a whole number in their range. Of a NaN the sign
// is kept; to write a NaN's very code use SetUint64.
func (w Writer) SetFloat64(r Ref, x float64) error {
	if err := w.one(r); err != nil {
		return err
	}
	code, err := w.fromFloat(r, r.offset, x)
	if err != nil {
		return err
	}
	return w.put(r, code)
}

// SetBits writes the bits of one element of any width: least significant first, in
// exactly as many bytes as they need, the rest of the last one 0 (see [View.AppendBits]).
// For what leads to a whole value and not to an element, use [Writer.Copy].
func (w Writer) SetBits(r Ref, bits []byte) error {
	if err := w.writable(r); err != nil {
		return err
	}
	width := r.info.width
	if !r.info.leaf || len(r.Dims()) > 0 {
		return w.notOne(r)
	}
	if want := (width + 7) / 8; uint64(len(bits)) != want {
		return r.errorf("found %d bytes: %s takes %d", len(bits), r.info.title(), want)
	}
	if rest := width % 8; rest != 0 && bits[len(bits)-1]>>rest != 0 {
		return w.misfit(r, r.offset, "the last byte, %#02x, does not fit %s: its upper %d bits are 0", bits[len(bits)-1], r.info.title(), 8-rest)
	}
	if r.info.element == tensor.Bool && bits[0] > 1 {
		return w.misfit(r, r.offset, "%d is no BOOL: write 0 or 1", bits[0])
	}
	err := w.guard(func() { copyBits(w.data, w.base+r.offset, bits, 0, width) })
	if err == nil {
		w.count(r)
	}
	return err
}

// one checks that r leads to one element of up to 64 bits.
func (w Writer) one(r Ref) error {
	if i := r.info; i != nil && i.root == w.typ && i.mask != 0 && r.fixed == i.rank {
		return nil
	}
	if err := w.writable(r); err != nil {
		return err
	}
	return w.notOne(r)
}

// notOne explains why r does not lead to one element of up to 64 bits.
func (w Writer) notOne(r Ref) error {
	switch {
	case !r.info.leaf:
		return r.errorf("%s is no leaf; it has %s: write those, or use Writer.Copy or Writer.Zero",
			r.info.typ.describeOne(), r.info.typ.innermost().listNames())
	case len(r.Dims()) > 0:
		return r.errorf("the path leads to %s, not to one: give an index for each dimension, or use Writer.SetTensor, SetRun or SetAll",
			many(r.Len()))
	default:
		return r.errorf("%s has more than 64 bits: use Writer.SetBits", r.info.title())
	}
}

func many(n uint64) string {
	if n == 1 {
		return "a list of 1 element"
	}
	return fmt.Sprintf("%d elements", n)
}

// put writes the bits of one element that fit.
func (w Writer) put(r Ref, x uint64) error {
	if w.guarded {
		if err := w.guard(func() { setBits(w.data, w.base+r.offset, x, r.info.width) }); err != nil {
			return err
		}
	} else {
		setBits(w.data, w.base+r.offset, x, r.info.width)
	}
	w.count(r)
	return nil
}

// misfit is the error for a value that does not fit the element at a bit offset of w's type.
func (w Writer) misfit(r Ref, offset uint64, format string, args ...any) error {
	return &Diagnostic{Rule: string(ErrFit), Path: w.pathAt(r, offset), Message: fmt.Sprintf(format, args...)}
}

// pathAt returns the path of one element with all its indices.
func (w Writer) pathAt(r Ref, offset uint64) string {
	if path, _, err := w.typ.Layout().At(offset); err == nil {
		return path.String()
	}
	return r.Path()
}

// title names the kind of element in a message: "INT4 (4 bits)".
func (i *refInfo) title() string {
	switch {
	case !i.leaf:
		return i.typ.describeOne()
	case i.component && i.width == 1:
		return "a component of 1 bit"
	case i.component:
		return fmt.Sprintf("a component of %d bits", i.width)
	default:
		return fmt.Sprintf("%v (%d bits)", i.element, i.width)
	}
}

// limits writes the range of an integer, a BOOL or a component.
func (i *refInfo) limits() string {
	switch {
	case i.element == tensor.Bool || i.width == 1:
		return "0 or 1"
	case i.element.IsSigned():
		low := int64(-1) << (i.width - 1)
		return fmt.Sprintf("%d to %d", low, ^low)
	default:
		return fmt.Sprintf("0 to %d", i.mask)
	}
}

// fromInt returns the bits of a number in an integer, a BOOL or a component, and
// whether it fits.
func (i *refInfo) fromInt(x int64) (uint64, bool) {
	if i.element.IsSigned() {
		low := int64(-1) << (i.width - 1)
		return uint64(x) & i.mask, x >= low && x <= ^low
	}
	if x < 0 {
		return 0, false
	}
	return i.fromUint(uint64(x))
}

func (i *refInfo) fromUint(x uint64) (uint64, bool) {
	most := i.mask
	switch {
	case i.element == tensor.Bool:
		most = 1
	case i.element.IsSigned():
		most = i.mask >> 1
	}
	return x, x <= most
}

// fromFloat returns the bits of a number in the element at a bit offset of w's type.
func (w Writer) fromFloat(r Ref, offset uint64, x float64) (uint64, error) {
	e := r.info.element
	switch {
	case e.IsFloat():
		code, ok := w.Overflow.convert(e, x, w.Round)
		if !ok {
			return 0, w.misfit(r, offset, "%v does not fit %s: write %s, or set Writer.Overflow", x, r.info.title(), floatLimits(e))
		}
		return code, nil
	case !e.IsInteger() && e != tensor.Bool:
		return 0, r.errorf("a %v is not one number: use Writer.Set with a complex number", e)
	case math.Trunc(x) != x:
		return 0, w.misfit(r, offset, "%v is no integer, which %s holds: round it first", x, r.info.title())
	}
	if code, ok := r.info.fromWhole(x); ok {
		return code, nil
	}
	return 0, w.misfit(r, offset, "%v does not fit %s: write %s", x, r.info.title(), r.info.limits())
}

// fromWhole is fromInt of a whole number, which may be an infinity.
func (i *refInfo) fromWhole(x float64) (uint64, bool) {
	switch {
	case x >= -1<<63 && x < 1<<63:
		return i.fromInt(int64(x))
	case x > 0 && x < 1<<64:
		return i.fromUint(uint64(x))
	default:
		return 0, false
	}
}

// convert returns the code of x in a float type, and whether it may be written.
func (o Overflow) convert(e tensor.Type, x float64, mode tensor.RoundMode) (uint64, bool) {
	code := tensor.FromFloat(e, x, o == Saturate, mode)
	if o != Refuse || e == tensor.Double {
		return code, true
	}
	const tooLarge = 7 // rounds to 8, if FLOAT4E2M1 had it
	if e == tensor.Float4E2M1 {
		return code, math.Abs(x) < tooLarge
	}
	y := tensor.ToFloat(e, code)
	return code, math.IsNaN(x) == math.IsNaN(y) && math.IsInf(x, 0) == math.IsInf(y, 0)
}

// floatLimits writes the range of a float type.
func floatLimits(e tensor.Type) string {
	most := largest(e)
	if e == tensor.Float8E8M0 {
		return fmt.Sprintf("%v to %v", tensor.ToFloat(e, 0), most)
	}
	return fmt.Sprintf("%v to %v", -most, most)
}

// largest returns the largest finite value of a float type: the codes of those without
// a sign ascend up to it.
func largest(e tensor.Type) float64 {
	if e == tensor.Float {
		return math.MaxFloat32
	}
	most := 0.0
	for code := range uint64(1) << e.Bits() {
		y := tensor.ToFloat(e, code)
		if y < most || math.IsNaN(y) || math.IsInf(y, 0) {
			break
		}
		most = y
	}
	return most
}
