// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/structview/structview/tensor"
)

// orderFamily has TopK (versions 1, 10, 11, 24) and Unique (11). NaN is greater than every number and equal to
// itself; of equal elements the first counts.
func orderFamily() []operator {
	topK := operator{
		name: "TopK", in: params("X:T"), out: params("Values:T Indices:I"),
		attrs: []attribute{intAttr("axis", -1), requiredAttr("k", aInt)},
		infer: inferTopK, run: runTopK,
	}
	list := versions(topK, with([]version{at(1, tFloats)}, "I", tInt64)...)
	topK.in, topK.attrs = params("X:T K:I"), []attribute{intAttr("axis", -1)}
	list = append(list, versions(topK, with([]version{at(10, tFloats)}, "I", tInt64)...)...)
	topK.attrs = []attribute{intAttr("axis", -1), intAttr("largest", 1), intAttr("sorted", 1)}
	list = append(list, versions(topK, with([]version{at(11, tNumeric), at(24, tNumericBF)}, "I", tInt64)...)...)
	return append(list, versions(operator{
		name: "Unique", in: params("X:T"), out: params("Y:T indices?:I inverse_indices?:I counts?:I"),
		attrs: []attribute{optionalAttr("axis", aInt), intAttr("sorted", 1)},
		infer: inferUnique, run: runUnique,
	}, with([]version{at(11, tAll)}, "I", tInt64)...)...)
}

// comparer compares elements of a tensor by their indices.
func comparer(t *tensor.Tensor) (func(i, j int64) int, error) {
	switch t.Type() {
	case tensor.Double:
		return comparing(tensor.Slice[float64](t)), nil
	case tensor.Uint64:
		return comparing(tensor.Slice[uint64](t)), nil
	case tensor.String:
		s := t.Strings()
		return func(i, j int64) int { return bytes.Compare(s[i], s[j]) }, nil
	case tensor.Complex64:
		return comparingComplex(tensor.Slice[complex64](t)), nil
	case tensor.Complex128:
		return comparingComplex(tensor.Slice[complex128](t)), nil
	}
	if t.Type().IsFloat() {
		v, err := tensor.Float32s(t)
		return comparing(v), err
	}
	v, err := tensor.Int64s(t)
	return comparing(v), err
}

func comparing[T number](v []T) func(i, j int64) int {
	return func(i, j int64) int { return compareNumbers(v[i], v[j]) }
}

func compareNumbers[T number](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	}
	return cmp.Compare(fromBool(a != a), fromBool(b != b))
}

func fromBool(b bool) int {
	if b {
		return 1
	}
	return 0
}

func comparingComplex[T complex64 | complex128](v []T) func(i, j int64) int {
	return func(i, j int64) int {
		a, b := complex128(v[i]), complex128(v[j])
		if order := compareNumbers(real(a), real(b)); order != 0 {
			return order
		}
		return compareNumbers(imag(a), imag(b))
	}
}

// topCount returns K, -1 if it is not known.
func (c *typing) topCount() (int64, error) {
	k := unknown
	if c.attr.has("k") {
		k = c.attr.int("k")
	} else if v, ok := c.ints(1); ok {
		if len(v) != 1 {
			return 0, fmt.Errorf("the input K is %v, expected one element", c.in[1])
		}
		k = v[0]
	} else {
		return unknown, nil
	}
	if k < 0 {
		return 0, fmt.Errorf("the input K is %d, expected 0 or more", k)
	}
	return k, nil
}

func inferTopK(c *typing) error {
	k, err := c.topCount()
	if err != nil {
		return err
	}
	d, ok := c.dims(0)
	if !ok {
		return nil
	}
	at, err := axis(c.attr.int("axis"), len(d))
	if err != nil {
		return err
	}
	if d[at] >= 0 && k > d[at] {
		return fmt.Errorf("the input K is %d, axis %d of %v has %d elements", k, at, c.in[0], d[at])
	}
	out := append([]int64{}, d...)
	out[at] = k
	c.setDims(0, out...)
	c.setDims(1, out...)
	return nil
}

// runTopK sorts each lane; the sorted order is also a correct answer when none is asked for.
func runTopK(c *call) error {
	t := c.tensor(0)
	at, err := axis(c.attr.int("axis"), t.Rank())
	if err != nil {
		return err
	}
	compare, err := comparer(t)
	if err != nil {
		return err
	}
	if t.Len() == 0 {
		return c.putEmpty(0, 1)
	}
	count, n := c.outDims(0)[at], t.Dims()[at]
	positions, indices := make([]int64, c.outLen(0)), make([]int64, c.outLen(0))
	order := make([]int64, n)
	largest := !c.attr.has("largest") || c.attr.flag("largest") // versions 1 and 10 have no choice
	done := int64(0)
	lanes(t.Dims(), at, func(from, step int64) {
		for i := range order {
			order[i] = int64(i)
		}
		slices.SortStableFunc(order, func(i, j int64) int {
			if largest {
				i, j = j, i
			}
			return compare(from+i*step, from+j*step)
		})
		to := done/step*step*count + done%step
		for i, p := range order[:count] {
			positions[to+int64(i)*step], indices[to+int64(i)*step] = from+p*step, p
		}
		done++
	})
	src := cellsOf(t)
	dst := src.fresh(c.outLen(0))
	dst.pick(0, src, positions)
	if err := c.putCells(0, dst, c.outDims(0)); err != nil {
		return err
	}
	if !c.wanted(1) {
		return nil
	}
	return putSlice(c, 1, indices)
}

// putEmpty makes outputs without elements.
func (c *call) putEmpty(outputs ...int) error {
	for _, i := range outputs {
		if !c.wanted(i) {
			continue
		}
		if err := c.putCells(i, freshCells(c.out[i].Element, 0), c.out[i].Dims); err != nil {
			return err
		}
	}
	return nil
}

func inferUnique(c *typing) error {
	d, k, err := c.flattened()
	if err != nil {
		return err
	}
	for _, i := range []int{1, 2, 3} {
		c.setRank(i, 1)
	}
	if d == nil {
		return nil
	}
	out := append([]int64{}, d...)
	out[k] = unknown
	c.setDims(0, out...)
	c.setDims(2, d[k])
	return nil
}

// group is a set of equal elements (slices along the axis).
type group struct{ first, count int64 }

// grouped sorts n elements into groups of equal ones and returns the group of each element.
func grouped(n int64, compare func(i, j int64) int, sorted bool) ([]group, []int64) {
	order, of := make([]int64, n), make([]int64, n)
	for i := range order {
		order[i] = int64(i)
	}
	slices.SortStableFunc(order, compare)
	var groups []group
	for i, p := range order {
		if i == 0 || compare(order[i-1], p) != 0 {
			groups = append(groups, group{first: p})
		}
		groups[len(groups)-1].count++
		of[p] = int64(len(groups) - 1)
	}
	if sorted {
		return groups, of
	}
	rank, byFirst := make([]int64, len(groups)), make([]int64, len(groups))
	for i := range byFirst {
		byFirst[i] = int64(i)
	}
	slices.SortFunc(byFirst, func(i, j int64) int { return cmp.Compare(groups[i].first, groups[j].first) })
	result := make([]group, len(groups))
	for i, g := range byFirst {
		rank[g], result[i] = int64(i), groups[g]
	}
	for p := range of {
		of[p] = rank[of[p]]
	}
	return result, of
}

func runUnique(c *call) error {
	d, k, err := c.flattened()
	if err != nil {
		return err
	}
	compare, err := comparer(c.tensor(0))
	if err != nil {
		return err
	}
	n := d[k]
	outer, _ := product(d[:k])
	inner, _ := product(d[k+1:])
	if c.tensor(0).Len() == 0 {
		outer, inner = 0, 0 // all slices are empty and so equal
	}
	if err := c.reserve(tensor.Int64, []int64{4, n}); err != nil {
		return err
	}
	groups, inverse := grouped(n, func(i, j int64) int {
		for o := range outer {
			for e := range inner {
				if order := compare((o*n+i)*inner+e, (o*n+j)*inner+e); order != 0 {
					return order
				}
			}
		}
		return 0
	}, c.attr.flag("sorted"))
	dims := append([]int64{}, d...)
	dims[k] = int64(len(groups))
	if err := c.putGroups(groups, inverse); err != nil {
		return err
	}
	return c.putUnique(groups, dims, outer, n, inner)
}

// putUnique makes output 0 of the first element of each group.
func (c *call) putUnique(groups []group, dims []int64, outer, n, inner int64) error {
	if err := c.reserve(c.out[0].Element, dims); err != nil {
		return err
	}
	src := cellsOf(c.tensor(0))
	dst := src.fresh(outer * int64(len(groups)) * inner)
	for o := range outer {
		for i, g := range groups {
			dst.copy((o*int64(len(groups))+int64(i))*inner, src, (o*n+g.first)*inner, inner)
		}
	}
	return c.putCells(0, dst, dims)
}

// putGroups makes the outputs indices, inverse_indices and counts.
func (c *call) putGroups(groups []group, inverse []int64) error {
	first, count := make([]int64, len(groups)), make([]int64, len(groups))
	for i, g := range groups {
		first[i], count[i] = g.first, g.count
	}
	for i, v := range [][]int64{nil, first, inverse, count} {
		if i == 0 {
			continue
		}
		t, err := tensor.FromSlice(tensor.Int64, []int64{int64(len(v))}, v)
		if err != nil {
			return err
		}
		c.put(i, t)
	}
	return nil
}
