// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/tensor"
)

// payloadBits gathers the bits of lanes from the words of a block. A lane that is a whole word
// is that word's strip.
func (s *stripper) payloadBits(v *value, m []int32) ([]row, error) {
	if v.width > 32 {
		return nil, noStrip(v, "it has %d bits", v.width)
	}
	out := make([]row, len(m))
	for i, l := range m {
		out[i] = s.gathered(v.row(l))
	}
	if v.elem == tensor.Bool {
		return s.not(s.op(strip.EqualI, out, one(s.constant(0)))), nil
	}
	return out, nil
}

func (s *stripper) gathered(bits []int32) row {
	var few [2]strip.Step
	parts, ones := few[:0], uint32(0)
	for j := 0; j < len(bits); {
		bit, n := bits[j], 1
		if bit == oneBit {
			ones |= 1 << j
		}
		if bit < 0 {
			j++
			continue
		}
		for j+n < len(bits) && bits[j+n] == bit+int32(n) && (int(bit)+n)%32 != 0 {
			n++
		}
		parts = append(parts, strip.Step{
			X: row(bit / 32), Y: noRow, Z: noRow, Right: uint8(bit % 32), Mask: uint32(1<<n - 1), Left: uint8(j),
		})
		j += n
	}
	switch {
	case len(parts) == 0:
		return s.constant(ones)
	case len(parts) == 1 && parts[0].Mask == math.MaxUint32 && int(parts[0].X)*4+4 <= s.in:
		return parts[0].X
	}
	r := s.joined(parts)
	if ones != 0 {
		r = s.op(strip.Or, one(r), one(s.constant(ones)))[0]
	}
	return r
}

// joined is a word of the given parts.
func (s *stripper) joined(parts []strip.Step) row {
	parts[0].First = true
	if len(parts) == 1 {
		return s.pure(stripStep{code: strip.Bits, step: parts[0]})
	}
	r := s.row()
	for _, p := range parts {
		p.Dst = r
		s.into(strip.Bits, p)
	}
	return r
}

// leaves read bits as elements of another type.
func (s *stripper) leaves(v *value, m []int32) ([]row, error) {
	if v.elem == tensor.Double {
		low, high, err := s.wholes(lanes{v, m})
		if err != nil {
			return nil, err
		}
		return s.joinedWords(low, high), nil
	}
	x, err := s.argument(v, 0, m)
	if err != nil {
		return nil, err
	}
	if v.elem == tensor.Bool {
		return s.not(s.op(strip.EqualI, x, one(s.constant(0)))), nil
	}
	if v.elem.IsSigned() && v.elem.IsInteger() {
		return s.wrapped(v.elem, x), nil
	}
	return x, nil
}

// outField is a lane that becomes bits of a result.
type outField struct {
	v             *value
	lane          int32
	offset, width int
	path          string // of a component, whose value must fit its width
}

// packed adds the steps that put fields into the words of a result, and returns those words. Bits
// that no field covers are 0.
func (s *stripper) packed(fields []outField, bytes int) ([]row, error) {
	slices.SortFunc(fields, func(a, b outField) int { return cmp.Compare(a.offset, b.offset) })
	end := 0
	for _, f := range fields {
		if f.offset < end {
			return nil, fmt.Errorf("bit %d of a block belongs to two paths", f.offset)
		}
		end = f.offset + f.width
	}
	if end > 8*bytes {
		return nil, fmt.Errorf("a block has %d bits, and its paths reach bit %d", 8*bytes, end)
	}
	words := make([][]strip.Step, (bytes+3)/4)
	room := make([]strip.Step, len(words)) // for the first part of each
	for w := range words {
		words[w] = room[w : w : w+1]
	}
	out := slices.Repeat([]row{noRow}, len(words))
	from := 0
	for len(fields) > 0 {
		n := s.wholeWords(fields)
		if err := s.place(fields[:n], words); err != nil {
			return nil, err
		}
		to := len(words)
		if fields = fields[n:]; len(fields) > 0 {
			to = fields[0].offset / 32
		}
		for w := from; w < to; w++ {
			out[w] = s.outWord(words[w])
		}
		from = max(from, to)
	}
	for w := range out {
		if out[w] == noRow {
			out[w] = s.outWord(words[w])
		}
	}
	return out, nil
}

// wholeWords is how many fields to make next: about atATime, up to the end of a word.
func (s *stripper) wholeWords(fields []outField) int {
	n := min(len(fields), atATime)
	for n < len(fields) && fields[n].offset/32 == (fields[n-1].offset+fields[n-1].width-1)/32 {
		n++
	}
	return n
}

func (s *stripper) outWord(parts []strip.Step) row {
	switch {
	case len(parts) == 0:
		return s.constant(0)
	case len(parts) == 1 && parts[0].Mask == math.MaxUint32:
		return parts[0].X
	}
	return s.joined(parts)
}

// place makes the lanes of fields and writes down which parts of which words they are.
func (s *stripper) place(fields []outField, words [][]strip.Step) error {
	rows := make([]row, len(fields))
	for i := range fields {
		if rows[i] != 0 {
			continue
		}
		var lanes []int32
		var at []int
		for k := i; k < len(fields); k++ {
			if fields[k].v == fields[i].v {
				lanes, at = append(lanes, fields[k].lane), append(at, k)
			}
		}
		made, err := s.of(fields[i].v, lanes)
		if err != nil {
			return err
		}
		for k, r := range made {
			rows[at[k]] = r + 1
		}
	}
	for i, f := range fields {
		s.checked(f, rows[i]-1)
		if f.v.elem == tensor.Bool { // a mask
			f.width = 1
		}
		low, high := s.wordsOf(f.v, rows[i]-1, f.width)
		s.split(words, low, f.offset, min(f.width, 32))
		if f.width > 32 {
			s.split(words, high, f.offset+32, f.width-32)
		}
	}
	return nil
}

// split cuts a field at the end of a word.
func (s *stripper) split(words [][]strip.Step, r row, offset, width int) {
	w, at := offset/32, offset%32
	n := min(width, 32-at)
	words[w] = append(words[w], strip.Step{X: r, Y: noRow, Z: noRow, Mask: uint32(1<<n - 1), Left: uint8(at)})
	if n < width {
		words[w+1] = append(words[w+1], strip.Step{X: r, Y: noRow, Z: noRow, Right: uint8(n), Mask: uint32(1<<(width-n) - 1)})
	}
}

// wordsOf are the halves of an element of width bits.
func (s *stripper) wordsOf(v *value, r row, width int) (low, high row) {
	switch {
	case v.elem == tensor.Double:
		return s.wordsBy(strip.LowD, one(r))[0], s.wordsBy(strip.HighD, one(r))[0]
	case width > 32:
		return r, s.highWord(v, r)
	}
	return r, noRow
}

// highWord is the upper half of an element of 64 bits.
func (s *stripper) highWord(v *value, r row) row {
	if span, ok := s.g.interval(v); ok && span.lo < 0 {
		return s.op(strip.ShiftA, one(r), one(s.constant(31)))[0]
	}
	return s.constant(0)
}

// checked adds a check that a component's value fits, unless that is known.
func (s *stripper) checked(f outField, r row) {
	if f.path == "" || f.width >= 32 {
		return
	}
	if span, ok := s.g.interval(f.v); ok && span.lo >= 0 && span.hi>>f.width == 0 || !s.g.demands(obFits) {
		return
	}
	s.into(strip.Check, strip.Step{Dst: noRow, X: r, Y: noRow, Z: noRow, Mask: uint32(1<<f.width - 1)})
}
