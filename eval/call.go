// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"slices"

	"github.com/structview/structview/tensor"
)

// call is what a kernel sees: one execution of a node. The embedded typing has the types of the inputs
// as they are, and of the outputs as the operator's infer function gave them.
type call struct {
	typing
	values  []Value // inputs, nil where not given
	results []Value // outputs
	meter   *meter
	// run executes a graph attribute.
	run func(g *graph, inputs []Value) ([]Value, error)
}

// tensor returns input i, nil if it is not given or no tensor.
func (c *call) tensor(i int) *tensor.Tensor {
	if i >= len(c.values) {
		return nil
	}
	t, _ := c.values[i].(*tensor.Tensor)
	return t
}

// sequence returns input i, nil if it is no sequence.
func (c *call) sequence(i int) *Sequence {
	if i >= len(c.values) {
		return nil
	}
	s, _ := c.values[i].(*Sequence)
	return s
}

// put sets output i.
func (c *call) put(i int, v Value) {
	if c.wanted(i) {
		c.results[i] = v
	}
}

// reserve checks the limits for a further tensor that is about to be made. Outputs whose shape
// infer gave are reserved already.
func (c *call) reserve(t tensor.Type, dims []int64) error {
	n, err := product(dims)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLimit, err)
	}
	size, err := sizeOf(t, n)
	if err != nil {
		return err
	}
	if size > c.meter.left.Bytes {
		return fmt.Errorf("%w: %v%s takes %d bytes, %d are left", ErrLimit, t, dimsText(true, dims), size, c.meter.left.Bytes)
	}
	return c.meter.elements(n)
}

// scratch checks that n elements of type t, which a kernel needs for a while beside its outputs, are within the
// limits. It does not count them.
func (c *call) scratch(t tensor.Type, n int64) error {
	size, err := sizeOf(t, n)
	if err == nil && size > c.meter.left.Bytes {
		err = fmt.Errorf("%w: %d bytes of scratch, %d are left", ErrLimit, size, c.meter.left.Bytes)
	}
	return err
}

// float64s and int64s convert all elements of a tensor, within the limits.
func (c *call) float64s(t *tensor.Tensor) ([]float64, error) {
	if err := c.scratch(tensor.Double, t.Len()); err != nil {
		return nil, err
	}
	return tensor.Float64s(t)
}

func (c *call) int64s(t *tensor.Tensor) ([]int64, error) {
	if err := c.scratch(tensor.Int64, t.Len()); err != nil {
		return nil, err
	}
	return tensor.Int64s(t)
}

// steps counts n steps of an inner loop beyond the elements read and written, as those of a matrix
// product, before they are done.
func (c *call) steps(n int64) error {
	if err := c.meter.elements(n); err != nil {
		return err
	}
	return c.meter.ctx.Err()
}

// outDims returns the dimensions of output i, which infer gave in full.
func (c *call) outDims(i int) []int64 { return c.out[i].Dims }

// outLen returns the number of elements of output i.
func (c *call) outLen(i int) int64 {
	n, _ := product(c.out[i].Dims)
	return n
}

// putSlice makes output i of v, whose Go type must fit the output's element type.
func putSlice[T tensor.Native | tensor.Code](c *call, i int, v []T) error {
	t, err := tensor.FromSlice(c.out[i].Element, c.out[i].Dims, v)
	if err != nil {
		return err
	}
	c.put(i, t)
	return nil
}

// viaFloat makes a kernel for FLOAT serve FLOAT16 and BFLOAT16 too: inputs are
// widened (exactly), the kernel runs on FLOAT, and outputs are rounded once.
func viaFloat(run func(c *call) error) func(c *call) error {
	return func(c *call) error {
		if !slices.ContainsFunc(c.in, halfType) && !slices.ContainsFunc(c.out, halfType) {
			return run(c)
		}
		wide := *c
		wide.in = append([]ValueType{}, c.in...)
		wide.out = append([]ValueType{}, c.out...)
		wide.values = append([]Value{}, c.values...)
		wide.results = make([]Value, len(c.results))
		for i := range wide.values {
			t := c.tensor(i)
			if t == nil || !half(t.Type()) {
				continue
			}
			f, err := c.widen(t)
			if err != nil {
				return err
			}
			wide.values[i], wide.in[i] = f, TypeOf(f)
		}
		for i := range wide.out {
			if half(wide.out[i].Element) {
				wide.out[i].Element = tensor.Float
			}
		}
		if err := run(&wide); err != nil {
			return err
		}
		return narrowResults(c, wide.results)
	}
}

func halfType(t ValueType) bool { return t.Kind == KindTensor && half(t.Element) }

func half(t tensor.Type) bool { return t == tensor.Float16 || t == tensor.BFloat16 }

func (c *call) widen(t *tensor.Tensor) (*tensor.Tensor, error) {
	if err := c.scratch(tensor.Float, t.Len()); err != nil {
		return nil, err
	}
	v, err := tensor.Float32s(t)
	if err != nil {
		return nil, err
	}
	return tensor.FromSlice(tensor.Float, t.Dims(), v)
}

func narrowResults(c *call, results []Value) error {
	for i, v := range results {
		t, ok := v.(*tensor.Tensor)
		if ok && c.out[i].Kind == KindTensor && half(c.out[i].Element) && t.Type() == tensor.Float {
			n, err := tensor.FromFloat32s(c.out[i].Element, t.Dims(), tensor.Slice[float32](t), false, tensor.RoundNearest)
			if err != nil {
				return err
			}
			v = n
		}
		c.results[i] = v
	}
	return nil
}
