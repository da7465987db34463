// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"reflect"

	"github.com/structview/structview/tensor"
)

// maxGoLeaves is how many leaves a type may have whose values move as a whole.
const maxGoLeaves = 1 << 16

// goForm says how values of a Go type move, number by number.
type goForm struct {
	typ     reflect.Type
	leaf    *Type // what a value is within a payload: a root, or a tensor leaf
	moves   []goMove
	ignored string // see goStruct
}

// goMove moves one leaf: the same number of bits of every element, to and from Go
// numbers of one size.
type goMove struct {
	path   string
	offset uint64  // bits from the beginning of the value
	at     uintptr // bytes from the beginning of the Go value
	width  uint64  // bits of one element
	size   uintptr // bytes of one element in Go: 1, 2, 4 or 8
	kind   moveKind
	dims   []goDim
	blank  bool // zeros are written, nothing is read
}

type moveKind uint8

const (
	moveUnsigned moveKind = iota // and codes
	moveSigned
	moveBool
)

// formOf describes the moves of t.
func formOf(t reflect.Type) (*goForm, error) {
	g := goTypes{structs: map[reflect.Type]*goStruct{}}
	m, err := g.member(t, goTag{name: "value"}, goName(t))
	if err != nil {
		return nil, err
	}
	// A root with one field makes any member a type.
	g.declare(&goStruct{typ: reflect.TypeFor[struct{}](), fields: []goMember{m}})
	d, findings := Resolve(g.decls)
	if err := Errors(findings); err != nil {
		return nil, fmt.Errorf("structview: Go type %v: %w", t, err)
	}
	root, err := d.At(d.Len() - 1)
	if err != nil {
		return nil, err
	}
	f := &goForm{typ: t, leaf: root.fields[0].Type}
	if f.leaf.leaves > maxGoLeaves {
		return nil, fmt.Errorf("structview: Go type %v has %d leaves, more than %d: read them through a View", t, f.leaf.leaves, maxGoLeaves)
	}
	m.name = ""
	f.member(&m, 0, 0, nil, "", false)
	return f, nil
}

// member appends the moves of a member that begins at a bit and a byte, within
// dimensions, and returns its size in bits.
func (f *goForm) member(m *goMember, offset uint64, at uintptr, dims []goDim, path string, blank bool) uint64 {
	if m.name != "" {
		path = string(appendName([]byte(path), m.name))
	}
	n := len(dims)
	dims = append(dims[:n:n], m.dims...)
	bits := m.elementBits()
	for i := len(dims) - 1; i >= n; i-- {
		dims[i].bits = bits
		bits *= dims[i].n // of a type that was resolved: below 2^64
	}
	at, blank = at+m.offset, blank || m.blank
	if m.inner == nil {
		if m.bits != 0 && !m.packed {
			path += ".value"
		}
		f.number(m, goMove{path: path, offset: offset, at: at, width: m.width, dims: dims, blank: blank})
		return bits
	}
	if bits == 0 {
		return 0
	}
	if m.inner.ignored != "" && f.ignored == "" {
		f.ignored = string(appendName([]byte(path), m.inner.ignored))
	}
	for i := range m.inner.fields {
		offset += f.member(&m.inner.fields[i], offset, at, dims, path, blank)
	}
	return bits
}

// number appends the move of a number; a complex one is two floats.
func (f *goForm) number(m *goMember, move goMove) {
	move.size = m.element.Size()
	own, _ := goElement(m.element)
	switch {
	case own == tensor.Bool:
		move.kind = moveBool
	case own.IsSigned():
		move.kind = moveSigned
	case own.IsComplex():
		move.size, move.width = move.size/2, move.width/2
		move.dims = append(move.dims, goDim{2, move.width, move.size})
	}
	for _, d := range move.dims {
		if d.n == 0 {
			return
		}
	}
	move.dims = collapseGo(move.dims)
	f.moves = append(f.moves, move)
}

// collapseGo merges dimensions that lie as one both in Go and in the payload, as collapse does.
func collapseGo(dims []goDim) []goDim {
	merged := make([]goDim, 0, len(dims))
	for _, d := range dims {
		n := len(merged)
		switch {
		case d.n == 1:
		case n > 0 && merged[n-1].bits == d.n*d.bits && merged[n-1].bytes == uintptr(d.n)*d.bytes:
			merged[n-1] = goDim{merged[n-1].n * d.n, d.bits, d.bytes}
		default:
			merged = append(merged, d)
		}
	}
	return merged
}

// rows calls fn with every row of the innermost dimension, where it begins in the
// payload and in Go, until it returns false.
func (m *goMove) rows(fn func(offset uint64, at uintptr, inner goDim) bool) bool {
	return goRows(m.dims, m.offset, m.at, fn)
}

func goRows(dims []goDim, offset uint64, at uintptr, fn func(uint64, uintptr, goDim) bool) bool {
	switch len(dims) {
	case 0:
		return fn(offset, at, goDim{n: 1})
	case 1:
		return fn(offset, at, dims[0])
	}
	for range dims[0].n {
		if !goRows(dims[1:], offset, at, fn) {
			return false
		}
		offset, at = offset+dims[0].bits, at+dims[0].bytes
	}
	return true
}

// straight reports whether the elements of a row are the same bytes in Go as in the payload.
func (m *goMove) straight(inner goDim) bool {
	return m.kind != moveBool && m.width == 8*uint64(m.size) && (m.size == 1 || littleEndian()) &&
		(inner.n == 1 || inner.bits == m.width && inner.bytes == m.size)
}

// read fills the Go value at a from data, where the value begins at a bit.
func (f *goForm) read(a address, data []byte, base uint64) {
	for i := range f.moves {
		m := &f.moves[i]
		if m.blank {
			continue
		}
		m.rows(func(offset uint64, at uintptr, inner goDim) bool {
			m.readRow(a, at, data, base+offset, inner)
			return true
		})
	}
}

func (m *goMove) readRow(a address, at uintptr, data []byte, bit uint64, inner goDim) {
	if bit%8 == 0 && m.straight(inner) {
		copy(a.bytes(at, uintptr(inner.n)*m.size), data[bit/8:])
		return
	}
	for range inner.n {
		x := readBits(data, bit, m.width)
		switch m.kind {
		case moveSigned:
			x = uint64(int64(x<<(64-m.width)) >> (64 - m.width))
		case moveBool:
			x = min(x, 1)
		}
		a.store(at, m.size, x)
		bit, at = bit+inner.bits, at+inner.bytes
	}
}

// write puts the Go value at a, whose numbers fit, into data.
func (f *goForm) write(data []byte, base uint64, a address) {
	for i := range f.moves {
		m := &f.moves[i]
		m.rows(func(offset uint64, at uintptr, inner goDim) bool {
			m.writeRow(data, base+offset, a, at, inner)
			return true
		})
	}
}

func (m *goMove) writeRow(data []byte, bit uint64, a address, at uintptr, inner goDim) {
	if !m.blank && bit%8 == 0 && m.straight(inner) {
		copy(data[bit/8:], a.bytes(at, uintptr(inner.n)*m.size))
		return
	}
	for range inner.n {
		var x uint64
		if !m.blank {
			x = a.load(at, m.size) & mask(m.width)
		}
		setBits(data, bit, x, m.width)
		bit, at = bit+inner.bits, at+inner.bytes
	}
}

// check finds a number that does not fit its bits.
func (f *goForm) check(a address) error {
	var err error
	for i := range f.moves {
		m := &f.moves[i]
		if m.blank || m.kind == moveBool || m.width == 8*uint64(m.size) {
			continue
		}
		m.rows(func(offset uint64, at uintptr, inner goDim) bool {
			for range inner.n {
				if x := a.load(at, m.size); !m.fits(x) {
					err = f.misfit(m, offset, x)
					return false
				}
				offset, at = offset+inner.bits, at+inner.bytes
			}
			return true
		})
	}
	return err
}

func (m *goMove) signed(x uint64) int64 {
	shift := 64 - 8*uint64(m.size)
	return int64(x<<shift) >> shift
}

func (m *goMove) fits(x uint64) bool {
	if m.kind == moveSigned {
		s := m.signed(x)
		return s>>(m.width-1) == s>>63
	}
	return x>>m.width == 0
}

func (f *goForm) misfit(m *goMove, offset, x uint64) error {
	path, number := m.path, fmt.Sprint(x)
	low, high := int64(0), fmt.Sprint(mask(m.width))
	if m.kind == moveSigned {
		number = fmt.Sprint(m.signed(x))
		low, high = -1<<(m.width-1), fmt.Sprint(mask(m.width)>>1)
	}
	if p, _, err := f.leaf.layout.At(offset); err == nil && len(p) > 0 {
		path = p.String()
	}
	return fmt.Errorf("structview: %v: %s: %s does not fit %d bits: expected %d to %s", f.typ, path, number, m.width, low, high)
}
