// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"encoding/binary"
	"fmt"
	"runtime/debug"

	"github.com/structview/structview/internal/fault"
	"github.com/structview/structview/tensor"
)

// View overlays a type on the bytes of a payload. It is a small value without a copy
// of anything; it reads the payload and never writes it. A View is safe for concurrent
// use as long as nobody changes the payload.
//
// The payload belongs to the caller, and must stay readable while the View, or a
// tensor from [View.Tensor] or [Bind], is in use.
//
// A mapped file that somebody truncates ends a program that reads it. A guarded View
// does not: every method of it, and Bind, return [ErrTruncated]. Over memory that package
// container has mapped, views are guarded from the beginning; who maps memory by other
// means asks for it with [View.Guarded]. What hands out the memory itself is not guarded:
// [Run], [Bytes] and their slices, and tensors that alias the payload.
type View struct {
	typ     *Type
	data    []byte
	base    uint64 // bits: where the value begins in data
	guarded bool
}

// ErrTruncated says that a mapped payload could not be read, because the file became
// shorter after it was opened.
var ErrTruncated = fault.ErrTruncated

// Guarded returns a view that looks out for memory faults (see [View]): for a payload that
// is mapped by other means than package container. A read of one element costs a few
// nanoseconds more.
func (v View) Guarded() View {
	v.guarded = true
	return v
}

// Unguarded returns a view that does not look out for memory faults (see [View]), for a
// mapped file that nobody can truncate.
func (v View) Unguarded() View {
	v.guarded = false
	return v
}

// guard runs read, which reads the payload.
func (v View) guard(read func() error) error {
	if !v.guarded {
		return read()
	}
	return fault.Guard(read)
}

// NewView returns the view of payload as a value of t. The payload has exactly t's
// size (SV021, SV022), which is all that keeps reads within it. The view is guarded (see
// [View]) if package container mapped the payload.
func NewView(t *Type, payload []byte) (View, error) {
	if t == nil {
		return View{}, pathError("", "a view needs a type")
	}
	var r report
	if !r.payload(t, uint64(len(payload)), "the payload", nil) {
		return View{}, r.first
	}
	return View{typ: t, data: payload, guarded: fault.Mapped(payload)}, nil
}

// Type returns the type of the value, nil of the zero View.
func (v View) Type() *Type { return v.typ }

// Offset returns where the value begins in the payload, in bits.
func (v View) Offset() uint64 { return v.base }

// At prepares a path (see [ParsePath]) into values of v's type.
func (v View) At(path string) (Ref, error) {
	p, err := ParsePath(path)
	if err != nil {
		return Ref{}, err
	}
	if v.typ == nil {
		return Ref{}, pathError(path, "the view is empty")
	}
	return v.typ.Layout().Resolve(p)
}

// Sub returns the view of the value at r, which leads to one value of the payload
// that has a type of its own: not to a component, a constant, or several values.
func (v View) Sub(r Ref) (View, error) {
	if err := v.owns(r); err != nil {
		return View{}, err
	}
	t := r.Type()
	if t == nil || r.info.constant != nil || !r.info.leaf && len(r.Dims()) > 0 {
		return View{}, r.errorf("the path does not lead to one value with a type of its own: give an index for each dimension, or read elements with View.Tensor or View.Run")
	}
	return v.part(t, r.offset), nil
}

// part returns the view of a part of type t at a bit offset.
func (v View) part(t *Type, offset uint64) View {
	return View{t, v.data, v.base + offset, v.guarded}
}

// Field returns the view of a field of a structure by its place among the fields.
func (v View) Field(i int) (View, error) {
	switch {
	case v.typ == nil:
		return View{}, v.foreign(Ref{info: &refInfo{}})
	case v.typ.kind != KindStructure:
		return View{}, pathError("", "%s has no fields: use View.Index or View.At", v.typ.describeOne())
	case i < 0 || i >= len(v.typ.fields):
		return View{}, pathError("", "field %d does not exist: the structure has %d fields", i, len(v.typ.fields))
	case v.typ.fields[i].Type == nil:
		return View{}, pathError("", "field %d, %s, is a constant and has no bits in the payload: use Bind", i, quoteName(v.typ.fields[i].Name))
	}
	f := &v.typ.fields[i]
	return v.part(f.Type, f.Offset), nil
}

// Index returns the view of one element of an array, row of a bit packing, or slice of
// a tensor leaf.
func (v View) Index(i uint64) (View, error) {
	if v.typ == nil {
		return View{}, v.foreign(Ref{info: &refInfo{}})
	}
	d, inner, ok := v.typ.outermost()
	if !ok {
		return View{}, pathError("", "%s has no index: use View.Field or View.At", v.typ.describeOne())
	}
	if i >= d.Len {
		return View{}, pathError("", "index %d does not exist: %s", i, elements(d.Len))
	}
	return v.part(inner, i*d.Stride), nil
}

// owns checks that r was prepared for the type of v.
func (v View) owns(r Ref) error {
	if r.info == nil || v.typ == nil || r.info.root != v.typ {
		return v.foreign(r)
	}
	return nil
}

func (v View) foreign(r Ref) error {
	switch {
	case r.info == nil:
		return pathError("", "the reference is empty: prepare one with View.At")
	case v.typ == nil:
		return r.errorf("the view is empty: make one with NewView")
	default:
		return r.errorf("the reference is for another type (%s) than the value's (%s)", r.info.root.describe(), v.typ.describe())
	}
}

// source returns the bytes that r leads into, and the first bit in them.
func (v View) source(r Ref) ([]byte, uint64) {
	if r.info.constant != nil {
		return r.info.constant.Bytes(), r.offset
	}
	return v.data, v.base + r.offset
}

// Uint64 returns the bits of one element of up to 64 bits, not extended: a
// component's value, an integer's two's complement, a float's code.
func (v View) Uint64(r Ref) (uint64, error) {
	if i := r.info; i != nil && i.root == v.typ && i.mask != 0 && r.fixed == i.rank {
		at := v.base + r.offset
		if v.guarded {
			return v.guardedBits(at, i.width)
		}
		if k := at / 8; i.narrow && k+8 <= uint64(len(v.data)) { // readBits, written out
			return binary.LittleEndian.Uint64(v.data[k:k+8]) >> (at % 8) & i.mask, nil
		}
		return readBits(v.data, at, i.width), nil
	}
	return v.constantBits(r)
}

// guardedBits is fault.Guard written out for one read, where a closure would cost more than the read.
func (v View) guardedBits(offset, width uint64) (x uint64, err error) {
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		if r := recover(); r != nil {
			err = fault.Guard(func() error { panic(r) })
		}
	}()
	return readBits(v.data, offset, width), nil
}

// constantBits is Uint64 of what is not an element of the payload.
func (v View) constantBits(r Ref) (uint64, error) {
	if err := v.owns(r); err != nil {
		return 0, err
	}
	if r.info.constant == nil || r.info.width == 0 || r.info.width > 64 || r.fixed != r.info.rank {
		return 0, v.notOne(r)
	}
	return readBits(r.info.constant.Bytes(), r.offset, r.info.width), nil
}

// notOne explains why r does not lead to one element of up to 64 bits.
func (v View) notOne(r Ref) error {
	if err := v.owns(r); err != nil {
		return err
	}
	switch {
	case !r.info.leaf:
		return r.errorf("%s is no leaf; it has %s", r.info.typ.describeOne(), r.info.typ.innermost().listNames())
	case len(r.Dims()) > 0:
		return r.errorf("the path leads to %d elements, not to one: give an index for each dimension", r.Len())
	case r.info.width == 0:
		return r.errorf("a STRING has no bits: use View.Tensor")
	default:
		return r.errorf("the element has %d bits, more than 64: use View.AppendBits", r.info.width)
	}
}

// Int64 returns the value of one element that is an integer, a BOOL (0 or 1) or a
// component. Values of 2^63 and more are an error.
func (v View) Int64(r Ref) (int64, error) {
	x, err := v.Uint64(r)
	if err != nil {
		return 0, err
	}
	switch e := r.info.element; {
	case e.IsSigned():
		shift := 64 - r.info.width
		return int64(x<<shift) >> shift, nil
	case e == tensor.Bool:
		return min(int64(x), 1), nil
	case !e.IsInteger():
		return 0, r.errorf("a %v is no integer: use View.Float64", e)
	case x>>63 != 0:
		return 0, r.errorf("%d does not fit int64: use View.Uint64", x)
	}
	return int64(x), nil
}

// Float64 returns the value of one element that is a float of any width, an integer,
// a BOOL (0 or 1) or a component. Integers beyond 2^53 are rounded.
func (v View) Float64(r Ref) (float64, error) {
	x, err := v.Uint64(r)
	if err != nil {
		return 0, err
	}
	switch e := r.info.element; {
	case e.IsFloat():
		return tensor.ToFloat(e, x), nil
	case e.IsSigned(), e == tensor.Bool:
		n, err := v.Int64(r)
		return float64(n), err
	case !e.IsInteger():
		return 0, r.errorf("a %v is not one number: use View.AppendBits or View.Tensor", e)
	}
	return float64(x), nil
}

// AppendBits appends the bits of one element of any width to dst: least significant
// first, in as many bytes as they need, the last one filled with zeros.
func (v View) AppendBits(dst []byte, r Ref) ([]byte, error) {
	if err := v.owns(r); err != nil {
		return dst, err
	}
	if r.fixed != r.info.rank || r.info.width == 0 || !r.info.leaf {
		return dst, v.notOne(r)
	}
	data, offset := v.source(r)
	n := len(dst)
	dst = append(dst, make([]byte, (r.info.width+7)/8)...)
	err := v.guard(func() error {
		copyBits(dst[n:], 0, data, offset, r.info.width)
		return nil
	})
	return dst, err
}

// Bits returns the bits of the whole value, packed as in AppendBits.
func (v View) Bits() ([]byte, error) {
	if v.typ == nil {
		return nil, v.foreign(Ref{})
	}
	dst := make([]byte, (v.typ.bits+7)/8)
	err := v.guard(func() error {
		copyBits(dst, 0, v.data, v.base, v.typ.bits)
		return nil
	})
	return dst, err
}

// payload checks the length of a payload in bytes (SV021, SV022).
func (r *report) payload(t *Type, length uint64, what string, at *place) bool {
	size, whole := t.Bytes()
	switch {
	case !whole:
		r.error(ErrAlignment, at, "the size of %s is %d bits, which is not a whole number of bytes", t.title(), t.bits)
	case length != size:
		r.add(ErrLength, Error, at, r.paddingHelp(t, length), "%s has %d bytes; %s takes %d", what, length, t.title(), size)
	default:
		return true
	}
	return false
}

// title names a type in a message.
func (t *Type) title() string {
	if t.Name() != "" {
		return quoteName(t.Name())
	}
	if t.index >= 0 {
		return fmt.Sprintf("struct_types[%d]", t.index)
	}
	return "the " + t.describe()
}
