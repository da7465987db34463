// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"slices"
	"testing"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// TestMutantEntries damages a good node of every entry of the table (see [Mutants]).
func TestMutantEntries(t *testing.T) {
	t.Parallel()
	for i, m := range goodNodes(t) {
		k := 0
		for mutant := range Mutants(m.Function, m.Inputs) {
			if k++; (k+i)%MutantStep() > 0 {
				continue
			}
			mutant.What = m.What + ": " + mutant.What
			mutant.Check(t)
		}
	}
}

// goodNodes makes a function of one node that runs for every entry of the table.
func goodNodes(t testing.TB) []Mutant {
	made := recipes()
	var list []Mutant
	for _, op := range coveredFamilies() {
		g := given{t, &op, map[string]tensor.Type{}}
		for name, set := range op.vars {
			g.vars[name] = set.first()
			if set.has(tensor.Float) {
				g.vars[name] = tensor.Float
			}
		}
		fn, in := made[op.name].function(g)
		list = append(list, Mutant{fmt.Sprintf("%s-%d", op.name, op.since), fn, in})
	}
	return list
}

// function makes a function of one node, and inputs for it.
func (r recipe) function(g given) (*onnxpb.FunctionProto, []Value) {
	dims := r.first
	if dims == nil {
		dims = []int64{2, 4}
	}
	var list []*onnxpb.AttributeProto
	if r.attrs != nil {
		list = r.attrs(g)
	}
	in := r.inputs(g, g.sample(g.op.in[0].typ, dims...))
	out := letters(len(g.op.out))
	for i := range out {
		out[i] = "y" + out[i]
	}
	names := letters(len(in))
	return functionProto(g.op.since, names, out, nodeProto(g.op.name, slices.Clone(names), slices.Clone(out), list...)), in
}
