// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"strconv"
	"strings"

	"github.com/structview/structview/onnxpb"
)

// maxDepth limits how deep types and graphs nest, in both directions.
const maxDepth = 200

// Parse reads one text file, which is one model. The name stands in errors, which
// are of type *[Error]. The model shares no memory with text.
func Parse(name string, text []byte) (*onnxpb.ModelProto, error) {
	p := &parser{scanner: scanner{src: string(text)}, name: name, model: &onnxpb.ModelProto{}}
	return p.parse()
}

func (p *parser) parse() (*onnxpb.ModelProto, error) {
	p.next()
	p.file()
	if p.err == nil {
		p.resolve()
	}
	if p.err != nil {
		return nil, p.err
	}
	return p.model, nil
}

// parser is a recursive descent over the grammar of docs/TEXT.md. The first error
// sticks: from then on the current token is the end of the text, so every loop ends.
type parser struct {
	scanner
	name  string
	model *onnxpb.ModelProto
	tok   token // the current one
	err   *Error
	depth int
	notes *notes // nil unless comments are kept

	references []reference
	values     []valueType
	hasGraph   bool
	smallFloat smallFloats
}

func (p *parser) next() {
	if p.err == nil {
		p.tok = p.scan()
	}
}

// fail reports that the current token is not what the grammar allows.
func (p *parser) fail(expected string) { p.failAt(p.tok, expected) }

func (p *parser) failAt(t token, expected string) {
	p.failFound(t.pos, expected, p.describe(t))
}

func (p *parser) failFound(offset int, expected, found string) {
	if p.err != nil {
		return
	}
	line, column := position(p.src, offset)
	p.err = &Error{Name: p.name, Line: line, Column: column, Expected: expected, Found: found}
	p.tok = token{kind: kindEnd, pos: len(p.src), end: len(p.src)}
}

// describe names a token in an error.
func (p *parser) describe(t token) string {
	text := p.text(t)
	switch {
	case t.kind == kindEnd:
		return "the end of the text"
	case t.kind == kindDoc:
		return "documentation (a line that begins with ##)"
	case t.kind == kindBad && text[0] == '"':
		return "a string that does not end"
	case len(text) > 40:
		text = strings.ToValidUTF8(text[:37], "") + "..."
	}
	if t.kind == kindString {
		return "the string " + text
	}
	return "`" + text + "`"
}

func (p *parser) is(mark byte) bool { return p.tok.kind == kindMark && p.tok.mark == mark }

func (p *parser) accept(mark byte) bool {
	if !p.is(mark) {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(mark byte) {
	if !p.accept(mark) {
		p.fail("`" + string(rune(mark)) + "`")
	}
}

func (p *parser) isWord(word string) bool {
	return p.tok.kind == kindName && p.text(p.tok) == word
}

func (p *parser) acceptWord(word string) bool {
	if !p.isWord(word) {
		return false
	}
	p.next()
	return true
}

// list reads elements separated by commas up to and including the closing mark.
func (p *parser) list(closing byte, element func()) {
	for !p.accept(closing) {
		element()
		if p.err != nil {
			return
		}
		if p.accept(',') {
			continue
		}
		if !p.is(closing) {
			p.fail("`,` or `" + string(rune(closing)) + "`")
		}
	}
}

// enter counts a level of nesting; false when there are too many.
func (p *parser) enter() bool {
	if p.depth >= maxDepth {
		p.failFound(p.tok.pos, "at most "+strconv.Itoa(maxDepth)+" levels of nesting", "more")
		return false
	}
	p.depth++
	return true
}

func (p *parser) leave() { p.depth-- }

// isQuotable reports whether a token can be a name.
func isQuotable(t token) bool { return t.kind == kindName || t.kind == kindString }

// quotable reads a name, bare or quoted; what says in an error what it names.
func (p *parser) quotable(what string) string {
	switch p.tok.kind {
	case kindName:
		name := p.text(p.tok)
		p.next()
		return name
	case kindString:
		return p.string(what)
	default:
		p.fail(what)
		return ""
	}
}

// optionalName reads a name if there is one.
func (p *parser) optionalName() string {
	if !isQuotable(p.tok) {
		return ""
	}
	return p.quotable("a name")
}

func (p *parser) string(what string) string {
	if p.tok.kind != kindString {
		p.fail(what)
		return ""
	}
	value, at := unquote(p.text(p.tok))
	if at >= 0 {
		p.badEscape(p.tok, at)
		return ""
	}
	p.next()
	return value
}

func (p *parser) badEscape(t token, at int) {
	end := min(t.pos+at+2, t.end)
	p.failFound(t.pos+at, `an escape: \" \\ \/ \b \f \n \r \t \uXXXX or \xHH`, "`"+p.src[t.pos+at:end]+"`")
}

// int reads an integer that fits in 64 bits with sign.
func (p *parser) int(what string) int64 {
	if p.tok.kind != kindNumber {
		p.fail(what)
		return 0
	}
	v, ok := parseInt(p.text(p.tok))
	if !ok {
		p.fail(what + " in 64 bits with sign")
		return 0
	}
	p.next()
	return v
}

func (p *parser) int32(what string) int32 {
	t := p.tok
	v := p.int(what)
	if int64(int32(v)) != v {
		p.failAt(t, what+" in 32 bits with sign")
	}
	return int32(v)
}
