// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"math"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// normFamily has the normalisations, computed in float64 and rounded once:
//
//   - LayerNormalization (version 17), RMSNormalization (23)
//   - MeanVarianceNormalization (9, 13), LpNormalization (1, 22)
func normFamily() []operator {
	attrs := []attribute{intAttr("axis", -1), floatAttr("epsilon", 1e-5), intAttr("stash_type", 1)}
	list := []operator{
		{
			name: "LayerNormalization", since: 17, in: params("X:T Scale:T B?:T"), out: params("Y:T Mean:U InvStdDev:U"),
			vars:  map[string]types{"T": tFloatsBF, "U": tFloat | tBFloat16},
			attrs: attrs, infer: inferLayerNorm, run: runLayerNorm,
		},
		{
			name: "RMSNormalization", since: 23, in: params("X:T scale:V"), out: params("Y:V"),
			vars:  map[string]types{"T": tFloatsBF, "V": tFloatsBF},
			attrs: attrs, infer: inferRMSNorm, run: runRMSNorm,
		},
	}
	mvn := operator{
		name: "MeanVarianceNormalization", in: params("X:T"), out: params("Y:T"),
		attrs: []attribute{{"axes", aInts, false, &onnxpb.AttributeProto{Name: "axes", Ints: []int64{0, 2, 3}}}},
		infer: inferMVN, run: viaFloat(kernels{f32: mvnOf[float32], f64: mvnOf[float64]}.run),
	}
	list = append(list, versions(mvn, at(9, tFloats), at(13, tFloatsBF))...)
	lp := operator{
		name: "LpNormalization", in: params("input:T"), out: params("output:T"),
		attrs: []attribute{intAttr("axis", -1), intAttr("p", 2)},
		infer: inferLpNorm, run: viaFloat(runLpNorm),
	}
	return append(list, versions(lp, at(1, tFloats), at(22, tFloatsBF))...)
}

// normAxis checks the attributes of LayerNormalization and RMSNormalization and the shapes of the
// parameters; ok is false if the rank is unknown.
func (c *typing) normAxis() (k int, ok bool, err error) {
	if s := tensor.Type(c.attr.int("stash_type")); s != tensor.Float && s != tensor.BFloat16 {
		return 0, false, fmt.Errorf("attribute stash_type is %v, expected FLOAT or BFLOAT16", s)
	}
	dims, ok := c.dims(0)
	if !ok {
		return 0, false, nil
	}
	for i := 1; i < len(c.in); i++ {
		if d, ok := c.dims(i); ok {
			if err := broadcastsTo(d, dims); err != nil {
				return 0, false, fmt.Errorf("input %d (%s): %w", i, c.op.in[i].name, err)
			}
		}
	}
	k, err = axis(c.attr.int("axis"), len(dims))
	return k, true, err
}

func inferLayerNorm(c *typing) error {
	for _, i := range []int{1, 2} {
		c.setElement(i, tensor.Type(c.attr.int("stash_type")))
	}
	k, ok, err := c.normAxis()
	if err != nil || !ok {
		return err
	}
	dims, _ := c.dims(0)
	c.setDims(0, dims...)
	marks := make([]bool, len(dims))
	for i := range marks {
		marks[i] = i >= k
	}
	stats := reducedDims(dims, marks, true)
	c.setDims(1, stats...)
	c.setDims(2, stats...)
	return nil
}

func inferRMSNorm(c *typing) error {
	_, ok, err := c.normAxis()
	if err != nil || !ok {
		return err
	}
	return inferSame(c)
}

// rows returns input 0 in float64, and how many vectors of which length it has from the axis on.
func (c *call) rows() (x []float64, count, length int64, err error) {
	t := c.tensor(0)
	k, err := axis(c.attr.int("axis"), t.Rank())
	if err != nil {
		return nil, 0, 0, err
	}
	if err = c.reserve(tensor.Double, t.Dims()); err != nil {
		return nil, 0, 0, err
	}
	v, err := tensor.Float64s(t)
	count, _ = product(t.Dims()[:k])
	length, _ = product(t.Dims()[k:])
	return append([]float64{}, v...), count, length, err
}

// moments returns mean and variance.
func moments(v []float64) (mean, variance float64) {
	for _, x := range v {
		mean += x
	}
	mean /= float64(len(v))
	for _, x := range v {
		variance += float64((x - mean) * (x - mean))
	}
	return mean, variance / float64(len(v))
}

// affine multiplies x by the parameter in input i, or adds it, broadcast.
func (c *call) affine(x []float64, i int, f func(a, b float64) float64) error {
	t := c.tensor(i)
	if t == nil {
		return nil
	}
	p, err := tensor.Float64s(t)
	if err != nil {
		return err
	}
	dims := c.tensor(0).Dims()
	map2(x, x, p, dims, dims, t.Dims(), f)
	return nil
}

// putDoubles makes output i of float64 values, rounded once.
func (c *call) putDoubles(i int, v []float64) error {
	if !c.wanted(i) {
		return nil
	}
	t, err := tensor.FromFloat64s(c.out[i].Element, c.out[i].Dims, v, false, tensor.RoundNearest)
	if err != nil {
		return err
	}
	c.put(i, t)
	return nil
}

func runLayerNorm(c *call) error {
	x, count, length, err := c.rows()
	if err != nil {
		return err
	}
	if err := c.reserve(tensor.Double, []int64{2, count}); err != nil {
		return err
	}
	means, inverse := make([]float64, count), make([]float64, count)
	epsilon := float64(c.attr.float("epsilon"))
	for r := range count {
		row := x[r*length:][:length]
		mean, variance := moments(row)
		means[r], inverse[r] = mean, 1/math.Sqrt(variance+epsilon)
		for i := range row {
			row[i] = (row[i] - mean) * inverse[r]
		}
	}
	if err := c.affine(x, 1, mul[float64]); err != nil {
		return err
	}
	if err := c.affine(x, 2, add[float64]); err != nil {
		return err
	}
	for i, v := range [][]float64{x, means, inverse} {
		if err := c.putDoubles(i, v); err != nil {
			return err
		}
	}
	return nil
}

func runRMSNorm(c *call) error {
	x, count, length, err := c.rows()
	if err != nil {
		return err
	}
	epsilon := float64(c.attr.float("epsilon"))
	for r := int64(0); r < count && length > 0; r++ {
		row, sum := x[r*length:][:length], 0.0
		for _, v := range row {
			sum = square(sum, v)
		}
		scale := 1 / math.Sqrt(sum/float64(length)+epsilon)
		for i := range row {
			row[i] *= scale
		}
	}
	if err := c.affine(x, 1, mul[float64]); err != nil {
		return err
	}
	return c.putDoubles(0, x)
}

func inferMVN(c *typing) error {
	if d, ok := c.dims(0); ok {
		if _, err := axes(c.attr.ints("axes"), len(d)); err != nil {
			return err
		}
	}
	return inferSame(c)
}

// mvnOf is (x - mean) / (deviation + 1e-9) over the axes.
func mvnOf[T float32 | float64](c *call) error {
	dims := c.tensor(0).Dims()
	list, err := axes(c.attr.ints("axes"), len(dims))
	if err != nil {
		return err
	}
	marks := make([]bool, len(dims))
	for _, k := range list {
		marks[k] = true
	}
	groups := reducedDims(dims, marks, true)
	if err := c.reserve(tensor.Double, append([]int64{2}, groups...)); err != nil {
		return err
	}
	n, _ := product(groups)
	strides := contiguous(groups)
	for _, k := range list {
		strides[k] = 0
	}
	src, dst := tensor.Slice[T](c.tensor(0)), make([]T, c.outLen(0))
	walk := newStrided(dims, strides)
	each := func(f func(i, group int64)) {
		walk.runs(func(at int64, offs []int64, count int64) {
			for i := range count {
				f(at+i, offs[0]+i*walk.step(0))
			}
		})
	}
	size := float64(len(src)) / float64(max(n, 1))
	mean, deviation := make([]float64, n), make([]float64, n)
	each(func(i, g int64) { mean[g] += float64(src[i]) })
	for g := range mean {
		mean[g] /= size
	}
	each(func(i, g int64) { deviation[g] = square(deviation[g], float64(src[i])-mean[g]) })
	each(func(i, g int64) {
		dst[i] = T((float64(src[i]) - mean[g]) / (math.Sqrt(deviation[g]/size) + 1e-9))
	})
	return putSlice(c, 0, dst)
}

func inferLpNorm(c *typing) error {
	if p := c.attr.int("p"); p != 1 && p != 2 {
		return fmt.Errorf("attribute p is %d, expected 1 or 2", p)
	}
	if d, ok := c.dims(0); ok {
		if _, err := axis(c.attr.int("axis"), len(d)); err != nil {
			return err
		}
	}
	return inferSame(c)
}

func runLpNorm(c *call) error {
	dims := c.tensor(0).Dims()
	k, err := axis(c.attr.int("axis"), len(dims))
	if err != nil {
		return err
	}
	if c.attr.int("p") == 1 {
		return mapLanes(c, dims, k, l1Normalize)
	}
	return mapLanes(c, dims, k, l2Normalize)
}

func l1Normalize(v []float64) {
	sum := 0.0
	for _, x := range v {
		sum += math.Abs(x)
	}
	divide(v, sum)
}

func l2Normalize(v []float64) {
	sum := 0.0
	for _, x := range v {
		sum = square(sum, x)
	}
	divide(v, math.Sqrt(sum))
}

// divide divides by a norm; a norm of 0 leaves zeros.
func divide(v []float64, norm float64) {
	for i := range v {
		if norm == 0 {
			v[i] = 0
			continue
		}
		v[i] /= norm
	}
}
