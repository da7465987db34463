// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/structview/structview"
)

// Type names a type in one line, in the words of the text form: "float16[2]",
// "bits(lo: 4, hi: 4)[16]", "array(ggml.q4_0, 8)". A declaration with a name is
// named by it, but for the outermost one.
func Type(t *structview.Type) string {
	if t.Kind() == structview.KindStructure && t.Name() != "" {
		return t.Name()
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
			parts[i] = fmt.Sprintf("%s: %d", name(c.Name), c.Width)
		}
		return fmt.Sprintf("bits(%s)[%d]", strings.Join(parts, ", "), t.Len())
	default:
		return "struct"
	}
}

func below(t *structview.Type) string {
	if t.Name() != "" {
		return t.Name()
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

// name quotes what is not letters, digits and '_' (SV041).
func name(s string) string {
	for _, r := range s {
		if r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return strconv.Quote(s)
		}
	}
	return s
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
