// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// literals compiles single nodes for the literal evaluator, each once.
type literals struct {
	opsets []*onnxpb.OperatorSetIdProto
	limits eval.Limits
	cache  map[string]*literal
	known  map[*onnxpb.NodeProto]*literal // those of functions as they stand
	plains map[plainID]*onnxpb.NodeProto
	work   work // all tries together

	scratch scratch // of tables
}

func newLiterals(fn *onnxpb.FunctionProto, env Env) *literals {
	l := &literals{opsets: fn.OpsetImport, limits: env.Limits, cache: map[string]*literal{}, known: map[*onnxpb.NodeProto]*literal{}, plains: map[plainID]*onnxpb.NodeProto{}}
	if len(l.opsets) == 0 {
		l.opsets = env.Opsets
	}
	return l
}

// literal evaluates one node as eval does. Equal nodes share one.
type literal struct {
	id      int
	node    *onnxpb.NodeProto // the operator and its attributes
	program *eval.Program
	bounded [maxEffort + 1]*eval.Program // the program within limits
	types   []typed                      // results of elementwise operators
	of      *literals
}

// node compiles a node whose present inputs are given positionally. Its own names
// do not matter.
func (l *literals) node(n *onnxpb.NodeProto, opsets []*onnxpb.OperatorSetIdProto, functions []*onnxpb.FunctionProto) (*literal, error) {
	if known, ok := l.known[n]; ok {
		return known, nil
	}
	made, err := l.compile(n, opsets, functions)
	if err == nil {
		l.known[n] = made
	}
	return made, err
}

func (l *literals) compile(n *onnxpb.NodeProto, opsets []*onnxpb.OperatorSetIdProto, functions []*onnxpb.FunctionProto) (*literal, error) {
	opsets = imported(opsets, n.Domain)
	key, err := keyOf(n, opsets)
	if err != nil {
		return nil, err
	}
	if known, ok := l.cache[key]; ok {
		return known, nil
	}
	named := bare(n)
	fn := &onnxpb.FunctionProto{Name: "literal", OpsetImport: opsets, Node: []*onnxpb.NodeProto{named}}
	named.Input, fn.Input = positional("i", n.Input)
	named.Output, fn.Output = positional("o", n.Output)
	if !hasSubgraph(n) { // a node that calls one is no literal
		functions = nil
	}
	program, err := eval.Compile(fn, eval.Env{Functions: functions, Limits: l.limits})
	if err != nil {
		return nil, err
	}
	kept := bare(n)
	kept.Input = named.Input // which of them are given
	made := &literal{id: len(l.cache), node: kept, program: program, of: l}
	l.cache[key] = made
	return made, nil
}

// plain is an operator of one output and no attributes but the type of a Cast.
func (l *literals) plain(name string, inputs int, to tensor.Type) (*literal, error) {
	id := plainID{name, inputs, to}
	n := l.plains[id]
	if n == nil {
		n = &onnxpb.NodeProto{OpType: name, Input: slices.Repeat([]string{"x"}, inputs), Output: []string{"y"}}
		if to != 0 {
			n.Attribute = []*onnxpb.AttributeProto{{Name: "to", Type: onnxpb.AttributeProto_INT, I: int64(to)}}
		}
		l.plains[id] = n
	}
	return l.node(n, l.opsets, nil)
}

type plainID struct {
	name   string
	inputs int
	to     tensor.Type
}

// keyOf is what makes a node what it is, but for its names.
func keyOf(n *onnxpb.NodeProto, opsets []*onnxpb.OperatorSetIdProto) (string, error) {
	var key []byte
	text := func(s string) { key = append(binary.AppendUvarint(key, uint64(len(s))), s...) }
	for _, s := range []string{n.OpType, n.Domain, n.Overload} {
		text(s)
	}
	for _, names := range [][]string{n.Input, n.Output} {
		key = binary.AppendUvarint(key, uint64(len(names)))
		for _, name := range names {
			key = append(key, byte(min(len(name), 1))) // it is given, or not
		}
	}
	key = binary.AppendUvarint(key, uint64(len(opsets)))
	for _, o := range opsets {
		text(o.Domain)
		key = binary.AppendVarint(key, o.Version)
	}
	for _, a := range n.Attribute {
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(a)
		if err != nil {
			return "", err
		}
		text(string(b))
	}
	return string(key), nil
}

// positional names what is given by its place: all of them, and those that are given.
func positional(front string, names []string) (all, given []string) {
	for i, name := range names {
		if name == "" {
			all = append(all, "")
			continue
		}
		name = front + strconv.Itoa(i)
		all, given = append(all, name), append(given, name)
	}
	return all, given
}

// imported keeps the import of one domain: nodes of functions with different other
// imports are then equal.
func imported(opsets []*onnxpb.OperatorSetIdProto, domain string) []*onnxpb.OperatorSetIdProto {
	for _, o := range opsets {
		if o.Domain == domain || standard(o.Domain) && standard(domain) {
			return []*onnxpb.OperatorSetIdProto{{Domain: domain, Version: o.Version}}
		}
	}
	return opsets
}

// bare is a node's operator and attributes without its names.
func bare(n *onnxpb.NodeProto) *onnxpb.NodeProto {
	return &onnxpb.NodeProto{OpType: n.OpType, Domain: n.Domain, Overload: n.Overload, Attribute: n.Attribute}
}

// A node is first run within limits that its inputs suggest, then within larger ones: how much work it
// is, eval alone knows. The elements of effort e are leastEffort << (effortStep * e).
const (
	leastEffort = 1 << 12
	effortStep  = 3
	maxEffort   = 4
	effortUnits = 32 // elements of eval that count as a lane of planning
)

// effort is where to begin.
func (l *literal) effort(inputs []*tensor.Tensor) int {
	n := int64(0)
	for _, t := range inputs {
		n += t.Len()
	}
	e := 0
	for e < maxEffort && 4*n > leastEffort<<(effortStep*e) {
		e++
	}
	return e
}

func (l *literal) run(values []eval.Value, effort int) ([]eval.Value, error) {
	for {
		elements := int64(leastEffort) << (effortStep * effort)
		if !l.of.work.spend(int(elements / effortUnits)) {
			return nil, errWork
		}
		if l.bounded[effort] == nil {
			limits := l.of.limits
			if own := limits.Elements; own <= 0 || own > elements {
				limits.Elements = elements
			}
			l.bounded[effort] = l.program.Within(limits)
		}
		results, err := l.bounded[effort].Run(context.Background(), values)
		if effort++; !errors.Is(err, eval.ErrLimit) || effort > maxEffort {
			return results, err
		}
	}
}

// call runs the node while a decoder is planned.
func (l *literal) call(inputs ...*tensor.Tensor) ([]*tensor.Tensor, error) {
	return tensors(l.run(given(inputs), l.effort(inputs)))
}

// decode runs the node while a payload is decoded, by any goroutine: that is no work of planning.
func (l *literal) decode(inputs ...*tensor.Tensor) ([]*tensor.Tensor, error) {
	return tensors(l.program.Run(context.Background(), given(inputs)))
}

func given(inputs []*tensor.Tensor) []eval.Value {
	values := make([]eval.Value, len(inputs))
	for i, t := range inputs {
		values[i] = t
	}
	return values
}

func tensors(values []eval.Value, err error) ([]*tensor.Tensor, error) {
	if err != nil {
		return nil, err
	}
	out := make([]*tensor.Tensor, len(values))
	for i, r := range values {
		t, ok := r.(*tensor.Tensor)
		if !ok {
			return nil, fmt.Errorf("output %d is no tensor", i)
		}
		out[i] = t
	}
	return out, nil
}
