// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/structview/structview/onnxpb"
)

// functionID is how a node names a model function.
type functionID struct{ domain, name, overload string }

func (id functionID) String() string {
	s := id.name
	if id.domain != "" {
		s = id.domain + "." + s
	}
	if id.overload != "" {
		s += ":" + id.overload
	}
	return s
}

// functions are the model functions that codecs may call (SV046).
type functions struct {
	list  []*onnxpb.FunctionProto
	index map[functionID]int
}

func indexFunctions(list []*onnxpb.FunctionProto) functions {
	fs := functions{list, make(map[functionID]int, len(list))}
	for i, f := range list {
		fs.index[functionID{domainOf(f.GetDomain()), f.GetName(), f.GetOverload()}] = i
	}
	return fs
}

// called returns the index of the function that a node calls, false if it is an operator.
func (fs functions) called(n *onnxpb.NodeProto) (int, bool) {
	i, ok := fs.index[nodeID(n)]
	return i, ok
}

func nodeID(n *onnxpb.NodeProto) functionID {
	return functionID{domainOf(n.GetDomain()), n.GetOpType(), n.GetOverload()}
}

// domainOf spells ONNX's own domain, which has two names, in one way.
func domainOf(domain string) string {
	if domain == "ai.onnx" {
		return ""
	}
	return domain
}

// describe names a node for a reader: its own name where it has one, what it
// computes otherwise.
func describe(n *onnxpb.NodeProto) string {
	op := nodeID(n).String()
	switch {
	case n.Name != "":
		return fmt.Sprintf("%s %q", op, n.Name)
	case len(n.Output) > 0:
		return fmt.Sprintf("%s, which gives %q", op, n.Output[0])
	}
	return op
}

// reach visits each function that f calls, directly or not, once, and returns the first cycle
// of calls as text, "" if there is none.
func (fs functions) reach(f *onnxpb.FunctionProto, visit func(i int)) (cycle string) {
	w := &callWalk{functions: fs, visit: visit, done: map[int]bool{}}
	w.calls(f)
	return w.cycle
}

type callWalk struct {
	functions functions
	visit     func(i int)
	done      map[int]bool // false while its calls are followed
	stack     []int
	cycle     string
}

func (w *callWalk) calls(f *onnxpb.FunctionProto) {
	eachNode(f.GetNode(), "", func(n *onnxpb.NodeProto, _ string) {
		i, ok := w.functions.called(n)
		if !ok {
			return
		}
		done, entered := w.done[i]
		switch {
		case !entered:
			w.enter(i)
		case !done && w.cycle == "":
			w.cycle = w.closed(i)
		}
	})
}

func (w *callWalk) enter(i int) {
	w.visit(i)
	w.done[i] = false
	w.stack = append(w.stack, i)
	w.calls(w.functions.list[i])
	w.stack = w.stack[:len(w.stack)-1]
	w.done[i] = true
}

// closed is the cycle that a call of function i closes, which was entered before.
func (w *callWalk) closed(i int) string {
	var b strings.Builder
	for _, step := range w.stack[slices.Index(w.stack, i):] {
		b.WriteString(w.functions.name(step) + " calls ")
	}
	return b.String() + w.functions.name(i)
}

func (fs functions) name(i int) string {
	f := fs.list[i]
	return functionID{domainOf(f.GetDomain()), f.GetName(), f.GetOverload()}.String()
}

// random are the operators of ONNX that draw random numbers (SV048).
var random = map[string]bool{
	"Bernoulli": true, "Multinomial": true,
	"RandomNormal": true, "RandomNormalLike": true, "RandomUniform": true, "RandomUniformLike": true,
}

func isRandom(n *onnxpb.NodeProto) bool { return domainOf(n.Domain) == "" && random[n.OpType] }
