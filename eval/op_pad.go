// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"math"
	"slices"

	"github.com/structview/structview/tensor"
)

// padFamily has Pad (versions 11, 13; 18 with axes; 19 with mode wrap; 21, 23, 24, 25), ConstantOfShape (9, 20, 21, 23, 24, 25)
// and Range (11, 27).
func padFamily() []operator {
	op := operator{
		name: "Pad", in: params("data:T pads:I constant_value?:T"), out: params("output:T"),
		attrs: []attribute{stringAttr("mode", "constant")}, infer: inferPad, run: runPad,
	}
	list := versions(op, with([]version{at(11, tNumeric), at(13, tAllBF)}, "I", tInt64)...)
	op.in = params("data:T pads:I constant_value?:T axes?:Tind")
	sets := with(append([]version{at(18, tAllBF)}, allTypes(19)...), "I", tInt64)
	list = append(list, versions(op, with(sets, "Tind", tInt32|tInt64)...)...)
	list = append(list, constantOfShape()...)
	return append(list, ranges()...)
}

// padding is what Pad adds to one axis; negative numbers take away.
type padding struct{ before, after int64 }

func (c *typing) paddings(rank int) (list []padding, known bool, err error) {
	pads, ok := c.ints(1)
	at, ok3 := upTo(rank), true
	if c.given(3) {
		at, ok3 = c.ints(3)
	}
	if !ok || !ok3 {
		return nil, false, nil
	}
	if len(pads) != 2*len(at) {
		return nil, true, fmt.Errorf("%d pads for %d axes, expected twice as many", len(pads), len(at))
	}
	chosen, err := axes(at, rank)
	if err != nil {
		return nil, true, err
	}
	list = make([]padding, rank)
	for i, k := range chosen {
		list[k] = padding{pads[i], pads[len(at)+i]}
	}
	return list, true, nil
}

func inferPad(c *typing) error {
	modes := []string{"constant", "reflect", "edge"}
	if c.op.since >= 19 {
		modes = append(modes, "wrap")
	}
	if !slices.Contains(modes, c.attr.string("mode")) {
		return fmt.Errorf("attribute \"mode\" is %q, expected one of %q", c.attr.string("mode"), modes)
	}
	if err := c.vector(1, "pads"); err != nil {
		return err
	}
	d, ok := c.dims(0)
	if !ok {
		return nil
	}
	list, known, err := c.paddings(len(d))
	if err != nil || !known {
		c.setRank(0, int64(len(d)))
		return err
	}
	dims := make([]int64, len(d))
	for i, p := range list {
		dims[i] = unknown
		if d[i] < 0 {
			continue
		}
		if dims[i], err = padded(d[i], p, c.attr.string("mode")); err != nil {
			return fmt.Errorf("dimension %d: %w", i, err)
		}
	}
	c.setDims(0, dims...)
	return nil
}

func padded(d int64, p padding, mode string) (int64, error) {
	const most = math.MaxInt64 / 4
	if d > most || p.before > most || p.after > most || p.before < -most || p.after < -most {
		return 0, fmt.Errorf("%w: pads %d and %d of %d", ErrLimit, p.before, p.after, d)
	}
	n := d + p.before + p.after
	if n < 0 {
		return 0, fmt.Errorf("pads %d and %d take more away than the %d elements", p.before, p.after, d)
	}
	if mode != "constant" && n > 0 && d+min(p.before, 0)+min(p.after, 0) <= 0 {
		return 0, fmt.Errorf("mode %q has nothing to repeat in %d elements", mode, d)
	}
	return n, nil
}

// source returns, for each position of a padded axis, the position in the data, -1 where the constant stands. Negative
// pads crop first; what is left is repeated, reflected or wrapped.
func (p padding) source(d int64, mode string) []int64 {
	first := max(-p.before, 0)
	kept := d - first - max(-p.after, 0)
	out := make([]int64, d+p.before+p.after)
	for i := range out {
		at := int64(i) - max(p.before, 0)
		switch {
		case at >= 0 && at < kept:
		case mode == "constant":
			at = -1 - first
		case mode == "edge":
			at = max(0, min(at, kept-1))
		case mode == "wrap":
			at = modulo(at, kept)
		default:
			at = reflect(at, kept)
		}
		out[i] = first + at
	}
	return out
}

// reflect mirrors a position at both ends without repeating them.
func reflect(at, n int64) int64 {
	if n == 1 {
		return 0
	}
	at = modulo(at, 2*(n-1))
	return min(at, 2*(n-1)-at)
}

func runPad(c *call) error {
	t := c.tensor(0)
	d, dims := t.Dims(), c.outDims(0)
	list, _, err := c.paddings(len(d))
	if err != nil {
		return err
	}
	src := cellsOf(t)
	dst := src.fresh(c.outLen(0))
	fill := src.fresh(1)
	if src.typ == tensor.String {
		fill.text[0] = []byte{}
	}
	if v := c.tensor(2); v != nil {
		if v.Len() != 1 {
			return fmt.Errorf("constant_value has %d elements, expected 1", v.Len())
		}
		fill = cellsOf(v)
	}
	if c.outLen(0) == 0 {
		return c.putCells(0, dst, dims)
	}
	sources, strides := make([][]int64, len(d)), contiguous(d)
	for i, p := range list {
		sources[i] = p.source(d[i], c.attr.string("mode"))
	}
	padCells(dst, src, fill, sources, strides)
	return c.putCells(0, dst, dims)
}

// padCells fills dst: along each axis sources names the position in the data, negative for the fill.
func padCells(dst, src, fill cells, sources [][]int64, strides []int64) {
	if len(sources) == 0 {
		dst.copy(0, src, 0, 1)
		return
	}
	index := make([]int, len(sources)-1)
	last := sources[len(index)]
	for at := int64(0); ; at += int64(len(last)) {
		base, inside := int64(0), true
		for i, k := range index {
			inside = inside && sources[i][k] >= 0
			base += sources[i][k] * strides[i]
		}
		for k, from := range last {
			if inside && from >= 0 {
				dst.copy(at+int64(k), src, base+from, 1)
			} else {
				dst.copy(at+int64(k), fill, 0, 1)
			}
		}
		i := len(index) - 1
		for ; i >= 0; i-- {
			if index[i]++; index[i] < len(sources[i]) {
				break
			}
			index[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

func constantOfShape() []operator {
	op := operator{
		name: "ConstantOfShape", in: params("input:T1"), out: params("output:T2"),
		attrs: []attribute{optionalAttr("value", aTensor)}, infer: inferConstantOfShape, run: runConstantOfShape,
	}
	set := func(since int64, t types) version { return version{since, map[string]types{"T1": tInt64, "T2": t}} }
	t := tNumeric | tBool
	return versions(op, set(9, t), set(20, t|tBFloat16|tFloat8), set(21, t|tBFloat16|tFloat8|tUint4|tInt4),
		set(23, t|tBFloat16|tFloat8|tUint4|tInt4|tFloat4), set(24, t|tBFloat16|tFloat8|tUint4|tInt4|tFloat4|tE8M0),
		set(25, t|tBFloat16|tFloat8|tUint4|tInt4|tFloat4|tE8M0|tUint2|tInt2))
}

func inferConstantOfShape(c *typing) error {
	element := tensor.Float
	if v := c.attr.tensor("value"); v != nil {
		if element = v.Type(); v.Len() != 1 {
			return fmt.Errorf("attribute \"value\" has %d elements, expected 1", v.Len())
		}
	}
	if !c.op.vars["T2"].has(element) {
		return fmt.Errorf("attribute \"value\" is %v, expected one of %v", element, c.op.vars["T2"])
	}
	c.setElement(0, element)
	if err := c.vector(0, "the input"); err != nil {
		return err
	}
	shape, known, err := c.partlyShape(0)
	if err != nil {
		return err
	}
	if !known {
		c.setRank(0, c.count(0))
		return nil
	}
	shape = append([]int64{}, shape...)
	for i, n := range shape {
		if n == open {
			shape[i] = unknown
		} else if n < 0 {
			return fmt.Errorf("shape %v has a negative dimension", shape)
		}
	}
	c.setDims(0, shape...)
	return nil
}

func runConstantOfShape(c *call) error {
	dst := freshCells(c.out[0].Element, c.outLen(0))
	if v := c.attr.tensor("value"); v != nil {
		dst.strided(0, cellsOf(v), 0, 0, c.outLen(0))
	}
	return c.putCells(0, dst, c.outDims(0))
}
