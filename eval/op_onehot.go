// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/structview/structview/tensor"
)

// oneHotFamily has OneHot, versions 9 and 11 (negative indices, which we take in 9, too).
func oneHotFamily() []operator {
	vars := map[string]types{"T1": tNumeric, "T2": tNumeric, "T3": tAll}
	return versions(operator{
		name: "OneHot", in: params("indices:T1 depth:T2 values:T3"), out: params("output:T3"),
		attrs: []attribute{intAttr("axis", -1)},
		infer: inferOneHot, run: runOneHot,
	}, version{9, vars}, version{11, vars})
}

// wholeNumbers returns the elements of a numeric tensor, fractions truncated.
func wholeNumbers(t *tensor.Tensor) ([]int64, error) {
	if !t.Type().IsFloat() {
		return tensor.Int64s(t)
	}
	v, err := tensor.Float64s(t)
	if err != nil {
		return nil, err
	}
	out := make([]int64, len(v))
	map1(out, v, fromDouble[int64])
	return out, nil
}

// depth returns the value of the depth input, -1 if it is not known.
func (c *typing) depth() (int64, error) {
	if d, ok := c.dims(1); ok {
		if n, err := product(d); len(d) > 1 || err == nil && n >= 0 && n != 1 {
			return 0, fmt.Errorf("depth is %v, expected a scalar", c.in[1])
		}
	}
	t := c.known(1)
	if t == nil {
		return unknown, nil
	}
	v, err := wholeNumbers(t)
	if err != nil {
		return 0, err
	}
	if v[0] < 0 {
		return 0, fmt.Errorf("depth is %d, expected 0 or more", v[0])
	}
	return v[0], nil
}

func inferOneHot(c *typing) error {
	depth, err := c.depth()
	if err != nil {
		return err
	}
	if d, ok := c.dims(2); ok && (len(d) != 1 || d[0] != 2 && d[0] != unknown) {
		return fmt.Errorf("values is %v, expected [off, on]", c.in[2])
	}
	d, ok := c.dims(0)
	if !ok {
		return nil
	}
	k, err := axis(c.attr.int("axis"), len(d)+1)
	if err != nil {
		return err
	}
	out := append(append(append([]int64{}, d[:k]...), depth), d[k:]...)
	c.setDims(0, out...)
	return nil
}

// runOneHot fills with off, and sets on where an index from -depth to depth-1 says.
func runOneHot(c *call) error {
	indices, err := wholeNumbers(c.tensor(0))
	if err != nil {
		return err
	}
	dims := c.outDims(0)
	k, err := axis(c.attr.int("axis"), len(dims))
	if err != nil {
		return err
	}
	values := cellsOf(c.tensor(2))
	dst := values.fresh(c.outLen(0))
	dst.view(values, dims, make([]int64, len(dims)), 0)
	depth := dims[k]
	inner, _ := product(dims[k+1:])
	for i, index := range indices {
		if index < 0 {
			index += depth
		}
		if index >= 0 && index < depth {
			dst.copy((int64(i)/inner*depth+index)*inner+int64(i)%inner, values, 1, 1)
		}
	}
	return c.putCells(0, dst, dims)
}
