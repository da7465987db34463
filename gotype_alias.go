// SPDX-License-Identifier: Apache-2.0

package structview

import "fmt"

// Alias returns the value of v in place, without a copy. That is possible only where
// the payload has the bytes that Go has in memory: every leaf whole bytes at the
// offset of its Go field, no bool (whose byte could be neither 0 nor 1), no field that
// is tagged "-", the host's byte order little-endian unless all leaves are single bytes,
// and the value at an address that Go's alignment allows. The error says which of
// them fails; [GoType.As] copies instead.
//
// The T is the payload itself: it is valid as long as the payload is, and must not be
// written to if the payload is read-only.
func (g *GoType[T]) Alias(v View) (*T, error) {
	if err := g.match(v.typ); err != nil {
		return nil, err
	}
	list, err := g.alias(v, 1)
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}

// AliasSlice returns the elements of v, an array, in place: see [GoType.Alias].
func (g *GoType[T]) AliasSlice(v View) ([]T, error) {
	d, err := g.elements(v.typ)
	if err != nil || d.Len == 0 {
		return nil, err
	}
	return g.alias(v, d.Len)
}

// Alias returns a value in place: see [GoType.Alias].
func Alias[T any](v View) (*T, error) {
	g, err := GoTypeOf[T]()
	if err != nil {
		return nil, err
	}
	return g.Alias(v)
}

// AliasSlice returns the elements of an array in place: see [GoType.AliasSlice].
func AliasSlice[T any](v View) ([]T, error) {
	g, err := GoTypeOf[T]()
	if err != nil {
		return nil, err
	}
	return g.AliasSlice(v)
}

func (g *GoType[T]) alias(v View, n uint64) ([]T, error) {
	if err := g.form.straight(); err != nil {
		return nil, err
	}
	if v.base%8 != 0 {
		return nil, g.form.noAlias("the value begins at bit %d of a byte", v.base%8)
	}
	size := n * (g.form.leaf.bits / 8) // of the payload: no overflow
	list, align := aliasValues[T](v.data[v.base/8:][:size], n)
	if align != 0 {
		return nil, g.form.noAlias("the value does not begin at a multiple of %d bytes in memory, as Go wants it", align)
	}
	return list, nil
}

func (f *goForm) noAlias(format string, args ...any) error {
	return fmt.Errorf("structview: Go type %v has no alias: %w; use As", f.typ, fmt.Errorf(format, args...))
}

// straight checks that Go's layout is the payload's.
func (f *goForm) straight() error {
	if f.ignored != "" {
		return f.noAlias("%s has no bits in the payload, but memory in Go", f.ignored)
	}
	for i := range f.moves {
		if err := f.straightMove(&f.moves[i]); err != nil {
			return err
		}
	}
	if size := 8 * uint64(f.typ.Size()); size != f.leaf.bits {
		return f.noAlias("Go gives it %d bytes, the payload %d: add padding, fields _", size/8, f.leaf.bits/8)
	}
	return nil
}

func (f *goForm) straightMove(m *goMove) error {
	path := m.path
	if path == "" {
		path = "value"
	}
	switch {
	case m.kind == moveBool:
		return f.noAlias("%s is a bool, whose byte may be neither 0 nor 1: write uint8", path)
	case m.width != 8*uint64(m.size):
		return f.noAlias("%s has %d bits, which Go has no type for", path, m.width)
	case m.size > 1 && !littleEndian():
		return f.noAlias("%s has its bytes in little-endian order, this machine does not", path)
	case m.offset != 8*uint64(m.at):
		return f.noAlias("%s begins at byte %d in Go, at bit %d (byte %s) in the payload: add padding before it, a field _", path, m.at, m.offset, bytePlace(m.offset))
	}
	for _, d := range m.dims {
		if d.bits != 8*uint64(d.bytes) {
			return f.noAlias("the elements of %s are %d bytes apart in Go, %d bits in the payload: add padding to their struct, a field _", path, d.bytes, d.bits)
		}
	}
	return nil
}

func bytePlace(bit uint64) string {
	if bit%8 == 0 {
		return fmt.Sprint(bit / 8)
	}
	return fmt.Sprintf("%d.%d", bit/8, bit%8)
}
