// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/structview/structview"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// encoder is a function whose outputs are bound to every payload path.
type encoder struct {
	root    *structview.Type
	name    string    // of the free input
	free    int       // its index
	inputs  []binding // the others are constants
	outputs []binding
	program *eval.Program
	input   eval.ValueType // of the logical value; unknown if neither encoder nor decoder tells
	env     Env

	planned sync.Once // for what follows
	fast    *strips
	reasons []string // what stood in the way of strips, or of finer blocks
}

// encoder binds and infers the encoder of the root; nil without faults if it has none.
// d is the root's decoder, whose output tells what an encoder gets.
func (b *builder) encoder(at string, d *decoder) (*encoder, faults) {
	fn := b.root.Encoder()
	if fn == nil {
		return nil, nil
	}
	var f faults
	e := &encoder{root: b.root, env: b.env}
	leaves := newBinder(b.root, fn)
	e.bindInputs(fn, leaves, at, &f)
	e.bindOutputs(fn, leaves, at, &f)
	e.program = b.compile(fn, at, &f)
	if len(f) > 0 {
		return nil, f
	}
	e.input = leaves.declared[e.name]
	if e.input.Kind == eval.KindUnknown && d != nil {
		e.input = plain(d.output)
	}
	e.infer(fn, at, &f)
	if len(f) > 0 {
		return nil, f
	}
	return e, nil
}

// bindInputs finds the one input that is no path; the others are constants (SV047).
func (e *encoder) bindInputs(fn *onnxpb.FunctionProto, leaves *binder, at string, f *faults) {
	var free []string // the first few
	count := 0
	for i, name := range fn.Input {
		bound, err := leaves.bind(name)
		switch {
		case errors.As(err, new(errNoPath)):
			if why, _ := because(err); len(free) < mostHelp {
				free = append(free, fmt.Sprintf("%q (%s)", name, why))
			}
			e.name, e.free = name, i
			count++
		case err != nil || bound.leaf.Constant == nil:
			f.add(ErrEncoder, child(at, "input", i), "input %q binds a part of the payload, and an encoder sees constants alone", name)
		}
		e.inputs = append(e.inputs, bound)
	}
	switch {
	case count == 0:
		f.add(ErrEncoder, at, "an encoder has one input that is no path, the logical value; this one has none")
	case count > 1:
		f.add(ErrEncoder, at, "an encoder has one input that is no path, the logical value; this one has %d: %s",
			count, strings.Join(free, ", "))
	}
}

// bindOutputs binds each output to a payload path and demands that none is left out.
func (e *encoder) bindOutputs(fn *onnxpb.FunctionProto, leaves *binder, at string, f *faults) {
	produced := map[string]bool{}
	for i, name := range fn.Output {
		bound, err := leaves.bind(name)
		switch {
		case err != nil:
			why, rule := because(err)
			if rule == ErrCodec {
				rule = ErrEncoder
			}
			f.add(rule, child(at, "output", i), "output %q: %s", name, why)
			produced[bound.leaf.Path] = true // but for its faults
		case bound.leaf.Constant != nil:
			f.add(ErrEncoder, child(at, "output", i), "output %q binds a constant, which has no bits in the payload", name)
		default:
			produced[bound.leaf.Path] = true
		}
		e.outputs = append(e.outputs, bound)
	}
	delete(produced, "")
	if missing := unproduced(e.root, produced); missing != "" {
		f.add(ErrEncoder, at, "an encoder produces every payload path; %s", missing)
	}
}

// infer checks the inferred outputs against the paths.
func (e *encoder) infer(fn *onnxpb.FunctionProto, at string, f *faults) {
	in := types(e.inputs)
	in[e.free] = e.input
	out, err := e.program.Infer(in)
	switch {
	case errors.Is(err, eval.ErrLimit): // a large value may still be decoded
		f.put(ErrLimit, structview.Unsupported, at, err, err.Error())
		return
	case err != nil:
		f.wrap(at, err)
		return
	}
	for i, b := range e.outputs {
		if !fits(b.typ, out[i]) {
			f.add(ErrEncoder, child(at, "output", i), "output %q: the path is %v, the encoder gives %v", fn.Output[i], b.typ, out[i])
		}
	}
}

// run executes through eval and packs.
func (e *encoder) run(run runner, x *tensor.Tensor) ([]byte, error) {
	if err := e.accepts(x); err != nil {
		return nil, err
	}
	size, err := e.size()
	if err != nil {
		return nil, err
	}
	in := make([]eval.Value, len(e.inputs))
	for i, b := range e.inputs {
		in[i] = b.leaf.Constant
	}
	in[e.free] = x
	out, err := run(e.program, in)
	if err != nil {
		return nil, fmt.Errorf("encoder: %w", err)
	}
	parts, err := e.parts(out)
	if err != nil {
		return nil, err
	}
	// The outputs have the dimensions of every path, so that size is about theirs.
	payload := make([]byte, size)
	for i, t := range parts {
		if err := pack(payload, e.outputs[i].leaf, t); err != nil {
			return nil, fmt.Errorf("encoder: output %q: %w", e.outputs[i].leaf.Path, err)
		}
	}
	return payload, nil
}

// parts checks that the outputs are what the paths hold.
func (e *encoder) parts(out []eval.Value) ([]*tensor.Tensor, error) {
	list := make([]*tensor.Tensor, len(out))
	for i, v := range out {
		want := e.outputs[i].typ
		t, ok := v.(*tensor.Tensor)
		if !ok || t.Type() != want.Element || !slices.Equal(t.Dims(), want.Dims) {
			return nil, fmt.Errorf("encoder: output %q: the path is %v, the encoder gives %v", e.outputs[i].leaf.Path, want, plain(eval.TypeOf(v)))
		}
		list[i] = t
	}
	return list, nil
}

// plain is t without the value.
func plain(t eval.ValueType) eval.ValueType {
	t.Known = nil
	return t
}
