// SPDX-License-Identifier: Apache-2.0

// Package plan finds out how a decoder can run as tile kernels: it traces the
// decoder on lane numbers, proves what the numbers can be, and matches the result
// against the table of package kernel. Every rewrite is exact; what cannot be
// proved is not done, and the plan says which node stood in the way.
package plan

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/structview/structview"
	"github.com/structview/structview/codec/internal/kernel"
	"github.com/structview/structview/codec/internal/strip"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// Plan is a decoder cut into blocks and, if Program is not nil, turned into
// kernels.
type Plan struct {
	Cut     int   // leading dimensions of the root that count blocks
	Blocks  int64 // how many blocks a value has
	Stride  int   // bytes of a block
	Lanes   int   // output elements of a block
	Element tensor.Type
	Dims    []int64 // of the output
	Program *kernel.Program
	Stores  []kernel.Store // behind the program, where the output is not FLOAT
	Strips  *strip.Program // in the place of Program and Stores, where strips are better
	Arrange kernel.Arrangement
	// Reasons are what stood in the way of a finer cut or of kernels.
	Reasons []string

	cost   float64 // of the kernels, as matches have it
	work   int64   // units that planning took
	floats func() (*kernel.Program, kernel.Narrowing)
	merged func() (*kernel.Program, int)
}

// Env is what surrounds a decoder.
type Env struct {
	Functions []*onnxpb.FunctionProto
	Opsets    []*onnxpb.OperatorSetIdProto // of the decoder, where it has none itself
	Limits    eval.Limits

	literals *literals // shared by all tries of a decoder

	joined bool // blocks are taken together for the sake of kernels

	// Tests only.
	without obligation
	strips  bool // or nothing
	watch   func(stage string, g *graph)
}

// ErrNoCut says that a decoder cannot be traced even on a whole value.
var ErrNoCut = errors.New("the decoder cannot be traced")

// Decoder plans a decoder of a root.
func Decoder(root *structview.Type, fn *onnxpb.FunctionProto, env Env) (*Plan, error) {
	env.literals = newLiterals(fn, env)
	plan, err := decoder(root, fn, env)
	plan.work = env.literals.work.done
	plan.floats = sync.OnceValues(plan.floatProgram)
	plan.merged = sync.OnceValues(plan.merge)
	return plan, err
}

func decoder(root *structview.Type, fn *onnxpb.FunctionProto, env Env) (*Plan, error) {
	plan := &Plan{}
	counts, types := arrays(root)
	if root.Bits() == 0 {
		plan.Reasons = []string{"the value has no elements"}
		return plan, ErrNoCut
	}
	for cut := len(counts); cut >= 0; cut-- {
		traced, proposed, err := plan.try(root, fn, env, cut, counts[:cut], types[cut], 1)
		if err == nil {
			if larger := plan.joined(root, fn, env, counts[:cut], types[cut]); larger != nil {
				return larger, nil
			}
			plan.lower(traced, env)
			return plan, nil
		}
		plan.Reasons = refused(plan.Reasons, cut, err)
		slices.Sort(proposed)
		for _, fold := range proposed[:min(len(proposed), maxFolds)] {
			if counts[cut-1]%fold != 0 {
				continue
			}
			if traced, _, err = plan.try(root, fn, env, cut, counts[:cut], types[cut], fold); err == nil {
				plan.lower(traced, env)
				return plan, nil
			}
			plan.Reasons = append(plan.Reasons, fmt.Sprintf("%d of them at a time: %v", fold, err))
		}
	}
	return plan, ErrNoCut
}

// maxFolds bounds how many ways are tried to take blocks together as Reshapes do.
const maxFolds = 4

// fewLanes is the size of blocks below which several are joined into one, up to
// joinedLanes: kernels work block by block.
const (
	fewLanes    = 32
	joinedLanes = 256
	joinedBytes = 1 << 16 // of the payload: more do not stay in the first caches
)

// joined plans runs of small blocks as one block, within the last dimension that
// counts them; nil if that does not work.
func (p *Plan) joined(root *structview.Type, fn *onnxpb.FunctionProto, env Env, counts []int64, block *structview.Type) *Plan {
	if p.Lanes >= fewLanes || len(counts) == 0 {
		return nil
	}
	defer env.literals.work.keep()()
	last := counts[len(counts)-1]
	for fold := min(joinedLanes/int64(p.Lanes), last); fold > 1; fold-- {
		if last%fold != 0 || int64(p.Stride)*fold > joinedBytes {
			continue
		}
		larger := &Plan{Reasons: slices.Clone(p.Reasons)}
		traced, _, err := larger.try(root, fn, env, len(counts), counts, block, fold)
		if err != nil {
			return nil
		}
		env.joined = true
		if larger.lower(traced, env); larger.Program != nil {
			return larger
		}
		return nil
	}
	return nil
}

// arrays lists the arrays around a root's first structure: how many elements
// each has, and the type below the first k of them.
func arrays(root *structview.Type) ([]int64, []*structview.Type) {
	counts, types := []int64{}, []*structview.Type{root}
	for t := root; t.Kind() == structview.KindArray; {
		counts = append(counts, int64(t.Len()))
		t = t.Elem()
		types = append(types, t)
	}
	return counts, types
}

// traced is the output of one block.
type traced struct {
	*graph
	lanes
}

// try traces with a cut; fold elements of its last array are a block. If it fails, it
// returns larger folds that Reshapes suggest.
func (p *Plan) try(root *structview.Type, fn *onnxpb.FunctionProto, env Env, cut int, counts []int64, block *structview.Type, fold int64) (traced, []int64, error) {
	bytes, whole := block.Bytes()
	if !whole || bytes > 1<<20 {
		return traced{}, nil, fmt.Errorf("a block has %d bits", block.Bits())
	}
	if bytes *= uint64(fold); bytes > tileBytes { // and 32 bits count the bits of a block
		return traced{}, nil, fmt.Errorf("blocks of %d bytes are taken together", bytes)
	}
	blocks := count(counts) / fold
	g := newGraph(env.literals)
	g.without = env.without
	t := &tracer{g: g, functions: env.Functions, blocks: blocks, fold: fold, stride: int64(block.Bits())}
	inputs, err := t.inputs(root, fn, cut)
	if err != nil {
		return traced{}, nil, err
	}
	outputs, err := t.function(fn, inputs, nil)
	if err != nil {
		return traced{}, t.proposed, err
	}
	out := outputs[0]
	if out.known != nil || count(out.dims) == 0 {
		return traced{}, nil, errors.New("the output does not depend on the payload")
	}
	if fold, ok := fillsBytes(out, blocks); !ok {
		return traced{}, append(t.proposed, fold), fmt.Errorf("a block has %d elements of %v, which fill no whole bytes", len(out.lanes.m), out.elem)
	}
	p.Cut, p.Blocks, p.Stride, p.Lanes = cut, blocks, int(bytes), len(out.lanes.m)
	p.Element, p.Dims = out.elem, out.dims
	return traced{g, out.lanes}, nil, nil
}

// lower finds a program for what was traced.
func (p *Plan) lower(x traced, env Env) {
	env.show("trace", x.graph)
	if err := p.kernels(x.graph, x.lanes); err != nil {
		p.Reasons = append(p.Reasons, err.Error())
	}
	p.addStrips(x.graph, x.lanes, env)
	env.show("facts", x.graph)
}

// fillsBytes reports whether blocks of output elements begin at whole bytes, and else
// how many blocks together do.
func fillsBytes(out *symbol, blocks int64) (fold int64, ok bool) {
	fold = 1
	for bits := uint64(len(out.lanes.m)) * out.elem.Bits(); bits*uint64(fold)%8 != 0; {
		fold *= 2
	}
	return fold, fold == 1 || blocks == 1
}

func (e Env) show(stage string, g *graph) {
	if e.watch != nil {
		e.watch(stage, g)
	}
}

// inputs binds a decoder's inputs to leaves.
func (t *tracer) inputs(root *structview.Type, fn *onnxpb.FunctionProto, cut int) ([]*symbol, error) {
	in := make([]*symbol, len(fn.Input))
	for i, name := range fn.Input {
		leaf, err := root.Layout().Leaf(name)
		if err != nil {
			return nil, err
		}
		if leaf.Constant != nil {
			in[i] = known(leaf.Constant)
			continue
		}
		if leaf.Element.Bits() == 0 || leaf.Element.Bits() > 64 {
			return nil, fmt.Errorf("leaf %s is of type %v", name, leaf.Element)
		}
		if in[i], err = t.leaf(leaf, cut); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// kernels turns output lanes into a program, and for types other than FLOAT into the
// stores that follow it.
func (p *Plan) kernels(g *graph, l lanes) error {
	if p.Element.IsComplex() {
		return fmt.Errorf("the output is %v", p.Element)
	}
	e := newEmitter(p.Stride, p.Lanes)
	if p.Element != tensor.Float {
		e.program.Lanes = 0
	}
	pieces, order := outputPieces(l)
	if g.findCommon(pieces); order != nil {
		pieces, order = outputPieces(g.woven(l))
	}
	if len(pieces) > maxPieces {
		return fmt.Errorf("the output consists of %d pieces of different formulas", len(pieces))
	}
	var stores []kernel.Store
	at := 0
	for _, piece := range pieces {
		n := len(piece.m)
		places := order
		if order != nil {
			places = order[at : at+n]
		}
		store, cost, ok := g.piece(e, piece, at, places)
		switch {
		case !ok && !g.spend(0):
			return errWork
		case !ok:
			return fmt.Errorf("no kernels for lanes %d to %d: %s", at, at+n, piece.v)
		}
		if store != nil {
			stores = append(stores, store)
		}
		p.cost += cost * float64(n) / float64(len(l.m))
		at += n
	}
	e.placeAll()
	p.Program, p.Stores = e.program, stores
	p.Arrange = kernel.Arrangement{Order: order, Bits: int(p.Element.Bits()), Width: storeWidth(p.Element), Lanes: p.Lanes}
	return nil
}

// piece emits one piece of the output, which begins at a lane; or whose lanes have
// places of their own. It returns its cost for 32 lanes.
func (g *graph) piece(e *emitter, l lanes, at int, places []int32) (kernel.Store, float64, bool) {
	if l.v.elem != tensor.Float {
		plan, ok := g.store(l)
		if !ok {
			return nil, 0, false
		}
		return plan.emit(e, at), plan.cost, true
	}
	plan, ok := g.whole(l)
	if !ok {
		return nil, 0, false
	}
	if places != nil {
		e.place(plan.buffer(e, l), places)
		return nil, plan.cost + costFloatBytes + costInterleave, true
	}
	plan.outward(e, at)
	return nil, plan.cost, true
}

// RowIndependent reports whether row i of the output, an index of its first
// dimension, depends on row i of the payload alone.
func (p *Plan) RowIndependent() bool {
	return p.Cut > 0 && len(p.Dims) > 0 && p.Blocks%max(p.Dims[0], 1) == 0
}
