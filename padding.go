// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"math/bits"
	"slices"
)

// paddingHelp recognises a length that C's alignment would give. The lengths of a type
// are kept, since many values may have it.
func (r *report) paddingHelp(t *Type, length uint64) string {
	sizes, known := r.padded[t]
	if !known {
		for i, limit := range [...]uint64{2, 4, 8, 16} {
			if size, _, ok := alignedSize(t, limit, map[*Type]aligned{}); ok {
				sizes[i] = size
			}
		}
		if r.padded == nil {
			r.padded = map[*Type][4]uint64{}
		}
		r.padded[t] = sizes
	}
	if length != 0 && slices.Contains(sizes[:], length) {
		return "the length fits C's alignment: there is no implicit padding: add an explicit field"
	}
	return ""
}

// aligned is the size and alignment in bytes of a type as C would lay it out.
type aligned struct {
	size, align uint64
	ok          bool
}

// alignedSize lays t out with natural alignment up to a limit. Types whose parts are
// not whole bytes, or that would take 2^64 bytes, have no such layout.
func alignedSize(t *Type, limit uint64, known map[*Type]aligned) (size, align uint64, ok bool) {
	if a, seen := known[t]; seen {
		return a.size, a.align, a.ok
	}
	switch t.kind {
	case KindTensor:
		size, ok = t.Bytes()
		align = max(1, min(limit, t.element.Bits()/8))
		if t.element.IsComplex() {
			align = max(1, min(limit, t.element.Bits()/16))
		}
	case KindBitPacking:
		size, ok = t.Bytes()
		align = 1
	case KindArray:
		size, align, ok = alignedSize(t.elem, limit, known)
		hi, lo := bits.Mul64(size, t.length)
		size, ok = lo, ok && hi == 0
	case KindStructure:
		size, align, ok = alignedFields(t, limit, known)
	}
	known[t] = aligned{size, align, ok}
	return size, align, ok
}

func alignedFields(t *Type, limit uint64, known map[*Type]aligned) (size, align uint64, ok bool) {
	align, ok = 1, true
	for i := range t.fields {
		if t.fields[i].Type == nil {
			continue
		}
		s, a, fits := alignedSize(t.fields[i].Type, limit, known)
		begin := (size + a - 1) / a * a
		if ok = ok && fits && begin >= size && begin+s >= begin; !ok {
			return 0, 1, false
		}
		size, align = begin+s, max(align, a)
	}
	end := (size + align - 1) / align * align
	return end, align, end >= size
}
