// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"strings"
)

// complex writes the accessors of complex numbers, which are two floats.
func (w *goWriter) complex(l *leaf) {
	w.use("math")
	half := l.Width / 2
	source := "b"
	if l.Constant != nil {
		source = w.constant(l)
	}
	float := fmt.Sprintf("math.Float%dfrombits(%%s)", half)
	result := fmt.Sprintf("complex%d", l.Width)
	w.method(l, l.name, "", result, "returns "+w.what(l), fmt.Sprintf("return complex(%s, %s)",
		fmt.Sprintf(float, w.read(l, source, l.Offset, half)), fmt.Sprintf(float, w.read(l, source, l.Offset+half, half))))
	if l.Constant != nil {
		return
	}
	bits := fmt.Sprintf("math.Float%dbits(%%s(x))", half)
	w.method(l, "Set"+l.name, "x "+result, "", "sets "+w.what(l), w.write(l, l.Offset, half, fmt.Sprintf(bits, "real"))+"\n"+
		w.write(l, l.Offset+half, half, fmt.Sprintf(bits, "imag")))
}

// wide writes the accessors of a component of more than 64 bits, which are bytes with the
// least significant first.
func (w *goWriter) wide(l *leaf) {
	w.helpers = true
	n := (l.Width + 7) / 8
	result := fmt.Sprintf("[%d]byte", n)
	p := bitPosition(l, l.Offset)
	w.method(l, l.name, "", fmt.Sprintf("(x %s)", result), "returns "+w.what(l)+", the least significant first",
		fmt.Sprintf("for n := uint(0); n < %d; n += 8 {\nx[n/8] = byte(%sBits(b[:], %s+n, min(8, %d-n)))\n}\nreturn x", l.Width, w.low, p, l.Width))
	w.method(l, "Set"+l.name, "x "+result, "", "sets "+w.what(l)+", the least significant first",
		fmt.Sprintf("for n := uint(0); n < %d; n += 8 {\n%sSetBits(b[:], %s+n, min(8, %d-n), uint64(x[n/8]))\n}", l.Width, w.low, p, l.Width))
}

// constant writes the bytes of a constant and returns their name.
func (w *goWriter) constant(l *leaf) string {
	name := w.low + l.name
	fmt.Fprintf(w, "// %s is the elements of %s, %s%s, little-endian.\nconst %s = ", name, comment(l.Path), l.kind(), l.shape(), name)
	data, lines := l.Constant.Bytes(), []string{}
	const row = 24
	for len(data) > 0 {
		n := min(row, len(data))
		var b strings.Builder
		for _, c := range data[:n] {
			fmt.Fprintf(&b, `\x%02x`, c)
		}
		lines, data = append(lines, `"`+b.String()+`"`), data[n:]
	}
	fmt.Fprintf(w, "%s\n\n", strings.Join(lines, " +\n"))
	return name
}
