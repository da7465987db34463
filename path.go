// SPDX-License-Identifier: Apache-2.0

package structview

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Path leads from a value into it: names of fields and components, and indices into
// arrays, bit packings and tensor leaves, in the order in which the type nests them.
// Indices may be left out: what is then named is every element.
type Path []Step

// Step is one step of a [Path]: a name; or else, with an empty Name, an index From or
// the half-open range From to To.
type Step struct {
	Name    string
	From    uint64
	To      uint64 // of a range; [ToEnd]: as far as there are elements
	IsRange bool
}

// ToEnd is the open end of a range.
const ToEnd = math.MaxUint64

// Name returns the step that selects a field, constant or component.
func Name(name string) Step { return Step{Name: name} }

// Index returns the step that selects one element.
func Index(i uint64) Step { return Step{From: i} }

// ParsePath reads a path: `[17].qs[3].lo`, `w[2:5][0]`, `"a b".c`. A name that is not
// letters, digits and _ is a JSON string. A leading dot is allowed, since paths often
// continue a name; the empty path is the value itself.
func ParsePath(s string) (Path, error) {
	p := pathParser{text: s}
	var path Path
	for p.pos < len(s) {
		step, err := p.step()
		if err != nil {
			return nil, err
		}
		path = append(path, step)
	}
	return path, nil
}

type pathParser struct {
	text string
	pos  int
}

func (p *pathParser) errorf(format string, args ...any) error {
	return &Diagnostic{
		Rule: string(ErrPath), Path: p.text,
		Message: fmt.Sprintf("at byte %d: ", p.pos) + fmt.Sprintf(format, args...),
	}
}

func (p *pathParser) step() (Step, error) {
	switch {
	case p.text[p.pos] == '[':
		p.pos++
		return p.brackets()
	case p.text[p.pos] == '.':
		p.pos++
	case p.pos > 0:
		return Step{}, p.errorf("expected . or [, found %s", p.found())
	}
	name, err := p.name()
	return Step{Name: name}, err
}

func (p *pathParser) found() string {
	if p.pos >= len(p.text) {
		return "the end"
	}
	_, n := utf8.DecodeRuneInString(p.text[p.pos:])
	return strconv.Quote(p.text[p.pos : p.pos+n])
}

func (p *pathParser) name() (string, error) {
	if p.pos < len(p.text) && p.text[p.pos] == '"' {
		return p.quoted()
	}
	begin := p.pos
	for p.pos < len(p.text) && plain(p.text[p.pos]) {
		p.pos++
	}
	if p.pos == begin {
		return "", p.errorf("expected a name, found %s", p.found())
	}
	return p.text[begin:p.pos], nil
}

// plain reports whether a byte may stand in a name that is not quoted.
func plain(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (p *pathParser) brackets() (Step, error) {
	var step Step
	var err error
	if !p.next(':') {
		if step.From, err = p.number(); err != nil {
			return step, err
		}
		if p.next(']') {
			return step, nil
		}
		if !p.next(':') {
			return step, p.errorf("expected ] or :, found %s", p.found())
		}
	}
	step.IsRange, step.To = true, ToEnd
	if p.next(']') {
		return step, nil
	}
	if step.To, err = p.number(); err != nil {
		return step, err
	}
	if !p.next(']') {
		return step, p.errorf("expected ], found %s", p.found())
	}
	return step, nil
}

func (p *pathParser) next(c byte) bool {
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *pathParser) number() (uint64, error) {
	begin := p.pos
	for p.pos < len(p.text) && p.text[p.pos] >= '0' && p.text[p.pos] <= '9' {
		p.pos++
	}
	digits := p.text[begin:p.pos]
	if digits == "" {
		return 0, p.errorf("expected an index, found %s", p.found())
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		p.pos = begin
		return 0, p.errorf("index %s is 2^64 or more", digits)
	}
	return n, nil
}

// quoted reads a JSON string. Bytes that are not UTF-8 stand for themselves, so that
// every name has a spelling.
func (p *pathParser) quoted() (string, error) {
	begin := p.pos
	p.pos++
	var b []byte
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		switch {
		case c == '"':
			p.pos++
			if len(b) == 0 {
				p.pos = begin
				return "", p.errorf("a name is not empty")
			}
			return string(b), nil
		case c == '\\':
			var err error
			if b, err = p.escape(b); err != nil {
				return "", err
			}
			continue
		case c < ' ':
			return "", p.errorf("expected an escape, found %s", p.found())
		}
		b = append(b, c)
		p.pos++
	}
	p.pos = begin
	return "", p.errorf("the string does not end")
}

const (
	escapes  = `"\/bfnrt`
	escaped  = "\"\\/\b\f\n\r\t"
	hexWidth = 6 // of \uXXXX
)

func (p *pathParser) escape(b []byte) ([]byte, error) {
	if r, ok := p.hex(p.pos); ok {
		p.pos += hexWidth
		if low, ok := p.hex(p.pos); ok && utf16.IsSurrogate(r) {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				p.pos += hexWidth
				r = both
			}
		}
		return utf8.AppendRune(b, r), nil
	}
	if p.pos+1 < len(p.text) {
		if i := strings.IndexByte(escapes, p.text[p.pos+1]); i >= 0 {
			p.pos += 2
			return append(b, escaped[i]), nil
		}
	}
	return nil, p.errorf(`expected one of \" \\ \/ \b \f \n \r \t \uXXXX`)
}

// hex reads \uXXXX at a position.
func (p *pathParser) hex(pos int) (rune, bool) {
	if pos+hexWidth > len(p.text) || p.text[pos:pos+2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(p.text[pos+2:pos+hexWidth], 16, 16)
	return rune(n), err == nil
}

// String writes the path in canonical spelling, which ParsePath reads back.
func (p Path) String() string {
	var b []byte
	for _, s := range p {
		b = s.append(b)
	}
	return string(b)
}

func (s Step) append(b []byte) []byte {
	if s.Name != "" {
		return appendName(b, s.Name)
	}
	b = append(b, '[')
	if !s.IsRange {
		b = strconv.AppendUint(b, s.From, 10)
		return append(b, ']')
	}
	if s.From != 0 {
		b = strconv.AppendUint(b, s.From, 10)
	}
	b = append(b, ':')
	if s.To != ToEnd {
		b = strconv.AppendUint(b, s.To, 10)
	}
	return append(b, ']')
}

// appendName joins a name to a path (SV041).
func appendName(b []byte, name string) []byte {
	if len(b) > 0 {
		b = append(b, '.')
	}
	for i := range len(name) {
		if !plain(name[i]) {
			return appendQuoted(b, name)
		}
	}
	return append(b, name...)
}

// appendQuoted writes a JSON string: only what JSON must escape is escaped.
func appendQuoted(b []byte, name string) []byte {
	b = append(b, '"')
	for i := range len(name) {
		c := name[i]
		switch k := strings.IndexByte(escaped, c); {
		case c == '/' || k < 0 && c >= ' ':
			b = append(b, c)
		case k >= 0:
			b = append(b, '\\', escapes[k])
		default:
			b = fmt.Appendf(b, `\u%04x`, c)
		}
	}
	return append(b, '"')
}
