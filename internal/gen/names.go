// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"strconv"
	"strings"
	"unicode"
)

// names gives out identifiers, each once.
type names map[string]bool

// free returns the first of base, base2, base3, … of which no form is taken, and
// takes them all.
func (n names) free(base string, forms func(name string) []string) string {
	for k := 1; ; k++ {
		name := base
		if k > 1 {
			name += strconv.Itoa(k)
		}
		if n.all(forms(name)) {
			for _, form := range forms(name) {
				n[form] = true
			}
			return name
		}
	}
}

func (n names) all(forms []string) bool {
	for _, form := range forms {
		if n[form] {
			return false
		}
	}
	return true
}

// camel joins the words of names, each with an upper-case first letter; digits on both
// sides of a joint are kept apart by _. The result is an exported Go identifier.
func camel(list ...string) string {
	var b []rune
	for _, name := range list {
		for _, word := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			runes := []rune(word)
			if len(b) > 0 && unicode.IsDigit(b[len(b)-1]) && unicode.IsDigit(runes[0]) {
				b = append(b, '_')
			}
			runes[0] = unicode.ToUpper(runes[0])
			b = append(b, runes...)
		}
	}
	if len(b) == 0 || !unicode.IsUpper(b[0]) {
		b = append([]rune{'X'}, b...)
	}
	return string(b)
}

// snake makes an identifier of C or Python: what is no ASCII letter or digit becomes _.
func snake(list ...string) string {
	var b strings.Builder
	for i, name := range list {
		if i > 0 {
			b.WriteByte('_')
		}
		for _, r := range name {
			if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
				b.WriteRune(r)
			} else {
				b.WriteByte('_')
			}
		}
	}
	s := b.String()
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "x" + s
	}
	return s
}

// comment makes a text safe for a comment of one line in any language.
func comment(s string) string {
	const most = 120
	s = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != unicode.ReplacementChar {
			return r
		}
		return '?'
	}, s)
	s = strings.ReplaceAll(strings.ReplaceAll(s, "*/", "* /"), "/*", "/ *") // one after the other: "*/*" has both
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return s
}

func trimRight(s string) string { return strings.TrimRight(s, " ") }

// asciiName reports whether a name given by the caller is an identifier in C and Python.
func asciiName(s string) bool { return s != "" && snake(s) == s }
