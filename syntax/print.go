// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
)

// Width in columns that lines keep to where they can be broken.
const lineWidth = 100

// Print returns the canonical text of a model. [Parse] of it gives an equal model, but for
// tensor data, which comes back in raw_data (string_data). It is an error if the model has
// what the text form cannot say: malformed attributes, tensors with data in several
// fields, unknown fields where the grammar has no properties.
func Print(m *onnxpb.ModelProto) ([]byte, error) {
	var b bytes.Buffer
	if err := Fprint(&b, m, Options{}); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Options adjust [Fprint]. The zero value prints what [Print] does.
type Options struct {
	// Payload returns the raw_data of a *TensorProto or *StructProto that the model's reader
	// left in its file; false where the message itself has everything. It may be nil.
	Payload func(m proto.Message) ([]byte, bool, error)
	// Abridge, if positive, is how many values or bytes of each tensor and payload are
	// written; ... stands for the rest. Such a text is for reading only: Parse refuses it.
	Abridge int
}

// Fprint writes the canonical text of a model piece by piece, so that memory does not grow with
// the payloads.
func Fprint(w io.Writer, m *onnxpb.ModelProto, opts Options) error {
	return fprint(w, m, opts, nil)
}

func fprint(w io.Writer, m *onnxpb.ModelProto, opts Options, comments map[proto.Message][]comment) error {
	if err := sayable(m.ProtoReflect(), 0); err != nil {
		return fmt.Errorf("the text form cannot say this: %w", err)
	}
	p := &printer{w: w, opts: opts, comments: comments, types: typeNames(m.GetStructTypes())}
	p.model(m)
	p.str("\n")
	p.flush()
	return p.err
}

// printer writes the canonical text. In an attempt to stay on one line (flat) it stops
// at the first thing that does not fit, and the caller breaks the line instead.
type printer struct {
	w    io.Writer
	opts Options

	comments map[proto.Message][]comment
	out      []byte
	line     int // where the current line begins in out
	level    int // of indentation
	depth    int // of types and graphs
	flat     bool
	broke    bool // the attempt failed
	types    []string
	err      error
}

// typeNames returns the name by which each declaration can be referred to, "" for none.
func typeNames(decls []*onnxpb.StructTypeProto) []string {
	uses := make(map[string]int, len(decls))
	for _, d := range decls {
		uses[d.GetName()]++
	}
	names := make([]string, len(decls))
	for i, d := range decls {
		if uses[d.GetName()] == 1 {
			names[i] = d.GetName()
		}
	}
	return names
}

func (p *printer) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

// stopped reports whether writing more has no use.
func (p *printer) stopped() bool { return p.broke || p.err != nil }

func (p *printer) str(s string) {
	if p.stopped() {
		return
	}
	p.out = append(p.out, s...)
	p.broke = p.flat && len(p.out)-p.line > lineWidth
}

func (p *printer) quoted(s string) {
	p.broke = p.broke || p.flat && len(s) > lineWidth
	if !p.stopped() {
		p.str(string(appendQuoted(nil, s)))
	}
}

func (p *printer) quotable(s string) {
	if isName(s) {
		p.str(s)
		return
	}
	p.quoted(s)
}

// wordless writes a name where a word of the type grammar would be read as such.
func (p *printer) wordless(s string) {
	if isName(s) && !isTypeWord(s) {
		p.str(s)
		return
	}
	p.quoted(s)
}

func (p *printer) int(v int64) { p.str(strconv.FormatInt(v, 10)) }

func (p *printer) uint(v uint64) { p.str(strconv.FormatUint(v, 10)) }

// newline ends the line and indents the next one.
func (p *printer) newline() {
	if p.flat {
		p.broke = true
	}
	if p.stopped() {
		return
	}
	p.out = append(p.out, '\n')
	if len(p.out) >= flushAt {
		p.flush()
	}
	p.line = len(p.out)
	for range p.level {
		p.out = append(p.out, "  "...)
	}
}

// flushAt is how much text is gathered before it is written. Only whole lines are.
const flushAt = 1 << 16

func (p *printer) flush() {
	if p.err == nil {
		_, p.err = p.w.Write(p.out)
	}
	p.out = p.out[:0]
}

// blank puts an empty line between items.
func (p *printer) blank() {
	p.out = append(p.out, '\n')
	p.newline()
}

// inner writes lines one level deeper, each begun by newline, and the closing text.
func (p *printer) inner(closing string, n int, item func(i int)) {
	p.level++
	for i := 0; i < n && !p.stopped(); i++ {
		p.newline()
		item(i)
	}
	p.level--
	p.newline()
	p.str(closing)
}

// group writes elements separated by commas, on one line if that fits and nothing in
// them needs lines, otherwise each on a line of its own.
func (p *printer) group(opening, closing string, n int, item func(i int)) {
	if p.flat || p.oneLine(func() { p.sequence(opening, closing, n, item) }) {
		if p.flat {
			p.sequence(opening, closing, n, item)
		}
		return
	}
	p.lines(opening, closing, n, item)
}

func (p *printer) sequence(opening, closing string, n int, item func(i int)) {
	p.str(opening)
	for i := 0; i < n && !p.stopped(); i++ {
		if i > 0 {
			p.str(", ")
		}
		item(i)
	}
	p.str(closing)
}

// lines is group with every element on a line.
func (p *printer) lines(opening, closing string, n int, item func(i int)) {
	p.str(opening)
	p.inner(closing, n, func(i int) {
		item(i)
		if i < n-1 {
			p.str(",")
		}
	})
}

// oneLine tries to write something without breaking the line; false if it does not fit,
// with nothing written.
func (p *printer) oneLine(write func()) bool {
	mark := len(p.out)
	p.flat = true
	write()
	p.flat = false
	if p.broke {
		p.out, p.broke = p.out[:mark], false
		return false
	}
	return true
}

// fill writes names separated by commas, breaking lines only where they are full.
func (p *printer) fill(opening, closing string, names []string) {
	if p.flat || p.oneLine(func() { p.names(opening, closing, names) }) {
		if p.flat {
			p.names(opening, closing, names)
		}
		return
	}
	p.str(opening)
	p.level++
	p.newline()
	for i, name := range names {
		text := string(appendQuotable(nil, name))
		if i < len(names)-1 {
			text += ","
		}
		if used := len(p.out) - p.line; used > 2*p.level {
			if used+1+len(text) > lineWidth {
				p.newline()
			} else {
				text = " " + text
			}
		}
		p.str(text)
	}
	p.level--
	p.newline()
	p.str(closing)
}

func (p *printer) names(opening, closing string, names []string) {
	p.sequence(opening, closing, len(names), func(i int) { p.quotable(names[i]) })
}

func appendQuotable(dst []byte, s string) []byte {
	if isName(s) {
		return append(dst, s...)
	}
	return appendQuoted(dst, s)
}

// doc writes documentation on lines of its own.
func (p *printer) doc(doc string) {
	p.broke = p.broke || p.flat && doc != ""
	switch {
	case doc == "" || p.stopped():
		return
	case !fitsLines(doc):
		p.str(`##` + string(appendQuoted(nil, doc)))
		p.newline()
		return
	}
	for line := range strings.SplitSeq(doc, "\n") {
		p.str("##")
		if line != "" {
			p.str(" " + line)
		}
		p.newline()
	}
}

// property is one key and value of <…>.
type property struct {
	key   string
	write func()
}

// properties collects what a message has of the common keys.
func (p *printer) properties(m proto.Message, doc string, metadata []*onnxpb.StringStringEntryProto, own ...property) []property {
	if doc != "" {
		own = append(own, p.text("doc_string", doc))
	}
	if len(metadata) > 0 {
		own = append(own, property{"metadata_props", func() { p.pairs(metadata) }})
	}
	rest, err := remainder(m)
	if err != nil {
		p.fail("%w", err)
	}
	if len(rest) > 0 {
		own = append(own, p.text("wire", hex.EncodeToString(rest)))
	}
	return own
}

func (p *printer) text(key, value string) property {
	return property{key, func() { p.quoted(value) }}
}

// property writes the i-th of a list.
func (p *printer) property(list []property) func(i int) {
	return func(i int) {
		p.str(list[i].key + ": ")
		list[i].write()
	}
}

// optional writes properties, if there are any, with a blank before.
func (p *printer) optional(list []property) {
	if len(list) > 0 {
		p.str(" ")
		p.propertyList(list)
	}
}

// propertyList writes <…>; a single property breaks inside itself.
func (p *printer) propertyList(list []property) {
	if len(list) == 1 {
		p.sequence("<", ">", 1, p.property(list))
		return
	}
	p.group("<", ">", len(list), p.property(list))
}

func (p *printer) pairs(pairs []*onnxpb.StringStringEntryProto) {
	p.group("[", "]", len(pairs), func(i int) {
		p.quoted(pairs[i].GetKey())
		p.str(": ")
		p.quoted(pairs[i].GetValue())
	})
}

func (p *printer) opsets(opsets []*onnxpb.OperatorSetIdProto) property {
	return property{"opset_import", func() {
		p.group("[", "]", len(opsets), func(i int) {
			p.quoted(opsets[i].GetDomain())
			p.str(": ")
			p.int(opsets[i].GetVersion())
		})
	}}
}
