// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"iter"
	"strings"
)

// Unset is a part of a value that has not been written: elements of a leaf, or
// structures, bit packings and arrays of which nothing has.
type Unset struct {
	Path  string // by names: "blocks.qs.lo"; "" is the whole value
	First string // the first one, with all its indices: "blocks[2].qs[0].lo"
	Count uint64 // how many are unset: elements, rows or structures
	Of    uint64 // how many there are
}

// String writes the part as in "qs.lo (3 of 16, from [0].qs[13].lo on)".
func (u Unset) String() string {
	path := u.Path
	if path == "" {
		path = "the value"
	}
	switch {
	case u.Of == 1:
		return path
	case u.Count == u.Of:
		return fmt.Sprintf("%s (all %d)", path, u.Of)
	default:
		return fmt.Sprintf("%s (%d of %d, from %s on)", path, u.Count, u.Of, u.First)
	}
}

// UnsetError says that a value is not complete.
type UnsetError struct {
	Parts []Unset // at most 64
	More  bool    // there are others
}

// Error lists the first few parts.
func (e *UnsetError) Error() string {
	const most = 8
	var b strings.Builder
	b.WriteString("structview: the value is not complete; unset: ")
	for i, u := range e.Parts {
		if i == most {
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(u.String())
	}
	if len(e.Parts) > most || e.More {
		b.WriteString("; and more")
	}
	b.WriteString(": write them, or say Writer.Zero of what shall be 0")
	return b.String()
}

// Unset yields what has not been written of the whole value, in the order of the
// declaration; nothing for a Writer of [Patch]. Time and memory grow with the names that
// have been written, not with the dimensions of what has not.
func (w Writer) Unset() iter.Seq[Unset] {
	return func(yield func(Unset) bool) {
		if w.filled != nil {
			w.filled.unset(w.filled.root, w.filled.typ, nil, yield)
		}
	}
}

// complete returns an error that lists what has not been written.
func (t *tracker) complete() error {
	const most = 64
	if t == nil {
		return nil
	}
	var e UnsetError
	t.unset(t.root, t.typ, nil, func(u Unset) bool {
		e.More = len(e.Parts) == most
		if !e.More {
			e.Parts = append(e.Parts, u)
		}
		return !e.More
	})
	if len(e.Parts) == 0 {
		return nil
	}
	return &e
}

// unset yields what is unset at a name and below it.
func (t *tracker) unset(n *written, typ *Type, names []byte, yield func(Unset) bool) bool {
	u := Unset{Path: string(names), Of: n.set.n}
	for from, to := range n.unset(0, n.set.n) {
		if u.Count == 0 {
			u.First = t.pathOf(n, from)
		}
		u.Count += to - from
		if n.children != nil {
			break // its parts say which are unset
		}
	}
	if u.Count == 0 {
		return true
	}
	if n.children == nil {
		return yield(u)
	}
	inner := typ.innermost()
	for i := range n.children {
		if inner.kind == KindBitPacking {
			c := n.child(i, len(inner.parts), 1)
			if !t.unset(c, nil, appendName(names[:len(names):len(names)], inner.parts[i].Name), yield) {
				return false
			}
		} else if f := &inner.fields[i]; f.Type != nil && f.Type.bits > 0 {
			c := n.child(i, len(inner.fields), f.Type.units())
			if !t.unset(c, f.Type, appendName(names[:len(names):len(names)], f.Name), yield) {
				return false
			}
		}
	}
	return true
}

// pathOf returns the path of one element of a name, with all its indices.
func (t *tracker) pathOf(n *written, element uint64) string {
	var way []*written
	for c := n; c.up != nil; c = c.up {
		way = append(way, c)
	}
	typ, per := t.typ, n.set.n
	var path Path
	step := func(length uint64) {
		per /= length
		path = append(path, Index(element/per))
		element %= per
	}
	for {
		for ; typ.kind == KindArray; typ = typ.elem {
			step(typ.length)
		}
		switch {
		case typ.kind == KindTensor:
			for _, d := range typ.shape {
				step(d)
			}
		case typ.kind == KindBitPacking && !typ.row:
			step(typ.length)
		}
		if len(way) == 0 {
			return path.String()
		}
		i := way[len(way)-1].index
		way = way[:len(way)-1]
		if typ.kind == KindBitPacking {
			return append(path, Name(typ.parts[i].Name)).String()
		}
		path = append(path, Name(typ.fields[i].Name))
		typ = typ.fields[i].Type
	}
}
