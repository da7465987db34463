// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/structview/structview"
	"github.com/structview/structview/eval"
	"github.com/structview/structview/internal/fault"
	"github.com/structview/structview/tensor"
)

// RowIndependent proves that row i of the output depends on row i of the payload alone, where the
// rows are the first dimension of both (or the output has a fixed number of rows for each of the payload's).
// Then [Codec.DecodeRows] reads and computes nothing else. The error says why there is no proof, naming
// the node that mixes rows.
//
// The proof looks at shapes: operators that keep the outermost array dimensions in front, in order, cannot
// mix what belongs to different indices of them. Where that does not suffice, a plan proves it that has been
// traced from the payload to the output.
func (c *Codec) RowIndependent() error {
	if c.decoder == nil {
		return ErrNoDecoder
	}
	_, err := c.decoder.proof()
	if err == nil {
		return nil
	}
	// The planner looks into loops, and at what indices pick.
	if c.decoder.wholeRows() {
		return nil
	}
	return err
}

// wholeRows reports whether a plan decodes rows by themselves, each of them out of no more than
// one of the payload's.
func (d *decoder) wholeRows() bool {
	k, cuts := d.fused(), arrays(d.root)
	return k != nil && k.perRow > 0 && len(cuts) > 0 && cuts[0] > 0 && d.output.Dims[0]%cuts[0] == 0
}

// DecodeRows decodes the rows from a to b-1 of the output's first dimension: the result is Decode's, cut
// down to them. Where [Codec.RowIndependent] holds, no other part of the payload is read; otherwise
// the whole value is decoded first.
func (c *Codec) DecodeRows(ctx context.Context, payload []byte, a, b int64) (t *tensor.Tensor, err error) {
	if c.decoder == nil {
		return nil, ErrNoDecoder
	}
	v, err := structview.NewView(c.root, payload)
	if err != nil {
		return nil, err
	}
	err = fault.Guard(func() error {
		t, err = c.decoder.decodeRows(ctx, payload, v, a, b)
		return err
	})
	return t, err
}

func (d *decoder) decodeRows(ctx context.Context, payload []byte, v structview.View, a, b int64) (*tensor.Tensor, error) {
	if k := d.fused(); k != nil && k.perRow > 0 {
		if err := inRange(a, b, d.output.Dims[0]); err != nil {
			return nil, err
		}
		dims := append([]int64{b - a}, d.output.Dims[1:]...)
		return d.fresh(ctx, k, payload, dims, a*k.perRow, (b-a)*k.perRow)
	}
	if p, err := d.proof(); err == nil {
		if err := inRange(a, b, p.payload*p.ratio); err != nil {
			return nil, err
		}
		if t, err := p.decode(ctx, v, a, b); !errors.Is(err, errNoProgram) {
			return t, err
		}
	}
	whole, err := d.all(alone(ctx), v)
	if err != nil {
		return nil, err
	}
	if len(whole.Dims()) == 0 {
		return nil, errors.New("decoder: the value is a scalar, which has no rows")
	}
	if err := inRange(a, b, whole.Dims()[0]); err != nil {
		return nil, err
	}
	return cutRows(whole, a, b)
}

func inRange(a, b, rows int64) error {
	if a < 0 || a > b || b > rows {
		return fmt.Errorf("rows %d:%d are not within 0:%d", a, b, rows)
	}
	return nil
}

// cutRows is t[a:b] of the first dimension; it shares memory with t where rows are whole bytes.
func cutRows(t *tensor.Tensor, a, b int64) (*tensor.Tensor, error) {
	dims := append([]int64{b - a}, t.Dims()[1:]...)
	each := int64(0)
	if rows := t.Dims()[0]; rows > 0 {
		each = t.Len() / rows
	}
	from, n := a*each, (b-a)*each
	if t.Type() == tensor.String {
		return tensor.NewStrings(dims, t.Strings()[from:from+n:from+n])
	}
	width := t.Type().Bits()
	first, bits := uint64(from)*width, uint64(n)*width
	if first%8 == 0 && bits%8 == 0 {
		return tensor.New(t.Type(), dims, t.Bytes()[first/8:(first+bits)/8:(first+bits)/8])
	}
	data := make([]byte, (bits+7)/8)
	orRun(data, 0, t.Bytes(), first, bits)
	return tensor.New(t.Type(), dims, data)
}

// rowProof is a decoder whose rows are independent.
type rowProof struct {
	d       *decoder
	flow    *flow
	state   []lanes
	payload int64 // rows of the payload
	ratio   int64 // rows of the output for each of them
	rows    programs
	tooMany tooMany
}

// proof looks for a cut of the root that keeps the batch, the finest first.
func (d *decoder) proof() (*rowProof, error) {
	d.once.Do(func() { d.rows, d.mixes = d.prove() })
	return d.rows, d.mixes
}

func (d *decoder) prove() (*rowProof, error) {
	cuts := arrays(d.root)
	switch {
	case len(cuts) == 0:
		return nil, errors.New("the root is no array: it has no rows")
	case !d.output.Static():
		return nil, fmt.Errorf("the dimensions of the output, %v, are not known before it runs", plain(d.output))
	case len(d.output.Dims) == 0:
		return nil, errors.New("the output is a scalar: it has no rows")
	}
	rows, out := cuts[0], d.output.Dims[0]
	if rows == 0 || out%rows != 0 {
		return nil, fmt.Errorf("the output has %d rows, the payload %d", out, rows)
	}
	f, err := newFlow(d.program, types(d.inputs))
	if err != nil {
		return nil, err
	}
	p := &rowProof{d: d, flow: f, payload: rows, ratio: out / rows}
	for cut := len(cuts); cut > 0; cut-- {
		if p.state, err = d.cut(f, cuts[:cut]); err == nil {
			return p, nil
		}
	}
	return nil, err
}

// arrays are the lengths of the arrays that the root is made of, outermost first.
func arrays(t *structview.Type) []int64 {
	var list []int64
	for {
		switch t.Kind() {
		case structview.KindArray:
			list = append(list, int64(t.Len()))
			t = t.Elem()
		case structview.KindBitPacking:
			return append(list, int64(t.Len()))
		default:
			return list
		}
	}
}

// cut follows blocks of the given array dimensions.
func (d *decoder) cut(f *flow, dims []int64) ([]lanes, error) {
	b := &batch{flow: f, blocks: 1, state: make([]lanes, len(f.types))}
	for _, n := range dims {
		hi, lo := bits.Mul64(uint64(b.blocks), uint64(n))
		if hi != 0 || lo == 0 || lo > math.MaxInt64 {
			return nil, fmt.Errorf("arrays of %d blocks cannot be followed", dims)
		}
		b.blocks = int64(lo)
	}
	for v, bound := range d.inputs {
		b.state[v] = lanes{constant: bound.leaf.Constant != nil, prefix: max(0, b.prefix(b.dims(v)))}
	}
	return b.state, b.prove()
}

// bind reads n rows from row a on.
func (p *rowProof) bind(v structview.View, a, n int64) ([]eval.Value, error) {
	in := make([]eval.Value, len(p.d.inputs))
	for i, b := range p.d.inputs {
		leaf := b.leaf
		if leaf.Constant == nil {
			leaf.Dims = append([]structview.Dim{}, leaf.Dims...)
			leaf.Offset += uint64(a) * leaf.Dims[0].Stride
			leaf.Dims[0].Len = uint64(n)
		}
		var err error
		if in[i], err = structview.BindLeaf(v, leaf); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// run decodes the payload's rows that hold rows a to b-1 of the output.
func (p *rowProof) run(run runner, v structview.View, a, b int64) (*tensor.Tensor, error) {
	if a == b {
		return tensor.New(p.d.output.Element, append([]int64{0}, p.d.output.Dims[1:]...), nil)
	}
	first, last := a/p.ratio, (b-1)/p.ratio
	program, err := p.program(last + 1 - first)
	if err != nil {
		return nil, err
	}
	in, err := p.bind(v, first, last+1-first)
	if err != nil {
		return nil, err
	}
	t, err := decoded(run, program, in)
	if err != nil {
		return nil, err
	}
	return cutRows(t, a-first*p.ratio, b-first*p.ratio)
}
