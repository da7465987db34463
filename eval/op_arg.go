// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/structview/structview/tensor"
)

// argFamily has ArgMax and ArgMin, versions 1, 12 (select_last_index) and 13. NaN wins over every number,
// as in ONNX's reference implementation.
func argFamily() []operator {
	attrs := []attribute{intAttr("axis", 0), intAttr("keepdims", 1)}
	last := append(attrs[:2:2], intAttr("select_last_index", 0))
	var list []operator
	for _, o := range []struct {
		name string
		k    kernels
	}{
		{"ArgMax", kernels{
			f32: argMax[float32], f64: argMax[float64], i8: argMax[int8], i16: argMax[int16], i32: argMax[int32],
			i64: argMax[int64], u8: argMax[uint8], u16: argMax[uint16], u32: argMax[uint32], u64: argMax[uint64],
		}},
		{"ArgMin", kernels{
			f32: argMin[float32], f64: argMin[float64], i8: argMin[int8], i16: argMin[int16], i32: argMin[int32],
			i64: argMin[int64], u8: argMin[uint8], u16: argMin[uint16], u32: argMin[uint32], u64: argMin[uint64],
		}},
	} {
		op := operator{
			name: o.name, in: params("data:T"), out: params("reduced:I"), attrs: attrs,
			infer: inferArg, run: viaFloat(o.k.run),
		}
		list = append(list, versions(op, with([]version{at(1, tNumeric)}, "I", tInt64)...)...)
		op.attrs = last
		list = append(list, versions(op, with([]version{at(12, tNumeric), at(13, tNumericBF)}, "I", tInt64)...)...)
	}
	return list
}

func inferArg(c *typing) error {
	dims, ok := c.dims(0)
	if !ok {
		return nil
	}
	k, err := axis(c.attr.int("axis"), len(dims))
	if err != nil {
		return err
	}
	if dims[k] == 0 {
		return fmt.Errorf("axis %d of %s is empty: there is no extreme element", k, dimsText(true, dims))
	}
	marks := make([]bool, len(dims))
	marks[k] = true
	c.setDims(0, reducedDims(dims, marks, c.attr.flag("keepdims"))...)
	return nil
}

func argMax[T number](c *call) error {
	return arg(c, func(best, x T) bool { return x > best || x != x && best == best })
}

func argMin[T number](c *call) error {
	return arg(c, func(best, x T) bool { return x < best || x != x && best == best })
}

// arg finds the first (or last) element of each lane that no other one beats.
func arg[T number](c *call, beats func(best, x T) bool) error {
	t := c.tensor(0)
	k, err := axis(c.attr.int("axis"), t.Rank())
	if err != nil {
		return err
	}
	src, dst := tensor.Slice[T](t), make([]int64, 0, c.outLen(0))
	last := c.attr.flag("select_last_index")
	lanes(t.Dims(), k, func(from, step int64) {
		best := int64(0)
		for i := range t.Dims()[k] {
			b, x := src[from+best*step], src[from+i*step]
			if beats(b, x) || last && !beats(x, b) {
				best = i
			}
		}
		dst = append(dst, best)
	})
	return putSlice(c, 0, dst)
}
