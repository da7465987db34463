// SPDX-License-Identifier: Apache-2.0

package codec

import "errors"

// gather picks from a constant by indices of the payload, or from the payload by constants.
func (b *batch) gather(s *step) error {
	axis := s.int("axis", 0)
	data, dims := b.in(s, 0)
	index, _ := b.in(s, 1)
	if axis < 0 {
		axis += int64(len(dims))
	}
	switch {
	case data.merged || index.merged:
		return errors.New("rows are merged into one dimension before it")
	case !data.constant && !index.constant:
		return errors.New("both inputs depend on the payload")
	case !data.constant:
		return b.axes(s, data.prefix, axis)
	}
	return b.set(s, int(axis)+index.prefix) // the constant's own first dimensions must be 1
}

// gatherElements picks within the dimensions of both inputs alike.
func (b *batch) gatherElements(s *step) error {
	data, _ := b.in(s, 0)
	index, _ := b.in(s, 1)
	if data.constant || index.constant || data.merged || index.merged || data.prefix != index.prefix {
		return errors.New("its inputs do not have the rows in the same dimensions")
	}
	return b.axes(s, data.prefix, s.int("axis", 0))
}

func (b *batch) gatherND(s *step) error {
	data, _ := b.in(s, 0)
	index, dims := b.in(s, 1)
	batch := s.int("batch_dims", 0)
	switch {
	case data.merged || index.merged || index.constant || index.prefix >= len(dims):
		return errors.New("its indices do not have the rows in front")
	case data.constant && batch == 0:
		return b.set(s, index.prefix)
	case !data.constant && data.prefix == index.prefix && int64(data.prefix) <= batch:
		return b.set(s, index.prefix)
	}
	return errors.New("it picks across rows")
}

// matMul multiplies the last two dimensions.
func (b *batch) matMul(s *step) error {
	x, xd := b.in(s, 0)
	y, yd := b.in(s, 1)
	switch {
	case x.merged || y.merged:
		return errors.New("rows are merged into one dimension before it")
	case !x.constant && y.constant && x.prefix < len(xd) && len(yd) <= 2:
		return b.set(s, x.prefix)
	case !x.constant && !y.constant && x.prefix == y.prefix && len(xd) == len(yd) && x.prefix <= len(xd)-2:
		return b.set(s, x.prefix)
	}
	return errors.New("it sums over rows")
}

// quantize is QuantizeLinear and DequantizeLinear: a scale for all, for each index of an axis, or in
// blocks of an axis.
func (b *batch) quantize(s *step) error {
	prefix, err := b.first(s)
	if err != nil {
		return err
	}
	rank := len(b.dims(s.in[0]))
	for i := 1; i < len(s.in); i++ {
		if !given(s, i) {
			continue
		}
		l, dims := b.in(s, i)
		switch {
		case l.constant && len(dims) == 0:
		case l.constant && len(dims) == 1:
			if err := inner([]int64{s.int("axis", 1)}, rank, prefix); err != nil {
				return err
			}
		case !l.constant && !l.merged && len(dims) == rank && l.prefix == prefix:
			if err := inner([]int64{s.int("axis", 1)}, rank, prefix); err != nil {
				return err
			}
		default:
			return errors.New("its scale or zero point does not have the rows where the data has them")
		}
	}
	return b.set(s, prefix)
}
