// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"math"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// hasGraph reports whether attributes hold subgraphs: such a node names its inputs first.
func hasGraph(list []*onnxpb.AttributeProto) bool {
	for _, a := range list {
		if a.GetG() != nil || len(a.GetGraphs()) > 0 {
			return true
		}
	}
	return false
}

func (p *printer) attributes(list []*onnxpb.AttributeProto) {
	n := len(list)
	switch {
	case n == 0:
	case n == 1 && list[0].GetDocString() == "" && p.comments[list[0]] == nil:
		p.str(" <")
		p.attribute(list[0])
		p.str(">")
	case hasGraph(list):
		p.lines(" <", ">", n, func(i int) { p.attribute(list[i]) })
	default:
		p.group(" <", ">", n, func(i int) { p.attribute(list[i]) })
	}
}

// members are the fields of AttributeProto that hold the value of each type.
var members = map[attributeType]protoreflect.FieldNumber{
	onnxpb.AttributeProto_FLOAT: 2, onnxpb.AttributeProto_INT: 3, onnxpb.AttributeProto_STRING: 4,
	onnxpb.AttributeProto_TENSOR: 5, onnxpb.AttributeProto_GRAPH: 6, onnxpb.AttributeProto_FLOATS: 7,
	onnxpb.AttributeProto_INTS: 8, onnxpb.AttributeProto_STRINGS: 9, onnxpb.AttributeProto_TENSORS: 10,
	onnxpb.AttributeProto_GRAPHS: 11, onnxpb.AttributeProto_TYPE_PROTO: 14, onnxpb.AttributeProto_TYPE_PROTOS: 15,
	onnxpb.AttributeProto_SPARSE_TENSOR: 22, onnxpb.AttributeProto_SPARSE_TENSORS: 23,
}

// wellFormed reports whether an attribute has what its type says and nothing else.
func wellFormed(a *onnxpb.AttributeProto) bool {
	member := members[a.GetType()]
	if a.GetRefAttrName() != "" {
		member = -1
	} else if member == 0 {
		return false
	}
	found, other := false, false
	a.ProtoReflect().Range(func(f protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		switch f.Number() {
		case 1, 13, 20, 21: // name, doc_string, type, ref_attr_name
		case member:
			found = true
		default:
			other = true
		}
		return !other
	})
	scalar := member == 2 || member == 3 || member == 4 // absent is the zero value
	list := listOf[elementOf(a.GetType())] == a.GetType()
	return !other && (found || scalar || list || member == -1)
}

func (p *printer) attribute(a *onnxpb.AttributeProto) {
	if p.stopped() {
		return
	}
	if !wellFormed(a) {
		p.fail("attribute %q: its value is not what its type %v says", a.GetName(), a.GetType())
		return
	}
	p.lead(a, a.GetDocString())
	p.quotable(a.GetName())
	if needsType(a) {
		p.str(": " + typeText(a.GetType()))
	}
	p.str(" = ")
	if a.GetRefAttrName() != "" {
		p.str("@")
		p.quotable(a.GetRefAttrName())
		return
	}
	if listOf[elementOf(a.GetType())] == a.GetType() {
		p.attributeList(a)
		return
	}
	p.attributeValue(a)
}

// needsType reports whether the value alone does not tell the type.
func needsType(a *onnxpb.AttributeProto) bool {
	if a.GetRefAttrName() != "" {
		return a.GetType() != onnxpb.AttributeProto_UNDEFINED
	}
	switch a.GetType() {
	case onnxpb.AttributeProto_TYPE_PROTO, onnxpb.AttributeProto_TYPE_PROTOS:
		return true
	case onnxpb.AttributeProto_FLOAT:
		return isCode(a.GetF())
	case onnxpb.AttributeProto_FLOATS:
		return len(a.GetFloats()) == 0 || isCode(a.GetFloats()[0])
	}
	return listLen(a) == 0 && listOf[elementOf(a.GetType())] == a.GetType()
}

// isCode reports whether a float is written as its bits: a NaN with a payload.
func isCode(f float32) bool { return strings.HasPrefix(floatText(f), "0x") }

func listLen(a *onnxpb.AttributeProto) int {
	return len(a.GetFloats()) + len(a.GetInts()) + len(a.GetStrings()) + len(a.GetTensors()) +
		len(a.GetGraphs()) + len(a.GetSparseTensors()) + len(a.GetTypeProtos())
}

func (p *printer) attributeValue(a *onnxpb.AttributeProto) {
	switch a.GetType() {
	case onnxpb.AttributeProto_FLOAT:
		p.str(floatText(a.GetF()))
	case onnxpb.AttributeProto_INT:
		p.int(a.GetI())
	case onnxpb.AttributeProto_STRING:
		p.quoted(string(a.GetS()))
	case onnxpb.AttributeProto_TENSOR:
		p.tensor(a.GetT())
	case onnxpb.AttributeProto_GRAPH:
		p.graph(a.GetG(), a.GetG().GetDocString())
	case onnxpb.AttributeProto_SPARSE_TENSOR:
		p.sparse(a.GetSparseTensor())
	case onnxpb.AttributeProto_TYPE_PROTO:
		p.typ(a.GetTp())
	}
}

func (p *printer) attributeList(a *onnxpb.AttributeProto) {
	if a.GetType() == onnxpb.AttributeProto_GRAPHS {
		p.lines("[", "]", len(a.GetGraphs()), func(i int) { p.graph(a.GetGraphs()[i], a.GetGraphs()[i].GetDocString()) })
		return
	}
	v := values{n: uint64(listLen(a))}
	switch a.GetType() {
	case onnxpb.AttributeProto_FLOATS:
		v.append = func(dst []byte, i uint64) []byte { return append(dst, floatText(a.GetFloats()[i])...) }
	case onnxpb.AttributeProto_INTS:
		v.append = func(dst []byte, i uint64) []byte { return strconv.AppendInt(dst, a.GetInts()[i], 10) }
	case onnxpb.AttributeProto_STRINGS:
		v.append = func(dst []byte, i uint64) []byte { return appendQuoted(dst, string(a.GetStrings()[i])) }
	default:
		p.messageList(a)
		return
	}
	p.values("[", "]", v)
}

func (p *printer) messageList(a *onnxpb.AttributeProto) {
	p.group("[", "]", listLen(a), func(i int) {
		switch a.GetType() {
		case onnxpb.AttributeProto_TENSORS:
			p.tensor(a.GetTensors()[i])
		case onnxpb.AttributeProto_SPARSE_TENSORS:
			p.sparse(a.GetSparseTensors()[i])
		case onnxpb.AttributeProto_TYPE_PROTOS:
			p.typ(a.GetTypeProtos()[i])
		}
	})
}

// floatText writes a float so that it is no integer.
func floatText(f float32) string {
	text := string(appendFloat(nil, tensor.Float, uint64(math.Float32bits(f))))
	if isInteger(text) && !strings.HasPrefix(text, "0x") {
		text += ".0"
	}
	return text
}
