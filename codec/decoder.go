// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/structview/structview"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/internal/fault"
	"github.com/structview/structview/tensor"
)

// decoder is a function whose inputs are bound and whose types are inferred.
type decoder struct {
	root    *structview.Type
	env     Env
	inputs  []binding
	program *eval.Program
	output  eval.ValueType // a tensor

	planned sync.Once // for what follows
	kernels *kernels
	reasons []string // what stood in the way of kernels, or of finer blocks

	once  sync.Once // for what follows
	rows  *rowProof
	mixes error // why rows is nil
}

// decoder binds and infers the decoder of the root; nil without faults if it has none.
func (b *builder) decoder(at string) (*decoder, faults) {
	fn := b.root.Decoder()
	if fn == nil {
		return nil, nil
	}
	var f faults
	if len(fn.Output) != 1 {
		f.add(structview.ErrCodecOutput, at, "a decoder has exactly one output, this one has %d", len(fn.Output))
	}
	d := &decoder{root: b.root, env: b.env}
	leaves := newBinder(b.root, fn)
	for i, name := range fn.Input {
		d.inputs = append(d.inputs, leaves.input(name, child(at, "input", i), &f))
	}
	d.program = b.compile(fn, at, &f)
	if len(f) > 0 {
		return nil, f
	}
	out, err := d.program.Infer(types(d.inputs))
	if err != nil {
		f.wrap(at, err)
		return nil, f
	}
	d.output = out[0]
	if d.output.Kind != eval.KindTensor && d.output.Kind != eval.KindUnknown {
		f.add(ErrCodec, child(at, "output", 0), "a decoder gives a tensor, %q is %v", fn.Output[0], d.output)
	}
	if want := leaves.declared[fn.Output[0]]; !fits(want, d.output) {
		f.add(ErrCodec, child(at, "output", 0), "output %q: the function declares %v, it gives %v", fn.Output[0], want, plain(d.output))
	}
	if len(f) > 0 {
		return nil, f
	}
	return d, nil
}

// input binds one input to a leaf.
func (b *binder) input(name, at string, f *faults) binding {
	bound, err := b.bind(name)
	if err != nil {
		why, rule := because(err)
		f.add(rule, at, "input %q: %s", name, why)
		return bound
	}
	if want := b.declared[name]; !fits(want, bound.typ) {
		f.add(ErrCodec, at, "input %q: the function expects %v, the path %s is %v", name, want, bound.leaf.Path, plain(bound.typ))
	}
	return bound
}

// runner executes a program: by itself, or as a part of a graph that runs.
type runner func(p *eval.Program, in []eval.Value) ([]eval.Value, error)

func alone(ctx context.Context) runner {
	return func(p *eval.Program, in []eval.Value) ([]eval.Value, error) { return p.Run(ctx, in) }
}

// all decodes the whole value through eval.
func (d *decoder) all(run runner, v structview.View) (*tensor.Tensor, error) {
	in := make([]eval.Value, len(d.inputs))
	for i, b := range d.inputs {
		var err error
		if in[i], err = structview.BindLeaf(v, b.leaf); err != nil {
			return nil, err
		}
	}
	return decoded(run, d.program, in)
}

// decoded executes a decoder's program. Memory that is a mapped file's may fail under it.
func decoded(run runner, p *eval.Program, in []eval.Value) (t *tensor.Tensor, err error) {
	err = fault.Guard(func() error {
		out, err := run(p, in)
		if err != nil {
			return fmt.Errorf("decoder: %w", err)
		}
		var ok bool
		if t, ok = out[0].(*tensor.Tensor); !ok {
			return fmt.Errorf("decoder: the output is no tensor but %v", plain(eval.TypeOf(out[0])))
		}
		return nil
	})
	return t, err
}

func types(inputs []binding) []eval.ValueType {
	list := make([]eval.ValueType, len(inputs))
	for i := range inputs {
		list[i] = inputs[i].typ
	}
	return list
}

// fits reports whether a value of type got may stand where want is stated. What is not
// known statically fits.
func fits(want, got eval.ValueType) bool {
	if want.Kind == eval.KindUnknown || got.Kind == eval.KindUnknown {
		return true
	}
	if want.Kind != eval.KindTensor || got.Kind != eval.KindTensor {
		return want.Kind == got.Kind
	}
	if want.Element != got.Element && want.Element != tensor.Undefined && got.Element != tensor.Undefined {
		return false
	}
	if !want.Ranked || !got.Ranked {
		return true
	}
	return slices.EqualFunc(want.Dims, got.Dims, func(a, b int64) bool { return a == b || a < 0 || b < 0 })
}
