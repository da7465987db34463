// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"iter"
	"slices"

	"github.com/structview/structview/tensor"
)

// SetTensor writes all elements that r leads to. t has the element type of r and the
// dimensions that r leaves open, as [View.Tensor] and [Bind] return them: for a component
// the smallest unsigned integer that holds it (SV043), in which every value fits its
// width. A BOOL other than 0 is written as 1.
func (w Writer) SetTensor(r Ref, t *tensor.Tensor) error {
	if err := w.several(r); err != nil {
		return err
	}
	if t == nil {
		return r.errorf("the tensor is nil")
	}
	if r.info.element == tensor.Undefined {
		return r.errorf("no tensor holds %s: use Writer.SetBits for each element", r.info.title())
	}
	if t.Type() != r.info.element {
		return r.errorf("found a tensor of %v: the elements are %v; see tensor.Convert", t.Type(), r.info.element)
	}
	if !slices.EqualFunc(r.Dims(), t.Dims(), func(d Dim, n int64) bool { return d.Len == uint64(n) }) {
		lengths := make([]uint64, len(r.Dims()))
		for i, d := range r.Dims() {
			lengths[i] = d.Len
		}
		return r.errorf("found a tensor of dimensions %v: the path leads to dimensions %v", t.Dims(), lengths)
	}
	return w.elements(r, t.Bytes(), t.Type().Bits())
}

// several checks that r leads to elements.
func (w Writer) several(r Ref) error {
	if err := w.writable(r); err != nil {
		return err
	}
	if !r.info.leaf {
		return w.notOne(r)
	}
	return nil
}

// elements writes elements that lie in data without gaps, each in size bits.
func (w Writer) elements(r Ref, data []byte, size uint64) error {
	if r.Len() == 0 {
		return nil
	}
	if size > r.info.width && !fits(data, size, r.info.mask) {
		for i := range r.Len() {
			if x := readBits(data, i*size, size); x&^r.info.mask != 0 {
				return w.misfit(r, r.nth(i), "%d does not fit %s: write 0 to %d", x, r.info.title(), r.info.mask)
			}
		}
	}
	if r.info.element == tensor.Bool {
		data = canonical(data)
	}
	err := w.guard(func() { scatter(w.data, w.base+r.offset, r.Dims(), r.info.width, data, size) })
	if err == nil {
		w.count(r)
	}
	return err
}

// canonical returns BOOL elements as 0 and 1.
func canonical(data []byte) []byte {
	if !slices.ContainsFunc(data, func(b byte) bool { return b > 1 }) {
		return data
	}
	data = slices.Clone(data)
	for i, b := range data {
		data[i] = min(b, 1)
	}
	return data
}

// nth returns the offset of element i of those that r leads to, in row-major order.
func (r Ref) nth(i uint64) uint64 {
	offset, dims := r.offset, r.Dims()
	for k := len(dims) - 1; k >= 0; k-- {
		offset += i % dims[k].Len * dims[k].Stride
		i /= dims[k].Len
	}
	return offset
}

// SetAll writes all elements that r leads to, in row-major order, as they are: T is the
// Go type of their element type ([tensor.TypeOf]), or the unsigned integer of its width. Of
// a component it is the smallest unsigned integer that holds it. To convert numbers to
// the element type, use [Writer.Set].
func SetAll[T Fixed](w Writer, r Ref, values []T) error {
	if err := w.several(r); err != nil {
		return err
	}
	own := tensor.TypeOf[T]()
	word := own.IsInteger() && !own.IsSigned() && own.Bits() == r.info.element.Bits()
	if own != r.info.element && !word || r.info.element == tensor.Undefined {
		return r.errorf("elements of %v cannot be written as %s: use Writer.Set to convert numbers", own, r.info.title())
	}
	if n := r.Len(); n != uint64(len(values)) {
		return r.errorf("found %d values: the path leads to %s", len(values), many(n))
	}
	t, err := tensor.FromSlice(r.info.element, []int64{int64(len(values))}, values)
	if err != nil {
		return err
	}
	return w.elements(r, t.Bytes(), own.Bits())
}

// SetRun writes the bits of all elements that r leads to, in row-major order: the
// inverse of [View.Run]. values yields exactly as many. If an element does not fit, or they
// are too few or too many, those before are written, but do not count as written.
func (w Writer) SetRun(r Ref, values iter.Seq[uint64]) error {
	if err := w.several(r); err != nil {
		return err
	}
	if r.info.mask == 0 {
		return w.notOne(Ref{r.info, r.offset, r.info.rank})
	}
	run := runWriter{w: w, r: r, n: r.Len(), most: r.info.mask}
	if r.info.element == tensor.Bool {
		run.most = 1
	}
	if err := w.guard(func() { values(run.next) }); err != nil {
		return err
	}
	if run.err == nil && run.i < run.n {
		run.err = r.errorf("found %d values: the path leads to %s", run.i, many(run.n))
	}
	if run.err == nil {
		w.count(r)
	}
	return run.err
}

// runWriter writes element after element.
type runWriter struct {
	w    Writer
	r    Ref
	i, n uint64
	most uint64
	err  error
}

func (u *runWriter) next(x uint64) bool {
	if u.i == u.n {
		u.err = u.r.errorf("found more than %d values: the path leads to %s", u.n, many(u.n))
		return false
	}
	offset := u.r.nth(u.i)
	if x > u.most {
		u.err = u.w.misfit(u.r, offset, "%d does not fit %s: write 0 to %d", x, u.r.info.title(), u.most)
		return false
	}
	setBits(u.w.data, u.w.base+offset, x, u.r.info.width)
	u.i++
	return true
}

// Copy writes a whole value of the type that r leads to, with its bits as they are. v may
// be a part of another value, at any bit; its type has the same layout, names included.
func (w Writer) Copy(r Ref, v View) error {
	if err := w.writable(r); err != nil {
		return err
	}
	if v.typ == nil {
		return r.errorf("the view is empty: make one with NewView")
	}
	t := r.Type()
	if t == nil || !r.info.leaf && len(r.Dims()) > 0 {
		return r.errorf("the path does not lead to one value with a type of its own: give an index for each dimension")
	}
	if !sameLayout(t, v.typ, map[[2]*Type]bool{}) {
		return r.errorf("%s cannot be copied to %s: their layouts differ", v.typ.describeOne(), t.describeOne())
	}
	err := v.guard(func() error {
		return w.guard(func() { copyBits(w.data, w.base+r.offset, v.data, v.base, t.bits) })
	})
	if err == nil {
		w.count(r)
	}
	return err
}

// sameLayout reports whether two types have the same parts with the same names at the
// same places. Pairs that have been seen are equal, or the answer is known to be no.
func sameLayout(a, b *Type, seen map[[2]*Type]bool) bool {
	if a == b || seen[[2]*Type{a, b}] {
		return true
	}
	if a.kind != b.kind || a.bits != b.bits || a.length != b.length || a.element != b.element || a.row != b.row ||
		!slices.Equal(a.shape, b.shape) || !slices.Equal(a.parts, b.parts) || len(a.fields) != len(b.fields) {
		return false
	}
	seen[[2]*Type{a, b}] = true
	if a.kind == KindArray {
		return sameLayout(a.elem, b.elem, seen)
	}
	for i := range a.fields {
		f, g := &a.fields[i], &b.fields[i]
		if f.Name != g.Name || (f.Type == nil) != (g.Type == nil) || f.Type != nil && !sameLayout(f.Type, g.Type, seen) {
			return false
		}
	}
	return true
}

// Zero makes all bits 0 that the path leads to: padding, or whatever else shall be 0.
// The path may leave indices out, and may lead to whole structures; "" is the whole value.
func (w Writer) Zero(path string) error {
	r, err := w.At(path)
	if err != nil {
		return err
	}
	return w.ZeroAt(r)
}

// ZeroAt is [Writer.Zero] for a prepared path.
func (w Writer) ZeroAt(r Ref) error {
	if err := w.writable(r); err != nil {
		return err
	}
	if r.Len() == 0 || r.info.width == 0 {
		return nil
	}
	err := w.guard(func() {
		dims, run := contiguous(collapse(r.Dims()), r.info.width)
		rows(dims, w.base+r.offset, func(offset uint64, inner Dim) {
			for range inner.Len {
				zeroBits(w.data, offset, run)
				offset += inner.Stride
			}
		})
	})
	if err == nil {
		w.count(r)
	}
	return err
}
