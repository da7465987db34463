// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unquote returns what a string token stands for; at is the offset in the
// token of an escape that does not exist, -1 if there is none.
func unquote(lit string) (value string, at int) {
	body := lit[1 : len(lit)-1]
	if strings.IndexByte(body, '\\') < 0 {
		return body, -1
	}
	var b strings.Builder
	for i := 0; i < len(body); {
		if body[i] != '\\' {
			b.WriteByte(body[i])
			i++
			continue
		}
		n := unescape(&b, body[i:])
		if n == 0 {
			return "", i + 1
		}
		i += n
	}
	return b.String(), -1
}

// unescape writes what an escape stands for and returns its length, 0 when it is none.
func unescape(b *strings.Builder, s string) int {
	const from, to = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if i := strings.IndexByte(from, s[1]); i >= 0 {
		b.WriteByte(to[i])
		return 2
	}
	switch s[1] {
	case 'x':
		v, ok := hexDigits(s[2:], 2)
		if !ok {
			return 0
		}
		b.WriteByte(byte(v))
		return 4
	case 'u':
		return unescapeRune(b, s)
	default:
		return 0
	}
}

// unescapeRune reads \uXXXX, two of them where they are surrogates.
func unescapeRune(b *strings.Builder, s string) int {
	v, ok := hexDigits(s[2:], 4)
	if !ok {
		return 0
	}
	if !utf16.IsSurrogate(rune(v)) {
		b.WriteRune(rune(v))
		return 6
	}
	if !strings.HasPrefix(s[6:], `\u`) {
		return 0
	}
	low, ok := hexDigits(s[8:], 4)
	r := utf16.DecodeRune(rune(v), rune(low))
	if !ok || r == utf8.RuneError {
		return 0
	}
	b.WriteRune(r)
	return 12
}

func hexDigits(s string, n int) (v uint32, ok bool) {
	if len(s) < n {
		return 0, false
	}
	for i := range n {
		if !isHex(s[i]) {
			return 0, false
		}
		v = v<<4 | uint32(hexValue(s[i]))
	}
	return v, true
}

func hexValue(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

const lowerHex = "0123456789abcdef"

// appendQuoted writes a string in quotes. Valid UTF-8 stays readable; every other
// byte is \xHH.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch c := s[i]; {
		case r == utf8.RuneError && n == 1:
			dst = append(dst, '\\', 'x', lowerHex[c>>4], lowerHex[c&15])
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < 0x20 || c == 0x7F:
			dst = appendControl(dst, c)
		default:
			dst = append(dst, s[i:i+n]...)
		}
		i += n
	}
	return append(dst, '"')
}

func appendControl(dst []byte, c byte) []byte {
	if i := strings.IndexByte("\b\f\n\r\t", c); i >= 0 {
		return append(dst, '\\', "bfnrt"[i])
	}
	return append(dst, '\\', 'u', '0', '0', lowerHex[c>>4], lowerHex[c&15])
}

// isName reports whether a string can stand bare as a name.
func isName(s string) bool {
	if s == "" || classes[s[0]]&classStart == 0 {
		return false
	}
	sc := scanner{src: s}
	return sc.nameEnd(0) == len(s)
}

// docText returns the doc_string of a documentation token; at as in unquote.
func docText(lit string) (doc string, at int) {
	if strings.HasPrefix(lit, `##"`) {
		doc, at = unquote(lit[2:])
		if at >= 0 {
			at += 2
		}
		return doc, at
	}
	lines := strings.Split(lit, "\n")
	for i, line := range lines {
		line = strings.TrimLeft(line, " \t")
		line = strings.TrimPrefix(strings.TrimPrefix(line, "##"), " ")
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	return strings.Join(lines, "\n"), -1
}

// fitsLines reports whether ## lines hold a doc_string exactly.
func fitsLines(doc string) bool {
	if !utf8.ValidString(doc) {
		return false
	}
	for line := range strings.SplitSeq(doc, "\n") {
		if strings.TrimRight(line, " \t\r") != line {
			return false
		}
		for i := range len(line) {
			if c := line[i]; c < 0x20 && c != '\t' || c == 0x7F {
				return false
			}
		}
	}
	return true
}
