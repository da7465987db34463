// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/structview/structview/tensor"
)

// scatterFamily has ScatterElements (versions 11, 13; 16 with reduction add and mul; 18 with min and max), ScatterND (the same)
// and Scatter (9; removed at 11).
func scatterFamily() []operator {
	elements := operator{
		name: "ScatterElements", in: params("data:T indices:Tind updates:T"), out: params("output:T"),
		attrs: []attribute{intAttr("axis", 0)}, infer: inferScatterElements, run: runScatterElements,
	}
	sets := func(since ...version) []version { return with(since, "Tind", tInt32|tInt64) }
	old := elements
	old.name = "Scatter"
	list := versions(old, sets(at(9, tAll))...)
	list = append(list, operator{name: "Scatter", since: 11})
	list = append(list, versions(elements, sets(at(11, tAll), at(13, tAllBF))...)...)
	elements.attrs = append(elements.attrs, stringAttr("reduction", "none"))
	list = append(list, versions(elements, sets(at(16, tAllBF), at(18, tAllBF))...)...)
	nd := operator{
		name: "ScatterND", in: elements.in, out: elements.out, infer: inferScatterND, run: runScatterND,
	}
	sets = func(since ...version) []version { return with(since, "Tind", tInt64) }
	list = append(list, versions(nd, sets(at(11, tAll), at(13, tAllBF))...)...)
	nd.attrs = []attribute{stringAttr("reduction", "none")}
	return append(list, versions(nd, sets(at(16, tAllBF), at(18, tAllBF))...)...)
}

// checkReduction refuses reductions that the version or the element type does not have.
func (c *typing) checkReduction() error {
	switch r := c.attr.string("reduction"); {
	case r == "none" || r == "":
		return nil
	case r == "add" || r == "mul":
	case (r == "min" || r == "max") && c.op.since >= 18:
	default:
		return fmt.Errorf("attribute \"reduction\" is %q", r)
	}
	if t := c.element(0); t != tensor.Undefined && !(tNumericBF | tBool).has(t) {
		return fmt.Errorf("reduction %q of %v", c.attr.string("reduction"), t)
	}
	return nil
}

func inferScatterElements(c *typing) error {
	d, ok := c.dims(0)
	if ok {
		at, err := axis(c.attr.int("axis"), len(d))
		if err != nil {
			return err
		}
		if index, ok := c.dims(1); ok {
			if err := checkIndexShape(d, index, at); err != nil {
				return err
			}
		}
	}
	index, ok1 := c.dims(1)
	updates, ok2 := c.dims(2)
	if ok1 && ok2 && !sameDims(index, updates) {
		return fmt.Errorf("indices %s and updates %s differ", dimsText(true, index), dimsText(true, updates))
	}
	if err := c.checkReduction(); err != nil {
		return err
	}
	return inferSame(c)
}

// sameDims reports whether two shapes may be the same.
func sameDims(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && a[i] >= 0 && b[i] >= 0 {
			return false
		}
	}
	return true
}

func runScatterElements(c *call) error {
	t := c.tensor(0)
	at, err := axis(c.attr.int("axis"), len(t.Dims()))
	if err != nil {
		return err
	}
	index, err := c.indices(1, t.Dims()[at])
	if err != nil {
		return err
	}
	return c.scatter(elementPositions(index, c.tensor(1).Dims(), t.Dims(), at), 1)
}

func inferScatterND(c *typing) error {
	d, ok := c.dims(0)
	index, ok1 := c.dims(1)
	if ok && ok1 {
		t, err := c.tuples(d, index)
		if err != nil {
			return err
		}
		if updates, ok := c.dims(2); ok && t.size >= 0 {
			want := append(append([]int64{}, index[:len(index)-1]...), d[t.size:]...)
			if !sameDims(want, updates) {
				return fmt.Errorf("updates have the shape %s, expected %s", dimsText(true, updates), dimsText(true, want))
			}
		}
	}
	if err := c.checkReduction(); err != nil {
		return err
	}
	return inferSame(c)
}

func runScatterND(c *call) error {
	data, indices := c.tensor(0), c.tensor(1)
	t, err := c.tuples(data.Dims(), indices.Dims())
	if err != nil {
		return err
	}
	if t.size == 0 && c.tensor(2).Len() == 0 { // any number of tuples without an index
		c.put(0, data)
		return nil
	}
	offsets, err := t.offsets(tensor.Slice[int64](indices), indices.Dims(), data.Dims())
	if err != nil {
		return err
	}
	inner, _ := product(data.Dims()[t.size:])
	return c.scatter(offsets, inner)
}

// scatter copies the data and lays the updates, in runs of n elements, over the given positions, in
// index order: later ones win, or combine under a reduction.
func (c *call) scatter(positions []int64, n int64) error {
	r := c.attr.string("reduction")
	if r == "none" || r == "" {
		src, updates := cellsOf(c.tensor(0)), cellsOf(c.tensor(2))
		dst := src.fresh(c.outLen(0))
		dst.copy(0, src, 0, c.outLen(0))
		for k, at := range positions {
			dst.copy(at, updates, int64(k)*n, n)
		}
		return c.putCells(0, dst, c.outDims(0))
	}
	return viaFloat(func(c *call) error { return reduction(r).scatter(c, positions, n) })(c)
}

// reduction returns the element functions of a reduction's name; for BOOL add and max are or, mul and
// min are and.
func reduction(name string) binaryFuncs {
	either := func(a, b bool) bool { return a || b }
	both := func(a, b bool) bool { return a && b }
	f := addFuncs()
	f.b = either
	switch name {
	case "mul":
		f = mulFuncs()
		f.b = both
	case "min":
		f = minFuncs()
		f.b = both
	case "max":
		f = maxFuncs()
		f.b = either
	}
	return f
}

func (f binaryFuncs) scatter(c *call, positions []int64, n int64) error {
	switch c.element(0) {
	case tensor.Float:
		return scatterWith(c, positions, n, f.f32)
	case tensor.Double:
		return scatterWith(c, positions, n, f.f64)
	case tensor.Int8:
		return scatterWith(c, positions, n, f.i8)
	case tensor.Int16:
		return scatterWith(c, positions, n, f.i16)
	case tensor.Int32:
		return scatterWith(c, positions, n, f.i32)
	case tensor.Int64:
		return scatterWith(c, positions, n, f.i64)
	case tensor.Uint8:
		return scatterWith(c, positions, n, f.u8)
	case tensor.Uint16:
		return scatterWith(c, positions, n, f.u16)
	case tensor.Uint32:
		return scatterWith(c, positions, n, f.u32)
	case tensor.Uint64:
		return scatterWith(c, positions, n, f.u64)
	case tensor.Bool:
		return scatterWith(c, positions, n, f.b)
	}
	return c.noKernel()
}

func scatterWith[T tensor.Native](c *call, positions []int64, n int64, f func(a, b T) T) error {
	dst := append([]T{}, tensor.Slice[T](c.tensor(0))...)
	updates := tensor.Slice[T](c.tensor(2))
	for k, at := range positions {
		for i := range n {
			dst[at+i] = f(dst[at+i], updates[int64(k)*n+i])
		}
	}
	return putSlice(c, 0, dst)
}
