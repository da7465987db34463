// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"strings"

	"github.com/structview/structview/tensor"
)

// cBytes is what every type has.
const cBytes = `typedef struct {
  uint8_t bytes[SIZE];
} TYPE;

/* n bits, at most 64, from bit p on */
static inline uint64_t TYPE_bits(const uint8_t *b, size_t p, unsigned n) {
  uint64_t x = 0;
  for (unsigned k = 0; k < n;) {
    unsigned shift = (unsigned)(p % 8), take = 8 - shift < n - k ? 8 - shift : n - k;
    x |= (uint64_t)(b[p / 8] >> shift & ((1u << take) - 1)) << k;
    p += take;
    k += take;
  }
  return x;
}

/* replaces n bits, at most 64, from bit p on */
static inline void TYPE_put_bits(uint8_t *b, size_t p, unsigned n, uint64_t x) {
  while (n > 0) {
    unsigned shift = (unsigned)(p % 8), take = 8 - shift < n ? 8 - shift : n, ones = (1u << take) - 1;
    b[p / 8] = (uint8_t)((b[p / 8] & ~(ones << shift)) | ((unsigned)x & ones) << shift);
    x >>= take;
    p += take;
    n -= take;
  }
}
`

// accessors writes bytes with inline accessors: right on every machine, at any bit.
func (w *cWriter) accessors() {
	r := strings.NewReplacer("TYPE", w.typ, "SIZE", fmt.Sprint(w.size))
	_, _ = r.WriteString(w, cBytes)
	taken := names{w.typ + "_bits": true, w.typ + "_put_bits": true, w.typ + "_size_check": true}
	for i := range w.leaves {
		l := &w.leaves[i]
		if l.Constant != nil {
			continue
		}
		l.name = taken.free(w.typ+"_"+snake(l.names...), func(name string) []string {
			return []string{name, name + "_set", name + "_im", name + "_im_set"}
		})
		switch {
		case l.Element.IsComplex():
			w.part(l, half(l.Element), l.Offset, l.name)
			w.part(l, half(l.Element), l.Offset+l.Width/2, l.name+"_im")
		case l.Width > 64:
			w.wide(l)
		default:
			w.number(l, l.name)
		}
	}
}

// part writes the accessors of one half of complex numbers.
func (w *cWriter) part(l *leaf, e tensor.Type, offset uint64, name string) {
	one := *l
	one.Element, one.Width, one.Offset = e, e.Bits(), offset
	w.number(&one, name)
}

// signature returns the parameters after the value, and the checks of the indices.
func (l *leaf) signature() (params, checks string) {
	for k, d := range l.dims {
		params += ", size_t " + index(k)
		checks += fmt.Sprintf("  assert(%s < %d);\n", index(k), d.Len)
	}
	return params, checks
}

func (w *cWriter) number(l *leaf, name string) {
	params, checks := l.signature()
	typ, word := l.cType(), fmt.Sprintf("uint%d_t", holder(l.Width))
	at := cPosition(l)
	read := fmt.Sprintf("%s_bits(b->bytes, %s, %d)", w.typ, at, l.Width)
	w.comment(l)
	fmt.Fprintf(w, "static inline %s %s(const %s *b%s) {\n%s", typ, name, w.typ, params, checks)
	switch {
	case typ == "float" || typ == "double":
		fmt.Fprintf(w, "  %s bits = (%s)%s;\n  %s x;\n  memcpy(&x, &bits, sizeof x);\n  return x;\n}\n", word, word, read, typ)
	case l.Element.IsSigned() && !l.IsComponent && l.Width < 8:
		sign := uint64(1) << (l.Width - 1)
		fmt.Fprintf(w, "  return (int8_t)((int)(%s ^ %d) - %d);\n}\n", read, sign, sign)
	default:
		fmt.Fprintf(w, "  return (%s)%s;\n}\n", typ, read)
	}
	fmt.Fprintf(w, "static inline void %s_set(%s *b%s, %s x) {\n%s", name, w.typ, params, typ, checks)
	bits := "(uint64_t)x"
	if typ == "float" || typ == "double" {
		fmt.Fprintf(w, "  %s bits;\n  memcpy(&bits, &x, sizeof bits);\n", word)
		bits = "bits"
	}
	fmt.Fprintf(w, "  %s_put_bits(b->bytes, %s, %d, %s);\n}\n", w.typ, at, l.Width, bits)
}

// comment names the leaf, and says what codes stand for.
func (w *cWriter) comment(l *leaf) {
	fmt.Fprintf(w, "\n/* %s, %s */\n", comment(l.Path), l.kind())
}

// wide writes the accessors of a component of more than 64 bits: bytes with the least
// significant first.
func (w *cWriter) wide(l *leaf) {
	params, checks := l.signature()
	n := (l.Width + 7) / 8
	w.comment(l)
	loop := fmt.Sprintf("  for (unsigned n = 0; n < %d; n += 8) {\n    unsigned take = %d - n < 8 ? %d - n : 8;\n", l.Width, l.Width, l.Width)
	fmt.Fprintf(w, "static inline void %s(const %s *b%s, uint8_t x[%d]) {\n%s%s", l.name, w.typ, params, n, checks, loop)
	fmt.Fprintf(w, "    x[n / 8] = (uint8_t)%s_bits(b->bytes, %s + n, take);\n  }\n}\n", w.typ, cPosition(l))
	fmt.Fprintf(w, "static inline void %s_set(%s *b%s, const uint8_t x[%d]) {\n%s%s", l.name, w.typ, params, n, checks, loop)
	fmt.Fprintf(w, "    %s_put_bits(b->bytes, %s + n, take, x[n / 8]);\n  }\n}\n", w.typ, cPosition(l))
}

func cPosition(l *leaf) string {
	return strings.NewReplacer("+", " + ", "*", " * ").Replace(position(l.Offset, l.dims, 1))
}
