// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"slices"

	"github.com/structview/structview/tensor"
)

// match checks that t has the leaves of f, each at the same place.
func (f *goForm) match(t *Type) error {
	if t.leaves > maxGoLeaves {
		return f.mismatch(t, "%s has %d leaves, more than %d", t.title(), t.leaves, maxGoLeaves)
	}
	have := payloadLeaves(t)
	for i, want := range payloadLeaves(f.leaf) {
		if i == len(have) {
			return f.mismatch(t, "%s has no leaf after %d; the Go type goes on with %s", t.title(), i, want.Path)
		}
		if err := f.sameLeaf(t, want, have[i]); err != nil {
			return err
		}
	}
	if n := int(f.leaf.leaves); n < len(have) {
		return f.mismatch(t, "the Go type ends after %d leaves; %s goes on with %s: add a field, blank (_) if it does not matter", n, t.title(), have[n].Path)
	}
	if t.bits != f.leaf.bits {
		return f.mismatch(t, "the Go type has %d bits; %s has %d", f.leaf.bits, t.title(), t.bits)
	}
	return nil
}

// payloadLeaves lists the leaves of a type that are no constants.
func payloadLeaves(t *Type) []Leaf {
	var list []Leaf
	w := leafWalk{yield: func(l Leaf) bool {
		if l.Constant == nil {
			list = append(list, l)
		}
		return true
	}}
	w.walk(t, 0, nil, nil)
	return list
}

func (f *goForm) mismatch(t *Type, format string, args ...any) error {
	return fmt.Errorf("structview: Go type %v is not the value's type: %w", f.typ, fmt.Errorf(format, args...))
}

func (f *goForm) sameLeaf(t *Type, want, have Leaf) error {
	switch {
	case want.Path != have.Path:
		return f.mismatch(t, "its leaf at bit %d is %s, that of %s is %s: a tag `structview:\"name=…\"` names a field", want.Offset, want.Path, t.title(), have.Path)
	case want.Width != have.Width || !sameElement(want.Element, have.Element):
		return f.mismatch(t, "%s is %v with %d bits in it, %v with %d bits in %s", want.Path, want.Element, want.Width, have.Element, have.Width, t.title())
	case !slices.Equal(lengths(want.Dims), lengths(have.Dims)):
		return f.mismatch(t, "%s has dimensions %d in it, %d in %s", want.Path, lengths(want.Dims), lengths(have.Dims), t.title())
	case empty(want.Dims):
	case want.Offset != have.Offset || !slices.Equal(collapse(want.Dims), collapse(have.Dims)):
		return f.mismatch(t, "%s begins at bit %d in it, at bit %d in %s, or its elements lie elsewhere", want.Path, want.Offset, have.Offset, t.title())
	}
	return nil
}

// sameElement: an unsigned integer holds the bits of anything.
func sameElement(want, have tensor.Type) bool {
	return want == have || want.IsInteger() && !want.IsSigned()
}

// lengths returns the dimensions that have more or fewer elements than one.
func lengths(dims []Dim) []uint64 {
	var list []uint64
	for _, d := range dims {
		if d.Len != 1 {
			list = append(list, d.Len)
		}
	}
	return list
}

func empty(dims []Dim) bool {
	return slices.ContainsFunc(dims, func(d Dim) bool { return d.Len == 0 })
}
