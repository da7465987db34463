// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math/bits"

	"github.com/structview/structview/tensor"
)

// A value whose lanes are fields, payload bits one behind the other and zeros above them, is written
// down by where they begin and end. Values that can be so always are: equal ones have to be one.

// fields makes lanes of fields of at most width bits.
func (g *graph) fields(elem tensor.Type, list []stretch, width int) lanes {
	most := int32(1)
	for i, f := range list {
		if f.to -= max(f.to-f.from-int32(width), 0); f.from >= f.to {
			f = stretch{}
		}
		list[i], most = f, max(most, f.to-f.from)
	}
	if oneByOne(list) {
		v := &value{kind: kBits, elem: elem, n: len(list), runs: list, width: int(most)}
		return lanes{g.intern(v), iota32(len(list))}
	}
	m, first := numbered(len(list),
		func(i int) uint64 { return mix(seed, uint64(uint32(list[i].from))<<32|uint64(uint32(list[i].to))) },
		func(i, j int) bool { return list[i] == list[j] })
	if len(first) < len(list) {
		for i, k := range first {
			list[i] = list[k]
		}
		list = list[:len(first)]
	}
	v := &value{kind: kBits, elem: elem, n: len(list), runs: list, width: int(most)}
	return lanes{g.intern(v), m}
}

// oneByOne reports whether each field begins behind where the one before begins.
func oneByOne(list []stretch) bool {
	for i, f := range list {
		if i > 0 && f.from <= list[i-1].from {
			return false
		}
	}
	return true
}

// asFields reads rows of bits as fields.
func asFields(rows []int32, width int) ([]stretch, bool) {
	list := make([]stretch, len(rows)/width)
	for i := range list {
		row, n := rows[i*width:(i+1)*width], 0
		for n < width && row[n] >= 0 && row[n] == row[0]+int32(n) {
			n++
		}
		for _, bit := range row[n:] {
			if bit != zeroBit {
				return nil, false
			}
		}
		if n > 0 {
			list[i] = stretch{row[0], row[0] + int32(n)}
		}
	}
	return list, true
}

// fieldsOf lists the fields of lanes, if they are such; the list is the caller's.
func (l lanes) fieldsOf() ([]stretch, bool) {
	if l.v.runs == nil {
		return nil, false
	}
	list := make([]stretch, len(l.m))
	for i, k := range l.m {
		list[i] = l.v.runs[k]
	}
	return list, true
}

// rowsOf lists all payload bits of a value; for fields they are written down when they are asked for.
func (v *value) rowsOf() []int32 {
	if v.bits == nil {
		v.bits = make([]int32, 0, v.n*v.width)
		for _, f := range v.runs {
			for j := range int32(v.width) {
				bit := zeroBit
				if f.from+j < f.to {
					bit = f.from + j
				}
				v.bits = append(v.bits, bit)
			}
		}
	}
	return v.bits
}

// cutFields moves fields to the right by by[i] bits, and keeps keep[i] of them; nil changes nothing.
func (g *graph) cutFields(elem tensor.Type, x lanes, by, keep []uint64, width int) (lanes, bool) {
	list, ok := x.fieldsOf()
	if !ok {
		return lanes{}, false
	}
	for i := range list {
		f := &list[i]
		if by != nil {
			f.from += int32(min(by[i], 64))
		}
		if keep != nil {
			f.to = min(f.to, f.from+int32(min(keep[i], 64)))
		}
	}
	return g.fields(elem, list, width), true
}

// masked is fields and constants that keep low bits.
func (g *graph) masked(elem tensor.Type, x []lanes) (lanes, bool) {
	a, b := x[0], x[1]
	if a.v.kind == kConst {
		a, b = b, a
	}
	if b.v.kind != kConst || a.v.kind != kBits {
		return lanes{}, false
	}
	keep := b.codes()
	for i, c := range keep {
		if c&(c+1) != 0 {
			return lanes{}, false
		}
		keep[i] = uint64(bits.Len64(c))
	}
	return g.cutFields(elem, a, nil, keep, a.v.width)
}
