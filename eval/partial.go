// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"math"
	"slices"

	"github.com/structview/structview/tensor"
)

// open marks an unknown element of partly known shape arithmetic.
const open = math.MinInt64

// partly returns the elements of an INT64 or INT32 input of rank 0 or 1 as far as they are known; false if nothing is,
// and for a known list that holds the very number that marks an unknown one.
func (c *typing) partly(i int) ([]int64, bool) {
	if i >= len(c.in) {
		return nil, false
	}
	t := c.in[i]
	if t.Known != nil && (t.Element == tensor.Int64 || t.Element == tensor.Int32) && len(t.Dims) <= 1 {
		v, err := tensor.Int64s(t.Known)
		return v, err == nil && !slices.Contains(v, open)
	}
	return t.partial, t.partial != nil
}

// partlyShape is partly for an input that is a shape, in which that number is an error as every other below -1.
func (c *typing) partlyShape(i int) ([]int64, bool, error) {
	if v, ok := c.ints(i); ok && slices.Contains(v, open) {
		return nil, false, fmt.Errorf("shape %v has the dimension %d", v, int64(open))
	}
	v, ok := c.partly(i)
	return v, ok, nil
}

// setPartly notes the elements of output i, of rank 0 or 1, as far as they are known.
func (c *typing) setPartly(i int, v []int64) {
	if !c.wanted(i) {
		return
	}
	for _, x := range v {
		if x == open {
			c.out[i].partial = v
			return
		}
	}
	if c.out[i].Element == tensor.Int64 && c.out[i].Static() {
		c.out[i] = TypeOf(tensor.Of(c.out[i].Dims, append([]int64{}, v...)...))
	}
}

// openDims returns dimensions as elements of a shape.
func openDims(dims []int64) []int64 {
	v := append([]int64{}, dims...)
	for i, d := range v {
		if d < 0 {
			v[i] = open
		}
	}
	return v
}

// passPartly keeps the elements of input 0 where only the shape between rank 0 and 1 changes.
func (c *typing) passPartly() {
	if v, ok := c.partly(0); ok && c.out[0].Ranked && len(c.out[0].Dims) <= 1 && c.out[0].Element == c.element(0) {
		c.setPartly(0, v)
	}
}
