// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/structview/structview/onnxpb"
)

// Program is a function or graph whose nodes are all resolved. It is immutable and
// may be run concurrently.
type Program struct {
	main   *graph
	attr   *attributes // defaults of the function's own attributes
	limits Limits
	fits   atomic.Pointer[string] // input types that were last found to stay inside the limits
}

// Compile resolves every node of fn, of its subgraphs and of the model functions that it calls to an operator
// and version. An operator or version that is valid but not implemented gives *[UnsupportedError], one that
// resolves differently through env.Opsets *[OpsetError]. Recursion, an attribute of fn without a default, a missing opset
// import and unknown operators are errors.
func Compile(fn *onnxpb.FunctionProto, env Env) (*Program, error) {
	c := newCompiler(env)
	if names := fn.GetAttribute(); len(names) > 0 {
		return nil, fmt.Errorf("attribute %q of the function has no default", names[0])
	}
	f, err := c.function(fn, 1)
	if err != nil {
		return nil, err
	}
	return &Program{main: f.body, attr: f.defaults, limits: env.Limits}, nil
}

// CompileModel resolves the graph of a model, its initializers included. The model's own functions
// and imports take the place of those of env.
func CompileModel(m *onnxpb.ModelProto, env Env) (*Program, error) {
	env.Functions, env.Opsets = m.GetFunctions(), m.GetOpsetImport()
	c := newCompiler(env)
	if m.GetGraph() == nil {
		return nil, errors.New("the model has no graph")
	}
	s := &scope{c: c, opsets: c.imports, slots: map[string]int{}, g: &graph{}, depth: 1}
	if err := s.graph(m.GetGraph()); err != nil {
		return nil, err
	}
	return &Program{main: s.g, attr: newAttributes(), limits: env.Limits}, nil
}

// Within returns the same program under other limits.
func (p *Program) Within(limits Limits) *Program {
	return &Program{main: p.main, attr: p.attr, limits: limits}
}

// Inputs returns the names of the inputs in order.
func (p *Program) Inputs() []string { return p.main.names }

// InputTypes returns what the graph declares about its inputs; all unknown for a function.
func (p *Program) InputTypes() []ValueType { return p.main.declared }

type functionKey struct{ domain, name, overload string }

// compiler resolves functions, each once.
type compiler struct {
	env     Env
	table   table
	added   table // the caller's operators
	limits  Limits
	imports map[string]int64 // the model's
	protos  map[functionKey]*onnxpb.FunctionProto
	done    map[functionKey]*function
	busy    map[functionKey]bool
}

func newCompiler(env Env) *compiler {
	c := &compiler{
		env: env, table: builtin(), limits: env.Limits.withDefaults(),
		imports: imports(env.Opsets),
	}
	if len(env.Functions) > 0 {
		c.protos = make(map[functionKey]*onnxpb.FunctionProto, len(env.Functions))
		c.done, c.busy = map[functionKey]*function{}, map[functionKey]bool{}
	}
	if len(env.Operators) > 0 {
		c.added = table{}
	}
	for _, f := range env.Functions {
		c.protos[functionKey{normal(f.GetDomain()), f.GetName(), f.GetOverload()}] = f
	}
	for _, o := range env.Operators {
		k := key{normal(o.Domain), o.Name}
		c.added[k] = append(c.added[k], o.operator())
	}
	return c
}

func imports(list []*onnxpb.OperatorSetIdProto) map[string]int64 {
	m := map[string]int64{}
	for _, o := range list {
		m[normal(o.GetDomain())] = o.GetVersion()
	}
	return m
}

// function resolves the body of f.
func (c *compiler) function(f *onnxpb.FunctionProto, depth int) (*function, error) {
	s := &scope{c: c, opsets: imports(f.GetOpsetImport()), slots: map[string]int{}, g: &graph{name: f.GetName()}, depth: depth}
	out := &function{proto: f, body: s.g, defaults: &attributes{}}
	for _, a := range f.GetAttributeProto() {
		if err := out.defaults.set(a, a.GetName()); err != nil {
			return nil, err
		}
	}
	for _, name := range f.GetInput() {
		slot, err := s.define(name)
		if err != nil {
			return nil, err
		}
		s.g.inputs, s.g.names = append(s.g.inputs, slot), append(s.g.names, name)
	}
	s.g.declared = make([]ValueType, len(s.g.inputs))
	if err := s.nodes(f.GetNode()); err != nil {
		return nil, err
	}
	return out, s.finish(f.GetOutput())
}

// called returns the resolved model function k, which the node at path calls.
func (c *compiler) called(k functionKey, f *onnxpb.FunctionProto, path string, depth int) (*function, error) {
	if done := c.done[k]; done != nil {
		return done, nil
	}
	if c.busy[k] {
		return nil, fmt.Errorf("%s: recursion: function %s calls itself", path, opText(key{k.domain, k.name}))
	}
	if depth >= c.limits.Depth {
		return nil, fmt.Errorf("%s: %w: nesting deeper than %d", path, ErrLimit, c.limits.Depth)
	}
	c.busy[k] = true
	defer delete(c.busy, k)
	done, err := c.function(f, depth+1)
	if err != nil {
		return nil, within(path, err)
	}
	c.done[k] = done
	return done, nil
}

// within puts a place before an error, into the Node field of those that have one.
func within(path string, err error) error {
	switch e := err.(type) {
	case *UnsupportedError:
		inner := *e
		inner.Node = path + ": " + e.Node
		return &inner
	case *OpsetError:
		inner := *e
		inner.Node = path + ": " + e.Node
		return &inner
	}
	return fmt.Errorf("%s: %w", path, err)
}

// graph resolves a GraphProto: inputs, initializers, nodes, outputs.
func (s *scope) graph(p *onnxpb.GraphProto) error {
	s.g.name = p.GetName()
	for _, in := range p.GetInput() {
		slot, err := s.define(in.GetName())
		if err != nil {
			return err
		}
		s.g.inputs, s.g.names = append(s.g.inputs, slot), append(s.g.names, in.GetName())
		s.g.declared = append(s.g.declared, typeOfProto(in.GetType()))
	}
	if err := s.initializers(p); err != nil {
		return err
	}
	if err := s.nodes(p.GetNode()); err != nil {
		return err
	}
	var outputs []string
	for _, out := range p.GetOutput() {
		outputs = append(outputs, out.GetName())
	}
	return s.finish(outputs)
}

func (s *scope) initializers(p *onnxpb.GraphProto) error {
	for _, t := range p.GetSparseInitializer() {
		name := t.GetValues().GetName()
		value, err := dense(t)
		if err != nil {
			return fmt.Errorf("sparse initializer %q: %w", name, err)
		}
		if err := s.constant(name, value, TypeOf(value)); err != nil {
			return err
		}
	}
	for _, t := range p.GetInitializer() {
		value, err := s.c.initializer(t)
		if err != nil {
			return fmt.Errorf("initializer %q: %w", t.GetName(), err)
		}
		if err := s.constant(t.GetName(), value, TypeOf(value)); err != nil {
			return err
		}
	}
	for _, v := range p.GetStructInitializer() {
		if s.c.env.Struct == nil {
			return fmt.Errorf("struct_initializer %q: structured values are not expected here", v.GetName())
		}
		value, typ, err := s.c.env.Struct(v)
		if err != nil {
			return fmt.Errorf("struct_initializer %q: %w", v.GetName(), err)
		}
		if err := s.constant(v.GetName(), value, typ); err != nil {
			return err
		}
	}
	return nil
}

// constant defines a name; a graph input of the same name keeps its slot and has a default then.
func (s *scope) constant(name string, v Value, t ValueType) error {
	slot, ok := s.slots[name]
	if !ok {
		var err error
		if slot, err = s.define(name); err != nil {
			return err
		}
	}
	if s.constants == nil {
		s.constants = map[int]bool{}
	}
	if s.constants[slot] {
		return fmt.Errorf("the initializer %q is defined twice", name)
	}
	s.constants[slot] = true
	s.g.consts = append(s.g.consts, constant{slot, v, t})
	return nil
}

// finish resolves the outputs.
func (s *scope) finish(outputs []string) error {
	for _, name := range outputs {
		slot, ok := s.lookup(name)
		if !ok {
			return fmt.Errorf("%soutput %q is never defined", s.path, name)
		}
		s.g.outputs = append(s.g.outputs, slot)
	}
	s.g.markUnused()
	s.g.markReleases()
	return nil
}
