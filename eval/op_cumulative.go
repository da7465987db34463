// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/structview/structview/tensor"
)

// cumulativeFamily has CumSum (versions 11, 14) and CumProd (26). Elements are taken in index order from +0 or
// 1, from the end if reverse is set (SV055).
func cumulativeFamily() []operator {
	sums := kernels{
		f32: cumSum[float32], f64: cumSum[float64], i32: cumSum[int32], i64: cumSum[int64],
		u32: cumSum[uint32], u64: cumSum[uint64],
	}
	products := kernels{
		f32: cumProd[float32], f64: cumProd[float64], i32: cumProd[int32], i64: cumProd[int64],
		u32: cumProd[uint32], u64: cumProd[uint64],
	}
	op := operator{
		name: "CumSum", in: params("x:T axis:T2"), out: params("y:T"),
		attrs: []attribute{intAttr("exclusive", 0), intAttr("reverse", 0)},
		infer: inferCumulative, run: viaFloat(sums.run),
	}
	list := versions(op, with([]version{at(11, tFloat|tDouble|tWide), at(14, tHighBF)}, "T2", tInt32|tInt64)...)
	op.name, op.run = "CumProd", viaFloat(products.run)
	return append(list, versions(op, with([]version{at(26, tHighBF)}, "T2", tInt32|tInt64)...)...)
}

func inferCumulative(c *typing) error {
	if d, ok := c.dims(1); ok && (len(d) > 1 || len(d) == 1 && d[0] != 1 && d[0] != unknown) {
		return fmt.Errorf("axis is %v, expected a scalar", c.in[1])
	}
	dims, ok := c.dims(0)
	if !ok {
		return nil
	}
	if a, ok := c.ints(1); ok {
		if _, err := axis(a[0], len(dims)); err != nil {
			return err
		}
	}
	c.setDims(0, dims...)
	return nil
}

func cumSum[T number](c *call) error { return accumulate(c, 0, add[T]) }

func cumProd[T number](c *call) error { return accumulate(c, 1, mul[T]) }

// accumulate writes the running result before (exclusive) or after each element of a lane.
func accumulate[T number](c *call, init T, step func(acc, x T) T) error {
	t := c.tensor(0)
	a, ok := c.ints(1)
	if !ok {
		return fmt.Errorf("axis cannot be read")
	}
	k, err := axis(a[0], t.Rank())
	if err != nil {
		return err
	}
	exclusive, reverse := c.attr.flag("exclusive"), c.attr.flag("reverse")
	src, dst := tensor.Slice[T](t), make([]T, t.Len())
	n := t.Dims()[k]
	lanes(t.Dims(), k, func(from, stride int64) {
		if reverse {
			from, stride = from+(n-1)*stride, -stride
		}
		acc := init
		for i := range n {
			p := from + i*stride
			next := step(acc, src[p])
			dst[p] = next
			if exclusive {
				dst[p] = acc
			}
			acc = next
		}
	})
	return putSlice(c, 0, dst)
}
