// SPDX-License-Identifier: Apache-2.0

package syntax

import "strings"

// kind is the sort of a token.
type kind uint8

const (
	kindEnd    kind = iota // the end of the text, also after an error
	kindName               // id or ids joined by dots
	kindString             // with its quotes, still escaped
	kindNumber
	kindDoc   // adjacent lines that begin with ##
	kindArrow // =>
	kindMark  // one character of punctuation
	kindBad   // no token of the grammar
)

// token is a piece of the text: src[pos:end].
type token struct {
	kind     kind
	mark     byte // of kindMark
	pos, end int
}

// Character classes.
const (
	classStart uint8 = 1 << iota // begins an id
	classPart                    // continues an id
	classDigit
	classMark
	classBlank
)

var classes = makeClasses()

func makeClasses() (c [256]uint8) {
	for b := 'a'; b <= 'z'; b++ {
		c[b] |= classStart | classPart
		c[b-'a'+'A'] |= classStart | classPart
	}
	for b := '0'; b <= '9'; b++ {
		c[b] |= classPart | classDigit
	}
	c['_'] |= classStart | classPart
	for _, b := range []byte("<>()[]{},:=@~.?") {
		c[b] |= classMark
	}
	for _, b := range []byte(" \t\r\n") {
		c[b] |= classBlank
	}
	return c
}

// scanner cuts a text into tokens, one at a time.
type scanner struct {
	src     string
	off     int
	comment func(pos, end int) // told of comments, if set
}

func (s *scanner) text(t token) string { return s.src[t.pos:t.end] }

// at returns the byte at an offset, 0 beyond the end.
func (s *scanner) at(i int) byte {
	if i < len(s.src) {
		return s.src[i]
	}
	return 0
}

// scan returns the next token.
func (s *scanner) scan() token {
	s.skip()
	pos := s.off
	if pos >= len(s.src) {
		return token{kind: kindEnd, pos: pos, end: pos}
	}
	c := s.src[pos]
	class := classes[c]
	switch {
	case class&classStart != 0:
		s.off = s.nameEnd(pos)
		return token{kind: kindName, pos: pos, end: s.off}
	case class&classDigit != 0 || c == '-':
		return s.number(pos)
	case c == '=' && s.at(pos+1) == '>':
		s.off += 2
		return token{kind: kindArrow, pos: pos, end: s.off}
	case class&classMark != 0:
		s.off++
		return token{kind: kindMark, mark: c, pos: pos, end: s.off}
	case c == '"':
		return s.quoted(pos)
	case c == '#': // skip stops at documentation only
		return s.documentation(pos)
	default:
		return s.bad(pos)
	}
}

// peek returns the token after the last one scanned, without taking it.
func (s *scanner) peek() token {
	off := s.off
	t := s.scan()
	s.off = off
	return t
}

// skip passes blanks and comments that are no documentation.
func (s *scanner) skip() {
	for s.off < len(s.src) {
		c := s.src[s.off]
		switch {
		case classes[c]&classBlank != 0:
			s.off++
		case c == '#' && !s.isDoc(s.off):
			end := s.lineEnd(s.off)
			if s.comment != nil {
				s.comment(s.off, end)
			}
			s.off = end
		default:
			return
		}
	}
}

func (s *scanner) lineEnd(i int) int {
	if n := strings.IndexByte(s.src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s.src)
}

// isDoc reports whether a # begins documentation: "## text", "##" alone or ##"quoted".
func (s *scanner) isDoc(i int) bool {
	if s.at(i+1) != '#' {
		return false
	}
	switch s.at(i + 2) {
	case ' ', '"', '\n':
		return true
	case '\r':
		return s.at(i+3) == '\n'
	default:
		return i+2 >= len(s.src)
	}
}

// documentation takes adjacent ## lines, or one quoted form.
func (s *scanner) documentation(pos int) token {
	if s.at(pos+2) == '"' {
		t := s.quoted(pos + 2)
		if t.kind == kindString {
			t.kind = kindDoc
		}
		t.pos = pos
		return t
	}
	end := pos
	for {
		end = s.lineEnd(end)
		next := end + 1
		for next < len(s.src) && (s.src[next] == ' ' || s.src[next] == '\t') {
			next++
		}
		if s.at(next) != '#' || !s.isDoc(next) || s.at(next+2) == '"' {
			s.off = end
			return token{kind: kindDoc, pos: pos, end: end}
		}
		end = next
	}
}

// nameEnd returns where the name that begins at i ends. A dot belongs to it only
// when another part follows.
func (s *scanner) nameEnd(i int) int {
	for {
		for i < len(s.src) && classes[s.src[i]]&classPart != 0 {
			i++
		}
		if s.at(i) != '.' || classes[s.at(i+1)]&classPart == 0 {
			return i
		}
		i++
	}
}

func (s *scanner) quoted(pos int) token {
	for i := pos + 1; i < len(s.src); i++ {
		switch s.src[i] {
		case '\\':
			i++
		case '"':
			s.off = i + 1
			return token{kind: kindString, pos: pos, end: s.off}
		}
	}
	s.off = len(s.src)
	return token{kind: kindBad, pos: pos, end: s.off}
}

// bad takes the rest of a word that is no token.
func (s *scanner) bad(pos int) token {
	i := pos + 1
	for i < len(s.src) && (s.src[i] >= 0x80 || classes[s.src[i]]&classPart != 0) {
		i++
	}
	s.off = i
	return token{kind: kindBad, pos: pos, end: i}
}

// number takes a number: decimal, hexadecimal, with fraction and exponent, or -inf
// and -nan.
func (s *scanner) number(pos int) token {
	i := pos
	if s.src[i] == '-' {
		i++
	}
	switch {
	case classes[s.at(i)]&classStart != 0:
		i = s.specialEnd(i)
	case classes[s.at(i)]&classDigit == 0:
		return s.bad(pos)
	case s.src[i] == '0' && s.at(i+1)|0x20 == 'x':
		i = s.mantissaEnd(i+2, isHex, 'p')
	default:
		i = s.mantissaEnd(i, isDecimal, 'e')
	}
	if i < 0 || classes[s.at(i)]&classPart != 0 {
		return s.bad(pos)
	}
	s.off = i
	return token{kind: kindNumber, pos: pos, end: i}
}

func isDecimal(c byte) bool { return classes[c]&classDigit != 0 }

func isHex(c byte) bool { return isDecimal(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// specialEnd returns the end of inf, infinity or nan, -1 for another word.
func (s *scanner) specialEnd(i int) int {
	end := s.nameEnd(i)
	if !isSpecial(s.src[i:end]) {
		return -1
	}
	return end
}

func isSpecial(word string) bool {
	return strings.EqualFold(word, "nan") || strings.EqualFold(word, "inf") || strings.EqualFold(word, "infinity")
}

// mantissaEnd passes digits, at most one point and an exponent; -1 when there is no digit.
func (s *scanner) mantissaEnd(i int, digit func(byte) bool, exponent byte) int {
	from, point := i, false
	for {
		c := s.at(i)
		if c == '.' && !point {
			point = true
		} else if !digit(c) {
			break
		}
		i++
	}
	if i == from {
		return -1
	}
	if s.at(i)|0x20 != exponent {
		return i
	}
	i++
	if c := s.at(i); c == '+' || c == '-' {
		i++
	}
	from = i
	for isDecimal(s.at(i)) {
		i++
	}
	if i == from {
		return -1
	}
	return i
}
