// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"bytes"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
)

// Format returns a text in canonical form as [Print] writes it, with its comments. A comment
// stands on lines of its own before the declaration, field, node, value, attribute or
// function that it stood before or in; one at the end of a line moves before what the
// line began.
func Format(name string, text []byte) ([]byte, error) {
	p := &parser{scanner: scanner{src: string(text)}, name: name, model: &onnxpb.ModelProto{}}
	p.notes = &notes{of: make(map[proto.Message][]comment)}
	p.comment = p.noteComment
	m, err := p.parse()
	if err != nil {
		return nil, err
	}
	last := p.notes.take(p.src, len(p.src))
	var b bytes.Buffer
	if err := fprint(&b, m, Options{}, p.notes.of); err != nil {
		return nil, err
	}
	for _, c := range last {
		b.WriteString("\n" + c.text + "\n")
	}
	return b.Bytes(), nil
}

// comment is one line.
type comment struct {
	pos   int
	text  string
	blank bool // an empty line follows
}

// notes gathers comments while a text is parsed.
type notes struct {
	of      map[proto.Message][]comment
	pending []comment
	seen    int           // every comment before this offset is gathered
	last    proto.Message // what began last
}

// noteComment is called for every comment that the scanner skips, more than once when it
// looks ahead.
func (p *parser) noteComment(pos, end int) {
	n := p.notes
	if pos < n.seen {
		return
	}
	n.seen = end
	after := scanner{src: p.src, off: min(end+1, len(p.src))}
	line := p.src[after.off:after.lineEnd(after.off)]
	text := strings.TrimRight(p.src[pos:end], " \t\r")
	if text == "##" {
		text = "#" // without its blanks it would be documentation
	}
	n.pending = append(n.pending, comment{
		pos: pos, text: text,
		blank: end < len(p.src) && strings.TrimSpace(line) == "",
	})
}

// take returns the gathered comments that stand before an offset. Those at the end of a line
// go to what began last.
func (n *notes) take(src string, before int) []comment {
	var own []comment
	for len(n.pending) > 0 && n.pending[0].pos < before {
		c := n.pending[0]
		n.pending = n.pending[1:]
		line := src[strings.LastIndexByte(src[:c.pos], '\n')+1 : c.pos]
		if n.last != nil && strings.TrimSpace(line) != "" {
			c.blank = false
			n.of[n.last] = append(n.of[n.last], c)
		} else {
			own = append(own, c)
		}
	}
	return own
}

// leading is what stands before something: documentation, and comments if they are kept.
type leading struct {
	doc      string
	comments []comment
}

// leading reads documentation.
func (p *parser) leading() (lead leading) {
	if p.notes != nil {
		lead.comments = p.notes.take(p.src, p.tok.pos)
	}
	if p.tok.kind != kindDoc {
		return lead
	}
	doc, at := docText(p.text(p.tok))
	if at >= 0 {
		p.badEscape(p.tok, at)
		return lead
	}
	lead.doc = doc
	p.next()
	if p.notes != nil {
		lead.comments = append(lead.comments, p.notes.take(p.src, p.tok.pos)...)
	}
	return lead
}

// attach gives comments to what they stand before, and returns the documentation.
func (p *parser) attach(to proto.Message, lead leading) string {
	if p.notes != nil {
		p.notes.of[to] = append(p.notes.of[to], lead.comments...)
		p.notes.last = to
	}
	return lead.doc
}

// lead writes what stands before something: comments and documentation.
func (p *printer) lead(m proto.Message, doc string) {
	comments := p.comments[m]
	p.broke = p.broke || p.flat && len(comments) > 0
	for _, c := range comments {
		p.str(c.text)
		p.newline()
		if c.blank {
			p.emptyLine()
		}
	}
	p.doc(doc)
}

// emptyLine leaves the line just begun empty.
func (p *printer) emptyLine() {
	if p.stopped() {
		return
	}
	p.out = append(bytes.TrimRight(p.out, " "), '\n')
	p.line = len(p.out)
	for range p.level {
		p.out = append(p.out, "  "...)
	}
}
