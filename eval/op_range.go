// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"math"

	"github.com/structview/structview/tensor"
)

// ranges has Range: max(ceil((limit - start) / delta), 0) elements start + i * delta, each
// computed by one multiplication and one addition, rounded after each.
func ranges() []operator {
	op := operator{
		name: "Range", in: params("start:T limit:T delta:T"), out: params("output:T"),
		infer: inferRange, run: viaFloat(runRange),
	}
	t := tFloat | tDouble | tInt16 | tInt32 | tInt64
	return versions(op, at(11, t), at(27, t|tFloat16|tBFloat16))
}

func inferRange(c *typing) error {
	for i := range 3 {
		if d, ok := c.dims(i); ok && len(d) > 1 {
			return fmt.Errorf("input %d is %s, expected a scalar", i, dimsText(true, d))
		}
	}
	n, known, err := c.rangeLength()
	if !known {
		n = unknown
	}
	c.setDims(0, n)
	return err
}

// rangeLength returns the number of elements, computed in float64 or, for integers, exactly.
func (c *typing) rangeLength() (n int64, known bool, err error) {
	for i := range 3 {
		if t := c.known(i); t == nil {
			return 0, false, nil
		} else if t.Len() != 1 {
			return 0, true, fmt.Errorf("input %d has %d elements, expected 1", i, t.Len())
		}
	}
	if c.element(0).IsInteger() {
		return c.integerRange()
	}
	var v [3]float64
	for i := range v {
		x, err := tensor.Float64s(c.known(i))
		if err != nil {
			return 0, true, err
		}
		v[i] = x[0]
	}
	count := math.Ceil((v[1] - v[0]) / v[2])
	switch {
	case v[2] == 0 || math.IsNaN(count):
		return 0, true, fmt.Errorf("no range from %v to %v in steps of %v", v[0], v[1], v[2])
	case count >= 1<<62:
		return 0, true, fmt.Errorf("%w: a range of %v elements", ErrLimit, count)
	}
	return int64(max(count, 0)), true, nil
}

func (c *typing) integerRange() (int64, bool, error) {
	var v [3]int64
	for i := range v {
		x, _ := c.ints(i)
		v[i] = x[0]
	}
	start, limit, delta := v[0], v[1], v[2]
	switch {
	case delta == 0:
		return 0, true, fmt.Errorf("no range in steps of 0")
	case delta > 0 && start >= limit || delta < 0 && start <= limit:
		return 0, true, nil
	case delta > 0:
		return rangeCount(uint64(limit)-uint64(start), uint64(delta))
	}
	return rangeCount(uint64(start)-uint64(limit), -uint64(delta))
}

func rangeCount(span, step uint64) (int64, bool, error) {
	n := (span-1)/step + 1
	if n > 1<<62 {
		return 0, true, fmt.Errorf("%w: a range of %d elements", ErrLimit, n)
	}
	return int64(n), true, nil
}

func runRange(c *call) error {
	switch c.element(0) {
	case tensor.Float:
		return rangeOf[float32](c)
	case tensor.Double:
		return rangeOf[float64](c)
	case tensor.Int16:
		return rangeOf[int16](c)
	case tensor.Int32:
		return rangeOf[int32](c)
	}
	return rangeOf[int64](c)
}

func rangeOf[T float32 | float64 | int16 | int32 | int64](c *call) error {
	start, delta := tensor.Slice[T](c.tensor(0))[0], tensor.Slice[T](c.tensor(2))[0]
	dst := make([]T, c.outLen(0))
	for i := range dst {
		step := T(T(i) * delta)
		dst[i] = start + step
	}
	return putSlice(c, 0, dst)
}
