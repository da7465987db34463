// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"slices"
	"strings"

	"github.com/structview/structview/onnxpb"
)

// operator is one entry of the table: an operator in the versions from since to the
// next entry of its name.
type operator struct {
	domain string
	name   string
	since  int64
	in     []param
	out    []param
	vars   map[string]types // what each type variable of in and out may stand for
	attrs  []attribute
	// infer sets the dimensions of the outputs (and the element types that no type variable
	// gives) and refuses inputs that do not fit. It runs before execution with what is known statically,
	// and again before each execution with everything known.
	infer func(c *typing) error
	// run computes the outputs. It may rely on all that infer checked.
	run func(c *call) error
	// control marks operators that run subgraphs or are the caller's: infer is not repeated before each
	// execution, and they never run while types are inferred.
	control bool
}

// param is a declared input or output.
type param struct {
	name     string
	typ      string // a type variable of the operator
	optional bool
	variadic bool
	mixed    bool // variadic: each of its own type
}

// params reads "X:T", "axes?:I" (optional), "data...:T" (variadic, one type) and
// "inputs...:*V" (variadic, each of its own type), separated by blanks.
func params(text string) []param {
	var list []param
	for _, word := range strings.Fields(text) {
		name, typ, _ := strings.Cut(word, ":")
		p := param{}
		p.typ, p.mixed = strings.CutPrefix(typ, "*")
		p.name, p.variadic = strings.CutSuffix(name, "...")
		p.name, p.optional = strings.CutSuffix(p.name, "?")
		list = append(list, p)
	}
	return list
}

// attribute is a declared attribute. The type UNDEFINED stands for any.
type attribute struct {
	name     string
	kind     onnxpb.AttributeProto_AttributeType
	required bool
	value    *onnxpb.AttributeProto // default, nil if there is none
}

func intAttr(name string, value int64) attribute {
	return attribute{name, onnxpb.AttributeProto_INT, false, &onnxpb.AttributeProto{Name: name, I: value}}
}

func floatAttr(name string, value float32) attribute {
	return attribute{name, onnxpb.AttributeProto_FLOAT, false, &onnxpb.AttributeProto{Name: name, F: value}}
}

func stringAttr(name, value string) attribute {
	return attribute{name, onnxpb.AttributeProto_STRING, false, &onnxpb.AttributeProto{Name: name, S: []byte(value)}}
}

// optionalAttr has no default: the kernel asks has(name).
func optionalAttr(name string, kind onnxpb.AttributeProto_AttributeType) attribute {
	return attribute{name: name, kind: kind}
}

func requiredAttr(name string, kind onnxpb.AttributeProto_AttributeType) attribute {
	return attribute{name: name, kind: kind, required: true}
}

// attr kinds, short.
const (
	aInt     = onnxpb.AttributeProto_INT
	aInts    = onnxpb.AttributeProto_INTS
	aFloat   = onnxpb.AttributeProto_FLOAT
	aFloats  = onnxpb.AttributeProto_FLOATS
	aString  = onnxpb.AttributeProto_STRING
	aStrings = onnxpb.AttributeProto_STRINGS
	aTensor  = onnxpb.AttributeProto_TENSOR
	aGraph   = onnxpb.AttributeProto_GRAPH
	aType    = onnxpb.AttributeProto_TYPE_PROTO
)

// key names an operator without its version.
type key struct{ domain, name string }

// table holds the entries of each operator, newest first.
type table map[key][]*operator

func newTable(families ...[]operator) table {
	t := table{}
	for _, family := range families {
		for i := range family {
			k := key{family[i].domain, family[i].name}
			t[k] = append(t[k], &family[i])
		}
	}
	for _, versions := range t {
		slices.SortFunc(versions, func(a, b *operator) int { return int(b.since - a.since) })
	}
	return t
}

// find returns the entry that is in force at a version of the domain's operator set, nil if
// the table has none.
func (t table) find(k key, version int64) *operator {
	for _, op := range t[k] {
		if op.since <= version {
			return op
		}
	}
	return nil
}

// versions returns entries that differ in their versions and types alone: each since with the
// type sets that its schema gives, the rest from the model op.
func versions(op operator, sets ...version) []operator {
	list := make([]operator, len(sets))
	for i, s := range sets {
		list[i] = op
		list[i].since = s.since
		if s.vars != nil {
			list[i].vars = s.vars
		}
	}
	return list
}

type version struct {
	since int64
	vars  map[string]types
}

// at is a version whose only type variable is T.
func at(since int64, t types) version { return version{since, map[string]types{"T": t}} }
