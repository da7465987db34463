// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"math"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

type attributeType = onnxpb.AttributeProto_AttributeType

// attributeTypes are ONNX's names of attribute types.
var attributeTypes = map[string]attributeType{
	"float": onnxpb.AttributeProto_FLOAT, "floats": onnxpb.AttributeProto_FLOATS,
	"int": onnxpb.AttributeProto_INT, "ints": onnxpb.AttributeProto_INTS,
	"string": onnxpb.AttributeProto_STRING, "strings": onnxpb.AttributeProto_STRINGS,
	"tensor": onnxpb.AttributeProto_TENSOR, "tensors": onnxpb.AttributeProto_TENSORS,
	"graph": onnxpb.AttributeProto_GRAPH, "graphs": onnxpb.AttributeProto_GRAPHS,
	"sparse_tensor": onnxpb.AttributeProto_SPARSE_TENSOR, "sparse_tensors": onnxpb.AttributeProto_SPARSE_TENSORS,
	"type_proto": onnxpb.AttributeProto_TYPE_PROTO, "type_protos": onnxpb.AttributeProto_TYPE_PROTOS,
}

// listOf gives for the type of an element the type of its list.
var listOf = map[attributeType]attributeType{
	onnxpb.AttributeProto_FLOAT:         onnxpb.AttributeProto_FLOATS,
	onnxpb.AttributeProto_INT:           onnxpb.AttributeProto_INTS,
	onnxpb.AttributeProto_STRING:        onnxpb.AttributeProto_STRINGS,
	onnxpb.AttributeProto_TENSOR:        onnxpb.AttributeProto_TENSORS,
	onnxpb.AttributeProto_GRAPH:         onnxpb.AttributeProto_GRAPHS,
	onnxpb.AttributeProto_SPARSE_TENSOR: onnxpb.AttributeProto_SPARSE_TENSORS,
	onnxpb.AttributeProto_TYPE_PROTO:    onnxpb.AttributeProto_TYPE_PROTOS,
}

// elementOf is the inverse; UNDEFINED for what is no list.
func elementOf(list attributeType) attributeType {
	for element, l := range listOf {
		if l == list {
			return element
		}
	}
	return onnxpb.AttributeProto_UNDEFINED
}

// typeText returns the name of an attribute type.
func typeText(t attributeType) string {
	for name, v := range attributeTypes {
		if v == t {
			return name
		}
	}
	return "undefined"
}

// attributes reads a list whose < was taken.
func (p *parser) attributes() []*onnxpb.AttributeProto {
	var list []*onnxpb.AttributeProto
	p.list('>', func() {
		lead := p.leading()
		a := p.attribute()
		a.DocString = p.attach(a, lead)
		list = append(list, a)
	})
	return list
}

// attribute reads one attribute; a type may stand before the =.
func (p *parser) attribute() *onnxpb.AttributeProto {
	a := &onnxpb.AttributeProto{Name: p.quotable("an attribute's name")}
	if p.accept(':') {
		t, ok := attributeTypes[p.text(p.tok)]
		if p.tok.kind != kindName || !ok {
			p.fail("an attribute type, such as `int` or `tensors`")
			return a
		}
		a.Type = t
		p.next()
	}
	p.expect('=')
	switch {
	case p.accept('@'):
		t := p.tok
		if a.RefAttrName = p.quotable("the name of the function's attribute"); a.GetRefAttrName() == "" {
			p.failAt(t, "the name of the function's attribute")
		}
	case p.is('['):
		p.attributeList(a)
	case listOf[elementOf(a.GetType())] == a.GetType() && a.GetType() != onnxpb.AttributeProto_UNDEFINED:
		p.fail("`[`, since the type is " + typeText(a.GetType()))
	default:
		a.Type = p.attributeValue(a, a.GetType())
	}
	return a
}

// attributeList reads [values]. The type comes from the annotation or the first value; in a
// list of floats integers are floats.
func (p *parser) attributeList(a *onnxpb.AttributeProto) {
	open, element := p.tok, elementOf(a.GetType())
	if a.GetType() != onnxpb.AttributeProto_UNDEFINED && element == onnxpb.AttributeProto_UNDEFINED {
		p.fail("one value, since the type is " + typeText(a.GetType()))
		return
	}
	p.next()
	var v onnxpb.AttributeProto
	p.list(']', func() {
		element = p.attributeValue(&v, element)
		appendValue(a, &v, element)
	})
	a.Type = listOf[element]
	if element == onnxpb.AttributeProto_UNDEFINED {
		p.failAt(open, "a type before an empty list, such as `axes: ints = []`")
	}
}

// appendValue moves a single value to the list of its type.
func appendValue(a, v *onnxpb.AttributeProto, t attributeType) {
	switch t {
	case onnxpb.AttributeProto_FLOAT:
		a.Floats = append(a.Floats, v.GetF())
	case onnxpb.AttributeProto_INT:
		a.Ints = append(a.Ints, v.GetI())
	case onnxpb.AttributeProto_STRING:
		a.Strings = append(a.Strings, v.GetS())
	case onnxpb.AttributeProto_TENSOR:
		a.Tensors = append(a.Tensors, v.GetT())
	case onnxpb.AttributeProto_GRAPH:
		a.Graphs = append(a.Graphs, v.GetG())
	case onnxpb.AttributeProto_SPARSE_TENSOR:
		a.SparseTensors = append(a.SparseTensors, v.GetSparseTensor())
	case onnxpb.AttributeProto_TYPE_PROTO:
		a.TypeProtos = append(a.TypeProtos, v.GetTp())
	}
}

// attributeValue reads one value into the member for its type and returns the type. A type
// that is wanted decides what is read; UNDEFINED leaves it to the text.
func (p *parser) attributeValue(a *onnxpb.AttributeProto, want attributeType) attributeType {
	t := p.tok
	got := p.valueForm(want)
	if want != onnxpb.AttributeProto_UNDEFINED && got != want {
		p.failAt(t, "a value of type "+typeText(want))
		return want
	}
	switch got {
	case onnxpb.AttributeProto_INT:
		a.I = p.int("an integer")
	case onnxpb.AttributeProto_FLOAT:
		a.F = p.float()
	case onnxpb.AttributeProto_STRING:
		a.S = []byte(p.string("a string"))
	case onnxpb.AttributeProto_GRAPH:
		a.G = p.graph()
	case onnxpb.AttributeProto_SPARSE_TENSOR:
		a.SparseTensor = p.sparse()
	case onnxpb.AttributeProto_TENSOR:
		a.T = p.tensor()
	case onnxpb.AttributeProto_TYPE_PROTO:
		return p.typeOrTensor(a, want)
	default:
		p.fail("a value: a number, string, tensor, graph or type")
	}
	return got
}

// valueForm says by the next two tokens which sort of value follows. Tensors begin
// with a type and count as types here.
func (p *parser) valueForm(want attributeType) attributeType {
	typed := want == onnxpb.AttributeProto_TYPE_PROTO
	switch p.tok.kind {
	case kindNumber:
		if want == onnxpb.AttributeProto_FLOAT || !isInteger(p.text(p.tok)) {
			return onnxpb.AttributeProto_FLOAT
		}
		return onnxpb.AttributeProto_INT
	case kindString:
		switch {
		case typed:
			return want
		case p.beginsGraph():
			return onnxpb.AttributeProto_GRAPH
		}
		return onnxpb.AttributeProto_STRING
	case kindName:
	default:
		return onnxpb.AttributeProto_UNDEFINED
	}
	switch word := p.text(p.tok); {
	case p.isSparse():
		return onnxpb.AttributeProto_SPARSE_TENSOR
	case isTypeWord(word):
		if want == onnxpb.AttributeProto_TENSOR {
			return want
		}
		return onnxpb.AttributeProto_TYPE_PROTO
	case !typed && p.beginsGraph():
		return onnxpb.AttributeProto_GRAPH
	case !typed && isSpecial(word):
		return onnxpb.AttributeProto_FLOAT
	}
	return onnxpb.AttributeProto_TYPE_PROTO
}

func (p *parser) beginsGraph() bool {
	next := p.peek()
	return next.kind == kindMark && (next.mark == '(' || next.mark == '<')
}

// typeOrTensor reads a type, and a tensor when data follows it.
func (p *parser) typeOrTensor(a *onnxpb.AttributeProto, want attributeType) attributeType {
	t := p.tok
	typ := p.typ("a type")
	if want == onnxpb.AttributeProto_TYPE_PROTO || !p.beginsData() {
		a.Tp = typ
		return onnxpb.AttributeProto_TYPE_PROTO
	}
	a.T = p.tensorRest(typ, t)
	return onnxpb.AttributeProto_TENSOR
}

// beginsData reports whether after a type a tensor goes on: with a name or data.
func (p *parser) beginsData() bool {
	return isQuotable(p.tok) || p.is('{') || p.is('=') || p.is('[') || p.is('<')
}

func (p *parser) float() float32 {
	code, problem := p.floatCode(tensor.Float, p.tok.kind, p.text(p.tok))
	if problem != "" {
		p.fail(problem)
		return 0
	}
	p.next()
	return math.Float32frombits(uint32(code))
}
