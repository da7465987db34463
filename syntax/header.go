// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
)

// file reads the header and everything that follows.
func (p *parser) file() {
	p.model.DocString = p.attach(p.model, p.leading())
	if !p.is('<') {
		p.fail("the model's header, such as `<ir_version: 13, opset_import: [\"\": 26]>`")
		return
	}
	p.modelHeader()
	for p.err == nil && p.tok.kind != kindEnd {
		p.item()
	}
}

func (p *parser) modelHeader() {
	m := p.model
	p.properties("ir_version, opset_import, producer_name, producer_version, domain, model_version",
		m, &m.DocString, &m.MetadataProps, func(key string) bool {
			switch key {
			case "ir_version":
				m.IrVersion = p.int("the version of the IR")
			case "model_version":
				m.ModelVersion = p.int("the version of the model")
			case "opset_import":
				m.OpsetImport = p.opsets()
			case "producer_name":
				m.ProducerName = p.string("a string")
			case "producer_version":
				m.ProducerVersion = p.string("a string")
			case "domain":
				m.Domain = p.string("a string")
			default:
				return false
			}
			return true
		})
}

// item reads a declaration, a function or the graph.
func (p *parser) item() {
	lead := p.leading()
	switch {
	case p.is('<'):
		p.function(lead)
	case p.isWord("struct"), p.isWord("type"):
		p.declaration(lead)
	case isQuotable(p.tok) && !p.hasGraph:
		p.hasGraph = true
		g := p.graph()
		p.model.Graph = g
		p.setDoc(&g.DocString, p.attach(g, lead))
	case isQuotable(p.tok):
		p.function(lead)
	default:
		p.fail("`struct`, `type`, a function's header `<…>` or the graph's name")
	}
}

// setDoc gives documentation to what may have a doc_string already.
func (p *parser) setDoc(to *string, doc string) {
	if doc == "" {
		return
	}
	if *to != "" {
		p.failFound(p.tok.pos, "one doc_string", "a doc_string and ## lines before")
	}
	*to = doc
}

// properties reads <key: value, …>: doc_string and metadata_props where there is a place for
// them, wire, and the caller's own keys. Each key stands once.
func (p *parser) properties(own string, of proto.Message, doc *string, metadata *[]*onnxpb.StringStringEntryProto, value func(key string) bool) {
	p.expect('<')
	expected := "a key: " + strings.TrimPrefix(own+", doc_string, metadata_props or wire", ", ")
	if metadata == nil {
		expected = "a key: " + own + ", doc_string or wire"
	}
	var seen []string
	p.list('>', func() {
		t := p.tok
		if t.kind != kindName {
			p.fail(expected)
			return
		}
		key := p.text(t)
		for _, k := range seen {
			if k == key {
				p.failAt(t, "each key once")
			}
		}
		seen = append(seen, key)
		p.next()
		p.expect(':')
		switch {
		case key == "doc_string":
			p.setDoc(doc, p.string("a string"))
		case key == "metadata_props" && metadata != nil:
			*metadata = p.pairs()
		case key == "wire":
			p.wire(of)
		case value == nil || !value(key):
			p.failAt(t, expected)
		}
	})
}

// noKeys is for properties without keys of their own.
func noKeys(string) bool { return false }

func (p *parser) opsets() []*onnxpb.OperatorSetIdProto {
	var opsets []*onnxpb.OperatorSetIdProto
	p.expect('[')
	p.list(']', func() {
		o := &onnxpb.OperatorSetIdProto{Domain: p.string("a domain in quotes")}
		p.expect(':')
		o.Version = p.int("a version")
		opsets = append(opsets, o)
	})
	return opsets
}

func (p *parser) pairs() []*onnxpb.StringStringEntryProto {
	var pairs []*onnxpb.StringStringEntryProto
	p.expect('[')
	p.list(']', func() {
		e := &onnxpb.StringStringEntryProto{Key: p.string("a key in quotes")}
		p.expect(':')
		e.Value = p.string("a value in quotes")
		pairs = append(pairs, e)
	})
	return pairs
}
