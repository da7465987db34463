// SPDX-License-Identifier: Apache-2.0

package structview

import "fmt"

// Destination is what [From] writes a whole value to: a [Writer], or bytes that the caller owns.
type Destination interface{ Writer | []byte }

// From writes a whole value. The type of a [Writer] must have the leaves of T (see
// [GoType.Set]); bytes must be exactly as many as T takes.
func From[T any, D Destination](dst D, value T) error {
	g, err := GoTypeOf[T]()
	if err != nil {
		return err
	}
	if w, ok := any(dst).(Writer); ok {
		return g.Set(w, value)
	}
	data, _ := any(dst).([]byte)
	switch n := g.Bits(); {
	case n%8 != 0:
		return fmt.Errorf("structview: Go type %v has %d bits, which is not a whole number of bytes: add a field _ with bits=%d, or use GoType.Put", g.form.typ, n, 8-n%8)
	case n/8 != uint64(len(data)):
		return fmt.Errorf("structview: Go type %v takes %d bytes; dst has %d", g.form.typ, n/8, len(data))
	}
	return g.Put(data, 0, value)
}

// FromSlice writes the elements of an array, which has as many: see [GoType.SetSlice].
func FromSlice[T any](w Writer, values []T) error {
	g, err := GoTypeOf[T]()
	if err != nil {
		return err
	}
	return g.SetSlice(w, values)
}

// Put writes value over the bits of dst from a bit offset on, and no others; blank
// fields are zeros. It fails, and leaves dst as it was, if a number does not fit
// its bits or dst ends before the value.
func (g *GoType[T]) Put(dst []byte, bit uint64, value T) error {
	if size := uint64(len(dst)) * 8; bit > size || g.Bits() > size-bit {
		return fmt.Errorf("structview: Go type %v takes %d bits; dst has %d from bit %d on",
			g.form.typ, g.Bits(), max(size, bit)-bit, bit)
	}
	if err := g.form.check(addressOf(&value)); err != nil {
		return err
	}
	g.form.write(dst, bit, addressOf(&value))
	return nil
}

// Set writes value over the whole value of w, at whatever bit it begins. Its type must
// have the leaves of T, as for [GoType.As]. All of it counts as written, blank fields too.
// A number that does not fit its bits is an error, and nothing is written.
func (g *GoType[T]) Set(w Writer, value T) error {
	if w.typ == nil {
		return w.empty()
	}
	if err := g.match(w.typ); err != nil {
		return err
	}
	if err := g.form.check(addressOf(&value)); err != nil {
		return err
	}
	return g.set(w, 0, []T{value})
}

// SetSlice writes the elements of w, an array, which has exactly as many.
func (g *GoType[T]) SetSlice(w Writer, values []T) error {
	if w.typ == nil {
		return w.empty()
	}
	d, err := g.elements(w.typ)
	if err != nil {
		return err
	}
	if uint64(len(values)) != d.Len {
		return fmt.Errorf("structview: %d values of Go type %v for an array: %s", len(values), g.form.typ, elements(d.Len))
	}
	for i := range values {
		if err := g.form.check(addressOf(&values[i])); err != nil {
			return fmt.Errorf("value %d: %w", i, err)
		}
	}
	return g.set(w, d.Stride, values)
}

// set writes values that fit, stride bits apart, which are all of w.
func (g *GoType[T]) set(w Writer, stride uint64, values []T) error {
	all, err := w.typ.Layout().Resolve(nil)
	if err != nil {
		return err
	}
	err = w.guard(func() {
		for i := range values {
			g.form.write(w.data, w.base+uint64(i)*stride, addressOf(&values[i]))
		}
	})
	if err == nil {
		w.count(all)
	}
	return err
}
