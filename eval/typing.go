// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"math"
	"slices"

	"github.com/structview/structview/tensor"
)

// unknown marks an unknown dimension.
const unknown = int64(-1)

// typing is what an operator's infer function sees: the types of a node's inputs, its attributes,
// and the outputs' types, whose element types the schema has filled in already.
type typing struct {
	op   *operator
	attr *attributes
	in   []ValueType // KindAbsent where not given
	out  []ValueType // one for each output of the node, named or not
	// subgraph infers the outputs of a graph attribute.
	subgraph func(g *graph, inputs []ValueType) ([]ValueType, error)
}

// given reports whether input i is there.
func (c *typing) given(i int) bool { return i < len(c.in) && c.in[i].Kind != KindAbsent }

// wanted reports whether the node has output i.
func (c *typing) wanted(i int) bool { return i < len(c.out) }

// dims returns the dimensions of input i (-1 where unknown), false if not even their number is known.
func (c *typing) dims(i int) ([]int64, bool) {
	if i >= len(c.in) || c.in[i].Kind != KindTensor || !c.in[i].Ranked {
		return nil, false
	}
	return c.in[i].Dims, true
}

// element returns the element type of input i, Undefined if unknown.
func (c *typing) element(i int) tensor.Type {
	if i >= len(c.in) || c.in[i].Kind != KindTensor {
		return tensor.Undefined
	}
	return c.in[i].Element
}

// known returns the value of input i where it is known.
func (c *typing) known(i int) *tensor.Tensor {
	if i >= len(c.in) {
		return nil
	}
	return c.in[i].Known
}

// ints returns the elements of the integer input i, false if they are not known.
func (c *typing) ints(i int) ([]int64, bool) {
	t := c.known(i)
	if t == nil || !t.Type().IsInteger() {
		return nil, false
	}
	v, err := tensor.Int64s(t)
	return v, err == nil
}

// count returns the number of elements of the one-dimensional input i, -1 if unknown.
func (c *typing) count(i int) int64 {
	if d, ok := c.dims(i); ok && len(d) == 1 {
		return d[0]
	}
	return unknown
}

// vector refuses an input i, of the given name, that is not one-dimensional.
func (c *typing) vector(i int, name string) error {
	if d, ok := c.dims(i); ok && len(d) != 1 {
		return fmt.Errorf("%s is %s, expected one dimension", name, dimsText(true, d))
	}
	return nil
}

// setDims sets the dimensions of output i.
func (c *typing) setDims(i int, dims ...int64) {
	if !c.wanted(i) {
		return
	}
	c.out[i].Kind, c.out[i].Ranked = KindTensor, true
	c.out[i].Dims = append([]int64{}, dims...)
}

// setElement sets the element type of output i.
func (c *typing) setElement(i int, t tensor.Type) {
	if c.wanted(i) {
		c.out[i].Kind, c.out[i].Element = KindTensor, t
	}
}

// setRank sets the dimensions of output i to n unknown ones; n of -1 does nothing.
func (c *typing) setRank(i int, n int64) {
	if n >= 0 && n <= 64 {
		c.setDims(i, unknowns(int(n))...)
	}
}

func unknowns(n int) []int64 {
	dims := make([]int64, n)
	for i := range dims {
		dims[i] = unknown
	}
	return dims
}

// set sets the whole type of output i.
func (c *typing) set(i int, t ValueType) {
	if c.wanted(i) {
		c.out[i] = t
	}
}

// axis returns a possibly negative axis in 0 to rank-1.
func axis(a int64, rank int) (int, error) {
	r := int64(rank)
	if a < -r || a >= r {
		return 0, fmt.Errorf("axis %d is not in [%d, %d]", a, -r, r-1)
	}
	if a < 0 {
		a += r
	}
	return int(a), nil
}

// axes returns possibly negative, distinct axes in 0 to rank-1, in the order given.
func axes(list []int64, rank int) ([]int, error) {
	out := make([]int, len(list))
	seen := make(map[int]bool, len(list))
	for i, a := range list {
		k, err := axis(a, rank)
		if err != nil {
			return nil, err
		}
		if seen[k] {
			return nil, fmt.Errorf("axis %d occurs twice", a)
		}
		seen[k], out[i] = true, k
	}
	return out, nil
}

// product returns the product of dimensions, -1 if one is unknown (unless another is 0).
func product(dims []int64) (int64, error) {
	n, open := int64(1), false
	if slices.Contains(dims, 0) {
		return 0, nil
	}
	for _, d := range dims {
		switch {
		case d < 0:
			open = true
		case n > math.MaxInt64/d:
			return 0, fmt.Errorf("a shape of %s has 2^63 elements or more", dimsText(true, dims))
		default:
			n *= d
		}
	}
	if open {
		return unknown, nil
	}
	return n, nil
}

// inferSame gives output 0 the dimensions of input 0.
func inferSame(c *typing) error {
	if d, ok := c.dims(0); ok {
		c.setDims(0, d...)
	}
	return nil
}

// inferBroadcast gives output 0 the dimensions of all inputs broadcast together.
func inferBroadcast(c *typing) error {
	dims := []int64{}
	for i := range c.in {
		d, ok := c.dims(i)
		if !ok {
			if c.given(i) {
				return nil
			}
			continue
		}
		var err error
		if dims, err = broadcast(dims, d); err != nil {
			return err
		}
	}
	c.setDims(0, dims...)
	return nil
}

// broadcast returns the common shape of two shapes under ONNX's multidirectional rule.
func broadcast(a, b []int64) ([]int64, error) {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := append([]int64{}, a...)
	for i := range b {
		x, y := a[len(a)-1-i], b[len(b)-1-i]
		o := &out[len(a)-1-i]
		switch {
		case x == y || y == 1:
		case x == 1:
			*o = y
		case x == unknown:
			*o = y // a known dimension other than 1 decides
		case y == unknown:
		default:
			return nil, fmt.Errorf("shapes %s and %s do not broadcast", dimsText(true, a), dimsText(true, b))
		}
	}
	return out, nil
}
