// SPDX-License-Identifier: Apache-2.0

package eval

// spread walks an output shape together with operands that broadcast to it. Dimensions that
// belong together are merged, so that most cases are one run.
type spread struct {
	dims    []int64
	strides [][]int64 // per operand, in elements; 0 where it repeats
}

// newSpread walks dims with operands of the given shapes.
func newSpread(dims []int64, operands ...[]int64) spread {
	full := make([][]int64, len(operands))
	for k, d := range operands {
		full[k] = broadcastStrides(dims, d)
	}
	return newStrided(dims, full...)
}

// newStrided walks dims with operands of the given strides.
func newStrided(dims []int64, full ...[]int64) spread {
	s := spread{strides: make([][]int64, len(full))}
	for i, d := range dims {
		if d == 1 {
			continue
		}
		if last := len(s.dims) - 1; last >= 0 && joins(s.strides, full, last, i, d) {
			s.dims[last] *= d
			for k := range full {
				s.strides[k][last] = full[k][i]
			}
			continue
		}
		s.dims = append(s.dims, d)
		for k := range full {
			s.strides[k] = append(s.strides[k], full[k][i])
		}
	}
	return s
}

// joins reports whether dimension i continues the merged dimension last for every operand.
func joins(merged, full [][]int64, last, i int, d int64) bool {
	for k := range merged {
		if merged[k][last] != full[k][i]*d {
			return false
		}
	}
	return true
}

// broadcastStrides returns the strides in elements of a tensor of shape from under the dimensions dims.
func broadcastStrides(dims, from []int64) []int64 {
	out := make([]int64, len(dims))
	stride := int64(1)
	for i := len(from) - 1; i >= 0; i-- {
		if from[i] != 1 {
			out[len(dims)-len(from)+i] = stride
		}
		stride *= from[i]
	}
	return out
}

// step returns the stride of operand k along a run: 0 or 1 where operands are broadcast.
func (s spread) step(k int) int64 {
	if len(s.dims) == 0 {
		return 0
	}
	return s.strides[k][len(s.dims)-1]
}

// runs calls f for each run of n output elements from at on, whose operands begin at offs.
func (s spread) runs(f func(at int64, offs []int64, n int64)) {
	for _, d := range s.dims {
		if d == 0 {
			return
		}
	}
	offs := make([]int64, len(s.strides))
	if len(s.dims) == 0 {
		f(0, offs, 1)
		return
	}
	last := len(s.dims) - 1
	index := make([]int64, last)
	for at := int64(0); ; at += s.dims[last] {
		f(at, offs, s.dims[last])
		i := last - 1
		for ; i >= 0; i-- {
			index[i]++
			for k := range offs {
				offs[k] += s.strides[k][i]
			}
			if index[i] < s.dims[i] {
				break
			}
			for k := range offs {
				offs[k] -= index[i] * s.strides[k][i]
			}
			index[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

// map1 sets dst[i] = f(a[i]).
func map1[A, R any](dst []R, a []A, f func(A) R) {
	for i, x := range a[:len(dst)] {
		dst[i] = f(x)
	}
}

// map2 sets dst, of shape dims, to f of a and b broadcast to it.
func map2[A, B, R any](dst []R, a []A, b []B, dims, aDims, bDims []int64, f func(A, B) R) {
	s := newSpread(dims, aDims, bDims)
	aStep, bStep := s.step(0), s.step(1)
	s.runs(func(at int64, offs []int64, n int64) {
		d, x, y := dst[at:at+n], a[offs[0]:], b[offs[1]:]
		switch {
		case aStep == 1 && bStep == 1:
			x, y = x[:n], y[:n]
			for i := range d {
				d[i] = f(x[i], y[i])
			}
		case aStep == 1:
			x, y0 := x[:n], y[0]
			for i := range d {
				d[i] = f(x[i], y0)
			}
		case bStep == 1:
			x0, y := x[0], y[:n]
			for i := range d {
				d[i] = f(x0, y[i])
			}
		default:
			v := f(x[0], y[0])
			for i := range d {
				d[i] = v
			}
		}
	})
}
