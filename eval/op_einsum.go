// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/structview/structview/tensor"
)

// einsumFamily has Einsum, version 12. Products are added in the index order of the summed subscripts, which is
// that of their first appearance, from +0; integers wrap.
func einsumFamily() []operator {
	k := kernels{
		f32: einsumOf[float32], f64: einsumOf[float64], i8: einsumOf[int8], i16: einsumOf[int16], i32: einsumOf[int32],
		i64: einsumOf[int64], u8: einsumOf[uint8], u16: einsumOf[uint16], u32: einsumOf[uint32], u64: einsumOf[uint64],
	}
	return versions(operator{
		name: "Einsum", in: params("Inputs...:T"), out: params("Output:T"),
		attrs: []attribute{requiredAttr("equation", aString)},
		infer: inferEinsum, run: viaFloat(k.run),
	}, at(12, tNumeric))
}

// equation is a parsed equation. Its subscripts are letters, and for an ellipsis of n dimensions the n
// negative numbers -n to -1.
type equation struct {
	terms  []subscripts
	result subscripts
}

type subscripts struct {
	letters  []rune // without the ellipsis
	ellipsis int    // where in letters it stands, -1 if there is none
}

func parseEquation(text string) (equation, error) {
	var e equation
	left, right, arrow := strings.Cut(strings.ReplaceAll(text, " ", ""), "->")
	for _, part := range strings.Split(left, ",") {
		term, err := parseSubscripts(part)
		if err != nil {
			return e, fmt.Errorf("equation %q: %w", text, err)
		}
		e.terms = append(e.terms, term)
	}
	var err error
	if !arrow {
		e.result = implicitResult(e.terms)
		return e, nil
	}
	if e.result, err = parseSubscripts(right); err != nil {
		return e, fmt.Errorf("equation %q: %w", text, err)
	}
	for i, l := range e.result.letters {
		if slices.Contains(e.result.letters[:i], l) {
			return e, fmt.Errorf("equation %q: the result has %q twice", text, l)
		}
		if !slices.ContainsFunc(e.terms, func(t subscripts) bool { return slices.Contains(t.letters, l) }) {
			return e, fmt.Errorf("equation %q: %q of the result is in no term", text, l)
		}
	}
	return e, nil
}

func parseSubscripts(text string) (subscripts, error) {
	s := subscripts{ellipsis: -1}
	for len(text) > 0 {
		if rest, ok := strings.CutPrefix(text, "..."); ok {
			if s.ellipsis >= 0 {
				return s, fmt.Errorf("two ellipses in one term")
			}
			s.ellipsis, text = len(s.letters), rest
			continue
		}
		l := rune(text[0])
		if !(l >= 'a' && l <= 'z' || l >= 'A' && l <= 'Z') {
			return s, fmt.Errorf("%q is no subscript, expected a letter or an ellipsis", l)
		}
		s.letters, text = append(s.letters, l), text[1:]
	}
	return s, nil
}

// implicitResult is the result of an equation without an arrow: the ellipsis and, in alphabetical order, the letters
// that occur once.
func implicitResult(terms []subscripts) subscripts {
	count, result := map[rune]int{}, subscripts{ellipsis: -1}
	for _, t := range terms {
		for _, l := range t.letters {
			count[l]++
		}
		if t.ellipsis >= 0 {
			result.ellipsis = 0
		}
	}
	for l, n := range count {
		if n == 1 {
			result.letters = append(result.letters, l)
		}
	}
	slices.Sort(result.letters)
	return result
}

// expand writes the subscripts out for n dimensions of the ellipsis.
func (s subscripts) expand(n int) []rune {
	if s.ellipsis < 0 {
		return s.letters
	}
	out := append([]rune{}, s.letters[:s.ellipsis]...)
	for i := n; i > 0; i-- {
		out = append(out, rune(-i))
	}
	return append(out, s.letters[s.ellipsis:]...)
}

// contraction is an equation applied to shapes.
type contraction struct {
	order []rune // the subscripts of the result, then those that are summed
	size  map[rune]int64
	terms [][]rune
	n     int // of order that belong to the result
}

// apply matches the equation with shapes. A dimension of 1 repeats.
func (e equation) apply(shapes [][]int64) (contraction, error) {
	c := contraction{size: map[rune]int64{}}
	if len(shapes) != len(e.terms) {
		return c, fmt.Errorf("the equation has %d terms, there are %d inputs", len(e.terms), len(shapes))
	}
	widest := 0
	for i, t := range e.terms {
		n := len(shapes[i]) - len(t.letters)
		if n < 0 || n > 0 && t.ellipsis < 0 {
			return c, fmt.Errorf("input %d is %s, its term has %d subscripts", i, dimsText(true, shapes[i]), len(t.letters))
		}
		widest = max(widest, n)
		c.terms = append(c.terms, t.expand(n))
		if err := c.bind(i, shapes[i]); err != nil {
			return c, err
		}
	}
	c.order = append(c.order, e.result.expand(widest)...)
	c.n = len(c.order)
	for _, term := range c.terms {
		for _, l := range term {
			if !slices.Contains(c.order, l) {
				c.order = append(c.order, l)
			}
		}
	}
	return c, nil
}

func (c *contraction) bind(i int, shape []int64) error {
	for k, l := range c.terms[i] {
		have, ok := c.size[l]
		switch d := shape[k]; {
		case !ok || have == 1 || have == unknown && d != 1:
			c.size[l] = d
		case d != have && d != 1 && d != unknown:
			return fmt.Errorf("input %d is %s: its dimension %d is %d elsewhere", i, dimsText(true, shape), k, have)
		}
	}
	return nil
}

// dims returns the sizes of the subscripts of the result and of the summed ones.
func (c *contraction) dims() (result, summed []int64) {
	all := make([]int64, len(c.order))
	for i, l := range c.order {
		all[i] = c.size[l]
	}
	return all[:c.n:c.n], all[c.n:]
}

// strides returns the strides of a term's tensor along the subscripts of order; a repeated subscript walks the
// diagonal.
func (c *contraction) strides(i int, shape []int64) []int64 {
	own, out := contiguous(shape), make([]int64, len(c.order))
	for k, l := range c.terms[i] {
		if shape[k] != 1 {
			out[slices.Index(c.order, l)] += own[k]
		}
	}
	return out
}

func inferEinsum(c *typing) error {
	e, err := parseEquation(c.attr.string("equation"))
	if err != nil {
		return err
	}
	shapes := make([][]int64, len(c.in))
	for i := range c.in {
		d, ok := c.dims(i)
		if !ok {
			return nil
		}
		shapes[i] = d
	}
	plan, err := e.apply(shapes)
	if err != nil {
		return err
	}
	dims, _ := plan.dims()
	c.setDims(0, dims...)
	return nil
}

func einsumOf[T number](c *call) error {
	e, err := parseEquation(c.attr.string("equation"))
	if err != nil {
		return err
	}
	shapes, data := make([][]int64, len(c.values)), make([][]T, len(c.values))
	for i := range c.values {
		shapes[i], data[i] = c.tensor(i).Dims(), tensor.Slice[T](c.tensor(i))
	}
	plan, err := e.apply(shapes)
	if err != nil {
		return err
	}
	result, summed := plan.dims()
	outer, inner := make([][]int64, len(shapes)), make([][]int64, len(shapes))
	for i, shape := range shapes {
		s := plan.strides(i, shape)
		outer[i], inner[i] = s[:plan.n], s[plan.n:]
	}
	work, err := product(summed)
	if err != nil {
		return err
	}
	dst := make([]T, c.outLen(0))
	sum := newStrided(summed, inner...)
	walk := newStrided(result, outer...)
	from := make([]int64, len(data))
	walk.runs(func(at int64, offs []int64, n int64) {
		if err == nil {
			err = c.sums(n, work)
		}
		if err != nil {
			return
		}
		copy(from, offs)
		for i := range n {
			if len(summed) == 0 {
				dst[at+i] = productOf(data, from)
			} else {
				dst[at+i] = sumProducts(sum, data, from)
			}
			for k := range from {
				from[k] += walk.step(k)
			}
		}
	})
	if err != nil {
		return err
	}
	return putSlice(c, 0, dst)
}

// sums counts n sums of work steps each. To begin one takes as long as some steps.
func (c *call) sums(n, work int64) error {
	const begin = 16
	steps, err := product([]int64{n, min(work, math.MaxInt64-begin) + begin})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLimit, err)
	}
	return c.steps(steps)
}

// productOf is the sum of the one product of the operands' elements: -0 becomes +0, as in every sum.
func productOf[T number](data [][]T, from []int64) T {
	var sum T
	p := data[0][from[0]]
	for k := 1; k < len(data); k++ {
		p *= data[k][from[k]]
	}
	sum += T(p)
	return sum
}

// sumProducts adds up the products of the operands' elements along the summed subscripts.
func sumProducts[T number](s spread, data [][]T, from []int64) T {
	var sum T
	s.runs(func(_ int64, offs []int64, n int64) {
		for i := range n {
			p := data[0][from[0]+offs[0]+i*s.step(0)]
			for k := 1; k < len(data); k++ {
				p *= data[k][from[k]+offs[k]+i*s.step(k)]
			}
			sum += T(p)
		}
	})
	return sum
}
