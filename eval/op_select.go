// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/structview/structview/tensor"
)

// selectFamily has operators that pick or place elements of any type: Compress (versions 9, 11), NonZero (9, 13),
// ReverseSequence (10), CenterCropPad (18).
func selectFamily() []operator {
	list := versions(operator{
		name: "Compress", in: params("input:T condition:B"), out: params("output:T"),
		attrs: []attribute{optionalAttr("axis", aInt)}, infer: inferCompress, run: runCompress,
	}, with([]version{at(9, tAll), at(11, tAll)}, "B", tBool)...)
	list = append(list, versions(operator{
		name: "NonZero", in: params("X:T"), out: params("Y:I"), infer: inferNonZero, run: runNonZero,
	}, with([]version{at(9, tAll), at(13, tAllBF)}, "I", tInt64)...)...)
	list = append(list, versions(operator{
		name: "ReverseSequence", in: params("input:T sequence_lens:I"), out: params("Y:T"),
		attrs: []attribute{intAttr("batch_axis", 1), intAttr("time_axis", 0)},
		infer: inferReverseSequence, run: runReverseSequence,
	}, with([]version{at(10, tAll)}, "I", tInt64)...)...)
	return append(list, versions(operator{
		name: "CenterCropPad", in: params("input_data:T shape:I"), out: params("output_data:T"),
		attrs: []attribute{optionalAttr("axes", aInts)}, infer: inferCenterCropPad, run: runCenterCropPad,
	}, with([]version{at(18, tAllBF)}, "I", tInt32|tInt64)...)...)
}

// selected returns the indices of the true elements of the condition of Compress, false if they are not
// known.
func (c *typing) selected() ([]int64, bool) {
	t := c.known(1)
	if t == nil {
		return nil, false
	}
	list := []int64{}
	for i, b := range tensor.Slice[bool](t) {
		if b {
			list = append(list, int64(i))
		}
	}
	return list, true
}

// flattened returns the dimensions of input 0 and the attribute axis; without one, the input counts as one
// dimension. The dimensions are nil if the rank is unknown.
func (c *typing) flattened() ([]int64, int, error) {
	d, ok := c.dims(0)
	if !c.attr.has("axis") {
		n := unknown
		if ok {
			var err error
			if n, err = product(d); err != nil {
				return nil, 0, err
			}
		}
		return []int64{n}, 0, nil
	}
	if !ok {
		return nil, 0, nil
	}
	k, err := axis(c.attr.int("axis"), len(d))
	return d, k, err
}

func inferCompress(c *typing) error {
	if d, ok := c.dims(1); ok && len(d) != 1 {
		return fmt.Errorf("condition is %v, expected one dimension", c.in[1])
	}
	d, k, err := c.flattened()
	if err != nil || d == nil {
		return err
	}
	out := append([]int64{}, d...)
	out[k] = unknown
	if list, ok := c.selected(); ok {
		out[k] = int64(len(list))
		if n := len(list); n > 0 && d[k] >= 0 && list[n-1] >= d[k] {
			return fmt.Errorf("condition selects element %d of %d", list[n-1], d[k])
		}
	}
	c.setDims(0, out...)
	return nil
}

func runCompress(c *call) error {
	d, k, err := c.flattened()
	if err != nil {
		return err
	}
	list, _ := c.selected()
	src := cellsOf(c.tensor(0))
	dst := src.fresh(c.outLen(0))
	outer, _ := product(d[:k])
	inner, _ := product(d[k+1:])
	if c.outLen(0) == 0 {
		outer = 0
	}
	for o := range outer {
		for i, from := range list {
			dst.copy((o*int64(len(list))+int64(i))*inner, src, (o*d[k]+from)*inner, inner)
		}
	}
	return c.putCells(0, dst, c.outDims(0))
}

func inferNonZero(c *typing) error {
	if d, ok := c.dims(0); ok {
		c.setDims(0, int64(len(d)), unknown)
		return nil
	}
	c.setRank(0, 2)
	return nil
}

// runNonZero gives the coordinates of the elements that are not zero, one a column. A scalar has none:
// its output has no row.
func runNonZero(c *call) error {
	t := c.tensor(0)
	nonZero, count := cellsOf(t).nonZero(), int64(0)
	for i := range t.Len() {
		if nonZero(i) {
			count++
		}
	}
	dims := []int64{int64(t.Rank()), count}
	if err := c.reserve(tensor.Int64, []int64{dims[0] + 1, count}); err != nil { // with the positions
		return err
	}
	found := make([]int64, 0, count)
	for i := range t.Len() {
		if nonZero(i) {
			found = append(found, i)
		}
	}
	out := make([]int64, dims[0]*dims[1])
	for k, stride := range contiguous(t.Dims()) {
		for i, p := range found {
			out[int64(k)*dims[1]+int64(i)] = p / stride % t.Dims()[k]
		}
	}
	v, err := tensor.FromSlice(tensor.Int64, dims, out)
	if err != nil {
		return err
	}
	c.put(0, v)
	return nil
}

// nonZero returns a test of single cells: -0 is zero, NaN and a string with text are not.
func (c cells) nonZero() func(i int64) bool {
	if c.typ == tensor.String {
		return func(i int64) bool { return len(c.text[i]) > 0 }
	}
	part := c.width // bytes of a number; the last one of a float has the sign
	if c.typ.IsComplex() {
		part /= 2
	}
	signed := c.typ.IsFloat() || c.typ.IsComplex()
	return func(i int64) bool {
		for k, b := range c.data[i*c.width : (i+1)*c.width] {
			if signed && int64(k)%part == part-1 {
				b &= 0x7f
			}
			if b != 0 {
				return true
			}
		}
		return false
	}
}

func inferReverseSequence(c *typing) error {
	batch, time := c.attr.int("batch_axis"), c.attr.int("time_axis")
	if batch < 0 || time < 0 || batch+time != 1 {
		return fmt.Errorf("batch_axis %d and time_axis %d, expected 0 and 1 in some order", batch, time)
	}
	d, ok := c.dims(0)
	if !ok {
		return nil
	}
	if len(d) < 2 {
		return fmt.Errorf("the input is %v, expected two dimensions or more", c.in[0])
	}
	if s, ok := c.dims(1); ok && (len(s) != 1 || s[0] != d[batch] && s[0] >= 0 && d[batch] >= 0) {
		return fmt.Errorf("sequence_lens is %v, expected [%d]", c.in[1], d[batch])
	}
	if lengths, ok := c.ints(1); ok {
		for _, n := range lengths {
			if n < 0 || d[time] >= 0 && n > d[time] {
				return fmt.Errorf("sequence length %d is not in [0, %d]", n, d[time])
			}
		}
	}
	return inferSame(c)
}

func runReverseSequence(c *call) error {
	lengths, err := tensor.Int64s(c.tensor(1))
	if err != nil {
		return err
	}
	d := c.outDims(0)
	inner, _ := product(d[2:])
	src := cellsOf(c.tensor(0))
	dst := src.fresh(c.outLen(0))
	batch, time := c.attr.int("batch_axis"), c.attr.int("time_axis")
	strides := [2]int64{d[1] * inner, inner}
	if c.outLen(0) == 0 {
		lengths = nil
	}
	for b, n := range lengths {
		from := int64(b) * strides[batch]
		for t := range d[time] {
			back := t
			if t < n {
				back = n - 1 - t
			}
			dst.copy(from+t*strides[time], src, from+back*strides[time], inner)
		}
	}
	return c.putCells(0, dst, d)
}

func inferCenterCropPad(c *typing) error {
	d, ok := c.dims(0)
	if !ok {
		return nil
	}
	list := make([]int, 0, len(d))
	for i := range d {
		list = append(list, i)
	}
	if c.attr.has("axes") {
		var err error
		if list, err = axes(c.attr.ints("axes"), len(d)); err != nil {
			return err
		}
	}
	if s, ok := c.dims(1); ok && (len(s) != 1 || s[0] >= 0 && s[0] != int64(len(list))) {
		return fmt.Errorf("shape is %v, expected [%d]", c.in[1], len(list))
	}
	out := append([]int64{}, d...)
	shape, known := c.ints(1)
	for i, k := range list {
		out[k] = unknown
		if known {
			if out[k] = shape[i]; shape[i] < 0 {
				return fmt.Errorf("shape has the dimension %d", shape[i])
			}
		}
	}
	c.setDims(0, out...)
	return nil
}

// runCenterCropPad places the input in the centre of zeros, or takes its centre; what does not divide evenly is one
// more at the end.
func runCenterCropPad(c *call) error {
	in, out := c.tensor(0).Dims(), c.outDims(0)
	common := make([]int64, len(in))
	from, to := contiguous(in), contiguous(out)
	var src, dst int64 // where the common part begins
	for i := range in {
		common[i] = min(in[i], out[i])
		src += (in[i] - common[i]) / 2 * from[i]
		dst += (out[i] - common[i]) / 2 * to[i]
	}
	data := cellsOf(c.tensor(0))
	result := data.fresh(c.outLen(0))
	walk := newStrided(common, from, to)
	walk.runs(func(_ int64, offs []int64, n int64) {
		for i := range n {
			result.copy(dst+offs[1]+i*walk.step(1), data, src+offs[0]+i*walk.step(0), 1)
		}
	})
	return c.putCells(0, result, out)
}
