// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"math"

	"github.com/structview/structview/tensor"
)

// The quantized element types, by version.
const (
	tQuant10 = tInt8 | tUint8
	tQuant19 = tQuant10 | tFloat8
	tQuant21 = tQuant19 | tInt16 | tUint16 | tInt4 | tUint4
	tQuant23 = tQuant21 | tFloat4
	tQuant25 = tQuant23 | tInt2 | tUint2
	tScale   = tFloat | tFloat16 | tBFloat16
)

// quantizeFamily has QuantizeLinear and DequantizeLinear (versions 10, 13 with axis, 19 with FLOAT8, 21 with blocks and small
// integers, 23 with FLOAT4E2M1, 24 with FLOAT8E8M0 scales, 25 with 2-bit integers), and DynamicQuantizeLinear (11).
func quantizeFamily() []operator {
	return append(append(quantizeLinear(), dequantizeLinear()...), dynamicQuantize()...)
}

func quantizeLinear() []operator {
	op := operator{
		name: "QuantizeLinear", in: params("x:T1 y_scale:S y_zero_point?:T2"), out: params("y:T2"),
		infer: inferQuantize, run: runQuantize,
	}
	set := func(since int64, x, s, y types) version {
		return version{since, map[string]types{"T1": x, "S": s, "T2": y}}
	}
	list := versions(op, set(10, tFloat|tInt32, tFloat, tQuant10))
	op.attrs = []attribute{intAttr("axis", 1)}
	list = append(list, versions(op, set(13, tFloat|tInt32, tFloat, tQuant10))...)
	op.attrs = append(op.attrs, intAttr("saturate", 1))
	x := tScale | tInt32
	list = append(list, versions(op, set(19, x, x, tQuant19))...)
	op.attrs = append(op.attrs, intAttr("block_size", 0), intAttr("output_dtype", 0))
	list = append(list, versions(op, set(21, x, x, tQuant21))...)
	op.attrs = append(op.attrs, intAttr("precision", 0))
	return append(list, versions(op, set(23, x, x, tQuant23), set(24, x, x|tE8M0, tQuant23), set(25, x, x|tE8M0, tQuant25))...)
}

func dequantizeLinear() []operator {
	op := operator{
		name: "DequantizeLinear", in: params("x:T1 x_scale:T2 x_zero_point?:T1"), out: params("y:T3"),
		infer: inferDequantize, run: runDequantize,
	}
	set := func(since int64, x, s types) version {
		return version{since, map[string]types{"T1": x | tInt32, "T2": s, "T3": tScale}}
	}
	list := versions(op, set(10, tQuant10, tFloat))
	op.attrs = []attribute{intAttr("axis", 1)}
	list = append(list, versions(op, set(13, tQuant10, tFloat), set(19, tQuant19, tScale))...)
	op.attrs = append(op.attrs, intAttr("block_size", 0))
	list = append(list, versions(op, set(21, tQuant21, tScale))...)
	op.attrs = append(op.attrs, intAttr("output_dtype", 0))
	return append(list, versions(op, set(23, tQuant23, tScale), set(24, tQuant23, tScale|tE8M0), set(25, tQuant25, tScale|tE8M0))...)
}

func inferQuantize(c *typing) error {
	if c.op.since >= 19 && c.op.since < 23 {
		if a, b := c.element(0), c.element(1); a != b && a != tensor.Undefined && b != tensor.Undefined {
			return fmt.Errorf("x is %v, y_scale %v: both must be of one type", a, b)
		}
	}
	y := tensor.Type(c.attr.int("output_dtype"))
	zero := c.element(2)
	switch {
	case y != tensor.Undefined && zero != tensor.Undefined && y != zero:
		return fmt.Errorf("output_dtype is %v, y_zero_point %v", y, zero)
	case y == tensor.Undefined && c.given(2):
		y = zero
	case y == tensor.Undefined:
		y = tensor.Uint8
	}
	if y != tensor.Undefined && !c.op.vars["T2"].has(y) {
		return fmt.Errorf("output type %v is not one of %v", y, c.op.vars["T2"])
	}
	if p := tensor.Type(c.attr.int("precision")); p != tensor.Undefined && !tScale.has(p) {
		return fmt.Errorf("precision is %v, expected one of %v", p, tScale)
	}
	c.setElement(0, y)
	return inferScaled(c)
}

func inferDequantize(c *typing) error {
	y := tensor.Type(c.attr.int("output_dtype"))
	if y == tensor.Undefined {
		y = c.element(1)
	}
	if y != tensor.Undefined && !c.op.vars["T3"].has(y) {
		return fmt.Errorf("output type %v is not one of %v", y, c.op.vars["T3"])
	}
	c.setElement(0, y)
	return inferScaled(c)
}

// inferScaled checks that scale and zero point fit the data.
func inferScaled(c *typing) error {
	x, ok := c.dims(0)
	s, ok1 := c.dims(1)
	if z, ok := c.dims(2); ok && ok1 && !sameDims(s, z) && !(isOne(s) && isOne(z)) {
		return fmt.Errorf("the scale is %s, the zero point %s: both must have one shape", dimsText(true, s), dimsText(true, z))
	}
	if ok && ok1 {
		if _, err := c.granularity(x, s); err != nil {
			return err
		}
	}
	return inferSame(c)
}

// isOne reports whether a shape is that of a single element.
func isOne(dims []int64) bool { return len(dims) == 0 || len(dims) == 1 && dims[0] == 1 }

// granularity says which scale belongs to an element: the data is [outer, n, inner].
type granularity struct {
	outer, n, inner int64
	block           int64 // elements along n that share a scale; 0: one scale for all
	scales          int64 // along n
	whole           bool  // blocked: the scales have the outer and inner dimensions too
}

func (c *typing) granularity(x, s []int64) (granularity, error) {
	block := c.attr.int("block_size")
	if block == 0 && isOne(s) {
		n, err := product(x)
		return granularity{outer: 1, n: n, inner: 1}, err
	}
	at := int64(1)
	if c.attr.has("axis") {
		at = c.attr.int("axis")
	}
	k, err := axis(at, len(x))
	if err != nil {
		return granularity{}, err
	}
	outer, _ := product(x[:k])
	inner, _ := product(x[k+1:])
	g := granularity{outer: outer, n: x[k], inner: inner, block: 1, scales: x[k]}
	switch {
	case block < 0:
		return g, fmt.Errorf("block_size is %d", block)
	case block == 0 && len(s) != 1, block == 0 && !sameDims(s, x[k:k+1]):
		return g, fmt.Errorf("the scale is %s, expected [%d] for axis %d of %s", dimsText(true, s), x[k], k, dimsText(true, x))
	case block == 0:
		return g, nil
	}
	g.block, g.whole = block, true
	return g, g.checkBlocks(x, s, k)
}

func (g *granularity) checkBlocks(x, s []int64, k int) error {
	want := append([]int64{}, x...)
	if want[k] >= 0 {
		want[k] = (want[k]-1)/g.block + 1
		if x[k] == 0 {
			want[k] = 0
		}
	}
	if !sameDims(want, s) {
		return fmt.Errorf("the scale is %s, expected %s for blocks of %d in axis %d of %s",
			dimsText(true, s), dimsText(true, want), g.block, k, dimsText(true, x))
	}
	g.scales = want[k]
	return nil
}

// runs calls f for each run of elements that have consecutive scales or share one: elements at
// to at+n use the scales from s on, in steps of 0 or 1.
func (g granularity) runs(f func(at, n, s, step int64)) {
	if g.outer == 0 || g.n == 0 || g.inner == 0 {
		return
	}
	if g.block == 0 {
		f(0, g.n, 0, 0)
		return
	}
	for o := range g.outer {
		for k := range g.n {
			at := (o*g.n + k) * g.inner
			if g.whole {
				f(at, g.inner, (o*g.scales+k/g.block)*g.inner, 1)
			} else {
				f(at, g.inner, k, 0)
			}
		}
	}
}

// scaled reads data, scales and zero points (nil if there are none) as float32. Differences of quantized integers are
// exact; only INT32 data beyond 2^24 are rounded.
func (c *call) scaled() (g granularity, x, s, z []float32, err error) {
	if g, err = c.granularity(c.tensor(0).Dims(), c.tensor(1).Dims()); err != nil {
		return
	}
	if err = c.scratch(tensor.Int64, c.tensor(0).Len()); err != nil {
		return
	}
	if x, err = tensor.Float32s(c.tensor(0)); err != nil {
		return
	}
	if s, err = tensor.Float32s(c.tensor(1)); err != nil {
		return
	}
	if c.tensor(2) != nil {
		z, err = tensor.Float32s(c.tensor(2))
	}
	return
}

func runDequantize(c *call) error {
	g, x, s, z, err := c.scaled()
	if err != nil {
		return err
	}
	dst := make([]float32, len(x))
	g.runs(func(at, n, k, step int64) {
		for i := at; i < at+n; i++ {
			v := x[i]
			if z != nil {
				v = float32(v - z[k])
			}
			dst[i] = v * s[k]
			k += step
		}
	})
	t, err := tensor.FromFloat32s(c.out[0].Element, c.outDims(0), dst, false, tensor.RoundNearest)
	if err != nil {
		return err
	}
	c.put(0, t)
	return nil
}

func runQuantize(c *call) error {
	g, x, s, z, err := c.scaled()
	if err != nil {
		return err
	}
	round := c.quotient()
	dst := make([]float32, len(x))
	g.runs(func(at, n, k, step int64) {
		for i := at; i < at+n; i++ {
			dst[i] = round(round(x[i]) / round(s[k]))
			k += step
		}
	})
	to := c.out[0].Element
	if to.IsInteger() {
		return c.putQuantized(g, dst, z)
	}
	if z != nil {
		g.runs(func(at, n, k, step int64) {
			for i := at; i < at+n; i++ {
				dst[i] += z[k]
				k += step
			}
		})
	}
	saturate := !c.attr.has("saturate") || c.attr.flag("saturate")
	t, err := tensor.FromFloat32s(to, c.outDims(0), dst, saturate, tensor.RoundNearest)
	if err != nil {
		return err
	}
	c.put(0, t)
	return nil
}

// quotient returns how x, y_scale and x / y_scale are rounded before the quotient is quantized: since version 23 to the
// attribute precision, by default to y_scale's type; before, the operator rounds once.
func (c *call) quotient() func(float32) float32 {
	p := tensor.Type(c.attr.int("precision"))
	if p == tensor.Undefined && c.op.since >= 23 {
		p = c.element(1)
	}
	switch p {
	case tensor.Float16:
		return func(x float32) float32 { return tensor.F16ToF32(tensor.F32ToF16(x)) }
	case tensor.BFloat16:
		return func(x float32) float32 { return tensor.BF16ToF32(tensor.F32ToBF16(x)) }
	}
	return same[float32]
}

// putQuantized rounds quotients half to even, adds zero points and saturates. NaN counts as 0.
func (c *call) putQuantized(g granularity, quotients, zeros []float32) error {
	to := c.out[0].Element
	low, high := integerRange(to)
	codes := make([]int64, len(quotients))
	g.runs(func(at, n, k, step int64) {
		for i := at; i < at+n; i++ {
			v := math.RoundToEven(float64(quotients[i]))
			if zeros != nil {
				v += float64(zeros[k])
				k += step
			}
			if v != v {
				v = 0
				if zeros != nil {
					v = float64(zeros[k-step])
				}
			}
			codes[i] = int64(max(low, min(v, high)))
		}
	})
	t, err := tensor.FromInt64s(to, c.outDims(0), codes, true, tensor.RoundNearest)
	if err != nil {
		return err
	}
	c.put(0, t)
	return nil
}

// integerRange returns the bounds of an integer type of at most 32 bits.
func integerRange(t tensor.Type) (low, high float64) {
	if t.IsSigned() {
		half := math.Ldexp(1, int(t.Bits())-1)
		return -half, half - 1
	}
	return 0, math.Ldexp(1, int(t.Bits())) - 1
}

// dynamicQuantize has DynamicQuantizeLinear: the range of the data, stretched to hold 0, goes to 0 to 255. Data
// of zeros alone have the scale 1.
func dynamicQuantize() []operator {
	return []operator{{
		name: "DynamicQuantizeLinear", since: 11, in: params("x:T1"), out: params("y:T2 y_scale:T1 y_zero_point:T2"),
		vars: map[string]types{"T1": tFloat, "T2": tUint8},
		infer: func(c *typing) error {
			c.setDims(1)
			c.setDims(2)
			return inferSame(c)
		},
		run: runDynamicQuantize,
	}}
}

func runDynamicQuantize(c *call) error {
	x := tensor.Slice[float32](c.tensor(0))
	var low, high float32
	for _, v := range x {
		low, high = min(low, v), max(high, v)
	}
	scale := float32(high-low) / 255
	if high == low {
		scale = 1
	}
	zero := float64(clampByte(math.RoundToEven(float64(0 - float32(low/scale)))))
	y := make([]uint8, len(x))
	for i, v := range x {
		q := math.RoundToEven(float64(v/scale)) + zero
		y[i] = clampByte(q)
	}
	c.put(1, tensor.Of(nil, scale))
	c.put(2, tensor.Of(nil, uint8(zero)))
	return putSlice(c, 0, y)
}

// clampByte saturates; NaN counts as 0.
func clampByte(v float64) uint8 {
	if v != v {
		return 0
	}
	return uint8(max(0, min(255, v)))
}
