// SPDX-License-Identifier: Apache-2.0

package onnxruntime

import (
	"fmt"
	"math"
	"slices"

	"github.com/structview/structview/tensor"
)

// bound says how far two results may be apart. The zero value: not at all, but NaN for NaN.
type bound struct {
	ulps  int64     // of the result's type
	error []float64 // absolute, for each element; nil: none
}

func (b bound) exact() bool { return b.ulps == 0 && b.error == nil }

func (b bound) String() string {
	switch {
	case b.error != nil:
		return "sum bound"
	case b.ulps > 0:
		return fmt.Sprintf("%d ulp", b.ulps)
	}
	return "bit-equal"
}

// compare tells the first difference that a bound does not allow.
func (b bound) compare(got, want *tensor.Tensor) error {
	if got.Type() != want.Type() || !slices.Equal(got.Dims(), want.Dims()) {
		return fmt.Errorf("%v%v, the peer has %v%v", got.Type(), got.Dims(), want.Type(), want.Dims())
	}
	g, w := codes(got), codes(want)
	for i := range g {
		if g[i] != w[i] && !b.near(got.Type(), i, g[i], w[i]) {
			return fmt.Errorf("element %d: %s, the peer has %s (%v)",
				i, show(got.Type(), g[i]), show(got.Type(), w[i]), b)
		}
	}
	return nil
}

func show(typ tensor.Type, code uint64) string {
	if typ.IsFloat() {
		return fmt.Sprintf("%v (%0*x)", tensor.ToFloat(typ, code), int(typ.Bits()+3)/4, code)
	}
	return fmt.Sprintf("%d (%x)", code, code)
}

func (b bound) near(typ tensor.Type, i int, got, want uint64) bool {
	if !typ.IsFloat() {
		return false
	}
	g, w := tensor.ToFloat(typ, got), tensor.ToFloat(typ, want)
	if math.IsNaN(g) || math.IsNaN(w) {
		return math.IsNaN(g) && math.IsNaN(w)
	}
	if b.error != nil && math.Abs(g-w) <= b.error[i] {
		return true
	}
	d := place(typ, got) - place(typ, want)
	return b.ulps > 0 && d >= -b.ulps && d <= b.ulps
}

// place numbers the values of a float type in ascending order, both zeros 0.
func place(typ tensor.Type, code uint64) int64 {
	sign := uint64(1) << (typ.Bits() - 1)
	if code&sign != 0 {
		return -int64(code &^ sign)
	}
	return int64(code)
}

// codes are the bits of each element, one in a word.
func codes(t *tensor.Tensor) []uint64 {
	list := make([]uint64, t.Len())
	data, width := t.Bytes(), t.Type().Bits()
	for i := range list {
		if width < 8 {
			at := uint64(i) * width
			list[i] = uint64(data[at/8]>>(at%8)) & (1<<width - 1)
			continue
		}
		size := int(width / 8)
		for k := range size {
			list[i] |= uint64(data[i*size+k]) << (8 * k)
		}
	}
	return list
}
