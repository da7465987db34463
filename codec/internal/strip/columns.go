// SPDX-License-Identifier: Apache-2.0

package strip

import (
	"encoding/binary"
	"math"
)

// Column is how a word of the input lies in memory, where it is no word of a block: then a
// block is a lane of a tile, and each word comes from memory of its own.
type Column uint8

// The kinds of columns: words one behind the other, narrower integers with zeros or a sign in
// front of them, words of which eight lanes have a place of their own, and what has a place for each tile of lanes.
const (
	OfWords  Column = iota
	OfHalves        // 16 bits, unsigned
	OfBytes
	OfSigned // bytes in two's complement
	OfEights // eight words from a place on
	OfShared // one word for eight lanes
	AtWords  // of Bytes, as the following
	AtHalves
	AtShorts // 16 bits in two's complement
	AtBytes
	AtSigned
	AtOne    // one of Words for a tile, or of Bytes if there are such
	AtDouble // two of them, a DOUBLE
)

// Source is the memory of a column: that of its kind, from the first lane on.
type Source struct {
	Words  []float32 // as bits
	Halves []uint16
	Bytes  []byte
	At     []int32 // for each eight lanes, or for each tile, the place in Words or Bytes, in bytes
}

// Spare is how many elements behind the last lane a column must have: programs read as many lanes as
// a tile has. At needs places for them.
const Spare = TileLanes - 1

// TileLanes is how many lanes are worked on together.
const TileLanes = 32

// OfColumns is a program with columns in the place of a block's words.
func (p *Program) OfColumns(columns []Column) *Program {
	return &Program{Rows: p.Rows, In: p.In, Columns: columns, Ops: p.Ops, Out: p.Out, OutBytes: p.OutBytes, Constants: p.Constants, Doubles: p.Doubles}
}

// Floats makes n lanes of a program of columns, from lane first of the sources on, as the bits of floats. Stream asks
// for stores that bypass the caches; out is then aligned to 32 bytes.
func (f *Frame) Floats(sources []Source, n int, out []float32, stream bool) {
	if bytes, ok := Bytes(out); ok {
		f.Lanes(sources, n, bytes, stream)
		return
	}
	f.columns(sources, n, func(from, m int) {
		for i, w := range f.strip(f.program.Out[0])[:m] {
			out[from+i] = math.Float32frombits(w)
		}
	})
}

// Lanes is Floats for little-endian elements of OutBytes bytes. It writes behind the last one up to the end of
// out, if a tile ends there.
func (f *Frame) Lanes(sources []Source, n int, out []byte, stream bool) {
	if f.vector != nil {
		f.vector.lanes(sources, n, out, stream)
		return
	}
	size := f.program.OutBytes
	f.columns(sources, n, func(from, m int) { f.store(out[from*size:], m) })
}

// columns is the portable path: it hands the strips of some lanes at a time to store.
func (f *Frame) columns(sources []Source, n int, store func(from, m int)) {
	p := f.program
	for from := 0; from < n; from += f.tile {
		m := min(n-from, f.tile)
		for c, kind := range p.Columns {
			sources[c].load(kind, from, f.strip(p.In + Row(c))[:m])
		}
		for i := range p.Ops {
			f.op(&p.Ops[i])
		}
		store(from, m)
	}
}

// load reads lanes from one on.
func (s *Source) load(kind Column, from int, to []uint32) {
	switch kind {
	case OfWords:
		for i, x := range s.Words[from:][:len(to)] {
			to[i] = math.Float32bits(x)
		}
	case OfHalves:
		for i, x := range s.Halves[from:][:len(to)] {
			to[i] = uint32(x)
		}
	case OfBytes:
		for i, x := range s.Bytes[from:][:len(to)] {
			to[i] = uint32(x)
		}
	case OfSigned:
		for i, x := range s.Bytes[from:][:len(to)] {
			to[i] = uint32(int32(int8(x)))
		}
	case OfEights, OfShared:
		s.spread(kind, from, to)
	default:
		s.tiles(kind, from, to)
	}
}

// tiles reads lanes of which tiles have a place.
func (s *Source) tiles(kind Column, from int, to []uint32) {
	for i := range to {
		at, k := int(s.At[(from+i)/TileLanes]), (from+i)%TileLanes
		switch kind {
		case AtWords:
			to[i] = binary.LittleEndian.Uint32(s.Bytes[at+4*k:])
		case AtHalves:
			to[i] = uint32(binary.LittleEndian.Uint16(s.Bytes[at+2*k:]))
		case AtShorts:
			to[i] = uint32(int32(int16(binary.LittleEndian.Uint16(s.Bytes[at+2*k:]))))
		case AtBytes:
			to[i] = uint32(s.Bytes[at+k])
		case AtSigned:
			to[i] = uint32(int32(int8(s.Bytes[at+k])))
		case AtDouble:
			to[i] = s.word(at + 4*(k%2))
		default:
			to[i] = s.word(at)
		}
	}
}

// word is one at a place in Bytes, if there are such, or in Words.
func (s *Source) word(at int) uint32 {
	if s.Bytes != nil {
		return binary.LittleEndian.Uint32(s.Bytes[at:])
	}
	return math.Float32bits(s.Words[at/4])
}

// spread reads lanes of which eight have a place.
func (s *Source) spread(kind Column, from int, to []uint32) {
	for i := 0; i < len(to); i += 8 {
		at := int(s.At[(from+i)/8]) / 4
		eight := to[i:min(i+8, len(to))]
		for k := range eight {
			if kind == OfEights {
				eight[k] = math.Float32bits(s.Words[at+k])
			} else {
				eight[k] = math.Float32bits(s.Words[at])
			}
		}
	}
}
