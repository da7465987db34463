// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"

	"github.com/structview/structview/tensor"
)

// softmaxFamily has Softmax, LogSoftmax and Hardmax: version 13 along one axis, versions 1 and 11 over all axes from
// one on taken as one. FLOAT is computed in float64 and rounded once.
func softmaxFamily() []operator {
	var list []operator
	for _, o := range []struct {
		name string
		lane func(v []float64)
	}{{"Softmax", softmax}, {"LogSoftmax", logSoftmax}, {"Hardmax", hardmax}} {
		op := operator{name: o.name, in: params("input:T"), out: params("output:T"), infer: inferSoftmax}
		op.attrs, op.run = []attribute{intAttr("axis", 1)}, viaFloat(flatLanes(o.lane))
		list = append(list, versions(op, at(1, tFloats), at(11, tFloats))...)
		op.attrs, op.run = []attribute{intAttr("axis", -1)}, viaFloat(axisLanes(o.lane))
		list = append(list, versions(op, at(13, tFloatsBF))...)
	}
	return list
}

func inferSoftmax(c *typing) error {
	if d, ok := c.dims(0); ok {
		a := c.attr.int("axis")
		if a == int64(len(d)) && c.op.since < 13 { // everything is batch
			return inferSame(c)
		}
		if _, err := axis(a, len(d)); err != nil {
			return err
		}
	}
	return inferSame(c)
}

// axisLanes applies f to each vector along the axis.
func axisLanes(f func(v []float64)) func(c *call) error {
	return func(c *call) error {
		dims := c.tensor(0).Dims()
		k, err := axis(c.attr.int("axis"), len(dims))
		if err != nil {
			return err
		}
		return mapLanes(c, dims, k, f)
	}
}

// flatLanes applies f to each row of the input as a matrix: axes before the axis are rows.
func flatLanes(f func(v []float64)) func(c *call) error {
	return func(c *call) error {
		dims := c.tensor(0).Dims()
		k := int(clampAxis(c.attr.int("axis"), len(dims)))
		rows, _ := product(dims[:k])
		columns, _ := product(dims[k:])
		return mapLanes(c, []int64{rows, columns}, 1, f)
	}
}

// mapLanes sets output 0 to what f makes of each lane of input 0, computed in float64.
func mapLanes(c *call, dims []int64, axis int, f func(v []float64)) error {
	if c.element(0) == tensor.Double {
		return lanesOf[float64](c, dims, axis, f)
	}
	return lanesOf[float32](c, dims, axis, f)
}

func lanesOf[T float32 | float64](c *call, dims []int64, axis int, f func(v []float64)) error {
	src, dst := tensor.Slice[T](c.tensor(0)), make([]T, c.outLen(0))
	if len(dst) == 0 {
		return putSlice(c, 0, dst)
	}
	lane := make([]float64, dims[axis])
	lanes(dims, axis, func(from, step int64) {
		for i := range lane {
			lane[i] = float64(src[from+int64(i)*step])
		}
		f(lane)
		for i, x := range lane {
			dst[from+int64(i)*step] = T(x)
		}
	})
	return putSlice(c, 0, dst)
}

// softmax is exp(x - max) / sum.
func softmax(v []float64) {
	sum := exponentials(v)
	for i, e := range v {
		v[i] = e / sum
	}
}

// exponentials replaces x by exp(x - max) and returns their sum.
func exponentials(v []float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for _, x := range v {
		top = higher(top, x)
	}
	for i, x := range v {
		v[i] = math.Exp(x - top)
		sum += v[i]
	}
	return sum
}

// logSoftmax is x - max - log(sum of exp(x - max)).
func logSoftmax(v []float64) {
	top, sum := math.Inf(-1), 0.0
	for _, x := range v {
		top = higher(top, x)
	}
	for _, x := range v {
		sum += math.Exp(x - top)
	}
	sum = math.Log(sum)
	for i, x := range v {
		v[i] = x - top - sum
	}
}

// hardmax is 1 at the first maximum and 0 elsewhere.
func hardmax(v []float64) {
	best := 0
	for i, x := range v {
		if x > v[best] || x != x && v[best] == v[best] {
			best = i
		}
	}
	for i := range v {
		v[i] = 0
	}
	if len(v) > 0 {
		v[best] = 1
	}
}
