// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"iter"
	"math"
	"math/bits"
)

// tracker knows what has been written. It mirrors the names of the declaration and not
// its dimensions: there is one node for `qs.lo`, however many blocks there are, and a
// node is made when something below it is written. A node has one bit for each of its
// elements, in pages that exist only while they are neither empty nor full. That is one bit
// for an element (and one for a structure that is written both in parts and as a whole) at
// worst, and one page for each name when a value is written in its order.
type tracker struct {
	root *written
	typ  *Type
}

// written is what is known of one name: how many there are of it in the whole value, and
// which of them were written as a whole. Elements are counted in row-major order: of a tensor
// leaf its elements, of a bit packing (and its components) the rows, of a structure itself.
type written struct {
	up       *written
	index    int32  // among the fields or components of up
	per      uint64 // elements for each element of up
	set      bitset
	children []*written // by field or component; nil: nothing below it was written
}

func newTracker(t *Type) *tracker {
	return &tracker{&written{per: t.units(), set: bitset{n: t.units()}}, t}
}

// units returns the number of elements of t: of its tensor leaf, or the innermost
// structures or rows. Without bits there is nothing to write, and so no elements.
func (t *Type) units() uint64 {
	n := uint64(1)
	if t.bits == 0 {
		return 0
	}
	for ; t.kind == KindArray; t = t.elem {
		n *= t.length
	}
	switch {
	case t.kind == KindTensor:
		n *= t.bits / t.element.Bits()
	case t.kind == KindBitPacking && !t.row:
		n *= t.length
	}
	return n
}

func (n *written) child(i, of int, per uint64) *written {
	if n.children == nil {
		n.children = make([]*written, of)
	}
	c := n.children[i]
	if c == nil {
		c = &written{up: n, index: int32(i), per: per, set: bitset{n: n.set.n * per}}
		n.children[i] = c
	}
	return c
}

// find follows a bit of the payload through as many names, or to its element, and
// returns which element it is.
func (t *tracker) find(bit uint64, names int) (n *written, element uint64) {
	typ, n := t.typ, t.root
	repeat := func(length, stride uint64) {
		i := bit / stride
		element, bit = element*length+i, bit-i*stride
	}
	for ; ; names-- {
		for typ.kind == KindArray {
			repeat(typ.length, typ.stride)
			typ = typ.elem
		}
		switch {
		case typ.kind == KindTensor:
			width := typ.element.Bits()
			repeat(typ.bits/width, width)
			return n, element
		case typ.kind == KindBitPacking && !typ.row:
			repeat(typ.length, typ.stride)
		}
		if names == 0 {
			return n, element
		}
		if typ.kind == KindBitPacking {
			return n.child(typ.partAt(bit), len(typ.parts), 1), element
		}
		i := typ.fieldAt(bit)
		f := &typ.fields[i]
		n = n.child(i, len(typ.fields), f.Type.units())
		bit -= f.Offset
		typ = f.Type
	}
}

// count notes that everything at r was written.
func (w Writer) count(r Ref) {
	if w.filled == nil || r.Len() == 0 || r.info.width == 0 {
		return
	}
	names, units := math.MaxInt, uint64(1)
	if !r.info.leaf {
		names, units = w.names+r.info.names, r.info.typ.units()
	}
	offset := w.base + r.offset
	n, first := w.filled.find(offset, names)
	if len(r.Dims()) == 0 {
		n.set.add(first, first+units)
		return
	}
	var few [4]Dim
	dims := append(few[:0], r.Dims()...)
	for i, d := range dims {
		if d.Len > 1 {
			_, next := w.filled.find(offset+d.Stride, names)
			dims[i].Stride = next - first // in elements
		}
	}
	outer, run := contiguous(collapse(dims), units)
	rows(outer, first, func(at uint64, inner Dim) {
		for range inner.Len {
			n.set.add(at, at+run)
			at += inner.Stride
		}
	})
}

// unset yields the ranges of elements between from and to that were not written, neither
// by their own name nor by one above it.
func (n *written) unset(from, to uint64) iter.Seq2[uint64, uint64] {
	return func(yield func(uint64, uint64) bool) { n.gaps(from, to, yield) }
}

func (n *written) gaps(from, to uint64, yield func(from, to uint64) bool) bool {
	if from >= to {
		return true
	}
	if n.up == nil {
		return n.set.gaps(from, to, yield)
	}
	return n.up.gaps(from/n.per, (to-1)/n.per+1, func(a, b uint64) bool {
		return n.set.gaps(max(from, a*n.per), min(to, b*n.per), yield)
	})
}

// pageBits is the size of a page of a bitset.
const pageBits = 1 << 15

// bitset is a set of numbers below n. A page is nil while none of its numbers, or all
// of them, are in the set.
type bitset struct {
	n     uint64
	full  bool // all of them
	pages []page
}

type page struct {
	words []uint64
	have  uint32
}

func (s *bitset) pageSize(p uint64) uint64 { return min(pageBits, s.n-p*pageBits) }

// add adds the numbers from a range that is not empty.
func (s *bitset) add(from, to uint64) {
	if s.full = s.full || from == 0 && to == s.n; s.full {
		s.pages = nil
		return
	}
	if s.pages == nil {
		s.pages = make([]page, (s.n+pageBits-1)/pageBits)
	}
	for from < to {
		p := from / pageBits
		size := s.pageSize(p)
		end := min(to-p*pageBits, size)
		s.pages[p].add(from-p*pageBits, end, size)
		from = p*pageBits + end
	}
}

func (p *page) add(from, to, size uint64) {
	switch {
	case uint64(p.have) == size:
		return
	case to-from == size:
		*p = page{have: uint32(size)}
		return
	case p.words == nil:
		p.words = make([]uint64, (size+63)/64)
	}
	for from < to {
		end := min(to, from|63+1)
		ones := mask(end-from) << (from % 64)
		word := &p.words[from/64]
		p.have += uint32(bits.OnesCount64(ones &^ *word))
		*word |= ones
		from = end
	}
	if uint64(p.have) == size {
		p.words = nil
	}
}

// gaps yields the ranges between from and to that are not in the set.
func (s *bitset) gaps(from, to uint64, yield func(from, to uint64) bool) bool {
	if s.full {
		return true
	}
	begin, open := from, true // a gap, as long as nothing of the set was met
	for at := from; at < to; {
		end, in := s.same(at)
		switch {
		case in && open && at > begin:
			if !yield(begin, at) {
				return false
			}
			open = false
		case in:
			open = false
		case !open:
			begin, open = at, true
		}
		at = end
	}
	return !open || begin >= to || yield(begin, to)
}

// same returns whether a number is in the set, and how far that is so at least.
func (s *bitset) same(at uint64) (end uint64, in bool) {
	if s.pages == nil {
		return s.n, false
	}
	i := at / pageBits
	p := &s.pages[i]
	if p.words == nil {
		return min(s.n, (i+1)*pageBits), p.have != 0
	}
	rest := p.words[at%pageBits/64] >> (at % 64)
	in = rest&1 != 0
	if in {
		rest = ^rest
	}
	return min(s.n, at+uint64(min(bits.TrailingZeros64(rest), int(64-at%64)))), in
}
