// SPDX-License-Identifier: Apache-2.0

package syntax

import "github.com/structview/structview/onnxpb"

// ParseFunction reads one function or codec: what follows the declaration's name in a text
// file, from "decoder" or "encoder" (which may be left out) to the closing brace. It is how a
// decoder written as text comes to a declaration that is built in Go. Static types within it
// cannot name declarations; struct(0) and struct work. The name stands in errors, which are of
// type *[Error].
func ParseFunction(name string, text []byte) (*onnxpb.FunctionProto, error) {
	p := &parser{scanner: scanner{src: string(text)}, name: name, model: &onnxpb.ModelProto{}}
	p.next()
	f := &onnxpb.FunctionProto{}
	f.DocString = p.attach(f, p.leading())
	if p.isWord("decoder") || p.isWord("encoder") {
		p.next()
	}
	p.functionRest(f)
	if p.err == nil && p.tok.kind != kindEnd {
		p.fail("the end of the text")
	}
	if p.err == nil {
		p.resolve()
	}
	if p.err != nil {
		return nil, p.err
	}
	return f, nil
}

// functionRest reads a codec after its keyword.
func (p *parser) functionRest(f *onnxpb.FunctionProto) {
	if p.is('<') {
		p.functionHeader(f)
	}
	f.Name = p.optionalName()
	p.signature(f)
}
