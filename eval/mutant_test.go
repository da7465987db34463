// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// Mutant is a function that differs in one place from one that runs, or runs on other inputs.
type Mutant struct {
	What     string
	Function *onnxpb.FunctionProto
	Inputs   []Value
}

// Mutants yields what systematic damage makes of a function and its inputs.
func Mutants(fn *onnxpb.FunctionProto, in []Value) iter.Seq[Mutant] {
	return func(yield func(Mutant) bool) {
		_ = mutateInputs(fn, in, yield) && mutateFunction(fn, in, yield) && mutateNodes(fn, in, yield) && mutateGraphs(fn, in, yield)
	}
}

// MutantStep is 1 to test every mutant, as the checks under CI do, and 3 to test every third.
func MutantStep() int {
	if os.Getenv("CI") != "" && !testing.Short() {
		return 1
	}
	return 3
}

// mutateInputs gives other values: as inputs, and as constants that inference knows.
func mutateInputs(fn *onnxpb.FunctionProto, in []Value, yield func(Mutant) bool) bool {
	for i, v := range in {
		for what, other := range otherValues(v) {
			list := append([]Value{}, in...)
			list[i] = other
			what = fmt.Sprintf("input %d is %s", i, what)
			if !yield(Mutant{what, fn, list}) || !yield(Mutant{what + ", a constant", fn, list}.known(i)) {
				return false
			}
		}
		if !yield(Mutant{fmt.Sprintf("input %d is a constant", i), fn, in}.known(i)) {
			return false
		}
	}
	for _, dims := range [][]int64{{1 << 62, 0}, {0, 1 << 62}, {0, 1 << 62, 1 << 62}, {0}, {}} {
		list := slices.Clone(in)
		for i, v := range in {
			if x, ok := v.(*tensor.Tensor); ok {
				list[i] = zeros(x.Type(), dims...)
			}
		}
		if !yield(Mutant{fmt.Sprintf("inputs of %v", dims), fn, list}) {
			return false
		}
	}
	return true
}

// known makes input i a constant, if it is a tensor.
func (m Mutant) known(i int) Mutant {
	x, ok := m.Inputs[i].(*tensor.Tensor)
	if !ok {
		return m
	}
	fn := proto.CloneOf(m.Function)
	name := fn.Input[i]
	fn.Input = append(append([]string{}, fn.Input[:i]...), fn.Input[i+1:]...)
	fn.Node = append([]*onnxpb.NodeProto{constantProto(name, x)}, fn.Node...)
	return Mutant{m.What, fn, append(append([]Value{}, m.Inputs[:i]...), m.Inputs[i+1:]...)}
}

// mutateFunction changes what stands outside the nodes.
func mutateFunction(fn *onnxpb.FunctionProto, in []Value, yield func(Mutant) bool) bool {
	edit := func(what string, change func(*onnxpb.FunctionProto)) bool {
		f := proto.CloneOf(fn)
		change(f)
		return yield(Mutant{what, f, in[:min(len(in), len(f.Input))]})
	}
	for version := int64(1); version <= 27; version++ {
		if !edit(fmt.Sprintf("opset %d", version), func(f *onnxpb.FunctionProto) { f.OpsetImport[0].Version = version }) {
			return false
		}
	}
	for i := range fn.Output {
		if !edit(fmt.Sprintf("output %d without a name", i), func(f *onnxpb.FunctionProto) { f.Output[i] = "" }) ||
			!edit(fmt.Sprintf("output %d given away", i), func(f *onnxpb.FunctionProto) { f.Output = append(f.Output[:i], f.Output[i+1:]...) }) {
			return false
		}
	}
	for i := range fn.Input {
		if !edit(fmt.Sprintf("input %d without a name", i), func(f *onnxpb.FunctionProto) { f.Input[i] = "" }) ||
			!edit(fmt.Sprintf("input %d is the first", i), func(f *onnxpb.FunctionProto) { f.Input[i] = f.Input[0] }) ||
			!edit(fmt.Sprintf("input %d is an output", i), func(f *onnxpb.FunctionProto) { f.Output = append(f.Output, f.Input[i]) }) {
			return false
		}
	}
	return edit("no imports", func(f *onnxpb.FunctionProto) { f.OpsetImport = nil }) &&
		edit("a cycle", func(f *onnxpb.FunctionProto) { f.Node = append(f.Node[len(f.Node)-1:], f.Node...) })
}

// Check compiles, infers, traces and runs the mutant. Whatever it is, nothing panics, breaks a promise of the table or
// takes long, and inference does not refuse what runs (but for branches that do not).
func (m Mutant) Check(t testing.TB) {
	t.Helper()
	// A machine may stall once.
	if d := m.once(t); d > time.Second {
		if d = m.once(t); d > time.Second {
			t.Errorf("%s took %v: %v", m.What, d, m.Function)
		}
	}
}

func (m Mutant) once(t testing.TB) time.Duration {
	t.Helper()
	start := time.Now()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s: panic %v: %v\n%s", m.What, r, m.Function, debug.Stack())
		}
	}()
	p, err := Compile(m.Function, Env{Limits: Limits{Elements: 1 << 20, Bytes: 1 << 20, Nodes: 1 << 9, Depth: 8}})
	if err != nil {
		return time.Since(start)
	}
	types := make([]ValueType, len(m.Inputs))
	for i, v := range m.Inputs {
		types[i] = TypeOf(v).valueless()
	}
	inferred, inferErr := p.Infer(types)
	_, untypedErr := p.Infer(nil)
	_, traceErr := p.Trace(types, func(Step) error { return nil })
	out, err := p.Run(context.Background(), m.Inputs)
	took := time.Since(start)
	for _, err := range []error{err, inferErr, untypedErr, traceErr} {
		if err != nil && strings.Contains(err.Error(), "internal") {
			t.Errorf("%s: %v: %v", m.What, err, m.Function)
		}
	}
	if err != nil {
		return took
	}
	if len(graphsOf(m.Function.Node)) > 0 {
		return took // inference sees every branch, also those that do not run
	}
	if inferErr != nil && !errors.Is(inferErr, ErrLimit) || untypedErr != nil && !errors.Is(untypedErr, ErrLimit) {
		t.Errorf("%s runs; inference says %v, %v: %v", m.What, inferErr, untypedErr, m.Function)
		return took
	}
	for i := range inferred {
		if out[i] != nil {
			checkInferred(t, inferred[i], out[i])
		}
	}
	return took
}
