// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// errNoProgram says that a decoder's rows are independent, and that it still cannot be run on a few
// of them: a shape in it counts rows in a way that is not understood.
var errNoProgram = errors.New("no program for fewer rows")

// programs are a decoder's programs for other numbers of rows than its own.
type programs struct {
	mu    sync.Mutex
	known map[int64]*eval.Program // nil: there is none
}

// mostPrograms bounds what is kept. Callers ask for one length again and again.
const mostPrograms = 16

func (p *rowProof) program(rows int64) (*eval.Program, error) {
	if rows == p.payload {
		return p.d.program, nil
	}
	p.rows.mu.Lock()
	defer p.rows.mu.Unlock()
	program, ok := p.rows.known[rows]
	if !ok {
		program = p.compile(rows)
		if p.rows.known == nil || len(p.rows.known) >= mostPrograms {
			p.rows.known = map[int64]*eval.Program{}
		}
		p.rows.known[rows] = program
	}
	if program == nil {
		return nil, errNoProgram
	}
	return program, nil
}

// compile writes the traced decoder again for another number of rows. Whatever is known
// statically stays as it was for all rows; only target shapes are made to fit.
func (p *rowProof) compile(rows int64) *eval.Program {
	w := &rowWriter{p: p, rows: rows, written: map[int]bool{}}
	fn, err := w.function()
	if err != nil {
		return nil
	}
	program, err := eval.Compile(fn, eval.Env{Limits: p.d.env.Limits})
	if err != nil {
		return nil
	}
	in := types(p.d.inputs)
	for i, b := range p.d.inputs {
		if b.leaf.Constant == nil {
			in[i].Dims = append([]int64{rows}, in[i].Dims[1:]...)
		}
	}
	out, err := program.Infer(in)
	want := append([]int64{rows * p.ratio}, p.d.output.Dims[1:]...)
	if err != nil || !out[0].Static() || !slices.Equal(out[0].Dims, want) {
		return nil
	}
	return program
}

type rowWriter struct {
	p       *rowProof
	rows    int64
	nodes   []*onnxpb.NodeProto
	written map[int]bool
}

func valueName(v int) string {
	if v < 0 {
		return ""
	}
	return fmt.Sprint("v", v)
}

// function writes the steps that are not known statically. It imports the one operator set that has
// all of them in their versions.
func (w *rowWriter) function() (*onnxpb.FunctionProto, error) {
	f := w.p.flow
	fn := &onnxpb.FunctionProto{Output: []string{valueName(f.output)}}
	for v := range f.inputs {
		fn.Input = append(fn.Input, valueName(v))
		w.written[v] = true
	}
	opset := int64(allOperators)
	for i := range f.steps {
		if s := &f.steps[i]; !w.known(s) {
			opset = max(opset, s.Since)
		}
	}
	for i := range f.steps {
		s := &f.steps[i]
		if w.known(s) {
			continue
		}
		if since, ok := eval.SinceVersion(s.Domain, s.Op, opset); !ok || since != s.Since || s.Domain != "" {
			return nil, fmt.Errorf("operator set %d does not have version %d of %s", opset, s.Since, s.Op)
		}
		if err := w.step(s); err != nil {
			return nil, err
		}
	}
	fn.Node, fn.OpsetImport = w.nodes, []*onnxpb.OperatorSetIdProto{{Version: opset}}
	return fn, nil
}

// allOperators is an operator set that has what is written here besides the steps.
const allOperators = 14

// known reports whether every output of a step is a value that need not be computed.
func (w *rowWriter) known(s *step) bool {
	for _, v := range s.out {
		if v >= 0 && w.p.flow.types[v].Known == nil {
			return false
		}
	}
	return true
}

func (w *rowWriter) step(s *step) error {
	if len(s.Captured) > 0 {
		return errors.New("a subgraph reads names from outside")
	}
	n := &onnxpb.NodeProto{Name: s.called(), OpType: s.Op, Attribute: s.attributes()}
	for _, v := range s.in {
		w.constant(v)
		n.Input = append(n.Input, valueName(v))
	}
	for _, v := range s.out {
		n.Output = append(n.Output, valueName(v))
		if v >= 0 {
			w.written[v] = true
		}
	}
	if (s.Op == "Reshape" || s.Op == "Expand") && !w.p.state[s.out[0]].constant {
		dims, err := w.scaled(w.p.flow.types[s.out[0]].Dims)
		if err != nil {
			return err
		}
		n.Input[1] = n.Output[0] + " dims"
		w.tensor(n.Input[1], tensor.Of([]int64{int64(len(dims))}, dims...))
		if s.Op == "Reshape" {
			n.Attribute = []*onnxpb.AttributeProto{{Name: "allowzero", Type: onnxpb.AttributeProto_INT, I: 1}}
		}
	}
	w.nodes = append(w.nodes, n)
	return nil
}

// scaled gives the dimensions for fewer rows: the first dimension that is not 1 counts them.
func (w *rowWriter) scaled(dims []int64) ([]int64, error) {
	out := slices.Clone(dims)
	for i, d := range dims {
		if d == 1 {
			continue
		}
		if d%w.p.payload != 0 {
			break
		}
		out[i] = d / w.p.payload * w.rows
		return out, nil
	}
	return nil, fmt.Errorf("dimensions %v do not begin with a multiple of %d rows", dims, w.p.payload)
}

// constant writes a value that is known instead of the steps that made it.
func (w *rowWriter) constant(v int) {
	if v < 0 || w.written[v] {
		return
	}
	w.written[v] = true
	w.tensor(valueName(v), w.p.flow.types[v].Known)
}

func (w *rowWriter) tensor(name string, t *tensor.Tensor) {
	w.nodes = append(w.nodes, &onnxpb.NodeProto{
		OpType: "Constant", Output: []string{name},
		Attribute: []*onnxpb.AttributeProto{{Name: "value", Type: onnxpb.AttributeProto_TENSOR, T: t.Proto("")}},
	})
}
