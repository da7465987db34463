// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"fmt"

	"github.com/structview/structview/onnxpb"
	"github.com/structview/structview/tensor"
)

// dense returns the tensor that a sparse one stands for. Its size is bounded: the message does
// not hold it.
func dense(p *onnxpb.SparseTensorProto) (*tensor.Tensor, error) {
	const most = 1 << 24
	values, err := tensor.FromProto(p.GetValues())
	if err != nil {
		return nil, fmt.Errorf("sparse values: %w", err)
	}
	indices, err := tensor.FromProto(p.GetIndices())
	if err != nil {
		return nil, fmt.Errorf("sparse indices: %w", err)
	}
	n, err := tensor.Count(p.GetDims())
	if err != nil || n > most {
		return nil, fmt.Errorf("sparse tensor of shape %v: %w", p.GetDims(), ErrLimit)
	}
	at, err := positions(indices, values.Len(), p.GetDims())
	if err != nil {
		return nil, err
	}
	src := cellsOf(values)
	dst := src.fresh(n)
	for i := range dst.text {
		dst.text[i] = []byte{}
	}
	for k, i := range at {
		if i < 0 || i >= n {
			return nil, fmt.Errorf("sparse index %d of %d elements", i, n)
		}
		dst.copy(i, src, int64(k), 1)
	}
	return dst.tensor(p.GetDims())
}

// positions reads linear indices [n] or coordinates [n, rank].
func positions(indices *tensor.Tensor, n int64, dims []int64) ([]int64, error) {
	shape := indices.Dims()
	if indices.Type() != tensor.Int64 {
		return nil, fmt.Errorf("sparse indices are %v, expected INT64", indices.Type())
	}
	list := tensor.Slice[int64](indices)
	switch {
	case len(shape) == 1 && shape[0] == n:
		return list, nil
	case len(shape) == 2 && shape[0] == n && shape[1] == int64(len(dims)):
	default:
		return nil, fmt.Errorf("sparse indices of shape %v for %d values", shape, n)
	}
	strides := contiguous(dims)
	out := make([]int64, n)
	for k := range out {
		for i, v := range list[k*len(dims) : (k+1)*len(dims)] {
			if v < 0 || v >= dims[i] {
				return nil, fmt.Errorf("sparse index %d of dimension %d", v, dims[i])
			}
			out[k] += v * strides[i]
		}
	}
	return out, nil
}
