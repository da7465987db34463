// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/structview/structview"
)

// Type names a type in one line, in the words of the text form: "float16[2]",
// "bits(lo: 4, hi: 4)[16]", "array(ggml.q4_0, 8)". A declaration with a name is
// named by it, but for the outermost one.
func Type(t *structview.Type) string {
	if t.Kind() == structview.KindStructure && t.Name() != "" {
		return Name(t.Name())
	}
	return form(t)
}

func form(t *structview.Type) string {
	switch t.Kind() {
	case structview.KindTensor:
		if len(t.Shape()) == 0 {
			return t.Element().Text()
		}
		return t.Element().Text() + dims(t.Shape())
	case structview.KindArray:
		return fmt.Sprintf("array(%s, %d)", below(t.Elem()), t.Len())
	case structview.KindBitPacking:
		parts := make([]string, len(t.Components()))
		for i, c := range t.Components() {
			parts[i] = fmt.Sprintf("%s: %d", fieldName(c.Name), c.Width)
		}
		return fmt.Sprintf("bits(%s)[%d]", strings.Join(parts, ", "), t.Len())
	default:
		return "struct"
	}
}

func below(t *structview.Type) string {
	if t.Name() != "" {
		return Name(t.Name())
	}
	return form(t)
}

func dims(shape []uint64) string {
	parts := make([]string, len(shape))
	for i, d := range shape {
		parts[i] = strconv.FormatUint(d, 10)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// fieldName writes a name as a path spells it (SV041), unprintable characters
// escaped.
func fieldName(s string) string {
	return Printable(structview.Path{structview.Name(s)}.String())
}

// Name writes the name of a value or a declaration, quoted if it is not plain to
// see: empty, or with quotes, blanks at its ends or unprintable characters.
func Name(s string) string {
	quoted := strconv.Quote(s)
	if s == "" || quoted != `"`+s+`"` || strings.TrimSpace(s) != s {
		return quoted
	}
	return s
}

// Printable escapes what a terminal would act on or not show, but for the ends of
// lines and tabs.
func Printable(s string) string {
	plain := func(r rune) bool { return r == '\n' || r == '\t' || r != utf8.RuneError && strconv.IsPrint(r) }
	if strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if plain(r) {
			b.WriteString(s[:n])
		} else {
			quoted := strconv.Quote(s[:n])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		s = s[n:]
	}
	return b.String()
}

// Position writes a bit offset as bytes and, where it is not at a byte's first
// bit, the bit: "16", "2.4".
func Position(bits uint64) string {
	if bits%8 == 0 {
		return strconv.FormatUint(bits/8, 10)
	}
	return fmt.Sprintf("%d.%d", bits/8, bits%8)
}

// Size writes a number of bits: "18 bytes", "12 bits".
func Size(bits uint64) string {
	switch {
	case bits == 8:
		return "1 byte"
	case bits%8 == 0:
		return fmt.Sprintf("%d bytes", bits/8)
	case bits == 1:
		return "1 bit"
	default:
		return fmt.Sprintf("%d bits", bits)
	}
}
