// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"github.com/structview/structview/tensor"
)

// Narrowing is how floats become elements of an output of another type.
type Narrowing struct {
	Format Format // F16, BF16 or Float64, if Width is 0
	Width  int    // bytes of integers, which the floats are
}

// Size is the bytes of an element.
func (w Narrowing) Size() int {
	if w.Width != 0 {
		return w.Width
	}
	return w.Format.size()
}

// Floats is the program whose output, of so many lanes, is the floats that the stores narrow, nil if they do not do so
// alike. All that makes floats faster then holds for other types as well, and what is narrowed are
// floats that follow each other.
func (p *Program) Floats(stores []Store, lanes int) (*Program, Narrowing) {
	out := &Program{Stride: p.Stride, Lanes: lanes, Buffers: p.Buffers, Ops: append([]Op(nil), p.Ops...)}
	var all Narrowing
	covered := 0
	for i, s := range stores {
		from, n, lane, how := narrows(s)
		if n == 0 || i > 0 && how != all {
			return nil, all
		}
		all, covered = how, covered+n
		if k, ok := s.(*TableStore); ok {
			kind, _ := k.integers()
			out.Ops = append(out.Ops, &Epilogue{Source: Source{Kind: kind, Codes: k.Codes}, Lanes: n, ToOut: true, Lane: lane})
			continue
		}
		if at := out.lastEpilogue(from); at >= 0 && !reads(unpatched(out.Ops[at+1:], from), from) && !storedAgain(stores, i, from) {
			own := *out.Ops[at].(*Epilogue)
			if own.Lanes == n {
				own.ToOut, own.Lane, out.Ops[at] = true, lane, &own
				out.patchOut(at+1, from, lane)
				continue
			}
		}
		out.Ops = append(out.Ops, &Epilogue{Source: Source{Kind: FromF32, From: from}, Lanes: n, ToOut: true, Lane: lane})
	}
	if covered != lanes {
		return nil, all
	}
	return out, all
}

// narrows is what a store narrows: lanes of a buffer; 0 if it does something else.
func narrows(s Store) (from BufferID, lanes, lane int, how Narrowing) {
	switch k := s.(type) {
	case *FloatStore:
		return k.From, k.Lanes, k.Lane, Narrowing{Format: k.Format}
	case *ConvertStore:
		if k.Whole {
			return k.From, k.Lanes, k.Lane, Narrowing{Width: k.Width}
		}
	case *TableStore:
		if _, ok := k.integers(); ok {
			return noBuffer, k.Lanes, k.Lane, Narrowing{Width: k.Width}
		}
	}
	return 0, 0, 0, Narrowing{}
}

// noBuffer is of what is no buffer of floats.
const noBuffer BufferID = -1

// integers reports whether a table widens codes, and how it takes them.
func (k *TableStore) integers() (SourceKind, bool) {
	signed, unsigned := true, true
	var element [8]byte
	for code := range 256 {
		got := k.Table[code*k.Width:][:k.Width]
		binary.LittleEndian.PutUint64(element[:], uint64(code))
		unsigned = unsigned && bytes.Equal(got, element[:k.Width])
		binary.LittleEndian.PutUint64(element[:], uint64(int64(int8(code))))
		signed = signed && bytes.Equal(got, element[:k.Width])
	}
	if unsigned {
		return FromU8, true
	}
	return FromI8, signed
}

// storedAgain reports whether another store than number i reads a buffer.
func storedAgain(stores []Store, i int, id BufferID) bool {
	for j, s := range stores {
		if from, _, _, _ := narrows(s); j != i && from == id {
			return true
		}
	}
	return false
}

// lastEpilogue is the last one that writes a buffer, -1 if there is none.
func (p *Program) lastEpilogue(id BufferID) int {
	for i := len(p.Ops) - 1; i >= 0; i-- {
		if k, ok := p.Ops[i].(*Epilogue); ok && !k.ToOut && k.To == id {
			return i
		}
	}
	return -1
}

// reads reports whether some op has a float buffer among its operands.
func reads(ops []Op, id BufferID) bool {
	for _, op := range ops {
		var operands []Parameter
		switch k := op.(type) {
		case *Epilogue:
			operands = []Parameter{k.Z, k.A, k.B, k.S}
			if kind := k.Source.Kind; (kind == FromF32 || kind == FromHeld || kind == FromRows) && k.Source.From == id {
				return true
			}
		case *Evaluate:
			operands = k.In
		case *Expression:
			for _, x := range k.In {
				operands = append(operands, x.Words)
			}
		case *Place:
			if slices.Contains(k.From, id) {
				return true
			}
		case *Patch:
			if patches(k, id) || k.Values == id || k.Kind == FromF32 && k.Index == id {
				return true
			}
		}
		for _, p := range operands {
			if (p.Kind == Group || p.Kind == Period) && p.Buffer == id {
				return true
			}
		}
	}
	return false
}

// Narrow writes floats as elements. stream asks for stores past the caches, which the caller orders with Fence.
func (w Narrowing) Narrow(from []float32, out []byte, stream bool) {
	out = out[:len(from)*w.Size()]
	done := w.vector(from, out, stream)
	w.each(from[done:], out[done*w.Size():])
}

// each is Narrow, element by element.
func (w Narrowing) each(from []float32, out []byte) {
	switch {
	case w.Width != 0:
		var element [8]byte
		for i, x := range from {
			binary.LittleEndian.PutUint64(element[:], uint64(int64(x)))
			copy(out[i*w.Width:][:w.Width], element[:])
		}
	case w.Format == F16:
		for i, x := range from {
			binary.LittleEndian.PutUint16(out[2*i:], tensor.F32ToF16(x))
		}
	case w.Format == BF16:
		for i, x := range from {
			binary.LittleEndian.PutUint16(out[2*i:], tensor.F32ToBF16(x))
		}
	default:
		for i, x := range from {
			binary.LittleEndian.PutUint64(out[8*i:], math.Float64bits(float64(x)))
		}
	}
}
