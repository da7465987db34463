// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/structview/structview"
	"github.com/structview/structview/tensor"
)

// goType says how elements of a type look in Go: T is the value, and its bits are an
// unsigned number.
type goType struct {
	name    string // of T
	to      string // from the bits to T; "" if T is the bits' type; %s is the bits
	from    string // from x, a T, to the bits
	imports string
	float   string // of codes: from the bits to float32
}

// goType returns how elements of a leaf of at most 64 bits look; complex numbers are two floats.
func (l *leaf) goType() goType {
	word := "uint" + strconv.FormatUint(holder(l.Width), 10)
	switch e := l.Element; {
	case l.IsComponent || e.IsInteger() && !e.IsSigned():
		return goType{name: word, from: "x"}
	case e == tensor.Bool:
		return goType{name: "bool", to: "%s != 0"}
	case e.IsSigned() && l.Width < 8:
		shift := 8 - l.Width
		return goType{name: "int8", to: fmt.Sprintf("int8(%%s<<%d)>>%d", shift, shift), from: "uint8(x)"}
	case e.IsSigned():
		return goType{name: word[1:], to: word[1:] + "(%s)", from: word + "(x)"}
	case e == tensor.Float || e == tensor.Double:
		n := strconv.FormatUint(l.Width, 10)
		return goType{name: "float" + n, to: "math.Float" + n + "frombits(%s)", from: "math.Float" + n + "bits(x)", imports: "math"}
	default:
		return codeType(e, word)
	}
}

// codeType returns how the codes of a float type that Go lacks look.
func codeType(e tensor.Type, word string) goType {
	name, ok := map[tensor.Type]string{
		tensor.Float16: "F16", tensor.BFloat16: "BF16", tensor.Float8E4M3FN: "E4M3FN", tensor.Float8E4M3FNUZ: "E4M3FNUZ",
		tensor.Float8E5M2: "E5M2", tensor.Float8E5M2FNUZ: "E5M2FNUZ", tensor.Float8E8M0: "E8M0",
	}[e]
	g := goType{name: word, from: "x", imports: "tensor"}
	if ok {
		g.name, g.to, g.from = "tensor."+name, "tensor."+name+"(%s)", word+"(x)"
	}
	switch e {
	case tensor.Float16, tensor.BFloat16:
		g.float = "tensor." + name + "ToF32(%s)"
	default:
		constant := map[tensor.Type]string{
			tensor.Float8E4M3FN: "Float8E4M3FN", tensor.Float8E4M3FNUZ: "Float8E4M3FNUZ", tensor.Float8E5M2: "Float8E5M2",
			tensor.Float8E5M2FNUZ: "Float8E5M2FNUZ", tensor.Float8E8M0: "Float8E8M0", tensor.Float4E2M1: "Float4E2M1",
		}[e]
		g.float = "float32(tensor.ToFloat(tensor." + constant + ", uint64(%s)))"
	}
	return g
}

// holder returns the bits of the smallest unsigned type that holds a width.
func holder(width uint64) uint64 {
	for _, w := range []uint64{8, 16, 32} {
		if width <= w {
			return w
		}
	}
	return 64
}

// leaf writes the accessor, the setter and the conversion of a leaf.
func (w *goWriter) leaf(l *leaf) {
	switch {
	case l.Element == tensor.String:
		fmt.Fprintf(w, "// The constant %s has strings: %s of them.\n\n", comment(l.Path), fmt.Sprint(l.elements()))
	case l.Constant != nil && len(l.Constant.Bytes()) > maxConstant:
		fmt.Fprintf(w, "// The constant %s has %d bytes, more than the %d that are written out.\n\n", comment(l.Path), len(l.Constant.Bytes()), maxConstant)
	case l.Element.IsComplex():
		w.complex(l)
	case l.Width > 64:
		w.wide(l)
	default:
		w.number(l)
	}
}

func (w *goWriter) number(l *leaf) {
	g := l.goType()
	w.use(g.imports)
	source := "b"
	if l.Constant != nil {
		source = w.constant(l)
	}
	bits := w.read(l, source, l.Offset, l.Width)
	value := bits
	if g.to != "" {
		value = fmt.Sprintf(g.to, bits)
	}
	p := w.prepare(l)
	w.method(l, l.name, "", g.name, "returns "+w.what(l), p+"return "+value)
	if g.float != "" {
		w.method(l, l.name+"Float32", "", "float32", "returns the value of the code that "+l.name+" returns",
			p+"return "+fmt.Sprintf(g.float, bits))
	}
	if l.Constant != nil {
		return
	}
	body := ""
	from := g.from
	if from == "" { // a bool
		from, body = "bit", "var bit uint8\nif x {\nbit = 1\n}\n"
	}
	w.method(l, "Set"+l.name, "x "+g.name, "", "sets "+w.what(l), body+p+w.write(l, l.Offset, l.Width, from))
}

func (w *goWriter) use(path string) {
	if path != "" {
		w.imports[path] = true
	}
}

func (w *goWriter) what(l *leaf) string {
	text := comment(l.Path)
	switch {
	case l.Constant != nil:
		return "the constant " + text
	case l.IsComponent:
		return text + ", " + plural(l.Width, "bit")
	default:
		return text + ", " + l.Element.Text()
	}
}

// method writes a method with an index for each dimension.
func (w *goWriter) method(l *leaf, name, argument, result, doc, body string) {
	var params, checks []string
	for k, d := range l.dims {
		params = append(params, index(k))
		checks = append(checks, fmt.Sprintf("_ = [%d]struct{}{}[%s]\n", d.Len, index(k)))
	}
	if len(params) > 0 {
		params = []string{strings.Join(params, ", ") + " int"}
	}
	if argument != "" {
		params = append(params, argument)
	}
	receiver := "b *"
	if l.Constant != nil {
		receiver = "*"
	}
	fmt.Fprintf(w, "// %s %s.\n", name, doc)
	fmt.Fprintf(w, "func (%s%s) %s(%s) %s {", receiver, w.typ, name, strings.Join(params, ", "), result)
	if len(checks) == 0 && !strings.Contains(body, "\n") {
		fmt.Fprintf(w, " %s }\n\n", body)
		return
	}
	fmt.Fprintf(w, "\n%s%s\n}\n\n", strings.Join(checks, ""), body)
}

// way is how the bits of the elements of a leaf are got at.
type way uint8

const (
	inByte   way = iota // in one byte, at the same bit of it for all elements
	words               // whole bytes: 2, 4 or 8
	nibbles             // in one byte, at different bits of it
	anywhere            // across bytes
)

func wayOf(dims []structview.Dim, offset, width uint64) way {
	grain := uint64(8) // all elements begin at offset%grain in units of grain
	for _, d := range dims {
		for d.Stride%grain != 0 {
			grain /= 2
		}
	}
	switch {
	case grain == 8 && offset%8+width <= 8:
		return inByte
	case grain == 8 && offset%8 == 0 && (width == 16 || width == 32 || width == 64):
		return words
	case offset%grain+width <= grain:
		return nibbles
	default:
		return anywhere
	}
}

// read returns an expression for bits of an element: an unsigned number of the size
// that holds them. A source other than b is a constant string.
func (w *goWriter) read(l *leaf, source string, offset, width uint64) string {
	size := holder(width)
	at := position(offset, l.dims, 8)
	switch wayOf(l.dims, offset, width) {
	case inByte:
		return masked(fmt.Sprintf("%s[%s]", source, at), offset%8, width)
	case words:
		if source != "b" {
			return stringWord(source, at, size)
		}
		w.use("encoding/binary")
		return fmt.Sprintf("binary.LittleEndian.Uint%d(b[%s:])", size, at)
	case nibbles:
		return fmt.Sprintf("%s[p/8]>>(p%%8)&%#x", source, 1<<width-1)
	default:
		w.helpers = true
		bits := fmt.Sprintf("%sBits(b[:], %s, %d)", w.low, bitPosition(l, offset), width)
		if size < 64 {
			bits = fmt.Sprintf("uint%d(%s)", size, bits)
		}
		return bits
	}
}

// prepare returns the statement that nibbles need: their position.
func (w *goWriter) prepare(l *leaf) string {
	if wayOf(l.dims, l.Offset, l.Width) != nibbles {
		return ""
	}
	return "p := " + bitPosition(l, l.Offset) + "\n"
}

func masked(b string, shift, width uint64) string {
	if shift > 0 {
		b += fmt.Sprintf(">>%d", shift)
	}
	if shift+width < 8 {
		b += fmt.Sprintf("&%#x", 1<<width-1)
	}
	return b
}

func bitPosition(l *leaf, offset uint64) string {
	p := position(offset, l.dims, 1)
	if len(l.dims) == 0 {
		return p
	}
	return "uint(" + p + ")"
}

// stringWord assembles a number from the bytes of a string.
func stringWord(source, at string, size uint64) string {
	terms := []string{fmt.Sprintf("uint%d(%s[%s])", size, source, at)}
	for k := uint64(1); k < size/8; k++ {
		terms = append(terms, fmt.Sprintf("uint%d(%s[%s+%d])<<%d", size, source, at, k, 8*k))
	}
	return strings.Join(terms, "|")
}

// write returns statements that replace the bits of an element by x, an expression of
// the unsigned type that holds them.
func (w *goWriter) write(l *leaf, offset, width uint64, x string) string {
	at := position(offset, l.dims, 8)
	switch wayOf(l.dims, offset, width) {
	case inByte:
		if width == 8 {
			return fmt.Sprintf("b[%s] = %s", at, x)
		}
		return replaced("b["+at+"]", x, fmt.Sprint(offset%8), width)
	case words:
		w.use("encoding/binary")
		return fmt.Sprintf("binary.LittleEndian.PutUint%d(b[%s:], %s)", width, at, x)
	case nibbles:
		return replaced("b[p/8]", x, "(p%8)", width)
	default:
		w.helpers = true
		if holder(width) < 64 {
			x = "uint64(" + x + ")"
		}
		return fmt.Sprintf("%sSetBits(b[:], %s, %d, %s)", w.low, bitPosition(l, offset), width, x)
	}
}

func replaced(b, x, shift string, width uint64) string {
	mask := fmt.Sprintf("%#x", 1<<width-1)
	if shift == "0" {
		return fmt.Sprintf("%s = %s&^%s | %s&%s", b, b, mask, x, mask)
	}
	return fmt.Sprintf("%s = %s&^(%s<<%s) | %s&%s<<%s", b, b, mask, shift, x, mask, shift)
}
