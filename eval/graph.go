// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"slices"

	"github.com/structview/structview/onnxpb"
)

// graph is a resolved graph, subgraph or function body. Names have become slots.
type graph struct {
	name     string
	inputs   []int
	names    []string // of the inputs
	outputs  []int
	slots    int
	consts   []constant
	nodes    []*node
	captures []capture // values of the enclosing graph that nodes in here read
	declared []ValueType
}

// constant is an initializer.
type constant struct {
	slot  int
	value Value
	typ   ValueType
}

// capture makes a slot of the enclosing graph visible in a subgraph.
type capture struct{ outer, inner int }

// node is a resolved node: an operator of the table or a call of a model function.
type node struct {
	proto    *onnxpb.NodeProto
	label    string
	op       *operator
	fn       *function
	in, out  []int       // slots, -1 where not given
	captured []int       // slots that the node's subgraphs read
	attr     *attributes // complete unless there are refs
	refs     []*onnxpb.AttributeProto
	release  []int // slots that nobody reads after this node
	unused   bool  // nothing that is given depends on it: it is checked, and never run
}

// function is a resolved model function.
type function struct {
	proto    *onnxpb.FunctionProto
	body     *graph
	defaults *attributes
}

// scope compiles one graph: it knows the names that are visible in it.
type scope struct {
	c         *compiler
	g         *graph
	outer     *scope
	opsets    map[string]int64
	slots     map[string]int // inputs have the first ones
	constants map[int]bool   // slots of initializers
	path      string         // prefix of node labels
	depth     int
}

func (s *scope) define(name string) (int, error) {
	if _, ok := s.slots[name]; ok {
		return 0, fmt.Errorf("%sthe name %q is defined twice", s.path, name)
	}
	slot := s.g.slots
	s.g.slots++
	s.slots[name] = slot
	return slot, nil
}

// lookup returns the slot of a visible name; a name of an enclosing graph is captured.
func (s *scope) lookup(name string) (int, bool) {
	if slot, ok := s.slots[name]; ok {
		return slot, true
	}
	if s.outer == nil {
		return 0, false
	}
	outer, ok := s.outer.lookup(name)
	if !ok {
		return 0, false
	}
	inner := s.g.slots
	s.g.slots++
	s.slots[name] = inner
	s.g.captures = append(s.g.captures, capture{outer, inner})
	return inner, true
}

// markUnused finds the nodes that no output depends on. They are not run, by the evaluator as little as by a plan, so
// that the errors of their data are nobody's.
func (g *graph) markUnused() {
	needed := make([]bool, g.slots)
	for _, slot := range g.outputs {
		needed[slot] = true
	}
	for i := len(g.nodes) - 1; i >= 0; i-- {
		n := g.nodes[i]
		n.unused = !slices.ContainsFunc(n.out, func(slot int) bool { return slot >= 0 && needed[slot] })
		if n.unused {
			continue
		}
		for _, list := range [][]int{n.in, n.captured} {
			for _, slot := range list {
				if slot >= 0 {
					needed[slot] = true
				}
			}
		}
	}
}

// markReleases notes with each node the slots that nobody reads after it.
func (g *graph) markReleases() {
	last := make([]int, g.slots)
	for i := range last {
		last[i] = -1
	}
	for i, n := range g.nodes {
		if n.unused {
			continue
		}
		for _, list := range [][]int{n.in, n.out, n.captured} {
			for _, slot := range list {
				if slot >= 0 {
					last[slot] = i
				}
			}
		}
	}
	for _, slot := range g.outputs {
		last[slot] = -1
	}
	for slot, i := range last {
		if i >= 0 {
			g.nodes[i].release = append(g.nodes[i].release, slot)
		}
	}
}
